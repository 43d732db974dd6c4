// SPDX-License-Identifier: BSL-1.0
#include "reply.hpp"

namespace anew_load {

namespace {

CURLcode code_of(trouble what) {
  switch (what) {
    case trouble::none: return CURLE_OK;
    case trouble::no_descriptor:
    case trouble::no_connection: return CURLE_COULDNT_CONNECT;
    case trouble::certificate: return CURLE_PEER_FAILED_VERIFICATION;
    case trouble::no_tls: return CURLE_SSL_CONNECT_ERROR;
    case trouble::lost: return CURLE_RECV_ERROR;
    case trouble::cut: return CURLE_PARTIAL_FILE;
    case trouble::nonsense: return CURLE_WEIRD_SERVER_REPLY;
    case trouble::too_long: return CURLE_WRITE_ERROR;
    case trouble::too_slow: return CURLE_OPERATION_TIMEDOUT;
    case trouble::stopped:
    case trouble::not_tried: return CURLE_ABORTED_BY_CALLBACK;
  }
  return CURLE_ABORTED_BY_CALLBACK;
}

}  // namespace

std::string words_of(outcome how) {
  if (how < first_trouble) return std::to_string(how);
  switch (static_cast<trouble>(how - first_trouble)) {
    case trouble::none: break;
    case trouble::no_descriptor: return "too many open files";
    case trouble::no_connection: return "no connection";
    case trouble::certificate: return "certificate refused";
    case trouble::no_tls: return "no TLS";
    case trouble::lost: return "connection lost";
    case trouble::cut: return "answer cut off";
    case trouble::nonsense: return "no HTTP";
    case trouble::too_long: return "header too long";
    case trouble::too_slow: return "not in time";
    case trouble::stopped: return "stopped";
    case trouble::not_tried: return "not tried";
  }
  return "unknown";
}

anew_get::fetch_error as_fetch_error(reply const& r) {
  anew_get::fetch_error error;
  error.code = code_of(r.what);
  error.status = r.status;
  error.sent = r.sent;
  error.retry_after = r.retry_after;
  error.amz_retry_after = r.amz_retry_after;
  return error;
}

}  // namespace anew_load
