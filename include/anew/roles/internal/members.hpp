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
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/hint.hpp"
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

/// An error of any type, as observers get one: it cannot be changed.
struct any_error {
  template <class E>
  operator E const&() const;  // NOLINT(*-explicit-*)
  template <class E>
  operator E&&() const;  // NOLINT(*-explicit-*)
};
/// With several overloads, or a template, each hears some types.
template <class O>
concept MayHearErrors = FollowsCalls<O> && (!requires { &O::on_error; } || HearsErrorOf<O, any_error>);

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
concept DrawsOnFailure = requires(G const& g, typename G::pass_type pass, failure const& f, time_point now) {
  g.on_failure(pass, f, now, thread_random{});
};
template <class C>
concept CatchesUnknown = ClassifierOf<C, unknown_exception>;
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
  int on_attempt, on_retry, on_end, on_begin, on_error, on_change, cap, needs_counts, on_failure, on_attempt_failed,
      wait, on_call, on_call_end, settle, waits_before_refusal, would_refuse, obeys_refusals, needs_deadline,
      classify_result, longest, not_understood;
};

// NOLINTBEGIN(*-macro-*): a template cannot take a member's name as its argument
#define ANEW_CALLS(FUNCTION, ...) requires { changeable<P>().FUNCTION(__VA_ARGS__); }
#define ANEW_DECLARES(NAME)                                                     \
  ((                                                                            \
       is_usual_base<P> && !requires { &beside<P, optional_names>::NAME; } &&   \
       !requires { requires std::is_base_of_v<typename heir<P>::NAME, P>; }) || \
   (!is_usual_base<P> && (requires { &P::NAME; } || ANEW_CALLS(NAME, any_argument{}))))

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
ANEW_ONLY(observer_on_call_is_callable, on_call, FollowsCalls)
ANEW_ONLY(observer_on_begin_is_callable, on_begin, HearsBeginnings)
ANEW_ONLY(observer_on_error_is_callable, on_error, MayHearErrors)
ANEW_ONLY(observer_on_change_is_callable, on_change, HearsChanges)
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
ANEW_ONLY(hint_longest_is_callable, longest, NamesItsLongest)
ANEW_ONLY(hint_not_understood_is_callable, not_understood, PlansForUnread)
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
ANEW_ALSO(classifier_unknown_is_callable, CatchesUnknown, ANEW_CALLS(classify, changeable<unknown_exception>()))
ANEW_ALSO(quota_try_acquire_is_callable, AcquiresWithTime,
          ANEW_CALLS(try_acquire, changeable<failure>(), changeable<time_point>()))
ANEW_ALSO(gate_try_enter_is_callable, IsAskedWithMore,
          ANEW_CALLS(try_enter, changeable<time_point>(), changeable<time_point>()) ||
              ANEW_CALLS(try_enter, changeable<time_point>(), changeable<thread_random>()) ||
              ANEW_CALLS(try_enter, changeable<time_point>(), changeable<time_point>(), changeable<thread_random>()))
ANEW_ALSO(gate_on_failure_is_callable, DrawsOnFailure,
          ANEW_CALLS(on_failure, changeable<typename P::pass_type>(), changeable<failure>(), changeable<time_point>(),
                     changeable<thread_random>()))

/// A public function that other libraries have under this name, in a policy that does not declare `RIGHT`.
#define ANEW_IS_NEAR(RIGHT, NAME) requires { requires IsFunction<decltype(&P::NAME)> && (!ANEW_DECLARES(RIGHT)); }
template <class P, class Role>
inline constexpr bool names_are_known = true;
template <class P>
inline constexpr bool names_are_known<P, roles::observer> =
    !(ANEW_IS_NEAR(on_attempt, on_failure) || ANEW_IS_NEAR(on_attempt, on_success) ||
      ANEW_IS_NEAR(on_retry, on_retries) || ANEW_IS_NEAR(on_retry, before_retry) ||
      ANEW_IS_NEAR(on_retry, before_sleep) || ANEW_IS_NEAR(on_end, on_complete) || ANEW_IS_NEAR(on_end, on_finish) ||
      ANEW_IS_NEAR(on_end, on_give_up));
template <class P>
inline constexpr bool names_are_known<P, roles::backoff> = !(ANEW_IS_NEAR(cap, max_delay));
template <class P>
inline constexpr bool names_are_known<P, roles::classifier> = !(ANEW_IS_NEAR(classify_result, classify_value));

#undef ANEW_CALLS
#undef ANEW_DECLARES
#undef ANEW_ONLY
#undef ANEW_ALSO
#undef ANEW_IS_NEAR
// NOLINTEND(*-macro-*)

template <class P, class Role>
inline constexpr bool functions_are_callable = true;
template <class P>
inline constexpr bool functions_are_callable<P, roles::observer> =
    observer_on_attempt_is_callable<P> && observer_on_retry_is_callable<P> && observer_on_end_is_callable<P> &&
    observer_on_call_is_callable<P> && observer_on_begin_is_callable<P> && observer_on_error_is_callable<P> &&
    observer_on_change_is_callable<P>;
template <class P>
inline constexpr bool functions_are_callable<P, roles::backoff> =
    backoff_cap_is_callable<P> && backoff_delay_is_callable<P> && needs_counts_is_a_constant<P>;
template <class P>
inline constexpr bool functions_are_callable<P, roles::max_attempts> =
    max_attempts_permits_another_is_callable<P> && needs_counts_is_a_constant<P>;
template <class P>
inline constexpr bool functions_are_callable<P, roles::quota> =
    quota_on_failure_is_callable<P> && quota_on_attempt_failed_is_callable<P> && quota_wait_is_callable<P> &&
    quota_settle_is_callable<P> && quota_on_call_is_callable<P> && quota_on_call_end_is_callable<P> &&
    quota_try_acquire_is_callable<P> && waits_before_refusal_is_a_constant<P>;
template <class P>
inline constexpr bool functions_are_callable<P, roles::gate> =
    gate_would_refuse_is_callable<P> && gate_try_enter_is_callable<P> && gate_on_failure_is_callable<P>;
template <class P>
inline constexpr bool functions_are_callable<P, roles::hint> =
    hint_longest_is_callable<P> && hint_not_understood_is_callable<P> && obeys_refusals_is_a_constant<P>;

template <class P>
inline constexpr bool functions_are_callable<P, roles::classifier> =
    classifier_unknown_is_callable<P> && caught_errors_are_callable<typename catches_of<P>::type>;

template <class P>
inline constexpr bool functions_are_callable<P, roles::attempt_timeout> = needs_deadline_is_a_constant<P>;

/// True when every optional function that the policy declares is callable as its role calls it.
template <class P>
inline constexpr bool members_are_callable =
    describe_is_callable<P> && functions_are_callable<P, typename P::role> && names_are_known<P, typename P::role>;
template <ForwardsMembers P>
inline constexpr bool members_are_callable<P> = true;

}  // namespace anew::inline ANEW_ABI::detail

#endif
