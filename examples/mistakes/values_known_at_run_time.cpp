// SPDX-License-Identifier: BSL-1.0
// chapter: Values known at run time

#include <chrono>
#include <utility>

#include "anew/anew.hpp"

// section: A policy that cannot be taken over
// Move the bucket into the strategy and share the strategy between calls.
// expect-error: anew::compose(policies...) requires policies that it can copy or move
namespace bucket_copied_into_compose {
void run(int argc, char** /*argv*/) {
  anew::token_bucket bucket{argc};
#ifdef ANEW_REJECT  // wrong
  auto const budgeted = anew::compose(bucket);
#else  // right
  auto const budgeted = anew::compose(std::move(bucket));
#endif
  anew::retry(budgeted, [] {});
}
}  // namespace bucket_copied_into_compose

// section: A value of another policy
// `max_attempts<3>` and `max_attempts{n}` are two types. `anew::compose` deduces the strategy type from the values.
// expect-error: anew::strategy<Policies...>{values...} requires values of its own policies
// expect-error: Did you mean anew::compose(policies...)
namespace value_of_another_policy {
void run(int argc, char** /*argv*/) {
#ifdef ANEW_REJECT  // wrong
  anew::strategy<anew::equal_jitter> const tuned{anew::max_attempts{argc + 2}};
#else  // right
  auto const tuned = anew::compose(anew::equal_jitter{}, anew::max_attempts{argc + 2});
#endif
  anew::retry(tuned, [] {});
}
}  // namespace value_of_another_policy

// section: No default for run-time values
// This is the compiler's own error about a deleted constructor; the remedy is in the line that it prints. The type of
// the strategy says that there is a base and a cap, but not their values. Pass the strategy object itself.
// expect-error: deleted
// expect-error: a policy of this strategy needs its values: anew::compose(policies...)
namespace default_made_of_run_time_values {
void run(int argc, char** /*argv*/) {
  std::chrono::milliseconds const base{10 * argc};
  auto const tuned = anew::compose(anew::exponential_backoff{base, base * 100}, anew::equal_jitter{});
#ifdef ANEW_REJECT  // wrong
  anew::retry(decltype(tuned){}, [] {});
#else  // right
  anew::retry(tuned, [] {});
#endif
}
}  // namespace default_made_of_run_time_values
