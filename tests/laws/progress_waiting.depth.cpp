// SPDX-License-Identifier: BSL-1.0
// Those who wait, for a cool-down and for a rate limiter, beside models that keep each of them in a list: from a year of
// idle time to bursts, from any time of 64 bits on. Nobody is told to wait less than nothing or longer than is documented,
// and after the load everybody gets in.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"

#include "depth.hpp"
#include "names.hpp"

namespace {

using anew::when_cooling;
using support::bounded;

__extension__ using wide = __int128;

constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();
std::int64_t ticks_of(time_point t) { return t.time_since_epoch().count(); }
time_point at(wide ticks) { return time_point{duration{static_cast<std::int64_t>(std::min<wide>(ticks, latest))}}; }

/// The documents of cool_down, by numbers that never wrap. Where the gate may choose, it says what is allowed.
struct naive_cool_down {
  naive_cool_down(duration base, duration cap, std::int64_t ignored) : base_{base}, cap_{cap}, ignored_{ignored} {}

  /// An attempt counts by what was known when it began.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  [[nodiscard]] std::int64_t failures() const { return failures_; }
  [[nodiscard]] bool is_over(time_point now) const { return !cools_ || ticks_of(now) >= until_; }
  /// The longest wait of an attempt that asks at that time: until the end, and then as long as since the end or the
  /// beginning, but 1/64 of the pause at least, and an eighth more, of the pause at least.
  [[nodiscard]] wide longest_wait(time_point now) const {
    wide const time = ticks_of(now);
    wide const pause = until_ - began_;
    wide const behind = time >= until_ ? time - until_ : time - began_;
    return std::max(until_ - time, wide{0}) + std::max(behind, pause / 64 + 1) + std::max(behind, pause) / 8 + 1;
  }

  /// The first attempt that begins after a pause and after a success since may make the gate forget the pause.
  void on_begin(bool is_new, time_point until) {
    if (!cools_ || until != time_point::min()) return expect_until(until);
    ASSERT_TRUE(is_new && failures_ == 0) << support::told();
    cools_ = false;
  }
  void on_failure(std::uint64_t known, failure const& what, time_point now, time_point until) {
    if (what.kind == error_kind::client) return expect_until(until);
    wide least = 0;
    wide most = 0;
    if (known == changes_) {
      ++changes_;
      failures_ = std::min<std::int64_t>(failures_ + 1, 1023);
      if (failures_ > ignored_) {
        auto const doublings = std::min<std::int64_t>(failures_ - ignored_ - 1, 63);
        most = std::min(wide{base_.count()} << doublings, wide{cap_.count()});
        least = most - most / 2;
      }
    }
    if (what.hint) {
      auto const hint = std::min(wide{what.hint->count()}, wide{cap_.count()});
      least = std::max(least, hint);
      most = std::max(most, hint);
    }
    if (most == 0) return expect_until(until);
    auto const end = wide{ticks_of(now)};
    auto const before = cools_ ? until_ : wide{std::numeric_limits<std::int64_t>::min()};
    ASSERT_GE(ticks_of(until), std::min(std::max(before, end + least), wide{latest})) << support::told();
    ASSERT_LE(ticks_of(until), std::min(std::max(before, end + most), wide{latest})) << support::told();
    if (ticks_of(until) > before || !cools_) began_ = end;
    cools_ = true;
    until_ = ticks_of(until);
  }
  /// A success ends the row. Whether somebody still waits only the gate knows: those who wait are not written down.
  void on_success(std::uint64_t known, std::int64_t failures_now, time_point until) {
    expect_until(until);
    if (known == changes_ && failures_ != 0) {
      ++changes_;
      failures_ = 0;
    }
    ASSERT_EQ(failures_now, failures_) << support::told();
  }

