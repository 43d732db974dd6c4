// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CURL_HPP
#define ANEW_CURL_HPP

/// libcurl: easy handles that block, and many transfers on one thread.
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/curl/answer_head.hpp"
#include "anew/bridges/curl/classifier.hpp"
#include "anew/bridges/curl/multi_retry.hpp"
#include "anew/bridges/curl/perform.hpp"
#include "anew/bridges/curl/transfer.hpp"
#include "anew/bridges/curl/upload.hpp"

#endif
