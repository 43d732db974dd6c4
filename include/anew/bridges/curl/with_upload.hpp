// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_WITH_UPLOAD_HPP
#define ANEW_BRIDGES_CURL_WITH_UPLOAD_HPP

#include <concepts>
#include <type_traits>
#include <utility>

#include <curl/curl.h>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/curl/preparation.hpp"
#include "anew/bridges/curl/upload.hpp"
#include "anew/policies/operation/internal/declared_operation.hpp"

namespace anew::inline ANEW_ABI::curl {

/// A preparation whose call has a header callback. See `with_header_function()`.
template <class Prepare>
struct with_header_function_operation : anew::detail::declared_operation<Prepare> {
  curl_write_callback header_function;
  void* header_data;
};

/// Gives a call a header callback: libcurl's own `CURLOPT_HEADERFUNCTION` and `CURLOPT_HEADERDATA`, which `multi_retry` takes.
template <class Prepare>
[[nodiscard]] auto with_header_function(Prepare&& prepare, curl_write_callback function, void* data)
    -> with_header_function_operation<std::decay_t<Prepare>> {
  return {{std::forward<Prepare>(prepare)}, function, data};
}

namespace detail {

struct prepares_nothing {
  void operator()() const noexcept {}
};

}  // namespace detail

/// A preparation whose call sends a body. See `with_upload()`.
template <class Prepare, class Body>
struct with_upload_operation : anew::detail::declared_operation<Prepare> {
  Body upload_body;
};

/// Gives a call of `multi_retry` its body: `anew::idempotent(anew::curl::with_upload(anew::curl::upload{picture}))`, or
/// with a preparation first. A temporary body becomes part of the call; an lvalue must stay until the call's callback.
template <class Prepare, class Body>
  requires std::convertible_to<Body, upload>
[[nodiscard]] auto with_upload(Prepare&& prepare, Body&& body) {
  using body_type = std::conditional_t<std::is_same_v<Body, upload&>, upload&, upload>;
  return with_upload_operation<std::decay_t<Prepare>, body_type>{{std::forward<Prepare>(prepare)},
                                                                 std::forward<Body>(body)};
}
template <class Body>
  requires std::convertible_to<Body, upload>
[[nodiscard]] auto with_upload(Body&& body) {
  return curl::with_upload(detail::prepares_nothing{}, std::forward<Body>(body));
}

}  // namespace anew::inline ANEW_ABI::curl

#endif
