// SPDX-License-Identifier: BSL-1.0
// Each policy is used for a while, saved as text, restored into another object, and used on: every answer must be that
// of the original, which is used on too.
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies.hpp"
#include "anew/policies/gate/striped_client_throttle.hpp"
#include "anew/policies/gate/striped_rate_breaker.hpp"
#include "anew/policies/pacer/striped_client_rate_limiter.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/policies/sharing/partitioned.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/state/saved_state.hpp"

#include "length.hpp"
#include "names.hpp"

namespace compose_snapshot_test {
namespace {

using namespace anew;

struct dice : anew::generator {
  using generator::generator;
  std::uint64_t below(std::uint64_t n) { return (*this)() % n; }
};

failure random_failure(dice& random) {
  constexpr std::array kinds{error_kind::transient, error_kind::throttling, error_kind::timeout, error_kind::server,
                             error_kind::client};
  return {kinds[random.below(kinds.size())], retry_safety::yes, std::nullopt};
}

/// All answers of a policy: how long to wait, and 1 or 2 for yes or no.
using answers = std::vector<duration>;
duration yes_or_no(bool yes) { return duration{yes ? 1 : 2}; }

/// Uses a quota: every permit is settled before the next question, so that none is held when it is saved.
template <class Q>
  requires Quota<Q>
void use_once(Q const& quota, dice& random, time_point now, answers& seen) {
  if constexpr (requires { quota.on_call(now); }) quota.on_call(now);
  auto const what = random_failure(random);
  if (random.below(3) == 0) {
    quota.on_success({});
    return;
  }
  if constexpr (requires { quota.on_attempt_failed(what); }) quota.on_attempt_failed(what);
  auto const permit = detail::try_acquire(quota, what, now);
  seen.push_back(yes_or_no(permit.has_value()));
  if (!permit) return;
  if constexpr (requires { quota.wait(*permit, now); }) seen.push_back(quota.wait(*permit, now));
  switch (random.below(4)) {
    case 0: quota.on_success(*permit); break;
    case 1: quota.release(*permit); break;
    default:
      if constexpr (requires { quota.on_failure(*permit); }) quota.on_failure(*permit);
  }
}

template <class G>
  requires Gate<G>
void use_once(G const& gate, dice& random, time_point now, answers& seen) {
  auto since = time_point::min();
  if (random.below(4) == 0) since = now - 1ms;  // an attempt that has waited
  auto const entered = [&] {
    if constexpr (requires { gate.try_enter(now, since, random); }) {
      return gate.try_enter(now, since, random);
    } else {
      return gate.try_enter(now);
    }
  }();
  seen.push_back(yes_or_no(entered.pass.has_value()));
  seen.push_back(entered.wait);
  if (!entered.pass) return;
  auto what = random_failure(random);
  if (random.below(8) == 0) what.hint = 20ms;
  if (auto const how = random.below(8); how == 0) {
    gate.release(*entered.pass);
  } else if (how < 5) {
    gate.on_success(*entered.pass, now);
  } else if constexpr (requires { gate.on_failure(*entered.pass, what, now, random); }) {
    gate.on_failure(*entered.pass, what, now, random);
  } else {
    gate.on_failure(*entered.pass, what, now);
  }
}

template <class P>
  requires Pacer<P>
void use_once(P const& pacer, dice& random, time_point now, answers& seen) {
  typename P::ticket_type ticket{};
  auto const answer = pacer.ask(ticket, now);
  seen.push_back(answer.wait);
  seen.push_back(yes_or_no(answer.refused));
  pacer.release(ticket);
  if (answer.refused || answer.wait > 0s) return;
  if (random.below(8) == 0) {
    pacer.on_failure({error_kind::throttling, retry_safety::yes, std::nullopt}, now);
  } else {
    pacer.on_success(now);
  }
}

answers use(auto const& policy, std::uint64_t seed, time_point& now, int steps, duration longest_step) {
  dice random{seed};
  answers seen;
  for (int i = 0; i != steps; ++i) {
    now += duration{static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(longest_step.count())))};
    if (random.below(1000) == 0) now += 1000 * longest_step;
    use_once(policy, random, now, seen);
  }
  return seen;
}

constexpr std::size_t saved_states = 20;
int const steps_after_each = support::is_full_length() ? 5000 : 1000;

