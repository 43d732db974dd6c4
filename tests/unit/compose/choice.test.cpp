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
#include "anew/testing/seeded_random.hpp"

#include "examples.hpp"
#include "names.hpp"

namespace compose_choice_test {
namespace {

namespace roles = anew::roles;
using anew::choice;
using anew::testing::seeded_random;

/// What an operation of the script returns.
struct answer {
  std::optional<failure> failed;
  [[nodiscard]] bool has_value() const { return !failed; }
  [[nodiscard]] static int value() { return 0; }
  [[nodiscard]] failure error() const { return *failed; }
};

}  // namespace
}  // namespace compose_choice_test

template <>
struct anew::refused_result<compose_choice_test::answer> {
  static compose_choice_test::answer make(anew::stop_reason /*why*/) { return {anew::failure{}}; }
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
    failure what{static_cast<error_kind>(dice_() % 5), anew::retry_safety::yes, {}};
    if (dice_() % 3 == 0) what.hint = duration{static_cast<std::int64_t>(dice_() % 5'000'000'000)};
    if (dice_() % 12 == 0) what.hint = duration{-1};
    return {what};
  }
  duration pause() { return duration{static_cast<std::int64_t>(dice_() % 700'000'000)}; }

 private:
  anew::generator dice_;
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
        return anew::compose(std::move(subject), read_failure{}, clock, seeded_random{seed}, std::move(rest)...,
                             std::move(more)...);
      },
      std::tuple_cat(unless_played<P>(anew::exponential_backoff{100ms, 2s}), unless_played<P>(anew::full_jitter{}),
                     unless_played<P>(anew::max_attempts{7}), unless_played<P>(anew::token_bucket{90}),
                     unless_played<P>(anew::server_hint{anew::long_hint::clamp, 3s})));
}

void add(std::string& told, auto number) { told.append(std::to_string(number)).append(" "); }

