// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_HPP
#define ANEW_ASIO_HPP

/// Retries on Asio's event loop: `async_retry()`, `async_hedge()`. Needs Boost.Asio, or stand-alone Asio with ANEW_STANDALONE_ASIO defined.
#include "anew/asio/async_hedge.hpp"
#include "anew/asio/async_retry.hpp"
#include "anew/asio/awaitable.hpp"
#include "anew/asio/initiates.hpp"
#include "anew/asio/timer_source.hpp"

#endif
