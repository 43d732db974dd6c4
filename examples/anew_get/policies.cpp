// SPDX-License-Identifier: BSL-1.0
#include "anew/curl.hpp"

#include "policies.hpp"

anew::directive anew::http_traits<anew_get::fetch_error>::classify(anew_get::fetch_error const& e,
                                                                   http_statuses const& retried) {
  // Another attempt begins at zero, and may get the right bytes.
  if (e.mismatched) return directive::retry({error_kind::transient, retry_safety::maybe, e.retry_after});
  return curl::classifier{retried}.classify(curl::transfer{e.code, e.status, e.sent, e.retry_after});
}

namespace anew_get {

anew::directive service_classifier::classify(fetch_error const& e) const {
  auto const verdict = anew::http_statuses{}.classify(e);
  if (!verdict.is_retry()) return verdict;
  auto what = verdict.what();
  if (e.status == 503) what.kind = anew::error_kind::throttling;
  if (is_of_aws_) what.hint = e.amz_retry_after;
  return anew::directive::retry(what);
}

}  // namespace anew_get
