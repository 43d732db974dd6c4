// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_TRANSFER_HPP
#define ANEW_BRIDGES_CURL_TRANSFER_HPP

#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <string_view>

#include <curl/curl.h>

#include "anew/base/asked_delay.hpp"
#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/bridges/curl/answer_head.hpp"
#include "anew/bridges/curl/upload.hpp"
#include "anew/bridges/http/retry_after_field.hpp"
#include "anew/drivers/declarations.hpp"

namespace anew::inline ANEW_ABI::curl {

namespace detail {

/// libcurl counts milliseconds and takes 0 for "no limit"; it refuses more than LONG_MAX / 1000 of them.
[[nodiscard]] constexpr long milliseconds_of(duration limit) noexcept {
  if (limit == duration::max()) return 0;
  auto const ms = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  return static_cast<long>(ms < 1 ? 1 : ms > most ? most : ms);
}

/// Chooses the attempt's connection, and who reads its head.
inline CURLcode prepare_connection(CURL* handle, attempt const& attempt, answer_head& head, bool may_keep,
                                   bool shares = false) {
  // libcurl's rule for repeating (Curl_retry_request) excepts RTSP's RECEIVE, and checks the option whatever the
  // protocol is: 7.68 to 8.22. HTTP does not read it. A libcurl without RTSP does not have it.
  bool const never_resends =
      curl_easy_setopt(handle, CURLOPT_RTSP_REQUEST, static_cast<long>(CURL_RTSPREQ_RECEIVE)) == CURLE_OK;
  bool const is_alone = !(may_keep || shares) || !never_resends;
  bool const is_fresh = is_alone || attempt.connection() == connection_hint::fresh;
  auto code = curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, is_fresh ? 1L : 0L);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, is_alone ? 1L : 0L);
  return code == CURLE_OK ? head.attach(handle, shares && never_resends) : code;
}

/// Gives the handle its body, from the beginning. Null: the bridge does not know what the handle sends.
inline CURLcode prepare_body(CURL* handle, attempt const& attempt, answer_head& head, upload* body) {
  head.sends(body);
  bool const may_be_read = attempt.is_retry() && !attempt.is_rewound();
  if (body != nullptr) return body->attach(handle, may_be_read && detail::has_sent_a_body(handle));
  // An operation that throws, say, has not returned the transfer that would have ended the call.
  if (may_be_read && detail::has_used_up_a_body(handle)) return CURLE_SEND_FAIL_REWIND;
  detail::keep(handle, body_note::begun);
  return CURLE_OK;
}

template <anew::declared Declared>
inline constexpr bool may_keep_connection = Declared == anew::declared::idempotent;

template <anew::declared Declared>
CURLcode prepare_all(CURL* handle, attempt const& attempt, answer_head& head, upload* body,
                     call_declaration<Declared> /*declared*/, duration per_attempt, long kept_connections) {
  bool const is_suspect = attempt.connection() == connection_hint::fresh;
  auto code = detail::prepare_body(handle, attempt, head, body);
  if (code == CURLE_OK) code = detail::prepare_connection(handle, attempt, head, may_keep_connection<Declared>);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_MAXCONNECTS, is_suspect ? 1L : kept_connections);
  if (code != CURLE_OK) return code;
  return curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, detail::milliseconds_of(attempt.limit(per_attempt)));
}

}  // namespace detail

