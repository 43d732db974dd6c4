// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_HPP
#define ANEW_ASIO_HPP

/// Retries on Asio's event loop: `async_retry()`, `async_hedge()`. Needs Boost.Asio, or stand-alone Asio with ANEW_STANDALONE_ASIO defined.
#include "anew/bridges/asio/async_hedge.hpp"
#include "anew/bridges/asio/async_poll.hpp"
#include "anew/bridges/asio/async_retry.hpp"
#include "anew/bridges/asio/coarse_timers.hpp"
#include "anew/bridges/asio/initiates.hpp"
#include "anew/bridges/asio/timer_source.hpp"
#include "anew/policies/classifier/error_code.hpp"

#endif
