// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <gtest/gtest.h>

#include "anew/policies.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

#include "examples.hpp"
#include "failed_answer.hpp"
#include "names.hpp"

namespace compose_choice_test {
namespace {

using namespace anew;
namespace roles = anew::roles;
using anew::testing::seeded_random;

/// What an operation of the script returns.
struct answer : support::answer_of<failure> {};

}  // namespace
}  // namespace compose_choice_test

template <>
struct anew::refused_result<compose_choice_test::answer> {
  static compose_choice_test::answer make(anew::stop_reason /*why*/) { return {{anew::failure{}}}; }
};

namespace compose_choice_test {
namespace {

struct read_failure {
  using role = roles::classifier;
  [[nodiscard]] static directive classify(failure const& what) { return directive::retry(what); }
};

/// Outcomes by a seed: successes, and failures of every kind, with and without hints, and with one that forbids retries.
class script {
 public:
  explicit script(std::uint64_t seed) : dice_{seed} {}
  answer next() {
    if (dice_() % 5 == 0) return {};
    failure what{static_cast<error_kind>(dice_() % 5), retry_safety::yes, {}};
    if (dice_() % 3 == 0) what.hint = duration{static_cast<std::int64_t>(dice_() % 5'000'000'000)};
    if (dice_() % 12 == 0) what.hint = duration{-1};
    return {what};
  }
  duration pause() { return duration{static_cast<std::int64_t>(dice_() % 700'000'000)}; }

 private:
  generator dice_;
};

/// Each default of the role of `P` omitted, for its role is played.
template <class P, class Default>
auto unless_played(Default made) {
  if constexpr (std::is_same_v<typename P::role, typename Default::role>) {
    return std::tuple<>{};
  } else {
    return std::tuple<Default>{std::move(made)};
  }
}
template <class P, class... More>
auto strategy_of(P subject, manual_clock const& clock, std::uint64_t seed, More... more) {
  return std::apply(
      [&](auto... rest) {
        return compose(std::move(subject), read_failure{}, clock, seeded_random{seed}, std::move(rest)...,
                       std::move(more)...);
      },
      std::tuple_cat(unless_played<P>(exponential_backoff{100ms, 2s}), unless_played<P>(full_jitter{}),
                     unless_played<P>(max_attempts{7}), unless_played<P>(token_bucket{90}),
                     unless_played<P>(server_hint{long_hint::clamp, 3s})));
}

void add(std::string& told, auto number) { told.append(std::to_string(number)).append(" "); }

std::string by_retry(auto const& strategy, manual_clock const& clock, std::uint64_t seed) {
  std::string told;
  script outcomes{seed};
  for (int call = 0; call != 25; ++call) {
    auto const outcome = retry_outcome(strategy, idempotent([&](attempt& self) {
                                         if (self.limit() != duration::max()) add(told, self.limit().count());
                                         clock.advance(outcomes.pause());
                                         return outcomes.next();
                                       }),
                                       [&](duration delay) {
                                         add(told, delay.count());
                                         clock.advance(delay);
                                       });
    told.append(to_string(outcome.reason())).append(" ");
    add(told, outcome.attempts());
  }
  return told;
}

/// A call tells the same of a policy and of a choice that holds it. What the other drivers ask of a policy, their stories
/// say (tests/support/stories).
template <class Choice, class Make, class... More>
void expect_alike(Make make, More... more) {
  for (std::uint64_t seed = 1; seed != 9; ++seed) {
    manual_clock const one;
    manual_clock const other;
    auto const composed = strategy_of(make(), one, seed, more...);
    auto const chosen = strategy_of(Choice{make()}, other, seed, more...);
    EXPECT_EQ(by_retry(composed, one, seed), by_retry(chosen, other, seed)) << describe(composed) << seed;
  }
}
template <class Choice, class Make, class... More>
void expect_as_composed(Make make, More... more) {
  using policy = decltype(make());
  if constexpr (detail::is_absent<policy>) {
    static_assert(!detail::is_absent<policy>, "an unplayed role has its own test");
  } else {
    expect_alike<Choice>(make, more...);
  }
  EXPECT_EQ(Choice{make()}.describe(), detail::describe_policy(make()));
}

using exponential = decltype(exponential_backoff{1s, 2s});
using constant = decltype(constant_backoff{1s});
using kinds =
    decltype(by_kind_backoff{on_kind<error_kind::throttling>(constant_backoff{1s}), exponential_backoff{1s, 2s}});
using counted_by_kind = decltype(counted_by_kind_backoff{on_kind<error_kind::throttling>(constant_backoff{1s}),
                                                         exponential_backoff{1s, 2s}});
using backoffs = choice<roles::backoff, no_backoff, constant, exponential, kinds, counted_by_kind>;

TEST(Choice, OfABackoffDecidesAsIt) {
  expect_as_composed<backoffs>([] { return no_backoff{}; });
  expect_as_composed<backoffs>([] { return constant_backoff{300ms}; });
  expect_as_composed<backoffs>([] { return exponential_backoff{20ms, 900ms}; });
  auto const rule = on_kind<error_kind::throttling>(constant_backoff{250ms});
  expect_as_composed<backoffs>([rule] { return by_kind_backoff{rule, exponential_backoff{30ms, 1s}}; });
  expect_as_composed<backoffs>([rule] { return counted_by_kind_backoff{rule, exponential_backoff{30ms, 1s}}; });
}

template <class... Js>
using choice_of_jitters = choice<roles::jitter, Js...>;
using jitters = support::examples<jitter_words>::in<choice_of_jitters>;

TEST(Choice, OfAJitterDecidesAsIt) {
  // With a bound, which is asked of the jitter; but the bounds of a delay of zero are asked of nobody.
  support::examples<jitter_words>::for_each(
      [](auto jitter) { expect_as_composed<jitters>([jitter] { return jitter; }, poll_deadline{20s}); });
}

using bucket = decltype(token_bucket{1});
using lending = decltype(refilling_bucket{1, 1s, longest_wait{1s}});
using quotas = choice<roles::quota, unlimited_quota, bucket, decltype(refilling_bucket{1, 1s}), lending,
                      decltype(retry_budget{20, 10, 10s}), decltype(concurrency_budget{20, 3}),
                      decltype(retry_throttle{100, rational{1, 10}}), long_poll<bucket>>;

TEST(Choice, OfAQuotaDecidesAsIt) {
  expect_as_composed<quotas>([] { return unlimited_quota{}; });
  expect_as_composed<quotas>([] { return token_bucket{60}; });
  expect_as_composed<quotas>([] { return refilling_bucket{4, 1s}; });
  expect_as_composed<quotas>([] { return refilling_bucket{3, 700ms, longest_wait{1s}}; });
  expect_as_composed<quotas>([] { return retry_budget{20, 1, 10s}; });
  expect_as_composed<quotas>([] { return concurrency_budget{0, 1}; });
  expect_as_composed<quotas>([] { return retry_throttle{8, rational{1, 2}}; });
  expect_as_composed<quotas>([] { return long_poll<bucket>{45}; });
}

/// Whether a call waits once more when the quota refuses its retry, however the quota is held.
TEST(Choice, InAHandleWaitsBeforeItEndsAsItsPolicyDoes) {
  auto const waits = [](auto&& quota) {
    auto const strategy =
        compose(constant_backoff{10ms}, std::forward<decltype(quota)>(quota), max_attempts{2}, retry_all{});
    int made = 0;
    auto const fails = [] { return std::optional<int>{}; };
    EXPECT_EQ(retry_outcome(strategy, fails, [&](duration /*delay*/) { ++made; }).reason(), stop_reason::quota);
    return made;
  };
  for (bool const polls : {false, true}) {
    auto const chosen = [&] { return polls ? quotas{long_poll<bucket>{0}} : quotas{token_bucket{0}}; };
    EXPECT_EQ(waits(chosen()), polls);
    EXPECT_EQ(waits(shared{chosen()}), polls);
    quotas const kept{chosen()};
    EXPECT_EQ(waits(borrowed{kept}), polls);
  }
}

using hints = choice<roles::hint, decltype(server_hint{long_hint::stop}), decltype(clamped_hint{1s}),
                     decltype(pushback_hint{1s}), jittered_hint<>>;

struct longest_for_unread {
  using role = roles::hint;
  static std::optional<planned_delay> resolve(duration computed, duration /*asked*/, duration /*cap*/) {
    return planned_delay{computed, delay_origin::backoff};
  }
  static planned_delay not_understood(duration /*computed*/, duration cap) { return {cap, delay_origin::cap}; }
};

TEST(Choice, OfAHintPlansForADelayThatWasNotUnderstood) {
  using either = choice<roles::hint, longest_for_unread, jittered_hint<>>;
  EXPECT_EQ(either{longest_for_unread{}}.not_understood(1s, 2s).delay, 2s);
  EXPECT_EQ(either{jittered_hint<>{}}.not_understood(1s, 2s).delay, 1s);
}

TEST(Choice, OfAHintDecidesAsIt) {
  expect_as_composed<hints>([] { return server_hint{long_hint::stop, 2s}; });
  expect_as_composed<hints>([] { return server_hint{long_hint::ignore, 2s}; });
  expect_as_composed<hints>([] { return clamped_hint{1s}; });
  expect_as_composed<hints>([] { return pushback_hint{3s}; });
  expect_as_composed<hints>([] { return jittered_hint<>{}; });
}

using attempts = choice<roles::max_attempts, unbounded, decltype(max_attempts{1}),
                        decltype(max_attempts_by_kind{on_kind<error_kind::timeout>(max_attempts{1}), max_attempts{2}})>;

using deadlines =
    choice<roles::deadline, roles::absent<roles::deadline>, decltype(anew::deadline{1s}), decltype(poll_deadline{1s})>;
using timeouts = choice<roles::attempt_timeout, roles::absent<roles::attempt_timeout>, decltype(attempt_timeout{1s}),
                        decltype(attempt_timeout_share{rational{1, 2}})>;
using resets = choice<roles::reset, roles::absent<roles::reset>, decltype(reset_after{1s})>;

TEST(Choice, OfALimitDecidesAsIt) {
  expect_as_composed<attempts>([] { return unbounded{}; });
  expect_as_composed<attempts>([] { return max_attempts{2}; });
  expect_as_composed<attempts>(
      [] { return max_attempts_by_kind{on_kind<error_kind::timeout>(max_attempts{2}), max_attempts{4}}; });
  expect_as_composed<deadlines>([] { return anew::deadline{3s}; });
  expect_as_composed<deadlines>([] { return anew::deadline{3s, at_deadline::last_try}; });
  expect_as_composed<deadlines>([] { return anew::deadline{3s, at_deadline::clamp, 500ms}; });
  expect_as_composed<deadlines>([] { return poll_deadline{3s, 100ms}; });
  expect_as_composed<timeouts>([] { return attempt_timeout{2s}; }, anew::deadline{5s});
  expect_as_composed<timeouts>([] { return attempt_timeout_share{rational{1, 2}}; }, anew::deadline{5s});
  expect_as_composed<resets>([] { return reset_after{300ms}; }, anew::deadline{60s});
}

using any_throttle = decltype(client_throttle{rational{2}, 1s});
using gates = choice<roles::gate, roles::absent<roles::gate>, decltype(circuit_breaker{1, 1s}),
                     decltype(rate_breaker{50, 1s, 1, 1s}), any_throttle, cool_down<exponential>>;

TEST(Choice, OfAGateDecidesAsIt) {
  expect_as_composed<gates>([] { return circuit_breaker{3, 2s}; });
  expect_as_composed<gates>([] { return rate_breaker{60, 2s, 3, 1s}; });
  expect_as_composed<gates>([] { return client_throttle{rational{3, 2}, 9s}; });
  using throttles = choice<roles::gate, roles::absent<roles::gate>, any_throttle>;
  expect_as_composed<throttles>([] { return client_throttle{rational{1}, 9s}; });
  expect_as_composed<gates>([] { return cool_down{exponential_backoff{200ms, 2s}}; });
}

using pacers = choice<roles::pacer, roles::absent<roles::pacer>, client_rate_limiter<>,
                      client_rate_limiter<when_limited::fail_fast>>;

TEST(Choice, OfAPacerDecidesAsIt) {
  expect_as_composed<pacers>([] { return client_rate_limiter<>{}; });
  expect_as_composed<pacers>([] { return client_rate_limiter<when_limited::fail_fast>{}; });
}

template <class Choice>
void expect_as_without() {
  for (std::uint64_t seed = 1; seed != 9; ++seed) {
    manual_clock const one;
    manual_clock const other;
    auto const composed = strategy_of(full_jitter{}, one, seed);
    auto const chosen = strategy_of(full_jitter{}, other, seed, Choice{});
    EXPECT_EQ(by_retry(composed, one, seed), by_retry(chosen, other, seed));
    EXPECT_EQ(describe(composed), describe(chosen));
  }
}

TEST(Choice, OfNobodyIsAsIfTheRoleWereNotPlayed) {
  expect_as_without<choice<roles::deadline, roles::absent<roles::deadline>, anew::deadline<1s>>>();
  expect_as_without<choice<roles::attempt_timeout, roles::absent<roles::attempt_timeout>, attempt_timeout<1s>>>();
  expect_as_without<gates>();
  expect_as_without<choice<roles::pacer, roles::absent<roles::pacer>, client_rate_limiter<>>>();
  expect_as_without<choice<roles::reset, roles::absent<roles::reset>, reset_after<1s>>>();
  expect_as_without<choice<roles::nesting, roles::absent<roles::nesting>, nesting_guard<>>>();
}

/// Counts its readings.
struct read_clock {
  using role = roles::clock;
  static constexpr bool is_steady = true;
  static inline int readings = 0;
  static time_point now() noexcept { return time_point{duration{++readings}}; }
};

/// How often the clock is read for a call that succeeds at once, of a strategy whose roles are these.
int readings_of_a_success(auto gate, auto deadline, auto quota) {
  auto const strategy = compose(choice<roles::gate, roles::absent<roles::gate>, rate_breaker<>>{std::move(gate)},
                                choice<roles::deadline, roles::absent<roles::deadline>, anew::deadline<1s>>{deadline},
                                choice<roles::quota, unlimited_quota, retry_budget<>>{std::move(quota)},
                                max_attempts<3>{}, no_backoff{}, read_failure{}, read_clock{});
  read_clock::readings = 0;
  EXPECT_TRUE(retry(strategy, idempotent([] { return answer{}; })).has_value());
  return read_clock::readings;
}

TEST(Choice, WhereNothingIsAskedBeforeAnAttemptReadsNoClock) {
  roles::absent<roles::gate> const no_gate;
  roles::absent<roles::deadline> const no_deadline;
  EXPECT_EQ(readings_of_a_success(no_gate, no_deadline, unlimited_quota{}), 0);
  EXPECT_GT(readings_of_a_success(rate_breaker<>{}, no_deadline, unlimited_quota{}), 0);
  EXPECT_GT(readings_of_a_success(no_gate, anew::deadline<1s>{}, unlimited_quota{}), 0);
  EXPECT_GT(readings_of_a_success(no_gate, no_deadline, retry_budget<>{}), 0);
}

using guards =
    choice<roles::nesting, roles::absent<roles::nesting>, nesting_guard<>, nesting_guard<when_nested::share_quota>>;

/// Calls inside attempts of calls, by one strategy.
std::string nested_calls(auto const& strategy, manual_clock const& clock, std::uint64_t seed) {
  std::string told;
  script outcomes{seed};
  auto const sleep = [&](duration delay) {
    add(told, delay.count());
    clock.advance(delay);
  };
  for (int call = 0; call != 12; ++call) {
    auto const outer = retry_outcome(strategy, idempotent([&] {
                                       auto const inner =
                                           retry_outcome(strategy, idempotent([&] { return outcomes.next(); }), sleep);
                                       told.append(to_string(inner.reason())).append(" ");
                                       add(told, strategy.quota().balance());
                                       return outcomes.next();
                                     }),
                                     sleep);
    told.append(to_string(outer.reason())).append(" ");
  }
  return told;
}

TEST(Choice, OfAGuardDecidesAsIt) {
  auto const alike = [](auto guard) {
    for (std::uint64_t seed = 1; seed != 9; ++seed) {
      manual_clock const one;
      manual_clock const other;
      auto const composed = strategy_of(guard, one, seed);
      auto const chosen = strategy_of(guards{guard}, other, seed);
      EXPECT_EQ(nested_calls(composed, one, seed), nested_calls(chosen, other, seed)) << seed;
    }
  };
  alike(nesting_guard<>{});
  alike(nesting_guard<when_nested::share_quota>{});
}

TEST(Choice, OfTimeAndChanceAsksTheChosenOne) {
  manual_clock const clock;
  using clocks = choice<roles::clock, roles::absent<roles::clock>, manual_clock>;
  EXPECT_EQ(clocks{clock}.now(), clock.peek());
  EXPECT_GT(clocks{}.now(), time_point{});
  using sources = choice<roles::random_source, roles::absent<roles::random_source>, seeded_random>;
  EXPECT_EQ(sources{seeded_random{5}}(), seeded_random{5}());
  EXPECT_NE(sources{}(), sources{}());
}

TEST(Choice, OfAClassifierReadsWhatAllOfThemRead) {
  using classifiers = choice<roles::classifier, retry_info_classifier, retry_all>;
  static_assert(ClassifierOf<classifiers, std::logic_error> && !ClassifierOf<classifiers, int>);
  EXPECT_EQ(classifiers{retry_all{}}.classify(std::logic_error{""}), retry_all::classify(std::logic_error{""}));
  // An exception of any type is read by those that read any.
  EXPECT_TRUE(classifiers{retry_all{}}.classify(unknown_exception{}).is_retry());
  EXPECT_TRUE(classifiers{retry_info_classifier{}}.classify(unknown_exception{}).is_unclassified());
  // What the chosen one does not read stays unread: another classifier may read it, and `not_` retries it no more.
  using named = choice<roles::classifier, retry_on<std::bad_alloc>, retry_on<std::bad_cast>>;
  named const first{retry_on<std::bad_alloc>{}};
  EXPECT_TRUE(first.classify(std::bad_cast{}).is_unclassified());
  EXPECT_TRUE((first_of{first, retry_all{}}.classify(std::bad_cast{}).is_retry()));
  EXPECT_FALSE(not_{first}.classify(std::bad_cast{}).is_retry());
}

TEST(Choice, SaysWhichPolicyItHolds) {
  backoffs chosen{constant_backoff{3s}};
  EXPECT_TRUE(chosen.holds<constant>());
  EXPECT_FALSE(chosen.holds<exponential>());
  EXPECT_EQ(chosen.index(), 1U);
  ASSERT_NE(chosen.get_if<constant>(), nullptr);
  EXPECT_EQ(chosen.get_if<constant>()->cap(), 3s);
  chosen.emplace<exponential>(1s, 4s);
  EXPECT_EQ(chosen.describe(), "exponential(1s,4s)");
  EXPECT_EQ(backoffs{}.describe(), "no_backoff");
}

template <class J>
concept Remembers = requires { typename J::state_type; };

TEST(Choice, HoldsNoMoreThanItsPoliciesDo) {
  static_assert(std::is_same_v<choice<roles::quota, unlimited_quota, bucket>::permit_type, std::uint32_t>);
  static_assert(std::is_same_v<choice<roles::quota, unlimited_quota>::permit_type, no_permit>);
  static_assert(!Remembers<choice<roles::jitter, full_jitter, no_jitter>>);
  quotas const unlimited;
  EXPECT_EQ(unlimited.try_acquire(failure{}, {}).value(), quotas::permit_type{}) << "{} means nothing";
}

}  // namespace
}  // namespace compose_choice_test
