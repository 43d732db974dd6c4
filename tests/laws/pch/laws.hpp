// SPDX-License-Identifier: BSL-1.0
// What nearly every law includes, compiled once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/laws.hpp"
