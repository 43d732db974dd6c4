// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BENCHMARKS_CODEGEN_CASES_HPP
#define ANEW_BENCHMARKS_CODEGEN_CASES_HPP

#include <string>

#include <tl/expected.hpp>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"

/// What the functions under count call. All of it is defined in another file, so that the compiler knows nothing of it.
namespace cases {

/// A small result by value: it fails when `code` is not zero.
struct answer {
  int value;
  int code;
  [[nodiscard]] bool has_value() const noexcept { return code == 0; }
  [[nodiscard]] int error() const noexcept { return code; }
};
inline constexpr int busy = 503;
struct point {
  int x;
  int y;
};
using text = tl::expected<std::string, int>;
/// Copied in registers, though not in one: 12 bytes.
using reading = tl::expected<point, int>;

answer ask();
answer ask_quietly() noexcept;
answer ask_nth(unsigned attempt);
answer ask_about(anew::attempt& a);
text ask_for_text();
reading ask_for_reading();
int ask_or_throw();
/// As many of the next calls of `ask_busy` fail.
void fail_next(unsigned failures) noexcept;
answer ask_busy();

void wait(anew::duration delay);
void tell_retry(unsigned attempt) noexcept;
void tell_end(unsigned attempts) noexcept;

}  // namespace cases

/// The functions under count: one policy (3 attempts, 50 ms doubling up to 20 s, full jitter) thrice, without retrying
/// at all, by hand, and through anew.
#define CASES_FUNCTIONS(prefix)                \
  cases::answer prefix##_value();              \
  cases::answer prefix##_noexcept();           \
  cases::answer prefix##_full_bucket();        \
  cases::answer prefix##_value_or_exception(); \
  cases::answer prefix##_attempt_number();     \
  cases::answer prefix##_attempt_reference();  \
  cases::answer prefix##_observer_of_retry();  \
  cases::answer prefix##_observer_of_end();    \
  cases::text prefix##_expected();             \
  cases::reading prefix##_expected_in_place(); \
  int prefix##_exceptions();

/// What an optional part adds to a call that succeeds: through anew alone.
cases::answer anew_breaker_closed();
cases::answer anew_cool_down_idle();
cases::answer anew_nesting_guard();
cases::answer anew_reset_after();
cases::answer anew_history();
cases::answer anew_fan_out();
cases::answer anew_prometheus();
cases::answer anew_unchosen();
cases::answer anew_virtual();
cases::answer anew_without_parts();

/// Calls that fail a few times first.
#define CASES_FAILING(prefix)              \
  cases::answer prefix##_plain_fails_2();  \
  cases::answer prefix##_plain_fails_10(); \
  cases::answer prefix##_bucket_fails_2(); \
  cases::answer prefix##_bucket_fails_10();

CASES_FAILING(hand)
CASES_FAILING(tuned)
CASES_FAILING(anew)
#undef CASES_FAILING
cases::answer anew_breaker_fails_2();
cases::answer anew_breaker_fails_10();
cases::answer anew_deadline_fails_2();
cases::answer anew_deadline_fails_10();
cases::answer anew_virtual_fails_2();
cases::answer anew_virtual_fails_10();
int retry_others(unsigned failures);

CASES_FUNCTIONS(bare)
CASES_FUNCTIONS(hand)
CASES_FUNCTIONS(tuned)
CASES_FUNCTIONS(anew)
#undef CASES_FUNCTIONS

#endif
