// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COMPOSE_INTERNAL_EXPLAIN_HPP
#define ANEW_COMPOSE_INTERNAL_EXPLAIN_HPP

#include <type_traits>
#include <utility>

#include "anew/compose/internal/explain_no_policy.hpp"
#include "anew/compose/internal/ill_formed_strategy.hpp"
#include "anew/concept/attempt_timeout.hpp"
#include "anew/concept/backoff.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/concept/clock.hpp"
#include "anew/concept/deadline.hpp"
#include "anew/concept/gate.hpp"
#include "anew/concept/hint.hpp"
#include "anew/concept/history.hpp"
#include "anew/concept/internal/explain_members.hpp"
#include "anew/concept/internal/members.hpp"
#include "anew/concept/jitter.hpp"
#include "anew/concept/max_attempts.hpp"
#include "anew/concept/nesting.hpp"
#include "anew/concept/observer.hpp"
#include "anew/concept/pacer.hpp"
#include "anew/concept/quota.hpp"
#include "anew/concept/random_source.hpp"
#include "anew/concept/reset.hpp"
#include "anew/concept/retry_strategy.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/internal/slots.hpp"

/// What is wrong with a composition, in one sentence, before anything is computed from it: what was written, what it
/// requires, what is wrong, a remedy. The first mistake of a policy only. The assertions stand in function templates (a
/// class whose assertion failed is no constant on clang and cascades), called where the user's type is named (each call
/// in between is three lines of clang's); the condition is a concept or a trait with a name, because compilers print
/// its arguments. Every mistake has a file in examples/mistakes and a section in docs/errors.md.
namespace anew::inline ANEW_ABI::detail {

// Asked of every policy of every strategy: variables and concepts, because a function costs a compiler several times as
// much, and by role where that will do, because that is asked once.
template <class Role>
inline constexpr unsigned bit_of = 0;  // of what is none of the roles
template <>
inline constexpr unsigned bit_of<roles::backoff> = 1U << 0U;
template <>
inline constexpr unsigned bit_of<roles::jitter> = 1U << 1U;
template <>
inline constexpr unsigned bit_of<roles::quota> = 1U << 2U;
template <>
inline constexpr unsigned bit_of<roles::classifier> = 1U << 3U;
template <>
inline constexpr unsigned bit_of<roles::max_attempts> = 1U << 4U;
template <>
inline constexpr unsigned bit_of<roles::hint> = 1U << 5U;
template <>
inline constexpr unsigned bit_of<roles::deadline> = 1U << 6U;
template <>
inline constexpr unsigned bit_of<roles::observer> = 1U << 7U;
template <>
inline constexpr unsigned bit_of<roles::clock> = 1U << 8U;
template <>
inline constexpr unsigned bit_of<roles::random_source> = 1U << 9U;
template <>
inline constexpr unsigned bit_of<roles::gate> = 1U << 10U;
template <>
inline constexpr unsigned bit_of<roles::reset> = 1U << 11U;
template <>
inline constexpr unsigned bit_of<roles::nesting> = 1U << 12U;
template <>
inline constexpr unsigned bit_of<roles::history> = 1U << 13U;
template <>
inline constexpr unsigned bit_of<roles::pacer> = 1U << 14U;
template <>
inline constexpr unsigned bit_of<roles::attempt_timeout> = 1U << 15U;

template <class P>
inline constexpr bool is_known_role = bit_of<typename P::role> != 0;

template <class P, class Role = typename P::role>
inline constexpr bool models_its_role = false;
template <class P>
inline constexpr bool models_its_role<P, roles::backoff> = Backoff<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::jitter> = Jitter<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::quota> = Quota<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::classifier> = Classifier<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::max_attempts> = MaxAttempts<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::hint> = Hint<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::deadline> = is_absent<P> || Deadline<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::attempt_timeout> = is_absent<P> || AttemptTimeout<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::gate> = is_absent<P> || Gate<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::pacer> = is_absent<P> || Pacer<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::reset> = is_absent<P> || Reset<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::nesting> = is_absent<P> || Nesting<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::history> = is_absent<P> || History<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::observer> = is_absent<P> || Observer<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::clock> = is_absent<P> || Clock<P>;
template <class P>
inline constexpr bool models_its_role<P, roles::random_source> = is_absent<P> || RandomSourcePolicy<P>;

template <class P>
concept SaysThatItIsUnsound = requires { requires !P::is_sound; };

/// A plain type: `decltype()` of a constant or a reference is none, and would make a strategy of another type.
template <class P>
struct is_a_plain_type {
  static constexpr bool value = std::is_same_v<P, std::remove_cvref_t<P>>;
};

template <class C, class Catches>
struct answers_for_what_it_catches;
template <class C, class... Es>
struct answers_for_what_it_catches<C, catch_list<Es...>> {
  static constexpr bool value = (ClassifierOf<C, Es> && ...);
};

template <class Catches>
struct catches_at_most_eight_types {
  static constexpr bool value = Catches::size <= 8;
};

/// A pointer converts where a catch clause matches, and asks for no complete type.
template <class E, class... Later>
inline constexpr bool hides_one_of = (std::is_convertible_v<Later*, E*> || ...);

template <class Catches>
struct no_base_is_caught_before_what_derives_from_it {
  static constexpr bool value = true;
};
template <class E, class... Later>
struct no_base_is_caught_before_what_derives_from_it<catch_list<E, Later...>> {
  static constexpr bool value =
      !hides_one_of<E, Later...> && no_base_is_caught_before_what_derives_from_it<catch_list<Later...>>::value;
};

template <class P, class Role = typename P::role>
inline constexpr bool catches_are_sound = true;
template <class P>
  requires(!catches_at_most_eight_types<typename catches_of<P>::type>::value)
inline constexpr bool catches_are_sound<P, roles::classifier> = false;
template <class P>
  requires catches_at_most_eight_types<typename catches_of<P>::type>::value
inline constexpr bool catches_are_sound<P, roles::classifier> =
    answers_for_what_it_catches<P, typename catches_of<P>::type>::value &&
    no_base_is_caught_before_what_derives_from_it<typename catches_of<P>::type>::value;

/// The question that `explain_policy` answers.
template <class P>
concept SoundPolicy = is_a_plain_type<P>::value && DeclaresRole<P> && is_known_role<P> && models_its_role<P> &&
                      !SaysThatItIsUnsound<P> && catches_are_sound<P> && members_are_callable<P>;

/// True when this type may stand in a strategy; otherwise says why not.
template <class P, class Where = in_strategy>
consteval bool explain_policy() {
  if constexpr (SoundPolicy<P>) {
    return true;
  } else if constexpr (!is_a_plain_type<P>::value) {
    static_assert(is_a_plain_type<P>::value,
                  "anew::strategy<Policies...> requires plain types; this one is const or a reference. "
                  "Did you mean std::remove_cvref_t<decltype(...)>, or anew::compose(policies...)?");
    return false;
  } else if constexpr (LendsPolicies<P>) {
    return detail::explain_registry<P>();
  } else if constexpr (!DeclaresRole<P>) {
    if constexpr (is_known_stranger<P, Where>) return detail::explain_no_policy<P, Where>();
    static_assert(
        DeclaresRole<P> || is_known_stranger<P, Where>,
        "anew::strategy<Policies...> requires every argument to be a policy; this one has no nested type "
        "'role'. Did you mean a policy from <anew/anew.hpp>, or 'using role = anew::roles::...' in your own?");
    return false;
  } else if constexpr (!is_known_role<P>) {
    static_assert(
        is_known_role<P>,
        "anew::strategy<Policies...> requires every policy's 'role' to be one of anew::roles; this one is not. "
        "Did you mean backoff, jitter, quota, classifier, max_attempts, hint, deadline, attempt_timeout, gate, pacer, "
        "reset, nesting, observer, history, clock or random_source?");
    return false;
  } else if constexpr (!models_its_role<P>) {
    using r = typename P::role;
    if constexpr (std::is_same_v<r, roles::backoff>) {
      static_assert(Backoff<P>,
                    "anew::strategy<Policies...> requires of a Backoff policy what this one lacks: "
                    "'anew::duration delay(std::uint32_t retry) const'");
    } else if constexpr (std::is_same_v<r, roles::jitter>) {
      if constexpr (std::is_same_v<typename jitter_state<P>::type, no_state>) {
        static_assert(AppliesToCeiling<P>,
                      "anew::strategy<Policies...> requires of a Jitter policy what this one lacks: "
                      "'anew::duration apply(anew::duration ceiling, R& random) const'");
      } else {
        static_assert(
            AppliesWithState<P>,
            "anew::strategy<Policies...> requires of a Jitter policy with a 'state_type' what this one lacks: "
            "'anew::duration apply(anew::delay_bounds const& bounds, state_type& state, R& random) const'");
      }
    } else if constexpr (std::is_same_v<r, roles::quota>) {
      static_assert(Quota<P>,
                    "anew::strategy<Policies...> requires of a Quota policy what this one lacks in part: "
                    "'permit_type', 'std::optional<permit_type> try_acquire(anew::failure const&) const', "
                    "'on_success(permit_type) const', 'release(permit_type) const'");
    } else if constexpr (std::is_same_v<r, roles::max_attempts>) {
      static_assert(MaxAttempts<P>,
                    "anew::strategy<Policies...> requires of a MaxAttempts policy what this one lacks: "
                    "'bool permits_another(std::uint32_t made) const'");
    } else if constexpr (std::is_same_v<r, roles::hint>) {
      static_assert(ResolvesHints<P>,
                    "anew::strategy<Policies...> requires of a Hint policy what this one lacks: "
                    "'std::optional<anew::planned_delay> resolve(anew::duration computed, anew::duration asked, "
                    "anew::duration cap) const'");
    } else if constexpr (std::is_same_v<r, roles::deadline>) {
      static_assert(Deadline<P>,
                    "anew::strategy<Policies...> requires of a Deadline policy what this one lacks in part: "
                    "'anew::duration total() const', 'std::optional<anew::duration> fit(anew::duration delay, "
                    "anew::duration remaining) const'");
    } else if constexpr (std::is_same_v<r, roles::attempt_timeout>) {
      static_assert(AttemptTimeout<P>,
                    "anew::strategy<Policies...> requires of an AttemptTimeout policy what this one lacks: "
                    "'anew::duration of(anew::duration remaining) const'");
    } else if constexpr (std::is_same_v<r, roles::gate>) {
      static_assert(Gate<P>,
                    "anew::strategy<Policies...> requires of a Gate policy what this one lacks in part: 'pass_type', "
                    "'anew::admission<pass_type> try_enter(anew::time_point now) const', 'on_success(pass_type, now) "
                    "const', 'on_failure(pass_type, anew::failure const&, now) const', 'release(pass_type) const'");
    } else if constexpr (std::is_same_v<r, roles::pacer>) {
      static_assert(
          Pacer<P>,
          "anew::strategy<Policies...> requires of a Pacer policy what this one lacks in part: 'ticket_type', "
          "'anew::pace ask(ticket_type&, anew::time_point now) const', 'on_success(now) const', "
          "'on_failure(anew::failure const&, now) const', 'release(ticket_type) const'");
    } else if constexpr (std::is_same_v<r, roles::reset>) {
      static_assert(Reset<P>,
                    "anew::strategy<Policies...> requires of a Reset policy what this one lacks: "
                    "'bool starts_over(anew::duration ran) const'");
    } else if constexpr (std::is_same_v<r, roles::nesting>) {
      static_assert(Nesting<P>,
                    "anew::strategy<Policies...> requires of a Nesting policy what this one lacks in part; "
                    "anew/concept/nesting.hpp has the table. Did you mean anew::nesting_guard<>?");
    } else if constexpr (std::is_same_v<r, roles::history>) {
      static_assert(History<P>,
                    "anew::strategy<Policies...> requires of a History policy a nested template 'log<E>' with "
                    "'add(std::uint32_t attempt, anew::failure const&)' and the same with an 'E const&'. "
                    "Did you mean anew::history<N>?");
    } else if constexpr (std::is_same_v<r, roles::observer>) {
      static_assert(models_its_role<P>,  // of three things any one: compilers would explain all three
                    "anew::strategy<Policies...> requires an Observer policy to hear something; this one has none of "
                    "'on_attempt(anew::attempt_event const&) const', 'on_retry(anew::retry_event const&) const', "
                    "'on_end(anew::end_event const&) const'");
    } else if constexpr (std::is_same_v<r, roles::clock> && !SteadyClock<P>) {
      static_assert(
          SteadyClock<P>,
          "anew::strategy<Policies...> requires a Clock policy that is steady; one that is set back or forward "
          "would stretch or cut calls. Did you mean std::chrono::steady_clock?");
    } else if constexpr (std::is_same_v<r, roles::clock>) {
      static_assert(Clock<P>,
                    "anew::strategy<Policies...> requires of a Clock policy what this one lacks: "
                    "'anew::time_point now() const'");
    } else {
      static_assert(RandomSourcePolicy<P>,
                    "anew::strategy<Policies...> requires of a random source what this one lacks: "
                    "'std::uint64_t operator()() const'");
    }
    return false;
  } else if constexpr (SaysThatItIsUnsound<P>) {
    P::template explain<P>();
    return false;
  } else if constexpr (!members_are_callable<P>) {
    return detail::explain_members<P>();
  } else {
    using catches = typename catches_of<P>::type;
    if constexpr (!catches_at_most_eight_types<catches>::value) {
      static_assert(catches_at_most_eight_types<catches>::value,
                    "anew::strategy<Policies...> requires a classifier to catch at most eight types of exception; this "
                    "one names more. Did you mean a common base?");
    } else if constexpr (!answers_for_what_it_catches<P, catches>::value) {
      static_assert(answers_for_what_it_catches<P, catches>::value,
                    "anew::strategy<Policies...> requires a classifier to answer for every exception type that it "
                    "catches; 'anew::directive classify(E const&) const' is missing for one. Does the predicate of "
                    "anew::retry_if<Predicate, Exceptions...> take them all, and is it const?");
    } else {
      static_assert(
          no_base_is_caught_before_what_derives_from_it<catches>::value,
          "anew::strategy<Policies...> requires a classifier to name a derived exception type before its base; "
          "in this order the base catches both. Exchange the two, or leave the derived one out");
    }
    return false;
  }
}

template <class... Ps>
struct no_role_is_played_twice {
  static constexpr bool value =
      (0U + ... + bit_of<typename Ps::role>) == (0U | ... | bit_of<typename Ps::role>);  // no carry
};

template <class... Ps>
struct a_deadline_comes_with_a_limit_of_attempts {
  static constexpr unsigned played = (0U | ... | bit_of<typename Ps::role>);
  static constexpr bool value = (played & bit_of<roles::deadline>) == 0 || (played & bit_of<roles::max_attempts>) != 0;
};

template <class Limit, class Deadline>
struct a_part_of_a_deadline_comes_with_one {
  static constexpr bool value = !NeedsDeadline<Limit> || !is_absent<Deadline>;
};

/// Both as they will be: of these policies, or of a strategy that they go into.
template <class Fallback, class FallbackDeadline, class... Ps>
using part_of_a_deadline = a_part_of_a_deadline_comes_with_one<pick_t<roles::attempt_timeout, Fallback, Ps...>,
                                                               pick_t<roles::deadline, FallbackDeadline, Ps...>>;
template <class... Ps>
using part_of_own_deadline = part_of_a_deadline<absent<roles::attempt_timeout>, absent<roles::deadline>, Ps...>;

template <class Limit, class Deadline>
consteval bool explain_part(a_part_of_a_deadline_comes_with_one<Limit, Deadline> /*pair*/) {
  static_assert(
      a_part_of_a_deadline_comes_with_one<Limit, Deadline>::value,
      "anew::strategy<Policies...> requires a deadline beside an attempt timeout that is a part of one, as "
      "attempt_timeout_share is. Did you forget anew::deadline<Total>, or mean anew::attempt_timeout<Limit>?");
  return a_part_of_a_deadline_comes_with_one<Limit, Deadline>::value;
}

/// True when these policies may replace others together; otherwise says why not, unless one of them is no policy.
template <class... Ps>
consteval bool explain_replacement() {
  if constexpr (!(SoundPolicy<Ps> && ...)) {
    return false;
  } else {
    static_assert(no_role_is_played_twice<Ps...>::value,
                  "anew::strategy<Policies...> requires at most one policy of a role; two of these play the same. "
                  "Remove one, or replace it with anew::with<Strategy, Policy>");
    return no_role_is_played_twice<Ps...>::value;
  }
}

/// True when a strategy can be made of these policies alone; otherwise says why not, unless one of them is no policy.
template <class... Ps>
consteval bool explain_composition() {
  if constexpr (!(SoundPolicy<Ps> && ...)) {
    return false;
  } else if constexpr (!no_role_is_played_twice<Ps...>::value) {
    return detail::explain_replacement<Ps...>();
  } else if constexpr (!part_of_own_deadline<Ps...>::value) {
    return detail::explain_part(part_of_own_deadline<Ps...>{});
  } else {
    static_assert(
        a_deadline_comes_with_a_limit_of_attempts<Ps...>::value,
        "anew::strategy<Policies...> requires a limit of attempts beside a deadline: the usual three would end "
        "the call long before it. Did you forget anew::unbounded, or anew::max_attempts<N>?");
    return a_deadline_comes_with_a_limit_of_attempts<Ps...>::value;
  }
}

/// The same question without an answer, for constraints.
template <class... Ps>
consteval bool is_composable() {
  if constexpr (!(SoundPolicy<Ps> && ...)) {
    return false;
  } else {
    if constexpr (no_role_is_played_twice<Ps...>::value) {
      return part_of_own_deadline<Ps...>::value && a_deadline_comes_with_a_limit_of_attempts<Ps...>::value;
    }
    return false;
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