template <class S>
std::string by_retry(S const& strategy, manual_clock const& clock, std::uint64_t seed) {
  std::string told;
  script outcomes{seed};
  for (int call = 0; call != 25; ++call) {
    auto const outcome = anew::retry_outcome(strategy, anew::idempotent([&](anew::attempt& self) {
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
    EXPECT_EQ(by_retry(composed, one, seed), by_retry(chosen, other, seed)) << anew::describe(composed) << seed;
  }
}
template <class Choice, class Make, class... More>
void expect_as_composed(Make make, More... more) {
  using policy = decltype(make());
  if constexpr (anew::detail::is_absent<policy>) {
    static_assert(!anew::detail::is_absent<policy>, "an unplayed role has its own test");
  } else {
    expect_alike<Choice>(make, more...);
  }
  EXPECT_EQ(Choice{make()}.describe(), anew::detail::describe_policy(make()));
}

using exponential = decltype(anew::exponential_backoff{1s, 2s});
using constant = decltype(anew::constant_backoff{1s});
using kinds = decltype(anew::by_kind_backoff{anew::on_kind<error_kind::throttling>(anew::constant_backoff{1s}),
                                             anew::exponential_backoff{1s, 2s}});
using counted_by_kind = decltype(anew::counted_by_kind_backoff{
    anew::on_kind<error_kind::throttling>(anew::constant_backoff{1s}), anew::exponential_backoff{1s, 2s}});
using backoffs = choice<roles::backoff, anew::no_backoff, constant, exponential, kinds, counted_by_kind>;

TEST(Choice, OfABackoffDecidesAsIt) {
  expect_as_composed<backoffs>([] { return anew::no_backoff{}; });
  expect_as_composed<backoffs>([] { return anew::constant_backoff{300ms}; });
  expect_as_composed<backoffs>([] { return anew::exponential_backoff{20ms, 900ms}; });
  auto const rule = anew::on_kind<error_kind::throttling>(anew::constant_backoff{250ms});
  expect_as_composed<backoffs>([rule] { return anew::by_kind_backoff{rule, anew::exponential_backoff{30ms, 1s}}; });
  expect_as_composed<backoffs>(
      [rule] { return anew::counted_by_kind_backoff{rule, anew::exponential_backoff{30ms, 1s}}; });
}

template <class... Js>
using choice_of_jitters = choice<roles::jitter, Js...>;
using jitters = support::examples<anew::jitter_words>::in<choice_of_jitters>;

TEST(Choice, OfAJitterDecidesAsIt) {
  // With a bound, which is asked of the jitter; but the bounds of a delay of zero are asked of nobody.
  support::examples<anew::jitter_words>::for_each(
      [](auto jitter) { expect_as_composed<jitters>([jitter] { return jitter; }, anew::poll_deadline{20s}); });
}

using bucket = decltype(anew::token_bucket{1});
using lending = decltype(anew::refilling_bucket{1, 1s, anew::longest_wait{1s}});
using quotas = choice<roles::quota, anew::unlimited_quota, bucket, decltype(anew::refilling_bucket{1, 1s}), lending,
                      decltype(anew::retry_budget{20, 10, 10s}), decltype(anew::concurrency_budget{20, 3}),
                      decltype(anew::retry_throttle{100, anew::rational{1, 10}}), anew::long_poll<bucket>>;

TEST(Choice, OfAQuotaDecidesAsIt) {
  expect_as_composed<quotas>([] { return anew::unlimited_quota{}; });
  expect_as_composed<quotas>([] { return anew::token_bucket{60}; });
  expect_as_composed<quotas>([] { return anew::refilling_bucket{4, 1s}; });
  expect_as_composed<quotas>([] { return anew::refilling_bucket{3, 700ms, anew::longest_wait{1s}}; });
  expect_as_composed<quotas>([] { return anew::retry_budget{20, 1, 10s}; });
  expect_as_composed<quotas>([] { return anew::concurrency_budget{0, 1}; });
  expect_as_composed<quotas>([] { return anew::retry_throttle{8, anew::rational{1, 2}}; });
  expect_as_composed<quotas>([] { return anew::long_poll<bucket>{45}; });
}

/// Whether a call waits once more when the quota refuses its retry, however the quota is held.
TEST(Choice, InAHandleWaitsBeforeItEndsAsItsPolicyDoes) {
  auto const waits = [](auto&& quota) {
    auto const strategy = anew::compose(anew::constant_backoff{10ms}, std::forward<decltype(quota)>(quota),
                                        anew::max_attempts{2}, anew::retry_all{});
    int made = 0;
    auto const fails = [] { return std::optional<int>{}; };
    EXPECT_EQ(anew::retry_outcome(strategy, fails, [&](duration /*delay*/) { ++made; }).reason(),
              anew::stop_reason::quota);
    return made;
  };
  for (bool const polls : {false, true}) {
    auto const chosen = [&] { return polls ? quotas{anew::long_poll<bucket>{0}} : quotas{anew::token_bucket{0}}; };
    EXPECT_EQ(waits(chosen()), polls);
    EXPECT_EQ(waits(anew::shared{chosen()}), polls);
    quotas const kept{chosen()};
    EXPECT_EQ(waits(anew::borrowed{kept}), polls);
  }
}

using hints = choice<roles::hint, decltype(anew::server_hint{anew::long_hint::stop}), decltype(anew::clamped_hint{1s}),
                     decltype(anew::pushback_hint{1s}), anew::jittered_hint<>>;

TEST(Choice, OfAHintDecidesAsIt) {
  expect_as_composed<hints>([] { return anew::server_hint{anew::long_hint::stop, 2s}; });
  expect_as_composed<hints>([] { return anew::server_hint{anew::long_hint::ignore, 2s}; });
  expect_as_composed<hints>([] { return anew::clamped_hint{1s}; });
  expect_as_composed<hints>([] { return anew::pushback_hint{3s}; });
  expect_as_composed<hints>([] { return anew::jittered_hint<>{}; });
}

using attempts = choice<roles::max_attempts, anew::unbounded, decltype(anew::max_attempts{1}),
                        decltype(anew::max_attempts_by_kind{anew::on_kind<error_kind::timeout>(anew::max_attempts{1}),
                                                            anew::max_attempts{2}})>;

using deadlines = choice<roles::deadline, roles::absent<roles::deadline>, decltype(anew::deadline{1s}),
                         decltype(anew::poll_deadline{1s})>;
using timeouts =
    choice<roles::attempt_timeout, roles::absent<roles::attempt_timeout>, decltype(anew::attempt_timeout{1s}),
           decltype(anew::attempt_timeout_share{anew::rational{1, 2}})>;
using resets = choice<roles::reset, roles::absent<roles::reset>, decltype(anew::reset_after{1s})>;

TEST(Choice, OfALimitDecidesAsIt) {
  expect_as_composed<attempts>([] { return anew::unbounded{}; });
  expect_as_composed<attempts>([] { return anew::max_attempts{2}; });
  expect_as_composed<attempts>([] {
    return anew::max_attempts_by_kind{anew::on_kind<error_kind::timeout>(anew::max_attempts{2}), anew::max_attempts{4}};
  });
  expect_as_composed<deadlines>([] { return anew::deadline{3s}; });
  expect_as_composed<deadlines>([] { return anew::deadline{3s, anew::at_deadline::last_try}; });
  expect_as_composed<deadlines>([] { return anew::deadline{3s, anew::at_deadline::clamp, 500ms}; });
  expect_as_composed<deadlines>([] { return anew::poll_deadline{3s, 100ms}; });
  expect_as_composed<timeouts>([] { return anew::attempt_timeout{2s}; }, anew::deadline{5s});
  expect_as_composed<timeouts>([] { return anew::attempt_timeout_share{anew::rational{1, 2}}; }, anew::deadline{5s});
  expect_as_composed<resets>([] { return anew::reset_after{300ms}; }, anew::deadline{60s});
}

using any_throttle = decltype(anew::client_throttle{anew::rational{2}, 1s});
using gates = choice<roles::gate, roles::absent<roles::gate>, decltype(anew::circuit_breaker{1, 1s}),
                     decltype(anew::rate_breaker{50, 1s, 1, 1s}), any_throttle, anew::cool_down<exponential>>;

TEST(Choice, OfAGateDecidesAsIt) {
  expect_as_composed<gates>([] { return anew::circuit_breaker{3, 2s}; });
  expect_as_composed<gates>([] { return anew::rate_breaker{60, 2s, 3, 1s}; });
  expect_as_composed<gates>([] { return anew::client_throttle{anew::rational{3, 2}, 9s}; });
  using throttles = choice<roles::gate, roles::absent<roles::gate>, any_throttle>;
  expect_as_composed<throttles>([] { return anew::client_throttle{anew::rational{1}, 9s}; });
  expect_as_composed<gates>([] { return anew::cool_down{anew::exponential_backoff{200ms, 2s}}; });
}

using pacers = choice<roles::pacer, roles::absent<roles::pacer>, anew::client_rate_limiter<>,
                      anew::client_rate_limiter<anew::when_limited::fail_fast>>;

TEST(Choice, OfAPacerDecidesAsIt) {
  expect_as_composed<pacers>([] { return anew::client_rate_limiter<>{}; });
  expect_as_composed<pacers>([] { return anew::client_rate_limiter<anew::when_limited::fail_fast>{}; });
}

template <class Choice>
void expect_as_without() {
  for (std::uint64_t seed = 1; seed != 9; ++seed) {
    manual_clock const one;
    manual_clock const other;
    auto const composed = strategy_of(anew::full_jitter{}, one, seed);
    auto const chosen = strategy_of(anew::full_jitter{}, other, seed, Choice{});
    EXPECT_EQ(by_retry(composed, one, seed), by_retry(chosen, other, seed));
    EXPECT_EQ(anew::describe(composed), anew::describe(chosen));
  }
}

TEST(Choice, OfNobodyIsAsIfTheRoleWereNotPlayed) {
  expect_as_without<choice<roles::deadline, roles::absent<roles::deadline>, anew::deadline<1s>>>();
  expect_as_without<choice<roles::attempt_timeout, roles::absent<roles::attempt_timeout>, anew::attempt_timeout<1s>>>();
  expect_as_without<gates>();
  expect_as_without<choice<roles::pacer, roles::absent<roles::pacer>, anew::client_rate_limiter<>>>();
  expect_as_without<choice<roles::reset, roles::absent<roles::reset>, anew::reset_after<1s>>>();
  expect_as_without<choice<roles::nesting, roles::absent<roles::nesting>, anew::nesting_guard<>>>();
}

/// Counts its readings.
struct read_clock {
  using role = roles::clock;
  static constexpr bool is_steady = true;
  static inline int readings = 0;
  static anew::time_point now() noexcept { return anew::time_point{duration{++readings}}; }
};

/// How often the clock is read for a call that succeeds at once, of a strategy whose roles are these.
int readings_of_a_success(auto gate, auto deadline, auto quota) {
  auto const strategy =
      anew::compose(choice<roles::gate, roles::absent<roles::gate>, anew::rate_breaker<>>{std::move(gate)},
                    choice<roles::deadline, roles::absent<roles::deadline>, anew::deadline<1s>>{deadline},
                    choice<roles::quota, anew::unlimited_quota, anew::retry_budget<>>{std::move(quota)},
                    anew::max_attempts<3>{}, anew::no_backoff{}, read_failure{}, read_clock{});
  read_clock::readings = 0;
  EXPECT_TRUE(anew::retry(strategy, anew::idempotent([] { return answer{}; })).has_value());
  return read_clock::readings;
}

TEST(Choice, WhereNothingIsAskedBeforeAnAttemptReadsNoClock) {
  roles::absent<roles::gate> const no_gate;
  roles::absent<roles::deadline> const no_deadline;
  EXPECT_EQ(readings_of_a_success(no_gate, no_deadline, anew::unlimited_quota{}), 0);
  EXPECT_GT(readings_of_a_success(anew::rate_breaker<>{}, no_deadline, anew::unlimited_quota{}), 0);
  EXPECT_GT(readings_of_a_success(no_gate, anew::deadline<1s>{}, anew::unlimited_quota{}), 0);
  EXPECT_GT(readings_of_a_success(no_gate, no_deadline, anew::retry_budget<>{}), 0);
}

using guards = choice<roles::nesting, roles::absent<roles::nesting>, anew::nesting_guard<>,
                      anew::nesting_guard<anew::when_nested::share_quota>>;

/// Calls inside attempts of calls, by one strategy.
template <class S>
std::string nested_calls(S const& strategy, manual_clock const& clock, std::uint64_t seed) {
  std::string told;
  script outcomes{seed};
  auto const sleep = [&](duration delay) {
    add(told, delay.count());
    clock.advance(delay);
  };
  for (int call = 0; call != 12; ++call) {
    auto const outer = anew::retry_outcome(strategy, anew::idempotent([&] {
                                             auto const inner = anew::retry_outcome(
                                                 strategy, anew::idempotent([&] { return outcomes.next(); }), sleep);
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
  alike(anew::nesting_guard<>{});
  alike(anew::nesting_guard<anew::when_nested::share_quota>{});
}

TEST(Choice, OfTimeAndChanceAsksTheChosenOne) {
  manual_clock const clock;
  using clocks = choice<roles::clock, roles::absent<roles::clock>, manual_clock>;
  EXPECT_EQ(clocks{clock}.now(), clock.peek());
  EXPECT_GT(clocks{}.now(), anew::time_point{});
  using sources = choice<roles::random_source, roles::absent<roles::random_source>, seeded_random>;
  EXPECT_EQ(sources{seeded_random{5}}(), seeded_random{5}());
  EXPECT_NE(sources{}(), sources{}());
}

TEST(Choice, OfAClassifierReadsWhatAllOfThemRead) {
  using classifiers = choice<roles::classifier, anew::retry_info_classifier, anew::retry_all>;
  static_assert(anew::ClassifierOf<classifiers, std::logic_error> && !anew::ClassifierOf<classifiers, int>);
  EXPECT_EQ(classifiers{anew::retry_all{}}.classify(std::logic_error{""}),
            anew::retry_all::classify(std::logic_error{""}));
  // An exception of any type is read by those that read any.
  EXPECT_TRUE(classifiers{anew::retry_all{}}.classify(anew::unknown_exception{}).is_retry());
  EXPECT_TRUE(classifiers{anew::retry_info_classifier{}}.classify(anew::unknown_exception{}).is_unclassified());
  // What the chosen one does not read stays unread: another classifier may read it, and `not_` retries it no more.
  using named = choice<roles::classifier, anew::retry_on<std::bad_alloc>, anew::retry_on<std::bad_cast>>;
  named const first{anew::retry_on<std::bad_alloc>{}};
  EXPECT_TRUE(first.classify(std::bad_cast{}).is_unclassified());
  EXPECT_TRUE((anew::first_of{first, anew::retry_all{}}.classify(std::bad_cast{}).is_retry()));
  EXPECT_FALSE(anew::not_{first}.classify(std::bad_cast{}).is_retry());
}

TEST(Choice, SaysWhichPolicyItHolds) {
  backoffs chosen{anew::constant_backoff{3s}};
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
  static_assert(std::is_same_v<choice<roles::quota, anew::unlimited_quota, bucket>::permit_type, std::uint32_t>);
  static_assert(std::is_same_v<choice<roles::quota, anew::unlimited_quota>::permit_type, anew::no_permit>);
  static_assert(!Remembers<choice<roles::jitter, anew::full_jitter, anew::no_jitter>>);
  quotas const unlimited;
  EXPECT_EQ(unlimited.try_acquire(failure{}, {}).value(), quotas::permit_type{}) << "{} means nothing";
}

}  // namespace
}  // namespace compose_choice_test
