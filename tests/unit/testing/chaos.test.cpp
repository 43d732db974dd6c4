// SPDX-License-Identifier: BSL-1.0
// Chaos around an operation: the shares, the order, the script, the declarations, and every driver that calls an operation.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/machine.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/poll.hpp"
#include "anew/testing/chaos.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/virtual.hpp"

#include "names.hpp"

namespace testing_chaos_test {
namespace {

using anew::testing::chaos;

auto const reset = std::make_error_code(std::errc::connection_reset);
auto const late = std::make_error_code(std::errc::timed_out);

using strategy = anew::strategy<anew::error_code_classifier, anew::no_backoff, anew::max_attempts<3>>;

TEST(Chaos, StrikesInTheSharesThatItIsTold) {
  manual_clock const clock;
  auto const begin = clock.now();
  std::uint64_t made = 0;
  auto op = chaos([&made] { return ++made; }, 7).delays(0.25, clock, 3s).returns(0.1, 0).loses(0.5, [] {
    return std::uint64_t{0};
  });
  std::uint64_t failed = 0;
  for (int i = 0; i != 10'000; ++i) failed += op() == 0 ? 1U : 0U;
  EXPECT_EQ(op.calls(), 10'000U);
  EXPECT_NEAR(static_cast<double>(op.faults(1)), 2'500, 200);
  EXPECT_NEAR(static_cast<double>(op.faults(2)), 1'000, 150);
  EXPECT_NEAR(static_cast<double>(op.faults(3)), 4'500, 250);  // of the calls that are made
  EXPECT_EQ(clock.now() - begin, static_cast<std::int64_t>(op.faults(1)) * 3s);
  EXPECT_EQ(made, 10'000 - op.faults(2));
  EXPECT_EQ(failed, op.faults(2) + op.faults(3));
}

TEST(Chaos, DrawsForEachFaultInOrderUntilOneAnswersAndNeverOrAlwaysAtTheEnds) {
  for (std::uint64_t const seed : {1U, 2U}) {
    anew::testing::seeded_random const model{seed};
    auto const strikes = [&model] { return model() >> 63U == 0; };
    auto op = chaos([] { return 0; }, seed).returns(0.5, 1).returns(0.5, 2);
    auto const copy = op;  // shares the draws
    for (int i = 0; i != 100; ++i) ASSERT_EQ(i % 2 == 0 ? op() : copy(), strikes() ? 1 : strikes() ? 2 : 0) << i;
    EXPECT_EQ(copy.calls(), 100U);
  }
  auto never_or_always = chaos([] { return 0; }).returns(0.0, 1).returns(1.0, 2);
  for (int i = 0; i != 1'000; ++i) ASSERT_EQ(never_or_always(), 2);
}

TEST(Chaos, PlaysAScriptThenDraws) {
  int made = 0;
  auto op = chaos([&made] { return ++made, std::error_code{}; })
                .returns(0.0, reset)
                .loses(0.0, [] { return late; })
                .plays({1, 2, 0, 2});
  std::vector<std::error_code> results;
  for (int i = 0; i != 6; ++i) results.push_back(op());
  EXPECT_EQ(results, (std::vector<std::error_code>{reset, late, {}, late, {}, {}}));
  EXPECT_EQ(made, 5);
}

/// Fails twice by chaos; its answers say in which attempt it was called.
auto fails_twice() {
  return chaos(anew::idempotent([] { return std::error_code{}; })).returns(0.0, late).plays({1, 1});
}

TEST(Chaos, StandsInEveryDriver) {
  auto const blocking = fails_twice();
  EXPECT_EQ(anew::retry(strategy{}, blocking, no_sleep), std::error_code{});
  EXPECT_EQ(blocking.calls(), 3U);
  EXPECT_EQ(anew::retry_outcome(strategy{}, fails_twice(), no_sleep).attempts(), 3U);
  anew::virtual_strategy const behind{strategy{}};
  EXPECT_EQ(anew::retry_outcome(anew::strategy_view{behind}, fails_twice(), no_sleep).attempts(), 3U);
  strategy const s;
  auto op = fails_twice();
  anew::call_engine call{s, op};
  auto step = call.begin();
  while (step != anew::next_step::finished) {
    step = step == anew::next_step::attempt ? call.on_outcome(call.start()) : call.on_wait_over();
  }
  EXPECT_EQ(call.reason(), stop_reason::succeeded);
  EXPECT_EQ(op.calls(), 3U);
}

TEST(Chaos, KeepsTheDeclarationsAndTheAttempt) {
  // Without idempotent, an answer that is lost may not be repeated: chaos shows it.
  int made = 0;
  auto const charge = [&made] { return ++made, std::error_code{}; };
  auto const loses = [] { return late; };
  EXPECT_EQ(anew::retry(strategy{}, chaos(charge).loses(1.0, loses), no_sleep), late);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(anew::retry(strategy{}, chaos(anew::idempotent(charge)).loses(1.0, loses), no_sleep), late);
  EXPECT_EQ(made, 4);
  EXPECT_EQ(anew::retry(strategy{}, anew::idempotent(chaos(charge).loses(1.0, loses)), no_sleep), late);
  EXPECT_EQ(made, 7);

  std::vector<std::uint32_t> numbers;
  auto const counts = [&numbers](anew::attempt& a) { return numbers.push_back(a.number()), std::error_code{}; };
  EXPECT_EQ(anew::retry(strategy{}, anew::idempotent(chaos(counts).returns(0.0, reset).plays({1})), no_sleep),
            std::error_code{});
  EXPECT_EQ(numbers, std::vector<std::uint32_t>{2});
  auto const owns = [number = std::make_unique<int>(7)] { return *number != 7; };
  static_assert(!std::is_copy_constructible_v<decltype(owns)>);
  EXPECT_FALSE(chaos([number = std::make_unique<int>(7)] { return *number != 7; }).does(1.0, [] {})());
}

#if ANEW_EXCEPTIONS
TEST(Chaos, Throws) {
  using throwing = anew::strategy<anew::retry_on<std::runtime_error>, anew::no_backoff, anew::max_attempts<3>>;
  auto op = chaos(anew::idempotent([] { return 1; })).throws(0.0, std::runtime_error{"no"}).plays({1, 1});
  EXPECT_EQ(anew::retry(throwing{}, op, no_sleep), 1);
  EXPECT_EQ(op.faults(1), 2U);
  int ran = 0;
  auto const gone = chaos([&ran] { ++ran; }).throws(1.0, std::runtime_error{"no"});
  EXPECT_THROW(gone(), std::runtime_error);
  EXPECT_EQ(ran, 0);
}
#endif

TEST(Chaos, CountsWhatHappened) {
  auto const zero = [] { return 0; };
  auto answered = chaos([] { return 1; }).loses(1.0, zero).returns(1.0, 2);
  EXPECT_EQ(answered(), 2);
  EXPECT_EQ(answered.faults(1), 0U) << "no answer was lost, because none came";
  EXPECT_EQ(answered.faults(2), 1U);
  auto twice = chaos([] { return 1; }).loses(1.0, [](int lost) { return lost + 10; }).loses(1.0, zero);
  EXPECT_EQ(twice(), 11);
  EXPECT_EQ(twice.faults(1) + twice.faults(2), 1U);
#if ANEW_EXCEPTIONS
  auto throws = chaos([]() -> int { throw std::runtime_error{"its own"}; }).loses(1.0, zero);
  EXPECT_THROW(throws(), std::runtime_error);
  EXPECT_EQ(throws.faults(1), 0U);
  EXPECT_THROW(static_cast<void>(chaos(zero).returns(anew::rational{3, 2}, 1)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(chaos(zero).returns(0.0, 1).plays({1, 2})), std::invalid_argument);
#endif
}

}  // namespace
}  // namespace testing_chaos_test
