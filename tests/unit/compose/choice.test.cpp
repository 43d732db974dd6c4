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

template <class Role>
struct choice_for {
  template <class... Ps>
  using of = choice<Role, Ps...>;
};

/// A call tells the same of each policy of a vocabulary and of a choice of all of them, or of `Absent`, that holds it. What
/// the other drivers ask of a policy, their stories say (tests/support/stories).
template <class Role, class Words, class... Absent>
void expect_alike(auto... more) {
  using any = typename support::examples<Words>::template in<choice_for<Role>::template of, Absent...>;
  support::examples<Words>::for_each([&]<class P>(P const& /*example*/) {
    for (std::uint64_t seed = 1; seed != 9; ++seed) {
      manual_clock const one, other;
      auto const composed = strategy_of(P{}, one, seed, more...);
      auto const chosen = strategy_of(any{P{}}, other, seed, more...);
      EXPECT_EQ(by_retry(composed, one, seed), by_retry(chosen, other, seed)) << describe(composed) << seed;
    }
    EXPECT_EQ(any{P{}}.describe(), detail::describe_policy(P{}));
  });
}
template <class Role>
using nobody = roles::absent<Role>;

TEST(Choice, DecidesAsThePolicyThatItHolds) {
  expect_alike<roles::backoff, backoff_words>();
  // With a bound, which is asked of the jitter; but the bounds of a delay of zero are asked of nobody.
  expect_alike<roles::jitter, jitter_words>(poll_deadline{20s});
  expect_alike<roles::quota, quota_words>();
  expect_alike<roles::hint, hint_words>();
  expect_alike<roles::max_attempts, limit_words>();
  expect_alike<roles::deadline, deadline_words, nobody<roles::deadline>>();
  expect_alike<roles::attempt_timeout, attempt_timeout_words, nobody<roles::attempt_timeout>>(anew::deadline{5s});
  expect_alike<roles::reset, reset_words, nobody<roles::reset>>(anew::deadline{60s});
  expect_alike<roles::gate, gate_words, nobody<roles::gate>>();
  expect_alike<roles::pacer, pacer_words, nobody<roles::pacer>>();
}

struct longest_if_unread : server_hint<> {
  static planned_delay not_understood(duration /*computed*/, duration cap) { return {cap, delay_origin::cap}; }
};

TEST(Choice, OfAHintThatPlansForTheUnreadAndOneThatDoesNot) {
  using hints = choice<roles::hint, server_hint<>, longest_if_unread>;
  EXPECT_EQ(hints{longest_if_unread{}}.not_understood(1s, 9s).delay, 9s);
  EXPECT_EQ(hints{server_hint<>{}}.not_understood(1s, 9s).delay, 1s);
}

using bucket = decltype(token_bucket{1});
using quotas = choice<roles::quota, unlimited_quota, bucket, long_poll<bucket>>;

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
  expect_as_without<choice<roles::deadline, nobody<roles::deadline>, anew::deadline<1s>>>();
  expect_as_without<choice<roles::attempt_timeout, nobody<roles::attempt_timeout>, attempt_timeout<1s>>>();
  expect_as_without<choice<roles::gate, nobody<roles::gate>, circuit_breaker<>>>();
  expect_as_without<choice<roles::pacer, nobody<roles::pacer>, client_rate_limiter<>>>();
  expect_as_without<choice<roles::reset, nobody<roles::reset>, reset_after<1s>>>();
  expect_as_without<choice<roles::nesting, nobody<roles::nesting>, nesting_guard<>>>();
}

/// How often the clock is read for a call that succeeds at once, of a strategy whose roles are these.
std::uint64_t readings_of_a_success(auto gate, auto deadline, auto quota) {
  manual_clock const clock;
  auto const strategy = compose(choice<roles::gate, nobody<roles::gate>, rate_breaker<>>{std::move(gate)},
                                choice<roles::deadline, nobody<roles::deadline>, anew::deadline<1s>>{deadline},
                                choice<roles::quota, unlimited_quota, retry_budget<>>{std::move(quota)},
                                max_attempts<3>{}, no_backoff{}, read_failure{}, clock);
  EXPECT_TRUE(retry(strategy, idempotent([] { return answer{}; })).has_value());
  return clock.reads();
}

TEST(Choice, WhereNothingIsAskedBeforeAnAttemptReadsNoClock) {
  nobody<roles::gate> const no_gate;
  nobody<roles::deadline> const no_deadline;
  EXPECT_EQ(readings_of_a_success(no_gate, no_deadline, unlimited_quota{}), 0U);
  EXPECT_GT(readings_of_a_success(rate_breaker<>{}, no_deadline, unlimited_quota{}), 0U);
  EXPECT_GT(readings_of_a_success(no_gate, anew::deadline<1s>{}, unlimited_quota{}), 0U);
  EXPECT_GT(readings_of_a_success(no_gate, no_deadline, retry_budget<>{}), 0U);
}

using guards = choice<roles::nesting, nobody<roles::nesting>, nesting_guard<>, nesting_guard<when_nested::share_quota>>;

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
  using clocks = choice<roles::clock, nobody<roles::clock>, manual_clock>;
  EXPECT_EQ(clocks{clock}.now(), clock.peek());
  EXPECT_GT(clocks{}.now(), time_point{});
  using sources = choice<roles::random_source, nobody<roles::random_source>, seeded_random>;
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

using exponential = decltype(exponential_backoff{1s, 2s});
using constant = decltype(constant_backoff{1s});

TEST(Choice, SaysWhichPolicyItHolds) {
  using backoffs = choice<roles::backoff, no_backoff, constant, exponential>;
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
  using any = choice<roles::quota, unlimited_quota, bucket, refilling_bucket<1, 1s>>;
  EXPECT_EQ(any{}.try_acquire(failure{}, {}).value(), any::permit_type{}) << "{} means nothing";
}

}  // namespace
}  // namespace compose_choice_test
