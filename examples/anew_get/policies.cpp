// SPDX-License-Identifier: BSL-1.0
#include "policies.hpp"

anew_get::fetch_result anew::refused_result<anew_get::fetch_result>::make(stop_reason /*why*/) {
  anew_get::fetch_error error;
  error.sent = false;
  error.words = "not tried";
  return error;
}

namespace anew_get {

anew::directive fetch_classifier::classify(fetch_error const& e) const {
  using anew::directive;
  using anew::error_kind;
  if (e.code == CURLE_OK || e.status >= 400) return statuses_.classify(e);

  // What never left this machine cannot have been executed over there; the rest is anybody's guess.
  auto const safety = e.sent ? anew::retry_safety::maybe : anew::retry_safety::yes;
  switch (e.code) {
    case CURLE_OPERATION_TIMEDOUT: return directive::retry({error_kind::timeout, safety, e.retry_after});
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_HTTP3:
    case CURLE_QUIC_CONNECT_ERROR: return directive::retry({error_kind::transient, safety, e.retry_after});
    default: return directive::fail();  // no such host, a refused certificate, too many redirections
  }
}

}  // namespace anew_get
