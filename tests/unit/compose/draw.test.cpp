// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>

#include <gtest/gtest.h>

#include "anew/compose/internal/draw.hpp"
#include "anew/concept/roles.hpp"
#include "anew/random_source/thread_random.hpp"
#include "anew/value/failure.hpp"

namespace compose_draw_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::error_kind;

/// A jitter that remembers: it passes the first delay of the call on, which is its lower bound.
struct shows_the_first {
  using role = anew::roles::jitter;
  struct state_type {
    int asked = 0;
  };
  template <class Random>
  static constexpr duration apply(anew::delay_bounds const& bounds, state_type& state, Random& /*random*/) {
    ++state.asked;
    return bounds.first;
  }
};

template <class Backoff>
duration first_of(Backoff const& backoff, anew::call_progress const& progress) {
  shows_the_first::state_type state;
  anew::thread_random random;
  return anew::detail::draw(backoff, shows_the_first{}, state, progress.attempts, progress, random);
}

struct grows {
  using role = anew::roles::backoff;
  static constexpr duration delay(std::uint32_t retry) { return retry * 10ms; }
};
struct begins_at_once {
  using role = anew::roles::backoff;
  static constexpr duration delay(std::uint32_t retry) { return (retry - 1) * 10ms; }
};

/// By how often the last kind of error has happened, and how many attempts there were.
struct counts_kinds {
  using role = anew::roles::backoff;
  static duration delay(anew::call_progress const& progress) {
    return progress.attempts * 100ms + progress.counts.of(progress.kind) * 1ms;
  }
};
struct counts_kinds_from_zero {
  using role = anew::roles::backoff;
  static duration delay(anew::call_progress const& progress) {
    return progress.attempts == 1 ? 0ms : counts_kinds::delay(progress);
  }
};

TEST(Draw, TheFirstDelayIsThatOfTheFirstRetry) { EXPECT_EQ(first_of(grows{}, {5, error_kind::transient, {}}), 10ms); }

TEST(Draw, ThatOfTheSecondWhereTheFirstIsZeroForNothingGrowsFromZero) {
  EXPECT_EQ(first_of(begins_at_once{}, {5, error_kind::transient, {}}), 10ms);
}

TEST(Draw, TheFirstDelayByKindIsThatOfOneFailureOfThisKind) {
  EXPECT_EQ(first_of(counts_kinds{}, {7, error_kind::throttling, {}}), 101ms);
  EXPECT_EQ(first_of(counts_kinds_from_zero{}, {7, error_kind::throttling, {}}), 202ms);
}

TEST(Draw, ACallThatFailedInOneWayHasFailedInNoOther) {
  auto const progress = anew::detail::progress_after(3, error_kind::timeout);
  EXPECT_EQ(progress.attempts, 3U);
  EXPECT_EQ(progress.kind, error_kind::timeout);
  EXPECT_EQ(progress.counts.of(error_kind::timeout), 3U);
  EXPECT_EQ(progress.counts.of(error_kind::transient), 0U);
}

}  // namespace
}  // namespace compose_draw_test