/// `make` makes the policy. `shift`: by how much the clock of the process that restores is another one.
void decide_alike(auto const& make, duration longest_step, duration shift = 0s) {
  for (std::size_t i = 0; i != saved_states; ++i) {
    auto const original = make();
    time_point now{1'000'000h};
    (void)use(original, i, now, 200 + static_cast<int>(i) * 37, longest_step);
    auto const text = snapshot(original, now).to_hex();
    auto const other = make();
    auto there = now + shift;
    if (i % 2 != 0) (void)use(other, i + 200, there, 100, longest_step);  // what it has counted is replaced
    there = now + shift;
    ASSERT_TRUE(restore(other, saved_state::from_hex(text), there)) << make().describe();
    EXPECT_EQ(use(other, i + 100, there, steps_after_each, longest_step),
              use(original, i + 100, now, steps_after_each, longest_step))
        << make().describe();
  }
}

TEST(Snapshot, RestoresEveryQuota) {
  decide_alike([] { return token_bucket<500>{}; }, 10ms);
  decide_alike([] { return token_bucket{100, anew::retry_costs{}}; }, 10ms);
  using anew::payment, anew::refund, anew::retry_costs;
  decide_alike([] { return token_bucket<50, retry_costs{}, refund::fraction(1, 10), payment::partial>{}; }, 10ms);
  decide_alike([] { return anew::striped<token_bucket<500>>{}; }, 10ms);
  decide_alike([] { return refilling_bucket<10, 100ms>{}; }, 100ms, 77'777ns);
  decide_alike([] { return refilling_bucket<10, 100ms, when_empty::reserve, 1s>{}; }, 100ms, -5h);
  decide_alike([] { return retry_budget<>{}; }, 100ms, -500h);
  decide_alike([] { return retry_budget<50, 1, 2s>{}; }, 50ms);
  decide_alike([] { return anew::striped<retry_budget<>>{}; }, 100ms, -500h);
  decide_alike([] { return anew::striped{retry_budget{50, 1, 2s}}; }, 50ms);
  decide_alike([] { return retry_throttle<>{}; }, 10ms);
  decide_alike([] { return retry_throttle{7, rational{1, 3}}; }, 10ms);
}
TEST(Snapshot, RestoresEveryGateAndPacer) {
  decide_alike([] { return circuit_breaker<2, 300ms>{}; }, 50ms, 3ms);
  decide_alike([] { return circuit_breaker{3, 1s, 4}; }, 50ms, -500h);
  decide_alike([] { return rate_breaker<50, 2s, 20, 3s>{}; }, 50ms, -500h);
  decide_alike([] { return rate_breaker{40, 1s, 5, 200ms, 3}; }, 50ms);
  decide_alike([] { return anew::striped<rate_breaker<50, 2s, 20, 3s>>{}; }, 50ms, -500h);
  decide_alike([] { return anew::striped{rate_breaker{40, 1s, 5, 200ms, 3}}; }, 50ms);
  // By whole windows: the time within a tenth is not kept.
  decide_alike([] { return client_throttle<>{}; }, 50ms, -480h);
  decide_alike([] { return client_throttle{rational{11, 10}, 1s}; }, 2ms, 77h);
  decide_alike([] { return client_throttle<rational{11, 10}, 1s>::striped_form<8>{}; }, 2ms, 77h);
  // With the same clock: how far apart those who wait ask again is drawn from the time.
  using pauses = exponential_backoff<100ms, 3s>;
  decide_alike([] { return cool_down<pauses>{}; }, 50ms);
  decide_alike([] { return cool_down<pauses, when_cooling::wait, 2, 2s>{}; }, 50ms);
  decide_alike([] { return client_rate_limiter<>{}; }, 50ms, -500h);
  decide_alike([] { return client_rate_limiter<when_limited::fail_fast>{}; }, 50ms);
  decide_alike([] { return anew::striped<client_rate_limiter<when_limited::fail_fast>>{}; }, 50ms);
}

TEST(Snapshot, KeepsTheLimitOfAnAdaptiveConcurrency) {
  adaptive_concurrency<64, 10ms, 4> const before;
  time_point const now{1h};
  for (auto const& what : {failure{}, failure{}}) before.on_failure(*before.try_enter(now).pass, what, now);
  ASSERT_EQ(before.limit(), 16U);
  adaptive_concurrency<64, 10ms, 4> const after;
  auto const running = after.try_enter(now);
  EXPECT_TRUE(restore(after, snapshot(before, now), now));
  EXPECT_EQ(after.limit(), 16U);
  EXPECT_EQ(after.attempts(), 1U);  // of this process
  after.release(*running.pass);
  EXPECT_EQ(snapshot(after, now), snapshot(before, now));
}

/// Uses a striped policy in three threads, one after the other.
void use_in_threads(auto const& policy, std::uint64_t seed, time_point& now) {
  for (std::uint64_t i = 0; i != 3; ++i) {
    std::thread{[&] { (void)use(policy, seed * 3 + i, now, 50, 20ms); }}.join();
  }
}

// A state does not say how a policy counts.
TEST(Snapshot, AStripedPolicyAndAPlainOneTakeTheStatesOfEachOther) {
  auto const expect_alike = []<class Plain>(Plain const& /*which*/) {
    for (std::uint64_t seed = 0; seed != 20; ++seed) {
      time_point now{1'000'000h};
      anew::striped<Plain> const from;
      use_in_threads(from, seed, now);
      auto const state = snapshot(from, now);
      Plain const plain;
      anew::striped<Plain> const striped;
      auto then = now;
      use_in_threads(striped, seed + 1'000, then);  // what it has counted is replaced
      ASSERT_TRUE(restore(plain, state, now));
      ASSERT_TRUE(restore(striped, snapshot(plain, now), now));
      EXPECT_EQ(snapshot(striped, now), state);
      then = now;
      auto const answers_of_plain = use(plain, seed, then, 2'000, 20ms);
      then = now;
      EXPECT_EQ(use(striped, seed, then, 2'000, 20ms), answers_of_plain);
      EXPECT_EQ(use(from, seed, now, 2'000, 20ms), answers_of_plain);
    }
  };
  expect_alike(token_bucket<100>{});
  expect_alike(retry_budget<50, 1, 2s>{});
  expect_alike(rate_breaker<50, 2s, 20, 3s>{});
}
// What is not restored.

using part = saved_state::part;

TEST(Snapshot, SaysWhatItIsOf) {
  time_point const now{1h};
  auto const state = snapshot(token_bucket<500>{}, now);
  EXPECT_EQ(state.parts(), (std::vector<part>{{"token_bucket(500)", {500}}}));
  EXPECT_EQ(state.error(), "");
  EXPECT_EQ(saved_state::from_bytes(state.to_bytes()), state);
  for (auto const* const end : {"", "\n", "\r\n"}) EXPECT_EQ(saved_state::from_hex(state.to_hex() + end), state);
}

// The bytes have room for 64 KiB: of a long text the state has the beginning and a checksum.
TEST(Snapshot, KeepsAPolicyWithALongText) {
  auto const cooling = [](std::size_t size, duration last) {
    std::vector<duration> delays(size, 1s);
    delays.back() = last;
    return cool_down{sequence_backoff{std::move(delays)}};
  };
  for (std::size_t const size : {10U, 10'000U}) {
    auto const saved = cooling(size, 1s);
    saved.on_failure(*saved.try_enter(time_point{1000s}).pass, failure{.kind = error_kind::server}, time_point{1000s});
    auto const read = saved_state::from_bytes(snapshot(saved, time_point{1000s}).to_bytes());
    ASSERT_EQ(read.error(), "");
    auto const same = cooling(size, 1s);
    EXPECT_TRUE(restore(same, read, time_point{1000s}));
    EXPECT_EQ(snapshot(same, time_point{1000s}).parts()[0].numbers, read.parts()[0].numbers);
    EXPECT_FALSE(restore(cooling(size, 2s), read, time_point{1000s})) << "another number at its end";
    EXPECT_FALSE(restore(cooling(size + 1, 1s), read, time_point{1000s})) << "one number more";
  }
}

TEST(Snapshot, TimeAwayBringsBackWhatTimeBringsBack) {
  refilling_bucket<10, 1s> const before;
  for (int i = 0; i != 10; ++i) EXPECT_TRUE(before.try_acquire({}, time_point{5h}).has_value());
  auto const state = snapshot(before, time_point{5h});
  auto const restored = [&state](duration away) {
    refilling_bucket<10, 1s> const after;
    time_point const now{1min};
    EXPECT_TRUE(restore(after, state, now, away));
    EXPECT_EQ(after.balance(now + 10s), 10U);
    return after.balance(now);
  };
  EXPECT_EQ(restored(0s), 0U);
  EXPECT_EQ(restored(-1h), 0U);
  EXPECT_EQ(restored(3s), 3U);
  EXPECT_EQ(restored(1h), 10U);
  EXPECT_EQ(restored(duration::max()), 10U);
}

TEST(Snapshot, RefusesAnotherKindOrOtherNumbers) {
  auto const of_500 = snapshot(token_bucket<500>{}, {});
  token_bucket<100> const bucket_of_100;
  auto const outcome = restore(bucket_of_100, of_500, {});
  EXPECT_FALSE(outcome);
  EXPECT_EQ(outcome.error(), "the state is of token_bucket(500); it must be of token_bucket(100)");
  EXPECT_EQ(restore(circuit_breaker<>{}, of_500, {}).error(),
            "the state is of token_bucket(500); it must be of circuit_breaker(5,30s)");
  EXPECT_EQ(restore(token_bucket<500>{}, saved_state{}, {}).error(),
            "the state is of no policy; it must be of token_bucket(500)");
  EXPECT_TRUE(restore(token_bucket{500}, of_500, {}));  // values known at run time are values
  EXPECT_TRUE(restore(anew::striped<token_bucket<500>>{}, of_500, {}));
  EXPECT_TRUE(restore(shared<token_bucket<500>>{}, of_500, {}));
}

TEST(Snapshot, RefusesEveryChangedByteAndEveryCut) {
  token_bucket<500> const bucket;
  auto const good = snapshot(bucket, {}).to_bytes();
  for (std::size_t at = 0; at != good.size(); ++at) {
    for (unsigned bit = 0; bit != 8; ++bit) {
      auto bytes = good;
      bytes[at] ^= static_cast<std::byte>(1U << bit);
      auto const state = saved_state::from_bytes(bytes);
      EXPECT_NE(state.error(), "") << at;
      EXPECT_TRUE(state.parts().empty());
      EXPECT_EQ(restore(bucket, state, {}).error(), state.error());
    }
    EXPECT_EQ(saved_state::from_bytes(std::span{good}.first(at)).error(), "the bytes are cut off");
  }
  auto longer = good;
  longer.push_back(std::byte{0});
  EXPECT_EQ(saved_state::from_bytes(longer).error(), "more bytes follow the saved state");
}

TEST(Snapshot, SaysWhatIsWrongWithBytes) {
  auto bytes = snapshot(token_bucket<500>{}, {}).to_bytes();
  auto const error_with = [&bytes](std::size_t at, unsigned value) {
    auto changed = bytes;
    changed[at] = static_cast<std::byte>(value);
    return saved_state::from_bytes(changed).error();
  };
  EXPECT_EQ(error_with(0, 'b'), "the bytes are not a saved state of anew");
  EXPECT_EQ(error_with(4, 2), "the bytes are of version 2; version 1 is read");
  EXPECT_EQ(error_with(12, 0), "the bytes are damaged");
  EXPECT_EQ(saved_state::from_bytes({}).error(), "the bytes are cut off");
  EXPECT_EQ(saved_state::from_bytes(std::vector<std::byte>(65'536)).error(), "the bytes are not a saved state of anew");
  EXPECT_EQ(saved_state::from_bytes(std::vector<std::byte>(65'537)).error(), "there must be at most 65536 bytes");
  for (char const* text : {"0", "0g", "-1", " 00", "\n00"}) {
    EXPECT_EQ(saved_state::from_hex(text).error(), "the text must be hexadecimal digits, two for each byte") << text;
  }
  EXPECT_EQ(saved_state::from_hex("").error(), "the bytes are cut off");
  EXPECT_EQ(saved_state::from_hex("\n").error(), "the bytes are cut off");
  EXPECT_EQ(saved_state::from_hex(std::string(131'074, '0')).error(), "there must be at most 65536 bytes");
}

// The checksum is right, but the parts are not: another program wrote them.
TEST(Snapshot, RefusesPartsThatDoNotFitTheBytes) {
  auto const error_of = [](std::vector<std::byte> bytes, std::size_t at, unsigned value) {
    bytes.resize(bytes.size() - 8);
    bytes[at] = static_cast<std::byte>(value);
    auto const sum = detail::state_layout::checksum(bytes);
    for (unsigned i = 0; i != 8; ++i) bytes.push_back(static_cast<std::byte>(sum >> (8 * i)));
    return saved_state::from_bytes(bytes).error();
  };
  auto const bytes = snapshot(token_bucket<500>{}, {}).to_bytes();
  EXPECT_EQ(error_of(bytes, 6, 1), "");  // one part
  for (unsigned const parts : {0U, 2U, 255U}) EXPECT_EQ(error_of(bytes, 6, parts), "the bytes are damaged") << parts;
  for (unsigned const length : {16U, 18U, 255U}) EXPECT_EQ(error_of(bytes, 12, length), "the bytes are damaged");
  for (unsigned const count : {0U, 2U, 255U}) EXPECT_EQ(error_of(bytes, 14, count), "the bytes are damaged");
}

/// Refused, and `policy` is as it was.
void expect_refused(auto const& policy, std::vector<std::int64_t> numbers) {
  auto const before = snapshot(policy, {});
  auto const outcome = restore(policy, saved_state{{{policy.describe(), std::move(numbers)}}}, {});
  EXPECT_EQ(outcome.error(), "the state has numbers that " + policy.describe() + " cannot have");
  EXPECT_EQ(snapshot(policy, {}), before);
}

/// Each number alone is replaced by numbers that it cannot be.
void expect_each_refused(auto const& policy, std::vector<std::vector<std::int64_t>> const& wrong) {
  auto const good = snapshot(policy, {}).parts().at(0).numbers;
  ASSERT_EQ(good.size(), wrong.size());
  for (std::size_t i = 0; i != good.size(); ++i) {
    for (auto const number : wrong[i]) {
      auto numbers = good;
      numbers[i] = number;
      expect_refused(policy, numbers);
    }
  }
  auto longer = good;
  longer.push_back(0);
  expect_refused(policy, longer);
  expect_refused(policy, {good.begin(), good.end() - 1});
  expect_refused(policy, {});
}

std::int64_t bits(double value) { return std::bit_cast<std::int64_t>(value); }

TEST(Snapshot, RefusesNumbersThatAPolicyCannotHave) {
  expect_each_refused(token_bucket<500>{}, {{-1, 501}});
  expect_each_refused(anew::striped<token_bucket<500>>{}.policy(), {{-1, 501}});
  expect_each_refused(retry_throttle<>{}, {{-1, 100'001}});
  expect_each_refused(refilling_bucket<10, 1s>{}, {{10'000'000'001}});
  std::vector<std::vector<std::int64_t>> tenths(21, {-1, 33'554'432});
  tenths[0] = {-1, 11};
  expect_each_refused(retry_budget<>{}, tenths);
  for (auto& count : tenths) count = {-1, 67'108'864};
  tenths[0] = {-1, 11};
  expect_each_refused(client_throttle<>{}, tenths);
  expect_each_refused(circuit_breaker<5, 1s>{}, {{-1, 3}, {-1, 5}});
  expect_refused(circuit_breaker<5, 1s, 2>{}, {2, 2});
  expect_refused(circuit_breaker<5, 1s>{}, {1, 1'001'000'000});
  std::vector<std::vector<std::int64_t>> eighths(19, {-1, 16'777'216});
  eighths[0] = {-1, 3};
  eighths[1] = {-1, 1};
  eighths[2] = {-1, 9};
  expect_each_refused(rate_breaker<>{}, eighths);
  expect_each_refused(adaptive_concurrency<64, 10ms, 4>{}, {{-1, 60 * 65'536 + 1}});
  constexpr std::int64_t past_60s = 60'000'000'001;
  expect_each_refused(cool_down<>{}, {{-1, 1024}, {-1, 2}, {past_60s}, {past_60s}, {past_60s}, {past_60s}, {-1}});
  expect_refused(cool_down<>{}, {1, 0, 5, -59'999'999'996, 5, 5, 0});                              // longer than 60 s
  expect_refused(cool_down<>{}, {1, 0, -5, std::numeric_limits<std::int64_t>::min(), -5, -5, 0});  // never begun
  std::vector<std::int64_t> const no_amounts{bits(-1), bits(__builtin_nan("")), bits(__builtin_inf()), bits(2e300)};
  using wrong = std::vector<std::int64_t>;
  expect_each_refused(client_rate_limiter<>{},
                      {wrong{-1, 2, 3}, wrong{-1}, wrong{-40'000'000'001, 2}, wrong{-1}, no_amounts, no_amounts,
                       no_amounts, wrong{bits(-1), bits(1)}, wrong{1}, no_amounts, wrong{1}});
}

/// All numbers that a policy is given are there again.
void keeps(auto const& policy, std::vector<std::int64_t> const& numbers) {
  saved_state const state{{{policy.describe(), numbers}}};
  time_point const now{1h};
  EXPECT_TRUE(restore(policy, state, now));
  EXPECT_EQ(snapshot(policy, now), state) << policy.describe();
}

TEST(Snapshot, KeepsEachNumber) {
  keeps(token_bucket<500>{}, {7});
  keeps(retry_throttle<>{}, {7});
  keeps(circuit_breaker<5, 1s>{}, {1, 300'000'000});
  keeps(rate_breaker<>{}, {0, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  keeps(retry_budget<>{}, {2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20});
  keeps(client_throttle<>{}, {2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20});
  keeps(cool_down<>{}, {3, 1, 500, -10, 20, 30, 5});
  keeps(client_rate_limiter<>{}, {2, 4, -3, 7, bits(3.5), bits(2.5), bits(2.25), bits(1.125), -70, bits(6.5), -80});
}

/// After a snapshot with the time of another clock, `hours` before the policy's, the policy is as it was, not stuck.
template <class P>
P restored_from_another_clock(P const& used, duration behind, time_point now) {
  P restored{};
  EXPECT_TRUE(restore(restored, snapshot(used, now - behind), now));
  return restored;
}

TEST(Snapshot, TheTimeOfAnotherClockStopsNoPolicyForLong) {
  time_point const now{1'000'000h};
  for (duration const behind : {duration{1h}, duration{900'000h}}) {
    circuit_breaker<1, 1s> const breaker;
    breaker.on_failure(*breaker.try_enter(now).pass, {}, now);
    EXPECT_FALSE(restored_from_another_clock(breaker, behind, now).would_refuse(now + 1001ms));

    retry_budget<0, 1, 1s> const budget;
    EXPECT_TRUE(budget.try_acquire({}, now).has_value());
    auto const later = restored_from_another_clock(budget, behind, now);
    EXPECT_FALSE(later.try_acquire({}, now + 500ms).has_value());
    EXPECT_TRUE(later.try_acquire({}, now + 2s).has_value());

    cool_down<constant_backoff<1s>, when_cooling::refuse> const cooling;
    cooling.on_failure(*cooling.try_enter(now).pass, {}, now);
    EXPECT_FALSE(restored_from_another_clock(cooling, behind, now).would_refuse(now + 1s));

    refilling_bucket<1, 1s> const bucket;
    EXPECT_TRUE(bucket.try_acquire({}, now).has_value());
    EXPECT_EQ(restored_from_another_clock(bucket, behind, now).balance(now + 1s), 1U);
  }
}

/// How long after `now` the last of `attempts` begins, if each asks again when it is told to. Nothing else calls.
duration last_begins_after(auto const& gate, time_point now, std::size_t attempts) {
  std::multimap<time_point, time_point> all;  // when each asks again, and since when it waits
  while (attempts-- != 0) all.emplace(now, time_point::min());
  for (int questions = 0; questions != 10'000; ++questions) {
    auto [at, since] = *all.begin();
    all.erase(all.begin());
    auto const entered = gate.try_enter(at, since, anew::thread_random{});
    if (entered.pass && all.empty()) return at - now;
    if (!entered.pass) all.emplace(detail::saturating_add(at.time_since_epoch(), entered.wait), since);
  }
  return duration::max();
}

// The time of a snapshot that is early by anything, with attempts that wait in the pause and after it.
TEST(Snapshot, TheTimeOfAnotherClockLetsWaitingAttemptsBegin) {
  cool_down<exponential_backoff<1s, 60s>> const gate;
  time_point const begin{10'000s};
  for (int i = 0; i != 7; ++i) gate.on_failure(*gate.try_enter(begin).pass, {}, begin);
  auto const end = gate.cooling_until();
  auto waits_since = time_point::min();
  (void)gate.try_enter(begin, waits_since, anew::thread_random{});
  for (time_point const used_at : {begin, end + 10s, end + 300s}) {
    if (used_at > end) {
      auto asks = waits_since;
      (void)gate.try_enter(used_at, asks, anew::thread_random{});  // the probe
      asks = waits_since;
      (void)gate.try_enter(used_at, asks, anew::thread_random{});  // waits on
    }
    for (duration const early : {duration{0s}, duration{20s}, duration{1min}, duration{1h}, duration{87'600h},
                                 duration{-20s}, duration{-1h}, duration::max(), duration::min()}) {
      time_point const taken_at{detail::saturating_subtract(used_at.time_since_epoch(), early)};
      auto const state = snapshot(gate, taken_at);
      for (auto const time : std::span{state.parts().at(0).numbers}.subspan(2, 4)) EXPECT_LE(duration{time}, 60s);
      for (time_point const now : {time_point{500s}, time_point{2'000'000h}, time_point{-500s}}) {
        cool_down<exponential_backoff<1s, 60s>> const restored;
        EXPECT_TRUE(restore(restored, state, now));
        EXPECT_LE(last_begins_after(restored, now, 1), 80s) << early.count();
        EXPECT_TRUE(restore(restored, state, now));
        EXPECT_LE(last_begins_after(restored, now, 4), 8 * 60s) << early.count();
      }
    }
  }
}

// The length of a pause is kept, by which those who wait ask apart.
TEST(Snapshot, APauseOfAnotherClockIsMovedAsAWhole) {
  cool_down<constant_backoff<1s>> const gate;
  time_point const now{100h};
  gate.on_failure(*gate.try_enter(now).pass, {}, now, [] { return std::uint64_t{0}; });
  auto const good = snapshot(gate, now).parts().at(0).numbers;
  auto const early = snapshot(gate, now - 1h).parts().at(0).numbers;
  auto const length = good[2] - good[3];
  EXPECT_EQ(early[2], 1'000'000'000);
  EXPECT_EQ(early[3], 1'000'000'000 - length);
  EXPECT_EQ(early[4], 1'000'000'000);
}

/// States with some numbers replaced by extreme ones: after each that is accepted, `goes_on(policy, now)`.
template <class P, class GoesOn>
void expect_no_state_stops(GoesOn const& goes_on) {
  using limits = std::numeric_limits<std::int64_t>;
  std::vector<std::int64_t> any{limits::min(), limits::min() + 1, limits::max(), limits::max() - 1};
  for (std::int64_t const count : {0, 1, 2, 100, 65'535, 16'777'215, 33'554'431, 1'000'000'000}) any.push_back(count);
  for (double const amount : {5e-324, 0.5, 1.0, 1e9, 1e300, 1e-300}) any.push_back(bits(amount));
  for (duration const time :
       {duration{1}, duration{1s}, duration{30s}, duration{60s}, duration{60s} + 1ns, duration{1h}}) {
    any.push_back(time.count());
    any.push_back(-time.count());
  }
  auto const good = snapshot(P{}, time_point{}).parts().at(0);
  dice random{11};
  int accepted = 0;
  for (int i = 0; i != 3000; ++i) {
    auto changed = good;
    for (auto left = random.below(7) + 1; left != 0; --left) {
      changed.numbers.at(random.below(good.numbers.size())) = any.at(random.below(any.size()));
    }
    for (time_point const now : {time_point{500s}, time_point{2'000'000h}, time_point{-2'000'000h}}) {
      P const policy;
      if (!restore(policy, saved_state{{changed}}, now)) continue;
      ++accepted;
      ASSERT_TRUE(goes_on(policy, now)) << good.policy << ::testing::PrintToString(changed.numbers);
    }
  }
  EXPECT_GT(accepted, 300) << good.policy;
}

TEST(Snapshot, NoAcceptedStateStopsAClient) {
  expect_no_state_stops<cool_down<exponential_backoff<1s, 60s>>>(
      [](auto const& gate, time_point now) { return last_begins_after(gate, now, 1) <= 3 * 60s; });
  expect_no_state_stops<circuit_breaker<5, 1s>>(
      [](auto const& breaker, time_point now) { return !breaker.would_refuse(now + 1001ms); });
  expect_no_state_stops<rate_breaker<50, 10s, 20, 1s>>(
      [](auto const& breaker, time_point now) { return !breaker.would_refuse(now + 1001ms); });
  expect_no_state_stops<retry_budget<0, 1, 1s>>(
      [](auto const& budget, time_point now) { return budget.try_acquire({}, now + 3s).has_value(); });
  expect_no_state_stops<client_throttle<rational{2}, 1s>>(
      [](auto const& throttle, time_point now) { return throttle.rejection_probability(now + 3s) == 0; });
  expect_no_state_stops<refilling_bucket<1, 1s>>(
      [](auto const& bucket, time_point now) { return bucket.try_acquire({}, now + 1s).has_value(); });
  expect_no_state_stops<client_rate_limiter<>>([](auto const& limiter, time_point now) {
    typename client_rate_limiter<>::ticket_type ticket{};
    auto at = now;
    for (int i = 0; i != 10 && at < now + 10s; ++i) {
      auto const answer = limiter.ask(ticket, at);
      if (answer.wait <= 0s) return !answer.refused;
      at += answer.wait;
    }
    return false;
  });
}

TEST(Snapshot, KeepsThePartitionsOfARegistry) {
  partitioned<std::string, token_bucket<28>> before{10};
  EXPECT_TRUE(before.at("a").try_acquire({}).has_value());
  EXPECT_EQ(before.at("b").policy().balance(), 28U);
  std::vector<std::pair<std::string, std::string>> file;
  before.for_each([&file](std::string const& key, auto const& policy) {
    file.emplace_back(key, snapshot(policy, time_point{}).to_hex());
  });
  partitioned<std::string, token_bucket<28>> after{10};
  for (auto const& [key, state] : file) EXPECT_TRUE(restore(after.at(key), saved_state::from_hex(state), time_point{}));
  EXPECT_EQ(after.at("a").policy().balance(), 14U);
  EXPECT_EQ(after.at("b").policy().balance(), 28U);
}

// Whole strategies.

using bucket_and_breaker = anew::strategy<token_bucket<100>, circuit_breaker<2, 1h>, retry_all>;

TEST(Snapshot, KeepsAStrategy) {
  bucket_and_breaker const before;
  EXPECT_FALSE(retry(before, [] { return false; }, [](duration) {}));
  auto const now = std::chrono::steady_clock::now();
  auto const state = snapshot(before, now);
  ASSERT_EQ(state.parts().size(), 2U);
  EXPECT_EQ(state.parts()[0].policy, "token_bucket(100)");
  EXPECT_EQ(state.parts()[1].policy, "circuit_breaker(2,3600s)");
  bucket_and_breaker const after;
  EXPECT_TRUE(restore(after, saved_state::from_bytes(state.to_bytes()), now));
  EXPECT_EQ(after.quota().balance(), before.quota().balance());
  EXPECT_LT(after.quota().balance(), 100U);
  EXPECT_EQ(after.gate().state(), breaker_state::open);
}

TEST(Snapshot, RestoresAStrategyAsAWholeOrNotAtAll) {
  bucket_and_breaker const strategy;
  auto parts = snapshot(bucket_and_breaker{}, {}).parts();
  parts[0].numbers[0] = 7;
  parts[1].numbers[0] = 3;  // no state of a breaker
  auto const numbers = restore(strategy, saved_state{parts}, {});
  EXPECT_EQ(numbers.error(), "the state has numbers that token_bucket(100) + circuit_breaker(2,3600s) cannot have");
  EXPECT_EQ(strategy.quota().balance(), 100U);
  parts.pop_back();
  auto const fewer = restore(strategy, saved_state{parts}, {});
  EXPECT_EQ(fewer.error(),
            "the state is of token_bucket(100); it must be of token_bucket(100) + circuit_breaker(2,3600s)");
  EXPECT_EQ(strategy.quota().balance(), 100U);
  parts.push_back({"circuit_breaker(2,3600s)", {0, 0}});
  EXPECT_TRUE(restore(strategy, saved_state{parts}, {}));
  EXPECT_EQ(strategy.quota().balance(), 7U);
}

TEST(Snapshot, OmitsWhatEndsWithTheProcess) {
  anew::strategy<concurrency_budget<>, retry_all> const strategy;
  auto const state = snapshot(strategy, {});
  EXPECT_TRUE(state.parts().empty());
  EXPECT_TRUE(restore(strategy, saved_state::from_bytes(state.to_bytes()), {}));
  anew::strategy<unlimited_quota, retry_all> const none;
  EXPECT_TRUE(snapshot(none, {}).parts().empty());
}

TEST(Snapshot, KeepsTheChosenPolicy) {
  using quotas = choice<roles::quota, token_bucket<>, retry_throttle<>, unlimited_quota>;
  auto const of_bucket = snapshot(quotas{}, {});
  EXPECT_EQ(of_bucket.parts().at(0).policy, "token_bucket(500)");
  quotas const throttle{std::in_place_type<retry_throttle<>>};
  EXPECT_EQ(restore(throttle, of_bucket, {}).error(),
            "the state is of token_bucket(500); it must be of retry_throttle(100,1/10)");
  quotas const none{std::in_place_type<unlimited_quota>};
  EXPECT_EQ(restore(none, of_bucket, {}).error(), "the state is of token_bucket(500); it must be of no policy");
}

// A pass from before does not count after: its attempt is not of the calls that the state is of.
TEST(Snapshot, PassesFromBeforeDoNotCount) {
  circuit_breaker<1, 1h> const breaker;
  time_point const now{1h};
  auto const closed = snapshot(breaker, now);
  auto const pass = breaker.try_enter(now).pass;
  ASSERT_TRUE(pass.has_value());
  EXPECT_TRUE(restore(breaker, closed, now));
  breaker.on_failure(*pass, {}, now);
  EXPECT_EQ(breaker.state(), breaker_state::closed);

  cool_down<constant_backoff<1s>> const cooling;
  auto const begun = cooling.try_enter(now).pass;
  ASSERT_TRUE(begun.has_value());
  EXPECT_TRUE(restore(cooling, snapshot(cooling, now), now));
  cooling.on_failure(*begun, {}, now);
  EXPECT_EQ(cooling.failures(), 0U);
}

// Probes under way are of calls that are gone: their places are free.
TEST(Snapshot, ProbesUnderWayAreNotKept) {
  circuit_breaker<1, 1s, 2> const before;
  time_point const now{1h};
  before.on_failure(*before.try_enter(now).pass, {}, now);
  auto const first = before.try_enter(now + 1s).pass;
  auto const second = before.try_enter(now + 1s).pass;
  ASSERT_TRUE(first && second);
  before.on_success(*first, now + 1s);
  auto const state = snapshot(before, now + 1s);
  EXPECT_EQ(state.parts()[0].numbers, (std::vector<std::int64_t>{2, 1}));
  circuit_breaker<1, 1s, 2> const after;
  EXPECT_TRUE(restore(after, state, now + 1s));
  auto const probe = after.try_enter(now + 1s).pass;
  ASSERT_TRUE(probe.has_value());
  EXPECT_FALSE(after.try_enter(now + 1s).pass.has_value());
  after.on_success(*probe, now + 1s);
  EXPECT_EQ(after.state(), breaker_state::closed);
}

}  // namespace
}  // namespace compose_snapshot_test
