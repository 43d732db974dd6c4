// SPDX-License-Identifier: BSL-1.0
// The breakers beside ones that pack nothing: generations without end, and windows in a map.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/rate_breaker.hpp"
#include "anew/policies/gate/striped_rate_breaker.hpp"

#include "breaker_support.hpp"
#include "depth.hpp"
#include "names.hpp"

namespace {

using anew::breaker_state;
using support::bounded;
using support::totals;

constexpr time_point start{1000s};
constexpr failure broken{.kind = anew::error_kind::server};
constexpr failure callers_fault{.kind = anew::error_kind::client};

/// The ends of one generation, by eighths of a window.
struct naive_window {
  void add(bool failed, std::int64_t eighth) {
    newest_ = newest_ ? std::max(*newest_, eighth) : eighth;
    auto& [ended, failures] = ends_[eighth];
    ++ended;
    failures += failed ? 1 : 0;
    ends_.erase(ends_.begin(), ends_.upper_bound(*newest_ - 8));
  }
  [[nodiscard]] bool are_too_many(std::int64_t percent, std::int64_t volume) const {
    std::int64_t ended = 0;
    std::int64_t failed = 0;
    for (auto const& [eighth, ends] : ends_) {
      ended += ends.first;
      failed += ends.second;
    }
    return ended >= volume && 100 * failed >= percent * ended;
  }
  void clear() {
    ends_.clear();
    newest_.reset();
  }

 private:
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> ends_;
  std::optional<std::int64_t> newest_;
};

/// Both breakers: one opens upon failures in a row, the other, which has an eighth, by the rate in a window.
struct naive_breaker {
  struct settings {
    std::int64_t failures = 1;
    duration open_for{};
    std::int64_t probes = 1, percent = 0, volume = 0, eighth = 0;
  };
  explicit naive_breaker(settings const& s) : set_{s} {}

  std::optional<std::uint64_t> try_enter(time_point now) {
    if (state_ == breaker_state::closed) return generation_;
    if (state_ == breaker_state::open) {
      if (would_refuse(now)) return std::nullopt;
      change(breaker_state::half_open);
    }
    if (in_flight_ + succeeded_ >= set_.probes) return std::nullopt;
    return ++in_flight_, generation_;
  }
  void on_success(std::uint64_t pass, time_point now) {
    if (pass != generation_) return;
    if (state_ == breaker_state::closed) {
      row_ = 0;
      if (set_.eighth != 0) window_.add(false, support::interval_of(now, set_.eighth));
    } else {
      --in_flight_;
      if (++succeeded_ == set_.probes) change(breaker_state::closed);
    }
  }
  void on_failure(std::uint64_t pass, failure const& what, time_point now) {
    if (what.kind == anew::error_kind::client) return release(pass);
    if (pass != generation_) return;
    if (state_ == breaker_state::closed) {
      if (set_.eighth != 0) {
        window_.add(true, support::interval_of(now, set_.eighth));
        if (!window_.are_too_many(set_.percent, set_.volume)) return;
      } else if (++row_ < set_.failures) {
        return;
      }
    }
    change(breaker_state::open);
    until_ = now.time_since_epoch().count();
    until_ += set_.open_for.count();
  }
  void release(std::uint64_t pass) {
    if (pass == generation_ && state_ == breaker_state::half_open) --in_flight_;
  }
  /// Milliseconds, rounded up, and no further than 278 years from the epoch.
  [[nodiscard]] bool would_refuse(time_point now) const {
    if (state_ != breaker_state::open) return false;
    constexpr auto last = (std::int64_t{1} << 43) - 1;
    constexpr auto nanoseconds = std::numeric_limits<std::int64_t>::max();
    auto const capped = std::min<wide>(until_, nanoseconds);
    auto const up = capped / 1'000'000 + (capped % 1'000'000 > 0 ? 1 : 0);
    return now.time_since_epoch().count() < std::clamp<wide>(up, -last, last) * 1'000'000;
  }
  [[nodiscard]] breaker_state state() const { return state_; }
  [[nodiscard]] std::uint64_t generation() const { return generation_; }

 private:
  __extension__ using wide = __int128;

  void change(breaker_state to) {
    state_ = to;
    ++generation_;
    in_flight_ = succeeded_ = row_ = 0;
    window_.clear();
  }

