// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_EXT_CURL_HPP
#define ANEW_EXT_CURL_HPP

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <curl/curl.h>

#include "anew/attempt.hpp"
#include "anew/classifier/http_status.hpp"
#include "anew/directive.hpp"
#include "anew/duration.hpp"
#include "anew/ext/retry_after.hpp"
#include "anew/roles.hpp"

/// What stands between anew and libcurl: an attempt as options of a handle, and a transfer as something to classify.
///
///     auto const fetch = [&](anew::attempt& attempt) {
///       anew::curl::prepare(easy, attempt, 2s);
///       return anew::curl::transfer_of(easy, curl_easy_perform(easy));
///     };
///     anew::retry(anew::with<strategy, anew::curl::classifier<>>{}, anew::idempotent(fetch));
namespace anew::curl {

namespace detail {

/// libcurl counts milliseconds, and takes 0 for "no limit"; it refuses more than LONG_MAX / 1000 of them.
[[nodiscard]] constexpr long milliseconds_of(duration limit) noexcept {
  if (limit == duration::max()) return 0;
  auto const ms = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  return static_cast<long>(ms < 1 ? 1 : ms > most ? most : ms);
}

}  // namespace detail

/// How long this attempt may take: `per_attempt`, or what remains of the deadline where that is less. A last try, which begins
/// when nothing remains (`at_deadline::last_try`), has `per_attempt`.
[[nodiscard]] constexpr duration limit_of(attempt const& attempt, duration per_attempt) noexcept {
  return attempt.remaining() == duration::zero() ? per_attempt : attempt.limit(per_attempt);
}

/// Makes a handle ready for this attempt. Call it before each one; it sets three options and leaves the others alone:
///
/// * `CURLOPT_FRESH_CONNECT`: after a transient error or a time-out the connection may be half dead, and the attempt gets
///   a new one; after throttling it is as good as new, and is used again (`attempt::connection()`);
/// * `CURLOPT_MAXCONNECTS`: 1 for such an attempt, `kept_connections` else. An answer of 502 leaves its connection among
///   those that are kept, and the attempt after the next would take it again; so the new one takes its place;
/// * `CURLOPT_TIMEOUT_MS`: `limit_of(attempt, per_attempt)`.
///
/// A handle that is driven by the multi interface keeps its connections there: set `CURLMOPT_MAXCONNECTS` in the same way.
/// Returns what libcurl says: `CURLE_OK`.
inline CURLcode prepare(CURL* handle, attempt const& attempt, duration per_attempt = duration::max(),
                        long kept_connections = 5) {
  bool const fresh = attempt.connection() == connection_hint::fresh;
  auto code = curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, fresh ? 1L : 0L);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_MAXCONNECTS, fresh ? 1L : kept_connections);
  if (code != CURLE_OK) return code;
  return curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, detail::milliseconds_of(limit_of(attempt, per_attempt)));
}

/// How a transfer ended. A failure is one that libcurl reports, or a status from 400 on.
struct transfer {
  CURLcode code = CURLE_OK;               ///< `CURLE_OK` when there was a whole answer
  int http_status = 0;                    ///< 0: no answer came
  bool sent = true;                       ///< false: no byte of the request left, so nothing can have been executed
  std::optional<duration> retry_after{};  ///< what the server asked for

  [[nodiscard]] bool has_value() const noexcept { return code == CURLE_OK && http_status < 400; }
  [[nodiscard]] transfer const& error() const noexcept { return *this; }
};

/// Asks a handle how the transfer that just ended with `code` went.
[[nodiscard]] inline transfer transfer_of(CURL* handle, CURLcode code) {
  long status = 0;
  long request_size = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(handle, CURLINFO_REQUEST_SIZE, &request_size);
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

/// Reads transfers: an answer by its HTTP status, a connection that failed by what libcurl says of it.
///
/// A time-out is of the kind `timeout`, a connection that could not be made or that broke is `transient`; what was sent
/// may have taken effect. An unknown host, a refused certificate and whatever else no retry can mend is final.
///
/// Models: Classifier (empty)      Cost: a few compares
/// Formula: none
/// Requires: HttpClassifier reads HTTP statuses
/// Choose it with `transfer_of`. Not for the multi interface's own errors (CURLMcode).
/// Source: libcurl's error codes, curl.se/libcurl/c/libcurl-errors.html
template <class HttpClassifier = http_status_classifier<>>
struct classifier {
  using role = roles::classifier;

  [[nodiscard]] constexpr directive classify(transfer const& t) const {
    if (t.code == CURLE_OK || t.http_status >= 400) {
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

  [[nodiscard]] static std::string describe() {
    return std::string{"curl("}.append(HttpClassifier::describe()).append(")");
  }
};

}  // namespace anew::curl

#endif