 private:
  void expect_until(time_point until) const {
    if (cools_) {
      ASSERT_EQ(ticks_of(until), until_) << support::told();
    }
  }
  duration base_;
  duration cap_;
  std::int64_t ignored_;
  std::uint64_t changes_ = 0;
  std::int64_t failures_ = 0;
  bool cools_ = false;
  wide began_ = 0;
  wide until_ = 0;
};

struct totals {
  std::uint64_t operations = 0, pauses = 0, waited = 0, refused = 0, came_back = 0;
  void report(std::uint64_t least_refused) const {
    std::printf("%lu operations, %lu pauses, %lu waits, %lu refused, %lu came back, at most %u steps\n", operations,
                pauses, waited, refused, came_back, support::most_steps_seen);
    EXPECT_GT(operations, 1'000'000U);
    EXPECT_GT(pauses, 100'000U);
    EXPECT_GT(waited, 10'000U);
    EXPECT_GT(refused, least_refused);
    EXPECT_GT(came_back, 1'000U);
  }
};

/// An attempt between two questions.
struct waiter {
  time_point since = time_point::min();
  time_point turn = time_point::min();
};

template <class Gate>
void cools_as_documented(Gate const& gate, naive_cool_down naive, duration unit, std::optional<duration> longest_wait,
                         bool refuses, std::uint64_t seed, totals& all) {
  support::deep_time time{seed, unit.count(), 3 * unit.count()};
  support::here.seed = seed;
  anew::generator dice{seed, 41};
  struct flight {
    typename Gate::pass_type pass;
    std::uint64_t known;
  };
  std::vector<flight> flights;
  std::vector<waiter> waiting;
  std::uint64_t luck = 50;
  for (int i = 0; i < 20'000 && !time.is_over(); ++i) {
    auto const now = time.next();
    auto const roll = time.roll();
    if (roll % 256 == 0) luck = time.roll() % 101;
    // Somebody new, or one of those who wait: mostly one whose turn it is.
    waiter one;
    bool const is_new = waiting.empty() || (roll >> 8U) % 4 == 0;
    if (!is_new) {
      std::swap(waiting.back(), waiting[(roll >> 16U) % waiting.size()]);
      one = waiting.back();
      if (now < one.turn && (roll >> 32U) % 8 != 0) continue;
      waiting.pop_back();
    }
    auto const answer =
        bounded("try_enter", now, [&] { return gate.try_enter(now, one.since, anew::thread_random{}); });
    ++all.operations;
    if (answer.pass) {
      ASSERT_TRUE(naive.is_over(now)) << support::told();
      all.came_back += is_new ? 0U : 1U;
      naive.on_begin(is_new, gate.cooling_until());
      flights.push_back({*answer.pass, naive.changes()});
    } else {
      ASSERT_FALSE(is_new && naive.is_over(now)) << support::told();
      if (answer.wait == duration::zero()) {
        ++all.refused;
        ASSERT_TRUE(refuses || longest_wait) << support::told();
        // It would have had to wait longer than it may.
        if (longest_wait) {
          ASSERT_GT(wide{ticks_of(now)} - ticks_of(one.since) + naive.longest_wait(now), longest_wait->count())
              << support::told();
        }
      } else {
        ++all.waited;
        ASSERT_FALSE(refuses) << support::told();
        ASSERT_GE(answer.wait, 1ns) << support::told();
        ASSERT_LE(answer.wait.count(), naive.longest_wait(now)) << support::told();
        if (longest_wait) {
          ASSERT_LE(wide{ticks_of(now)} - ticks_of(one.since) + answer.wait.count(), longest_wait->count())
              << support::told();
        }
        one.turn = at(wide{ticks_of(now)} + answer.wait.count());
        if (waiting.size() < 50) waiting.push_back(one);
      }
    }
    while (!flights.empty() && (flights.size() > 30 || time.roll() % 4 != 0)) {
      if (time.roll() % 8 == 0) std::swap(flights.back(), flights[time.roll() % flights.size()]);  // a long flight ends
      auto const [pass, known] = flights.back();
      flights.pop_back();
      auto const end = time.roll();
      ++all.operations;
      if (end % 16 == 0) {
        bounded("release", now, [&] { gate.release(pass); });
      } else if (end % 100 < luck) {
        bounded("on_success", now, [&] { gate.on_success(pass, now); });
        naive.on_success(known, gate.failures(), gate.cooling_until());
      } else {
        failure what{.kind = end % 16 == 1 ? error_kind::client : error_kind::server};
        if (end % 16 == 2) what.hint = duration{time.any_pause()};
        bounded("on_failure", now, [&] { gate.on_failure(pass, what, now, dice); });
        naive.on_failure(known, what, now, gate.cooling_until());
        ASSERT_EQ(gate.failures(), naive.failures()) << support::told();
      }
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  all.pauses += time.pauses();
}

TEST(WaitingInDepth, ACoolDownIsAsDocumented) {
  totals all;
  for (std::uint64_t seed = 0; seed < 40 && !HasFatalFailure(); ++seed) {
    cools_as_documented(anew::cool_down<>{}, {1s, 60s, 0}, 3s, {}, false, seed, all);
    cools_as_documented(anew::cool_down<anew::exponential_backoff<1ms, 60s>, when_cooling::wait, 3, 5s>{},
                        {1ms, 60s, 3}, 1s, duration{5s}, false, seed, all);
    cools_as_documented(anew::cool_down<anew::exponential_backoff<1ns, 1s>, when_cooling::refuse>{}, {1ns, 1s, 0}, 1ms,
                        {}, true, seed, all);
    cools_as_documented(anew::cool_down{anew::exponential_backoff{24h, duration::max()}, 1000, 8760h},
                        {24h, duration::max(), 1000}, 24h, duration{8760h}, false, seed, all);
    cools_as_documented(anew::cool_down{anew::exponential_backoff{1h, 24000h}}, {1h, 24000h, 0}, 6h, {}, false, seed,
                        all);
  }
  all.report(10'000);
}

/// Who waits asks when it is told to. `ask(who, now)` returns how long it waits, and nothing when it is in or refused.
/// Returns when the last was told so.
wide everybody_gets_in(std::vector<std::pair<time_point, std::size_t>> turns, auto const& ask) {
  auto const later = [](auto const& one, auto const& other) { return one.first > other.first; };
  std::make_heap(turns.begin(), turns.end(), later);
  wide last = 0;
  for (std::uint64_t questions = 0; !turns.empty(); ++questions) {
    std::pop_heap(turns.begin(), turns.end(), later);
    auto const [now, who] = turns.back();
    last = ticks_of(now);
    if (std::optional<duration> const wait = ask(who, now)) {
      if (*wait < 1ns || now == time_point::max()) return -1;
      turns.back().first = at(last + wait->count());
      std::push_heap(turns.begin(), turns.end(), later);
    } else {
      turns.pop_back();
    }
  }
  return last;
}

// N attempts, all that there are, after a pause: back within 4 + 12*sqrt(N) pauses.
TEST(WaitingInDepth, ACoolDownStrandsNobody) {
  double worst = 0;
  std::uint64_t questions = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    support::here.seed = seed;
    anew::generator dice{seed, 42};
    auto const longest = duration{std::int64_t{1'000} << (dice() % 36)};  // up to nine hours
    auto const count = std::size_t{1} << (dice() % 11);
    time_point const start{duration{static_cast<std::int64_t>(dice()) / 2}};
    anew::cool_down const gate{anew::exponential_backoff{longest, longest}, 0};
    gate.on_failure(*gate.try_enter(start).pass, failure{}, start, dice);
    auto const pause = gate.cooling_until() - start;
    std::vector<waiter> waiting(count);
    std::vector<std::pair<time_point, std::size_t>> turns;
    auto const spread = std::uint64_t{1} << (dice() % 46);
    for (std::size_t i = 0; i < count; ++i) {
      turns.emplace_back(start + duration{static_cast<std::int64_t>(dice() % spread) % pause.count()}, i);
    }
    auto const last = everybody_gets_in(turns, [&](std::size_t who, time_point now) -> std::optional<duration> {
      ++questions;
      auto const answer =
          bounded("try_enter", now, [&] { return gate.try_enter(now, waiting[who].since, anew::thread_random{}); });
      if (!answer.pass) return answer.wait;
      bounded("on_success", now, [&] { gate.on_success(*answer.pass, now); });
      return {};
    });
    auto const pauses = static_cast<double>(last - ticks_of(start)) / static_cast<double>(pause.count());
    auto const most = 4 + 12 * std::sqrt(static_cast<double>(count));
    worst = std::max(worst, pauses / most);
    ASSERT_LE(pauses, most) << count << " attempts, seed " << seed;
  }
  std::printf("%lu questions, at most %.2f of the documented time\n", questions, worst);
}

constexpr failure throttled{.kind = error_kind::throttling};

/// Who waits for a limiter, by name, and the documents: a wait of at most a token at the least rate, a queue of at most so
/// many, a whole wait of at most so long.
template <class Limiter>
void limits_as_documented(Limiter const& limiter, duration unit, std::uint64_t seed, totals& all) {
  support::deep_time time{seed, unit.count(), 3 * unit.count()};
  support::here.seed = seed;
  auto const c = limiter.constants();
  auto const longest = anew::detail::longest_sleep(c).count() + wide{1};
  struct place {
    waiter who;
    typename Limiter::ticket_type ticket{};
  };
  std::vector<place> waiting;
  std::uint64_t luck = 90;
  for (int i = 0; i < 20'000 && !time.is_over(); ++i, ++all.operations) {
    auto const now = time.next();
    auto const roll = time.roll();
    if (roll % 256 == 0) luck = time.roll() % 101;
    switch (roll % 8) {
      case 0:
        bounded("on_failure", now, [&] { limiter.on_failure(roll / 8 % 100 < luck ? failure{} : throttled, now); });
        break;
      case 1:
      case 2: bounded("on_success", now, [&] { limiter.on_success(now); }); break;
      case 3:
        if (waiting.empty()) break;
        std::swap(waiting.back(), waiting[(roll >> 8U) % waiting.size()]);
        bounded("release", now, [&] { limiter.release(waiting.back().ticket); });
        waiting.pop_back();
        break;
      default: {
        place one;
        bool const is_new = waiting.empty() || roll % 8 == 4;
        if (!is_new) {
          std::swap(waiting.back(), waiting[(roll >> 8U) % waiting.size()]);
          one = waiting.back();
          if (now < one.who.turn && (roll >> 32U) % 8 != 0) break;
          waiting.pop_back();
        } else {
          one.who.since = now;
        }
        auto const answer = bounded("ask", now, [&] { return limiter.ask(one.ticket, now); });
        ASSERT_GE(answer.wait, 0ns) << support::told();
        if (answer.refused) {
          ++all.refused;
          ASSERT_TRUE(std::isfinite(c.longest_queue) || std::isfinite(c.longest_wait)) << support::told();
        } else if (answer.wait != 0ns) {
          ++all.waited;
          ASSERT_TRUE(limiter.is_enabled()) << support::told();
          ASSERT_LE(answer.wait.count(), longest) << support::told();
          auto const in_all = wide{ticks_of(now)} - ticks_of(one.who.since) + answer.wait.count();
          ASSERT_LE(static_cast<double>(in_all) / 1e9, c.longest_wait + 1e-9) << support::told();
          one.who.turn = at(wide{ticks_of(now)} + answer.wait.count());
          waiting.push_back(one);
          ASSERT_LE(static_cast<double>(waiting.size()), c.longest_queue) << support::told();
        } else {
          all.came_back += is_new ? 0U : 1U;
        }
        ASSERT_EQ(one.ticket == typename Limiter::ticket_type{}, answer.refused || answer.wait == 0ns)
            << support::told();
      }
    }
    ASSERT_EQ(limiter.waiting(), waiting.size()) << support::told();
    ASSERT_GE(limiter.capacity(), 0) << support::told();
    ASSERT_LE(limiter.capacity(), limiter.max_capacity()) << support::told();
    if (limiter.is_enabled()) {
      ASSERT_GE(limiter.fill_rate(), c.min_fill_rate) << support::told();
    }
  }
  all.pauses += time.pauses();
  // The load is over. Nobody responds: the rate is what it is, at least the least.
  auto const now = time.newest();
  if (now > time_point{duration{latest / 2}} || waiting.empty()) return;
  auto const count = static_cast<double>(waiting.size());
  std::vector<std::pair<time_point, std::size_t>> turns;
  for (std::size_t i = 0; i < waiting.size(); ++i) turns.emplace_back(std::max(now, waiting[i].who.turn), i);
  auto const last = everybody_gets_in(turns, [&](std::size_t who, time_point then) -> std::optional<duration> {
    auto const answer = bounded("ask", then, [&] { return limiter.ask(waiting[who].ticket, then); });
    if (!answer.refused && answer.wait != 0ns) return answer.wait;
    return {};
  });
  ASSERT_GE(last, ticks_of(now)) << support::told();
  auto const within = (count + 1) / limiter.fill_rate() + 2 / c.min_fill_rate;
  ASSERT_LE(static_cast<double>(last - ticks_of(now)) / 1e9, within) << support::told() << ", " << count << " waited";
  ASSERT_EQ(limiter.waiting(), 0U) << support::told();
}

TEST(WaitingInDepth, ARateLimiterIsAsDocumented) {
  totals all;
  constexpr anew::rate_limiter_constants short_queue{.longest_queue = 3};
  constexpr anew::rate_limiter_constants short_wait{.longest_wait = 1.5};
  for (std::uint64_t seed = 0; seed < 40 && !HasFatalFailure(); ++seed) {
    for (auto const unit : {duration{1ms}, duration{300ms}, duration{1h}}) {
      if (HasFatalFailure()) return;
      limits_as_documented(anew::client_rate_limiter<>{}, unit, seed, all);
      limits_as_documented(anew::client_rate_limiter<anew::when_limited::wait, short_queue>{}, unit, seed, all);
      limits_as_documented(anew::client_rate_limiter<anew::when_limited::wait, short_wait>{}, unit, seed, all);
      limits_as_documented(anew::client_rate_limiter{anew::rate_limiter_constants{
                               .beta = 0.01, .scale = 1e-3, .min_fill_rate = 1e-4, .min_capacity = 10}},
                           unit, seed, all);
    }
  }
  all.report(1'000);
}

}  // namespace
