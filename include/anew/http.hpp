// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_HTTP_HPP
#define ANEW_HTTP_HPP

/// Retries for HTTP clients: http::standard and its classifier, the readers of Retry-After and of rate limits, and the blocking calls.
#include "anew/anew.hpp"
#include "anew/classifier/http_status.hpp"
#include "anew/hint/retry_after.hpp"
#include "anew/http/classifier.hpp"
#include "anew/http/retry_after_or_reset.hpp"
#include "anew/preset/http.hpp"

#endif
