// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_INTERNAL_MEMBERS_HPP
#define ANEW_ROLES_INTERNAL_MEMBERS_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/internal/declares.hpp"
#include "anew/roles/internal/error_members.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

/// The optional functions of policies. A policy need not have them. A function with the right name that the role cannot
/// call would silently never be called, so the composition is refused; so is a public function whose name is almost
/// right.
namespace anew::inline ANEW_ABI::detail {

template <class B>
concept NamesItsCap = requires(B const& b) {
  { b.cap() } -> std::convertible_to<duration>;
};
template <class P>
concept HasNeedsCounts = requires { typename std::bool_constant<P::needs_counts>; };
template <class Q>
concept HasOnFailure = requires(Q const& q, typename Q::permit_type permit) { q.on_failure(permit); };
template <class Q>
concept HasOnAttemptFailed = requires(Q const& q, failure const& f) { q.on_attempt_failed(f); };
template <class Q>
concept LendsRetries = requires(Q const& q, typename Q::permit_type permit, time_point now) {
  { q.wait(permit, now) } -> std::convertible_to<duration>;
};
template <class Q>
concept HasOnCallEnd = requires(Q const& q) { q.on_call_end(); };
template <class Q>
concept HasWaitsBeforeRefusal = requires { typename std::bool_constant<Q::waits_before_refusal>; };
template <class G>
concept ForeseesRefusals = requires(G const& g, time_point then) {
  { g.would_refuse(then) } -> std::convertible_to<bool>;
};
template <class G>
concept IsAskedWithMore = KeepsOrder<G> || DrawsOnEntry<G>;
template <class G>
concept DrawsOnFailure = requires(G const& g, typename G::pass_type pass, failure const& f, time_point now) {
  g.on_failure(pass, f, now, thread_random{});
};
template <class H>
concept HasObeysRefusals = requires { typename std::bool_constant<H::obeys_refusals>; };
template <class L>
concept HasNeedsDeadline = requires { typename std::bool_constant<L::needs_deadline>; };

/// A class with this member may declare any of the names: a wrapper, which has them under constraints.
template <class P>
concept ForwardsMembers = requires { requires P::forwards_members; };

/// For questions about calls on a non-const object.
template <class T>
T& changeable() noexcept;

template <class F>
concept IsFunction = std::is_member_function_pointer_v<F> || std::is_function_v<std::remove_pointer_t<F>>;

/// Names with only one meaning in their role.
struct optional_names {
  int on_attempt, on_retry, on_end, cap, needs_counts, on_failure, on_attempt_failed, wait, on_call, on_call_end,
      settle, waits_before_refusal, would_refuse, obeys_refusals, needs_deadline, classify_result;
};

// NOLINTBEGIN(*-macro-*): a template cannot take a member's name as its argument
#define ANEW_CALLS(FUNCTION, ...) requires { changeable<P>().FUNCTION(__VA_ARGS__); }
#define ANEW_DECLARES(NAME)                                                     \
  ((                                                                            \
       FitsBesideNames<P> && !requires { &beside<P, optional_names>::NAME; } && \
       !requires { requires std::is_base_of_v<typename heir<P>::NAME, P>; }) || \
   (!FitsBesideNames<P> && (requires { &P::NAME; } || ANEW_CALLS(NAME, any_argument{}))))

/// A name with only one meaning in its role: where it is declared, in any form, it must be callable as the concept
/// asks. A variable, because a class takes a compiler several times as long.
#define ANEW_ONLY(QUESTION, NAME, Asked) \
  template <class P>                     \
  inline constexpr bool QUESTION = true; \
  template <class P>                     \
    requires(!Asked<P>) && ANEW_DECLARES \
  (NAME) inline constexpr bool QUESTION<P> = false;
ANEW_ONLY(observer_on_attempt_is_callable, on_attempt, HearsAttempts)
ANEW_ONLY(observer_on_retry_is_callable, on_retry, HearsRetries)
ANEW_ONLY(observer_on_end_is_callable, on_end, HearsTheEnd)
ANEW_ONLY(backoff_cap_is_callable, cap, NamesItsCap)
ANEW_ONLY(needs_counts_is_a_constant, needs_counts, HasNeedsCounts)
ANEW_ONLY(quota_on_failure_is_callable, on_failure, HasOnFailure)
ANEW_ONLY(quota_on_attempt_failed_is_callable, on_attempt_failed, HasOnAttemptFailed)
ANEW_ONLY(quota_wait_is_callable, wait, LendsRetries)
ANEW_ONLY(quota_settle_is_callable, settle, SettlesPermits)
ANEW_ONLY(quota_on_call_is_callable, on_call, CountsCalls)
ANEW_ONLY(quota_on_call_end_is_callable, on_call_end, HasOnCallEnd)
ANEW_ONLY(waits_before_refusal_is_a_constant, waits_before_refusal, HasWaitsBeforeRefusal)
ANEW_ONLY(gate_would_refuse_is_callable, would_refuse, ForeseesRefusals)
ANEW_ONLY(obeys_refusals_is_a_constant, obeys_refusals, HasObeysRefusals)
ANEW_ONLY(needs_deadline_is_a_constant, needs_deadline, HasNeedsDeadline)

/// A name that a required function of the role has too, or that wrappers have under constraints. It is a mistake where
/// the expression of the last argument is well-formed, which is mostly the call on a non-const object.
#define ANEW_ALSO(QUESTION, Asked, ...)  \
  template <class P>                     \
  inline constexpr bool QUESTION = true; \
  template <class P>                     \
    requires(!Asked<P>) && (__VA_ARGS__) \
  inline constexpr bool QUESTION<P> = false;
ANEW_ALSO(describe_is_callable, DescribesItself, requires { &P::describe; } || ANEW_CALLS(describe))
ANEW_ALSO(backoff_delay_is_callable, DelaysByKind, ANEW_CALLS(delay, changeable<call_progress>()))
ANEW_ALSO(max_attempts_permits_another_is_callable, LimitsByKind,
          ANEW_CALLS(permits_another, changeable<call_progress>()))
ANEW_ALSO(hint_not_understood_is_callable, PlansForUnread,
          ANEW_CALLS(not_understood, changeable<duration>(), changeable<duration>()))
ANEW_ALSO(quota_try_acquire_is_callable, AcquiresWithTime,
          ANEW_CALLS(try_acquire, changeable<failure>(), changeable<time_point>()))
ANEW_ALSO(gate_try_enter_is_callable, IsAskedWithMore,
          ANEW_CALLS(try_enter, changeable<time_point>(), changeable<time_point>()))
ANEW_ALSO(gate_drawing_try_enter_is_callable, DrawsOnEntry,
          ANEW_CALLS(try_enter, changeable<time_point>(), changeable<thread_random>()))
ANEW_ALSO(gate_full_try_enter_is_callable, KeepsOrderAndDraws,
          ANEW_CALLS(try_enter, changeable<time_point>(), changeable<time_point>(), changeable<thread_random>()))
ANEW_ALSO(gate_on_failure_is_callable, DrawsOnFailure,
          ANEW_CALLS(on_failure, changeable<typename P::pass_type>(), changeable<failure>(), changeable<time_point>(),
                     changeable<thread_random>()))

/// A public function whose name is almost `RIGHT`, in a policy that does not declare `RIGHT`.
#define ANEW_IS_NEAR(RIGHT, NAME) requires { requires IsFunction<decltype(&P::NAME)> && (!ANEW_DECLARES(RIGHT)); }
// clang-format off: it formats these rows differently each time
#define ANEW_NEAR_OBSERVER(ROW) \
  ROW(on_attempt, on_attempts) ROW(on_attempt, on_attempted) ROW(on_attempt, onAttempt) \
  ROW(on_attempt, OnAttempt) ROW(on_attempt, on_try) ROW(on_attempt, on_error) ROW(on_attempt, on_failure) \
  ROW(on_attempt, on_failed) ROW(on_attempt, on_success) ROW(on_attempt, on_succeeded) ROW(on_retry, on_retries) \
  ROW(on_retry, on_retried) ROW(on_retry, on_retrying) ROW(on_retry, onRetry) ROW(on_retry, OnRetry) \
  ROW(on_retry, before_sleep) ROW(on_retry, before_retry) ROW(on_end, on_ends) ROW(on_end, on_ended) \
  ROW(on_end, onEnd) ROW(on_end, OnEnd) ROW(on_end, on_finish) ROW(on_end, on_finished) ROW(on_end, on_complete) \
  ROW(on_end, on_completed) ROW(on_end, on_done) ROW(on_end, on_give_up)
#define ANEW_NEAR_BACKOFF(ROW) \
  ROW(cap, get_cap) ROW(cap, getCap) ROW(cap, max_delay) ROW(cap, maxDelay) ROW(cap, maximum_delay)
#define ANEW_NEAR_QUOTA(ROW) \
  ROW(on_failure, on_fail) ROW(on_failure, on_failed) ROW(on_failure, on_failures) ROW(on_failure, onFailure) \
  ROW(on_attempt_failed, on_failed_attempt) ROW(on_attempt_failed, on_attempt_failure) \
  ROW(on_attempt_failed, onAttemptFailed) ROW(on_call, on_calls) ROW(on_call, onCall) ROW(on_call, on_call_begin) \
  ROW(on_call, on_call_start) ROW(on_call_end, on_call_ended) ROW(on_call_end, on_end_call) \
  ROW(on_call_end, onCallEnd)
#define ANEW_NEAR_GATE(ROW) \
  ROW(would_refuse, wouldRefuse) ROW(would_refuse, will_refuse) ROW(would_refuse, would_reject)
#define ANEW_NEAR_CLASSIFIER(ROW) \
  ROW(classify_result, classify_results) ROW(classify_result, classifyResult) \
  ROW(classify_result, ClassifyResult) ROW(classify_result, classify_value)
// clang-format on

/// The first misnamed function, as a type whose name compilers print.
template <class Right, class Name>
struct near_name {
  using right = Right;
  using name = Name;
};
namespace names {
struct none;
#define ANEW_DECLARE(RIGHT, NAME) \
  struct RIGHT;                   \
  struct NAME;
ANEW_NEAR_OBSERVER(ANEW_DECLARE)
ANEW_NEAR_BACKOFF(ANEW_DECLARE)
ANEW_NEAR_QUOTA(ANEW_DECLARE)
ANEW_NEAR_GATE(ANEW_DECLARE)
ANEW_NEAR_CLASSIFIER(ANEW_DECLARE)
}  // namespace names

template <class P, class Role>
consteval near_name<names::none, names::none> first_near_name(Role const* /*role*/) {
  return {};
}
#define ANEW_LOOK(RIGHT, NAME)                     \
  if constexpr (ANEW_IS_NEAR(RIGHT, NAME)) {       \
    return near_name<names::RIGHT, names::NAME>{}; \
  } else
#define ANEW_NEAR(ROLE, ROWS)                                         \
  template <class P>                                                  \
  consteval auto first_near_name(roles::ROLE const* /*role*/) {       \
    ROWS(ANEW_LOOK) { return near_name<names::none, names::none>{}; } \
  }
ANEW_NEAR(observer, ANEW_NEAR_OBSERVER)
ANEW_NEAR(backoff, ANEW_NEAR_BACKOFF)
ANEW_NEAR(quota, ANEW_NEAR_QUOTA)
ANEW_NEAR(gate, ANEW_NEAR_GATE)
ANEW_NEAR(classifier, ANEW_NEAR_CLASSIFIER)

template <class P, class Role>
inline constexpr bool calls_near_names = true;
#define ANEW_NEITHER(RIGHT, NAME) !(ANEW_IS_NEAR(RIGHT, NAME))&&
#define ANEW_CALLS_NEAR(ROLE, ROWS) \
  template <class P>                \
  inline constexpr bool calls_near_names<P, roles::ROLE> = ROWS(ANEW_NEITHER) true;
ANEW_CALLS_NEAR(observer, ANEW_NEAR_OBSERVER)
ANEW_CALLS_NEAR(backoff, ANEW_NEAR_BACKOFF)
ANEW_CALLS_NEAR(quota, ANEW_NEAR_QUOTA)
ANEW_CALLS_NEAR(gate, ANEW_NEAR_GATE)
ANEW_CALLS_NEAR(classifier, ANEW_NEAR_CLASSIFIER)

#undef ANEW_CALLS
#undef ANEW_DECLARES
#undef ANEW_ONLY
#undef ANEW_ALSO
#undef ANEW_IS_NEAR
#undef ANEW_NEAR_OBSERVER
#undef ANEW_NEAR_BACKOFF
#undef ANEW_NEAR_QUOTA
#undef ANEW_NEAR_GATE
#undef ANEW_NEAR_CLASSIFIER
#undef ANEW_DECLARE
#undef ANEW_LOOK
#undef ANEW_NEAR
#undef ANEW_NEITHER
#undef ANEW_CALLS_NEAR
// NOLINTEND(*-macro-*)

template <class P, class Role>
inline constexpr bool functions_are_callable = true;
template <class P>
inline constexpr bool functions_are_callable<P, roles::observer> =
    observer_on_attempt_is_callable<P> && observer_on_retry_is_callable<P> && observer_on_end_is_callable<P>;
template <class P>
inline constexpr bool functions_are_callable<P, roles::backoff> =
    backoff_cap_is_callable<P> && backoff_delay_is_callable<P>;
template <class P>
inline constexpr bool functions_are_callable<P, roles::max_attempts> = max_attempts_permits_another_is_callable<P>;
template <class P>
inline constexpr bool functions_are_callable<P, roles::quota> =
    quota_on_failure_is_callable<P> && quota_on_attempt_failed_is_callable<P> && quota_wait_is_callable<P> &&
    quota_settle_is_callable<P> && quota_on_call_is_callable<P> && quota_on_call_end_is_callable<P> &&
    quota_try_acquire_is_callable<P>;
template <class P>
inline constexpr bool functions_are_callable<P, roles::gate> =
    gate_would_refuse_is_callable<P> && gate_try_enter_is_callable<P> && gate_drawing_try_enter_is_callable<P> &&
    gate_full_try_enter_is_callable<P> && gate_on_failure_is_callable<P>;
template <class P>
inline constexpr bool functions_are_callable<P, roles::hint> = hint_not_understood_is_callable<P>;

template <class P>
inline constexpr bool functions_are_callable<P, roles::classifier> =
    caught_errors_are_callable<typename catches_of<P>::type>;

template <class P, class Role>
inline constexpr bool members_are_constants = true;
template <class P>
inline constexpr bool members_are_constants<P, roles::backoff> = needs_counts_is_a_constant<P>;
template <class P>
inline constexpr bool members_are_constants<P, roles::max_attempts> = needs_counts_is_a_constant<P>;
template <class P>
inline constexpr bool members_are_constants<P, roles::quota> = waits_before_refusal_is_a_constant<P>;
template <class P>
inline constexpr bool members_are_constants<P, roles::hint> = obeys_refusals_is_a_constant<P>;
template <class P>
inline constexpr bool members_are_constants<P, roles::attempt_timeout> = needs_deadline_is_a_constant<P>;

/// True when every optional function that the policy declares is callable as its role calls it.
template <class P>
inline constexpr bool members_are_callable =
    describe_is_callable<P> && functions_are_callable<P, typename P::role> &&
    members_are_constants<P, typename P::role> && calls_near_names<P, typename P::role>;
template <ForwardsMembers P>
inline constexpr bool members_are_callable<P> = true;

}  // namespace anew::inline ANEW_ABI::detail

#endif
