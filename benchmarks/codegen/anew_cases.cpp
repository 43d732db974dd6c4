// SPDX-License-Identifier: BSL-1.0
#include <utility>

#include "anew/anew.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/history/history.hpp"
#include "anew/policies/limits/deadline.hpp"
#include "anew/policies/limits/reset_after.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/policies/observer/fan_out.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/virtual.hpp"

#include "cases.hpp"

namespace {

using namespace std::chrono_literals;

struct is_busy {
  constexpr bool operator()(int code) const noexcept { return code == cases::busy; }
};

using plain = anew::strategy<anew::exponential_backoff<50ms, 20s>, anew::full_jitter, anew::retry_if<is_busy>,
                             anew::max_attempts<3>>;
using catching = anew::with<plain, anew::retry_all>;
static_assert(sizeof(plain) == 1, "a strategy of empty policies is an empty type");

using with_bucket = anew::with<plain, anew::token_bucket<500>>;
static_assert(sizeof(with_bucket::token_type) <= 24);
with_bucket const bucket;

struct hears_retries {
  using role = anew::roles::observer;
  static void on_retry(anew::retry_event const& event) noexcept { cases::tell_retry(event.attempt); }
};

struct hears_ends {
  using role = anew::roles::observer;
  static void on_end(anew::end_event const& event) noexcept { cases::tell_end(event.attempts); }
};

struct waits {
  void operator()(anew::duration delay) const { cases::wait(delay); }
};

// A clock that costs nothing, so that the gates are counted and not the system's clock.
struct stopped_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  static anew::time_point now() noexcept { return {}; }
};

/// The same decisions in a strategy that has no optional roles which could be absent: what the driver does for it is
/// what it does without them.
struct knows_of_no_part {
  using token_type = plain::token_type;
  static constexpr bool initial_token_is_pure = true;
  static token_type acquire_initial_token(anew::time_point now = {}) { return plain{}.acquire_initial_token(now); }
  static anew::refreshed<token_type> refresh_retry_token(token_type&& token, anew::failure const& what) {
    return plain{}.refresh_retry_token(std::move(token), what);
  }
  static void record_success(token_type&& token) { plain{}.record_success(std::move(token)); }
  static plain::classifier_type classifier() { return {}; }
};

anew::with<plain, anew::circuit_breaker<>, stopped_clock> const breaker;
anew::with<plain, anew::cool_down<>, stopped_clock> const cooling;
anew::with<plain, anew::reset_after<30s>, stopped_clock> const resetting;

template <class Role, class... Policies>
using perhaps = anew::choice<Role, anew::roles::absent<Role>, Policies...>;
anew::with<with_bucket, anew::choice<anew::roles::quota, anew::token_bucket<500>, anew::retry_budget<>>,
           perhaps<anew::roles::gate, anew::circuit_breaker<>>, perhaps<anew::roles::deadline, anew::deadline<10s>>,
           perhaps<anew::roles::reset, anew::reset_after<30s>>> const unchosen;

template <class... Policies>
using patient = anew::with<plain, anew::max_attempts<20>, Policies...>;
patient<anew::circuit_breaker<100>, stopped_clock> const patient_breaker;
patient<anew::deadline<10s>, stopped_clock> const limited;
anew::virtual_strategy<patient<anew::token_bucket<500>>> const composed;
anew::retry_strategy const& interface = composed;

cases::answer fail_first(unsigned failures, auto const& strategy) {
  cases::fail_next(failures);
  return anew::retry(strategy, cases::ask_busy, cases::wait);
}

}  // namespace

cases::answer anew_breaker_fails_2() { return fail_first(2, patient_breaker); }
cases::answer anew_breaker_fails_10() { return fail_first(10, patient_breaker); }
cases::answer anew_deadline_fails_2() { return fail_first(2, limited); }
cases::answer anew_deadline_fails_10() { return fail_first(10, limited); }
cases::answer anew_virtual_fails_2() { return fail_first(2, anew::strategy_view{interface}); }
cases::answer anew_virtual_fails_10() { return fail_first(10, anew::strategy_view{interface}); }

cases::answer anew_virtual() { return anew::retry(anew::strategy_view{interface}, cases::ask, cases::wait); }

cases::answer anew_breaker_closed() { return anew::retry(breaker, cases::ask, cases::wait); }

cases::answer anew_cool_down_idle() { return anew::retry(cooling, cases::ask, cases::wait); }

cases::answer anew_nesting_guard() {
  return anew::retry(anew::with<plain, anew::nesting_guard<>>{}, cases::ask, cases::wait);
}

cases::answer anew_reset_after() { return anew::retry(resetting, cases::ask, cases::wait); }

cases::answer anew_history() { return anew::retry(anew::with<plain, anew::history<4>>{}, cases::ask, cases::wait); }

cases::answer anew_fan_out() {
  return anew::retry(anew::with<plain, anew::fan_out<hears_retries, hears_retries>>{}, cases::ask, cases::wait);
}

cases::answer anew_unchosen() { return anew::retry(unchosen, cases::ask, cases::wait); }

cases::answer anew_without_parts() { return anew::retry(knows_of_no_part{}, cases::ask, cases::wait); }

cases::answer anew_value() { return anew::retry(plain{}, cases::ask, cases::wait); }

cases::answer anew_noexcept() { return anew::retry(plain{}, cases::ask_quietly, cases::wait); }

cases::answer anew_full_bucket() { return anew::retry(bucket, cases::ask, cases::wait); }

cases::answer anew_value_or_exception() { return anew::retry(catching{}, cases::ask, cases::wait); }

cases::answer anew_attempt_number() {
  return anew::retry(plain{}, [](anew::attempt& a) { return cases::ask_nth(a.number()); }, cases::wait);
}

cases::answer anew_attempt_reference() { return anew::retry(plain{}, cases::ask_about, cases::wait); }

cases::answer anew_observer_of_retry() {
  return anew::retry(anew::with<plain, hears_retries>{}, cases::ask, cases::wait);
}

cases::answer anew_observer_of_end() { return anew::retry(anew::with<plain, hears_ends>{}, cases::ask, cases::wait); }

cases::text anew_expected() { return anew::retry(plain{}, cases::ask_for_text, cases::wait); }

cases::reading anew_expected_in_place() {
  // Objects without size, whose addresses a call out of line would keep on the stack.
  return anew::retry(plain{}, [] { return cases::ask_for_reading(); }, waits{});
}

int anew_exceptions() {
  return anew::retry(catching{}, anew::throws_only([] { return cases::ask_or_throw(); }), cases::wait);
}
