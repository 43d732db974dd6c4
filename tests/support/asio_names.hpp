// SPDX-License-Identifier: BSL-1.0
/// The names that most tests of asynchronous calls use.
#ifndef ANEW_TESTS_SUPPORT_ASIO_NAMES_HPP
#define ANEW_TESTS_SUPPORT_ASIO_NAMES_HPP

#include <chrono>

#include "anew/bridges/asio/internal/net.hpp"

using namespace std::chrono_literals;
namespace net = anew::net;
using error_code = anew::net_error_code;

#endif
