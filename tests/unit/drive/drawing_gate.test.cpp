// SPDX-License-Identifier: BSL-1.0
// A gate that draws whether an attempt may begin gets the strategy's random numbers, behind every handle too; and a
// gate that keeps the time gets both. The stories of the drivers test the rest of a gate.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/client_throttle.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/sharing/borrowed.hpp"
#include "anew/policies/sharing/partitioned.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

#include "names.hpp"

namespace drive_drawing_gate_test {
namespace {

using testing::ElementsAre;
using words = std::vector<std::uint64_t>;

struct books {
  words drawn;
  int asked_without = 0;
  std::vector<time_point> since;
};

/// Refuses where it draws an odd number.
struct drawing_gate {
  using role = anew::roles::gate;
  using pass_type = int;
  [[nodiscard]] anew::admission<int> try_enter(time_point /*now*/) const {
    ++told->asked_without;
    return anew::admission<int>::admit(1);
  }
  template <class Random>  // any: also what is no source of random numbers
  [[nodiscard]] anew::admission<int> try_enter(time_point /*now*/, time_point& /*since*/, Random&& random) const {
    told->drawn.push_back(random());
    return told->drawn.back() % 2 == 0 ? anew::admission<int>::admit(1) : anew::admission<int>::refuse();
  }
  void on_success(int /*pass*/, time_point /*now*/) const {}
  void on_failure(int /*pass*/, anew::failure const& /*f*/, time_point /*now*/) const {}
  void release(int /*pass*/) const {}
  books* told;
};
/// Lets each attempt wait once, and draws.
struct patient_gate : drawing_gate {
  using drawing_gate::drawing_gate;
  [[nodiscard]] anew::admission<int> try_enter(time_point now) const { return drawing_gate::try_enter(now); }
  template <anew::RandomSource Random>
  [[nodiscard]] anew::admission<int> try_enter(time_point now, time_point& since, Random&& random) const {
    told->since.push_back(since);
    if (since == time_point::min()) {
      since = now;
      return anew::admission<int>::ask_again_in(1s);
    }
    return drawing_gate::try_enter(now, since, random);
  }
};
static_assert(anew::detail::IsAskedWithMore<drawing_gate> && anew::detail::IsAskedWithMore<patient_gate>);
static_assert(anew::detail::members_are_callable<drawing_gate> && anew::detail::members_are_callable<patient_gate>);

auto composed(auto gate, scripted_random random = scripted_random{2, 4, 7}) {
  return anew::compose(std::move(gate), anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<5>{}, manual_clock{},
                       std::move(random));
}
constexpr auto fails = [] { return false; };
constexpr auto no_sleep = [](duration) {};

TEST(DrawingGate, IsAskedWithTheStrategysNumbers) {
  books told;
  auto const outcome = anew::retry_outcome(composed(drawing_gate{&told}), fails, no_sleep);
  EXPECT_EQ(outcome.reason(), stop_reason::gate_closed);
  EXPECT_EQ(outcome.attempts(), 2U);
  EXPECT_THAT(told.drawn, ElementsAre(2, 4, 7));
  EXPECT_EQ(told.asked_without, 0);
}

TEST(DrawingGate, GetsTheThreadsNumbersWhereNoneAreComposed) {
  books told;
  auto const strategy =
      anew::compose(drawing_gate{&told}, anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<1>{});
  static_cast<void>(anew::retry_outcome(strategy, [] { return true; }, no_sleep));  // refused or not
  EXPECT_EQ(told.drawn.size(), 1U);
  EXPECT_EQ(told.asked_without, 0);
}

/// What a gate that is handed out so draws of a call whose second retry it refuses.
template <class Gate>
words drawn_by(auto const& make) {
  books told;
  Gate gate;
  gate.told = &told;
  auto const strategy = composed(make(gate));
  EXPECT_EQ(anew::retry_outcome(strategy, fails, no_sleep).attempts(), 2U);
  EXPECT_EQ(told.asked_without, 0);
  EXPECT_EQ(told.since.size(), (std::is_same_v<Gate, patient_gate> ? 6U : 0U));
  for (std::size_t i = 0; i < told.since.size(); ++i) EXPECT_EQ(told.since[i] == time_point::min(), i % 2 == 0) << i;
  return told.drawn;
}
constexpr auto itself = [](auto const& gate) { return gate; };
constexpr auto borrowed = [](auto const& gate) { return anew::borrowed{gate}; };

TEST(DrawingGate, IsAskedSoBehindEachHandle) {
  words const all{2, 4, 7};
  EXPECT_EQ(drawn_by<drawing_gate>([](auto gate) { return anew::shared{std::move(gate)}; }), all);
  EXPECT_EQ(drawn_by<drawing_gate>(borrowed), all);
  EXPECT_EQ(
      drawn_by<drawing_gate>([](auto gate) { return anew::partitioned_by<int>(2, [gate] { return gate; }).at(1); }),
      all);
  using chosen = anew::choice<anew::roles::gate, anew::roles::absent<anew::roles::gate>, drawing_gate>;
  EXPECT_EQ(drawn_by<drawing_gate>([](auto gate) { return chosen{gate}; }), all);
  EXPECT_EQ(drawn_by<drawing_gate>([](auto gate) { return anew::shared{chosen{gate}}; }), all);
  using among = anew::choice<anew::roles::gate, anew::cool_down<>, drawing_gate, anew::circuit_breaker<>>;
  static_assert(anew::detail::IsAskedWithMore<among>);
  EXPECT_EQ(drawn_by<drawing_gate>([](auto gate) { return among{gate}; }), all);
  // One that keeps the time gets both.
  EXPECT_EQ(drawn_by<patient_gate>(itself), all);
  EXPECT_EQ(drawn_by<patient_gate>(borrowed), all);
}

TEST(DrawingGate, AChoiceOfAnotherDrawsNothing) {
  scripted_random const random{1};
  using among = anew::choice<anew::roles::gate, anew::cool_down<>, drawing_gate>;
  auto const strategy = composed(among{std::in_place_type<anew::cool_down<>>}, random);
  EXPECT_TRUE(anew::retry(strategy, [] { return true; }, no_sleep));
  EXPECT_EQ(random.calls(), 0U);
}

}  // namespace
}  // namespace drive_drawing_gate_test
