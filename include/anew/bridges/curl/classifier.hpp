// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_CLASSIFIER_HPP
#define ANEW_BRIDGES_CURL_CLASSIFIER_HPP

#include <concepts>
#include <initializer_list>
#include <string>

#include <curl/curl.h>

#include "anew/base/asked_delay.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/curl/transfer.hpp"
#include "anew/policies/classifier/http_answer.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::curl {

namespace detail {

template <class R>
inline constexpr bool is_a_transfer = std::same_as<R, transfer>;

}  // namespace detail

/// Reads transfers: an answer by its HTTP status, a connection that failed by what libcurl says of it.
///
/// A time-out is of the kind `timeout`. A name that is not resolved, a connection that could not be made and one that broke
/// are `transient`; what was sent may have taken effect. A body that cannot be sent again ends the call
/// (`transfer::replayable`). A refused certificate and whatever else no retry can mend is final.
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
class classifier {
 public:
  using role = roles::classifier;
  using reads = catch_list<transfer>;

  constexpr classifier() = default;
  constexpr explicit classifier(HttpClassifier statuses) : statuses_{statuses} {}

  [[nodiscard]] constexpr directive classify(transfer const& t) const {
    // CURLOPT_FAILONERROR repeats the status. Another code that is final, such as that of a limit, would come again
    // whatever the status.
    bool const is_status = t.code == CURLE_OK || t.code == CURLE_HTTP_RETURNED_ERROR;
    if (is_status || (t.http_status >= 400 && classify_code(t.code, t.sent).is_retry())) {
      auto const verdict = statuses_.get().classify(t.http_status);
      if (!verdict.is_retry()) return verdict;
      auto what = verdict.what();
      if (t.retry_after != asked_delay{}) what.hint = t.retry_after;
      return directive::retry(what);
    }
    return classify_code(t.code, t.sent, t.retry_after);
  }

  /// A success, unless the statuses name its own: `curl::classifier<http_status_classifier<202>>`.
  [[nodiscard]] constexpr directive classify_result(transfer const& t) const {
    bool const is_success = t.has_value() && !anew::detail::names_a_success(statuses_.get(), t.http_status);
    return is_success ? directive::succeed() : classify(t);
  }
  template <class R>
  static constexpr bool reads_whole = detail::is_a_transfer<R>;

  /// The same for a program that keeps its own record of a transfer.
  [[nodiscard]] static constexpr directive classify_code(CURLcode code, bool sent, asked_delay hint = {}) {
    auto const safety = sent ? retry_safety::maybe : retry_safety::yes;
    if (code == CURLE_OPERATION_TIMEDOUT) return directive::retry({error_kind::timeout, safety, hint});
    for (auto const passing :
         {CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR,
          CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM,
          CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR, CURLE_SEND_FAIL_REWIND}) {
      if (code == passing) return directive::retry({error_kind::transient, safety, hint});
    }
    return directive::fail();
  }

  [[nodiscard]] std::string describe() const { return anew::detail::written("curl", statuses_.get()); }

 private:
  ANEW_NO_UNIQUE_ADDRESS anew::detail::inner<HttpClassifier, classifier> statuses_;
};

}  // namespace anew::inline ANEW_ABI::curl

namespace anew::inline ANEW_ABI {

/// A transfer, read by `http::classifier` and whatever else reads HTTP statuses: as `curl::classifier` does.
template <>
struct http_traits<curl::transfer> : detail::http_traits_of_transfer<curl::transfer, curl::classifier> {};

}  // namespace anew::inline ANEW_ABI

#endif
