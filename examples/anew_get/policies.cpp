// SPDX-License-Identifier: BSL-1.0
#include "anew/curl.hpp"

#include "policies.hpp"

anew_get::fetch_result anew::refused_result<anew_get::fetch_result>::make(stop_reason /*why*/) {
  anew_get::fetch_error error;
  error.sent = false;
  error.words = "not tried";
  return error;
}

namespace anew_get {

anew::directive fetch_classifier::classify(fetch_error const& e) const {
  if (e.code == CURLE_OK || e.status >= 400) return statuses_.classify(e);

  return anew::curl::classifier<>::classify_code(e.code, e.sent, e.retry_after);
}

anew::directive service_classifier::classify(fetch_error const& e) const {
  auto const verdict = fetch_classifier{http_statuses{}}.classify(e);
  if (!verdict.is_retry()) return verdict;
  auto what = verdict.what();
  if (e.status == 503) what.kind = anew::error_kind::throttling;
  if (is_of_aws_) what.hint = e.amz_retry_after;
  return anew::directive::retry(what);
}

}  // namespace anew_get