  settings set_;
  breaker_state state_ = breaker_state::closed;
  std::uint64_t generation_ = 0;
  std::int64_t row_ = 0, in_flight_ = 0, succeeded_ = 0;
  wide until_ = 0;
  naive_window window_;
};

template <class Breaker>
void agree(Breaker const& breaker, naive_breaker naive, duration unit, std::uint64_t seed, totals& all) {
  support::deep_time time{seed, unit.count(), 7 * unit.count()};
  support::here.seed = seed;
  std::vector<std::pair<typename Breaker::pass_type, std::uint64_t>> passes;
  std::uint64_t luck = 50;  // of a hundred attempts
  for (int i = 0; i < 20'000 && !time.is_over(); ++i, ++all.operations) {
    auto const now = time.next();
    auto const roll = time.roll();
    if (roll % 256 == 0) luck = time.roll() % 101;
    if (roll % 16 == 1) {
      auto const then = time_point{anew::detail::saturating_add(now.time_since_epoch(), duration{time.any_pause()})};
      auto const answer = bounded("would_refuse", now, [&] { return breaker.would_refuse(then); });
      ASSERT_EQ(answer, naive.would_refuse(then)) << support::told();
    }
    auto const answer = bounded("try_enter", now, [&] { return breaker.try_enter(now); });
    auto const expected = naive.try_enter(now);
    ASSERT_EQ(answer.pass.has_value(), expected.has_value()) << support::told();
    if (answer.pass) passes.emplace_back(*answer.pass, *expected);
    while (!passes.empty() && (passes.size() > 30 || time.roll() % 4 != 0)) {
      if (time.roll() % 8 == 0) std::swap(passes.back(), passes[time.roll() % passes.size()]);  // a long flight ends
      auto const [pass, generation] = passes.back();
      passes.pop_back();
      auto const end = time.roll();
      if (end % 16 == 0) {
        bounded("release", now, [&] { breaker.release(pass); });
        naive.release(generation);
      } else if (end % 100 < luck) {
        bounded("on_success", now, [&] { breaker.on_success(pass, now); });
        naive.on_success(generation, now);
      } else {
        auto const& what = end % 16 == 1 ? callers_fault : broken;
        bounded("on_failure", now, [&] { breaker.on_failure(pass, what, now); });
        naive.on_failure(generation, what, now);
      }
    }
    ASSERT_EQ(support::state_of(breaker), naive.state()) << support::told();
  }
  all.grants += naive.generation();
  all.add(time);
}

TEST(BreakersInDepth, ARowOfFailuresIsCountedAsByHand) {
  totals all;
  for (std::uint64_t seed = 0; seed < 40 && !HasFatalFailure(); ++seed) {
    agree(anew::circuit_breaker<>{}, naive_breaker{{.failures = 5, .open_for = 30s}}, 3s, seed, all);
    agree(anew::circuit_breaker<1, 1ns, 3>{}, naive_breaker{{.failures = 1, .open_for = 1ns, .probes = 3}}, 1ms, seed,
          all);
    agree(anew::circuit_breaker{2, duration::max(), 1}, naive_breaker{{.failures = 2, .open_for = duration::max()}},
          24h, seed, all);
  }
  all.report(1'500'000);
}

TEST(BreakersInDepth, ARateIsThatOfAMap) {
  totals all;
  for (std::uint64_t seed = 0; seed < 80 && !HasFatalFailure(); ++seed) {
    agree(anew::rate_breaker<50, 8s, 4, 2s>{},
          naive_breaker{{.open_for = 2s, .percent = 50, .volume = 4, .eighth = 1'000'000'000}}, 1s, seed, all);
    // The shortest window, whose periods are the largest numbers, and one that is no multiple of eight.
    agree(anew::rate_breaker<60, 250ms, 3, 1us, 2>{},
          naive_breaker{{.open_for = 1us, .probes = 2, .percent = 60, .volume = 3, .eighth = 31'250'000}}, 31'250us,
          seed, all);
    agree(anew::striped<anew::rate_breaker<50, 8s, 4, 2s>, 2>{},
          naive_breaker{{.open_for = 2s, .percent = 50, .volume = 4, .eighth = 1'000'000'000}}, 1s, seed + 1000, all);
    agree(anew::rate_breaker{10, 312'345'677ns, 10, 1s},
          naive_breaker{{.open_for = 1s, .percent = 10, .volume = 10, .eighth = 39'043'210}}, 39'043'210ns, seed, all);
  }
  all.report(1'500'000);
}

// Two failures, a pause after which a period of some bits would be the same again, and a third.
TEST(BreakersInDepth, APeriodDoesNotComeBackWithinAYear) {
  for (std::int64_t periods = 8; periods * 31'250'000 <= support::a_year; periods *= 2) {
    anew::rate_breaker<50, 250ms, 3, 1s> const breaker;
    auto const fail = [&](time_point now) { breaker.on_failure(*breaker.try_enter(now).pass, broken, now); };
    fail(start);
    fail(start);
    fail(start + periods * 31'250us);
    ASSERT_EQ(breaker.state(), breaker_state::closed) << periods;
    // Nor is what lies behind taken for what is ahead.
    fail(start + (periods + 1) * 31'250us);
    fail(start + (periods + 1) * 31'250us);
    ASSERT_EQ(breaker.state(), breaker_state::open) << periods;
  }
}

/// Opens and closes it so many times, three changes each.
time_point flap(auto const& breaker, std::uint64_t times, unsigned failures, time_point now) {
  for (std::uint64_t i = 0; i < times; ++i) {
    for (unsigned n = 0; n < failures; ++n) breaker.on_failure(*breaker.try_enter(now).pass, broken, now);
    EXPECT_EQ(breaker.state(), breaker_state::open);
    now += 1ms;
    breaker.on_success(*breaker.try_enter(now).pass, now);
  }
  return now;
}

// A generation has 18 bits.
TEST(BreakersInDepth, AnAttemptMayBeUnderWayForManyChanges) {
  for (unsigned bits = 0; bits < 18; ++bits) {
    anew::circuit_breaker<1, 1ns> const breaker;
    auto const old = *breaker.try_enter(start).pass;
    auto const now = flap(breaker, std::uint64_t{1} << bits, 1, start);
    breaker.on_failure(old, broken, now);
    ASSERT_EQ(breaker.state(), breaker_state::closed) << bits;
  }
}

// Of the owner of a slot there are 10 bits, for the changes within one window.
TEST(BreakersInDepth, ASlotIsOfOneGeneration) {
  for (unsigned bits = 0; bits < 10; ++bits) {
    anew::rate_breaker<50, 60s, 2, 1ns> const breaker;
    breaker.on_failure(*breaker.try_enter(start).pass, broken, start);
    auto const now = flap(breaker, std::uint64_t{1} << bits, 2, start + 10s);
    breaker.on_failure(*breaker.try_enter(now).pass, broken, now);
    ASSERT_EQ(breaker.state(), breaker_state::closed) << bits;
  }
}

// Successes and failures have 24 bits each; beyond these all counts are halved.
void counts_so_many_ends(anew::rate_breaker<50, 8s, 20, 30s> const& breaker, unsigned more) {
  auto const pass = *breaker.try_enter(start).pass;
  for (int i = 0; i < 16'777'215; ++i) breaker.on_success(pass, start);
  for (int i = 0; i < 16'777'214; ++i) breaker.on_failure(pass, broken, start);
  EXPECT_FALSE(breaker.would_refuse(start));
  for (unsigned i = 0; i != more; ++i)
    breaker.on_success(pass, start);  // the first one halves: 8,388,608 and 8,388,607
  for (unsigned i = 1; i < more; ++i) breaker.on_failure(pass, broken, start);
  EXPECT_FALSE(breaker.would_refuse(start));
  breaker.on_failure(pass, broken, start);
  EXPECT_TRUE(breaker.would_refuse(start));
}

TEST(BreakersInDepth, AnEighthCountsSoManyEnds) {
  counts_so_many_ends({}, 0);
  counts_so_many_ends({}, 5);
}

// Probes have 22 bits, in flight and successful ones.
TEST(BreakersInDepth, AsManyProbesAsThereMayBe) {
  anew::circuit_breaker const breaker{1, 1s, anew::detail::breaker_word::most_probes};
  EXPECT_EQ(anew::detail::breaker_word::most_probes, 4'194'303U);
  breaker.on_failure(*breaker.try_enter(start).pass, broken, start);
  auto const pass = *breaker.try_enter(start + 1s).pass;
  for (std::uint32_t i = 1; i < 4'194'303; ++i) ASSERT_TRUE(breaker.try_enter(start + 1s).pass) << i;
  ASSERT_FALSE(breaker.try_enter(start + 1s).pass);
  for (std::uint32_t i = 1; i < 4'194'303; ++i) breaker.on_success(pass, start + 1s);
  EXPECT_EQ(breaker.state(), breaker_state::half_open);
  ASSERT_FALSE(breaker.try_enter(start + 1s).pass);
  breaker.on_success(pass, start + 1s);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
}

// Failures in a row have 32 of the 44 bits.
TEST(BreakersInDepth, ALongRowOfFailures) {
  anew::circuit_breaker const breaker{20'000'000, 1s};
  auto const pass = *breaker.try_enter(start).pass;
  for (int i = 1; i < 20'000'000; ++i) breaker.on_failure(pass, broken, start);
  EXPECT_EQ(breaker.state(), breaker_state::closed);
  breaker.on_failure(pass, broken, start);
  EXPECT_EQ(breaker.state(), breaker_state::open);
}

}  // namespace
