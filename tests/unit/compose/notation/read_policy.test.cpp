// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <string_view>
#include <variant>

#include <gtest/gtest.h>

#include "anew/compose/notation/core_words.hpp"
#include "anew/compose/notation/read_policy.hpp"
#include "anew/hedge/words.hpp"

namespace compose_notation_read_policy_test {
namespace compose_notation_read_policy_test {
namespace {

using namespace std::chrono_literals;
namespace words = anew::words;

TEST(ReadPolicy, AHedgingIsReadBack) {
  anew::generator dice{5};
  for (int i = 0; i != 1000; ++i) {
    auto const then = dice() % 2 == 0 ? anew::when_pushed_back::stop : anew::when_pushed_back::wait;
    anew::hedge_after const hedge{anew::duration{static_cast<std::int64_t>(dice() % 90'000'000'000)}, dice() % 8, then};
    auto const read = anew::read_policy<words::hedge_after>(hedge.describe());
    ASSERT_TRUE(read.has_value()) << hedge.describe();
    EXPECT_EQ(read->describe(), hedge.describe());
    EXPECT_EQ(read->delay(), hedge.delay());
    EXPECT_EQ(read->max_extra(), hedge.max_extra());
    EXPECT_EQ(read->pushback(), hedge.pushback());
    anew::hedge_at_quantile const learner{
        anew::quantile_parameters{static_cast<std::uint32_t>(dice() % 99 + 1), 100, 100ms, 1ms, 10s, 64}, dice() % 8,
        then};
    auto const either = anew::read_policy<words::hedge_after, words::hedge_at_quantile>(learner.describe());
    ASSERT_TRUE(either.has_value()) << learner.describe();
    auto const& same = std::get<1>(*either);
    EXPECT_EQ(same.describe(), learner.describe());
    EXPECT_EQ(same.delay(), learner.delay());
  }
}

TEST(ReadPolicy, OfAStrategyToo) {
  auto const jitter = anew::read_policy<words::scaled_jitter>("scaled_jitter(1/2,3/2)");
  ASSERT_TRUE(jitter.has_value());
  EXPECT_EQ(jitter->describe(), "scaled_jitter(1/2,3/2)");
}

#if ANEW_EXCEPTIONS
TEST(ReadPolicy, AFaultIsPointedAt) {
  auto const fault_of = [](std::string_view text) {
    return anew::read_policy<words::hedge_after, words::hedge_at_quantile>(text).error().what;
  };
  EXPECT_EQ(fault_of("hedge_after(1s) hedge_after(1s)"), "omit 'hedge_after(1s)': the text must name one policy");
  EXPECT_EQ(fault_of("hedge_after(1s,9)"), "anew::hedge_after: max_extra must be between 0 and 7, but is 9");
  EXPECT_EQ(fault_of("hedge_at_quantile(95)"), "'95' must be a fraction such as 95/100");
  EXPECT_EQ(fault_of("hedge_after(1s,2,3)"),
            "'3' does not belong here; hedge_after is written hedge_after(DELAY[,EXTRA][,stop])");
  EXPECT_EQ(fault_of("hedge_afterr(1s)"), "there is no policy 'hedge_afterr'; did you mean 'hedge_after'?");
}
#endif

}  // namespace
}  // namespace compose_notation_read_policy_test
}  // namespace compose_notation_read_policy_test
