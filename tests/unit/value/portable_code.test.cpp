// SPDX-License-Identifier: BSL-1.0
// The numbers of a system's codes are those of std::errc on POSIX alone.
#include <ios>
#include <system_error>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/base/portable_code.hpp"
#include "anew/policies/classifier/error_code.hpp"

#include "asio_codes.hpp"

namespace value_portable_code_test {
namespace {

using support::unmapped_asio_code;

TEST(PortableCode, AsiosCodesAreTheSystems) {
  auto const asios = unmapped_asio_code(std::errc::connection_refused);
  ASSERT_NE(asios, std::errc::connection_refused);
  auto const portable = anew::portable_code(asios);
  EXPECT_EQ(portable, std::errc::connection_refused);
  EXPECT_EQ(portable, (std::error_code{asios.value(), std::system_category()}));
}

TEST(PortableCode, OtherCodesStayAsTheyAre) {
  for (std::error_code const code :
       {std::error_code{}, std::make_error_code(std::errc::timed_out), std::error_code{7, std::system_category()},
        std::make_error_code(std::io_errc::stream)}) {
    EXPECT_EQ(anew::portable_code(code), code);
    EXPECT_EQ(&anew::portable_code(code).category(), &code.category());
  }
}

TEST(PortableCode, TheClassifierOfCodesAsksForThem) {
  for (auto const condition : {std::errc::connection_refused, std::errc::timed_out, std::errc::address_not_available,
                               std::errc::operation_canceled, std::errc::permission_denied}) {
    auto const asios = anew::error_code_classifier::classify(unmapped_asio_code(condition));
    auto const expected = anew::error_code_classifier::classify(condition);
    ASSERT_EQ(asios.is_retry(), expected.is_retry());
    if (!asios.is_retry()) continue;
    EXPECT_EQ(asios.what().kind, expected.what().kind);
    EXPECT_EQ(asios.what().safety, expected.what().safety);
  }
}

TEST(PortableCode, TheClassifierOfNamedCodesAsksForThem) {
  using named = anew::retry_on_codes<std::errc::connection_refused, std::errc::timed_out>;
  EXPECT_TRUE(named::classify(unmapped_asio_code(std::errc::connection_refused)).is_retry());
  EXPECT_EQ(named::classify(unmapped_asio_code(std::errc::timed_out)).what().kind, anew::error_kind::timeout);
  EXPECT_FALSE(named::classify(unmapped_asio_code(std::errc::connection_reset)).is_retry());
}

TEST(PortableCode, ABlockingCallThatReturnsAsiosCodeIsRetried) {
  anew::strategy<anew::error_code_classifier, anew::no_backoff, anew::max_attempts<3>> const strategy;
  int calls = 0;
  auto const end = anew::retry(
      strategy, [&] { return ++calls < 3 ? unmapped_asio_code(std::errc::connection_refused) : std::error_code{}; });
  EXPECT_FALSE(end);
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace value_portable_code_test
