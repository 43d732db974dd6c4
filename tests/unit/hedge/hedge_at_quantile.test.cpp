// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"
#include "anew/testing/manual_clock.hpp"

#include "names.hpp"
#include "rejection.hpp"
#include "together.hpp"

namespace hedge_hedge_at_quantile_test {
namespace {

using anew::hedge_at_quantile, anew::quantile_bounds, anew::quantile_parameters, anew::when_pushed_back;

constexpr quantile_parameters given{95, 100, 20ms, 1ms, 10s, 64};

static_assert(anew::Hedging<hedge_at_quantile<95, 100>> && anew::detail::Learns<hedge_at_quantile<95, 100>>);
static_assert(anew::Hedging<decltype(hedge_at_quantile{given})>);
static_assert(sizeof(hedge_at_quantile<95, 100>) <= 48);
static_assert(!std::is_copy_constructible_v<hedge_at_quantile<95, 100>>);

static_assert(hedge_at_quantile<1, 2>::is_sound && hedge_at_quantile<999, 1000, 7>::is_sound);
static_assert(!hedge_at_quantile<0, 100>::is_sound && !hedge_at_quantile<100, 100>::is_sound &&
              !hedge_at_quantile<1, 1001>::is_sound && !hedge_at_quantile<-1, 100>::is_sound);
static_assert(!hedge_at_quantile<95, 100, 8>::is_sound && !hedge_at_quantile<95, 100, -1>::is_sound);
template <quantile_bounds Bounds>
constexpr bool is_sound = hedge_at_quantile<95, 100, 1, Bounds>::is_sound;
static_assert(is_sound<{.initial = 1us, .lower = 1us, .upper = 1us, .samples = 1}>);
static_assert(is_sound<{.initial = 24h, .lower = 24h, .upper = 24h, .samples = 1000}>);
static_assert(!is_sound<{.lower = 999ns}> && !is_sound<{.initial = 999us}> && !is_sound<{.initial = 11s}>);
static_assert(!is_sound<{.upper = 24h + 1ns}> && !is_sound<{.samples = 0}> && !is_sound<{.samples = 1001}>);

TEST(HedgeAtQuantile, BeginsWhereItIsToldTo) {
  EXPECT_EQ((hedge_at_quantile<95, 100>{}.delay()), 100ms);
  EXPECT_EQ((hedge_at_quantile<95, 100, 1, quantile_bounds{.initial = 30ms}>{}.delay()), 30ms);
  hedge_at_quantile const at_run_time{given, 2, when_pushed_back::stop};
  EXPECT_EQ(at_run_time.delay(), 20ms);
  EXPECT_EQ(at_run_time.max_extra(), 2U);
  EXPECT_EQ(at_run_time.pushback(), when_pushed_back::stop);
  EXPECT_EQ(hedge_at_quantile{given}.max_extra(), 1U);
  EXPECT_EQ((hedge_at_quantile<95, 100, 3>{}.max_extra()), 3U);
}

TEST(HedgeAtQuantile, MovesWithWhatIsSeen) {
  hedge_at_quantile const hedging{given};
  hedging.on_late();
  auto const raised = hedging.delay();
  EXPECT_EQ(raised, 20'296'875ns);
  hedging.on_answer(1ms);
  EXPECT_LT(hedging.delay(), raised);
  hedging.on_answer(1s);
  EXPECT_GT(hedging.delay(), raised);
}

TEST(HedgeAtQuantile, RefusesWhatIsOutOfRange) {
  struct row {
    void (*change)(quantile_parameters&);
    char const* says;
  } const rows[] = {
      {[](auto& p) { p.num = 0; }, "the quantile must be above 0 and below 1, of at most 1000 parts, but is 0/100"},
      {[](auto& p) { p.num = 100; }, "the quantile must be above 0 and below 1, of at most 1000 parts, but is 100/100"},
      {[](auto& p) { p.den = 1001; },
       "the quantile must be above 0 and below 1, of at most 1000 parts, but is 95/1001"},
      {[](auto& p) { p.lower = 999ns; }, "lower must be at least 1us, but is 999ns"},
      {[](auto& p) { p.lower = 11s; }, "lower must be at most upper, but is 11s and upper is 10s"},
      {[](auto& p) { p.initial = 999us; }, "initial must be between lower and upper, but is 999us"},
      {[](auto& p) { p.initial = 11s; }, "initial must be between lower and upper, but is 11s"},
      {[](auto& p) { p.upper = 24h + 1s; }, "upper must be at most 24h, but is 86401s"},
      {[](auto& p) { p.samples = 0; }, "samples must be between 1 and 1000, but is 0"},
      {[](auto& p) { p.samples = 1001; }, "samples must be between 1 and 1000, but is 1001"},
  };
  for (auto const& [change, says] : rows) {
    auto p = given;
    change(p);
    EXPECT_REJECTED(hedge_at_quantile{p}, std::string{"anew::hedge_at_quantile: "} + says);
  }
  for (auto const extra : {-1, 8}) {
    EXPECT_REJECTED((hedge_at_quantile{given, extra}),
                    "anew::hedge_at_quantile: max_extra must be between 0 and 7, but is " + std::to_string(extra));
  }
}

TEST(HedgeAtQuantile, CallsUnderWayWhenTheFarSideSlowsDownDoNotAllCountIt) {
  // 1,000 calls begin together and none is answered: were each to raise the delay, it would be at its upper end.
  anew::testing::manual_clock const clock;
  auto const strategy = anew::compose(clock, anew::retry_all{});
  using machine = anew::hedge_machine<std::remove_const_t<decltype(strategy)>, decltype(hedge_at_quantile{given}),
                                      anew::declared::idempotent>;
  hedge_at_quantile const hedging{given};
  std::vector<std::unique_ptr<machine>> calls;
  for (int i = 0; i < 1000; ++i) {
    calls.push_back(std::make_unique<machine>(strategy, hedging));
    std::ignore = calls.back()->begin();
  }
  clock.advance(20ms);
  int sent = 0;
  for (auto& call : calls) sent += call->on_time().start != 0 ? 1 : 0;
  EXPECT_EQ(sent, 8);  // until the delay has grown by an eighth: 1.0148^8 > 1.125
  EXPECT_LT(hedging.delay(), 23ms);
}

}  // namespace
}  // namespace hedge_hedge_at_quantile_test
