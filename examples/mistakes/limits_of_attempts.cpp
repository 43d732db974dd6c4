// SPDX-License-Identifier: BSL-1.0
// chapter: Limits of attempts

#include <chrono>

#include "anew/anew.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

using namespace std::chrono_literals;

// section: A share above one
// `rational{50}` is fifty times the remaining time. `rational{1}` is all of it.
// expect-error: anew::attempt_timeout_share<Share> requires 0 < Share <= 1
namespace attempt_timeout_share_above_one {
#ifdef ANEW_REJECT  // wrong
using limit = anew::attempt_timeout_share<anew::rational{50}>;
#else  // right
using limit = anew::attempt_timeout_share<anew::rational{50, 100}>;
#endif

void run() {
  anew::retry(anew::strategy<limit, anew::deadline<10s>, anew::unbounded>{}, [](anew::attempt&) {});
}
}  // namespace attempt_timeout_share_above_one

// section: A share without a deadline
// `with<>` replaces the attempt timeout only: the strategy must have a deadline already.
// expect-error: anew::strategy<Policies...> requires a deadline for an attempt timeout that is a share of it
namespace attempt_timeout_share_with_no_deadline {
using usual = anew::strategy<anew::attempt_timeout<1s>, anew::max_attempts<5>>;

#ifdef ANEW_REJECT  // wrong
using halves = anew::with<usual, anew::attempt_timeout_share<anew::rational{1, 2}>>;
#else  // right
using halves = anew::with<usual, anew::attempt_timeout_share<anew::rational{1, 2}>, anew::deadline<10s>>;
#endif

void run() {
  anew::retry(halves{}, [](anew::attempt&) {});
}
}  // namespace attempt_timeout_share_with_no_deadline

// section: A share without a deadline
// A share is relative to the time that remains until the call's deadline, so the strategy needs a deadline.
// `anew::attempt_timeout<Limit>` is a per-attempt timeout that needs no deadline. Your own policy declares that it
// needs a deadline with `static constexpr bool needs_deadline = true;`.
// expect-error: anew::strategy<Policies...> requires a deadline for an attempt timeout that is a share of it
// expect-error: Add anew::deadline<Total>
namespace attempt_timeout_share_without_deadline {
#ifdef ANEW_REJECT  // wrong
using thirds = anew::strategy<anew::attempt_timeout_share<anew::rational{1, 3}>, anew::unbounded>;
#else  // right
using thirds = anew::strategy<anew::attempt_timeout_share<anew::rational{1, 3}>, anew::deadline<10s>, anew::unbounded>;
#endif

void run() {
  anew::retry(thirds{}, [](anew::attempt&) {});
}
}  // namespace attempt_timeout_share_without_deadline

// section: Attempt timeout of zero
// Zero does not mean "no timeout". Omit the policy for attempts without a limit.
// expect-error: anew::attempt_timeout<Limit> requires Limit > 0
namespace attempt_timeout_of_zero {
#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<anew::attempt_timeout<0s>, anew::max_attempts<8>>;
#else  // right
using patient = anew::strategy<anew::max_attempts<8>>;
#endif

void run() {
  anew::retry(patient{}, [](anew::attempt&) {});
}
}  // namespace attempt_timeout_of_zero

// section: AttemptTimeout policy
// All times of the library are anew::duration: milliseconds may hold more than it can.
// expect-error: AttemptTimeout policy
// expect-error: of(anew::duration remaining) const
namespace attempt_timeout_in_milliseconds {
struct a_second {
  using role = anew::roles::attempt_timeout;
#ifdef ANEW_REJECT  // wrong
  std::chrono::milliseconds of(anew::duration /*remaining*/) const { return std::chrono::seconds{1}; }
#else  // right
  anew::duration of(anew::duration /*remaining*/) const { return std::chrono::seconds{1}; }
#endif
};

void run() {
  anew::retry(anew::strategy<a_second>{}, [](anew::attempt&) {});
}
}  // namespace attempt_timeout_in_milliseconds
