// SPDX-License-Identifier: BSL-1.0
// chapter: Composing a strategy

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <type_traits>

#include "anew/anew.hpp"
#include "anew/bounds.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/policies/sharing/borrowed.hpp"

using namespace std::chrono_literals;

// section: A const or reference type
// `decltype` of a constant is a const type, and that of a parameter may be a reference. A strategy of it would be
// another type than the strategy of the plain policy, and could not be moved.
// expect-error: anew::strategy<Policies...> requires plain types
namespace const_policy {
constexpr anew::exponential_backoff<100ms, 20s> slowly{};

#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<decltype(slowly)>;
#else  // right
using polite = anew::strategy<std::remove_cv_t<decltype(slowly)>>;
#endif

void run() {
  anew::retry(polite{}, [] {});
}
}  // namespace const_policy

// section: A deadline without a limit of attempts
// Without a limit a strategy makes three attempts, which a reader of `deadline<10s>` does not expect. State which of
// the two ends the call: `anew::unbounded` leaves it to the deadline, `anew::max_attempts<N>` keeps both.
// expect-error: anew::strategy<Policies...> requires you to limit the attempts where you set a deadline
// expect-error: Add anew::unbounded
namespace deadline_without_attempts {
#ifdef ANEW_REJECT  // wrong
using within_ten_seconds = anew::strategy<anew::deadline<10s>>;
#else  // right
using within_ten_seconds = anew::strategy<anew::deadline<10s>, anew::unbounded>;
#endif

void run() {
  anew::retry(within_ten_seconds{}, [] {});
}
}  // namespace deadline_without_attempts

// section: A lambda in `compose()`
// A policy declares its role, and a lambda cannot.
// expect-error: anew::compose(policies...) requires policies; at least one argument has no nested type 'role'
namespace lambda_in_compose {
struct log_retries {
  using role = anew::roles::observer;
  void on_retry(anew::retry_event const& event) const { std::printf("attempt %u follows\n", event.attempt); }
};

void run() {
#ifdef ANEW_REJECT  // wrong
  auto const heard = [](anew::retry_event const& event) { std::printf("attempt %u follows\n", event.attempt); };
  auto const strategy = anew::compose(anew::retry_all{}, heard);
#else  // right
  auto const strategy = anew::compose(anew::retry_all{}, log_retries{});
#endif
  anew::retry(strategy, [] {});
}
}  // namespace lambda_in_compose

// section: A number as a duration
// A number does not say whether it counts milliseconds or seconds.
// expect-error: requires a duration with its unit as this template argument
namespace number_as_duration {
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::exponential_backoff<100, 5000>, anew::retry_all>;
#else  // right
using polite = anew::strategy<anew::exponential_backoff<100ms, 5s>, anew::retry_all>;
#endif

void run() {
  anew::retry(polite{}, [] {});
}
}  // namespace number_as_duration

// section: A second strategy in `with<>`
// A strategy has a policy for every role, if only a default, so a second strategy would replace all of the first.
// expect-error: anew::strategy<Policies...> and anew::with<Strategy, Policies...> require policies; you passed a strategy as one
namespace strategy_in_with {
using polite = anew::strategy<anew::retry_all>;
using patient = anew::strategy<anew::max_attempts<8>>;
#ifdef ANEW_REJECT  // wrong
using both = anew::with<polite, patient>;
#else  // right
using both = anew::with<polite, anew::max_attempts<8>>;
#endif

void run() {
  anew::retry(both{}, [] {});
}
}  // namespace strategy_in_with

// section: A strategy as a policy
// `with<>` keeps the policies of a strategy and replaces those that you name.
// expect-error: anew::strategy<Policies...> and anew::with<Strategy, Policies...> require policies; you passed a strategy as one
namespace strategy_in_strategy {
using polite = anew::strategy<anew::retry_all>;
#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<polite, anew::max_attempts<8>>;
#else  // right
using patient = anew::with<polite, anew::max_attempts<8>>;
#endif

void run() {
  anew::retry(patient{}, [] {});
}
}  // namespace strategy_in_strategy

