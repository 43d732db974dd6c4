// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/concat.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/take.hpp>
#include <range/v3/view/take_while.hpp>
#include <range/v3/view/transform.hpp>

#include "anew/anew.hpp"
#include "anew/schedule.hpp"
#include "anew/testing/laws/delays.hpp"
#include "anew/testing/scripted_random.hpp"

#include "names.hpp"
#include "rejection.hpp"

namespace schedule_schedule_test {
namespace {

using namespace anew;
using ::testing::ElementsAre;
namespace views = ranges::views;

template <class View>
std::vector<duration> all_of(View&& view) {
  return std::forward<View>(view) | ranges::to<std::vector<duration>>();
}

using of_backoff = decltype(schedule(exponential_backoff<50ms, 20s>{}));
static_assert(ranges::view_<of_backoff> && ranges::random_access_range<of_backoff const>);
static_assert(ranges::is_infinite<of_backoff>::value);
static_assert(ranges::view_<decltype(schedule(exponential_backoff{50ms, 20s}))>);

TEST(ScheduleOfABackoff, IsItsDelaysWithoutAnEnd) {
  auto const delays = schedule(exponential_backoff<50ms, 20s>{});
  EXPECT_THAT(all_of(delays | views::take(4)), ElementsAre(50ms, 100ms, 200ms, 400ms));
  EXPECT_EQ(delays[0], 50ms);
  EXPECT_EQ(delays[7], 6'400ms);
  EXPECT_EQ(delays[1'000'000'000'000], 20s);
  EXPECT_EQ((ranges::begin(delays) + 5)[-2], 400ms);
}

TEST(ScheduleOfABackoff, AsksForNoRetryBeyondTheLast) {
  struct itself {
    using role = roles::backoff;
    static duration delay(std::uint32_t retry) { return duration{retry}; }
  };
  auto const delays = schedule(itself{});
  EXPECT_EQ(delays[0], 1ns);
  EXPECT_EQ(delays[4'294'967'293], 4'294'967'294ns);
  EXPECT_EQ(delays[4'294'967'294], 4'294'967'295ns);
  EXPECT_EQ(delays[4'294'967'295], 4'294'967'295ns);
  EXPECT_EQ(delays[4'294'967'300], 4'294'967'295ns);
}

TEST(ScheduleOfABackoff, IsCutAndJoined) {
  auto const quick = schedule(constant_backoff{10ms}) | views::take(2);
  auto const patient = schedule(exponential_backoff<1s, 4s>{});
  EXPECT_THAT(all_of(views::concat(quick, patient) | views::take(6)), ElementsAre(10ms, 10ms, 1s, 2s, 4s, 4s));
  EXPECT_THAT(all_of(patient | views::take_while([](duration d) { return d < 4s; })), ElementsAre(1s, 2s));
}

/// The delays of one call that a driver would make.
std::vector<duration> driven(auto const& s, std::size_t most = 100) {
  std::vector<duration> delays;
  auto next = s.refresh_retry_token(s.acquire_initial_token(), failure{});
  while (next && delays.size() < most) {
    delays.push_back(next->delay());
    next = s.refresh_retry_token(*std::move(next), failure{});
  }
  return delays;
}

using of_strategy = decltype(schedule(strategy<>{}));
static_assert(ranges::view_<of_strategy> && ranges::input_range<of_strategy> && !ranges::forward_range<of_strategy>);
static_assert(!ranges::is_infinite<of_strategy>::value);
static_assert(ranges::is_infinite<decltype(schedule(strategy<unbounded>{}))>::value);

TEST(ScheduleOfAStrategy, EndsWithItsAttempts) {
  for (int attempts = 1; attempts <= 5; ++attempts) {
    auto const s = compose(max_attempts{attempts}, no_jitter{}, exponential_backoff{1s, 20s});
    EXPECT_EQ(all_of(schedule(s)), driven(s)) << attempts;
    EXPECT_EQ(static_cast<int>(all_of(schedule(s)).size()), attempts - 1);
  }
  EXPECT_THAT(all_of(schedule(strategy<unbounded, no_jitter>{}) | views::take(3)), ElementsAre(50ms, 100ms, 200ms));
}

TEST(ScheduleOfAStrategy, DrawsWhatACallWouldDraw) {
  auto const with = [](auto jitter) {
    return compose(jitter, max_attempts{9}, exponential_backoff{10ms, 700ms}, anew::testing::seeded_random{4});
  };
  EXPECT_EQ(all_of(schedule(with(full_jitter{}))), driven(with(full_jitter{})));
  EXPECT_EQ(all_of(schedule(with(decorrelated_jitter{}))), driven(with(decorrelated_jitter{})));
  auto const kept = with(decorrelated_jitter{});
  EXPECT_EQ(all_of(schedule(kept)), driven(with(decorrelated_jitter{})));
}

TEST(ScheduleOfAStrategy, DrawsFromTheStrategysOwnSourceAndOnlyWhenItIsRead) {
  scripted_random const random{highest_word, anew::testing::middle_word, lowest_word};
  auto const s = compose(max_attempts{4}, constant_backoff{8s}, random);
  auto delays = schedule(s);
  EXPECT_EQ(random.calls(), 0U);
  auto at = ranges::begin(delays);
  EXPECT_EQ(random.calls(), 1U);
  EXPECT_EQ(*at, 8s);
  EXPECT_EQ(*at, 8s);
  EXPECT_EQ(random.calls(), 1U);
  ++at;
  EXPECT_EQ(*at, 4s);
  EXPECT_EQ(random.calls(), 2U);
}

struct counting_source {
  using role = roles::random_source;
  std::uint64_t operator()() const { return calls += std::uint64_t{1} << 60U; }
  mutable std::uint64_t calls = 0;
};

// A source that holds its state is not copied: the call that follows the preview goes on where that ended.
TEST(ScheduleOfAStrategy, ASourceStaysInItsStrategy) {
  strategy<max_attempts<3>, counting_source> const s;
  EXPECT_EQ(all_of(schedule(s)).size(), 2U);
  EXPECT_EQ(s.random_source().calls, 2 * (std::uint64_t{1} << 60U));
  auto owned = schedule(strategy<max_attempts<3>, counting_source>{});
  EXPECT_EQ(all_of(owned).size(), 2U);
}

TEST(ScheduleOfAStrategy, EachTraversalIsACallOfItsOwn) {
  auto const s =
      compose(max_attempts{6}, exponential_backoff{1s, 1h}, decorrelated_jitter{}, scripted_random{highest_word});
  auto delays = schedule(s);
  EXPECT_THAT(all_of(delays), ElementsAre(3s, 9s, 27s, 81s, 243s));
  EXPECT_THAT(all_of(delays), ElementsAre(3s, 9s, 27s, 81s, 243s));
  auto at = ranges::begin(delays);
  ++at;
  auto copy = delays;  // in the middle of a traversal
  EXPECT_THAT(all_of(copy), ElementsAre(3s, 9s, 27s, 81s, 243s));
  EXPECT_EQ(*at, 9s);
  copy = delays;
  EXPECT_THAT(all_of(copy | views::take(2)), ElementsAre(3s, 9s));
  auto const unseeded = compose(max_attempts{6}, exponential_backoff{1s, 1h});
  EXPECT_NE(all_of(schedule(unseeded)), all_of(schedule(unseeded)));
}

TEST(ScheduleOfAStrategy, TouchesNoQuota) {
  auto const s = compose(token_bucket{20}, max_attempts{50}, no_jitter{});
  EXPECT_EQ(all_of(schedule(s)).size(), 49U);
  EXPECT_EQ(s.quota().balance(), 20U);
  EXPECT_EQ(driven(s).size(), 1U);
}

struct no_clock {
  using role = roles::clock;
  static constexpr bool is_steady = true;
  static time_point now() {
    ADD_FAILURE() << "the clock was read";
    return {};
  }
};

TEST(ScheduleOfAStrategy, AsksNeitherTheClockNorTheDeadline) {
  strategy<deadline<1s>, max_attempts<9>, no_clock, no_jitter> const s;
  EXPECT_EQ(all_of(schedule(s)).size(), 8U);
}

TEST(Totals, AreTheTimeWaitedSoFar) {
  EXPECT_THAT(all_of(totals(schedule(exponential_backoff<1s, 4s>{})) | views::take(5)),
              ElementsAre(1s, 3s, 7s, 11s, 15s));
  EXPECT_THAT(all_of(schedule(constant_backoff<2s>{}) | totals | views::take(3)), ElementsAre(2s, 4s, 6s));
  strategy<max_attempts<4>, no_jitter> const s;
  EXPECT_THAT(all_of(totals(schedule(s))), ElementsAre(50ms, 150ms, 350ms));
  std::vector<duration> const given{3s, 1s};
  EXPECT_THAT(all_of(totals(given)), ElementsAre(3s, 4s));
}

TEST(Totals, Saturate) {
  EXPECT_THAT(all_of(totals(schedule(constant_backoff{duration::max() - 1ns})) | views::take(3)),
              ElementsAre(duration::max() - 1ns, duration::max(), duration::max()));
}

TEST(ViewBackoff, IsTheViewAndThenItsLast) {
  view_backoff const b{schedule(exponential_backoff<1s, 8s>{}) | views::take(3)};
  static_assert(Backoff<decltype(b)>);
  std::uint32_t retry = 0;
  for (duration const delay : {1s, 1s, 2s, 4s, 4s, 4s}) EXPECT_EQ(b.delay(retry++), delay) << retry;
  EXPECT_EQ(b.delay(~0U), 4s);
  EXPECT_EQ(b.cap(), 4s);
  EXPECT_EQ(b.describe(), "view(4s)");
  EXPECT_TRUE(anew::testing::laws::delays_are_within_the_cap(b));
  EXPECT_TRUE(anew::testing::laws::delays_do_not_decrease(b));
}

TEST(ViewBackoff, TheLongestIsTheCapAndTheLastRepeats) {
  std::vector<std::chrono::milliseconds> const given{5ms, 70ms, 20ms};
  view_backoff const b{given};
  EXPECT_EQ(b.cap(), 70ms);
  EXPECT_EQ(b.delay(2), 70ms);
  EXPECT_EQ(b.delay(9), 20ms);
}

TEST(ViewBackoff, TakesACap) {
  view_backoff const endless{schedule(exponential_backoff<1s, 1h>{}), 5s};
  EXPECT_EQ(endless.delay(0), 1s);
  EXPECT_EQ(endless.delay(3), 4s);
  EXPECT_EQ(endless.delay(4), 5s);
  EXPECT_EQ(endless.delay(~0U), 5s);
  EXPECT_EQ(endless.cap(), 5s);
  EXPECT_EQ(endless.describe(), "view(5s)");
  view_backoff const finite{schedule(constant_backoff{1s}) | views::take(2), 100ms};
  EXPECT_EQ(finite.delay(1), 100ms);
  EXPECT_EQ(finite.delay(9), 100ms);
  EXPECT_EQ(finite.cap(), 100ms);
}

TEST(ViewBackoff, OfAListThatIsNotRandomAccess) {
  std::list<duration> const given{1s, 2s, 3s};
  view_backoff const b{given};
  EXPECT_EQ(b.delay(1), 1s);
  EXPECT_EQ(b.delay(3), 3s);
  EXPECT_EQ(b.delay(7), 3s);
}

TEST(ViewBackoff, OfViewsThatAreJoinedAndCut) {
  auto const joined =
      views::concat(schedule(constant_backoff<10ms>{}) | views::take(2),
                    schedule(exponential_backoff<1s, 1h>{}) | views::take_while([](duration d) { return d < 5s; }));
  view_backoff const b{joined};
  std::uint32_t retry = 0;
  for (duration const delay : {10ms, 10ms, 1000ms, 2000ms, 4000ms, 4000ms}) EXPECT_EQ(b.delay(++retry), delay) << retry;
  EXPECT_EQ(b.cap(), 4s);
}

TEST(ViewBackoff, ComposesAndGoesRound) {
  auto const s =
      compose(view_backoff{schedule(exponential_backoff<1s, 8s>{}) | views::take(3)}, max_attempts{6}, no_jitter{});
  EXPECT_THAT(all_of(schedule(s)), ElementsAre(1s, 2s, 4s, 4s, 4s));
  EXPECT_THAT(all_of(schedule(s.backoff()) | views::take(4)), ElementsAre(1s, 2s, 4s, 4s));
}

TEST(ViewBackoff, AViewWithoutAnEndStaysWithinBounds) {
  auto const falling = views::iota(std::int64_t{0}) | views::transform([](std::int64_t i) { return duration{3 - i}; });
  view_backoff const b{falling, 2ns};
  EXPECT_EQ(b.delay(1), 2ns);
  EXPECT_EQ(b.delay(3), 1ns);
  EXPECT_EQ(b.delay(5), 0ns);
}

TEST(ViewBackoff, RefusesAViewThatHoldsNoDelay) {
  std::string const why = "anew::view_backoff: the view must hold a delay, but is empty";
  EXPECT_REJECTED((view_backoff{schedule(constant_backoff<1s>{}) | views::take(0)}), why);
  EXPECT_REJECTED((view_backoff{schedule(constant_backoff<1s>{}) | views::take(0), 1s}), why);
}

TEST(ViewBackoff, RefusesANegativeDelayAndSaysWhich) {
  std::vector<duration> const given{1s, 0s, -2s};
  std::string const why = "anew::view_backoff: the delay before retry 3 must not be negative, but is -2s";
  EXPECT_REJECTED((view_backoff{given}), why);
  EXPECT_REJECTED((view_backoff{given, 1h}), why);
  EXPECT_EQ((view_backoff{given | views::take(2)}.delay(2)), 0s);
}

TEST(ViewBackoff, RefusesANegativeCap) {
  EXPECT_REJECTED((view_backoff{schedule(constant_backoff<1s>{}), -1ns}),
                  "anew::view_backoff: cap must not be negative, but is -1ns");
  EXPECT_EQ((view_backoff{schedule(constant_backoff<1s>{}), 0s}.delay(1)), 0s);
}

// What cannot be read again while const, and what has neither end nor cap, is no view for it.
template <class Range>
concept MakesABackoff = requires(Range range) { view_backoff{range}; };
template <class Range>
concept MakesABackoffWithACap = requires(Range range) { view_backoff{range, 1s}; };
static_assert(!MakesABackoff<of_backoff> && MakesABackoffWithACap<of_backoff>);
static_assert(!MakesABackoff<of_strategy> && !MakesABackoffWithACap<of_strategy>);

}  // namespace
}  // namespace schedule_schedule_test
