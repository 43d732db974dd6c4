// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_TRANSFER_HPP
#define ANEW_BRIDGES_CURL_TRANSFER_HPP

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string_view>

#include <curl/curl.h>

#include "anew/base/asked_delay.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/bridges/curl/answer_head.hpp"
#include "anew/bridges/curl/upload.hpp"
#include "anew/bridges/http/retry_after_field.hpp"

namespace anew::inline ANEW_ABI::curl {

/// How a transfer ended. It failed if libcurl reports an error, the head was cut off, or the status is 400 or above.
struct transfer {
  CURLcode code = CURLE_OK;   ///< `CURLE_OK` when there was a whole answer
  int http_status = 0;        ///< 0: no whole head came
  bool sent = true;           ///< false: no byte of the request left, so nothing can have been executed
  asked_delay retry_after{};  ///< what the server asked for
  bool replayable = true;     ///< false: the body was sent from a source that cannot begin again

  [[nodiscard]] bool has_value() const noexcept { return code == CURLE_OK && http_status < 400; }
  [[nodiscard]] transfer const& error() const noexcept { return *this; }
  /// False ends the call with `stop_reason::not_replayable`, unless the operation is `anew::rewinding`.
  [[nodiscard]] bool is_replayable() const noexcept { return replayable; }
};

namespace detail {

/// After a transfer: resets the body for the next attempt, and says whether there can be one.
[[nodiscard]] inline bool finish_body(CURL* handle, answer_head const& head, bool has_value) {
  auto* const body = head.body();
  bool const is_used_up = body == nullptr && (head.body_was_sent() || detail::has_sent_a_body(handle));
  detail::keep(handle, is_used_up ? body_note::used_up : body_note::nothing_used_up);
  if (body == nullptr) return !is_used_up;
  body->detach(handle);
  return has_value || body->rewind();
}

/// An attempt that could not send its body again, and sent nothing.
[[nodiscard]] inline transfer not_prepared(CURLcode code) noexcept {
  return {code, 0, false, std::nullopt, code != CURLE_SEND_FAIL_REWIND};
}

}  // namespace detail

/// The result of the transfer that just ended with `code` on this handle; it also ends the watch of `head`.
///
/// A truncated head is not a response: its status is ignored, and `CURLE_OK` becomes `CURLE_PARTIAL_FILE`. If another
/// header callback has replaced `head`, `CURLE_OK` becomes `CURLE_BAD_FUNCTION_ARGUMENT`, because it is unknown whether
/// the head was complete. A body that `prepare()` did not get as an `upload` counts as used up.
[[nodiscard]] inline transfer transfer_of(CURL* handle, CURLcode code, answer_head const& head) {
  long status = 0;
  long request_size = 0;
  long head_size = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(handle, CURLINFO_REQUEST_SIZE, &request_size);
  curl_easy_getinfo(handle, CURLINFO_HEADER_SIZE, &head_size);
  answer_head::detach(handle);
  if (code == CURLE_OK && head.is_cut()) code = CURLE_PARTIAL_FILE;
  if (code == CURLE_OK && head_size > 0 && !head.has_lines()) code = CURLE_BAD_FUNCTION_ARGUMENT;
  if (head.body() != nullptr && !head.body()->was_asked() && detail::has_sent_bytes(handle)) {
    code = CURLE_BAD_FUNCTION_ARGUMENT;  // of another body
  }
  transfer ended{code, head.is_cut() ? 0 : static_cast<int>(status), request_size > 0, std::nullopt};
  ended.replayable = detail::finish_body(handle, head, ended.has_value()) && code != CURLE_SEND_FAIL_REWIND;
  if (head.is_cut()) return ended;
#if LIBCURL_VERSION_NUM >= 0x075400
  ended.retry_after = anew::detail::asked_by_fields([handle](anew::detail::field_name name) {
    curl_header* field = nullptr;
    bool const is_there = curl_easy_header(handle, name.usual, 0, CURLH_HEADER, -1, &field) == CURLHE_OK;
    return is_there ? std::optional<std::string_view>{field->value} : std::nullopt;
  });
#else
  curl_off_t seconds = 0;
  curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
  if (seconds > 0) ended.retry_after = anew::detail::saturate(std::chrono::seconds{seconds});
#endif
  return ended;
}

/// The argument of a call's callback. `last` is the transfer of the last attempt; if `attempts` is 0 (a gate refused
/// the call, a stop came first) there was no transfer.
struct ended_call {
  CURL* handle = nullptr;
  transfer last{};
  stop_reason reason = stop_reason::succeeded;
  std::uint32_t attempts = 0;
  std::exception_ptr thrown{};  ///< what the preparation, the classifier or the rewinding threw: it ended the call

  [[nodiscard]] bool has_value() const noexcept { return reason == stop_reason::succeeded; }
};

}  // namespace anew::inline ANEW_ABI::curl

namespace anew::inline ANEW_ABI {

/// A transfer that its attempt timeout ended has the code that libcurl's own timeout gives.
template <>
struct timed_out_result<curl::transfer> {
  static curl::transfer make(curl::transfer&& cancelled) noexcept {
    cancelled.code = CURLE_OPERATION_TIMEDOUT;
    return cancelled;
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
