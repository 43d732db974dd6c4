// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CURL_EASY_HPP
#define ANEW_CURL_EASY_HPP

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <curl/curl.h>

#include "anew/classifier/http_status.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/concept/roles.hpp"
#include "anew/curl/internal/head.hpp"
#include "anew/hint/retry_after.hpp"
#include "anew/operation/call_declaration.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/attempt.hpp"
#include "anew/value/directive.hpp"
#include "anew/value/duration.hpp"

/// What stands between anew and libcurl: an attempt as options of a handle, and a transfer as something to classify. For
/// HTTP and HTTPS.
///
///     auto const fetch = [&](anew::attempt& attempt) {
///       return anew::curl::perform(easy, attempt, anew::idempotent_call, 2s);
///     };
///     anew::retry(anew::with<strategy, anew::curl::classifier<>>{}, anew::idempotent(fetch));
///
/// libcurl sends a request again by itself when a connection that it kept dies before the first line of the answer is whole.
/// Nothing here lets it: a request is sent as often as an attempt is made. What is not declared `idempotent_call` goes over a
/// connection of its own as well, for which libcurl documents that there is nothing to send again.
namespace anew::inline ANEW_ABI::curl {

namespace detail {

/// libcurl counts milliseconds, and takes 0 for "no limit"; it refuses more than LONG_MAX / 1000 of them.
[[nodiscard]] constexpr long milliseconds_of(duration limit) noexcept {
  if (limit == duration::max()) return 0;
  auto const ms = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  return static_cast<long>(ms < 1 ? 1 : ms > most ? most : ms);
}

}  // namespace detail

/// How long this attempt may take: the least of `per_attempt`, the composed attempt timeout, and what remains of the deadline. A
/// last try, which begins when nothing remains (`at_deadline::last_try`), has the least of the first two.
[[nodiscard]] constexpr duration limit_of(attempt const& attempt, duration per_attempt) noexcept {
  auto const alone = anew::detail::smaller(per_attempt, attempt.composed_limit());
  return attempt.remaining() == duration::zero() ? alone : attempt.limit(alone);
}

namespace detail {

/// Over which connection the attempt goes, and who reads its head.
inline CURLcode prepare_connection(CURL* handle, attempt const& attempt, answer_head& head, bool may_keep) {
  // libcurl's rule for sending again (Curl_retry_request) excepts RTSP's RECEIVE, and asks for the option whatever the
  // protocol is: 7.68 to 8.22. HTTP does not read it. A libcurl without RTSP does not know it.
  bool const never_resends =
      curl_easy_setopt(handle, CURLOPT_RTSP_REQUEST, static_cast<long>(CURL_RTSPREQ_RECEIVE)) == CURLE_OK;
  bool const is_alone = !may_keep || !never_resends;
  bool const is_fresh = is_alone || attempt.connection() == connection_hint::fresh;
  auto code = curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, is_fresh ? 1L : 0L);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, is_alone ? 1L : 0L);
  return code == CURLE_OK ? head.attach(handle) : code;
}

template <anew::declared Declared>
inline constexpr bool may_keep_connection = Declared == anew::declared::idempotent;

}  // namespace detail

