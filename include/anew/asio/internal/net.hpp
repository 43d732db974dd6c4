// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_INTERNAL_NET_HPP
#define ANEW_ASIO_INTERNAL_NET_HPP

#include "anew/platform/compiler.hpp"

/// The Asio in use: Boost.Asio next to Hana, or stand-alone Asio if ANEW_STANDALONE_ASIO is defined. It must have
/// cancellation slots, `append` and `deferred`: Asio 1.24 (Boost 1.80) or newer. docs/how_to/use_asio.md lists the
/// tested versions.
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
namespace asio {}
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
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
namespace anew::inline ANEW_ABI {
namespace net = ::boost::asio;
using net_error_code = ::boost::system::error_code;
using net_system_error = ::boost::system::system_error;
}  // namespace anew::inline ANEW_ABI

#endif
#endif
