// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BEAST_HPP
#define ANEW_BEAST_HPP

/// Boost.Beast: requests over a connection or a pool of them, and what their failures mean.
#include "anew/bridges/beast/classifier.hpp"
#include "anew/bridges/beast/connection.hpp"
#include "anew/bridges/beast/pool.hpp"
#include "anew/bridges/beast/request_operation.hpp"

#endif
