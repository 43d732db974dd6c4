// SPDX-License-Identifier: BSL-1.0
// What every law includes, compiled once; not the suites: what they register when the program begins, clang would do in
// another order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