/// Makes a handle ready for this attempt. Call it before each one, with what you declare of the operation:
/// `anew::idempotent_call`, `anew::one_shot_call`, or nothing. It sets these options and leaves the others alone:
///
/// * `CURLOPT_FRESH_CONNECT` and `CURLOPT_FORBID_REUSE`: an attempt that is not declared idempotent gets a connection of its
///   own, which is closed after it. One that is uses a kept connection again, but not after a transient error or a
///   time-out, when it may be half dead (`attempt::connection()`);
/// * `CURLOPT_RTSP_REQUEST`: a value that keeps libcurl from sending the request again by itself;
/// * `CURLOPT_HEADERFUNCTION` and `CURLOPT_HEADERDATA`: `head`, until `transfer_of()`;
/// * `CURLOPT_MAXCONNECTS`: 1 after a transient error or a time-out, `kept_connections` else. An answer of 502 leaves its
///   connection among those that are kept, and the attempt after the next would take it again; so the new one takes its
///   place;
/// * `CURLOPT_TIMEOUT_MS`: `limit_of(attempt, per_attempt)`.
///
/// A handle that is driven by the multi interface keeps its connections there: set `CURLMOPT_MAXCONNECTS` in the same way.
/// Returns what libcurl says: `CURLE_OK`.
/// Cost: a connection, and its handshakes, for each attempt that is not declared idempotent. Declare what carries a key by
/// which the server knows it, and what only reads.
template <anew::declared Declared>
CURLcode prepare(CURL* handle, attempt const& attempt, answer_head& head, call_declaration<Declared> /*declared*/,
                 duration per_attempt = duration::max(), long kept_connections = 5) {
  bool const is_suspect = attempt.connection() == connection_hint::fresh;
  auto code = detail::prepare_connection(handle, attempt, head, detail::may_keep_connection<Declared>);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_MAXCONNECTS, is_suspect ? 1L : kept_connections);
  if (code != CURLE_OK) return code;
  return curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, detail::milliseconds_of(limit_of(attempt, per_attempt)));
}
inline CURLcode prepare(CURL* handle, attempt const& attempt, answer_head& head, duration per_attempt = duration::max(),
                        long kept_connections = 5) {
  return curl::prepare(handle, attempt, head, call_declaration<anew::declared::nothing>{}, per_attempt,
                       kept_connections);
}

/// How a transfer ended. A failure is one that libcurl reports, a head that was cut off, or a status from 400 on.
struct transfer {
  CURLcode code = CURLE_OK;               ///< `CURLE_OK` when there was a whole answer
  int http_status = 0;                    ///< 0: no whole head came
  bool sent = true;                       ///< false: no byte of the request left, so nothing can have been executed
  std::optional<duration> retry_after{};  ///< what the server asked for

  [[nodiscard]] bool has_value() const noexcept { return code == CURLE_OK && http_status < 400; }
  [[nodiscard]] transfer const& error() const noexcept { return *this; }
};

/// Asks a handle how the transfer that just ended with `code` went, and ends the watch of `head`.
///
/// A head that was cut off is no answer: its status counts for nothing, and `CURLE_OK` becomes `CURLE_PARTIAL_FILE`. Where
/// another header callback has taken the place of `head`, `CURLE_OK` becomes `CURLE_BAD_FUNCTION_ARGUMENT`: whether the
/// head was whole is unknown.
[[nodiscard]] inline transfer transfer_of(CURL* handle, CURLcode code, answer_head const& head) {
  long status = 0;
  long request_size = 0;
  long head_size = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(handle, CURLINFO_REQUEST_SIZE, &request_size);
  curl_easy_getinfo(handle, CURLINFO_HEADER_SIZE, &head_size);
  answer_head::detach(handle);
  if (head.is_cut()) return {code == CURLE_OK ? CURLE_PARTIAL_FILE : code, 0, request_size > 0, std::nullopt};
  if (code == CURLE_OK && head_size > 0 && !head.has_lines()) code = CURLE_BAD_FUNCTION_ARGUMENT;
  transfer ended{code, static_cast<int>(status), request_size > 0, std::nullopt};
#if LIBCURL_VERSION_NUM >= 0x075400
  curl_header* field = nullptr;
  if (curl_easy_header(handle, "Retry-After", 0, CURLH_HEADER, -1, &field) == CURLHE_OK) {
    ended.retry_after = parse_retry_after(field->value, std::chrono::system_clock::now());
  }
#else
  curl_off_t seconds = 0;
  curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
  if (seconds > 0) ended.retry_after = anew::detail::saturate(std::chrono::seconds{seconds});
#endif
  return ended;
}

/// One attempt: `prepare()`, `curl_easy_perform()`, `transfer_of()`.
template <anew::declared Declared>
[[nodiscard]] transfer perform(CURL* handle, attempt const& attempt, call_declaration<Declared> declared,
                               duration per_attempt = duration::max(), long kept_connections = 5) {
  answer_head head;
  if (auto const code = curl::prepare(handle, attempt, head, declared, per_attempt, kept_connections);
      code != CURLE_OK) {
    answer_head::detach(handle);
    return {code, 0, false, std::nullopt};
  }
  return curl::transfer_of(handle, curl_easy_perform(handle), head);
}
[[nodiscard]] inline transfer perform(CURL* handle, attempt const& attempt, duration per_attempt = duration::max(),
                                      long kept_connections = 5) {
  return curl::perform(handle, attempt, call_declaration<anew::declared::nothing>{}, per_attempt, kept_connections);
}

