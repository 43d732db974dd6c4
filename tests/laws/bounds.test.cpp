// SPDX-License-Identifier: BSL-1.0
// What bounds() says of a strategy, beside calls of an adversary: extreme random words, all kinds of errors, hints of any
// length, attempts of no time and of half a second, early successes. No call exceeds a bound; where a bound is exact,
// one call comes within 1 % of it; an exact mean is within 1 % of that of many calls.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "anew/aws.hpp"
#include "anew/bounds.hpp"
#include "anew/policies.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/text/read_strategy.hpp"

#include "examples.hpp"
#include "length.hpp"
#include "support/presets.hpp"

namespace {

using namespace anew;
using namespace std::chrono_literals;

enum class words_of { any, extremes, ones, zeros };

/// Stateless, so that a strategy that is made from its type alone is attacked too.
struct adversary {
  using role = roles::random_source;
  static inline std::mt19937_64 engine{42};  // NOLINT(*-msc51-cpp): the same calls each time
  static inline words_of words = words_of::any;

  std::uint64_t operator()() const {
    constexpr auto ones = ~std::uint64_t{0};
    if (words == words_of::ones) return ones;
    if (words == words_of::zeros) return 0;
    auto const word = engine();
    if (words == words_of::any || word % 4 > 1) return engine();
    return word % 4 == 0 ? 0 : ones;
  }
};

/// One strategy, whatever its type: the next wait of a call, or why there is none.
struct subject {
  virtual ~subject() = default;
  virtual void begin(time_point now) = 0;
  /// The wait before the next attempt; a stop reason where there is none.
  virtual std::optional<duration> after(failure const& f, time_point now, stop_reason& why) = 0;
  strategy_bounds promised;
  std::string name;
};

template <class Strategy>
struct subject_of final : public subject {
  subject_of(std::string text, Strategy strategy, strategy_bounds const& bounds) : strategy_{std::move(strategy)} {
    name = std::move(text);
    promised = bounds;
  }
  void begin(time_point now) override { token_.emplace(strategy_.acquire_initial_token(now)); }
  std::optional<duration> after(failure const& f, time_point now, stop_reason& why) override {
    auto next = strategy_.refresh_retry_token(*std::exchange(token_, std::nullopt), f, now);
    if (!next) {
      why = next.error();
      return std::nullopt;
    }
    token_.emplace(*std::move(next));
    return token_->delay();
  }

