// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CURL_HPP
#define ANEW_CURL_HPP

/// libcurl: easy handles that block, and many transfers on one thread.
#include "anew/curl/easy.hpp"
#include "anew/curl/multi.hpp"

#endif
