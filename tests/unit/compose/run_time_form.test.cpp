// SPDX-License-Identifier: BSL-1.0
// A call decides by its strategy's run-time form after a failure. The form decides alike: for each shape the same calls,
// drawn at random, are made through a strategy and through the form of an equal strategy, and every answer, delay, balance
// and random number is compared.
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/drivers/internal/loop_basis.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/policies.hpp"
#include "anew/policies/sharing/borrowed.hpp"
#include "anew/policies/sharing/shared.hpp"

#include "failed_answer.hpp"
#include "names.hpp"

namespace compose_run_time_form_test {

/// Empty, so that they are their own forms.
struct numbers {
  using role = anew::roles::random_source;
  static inline std::uint64_t state = 1;
  std::uint64_t operator()() const noexcept {
    state = state * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return state;
  }
};
struct hand {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  static inline time_point time{};
  static time_point now() noexcept { return time; }
};

constexpr int calls_of_each_shape = 2000;
int calls_made = 0;
int retries_made = 0;

class script {
 public:
  int any(int low, int high) { return std::uniform_int_distribution{low, high}(engine_); }
  bool one_in(int n) { return any(1, n) == n; }
  failure any_failure() {
    failure what{static_cast<error_kind>(any(0, 4)), retry_safety::yes, {}};
    if (one_in(12)) what.safety = one_in(2) ? retry_safety::no : retry_safety::maybe;
    if (one_in(3)) what.hint = anew::asked_delay::after(std::chrono::milliseconds{any(0, 90'000)});
    if (one_in(40)) what.hint = anew::asked_delay::do_not_retry();
    return what;
  }

 private:
  std::mt19937_64 engine_{20261122};
};

auto balance_of(auto const& strategy) {
  if constexpr (requires { strategy.quota().balance(); }) return strategy.quota().balance();
  if constexpr (requires { strategy.quota().policy().balance(); }) return strategy.quota().policy().balance();
  return std::uint32_t{0};
}

/// One call through both; returns false after the first difference.
template <class S, class Form>
void make_call(S const& strategy, S const& of_form, Form const& form, script& events) {
  auto token = strategy.acquire_initial_token();
  auto its_token = form.acquire_initial_token();
  for (;;) {
    ASSERT_EQ(token.attempt(), its_token.attempt());
    ASSERT_EQ(token.delay(), its_token.delay());
    ASSERT_EQ(token.deadline(), its_token.deadline());
    ASSERT_EQ(balance_of(strategy), balance_of(of_form));
    hand::time += token.delay() + std::chrono::milliseconds{events.any(0, 500)};
    if (events.one_in(20)) return;  // the operation threw what nobody reads: the tokens are dropped
    if (events.one_in(6)) {
      strategy.record_success(std::move(token));
      return form.record_success(std::move(its_token));
    }
    auto const what = events.any_failure();
    auto const before = numbers::state;
    auto const answer = strategy.refresh_in_place(token, what);
    auto const after = std::exchange(numbers::state, before);
    auto const its_answer = form.refresh_in_place(its_token, what);
    ASSERT_EQ(numbers::state, after);
    ASSERT_EQ(answer.refusal, its_answer.refusal);
    ASSERT_EQ(answer.origin, its_answer.origin);
    ASSERT_EQ(answer.wait_before_end, its_answer.wait_before_end);
    if (!answer) return;
    ++retries_made;
  }
}

/// Requires: `make()` returns an equal strategy each time.
void compare(auto make) {
  auto const strategy = make();
  auto const of_form = make();
  using type = std::remove_const_t<decltype(strategy)>;
  static_assert(!std::is_same_v<anew::detail::decider_type_of<type>, type>, "decides by itself");
  auto const form = anew::detail::make_run_time_form(of_form);
  script events;
  for (int call = 0; call != calls_of_each_shape && !::testing::Test::HasFatalFailure(); ++call, ++calls_made) {
    make_call(strategy, of_form, form, events);
  }
  EXPECT_EQ(balance_of(strategy), balance_of(of_form));
}
template <class... Ps>
void compare_static() {
  compare([] { return anew::strategy<Ps..., anew::retry_all, hand, numbers>{}; });
}
template <class... Makes>
void compare_made(Makes... makes) {
  compare([&] { return anew::compose(makes()..., anew::retry_all{}, hand{}, numbers{}); });
}

using many = anew::max_attempts<9>;

TEST(RunTimeForm, DecidesAsItsStrategy) {
  compare_static<>();
  compare_static<anew::exponential_backoff<7ms, 3s>, anew::equal_jitter, many>();
  compare_static<anew::exponential_backoff<7ms, 30s, rational{3, 2}>, anew::no_jitter, many>();
  compare_static<anew::constant_backoff<11ms>, anew::proportional_jitter<rational{1, 5}>, many>();
  compare_static<anew::linear_backoff<5ms, 3s, 7ms>, anew::scaled_jitter<rational{1, 2}, rational{3, 2}>, many>();
  compare_static<anew::fibonacci_backoff<5ms, 3s>, anew::decorrelated_jitter, many>();
  compare_static<anew::immediate_first<anew::exponential_backoff<5ms, 3s>>, anew::from_first_jitter, many>();
  compare_static<anew::sequence_backoff<5ms, 9ms, 70ms>, anew::cap_after_draw_jitter, many>();
  compare_static<anew::at_least_backoff<anew::constant_backoff<3ms>, 4ms>, anew::polly_decorrelated_jitter, many>();
  compare_static<anew::no_backoff, anew::unbounded>();
}
TEST(RunTimeForm, DecidesAsItsStrategyWithHintsAndDeadlines) {
  compare_static<anew::server_hint<anew::long_hint::clamp, 2s>, many>();
  compare_static<anew::server_hint<anew::long_hint::ignore, 70s>, anew::deadline<90s>, many>();
  compare_static<anew::clamped_hint<3s>, anew::deadline<60s, anew::at_deadline::last_try>, many>();
  compare_static<anew::pushback_hint<40s>, anew::deadline<80s, anew::at_deadline::clamp, 5s>, many>();
  compare_static<anew::jittered_hint<>, anew::poll_deadline<70s, 2s>, many>();
  compare_static<anew::attempt_timeout<3s>, anew::nesting_guard<>, anew::history<3>, many>();
}
TEST(RunTimeForm, SpendsAndRefillsTheBucketOfItsStrategy) {
  using anew::token_bucket, anew::retry_costs, anew::refund;
  compare_static<token_bucket<60>, many>();
  compare_static<token_bucket<0>, many>();
  compare_static<token_bucket<500, retry_costs::all(5)>, many>();
  compare_static<token_bucket<90, retry_costs{}, refund::fixed(2)>, many>();
  compare_static<token_bucket<40, retry_costs{}, refund::fraction(1, 10), anew::payment::partial>, many>();
  compare_made([] { return token_bucket{70, retry_costs{}, refund::fraction(1, 3)}; });
  compare_made([] { return anew::shared<token_bucket<60>>{token_bucket<60>{}}; });
}
TEST(RunTimeForm, TakesNumbersThatAreValuesAlready) {
  compare_made([] { return anew::exponential_backoff{7ms, 3s}; }, [] { return anew::max_attempts{9}; });
  compare_made([] { return anew::exponential_backoff{7ms, 3s, rational{5, 2}}; },
               [] { return anew::server_hint{anew::long_hint::clamp, 2s}; });
  compare_made([] { return anew::linear_backoff{5ms, 3s, 7ms}; }, [] { return anew::deadline{60s}; },
               [] { return many{}; });
  compare_made([] { return anew::constant_backoff{5ms}; }, [] { return anew::proportional_jitter{rational{1, 4}}; });
  compare_made([] { return anew::fibonacci_backoff{5ms, 3s}; }, [] { return anew::clamped_hint{2s}; });
  EXPECT_GE(calls_made, 20'000);
  EXPECT_GE(retries_made, 20'000);
}

TEST(RunTimeForm, HasOneTypeForAllNumbers) {
  using first = anew::strategy<anew::exponential_backoff<1ms, 2s>, anew::token_bucket<60>, many, anew::retry_all>;
  using second = anew::strategy<anew::exponential_backoff<3ms, 4s>, anew::token_bucket<90>, anew::max_attempts<4>>;
  static_assert(std::is_same_v<anew::detail::decider_type_of<first>, anew::detail::decider_type_of<second>>);
}

/// Has numbers, and no form.
struct steps {
  using role = anew::roles::backoff;
  duration step;
  [[nodiscard]] duration delay(std::uint32_t retry) const { return step * retry; }
};
TEST(RunTimeForm, IsNotMadeForAPolicyThatHasNone) {
  using type = decltype(anew::compose(steps{1ms}, many{}));
  static_assert(std::is_same_v<anew::detail::decider_type_of<type>, type>);
  using gated = anew::strategy<anew::circuit_breaker<>, many>;
  static_assert(std::is_same_v<anew::detail::decider_type_of<gated>, gated>);
}

// A policy that overrides a part of one with a form is asked, as any other: the inherited form decides for the base.
struct closed_bucket : anew::token_bucket<500> {
  std::optional<permit_type> try_acquire(failure const& /*what*/) const { return std::nullopt; }
};
struct once_more : anew::max_attempts<5> {
  static bool permits_another(std::uint32_t made) { return made < 2; }
};
struct forever : anew::exponential_backoff<1s, 20s> {
  static duration delay(std::uint32_t /*retry*/) { return 7s; }
};
struct half_as_long : anew::deadline<20s> {
  static std::optional<duration> fit(duration delay, duration /*remaining*/) {
    return delay < 10s ? std::optional{delay} : std::nullopt;
  }
};
struct shut : anew::circuit_breaker<5, 30s> {
  static anew::admission<pass_type> try_enter(time_point /*now*/) { return anew::admission<pass_type>::refuse(); }
};
struct twice_as_asked : anew::server_hint<> {
  static inline int asked_of = 0;
  static std::optional<anew::planned_delay> resolve(duration /*computed*/, duration asked, duration /*cap*/) {
    ++asked_of;
    return anew::planned_delay{2 * asked, anew::delay_origin::hint};
  }
};
struct beyond_the_cap : anew::exponential_backoff<1s, 20s> {
  static duration delay(std::uint32_t /*retry*/) { return 60s; }
};

template <class... Policies>
struct record {
  int attempts = 0;
  duration waited{};
  anew::strategy<anew::retry_all, Policies...> const strategy{};
  explicit record() {
    (void)anew::retry(strategy, [this] { return ++attempts == 40; }, [this](duration wait) { waited += wait; });
  }
};

/// A server that asks for five seconds.
struct busy {
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::yes; }
  [[nodiscard]] static std::optional<duration> retry_after() { return 5s; }
};
using refusal = support::failed_answer<busy>;

TEST(RunTimeForm, AnOverriddenHintIsAskedByEveryDriver) {
  anew::strategy<twice_as_asked, anew::no_backoff, anew::no_jitter> const strategy;
  duration waited{};
  twice_as_asked::asked_of = 0;
  (void)anew::retry(strategy, [] { return refusal{}; }, [&](duration wait) { waited += wait; });
  EXPECT_EQ(waited, 20s);
  EXPECT_EQ(twice_as_asked::asked_of, 2);

  anew::retry_machine call{strategy};
  waited = {};
  for (auto step = call.begin(); step != anew::next_step::finished;) {
    if (step == anew::next_step::wait) waited += call.wait();
    step = step == anew::next_step::wait ? call.on_wait_over() : call.on_outcome(refusal{});
  }
  EXPECT_EQ(waited, 20s);
  EXPECT_EQ(twice_as_asked::asked_of, 4);
}

TEST(RunTimeForm, IsNotInherited) {
  EXPECT_EQ((record<closed_bucket, anew::no_backoff>{}.attempts), 1);
  EXPECT_EQ((record<once_more, anew::no_backoff>{}.attempts), 2);
  EXPECT_EQ((record<forever, anew::no_jitter>{}.waited), 14s);
  EXPECT_EQ((record<anew::immediate_first<forever>, anew::no_jitter, anew::max_attempts<4>>{}.waited), 14s);
  EXPECT_EQ((record<half_as_long, anew::constant_backoff<15s>, anew::no_jitter, anew::unbounded>{}.attempts), 1);
  EXPECT_EQ((record<beyond_the_cap, anew::no_jitter>{}.waited), 40s) << "clamped to the cap, as any policy of yours";
#if ANEW_EXCEPTIONS  // without them a call that is refused needs a result of its own
  anew::strategy<shut, anew::retry_all> const behind_a_gate;
  auto const refused = anew::retry_outcome(behind_a_gate, [] { return true; });
  EXPECT_EQ(refused.reason(), anew::stop_reason::gate_closed);
  EXPECT_EQ(refused.attempts(), 0U);
#endif
  anew::shared<closed_bucket> const common{};
  auto const through_shared = anew::compose(common, anew::no_backoff{}, anew::retry_all{});
  int attempts = 0;
  (void)anew::retry(through_shared, [&] { return ++attempts == 40; });
  EXPECT_EQ(attempts, 1);
}

}  // namespace compose_run_time_form_test