// section: A strategy with a quota is copied
// Copies of a strategy share one budget if its quota is `anew::shared<Quota>` or `anew::borrowed<Quota>`.
// expect-error: two copies would be two budgets: pass a reference, or use anew::shared
namespace strategy_copied {
using patient = anew::strategy<anew::token_bucket<500>, anew::retry_all>;

#ifdef ANEW_REJECT  // wrong
void fetch(patient strategy) {
  anew::retry(strategy, [] {});
}
#else  // right
void fetch(patient const& strategy) {
  anew::retry(strategy, [] {});
}
#endif

void run() {
  patient const strategy{};
  fetch(strategy);
}
}  // namespace strategy_copied

// section: Not a policy
// A number does not say what it counts, and a predicate needs a classifier that calls it. Your own policy declares
// its role in its first line: `using role = anew::roles::...;`.
// expect-error: anew::strategy<Policies...> and anew::with<Strategy, Policies...> require policies; you passed a type that has no nested type 'role'
namespace not_a_policy {
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::constant_backoff<100ms>, int>;
#else  // right
using polite = anew::strategy<anew::constant_backoff<100ms>, anew::max_attempts<5>>;
#endif

void run() {
  anew::retry(polite{}, [] {});
}
}  // namespace not_a_policy

// section: Not a policy
// compose() takes policies: a number alone does not say what it counts.
// expect-error: anew::compose(policies...) requires policies; you passed a number or a duration
namespace number_in_compose {
void run(int argc, char** /*argv*/) {
  std::chrono::milliseconds const base{10 * argc};
#ifdef ANEW_REJECT  // wrong
  auto const tuned = anew::compose(anew::exponential_backoff{base, base * 100}, 5);
#else  // right
  auto const tuned = anew::compose(anew::exponential_backoff{base, base * 100}, anew::max_attempts{5});
#endif
  anew::retry(tuned, [] {});
}
}  // namespace number_in_compose

// section: Not a policy in `with<>`
// A predicate is not a policy; `anew::retry_if<Predicate>` is a classifier that calls it.
// expect-error: anew::strategy<Policies...> and anew::with<Strategy, Policies...> require policies; you passed a type that has no nested type 'role'
namespace predicate_in_with {
struct is_refused {
  bool operator()(std::error_code const& error) const { return error == std::errc::connection_refused; }
};
using polite = anew::strategy<anew::max_attempts<8>>;
#ifdef ANEW_REJECT  // wrong
using patient = anew::with<polite, is_refused>;
#else  // right
using patient = anew::with<polite, anew::retry_if<is_refused>>;
#endif

int run() {
  return anew::retry(patient{}, [] { return std::error_code{}; }).value();
}
}  // namespace predicate_in_with

// section: Two policies of one role
// Naming a policy twice is a mistake too, even if both are equal.
// expect-error: anew::strategy<Policies...> requires at most one policy of a role
namespace same_policy_twice {
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::max_attempts<5>, anew::equal_jitter, anew::max_attempts<5>>;
#else  // right
using polite = anew::strategy<anew::max_attempts<5>, anew::equal_jitter>;
#endif

void run() {
  anew::retry(polite{}, [] {});
}
}  // namespace same_policy_twice

// section: Two policies of one role
// A role has one policy. Remove one of the two. To change one policy of an existing strategy, use `anew::with`.
// expect-error: anew::strategy<Policies...> requires at most one policy of a role
namespace two_backoffs {
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::constant_backoff<1s>, anew::exponential_backoff<100ms, 20s>>;
#else  // right
using polite = anew::strategy<anew::exponential_backoff<100ms, 20s>>;
#endif

void run() {
  anew::retry(polite{}, [] {});
}
}  // namespace two_backoffs

