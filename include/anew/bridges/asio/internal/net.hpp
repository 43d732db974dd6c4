// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_NET_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_NET_HPP

#include "anew/base/platform/compiler.hpp"

/// The Asio in use: Boost.Asio next to Hana, or stand-alone Asio if ANEW_STANDALONE_ASIO is defined. It must have
/// cancellation slots, `append` and `deferred`: Asio 1.24 (Boost 1.80) or newer. docs/how_to/use_asio.md lists the
/// tested versions. This header includes all of Asio that this room uses.
#ifdef ANEW_STANDALONE_ASIO

#include <asio/version.hpp>
#if ASIO_VERSION < 102400
#error "anew/asio.hpp requires Asio 1.24 or newer"
#endif
#define ANEW_ASIO_VERSION ASIO_VERSION
#include <system_error>

#include <asio/error.hpp>
#ifndef ASIO_HAS_CO_AWAIT
#error "anew/asio.hpp requires an Asio that knows the coroutines of this compiler: 1.26 is the first for clang"
#endif
#include <asio/any_io_executor.hpp>
#include <asio/append.hpp>
#include <asio/associated_allocator.hpp>
#include <asio/associated_cancellation_slot.hpp>
#include <asio/associated_executor.hpp>
#include <asio/async_result.hpp>
#include <asio/awaitable.hpp>
#include <asio/basic_waitable_timer.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/dispatch.hpp>
#include <asio/execution.hpp>
#include <asio/execution/outstanding_work.hpp>
#include <asio/execution_context.hpp>
#include <asio/is_executor.hpp>
#include <asio/post.hpp>
#include <asio/prefer.hpp>
#include <asio/recycling_allocator.hpp>
#include <asio/system_executor.hpp>
#include <asio/use_future.hpp>
#if ANEW_ASIO_VERSION >= 103100
#include <asio/cancel_after.hpp>
#include <asio/cancel_at.hpp>
#endif
#if ANEW_ASIO_VERSION >= 103700
#include <asio/inline_executor.hpp>
#endif
#define ANEW_ASIO asio
namespace anew::inline ANEW_ABI {
namespace net = ::asio;
using net_error_code = std::error_code;
using net_system_error = std::system_error;
}  // namespace anew::inline ANEW_ABI

#else

#include <boost/asio/version.hpp>
#if BOOST_ASIO_VERSION < 102400
#error "anew/asio.hpp requires Boost 1.80 or newer (its Asio 1.24); Debian 12 has it as libboost1.81-dev"
#endif
#define ANEW_ASIO_VERSION BOOST_ASIO_VERSION
#include <boost/asio/error.hpp>
#ifndef BOOST_ASIO_HAS_CO_AWAIT
#error "anew/asio.hpp requires a Boost that knows the coroutines of this compiler: 1.81 is the first for clang"
#endif
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/is_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/recycling_allocator.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/use_future.hpp>
#if ANEW_ASIO_VERSION >= 103100
#include <boost/asio/cancel_after.hpp>
#include <boost/asio/cancel_at.hpp>
#endif
#if ANEW_ASIO_VERSION >= 103700
#include <boost/asio/inline_executor.hpp>
#endif
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
#define ANEW_ASIO boost::asio
namespace anew::inline ANEW_ABI {
namespace net = ::boost::asio;
using net_error_code = ::boost::system::error_code;
using net_system_error = ::boost::system::system_error;
}  // namespace anew::inline ANEW_ABI

#endif
#endif
