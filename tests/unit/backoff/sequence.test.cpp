// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <list>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/backoff/sequence.hpp"
#include "anew/concept/backoff.hpp"

#include "rejection.hpp"

namespace backoff_sequence_test {

/// A range that can be traversed once: delays in milliseconds, from a text.
struct once {
  std::istringstream text;
  struct iterator {
    std::istream* from;
    std::chrono::milliseconds operator*() const {
      long ticks = 0;
      *from >> ticks;
      return std::chrono::milliseconds{ticks};
    }
    iterator& operator++() { return *this; }
    bool operator!=(std::default_sentinel_t /*end*/) const { return (*from >> std::ws).good(); }
  };
  iterator begin() { return {&text}; }
  static std::default_sentinel_t end() { return {}; }
};

namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::sequence_backoff;
using chosen_sequence = sequence_backoff<anew::run_time>;
using seconds_double = std::chrono::duration<double>;

static_assert(anew::Backoff<sequence_backoff<1s, 2s>> && anew::Backoff<chosen_sequence>);
static_assert(std::is_empty_v<sequence_backoff<1s, 1s>> && !std::is_default_constructible_v<chosen_sequence>);
static_assert(!std::is_constructible_v<chosen_sequence, std::vector<int>> &&
              !std::is_constructible_v<chosen_sequence, int>);
static_assert(!sequence_backoff<>::is_sound && !sequence_backoff<1s, anew::run_time>::is_sound &&
              sequence_backoff<0s>::is_sound);

TEST(SequenceBackoff, IsTheListAndThenItsLast) {
  sequence_backoff<10ms, 1s, 50ms> const b;
  EXPECT_EQ(b.delay(0), 10ms);
  EXPECT_EQ(b.delay(1), 10ms);
  EXPECT_EQ(b.delay(2), 1s);
  for (std::uint32_t retry : {3U, 4U, 1000U, ~0U}) EXPECT_EQ(b.delay(retry), 50ms);
  EXPECT_EQ(b.cap(), 1s);
  EXPECT_EQ(b.describe(), "sequence(10ms,1s,50ms)");
  EXPECT_EQ((sequence_backoff<7s>{}.delay(9)), 7s);
  EXPECT_EQ((sequence_backoff<7s>{}.describe()), "sequence(7s)");
  EXPECT_EQ((sequence_backoff<0s, 0s>{}.cap()), 0s);
}

void is_ten_thousand_and_fifty(chosen_sequence const& b) {
  EXPECT_EQ(b.delay(0), 10ms);
  EXPECT_EQ(b.delay(1), 10ms);
  EXPECT_EQ(b.delay(2), 1s);
  for (std::uint32_t retry : {3U, 4U, 1000U, ~0U}) EXPECT_EQ(b.delay(retry), 50ms);
  EXPECT_EQ(b.cap(), 1s);
  EXPECT_EQ(b.describe(), "sequence(10ms,1s,50ms)");
}

TEST(SequenceBackoff, IsMadeFromValuesAndFromAnyRange) {
  is_ten_thousand_and_fifty(sequence_backoff{10ms, 1s, 50ms});
  is_ten_thousand_and_fifty(sequence_backoff{seconds_double{0.01}, 1s, 50ms});
  is_ten_thousand_and_fifty(sequence_backoff{10ms, 1000ms, 50ms});  // of one type: an initializer list
  is_ten_thousand_and_fifty(sequence_backoff({10ms, 1000ms, 50ms}));
  std::initializer_list<std::chrono::milliseconds> const list{10ms, 1s, 50ms};
  is_ten_thousand_and_fifty(sequence_backoff{list});
  std::vector<std::chrono::milliseconds> const vector{10ms, 1s, 50ms};
  is_ten_thousand_and_fifty(sequence_backoff{vector});
  is_ten_thousand_and_fifty(sequence_backoff{std::list<duration>{10ms, 1s, 50ms}});
  duration array[] = {10ms, 1s, 50ms};
  is_ten_thousand_and_fifty(sequence_backoff{array});
  is_ten_thousand_and_fifty(sequence_backoff{once{std::istringstream{"10 1000 50"}}});
}

TEST(SequenceBackoff, KeepsItsOwnDelays) {
  std::vector<duration> many;
  for (int i = 1; i <= 1000; ++i) many.emplace_back(i);
  sequence_backoff const b{many};
  many.assign(1000, 7h);
  for (std::uint32_t retry = 1; retry <= 1000; ++retry) ASSERT_EQ(b.delay(retry), duration{retry});
  EXPECT_EQ(b.delay(1001), 1000ns);
  EXPECT_EQ(b.cap(), 1000ns);
}

TEST(SequenceBackoff, IsCopiedMovedAndAssigned) {
  sequence_backoff b{10ms, 1s, 50ms};
  sequence_backoff const copy{b};
  is_ten_thousand_and_fifty(copy);
  sequence_backoff other{1s};
  other = b;
  is_ten_thousand_and_fifty(other);
  is_ten_thousand_and_fifty(b);
  other = sequence_backoff{2s};
  EXPECT_EQ(other.delay(5), 2s);
  auto& same = other;
  other = same;
  EXPECT_EQ(other.delay(5), 2s);
  sequence_backoff const moved{std::move(b)};
  is_ten_thousand_and_fifty(moved);
  EXPECT_EQ(b.delay(1), 0ns);  // NOLINT(bugprone-use-after-move): says what it says
  static_assert(std::is_nothrow_move_constructible_v<chosen_sequence>);
}

TEST(SequenceBackoff, IsAConstantExpression) {
  static_assert(sequence_backoff<1s, 3s>{}.delay(2) == 3s);
  static_assert(sequence_backoff{1s, 3s, 2s}.delay(2) == 3s && sequence_backoff{1s, 2s}.delay(~0U) == 2s);
}

TEST(SequenceBackoff, RefusesNoDelay) {
  EXPECT_REJECTED((sequence_backoff{std::vector<duration>{}}),
                  "anew::sequence_backoff: there must be at least one delay, but is none");
  EXPECT_REJECTED((sequence_backoff{std::initializer_list<duration>{}}),
                  "anew::sequence_backoff: there must be at least one delay, but is none");
}

TEST(SequenceBackoff, RefusesANegativeDelayAndSaysWhich) {
  EXPECT_REJECTED((sequence_backoff{-1ns}),
                  "anew::sequence_backoff: the delay before retry 1 must not be negative, but is -1ns");
  EXPECT_REJECTED((sequence_backoff{1s, 0ms, -5ms, -6ms}),
                  "anew::sequence_backoff: the delay before retry 3 must not be negative, but is -5ms");
  EXPECT_REJECTED((sequence_backoff{std::vector{1s, -2s}}),
                  "anew::sequence_backoff: the delay before retry 2 must not be negative, but is -2s");
  EXPECT_REJECTED((sequence_backoff{{1s, -2s}}),
                  "anew::sequence_backoff: the delay before retry 2 must not be negative, but is -2s");
  EXPECT_REJECTED((sequence_backoff{seconds_double{std::numeric_limits<double>::quiet_NaN()}}),
                  "anew::sequence_backoff: the delay before retry 1 must not be negative, but is "
                  "-9223372036854775808ns");
}

}  // namespace
}  // namespace backoff_sequence_test
