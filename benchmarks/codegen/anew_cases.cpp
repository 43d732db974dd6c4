// SPDX-License-Identifier: BSL-1.0
#include "anew/anew.hpp"

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

}  // namespace

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

int anew_exceptions() { return anew::retry(catching{}, cases::ask_or_throw, cases::wait); }
