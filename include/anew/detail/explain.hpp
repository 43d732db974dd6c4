// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DETAIL_EXPLAIN_HPP
#define ANEW_DETAIL_EXPLAIN_HPP

#include <type_traits>

#include "anew/concept/backoff.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/concept/clock.hpp"
#include "anew/concept/deadline.hpp"
#include "anew/concept/hint.hpp"
#include "anew/concept/jitter.hpp"
#include "anew/concept/max_attempts.hpp"
#include "anew/concept/observer.hpp"
#include "anew/concept/quota.hpp"
#include "anew/concept/random_source.hpp"
#include "anew/roles.hpp"

/// What is wrong with a composition, in one sentence, before anything is computed from it. One function template per
/// mistake (a class whose assertion failed is no constant on clang and cascades); the first mistake only. The condition
/// is a named trait over the pack, because compilers print its arguments.
namespace anew::detail {

template <class Role, class... Ps>
inline constexpr unsigned count_of = (0U + ... + (PlaysRole<Ps, Role> ? 1U : 0U));

template <class P>
consteval bool is_known_role() {
  using r = typename P::role;
  return std::is_same_v<r, roles::backoff> || std::is_same_v<r, roles::jitter> || std::is_same_v<r, roles::quota> ||
         std::is_same_v<r, roles::classifier> || std::is_same_v<r, roles::max_attempts> ||
         std::is_same_v<r, roles::hint> || std::is_same_v<r, roles::deadline> || std::is_same_v<r, roles::observer> ||
         std::is_same_v<r, roles::clock> || std::is_same_v<r, roles::random_source>;
}

template <class P>
consteval bool models_its_role() {
  using r = typename P::role;
  if constexpr (is_absent<P>) {
    return true;
  } else if constexpr (std::is_same_v<r, roles::backoff>) {
    return Backoff<P>;
  } else if constexpr (std::is_same_v<r, roles::jitter>) {
    return Jitter<P>;
  } else if constexpr (std::is_same_v<r, roles::quota>) {
    return Quota<P>;
  } else if constexpr (std::is_same_v<r, roles::classifier>) {
    return Classifier<P>;
  } else if constexpr (std::is_same_v<r, roles::max_attempts>) {
    return MaxAttempts<P>;
  } else if constexpr (std::is_same_v<r, roles::hint>) {
    return Hint<P>;
  } else if constexpr (std::is_same_v<r, roles::deadline>) {
    return Deadline<P>;
  } else if constexpr (std::is_same_v<r, roles::observer>) {
    return Observer<P>;
  } else if constexpr (std::is_same_v<r, roles::clock>) {
    return Clock<P>;
  } else {
    return RandomSourcePolicy<P>;
  }
}

template <class P>
consteval bool is_sound() {
  if constexpr (requires { P::is_sound; }) {
    return P::is_sound;
  } else {
    return true;
  }
}

template <class... Ps>
struct no_role_is_played_twice {
  static constexpr bool value = ((count_of<typename Ps::role, Ps...> == 1) && ...);
};

template <class... Ps>
struct a_deadline_comes_with_a_limit_of_attempts {
  static constexpr bool value =
      count_of<roles::deadline, Ps...> == 0 || count_of<roles::max_attempts, Ps...> == 1;
};

template <class P>
consteval void explain_argument() {
  if constexpr (!DeclaresRole<P>) {
    static_assert(DeclaresRole<P>,
                  "anew::strategy<Policies...> requires every argument to be a policy; this one has no nested type 'role'. "
                  "Did you mean a policy from <anew/anew.hpp>, or to write 'using role = anew::roles::...' in your own?");
  } else {
    static_assert(is_known_role<P>(),
                  "anew::strategy<Policies...> requires every policy's 'role' to be one of anew::roles (backoff, jitter, "
                  "quota, classifier, max_attempts, hint, deadline, observer, clock, random_source)");
  }
}

template <class P>
consteval void explain_shape() {
  using r = typename P::role;
  if constexpr (models_its_role<P>()) {
    return;
  } else if constexpr (std::is_same_v<r, roles::backoff>) {
    static_assert(Backoff<P>, "anew: this Backoff policy lacks 'anew::duration delay(std::uint32_t retry) const'");
  } else if constexpr (std::is_same_v<r, roles::jitter>) {
    static_assert(Jitter<P>, "anew: this Jitter policy lacks 'anew::duration apply(anew::duration ceiling, R& random) const'");
  } else if constexpr (std::is_same_v<r, roles::quota>) {
    static_assert(Quota<P>,
                  "anew: this Quota policy lacks one of 'permit_type', 'std::optional<permit_type> "
                  "try_acquire(anew::failure const&) const', 'on_success(permit_type) const', 'release(permit_type) const'");
  } else if constexpr (std::is_same_v<r, roles::max_attempts>) {
    static_assert(MaxAttempts<P>, "anew: this MaxAttempts policy lacks 'bool permits_another(std::uint32_t made) const'");
  } else if constexpr (std::is_same_v<r, roles::hint>) {
    static_assert(Hint<P>,
                  "anew: this Hint policy lacks 'std::optional<anew::planned_delay> resolve(anew::duration computed, "
                  "anew::duration asked, anew::duration cap) const'");
  } else if constexpr (std::is_same_v<r, roles::deadline>) {
    static_assert(Deadline<P>,
                  "anew: this Deadline policy lacks 'anew::duration total() const' or 'std::optional<anew::duration> "
                  "fit(anew::duration delay, anew::duration remaining) const'");
  } else if constexpr (std::is_same_v<r, roles::observer>) {
    static_assert(Observer<P>,
                  "anew: this Observer policy has none of 'on_attempt(anew::attempt_event const&) const', "
                  "'on_retry(anew::retry_event const&) const', 'on_end(anew::end_event const&) const'");
  } else if constexpr (std::is_same_v<r, roles::clock>) {
    if constexpr (!SteadyClock<P>) {
      static_assert(SteadyClock<P>,
                    "anew: this Clock policy is not steady: a clock that is set back or forward would stretch or cut calls. "
                    "Did you mean std::chrono::steady_clock?");
    } else {
      static_assert(Clock<P>, "anew: this Clock policy lacks 'anew::time_point now() const'");
    }
  } else {
    static_assert(RandomSourcePolicy<P>, "anew: this random source lacks 'std::uint64_t operator()() const'");
  }
}

template <class P>
consteval void explain_numbers() {
  if constexpr (!is_sound<P>()) P::template explain<P>();
}

/// True when these policies may stand in a strategy together; otherwise says why not.
template <class... Ps>
consteval bool explain_replacement() {
  if constexpr (!(DeclaresRole<Ps> && ...)) {
    (detail::explain_argument<Ps>(), ...);
    return false;
  } else if constexpr (!(detail::is_known_role<Ps>() && ...)) {
    (detail::explain_argument<Ps>(), ...);
    return false;
  } else if constexpr (!(detail::models_its_role<Ps>() && ...)) {
    (detail::explain_shape<Ps>(), ...);
    return false;
  } else if constexpr (!(detail::is_sound<Ps>() && ...)) {
    (detail::explain_numbers<Ps>(), ...);
    return false;
  } else if constexpr (!no_role_is_played_twice<Ps...>::value) {
    static_assert(no_role_is_played_twice<Ps...>::value,
                  "anew::strategy<Policies...> requires at most one policy of a role; two of these play the same. "
                  "Remove one, or replace it with anew::with<Strategy, Policy>");
    return false;
  } else {
    return true;
  }
}

/// True when a strategy can be made of these policies alone; otherwise says why not.
template <class... Ps>
consteval bool explain() {
  if constexpr (!detail::explain_replacement<Ps...>()) {
    return false;
  } else if constexpr (!a_deadline_comes_with_a_limit_of_attempts<Ps...>::value) {
    static_assert(a_deadline_comes_with_a_limit_of_attempts<Ps...>::value,
                  "anew::strategy<Policies...> requires a limit of attempts beside a deadline: the usual three would end "
                  "the call long before it. Did you forget anew::unbounded, or anew::max_attempts<N>?");
    return false;
  } else {
    return true;
  }
}

/// The same question without an answer, for constraints.
template <class... Ps>
consteval bool is_composable() {
  if constexpr (!(DeclaresRole<Ps> && ...)) {
    return false;
  } else if constexpr (!(detail::is_known_role<Ps>() && ...)) {
    return false;
  } else {
    return (detail::models_its_role<Ps>() && ...) && (detail::is_sound<Ps>() && ...) &&
           no_role_is_played_twice<Ps...>::value && a_deadline_comes_with_a_limit_of_attempts<Ps...>::value;
  }
}

}  // namespace anew::detail

#endif