namespace detail {

template <class R>
struct is_a_transfer {
  static constexpr bool value = std::same_as<R, transfer>;
};

}  // namespace detail

/// Reads transfers: an answer by its HTTP status, a connection that failed by what libcurl says of it.
///
/// A time-out is of the kind `timeout`. A name that is not resolved, a connection that could not be made and one that broke
/// are `transient`; what was sent may have taken effect. A refused certificate and whatever else no retry can mend is final.
///
/// libcurl does not say whether a name does not exist or no name server answers at the moment, so both are retried, as
/// `curl --retry` does; Beast can tell them apart. A mistyped host therefore costs all attempts.
///
/// Models: Classifier (empty)      Cost: a few compares
/// Formula: none
/// Requires: HttpClassifier reads HTTP statuses
/// Choose it with `transfer_of`. Not for the multi interface's own errors (CURLMcode).
/// Source: libcurl's error codes, curl.se/libcurl/c/libcurl-errors.html
template <class HttpClassifier = http_status_classifier<>>
struct classifier {
  using role = roles::classifier;
  using reads = catch_list<transfer>;

  [[nodiscard]] constexpr directive classify(transfer const& t) const {
    // CURLOPT_FAILONERROR repeats the status. Another code that is final, such as that of a limit, would come again
    // whatever the status.
    bool const is_status = t.code == CURLE_OK || t.code == CURLE_HTTP_RETURNED_ERROR;
    if (is_status || (t.http_status >= 400 && classify_code(t.code, t.sent).is_retry())) {
      auto const verdict = HttpClassifier{}.classify(t.http_status);
      if (!verdict.is_retry()) return verdict;
      auto what = verdict.what();
      if (t.retry_after) what.hint = t.retry_after;
      return directive::retry(what);
    }
    return classify_code(t.code, t.sent, t.retry_after);
  }

  /// The same for a program that keeps its own record of a transfer.
  [[nodiscard]] static constexpr directive classify_code(CURLcode code, bool sent, std::optional<duration> hint = {}) {
    auto const safety = sent ? retry_safety::maybe : retry_safety::yes;
    switch (code) {
      case CURLE_OPERATION_TIMEDOUT: return directive::retry({error_kind::timeout, safety, hint});
      case CURLE_COULDNT_RESOLVE_PROXY:
      case CURLE_COULDNT_RESOLVE_HOST:
      case CURLE_COULDNT_CONNECT:
      case CURLE_SSL_CONNECT_ERROR:
      case CURLE_SEND_ERROR:
      case CURLE_RECV_ERROR:
      case CURLE_GOT_NOTHING:
      case CURLE_PARTIAL_FILE:
      case CURLE_HTTP2:
      case CURLE_HTTP2_STREAM:
      case CURLE_HTTP3:
      case CURLE_QUIC_CONNECT_ERROR: return directive::retry({error_kind::transient, safety, hint});
      default: return directive::fail();
    }
  }

  /// Asked by the explanation of a call whose result nothing reads.
  template <class R>
    requires std::same_as<R, CURLcode>
  static consteval void explain_unread() {
    static_assert(detail::is_a_transfer<R>::value,
                  "anew::retry(strategy, operation) requires an anew::curl::transfer for anew::curl::classifier; a "
                  "CURLcode alone says neither the HTTP status nor whether the request was sent. Return "
                  "anew::curl::perform(easy, attempt), or the result of anew::curl::transfer_of()");
  }

  [[nodiscard]] static std::string describe() {
    return std::string{"curl("}.append(HttpClassifier::describe()).append(")");
  }
};

}  // namespace anew::inline ANEW_ABI::curl

namespace anew::inline ANEW_ABI {

/// A transfer, read by `http::classifier` and whatever else reads HTTP statuses: as `curl::classifier` does.
template <>
struct http_traits<curl::transfer> {
  static int status(curl::transfer const& t) noexcept { return t.http_status; }
  static std::optional<duration> retry_after(curl::transfer const& t) noexcept { return t.retry_after; }
  template <class Statuses>
  static constexpr directive classify(curl::transfer const& t) {
    return curl::classifier<Statuses>{}.classify(t);
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