 private:
  Strategy strategy_;
  std::optional<decltype(std::declval<Strategy&>().acquire_initial_token(time_point{}))> token_;
};

struct seen {
  duration own{}, wait{}, own_sum{}, sum{};
  duration least = duration::max();
  std::uint64_t attempts = 0;
  double mean = 0;  // in seconds
};

double seconds(duration d) { return std::chrono::duration<double>{d}.count(); }

/// `for_mean`: uniform draws, transient errors, no hints, no success.
void call(subject& s, int number, bool for_mean, seen& all) {
  constexpr duration asked[] = {0s, 1ms, 100ms, 1s, 5s, 10s, 20s, 60s, 120s, 300s, 3600s, duration::max()};
  constexpr words_of by_number[] = {words_of::ones,     words_of::ones,     words_of::ones, words_of::zeros,
                                    words_of::extremes, words_of::extremes, words_of::any,  words_of::any};
  auto& engine = adversary::engine;
  adversary::words = for_mean ? words_of::any : by_number[number % 8];
  bool const has_hints = !for_mean && number % 2 == 0;
  bool const one_hint = (number / 2) % 4 == 0;
  int const style = for_mean ? 0 : (number / 8) % 4;
  auto const hint = engine() % std::size(asked);
  auto now = time_point{} + number * 1000s;  // a bucket of the call before is full again
  duration own{};
  duration sum{};
  std::uint64_t attempts = 1;
  s.begin(now);
  while (attempts != 3000) {
    if (number % 3 == 0) now += duration{static_cast<std::int64_t>(engine() % 500'000'000)};
    failure f{};
    f.safety = retry_safety::yes;
    f.kind = style == 0      ? error_kind::transient
             : style == 1    ? error_kind::throttling
             : style == 2    ? static_cast<error_kind>(engine() % 5)
             : attempts <= 2 ? error_kind::transient
                             : error_kind::throttling;
    if (has_hints && (one_hint || engine() % 3 != 0)) f.hint = asked[one_hint ? hint : engine() % std::size(asked)];
    stop_reason why{};
    auto const wait = s.after(f, now, why);
    if (!wait) {
      if (why == stop_reason::attempts) all.least = std::min(all.least, sum);
      break;
    }
    sum = detail::saturating_add(sum, *wait);
    all.wait = std::max(all.wait, *wait);
    if (!has_hints) {
      own += *wait;
      all.own = std::max(all.own, *wait);
    }
    now += *wait;
    ++attempts;
    if (!for_mean && number % 5 == 0 && engine() % 64 == 0) break;  // a success
  }
  if (!has_hints) all.own_sum = std::max(all.own_sum, own);
  all.sum = std::max(all.sum, sum);
  all.attempts = std::max(all.attempts, attempts);
  all.mean += seconds(sum);
}

struct tally {
  int strategies = 0, checks = 0, exact = 0;
};

void check(subject& s, tally& count) {
  SCOPED_TRACE(s.name);
  auto const& b = s.promised;
  // Only one order in thousands makes all attempts of each kind.
  int const orders = s.name.find("max_attempts_by_kind") == std::string::npos ? 1 : 10;
  int const calls = orders * support::length_of(b.attempts.value > 40 ? 2'000 : 10'000);
  adversary::engine.seed(42);
  seen all;
  for (int number = 0; number != calls; ++number) call(s, number, false, all);
  auto const expect = [&](char const* what, auto const& bound, auto seen_most) {
    SCOPED_TRACE(what);
    ++count.checks;
    if (bound.is_known()) {
      EXPECT_LE(seen_most, bound.value);
    }
    if (bound.how != certainty::exact) return;
    ++count.exact;
    EXPECT_GE(seen_most, bound.value - bound.value / 100);
  };
  expect("own_wait", b.own_wait, all.own);
  expect("wait", b.wait, all.wait);
  expect("own_waiting", b.own_waiting, all.own_sum);
  expect("waiting", b.waiting, all.sum);
  expect("attempts", b.attempts, all.attempts);
  ++count.checks;
  if (all.least != duration::max()) {
    EXPECT_GE(all.least, b.least_waiting);
  }
  ++count.strategies;
  if (b.expected_waiting.how != certainty::exact) return;
  ++count.checks;
  int const samples = calls * 4;
  seen mean;
  for (int number = 0; number != samples; ++number) call(s, 1, true, mean);
  EXPECT_NEAR(mean.mean / samples, seconds(b.expected_waiting.value), 0.02 * seconds(b.expected_waiting.value) + 1e-12);
}

constexpr char const* rest[] = {
    "exponential(50ms,20s,3/2) max_attempts(6) clamped_hint(1s)",
    "exponential(50ms,20s) max_attempts(14) server_hint(ignore,0s)",
    "constant(100ms) max_attempts(5) pushback_hint(10s)",
    "immediate_first(exponential(50ms,20s)) max_attempts(5) jittered_hint(1/10,server_hint(stop))",
    "linear(100ms,350ms) max_attempts(7) server_hint(clamp,1s)",
    "fibonacci(10ms,300ms) max_attempts(10)",
    "sequence(50ms,10ms,400ms,20ms) max_attempts(6)",
    "raised_cap(exponential(50ms,20s),1/5) max_attempts(12)",
    "at_least(exponential(50ms,20s),400ms) max_attempts(6)",
    "sum(constant(1s),exponential(50ms,20s)) max_attempts(6)",
    "phased(for_first(2,constant(10ms)),exponential(50ms,20s)) max_attempts(6)",
    "constant(1ms) max_attempts(700)",
    "linear(1ms,1h) max_attempts(400)",
    "no_backoff unbounded deadline(1s)",
    "exponential(50ms,20s) max_attempts(8) deadline(2s)",
    "exponential(50ms,20s) unbounded deadline(2s,clamp,100ms)",
    "exponential(50ms,20s) unbounded deadline(2s,last_try)",
    "exponential(50ms,20s) unbounded poll_deadline(3s,200ms)",
    "constant(100ms) max_attempts(5) refilling_bucket(2,300ms,reserve,1s)",
    "counted_by_kind(throttling=exponential(1s,20s),constant(50ms)) max_attempts(5)",
    "by_kind(throttling=exponential(1s,20s),exponential(50ms,20s)) max_attempts(5)",
    "exponential(50ms,20s) max_attempts_by_kind(throttling=max_attempts(8),max_attempts(3))",
    "counted_by_kind(throttling=exponential(1s,20s),constant(50ms)) max_attempts(20)",
};

void check_text(tally& count, std::string text) {
  if (text.find("bucket") == std::string::npos) text.append(" unlimited_quota");
  auto read = read_strategy(text, adversary{});
  ASSERT_TRUE(read) << in_lines(read.error(), text);
  auto const promised = bounds(*read);
  subject_of attacked{text, *std::move(read), promised};
  check(attacked, count);
}

/// As `describe()` writes them, for one type that reads them all.
TEST(Bounds, HoldForEveryBackoffJitterHintAndDeadlineThatATextNames) {
  tally count;
  for (auto const& jitter : support::examples<jitter_words>::described()) {
    for (auto const* body : rest) check_text(count, std::string{body}.append(" ").append(jitter));
  }
  for (auto const& text : support::examples<backoff_words, hint_words, deadline_words>::described())
    check_text(count, text + " max_attempts(4)");
  for (auto const& text : support::examples<limit_words>::described()) check_text(count, text + " deadline(10s)");
  RecordProperty("strategies", count.strategies);
  RecordProperty("checks", count.checks);
  RecordProperty("exact", count.exact);
  EXPECT_GE(count.strategies, static_cast<int>(9 * std::size(rest)));
}

TEST(Bounds, HoldForEveryPresetOfWhichTheTypeIsKnown) {
  tally count;
  for_each_preset([&]<class Preset>(char const* /*name*/) {
    if (std::is_same_v<Preset, bounded<250ms>>)
      return;  // the adversary has no hint of 62.5 ms, the longest that it obeys
    using attacked = with<Preset, unlimited_quota, adversary>;
    subject_of<attacked> one{describe<Preset>(), attacked{}, bounds_of<with<Preset, unlimited_quota>>()};
    check(one, count);
  });
  EXPECT_GE(count.strategies, 20);
}

/// Calls as a program makes them: what a gate, a pacer and the limits of attempts and of the call add.
TEST(Bounds, HoldForWholeCallsWithGatesPacersAndLimits) {
  using words = join_words<core_words, pacer_words, attempt_timeout_words>;
  constexpr char const* own = " no_jitter server_hint(ignore,0s) unlimited_quota";
  struct row {
    char const* text;
    bool ends;  // in a time that is promised
  };
  constexpr row rows[] = {
      {"constant(100ms) max_attempts(4) cool_down(constant(1s),longest_wait=3s)", false},
      {"constant(100ms) max_attempts(4) cool_down(constant(1s),refuse)", false},
      {"constant(100ms) max_attempts(4) circuit_breaker(3,5s)", false},
      {"constant(100ms) max_attempts(4) client_rate_limiter(longest_wait=2)", false},
      {"constant(100ms) max_attempts(4) attempt_timeout(1s)", true},
      {"constant(100ms) max_attempts(4) attempt_timeout(1s) cool_down(constant(1s),longest_wait=3s)", true},
      {"constant(100ms) max_attempts(5) attempt_timeout(1s) deadline(3s)", true},
      {"constant(100ms) unbounded attempt_timeout(300ms) deadline(2s,last_try)", true},
      {"constant(100ms) unbounded attempt_timeout_share(1/2) deadline(2s)", true},
  };
  int const calls = support::length_of(20'000);
  for (auto const& [text, ends] : rows) {
    SCOPED_TRACE(text);
    anew::testing::manual_clock const clock;
    auto const read = read_strategy<words>(std::string{text}.append(own), http_statuses{}, adversary{}, clock);
    ASSERT_TRUE(read) << in_lines(read.error(), text);
    auto const promised = bounds(*read);
    EXPECT_EQ(promised.call.is_known(), ends);
    duration most_waiting{};
    duration most_call{};
    for (int call = 0; call != calls; ++call) {
      clock.advance(duration{static_cast<std::int64_t>(adversary::engine() % 1'000'000'000)});
      anew::testing::advancing_sleeper sleep{clock};
      auto const begin = clock.peek();
      auto const outcome = retry_outcome(*read, idempotent([&](attempt& self) -> unsigned {
        auto const most = self.limit() == duration::max() ? duration{200ms} : self.limit();
        clock.advance(call % 2 == 0 ? most : most / 4);
        return adversary::engine() % 3 == 0 ? 429 : adversary::engine() % 16 == 0 ? 200 : 503;
      }),
                                         sleep);
      EXPECT_LE(outcome.attempts(), promised.attempts.value);
      most_waiting = std::max(most_waiting, sleep.total());
      most_call = std::max(most_call, clock.peek() - begin);
    }
    if (promised.waiting.is_known()) {
      EXPECT_LE(most_waiting, promised.waiting.value);
    }
    if (ends) {
      EXPECT_LE(most_call, promised.call.value);
      EXPECT_GE(most_call, promised.call.value / 3) << "the test reaches no long call";
    }
  }
}

TEST(Bounds, OfLayersHoldForCallsInsideCalls) {
  using outer = strategy<constant_backoff<100ms>, no_jitter, max_attempts<3>, http_statuses>;
  using inner = strategy<constant_backoff<50ms>, no_jitter, max_attempts<4>, http_statuses>;
  auto const promised = layered(bounds_of<outer>(), bounds_of<inner>());
  anew::testing::recording_sleeper sleep;
  std::uint64_t attempts = 0;
  auto const failing = [&]() -> unsigned { return ++attempts, 503; };
  static_cast<void>(retry(outer{}, [&] { return retry(inner{}, failing, std::ref(sleep)); }, std::ref(sleep)));
  EXPECT_EQ(attempts, promised.attempts.value);
  EXPECT_EQ(sleep.total(), 2 * 100ms + 3 * 3 * 50ms);
  EXPECT_GE(promised.waiting.value, sleep.total());
}

/// What the calls that share a quota made, while every attempt fails with probability `share`.
struct long_run {
  double attempts_for_each_call = 0;
  bool drained = false;
};
/// How many attempts a call makes of which the n-th fails when `fails(n)` says so.
template <class Quota, class Fails>
std::uint32_t one_call(Quota const& quota, std::uint32_t most_attempts, failure const& f, Fails const& fails,
                       std::uint64_t& refused) {
  typename Quota::permit_type held{};
  for (std::uint32_t made = 1;; ++made) {
    if (!fails(made)) return quota.on_success(held), made;
    if constexpr (requires { quota.on_attempt_failed(f); }) quota.on_attempt_failed(f);
    if (made == most_attempts) return made;
    auto const permit = quota.try_acquire(f);
    if (!permit) return ++refused, made;
    held = *permit;
  }
}
long_run run(auto const& quota, std::uint32_t most_attempts, double share, error_kind kind, int calls) {
  std::mt19937_64 engine{7};  // NOLINT(*-msc51-cpp)
  std::bernoulli_distribution fails{share};
  failure f{};
  f.kind = kind;
  std::uint64_t attempts = 0, refused = 0, late = 0;
  for (int call = 0; call != calls; ++call) {
    auto const made = one_call(quota, most_attempts, f, [&](std::uint32_t) { return fails(engine); }, refused);
    // The first half empties what was there at the beginning.
    if (call >= calls / 2) {
      attempts += made;
      ++late;
    }
  }
  return {static_cast<double>(attempts) / static_cast<double>(late),
          refused > static_cast<std::uint64_t>(calls) / 1000};
}
/// The most attempts a call, where each call of a kind makes `retries` before it succeeds, after so many that make none.
double worst_pattern(auto const& make, std::uint32_t most_attempts) {
  double worst = 1;
  for (std::uint32_t retries = 1; retries != most_attempts; ++retries) {
    for (std::uint32_t healthy : {0U, 1U, 2U, 3U, 4U, 5U, 9U, 10U, 14U, 28U, 69U, 70U, 140U}) {
      auto const quota = make();
      failure const f{};
      std::uint64_t attempts = 0, calls = 0, refused = 0;
      for (std::uint64_t call = 0; call != 20'000; ++call) {
        auto const wanted = call % (healthy + 1) == 0 ? retries : 0;
        auto const made = one_call(quota, most_attempts, f, [&](std::uint32_t n) { return n <= wanted; }, refused);
        if (call < 10'000) continue;
        attempts += made;
        ++calls;
      }
      worst = std::max(worst, static_cast<double>(attempts) / static_cast<double>(calls));
    }
  }
  return worst;
}
/// The worst share is said to be the one where the quota drains.
std::array<double, 9> shares_around(quota_bounds const& promised) {
  auto const edge = promised.drains_above;
  return {edge / 2, edge - 0.02, edge - 0.01, edge, edge + 0.01, edge + 0.03, edge + 0.1, 0.5, 0.8};
}
std::uint64_t burst_of(auto const& quota, error_kind kind) {
  failure f{};
  f.kind = kind;
  std::uint64_t granted = 0;
  while (granted != 10'000 && quota.try_acquire(f)) ++granted;
  return granted;
}

TEST(Bounds, OfABucketAreThoseOfItsSimulation) {
  struct row {
    char const* name;
    std::int64_t capacity;
    retry_costs costs;
    refund given_back;
    payment how;
    std::uint32_t attempts;
  };
  auto const usual = retry_costs{};
  row const rows[] = {
      {"3 attempts", 500, usual, refund{}, payment::in_full, 3},
      {"5 attempts", 500, usual, refund{}, payment::in_full, 5},
      {"costs of 10", 500, retry_costs::all(10), refund{}, payment::in_full, 3},
      {"gives one back", 500, retry_costs::all(5), refund::fixed(1), payment::in_full, 3},
      {"gives a tenth back", 100, retry_costs::all(7), refund::fraction(1, 10), payment::in_full, 4},
      {"pays in part", 100, retry_costs::all(7), refund::fraction(1, 10), payment::partial, 4},
  };
  int const calls = support::length_of(1'000'000);
  for (auto const& r : rows) {
    SCOPED_TRACE(r.name);
    auto const bucket = [&r] { return token_bucket{r.capacity, r.costs, r.given_back, r.how}; };
    auto const promised = bucket().promises(r.attempts);
    EXPECT_EQ(burst_of(bucket(), error_kind::transient), promised.transient_burst);
    auto const at = [&](double share) {
      auto const asked = bucket();
      // The cheapest kind amplifies most; transient is never cheaper than throttling here.
      auto const transient = run(asked, r.attempts, share, error_kind::transient, calls);
      auto const other = bucket();
      auto const throttled = run(other, r.attempts, share, error_kind::throttling, calls);
      return transient.attempts_for_each_call > throttled.attempts_for_each_call ? transient : throttled;
    };
    double worst = 1;
    for (auto const share : shares_around(promised)) worst = std::max(worst, at(share).attempts_for_each_call);
    EXPECT_LE(worst, promised.expected_amplification * 1.02);
    if (r.how == payment::in_full) {
      EXPECT_GE(worst, promised.expected_amplification * 0.98);
    }
    EXPECT_LE(worst_pattern(bucket, r.attempts), promised.amplification.value * 1.001);
    if (promised.amplification.how == certainty::exact) {
      EXPECT_GE(worst_pattern(bucket, r.attempts), promised.amplification.value * 0.98);
    }
    EXPECT_TRUE(run(bucket(), r.attempts, promised.drains_above + 0.02, error_kind::transient, calls).drained);
    EXPECT_FALSE(run(bucket(), r.attempts, promised.drains_above - 0.02, error_kind::throttling, calls).drained);
  }
}

TEST(Bounds, OfAThrottleAreThoseOfItsSimulation) {
  int const calls = support::length_of(1'000'000);
  for (std::uint32_t const attempts : {3U, 4U, 5U}) {
    auto const promised = retry_throttle<>{}.promises(attempts);
    double worst = 1;
    for (auto const share : shares_around(promised)) {
      retry_throttle<> throttle;
      worst = std::max(worst, run(throttle, attempts, share, error_kind::transient, calls).attempts_for_each_call);
    }
    EXPECT_LE(worst, promised.expected_amplification * 1.02);
    EXPECT_GE(worst, promised.expected_amplification * 0.97);
    EXPECT_NEAR(worst_pattern([] { return retry_throttle<>{}; }, attempts), promised.amplification.value, 0.001);
  }
}

}  // namespace
