// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_REJECTION_HPP
#define ANEW_TESTS_SUPPORT_REJECTION_HPP

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/base/platform/compiler.hpp"

/// EXPECT_REJECTED(expression, text): a value that is known at run time is refused with exactly this text: by
/// `std::invalid_argument`, or, without exceptions, by the end of the program.
#if ANEW_EXCEPTIONS
#include <stdexcept>

namespace support {

/// What the error says that this ends with.
template <class Error = std::invalid_argument, class Make>
std::string rejection_of(Make&& make) {
  try {
    make();
  } catch (Error const& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace support

#define EXPECT_REJECTED(expression, text) \
  EXPECT_EQ(::support::rejection_of([&] { static_cast<void>(expression); }), text)
#elif !GTEST_HAS_DEATH_TEST  // as in WebAssembly: nothing outlives the abort, so it is only compiled
#define EXPECT_REJECTED(expression, text) static_cast<void>([&] { static_cast<void>(expression); })
#else
#define EXPECT_REJECTED(expression, text) \
  EXPECT_DEATH(static_cast<void>(expression), ::testing::HasSubstr(std::string{text} + "\n"))
#endif

#endif
