// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/pacer/rate_limit.hpp"
#include "anew/testing.hpp"

#include "length.hpp"
#include "names.hpp"
#include "together.hpp"

namespace pacer_rate_limit_test {
namespace {

using anew::rate_limit;
using ticket = rate_limit<1, 1s>::ticket_type;

/// What attempts are answered that ask at that time, and leave when all have asked.
durations waits(auto const& pacer, duration at, int attempts) {
  durations all;
  std::vector<ticket> line(static_cast<std::size_t>(attempts));
  for (auto& mine : line) {
    auto const answer = pacer.ask(mine, time_point{at});
    all.push_back(answer.refused ? -1ns : answer.wait);
  }
  for (auto const& mine : line) pacer.release(mine);
  return all;
}

TEST(RateLimit, AdmitsABurstAndThenOneForEachToken) {
  rate_limit<4, 1s, 2> const pacer;
  EXPECT_EQ(waits(pacer, 0s, 7), (durations{0s, 0s, 250ms, 500ms, 750ms, 1s, -1ns}));
  EXPECT_EQ(waits(pacer, 250ms, 3), (durations{0s, 250ms, 500ms}));
  EXPECT_EQ(waits(pacer, 1h, 3), (durations{0s, 0s, 250ms}));
  EXPECT_EQ(waits(rate_limit<3, 1s>{}, -5s, 5), (durations{0s, 0s, 0s, 333'333'334ns, 666'666'668ns}));
  EXPECT_EQ(waits(rate_limit{1, 1s, 1, 0s}, 0s, 2), (durations{0s, -1ns}));
  EXPECT_EQ(waits(rate_limit{1, duration::max(), 4'294'967'295U, duration::max()}, 0s, 3), (durations{0s, 0s, 0s}));
}

TEST(RateLimit, ThoseBehindAnAttemptThatGivesUpMoveUp) {
  rate_limit<1, 1s, 1, 1h> const pacer;
  ticket none{}, second{}, third{}, fourth{};
  EXPECT_EQ(pacer.ask(none, time_point{}).wait, 0s);
  EXPECT_EQ(none, ticket{});
  EXPECT_EQ(pacer.ask(second, time_point{}).wait, 1s);
  EXPECT_EQ(pacer.ask(third, time_point{}).wait, 2s);
  EXPECT_EQ(pacer.ask(third, time_point{500ms}).wait, 1500ms);  // woken too early
  pacer.release(second);
  pacer.release(none);
  EXPECT_EQ(pacer.ask(fourth, time_point{500ms}).wait, 1500ms);
  EXPECT_EQ(pacer.ask(third, time_point{1s}).wait, 0s);
  EXPECT_EQ(third, ticket{});
  EXPECT_EQ(pacer.ask(fourth, time_point{2s}).wait, 0s);
  EXPECT_EQ(waits(pacer, 3s, 2), (durations{0s, 1s}));
}

TEST(RateLimit, ANewAttemptDoesNotTakeTheTurnOfOneThatIsAboutToWakeUp) {
  rate_limit<1, 1s, 1, 1h> const pacer;
  ticket first{}, second{}, third{};
  EXPECT_EQ(pacer.ask(first, time_point{}).wait, 0s);
  EXPECT_EQ(pacer.ask(second, time_point{}).wait, 1s);
  EXPECT_EQ(pacer.ask(third, time_point{1s}).wait, 1s);
  EXPECT_EQ(pacer.ask(second, time_point{1s}).wait, 0s);
  EXPECT_EQ(pacer.ask(third, time_point{2s}).wait, 0s);
}

/// Attempts that wait, give up and come late: never more in any `Per` than the formula, in the order in which they asked
/// where they wake up in time, and none is told to wait longer than `Longest`.
TEST(RateLimit, KeepsItsFormulaOverRandomAttempts) {
  struct row {
    std::int64_t n;
    duration per;
    std::int64_t burst;
    duration longest;
    bool gives_up;
  };
  for (auto const& [n, per, burst, longest, gives_up] :
       {row{1, 1s, 1, 5s, false}, row{100, 1s, 100, 1s, true}, row{7, 3s, 2, 10s, true}, row{1000, 1s, 1, 0s, false},
        row{3, 1us, 50, 1us, true}, row{10, 1s, 3, 2s, false}}) {
    rate_limit const pacer{n, per, burst, longest};
    anew::generator dice{static_cast<std::uint64_t>(n), 3};
    struct waiting {
      time_point due;
      ticket mine;
    };
    std::deque<waiting> line;
    std::deque<time_point> begun;
    time_point now{};
    auto const begin = [&] {
      begun.push_back(now);
      while (begun.front() + per <= now) begun.pop_front();
      ASSERT_LT(static_cast<std::int64_t>(begun.size()), n + burst);
    };
    auto const spacing = static_cast<std::uint64_t>(per.count() / n);
    for (int i = support::length_of(1'000'000); i != 0; --i) {
      auto const arrival = now + duration{static_cast<std::int64_t>(dice() % (2 * spacing + 1))};
      while (!line.empty() && line.front().due <= arrival) {  // each wakes up when it was told
        now = std::max(now, line.front().due);
        auto const answer = pacer.ask(line.front().mine, now);
        if (gives_up && answer.wait > 0s) {
          line.front().due = now + answer.wait;
          std::ranges::sort(line, {}, &waiting::due);
          continue;
        }
        ASSERT_EQ(answer.wait, 0s);
        ASSERT_EQ(line.front().mine, ticket{});
        begin();
        line.pop_front();
      }
      now = arrival;
      if (gives_up && dice() % 16 == 0 && !line.empty()) {
        auto const which = line.begin() + static_cast<std::ptrdiff_t>(dice() % line.size());
        pacer.release(which->mine);
        line.erase(which);
      }
      ticket mine{};
      auto const answer = pacer.ask(mine, now);
      ASSERT_EQ(answer.wait > longest, answer.refused);
      if (answer.refused) continue;
      ASSERT_EQ(answer.wait > 0s, mine != ticket{});
      if (answer.wait == 0s) {
        begin();
      } else {
        ASSERT_TRUE(gives_up || line.empty() || line.back().due < now + answer.wait);
        line.push_back({now + answer.wait, mine});
        std::ranges::sort(line, {}, &waiting::due);
      }
    }
  }
}

TEST(RateLimit, ThreadsGetTurnsOfTheirOwn) {
  rate_limit const pacer{1, 1ns, 1, duration::max()};
  constexpr int each = 20'000;
  std::vector<std::vector<duration>> got(4);
  std::vector<std::vector<ticket>> lines(4, std::vector<ticket>(each));
  support::together(4, [&](unsigned index) {
    for (auto& mine : lines[index]) got[index].push_back(pacer.ask(mine, time_point{}).wait);
  });
  durations all;
  for (auto const& mine : got) {
    EXPECT_TRUE(std::ranges::is_sorted(mine));
    all.insert(all.end(), mine.begin(), mine.end());
  }
  std::ranges::sort(all);
  for (std::size_t i = 0; i != all.size(); ++i) ASSERT_EQ(all[i].count(), static_cast<std::int64_t>(i));
}

TEST(RateLimit, ACallWaitsForItsTurnOrEnds) {
  manual_clock clock{};
  auto const s =
      anew::compose(rate_limit{2, 1s, 1, 500ms}, anew::retry_all{}, anew::max_attempts<3>{}, anew::no_backoff{}, clock);
  auto const began = clock.now();
  anew::testing::advancing_sleeper sleeper{clock};
  durations at;
  auto const fails = [&] {
    at.push_back(clock.now() - began);
    throw std::runtime_error{"no"};
  };
  EXPECT_EQ(anew::retry_outcome(s, fails, sleeper).reason(), stop_reason::attempts);
  EXPECT_EQ(at, (durations{0ms, 500ms, 1s}));
  ticket first{};
  EXPECT_EQ(s.pacer().ask(first, clock.now()).wait, 500ms);
  EXPECT_EQ(anew::retry_outcome(s, fails, sleeper).reason(), stop_reason::rate_limited);
}

}  // namespace
}  // namespace pacer_rate_limit_test
