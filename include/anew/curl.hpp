// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CURL_HPP
#define ANEW_CURL_HPP

/// libcurl: easy handles that block, and many transfers on one thread.
#include "anew/curl/answer_head.hpp"
#include "anew/curl/classifier.hpp"
#include "anew/curl/multi_retry.hpp"
#include "anew/curl/own_body.hpp"
#include "anew/curl/perform.hpp"
#include "anew/curl/transfer.hpp"
#include "anew/curl/upload.hpp"
#include "anew/curl/with_upload.hpp"

#endif