// section: Two policies of one role
// `with<>` replaces one policy by another; here two policies claim the same role.
// expect-error: requires at most one policy of a role
namespace two_policies_in_with {
using polite = anew::strategy<anew::equal_jitter, anew::max_attempts<3>>;

#ifdef ANEW_REJECT  // wrong
using patient = anew::with<polite, anew::max_attempts<8>, anew::unbounded>;
#else  // right
using patient = anew::with<polite, anew::max_attempts<8>>;
#endif

void run() {
  anew::retry(patient{}, [] {});
}
}  // namespace two_policies_in_with

// section: Unknown role
// A strategy has a place for each role of `anew/roles/roles.hpp`. Anything else belongs in the operation, the
// sleeper, or an observer.
// expect-error: requires every policy's 'role' to be one of anew::roles
namespace unknown_role {
struct slow {
#ifdef ANEW_REJECT  // wrong
  using role = struct waiting;
#else  // right
  using role = anew::roles::backoff;
#endif
  static anew::duration delay(std::uint32_t retry) { return retry * std::chrono::seconds{1}; }
};

void run() {
  anew::retry(anew::strategy<slow>{}, [] {});
}
}  // namespace unknown_role

// section: with<> of something else
// `with` takes a strategy that `anew::strategy` or `anew::compose` made. A strategy class of your own has no policies
// to replace.
// expect-error: anew::with<Strategy, Policies...> requires a composed strategy as its first argument
namespace with_replaces_nothing {
#ifdef ANEW_REJECT  // wrong
using patient = anew::with<anew::equal_jitter, anew::max_attempts<8>>;
#else  // right
using patient = anew::with<anew::strategy<anew::equal_jitter>, anew::max_attempts<8>>;
#endif

void run() {
  anew::retry(patient{}, [] {});
}
}  // namespace with_replaces_nothing

// section: A quota borrowed from a temporary
// `borrowed` points to a policy. The quota of a temporary strategy is gone at the end of its line. Keep the strategy, or
// share the quota.
// expect-error: anew: it borrows a policy that you keep, not one of a temporary
namespace borrowed_from_a_temporary {
using client = anew::strategy<anew::token_bucket<100>, anew::retry_all>;

int run() {
#ifdef ANEW_REJECT  // wrong
  anew::borrowed const quota{client{}.quota()};
#else  // right
  client const first{};
  anew::borrowed const quota{first.quota()};
#endif
  auto const second = anew::compose(quota, anew::retry_all{});
  return anew::retry(second, [] { return true; }) ? 0 : 1;
}
}  // namespace borrowed_from_a_temporary

// section: A strategy that promises less than a client demands
// The default hint obeys a server that asks for up to 60 s. Compose a hint with a shorter bound; a longer request then
// ends the call.
// expect-error: wait 60s > 250ms by hint
namespace waits_too_long {
template <anew::WaitsAtMost<250ms> Strategy>
void fetch(Strategy const& strategy) {
  anew::retry(strategy, [] {});
}

#ifdef ANEW_REJECT  // wrong
using client = anew::strategy<anew::exponential_backoff<10ms, 100ms>>;
#else  // right
using client = anew::strategy<anew::exponential_backoff<10ms, 100ms>, anew::server_hint<anew::long_hint::stop, 250ms>>;
#endif

void run() { fetch(client{}); }
}  // namespace waits_too_long

// section: A deadline where a client demands an end
// A deadline interrupts no attempt, so it bounds no call. Compose an attempt timeout, which the operation or an
// asynchronous driver keeps.
// expect-error: anew::demand<Strategy, limits>() requires a strategy that promises what you demand
namespace no_end_in_time {
#ifdef ANEW_REJECT  // wrong
using client = anew::strategy<anew::deadline<2s>, anew::max_attempts<3>>;
#else  // right
using client = anew::strategy<anew::deadline<2s>, anew::max_attempts<3>, anew::attempt_timeout<500ms>>;
#endif
static_assert(anew::demand<client, anew::limits{.call = 2s}>());

void run() {
  anew::retry(client{}, [](anew::attempt& self) { static_cast<void>(self.limit()); });
}
}  // namespace no_end_in_time
