// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_PERFORM_HPP
#define ANEW_BRIDGES_CURL_PERFORM_HPP

#include <optional>

#include <curl/curl.h>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/curl/answer_head.hpp"
#include "anew/bridges/curl/transfer.hpp"
#include "anew/bridges/curl/upload.hpp"
#include "anew/drivers/declarations.hpp"

/// Connects anew to libcurl: sets an attempt as options of a handle, and makes a transfer that a classifier reads. For
/// HTTP and HTTPS.
///
///     auto const fetch = [&](anew::attempt& attempt) {
///       return anew::curl::perform(easy, attempt, anew::idempotent_call, 2s);
///     };
///     anew::retry(anew::with<strategy, anew::curl::classifier<>>{}, anew::idempotent(fetch));
///
/// libcurl repeats a request on its own if a kept connection dies before the first line of the response is complete.
/// This header prevents that: a request is sent once per attempt. A request that is not declared `idempotent_call` also
/// gets a connection of its own, on which libcurl documents that it never repeats one.
namespace anew::inline ANEW_ABI::curl {

namespace detail {

template <anew::declared Declared>
[[nodiscard]] transfer perform_once(CURL* handle, attempt const& attempt, upload* body,
                                    call_declaration<Declared> declared, duration per_attempt, long kept_connections) {
  answer_head head;
  if (auto const code = detail::prepare_all(handle, attempt, head, body, declared, per_attempt, kept_connections);
      code != CURLE_OK) {
    answer_head::detach(handle);
    if (body != nullptr) body->detach(handle);
    return detail::not_prepared(code);
  }
  return curl::transfer_of(handle, curl_easy_perform(handle), head);
}

}  // namespace detail

/// One attempt: `prepare()`, `curl_easy_perform()`, `transfer_of()`.
template <anew::declared Declared>
[[nodiscard]] transfer perform(CURL* handle, attempt const& attempt, call_declaration<Declared> declared,
                               duration per_attempt = duration::max(), long kept_connections = 5) {
  return detail::perform_once(handle, attempt, nullptr, declared, per_attempt, kept_connections);
}
[[nodiscard]] inline transfer perform(CURL* handle, attempt const& attempt, duration per_attempt = duration::max(),
                                      long kept_connections = 5) {
  return curl::perform(handle, attempt, call_declaration<anew::declared::nothing>{}, per_attempt, kept_connections);
}
/// The same for a request with a body, which each attempt sends from its beginning.
template <anew::declared Declared>
[[nodiscard]] transfer perform(CURL* handle, attempt const& attempt, upload& body, call_declaration<Declared> declared,
                               duration per_attempt = duration::max(), long kept_connections = 5) {
  return detail::perform_once(handle, attempt, &body, declared, per_attempt, kept_connections);
}
template <anew::declared Declared>
[[nodiscard]] transfer perform(CURL* handle, attempt const& attempt, upload&& body, call_declaration<Declared> declared,
                               duration per_attempt = duration::max(), long kept_connections = 5) {
  return detail::perform_once(handle, attempt, &body, declared, per_attempt, kept_connections);
}
[[nodiscard]] inline transfer perform(CURL* handle, attempt const& attempt, upload& body,
                                      duration per_attempt = duration::max(), long kept_connections = 5) {
  return curl::perform(handle, attempt, body, call_declaration<anew::declared::nothing>{}, per_attempt,
                       kept_connections);
}
[[nodiscard]] inline transfer perform(CURL* handle, attempt const& attempt, upload&& body,
                                      duration per_attempt = duration::max(), long kept_connections = 5) {
  return curl::perform(handle, attempt, body, per_attempt, kept_connections);
}

}  // namespace anew::inline ANEW_ABI::curl

#endif
