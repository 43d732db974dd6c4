// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_CONFIG_HPP
#define ANEW_ASIO_CONFIG_HPP

/// Which Asio: that of the Boost which Hana comes from, or the stand-alone one where ANEW_STANDALONE_ASIO is defined.
/// Either must know cancellation slots, `append` and `deferred` as its own: Asio 1.24 (Boost 1.80) or newer.
#ifdef ANEW_STANDALONE_ASIO

#include <asio/version.hpp>
#if ASIO_VERSION < 102400
#error "anew/asio.hpp requires Asio 1.24 or newer"
#endif
#include <system_error>

#include <asio/error.hpp>
namespace asio {}
namespace anew {
namespace net = ::asio;
using net_error_code = std::error_code;
using net_system_error = std::system_error;
}  // namespace anew

#else

#include <boost/asio/version.hpp>
#if BOOST_ASIO_VERSION < 102400
#error "anew/asio.hpp requires Boost 1.80 or newer (its Asio 1.24); Debian 12 has it as libboost1.81-dev"
#endif
#include <boost/asio/error.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
namespace anew {
namespace net = ::boost::asio;
using net_error_code = ::boost::system::error_code;
using net_system_error = ::boost::system::system_error;
}  // namespace anew

#endif
#endif
