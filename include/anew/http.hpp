// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_HTTP_HPP
#define ANEW_HTTP_HPP

/// Retries for HTTP clients: http::standard and its classifier, the readers of Retry-After and of rate limits, and the blocking calls.
#include "anew/anew.hpp"
#include "anew/bridges/http/classifier.hpp"
#include "anew/bridges/http/retry_after_or_reset.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/policies/hint/retry_after.hpp"
#include "anew/presets/http.hpp"

#endif