/// Prepares a handle for this attempt. Call it before each attempt, with your declaration of the operation:
/// `anew::idempotent_call`, `anew::one_shot_call`, or nothing. It sets these options and no others:
///
/// * `CURLOPT_FRESH_CONNECT` and `CURLOPT_FORBID_REUSE`: an attempt that is not declared idempotent gets a connection of its
///   own, which is closed after it. One that is uses a kept connection again, but not after a transient error or a
///   time-out, when it may be half dead (`attempt::connection()`);
/// * `CURLOPT_RTSP_REQUEST`: a value that keeps libcurl from sending the request again by itself;
/// * `CURLOPT_RTSP_CLIENT_CSEQ`, which HTTP does not use: whether an attempt of the call has used up a body;
/// * `CURLOPT_HEADERFUNCTION` and `CURLOPT_HEADERDATA`: `head`, until `transfer_of()`;
/// * `CURLOPT_MAXCONNECTS`: 1 after a transient error or a time-out, `kept_connections` else. An answer of 502 leaves its
///   connection among those that are kept, and the attempt after the next would take it again; so the new one takes its
///   place;
/// * `CURLOPT_TIMEOUT_MS`: `attempt.limit(per_attempt)`.
///
/// A handle that is driven by the multi interface keeps its connections there: set `CURLMOPT_MAXCONNECTS` in the same way.
/// Returns what libcurl says: `CURLE_OK`; `CURLE_SEND_FAIL_REWIND` for a retry whose body is used up.
/// Cost: a connection, and its handshakes, for each attempt that is not declared idempotent. Declare what carries a key by
/// which the server knows it, and what only reads.
template <anew::declared Declared>
CURLcode prepare(CURL* handle, attempt const& attempt, answer_head& head, call_declaration<Declared> declared,
                 duration per_attempt = duration::max(), long kept_connections = 5) {
  return detail::prepare_all(handle, attempt, head, nullptr, declared, per_attempt, kept_connections);
}
inline CURLcode prepare(CURL* handle, attempt const& attempt, answer_head& head, duration per_attempt = duration::max(),
                        long kept_connections = 5) {
  return curl::prepare(handle, attempt, head, call_declaration<anew::declared::nothing>{}, per_attempt,
                       kept_connections);
}
/// The same for a request that sends `body`, which must stay until `transfer_of()`. Returns `CURLE_SEND_FAIL_REWIND` if the
/// body cannot begin again.
template <anew::declared Declared>
CURLcode prepare(CURL* handle, attempt const& attempt, answer_head& head, upload& body,
                 call_declaration<Declared> declared, duration per_attempt = duration::max(),
                 long kept_connections = 5) {
  return detail::prepare_all(handle, attempt, head, &body, declared, per_attempt, kept_connections);
}
inline CURLcode prepare(CURL* handle, attempt const& attempt, answer_head& head, upload& body,
                        duration per_attempt = duration::max(), long kept_connections = 5) {
  return curl::prepare(handle, attempt, head, body, call_declaration<anew::declared::nothing>{}, per_attempt,
                       kept_connections);
}

/// How a transfer ended. It failed if libcurl reports an error, the head was cut off, or the status is 400 or above.
struct transfer {
  CURLcode code = CURLE_OK;  ///< `CURLE_OK` when there was a whole answer
  int http_status = 0;       ///< 0: no whole head came
  bool sent = true;  ///< false: nothing can have been executed: no byte left, or HTTP/2's server refused the stream
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
/// No answer at all is `CURLE_GOT_NOTHING`. A request that the server of HTTP/2 refused has the code `CURLE_HTTP2_STREAM`
/// and is not `sent`, after `multi_retry::share_http2()`. A truncated head is not a response: its
/// status is ignored, and `CURLE_OK` becomes `CURLE_PARTIAL_FILE`. If another header callback has replaced `head`, `CURLE_OK`
/// becomes `CURLE_BAD_FUNCTION_ARGUMENT`, because it is unknown whether the head was complete. A body that `prepare()` did
/// not get as an `upload` counts as used up.
[[nodiscard]] inline transfer transfer_of(CURL* handle, CURLcode code, answer_head const& head) {
  long status = 0;
  long request_size = 0;
  long head_size = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(handle, CURLINFO_REQUEST_SIZE, &request_size);
  curl_easy_getinfo(handle, CURLINFO_HEADER_SIZE, &head_size);
  curl_off_t received = 0;  // of the body
  curl_easy_getinfo(handle, CURLINFO_SIZE_DOWNLOAD_T, &received);
  answer_head::detach(handle);
  head.forget_requests(handle);
  if (code == CURLE_OK && head.is_cut()) code = CURLE_PARTIAL_FILE;
  if (code == CURLE_ABORTED_BY_CALLBACK && head.was_refused()) code = CURLE_HTTP2_STREAM;
  bool const was_watched = head.has_lines() || head_size == 0;
  if (code == CURLE_OK && request_size > 0 && received == 0 && was_watched && head.is_unanswered()) {
    code = CURLE_GOT_NOTHING;  // libcurl 7.88 says CURLE_OK when an HTTP/2 connection dies
  }
  if (code == CURLE_OK && !was_watched) code = CURLE_BAD_FUNCTION_ARGUMENT;
  if (head.body() != nullptr && !head.body()->was_asked() && detail::has_sent_bytes(handle)) {
    code = CURLE_BAD_FUNCTION_ARGUMENT;  // of another body
  }
  transfer ended{code, head.is_cut() ? 0 : static_cast<int>(status), request_size > 0 && !head.was_refused(),
                 std::nullopt};
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
