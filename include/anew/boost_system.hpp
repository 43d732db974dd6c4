// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BOOST_SYSTEM_HPP
#define ANEW_BOOST_SYSTEM_HPP

/// Errors of Boost.System.
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/boost_system/classifier.hpp"

#endif
