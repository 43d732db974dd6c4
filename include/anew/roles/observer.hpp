// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_OBSERVER_HPP
#define ANEW_ROLES_OBSERVER_HPP

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/policy_change.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// A call begins. Reported before the strategy is asked, to an observer with a `call_type`.
struct call_event {
  char const* operation;  ///< the name that anew::named() gave the operation; nullptr without one
};

/// An attempt ended. Reported once it is decided whether another attempt follows.
struct attempt_event {
  std::uint32_t attempt;
  directive verdict;  ///< the classifier's verdict
  bool is_final;      ///< no further attempt follows: a failure is the call's result

  [[nodiscard]] constexpr bool succeeded() const noexcept { return verdict.is_success(); }
};

/// Another attempt will be made after a delay. Reported before the sleep.
struct retry_event {
  std::uint32_t attempt;  ///< the number of the next attempt
  failure what;           ///< why
  duration delay;
  delay_origin origin;
};

/// The call is over. Reported once, and never followed by another event.
struct end_event {
  std::uint32_t attempts;
  stop_reason reason;
};

namespace detail {

template <class O>
concept DeclaresCallType = requires { typename O::call_type; };
/// An observer that keeps something for each call: a span, a clock reading, a number.
template <class O>
concept FollowsCalls =
    DeclaresCallType<O> && std::move_constructible<typename O::call_type> &&
    (requires(O const& o, call_event const& e) {
      { o.on_call(e) } -> std::same_as<typename O::call_type>;
    } || requires(O const& o, call_event const& e, time_point& now) {
      { o.on_call(e, now) } -> std::same_as<typename O::call_type>;
    });

/// The call of an observer that follows none.
struct unfollowed_call {};
template <class O>
struct followed_call : std::type_identity<unfollowed_call> {};
template <FollowsCalls O>
struct followed_call<O> : std::type_identity<typename O::call_type> {};

// NOLINTBEGIN(*-macro-*): a template cannot take a member's name as its argument
/// The concept of observers with this function, and the call of it. `now` is a time_point, or converts to one; it is read
/// where the observer takes it.
#define ANEW_TELLS(HEARS, TELL, FUNCTION, ...)                                                                        \
  template <class O>                                                                                                  \
  concept HEARS = (!DeclaresCallType<O> && requires(O const& o, __VA_ARGS__ const& e) { o.FUNCTION(e); }) ||          \
                  requires(O const& o, typename O::call_type& call, __VA_ARGS__ const& e) { o.FUNCTION(call, e); } || \
                  requires(O const& o, typename O::call_type& call, __VA_ARGS__ const& e, time_point& now) {          \
                    o.FUNCTION(call, e, now);                                                                         \
                  };                                                                                                  \
  template <class O, class Call, class Now>                                                                           \
  ANEW_INLINE constexpr void TELL(O const& o, [[maybe_unused]] Call& call, __VA_ARGS__ const& e,                      \
                                  [[maybe_unused]] Now& now) {                                                        \
    if constexpr (!DeclaresCallType<O>) {                                                                             \
      if constexpr (requires { o.FUNCTION(e); }) o.FUNCTION(e);                                                       \
    } else if constexpr (requires { o.FUNCTION(call, e, now); }) {                                                    \
      o.FUNCTION(call, e, now);                                                                                       \
    } else if constexpr (requires { o.FUNCTION(call, e); }) {                                                         \
      o.FUNCTION(call, e);                                                                                            \
    }                                                                                                                 \
  }
ANEW_TELLS(HearsAttempts, tell_observer, on_attempt, attempt_event)
ANEW_TELLS(HearsRetries, tell_observer, on_retry, retry_event)
ANEW_TELLS(HearsTheEnd, tell_observer, on_end, end_event)
#undef ANEW_TELLS
// NOLINTEND(*-macro-*)

/// A change belongs to no call.
template <class O>
concept HearsChanges = requires(O const& o, policy_change const& change) { o.on_change(change); } ||
                       requires(O const& o, policy_change const& change, time_point& now) { o.on_change(change, now); };
ANEW_INLINE constexpr void tell_change(auto const& o, policy_change const& change, [[maybe_unused]] auto& now) {
  if constexpr (requires { o.on_change(change, now); }) {
    o.on_change(change, now);
  } else {
    o.on_change(change);
  }
}
template <class O>
concept HearsBeginnings = requires(O const& o, typename O::call_type& call, std::uint32_t number) {
  o.on_begin(call, number);
} || requires(O const& o, typename O::call_type& call, std::uint32_t number, time_point& now) {
  o.on_begin(call, number, now);
};
ANEW_INLINE constexpr void tell_begin_to(auto const& o, auto& call, std::uint32_t number, auto& now) {
  if constexpr (requires { o.on_begin(call, number, now); }) {
    o.on_begin(call, number, now);
  } else if constexpr (requires { o.on_begin(call, number); }) {
    o.on_begin(call, number);
  }
}
template <class O, class E>
concept HearsErrorOf = requires(O const& o, typename O::call_type& call, E const& error) { o.on_error(call, error); };
template <FollowsCalls O, class Now>
ANEW_INLINE constexpr typename O::call_type begin_observed(O const& o, call_event const& e, Now& now) {
  if constexpr (requires { o.on_call(e, now); }) {
    return o.on_call(e, now);
  } else {
    return o.on_call(e);
  }
}

}  // namespace detail

/// Is notified of a call's attempts, delays and ending, and of gate, quota and pacer. At least one of the four functions is required.
///
/// | expression, `o` const      | called                                                              |
/// |----------------------------|-------------------------------------------------------------------|
/// | `typename O::role`         | `roles::observer`                                                 |
/// | `o.on_attempt(event)`      | after each attempt, its classification and the decision           |
/// | `o.on_retry(event)`        | before each sleep                                                 |
/// | `o.on_end(event)`          | once, at the end; not when a part of the strategy or the sleeper threw |
/// | `o.on_change(policy_change)` | when the gate opened, became half open or closed; when the quota refused a retry or granted one again; when the pacer made an attempt wait or a new one did not |
///
/// A change belongs to no call: `on_change` is the same with a `call_type`, and may take `anew::time_point now` too. Each is
/// told once, by the strategy whose attempt or end of a call met it, right after it; changes in two threads may be told in
/// either order. You tell a change by hand with `strategy.announce(gate.isolate())`. A pause that is over closes a cool_down
/// when an attempt begins. Strategies that share a quota or a pacer by `shared` tell each of its changes once;
/// through other handles each strategy tells what it met.
///
/// An observer with a `call_type` follows calls: `on_call` makes an object for each call, and each function gets it as
/// its first argument. All but `on_call` are optional.
///
/// | expression, `call` of `call_type&`  | called                                                             |
/// |-------------------------------------|--------------------------------------------------------------------|
/// | `o.on_call(call_event)`             | when the call begins; returns a `call_type`, which can be moved    |
/// | `o.on_begin(call, number)`          | right before each attempt                                          |
/// | `o.on_error(call, error)`           | with the error or the exception of a failed attempt while it lives, right before its `on_attempt`; overloads or a template, and what fits none is not told |
/// | `o.on_attempt(call, event)`         | as above; so are `on_retry` and `on_end`                           |
/// | `~call_type`                        | always: after `on_end`, and where a part or the sleeper threw      |
///
/// Each of them but `on_error` may take `anew::time_point now` as a further, last argument: the strategy's clock is read
/// for those that do, and for no other. One `call` is of one thread at a time. A hedged call has several attempts under way,
/// which `on_begin` and `on_attempt` tell apart by their number. After a stop an attempt has no `on_attempt`.
///
/// An observer may throw: the call ends with that exception, and the quota is as before. It must be safe from many
/// threads when the strategy is used from many. Without an observer no code is generated for it.
template <class O>
concept Observer = detail::PlaysRole<O, roles::observer> &&
                   (detail::DeclaresCallType<O> ? detail::FollowsCalls<O>
                                                : detail::HearsAttempts<O> || detail::HearsRetries<O> ||
                                                      detail::HearsTheEnd<O> || detail::HearsChanges<O>);

template <>
struct detail::row<roles::observer> {
  template <class P>
  static constexpr bool models = is_absent<P> || Observer<P>;
  template <class P>
  static consteval void explain() {
    static_assert(!DeclaresCallType<P> || models<P>,
                  "anew::strategy<Policies...> requires an Observer with a 'call_type' to have 'call_type "
                  "on_call(anew::call_event const&) const', or with 'anew::time_point now' as a second argument. Check "
                  "the name, the types and const, and that a call_type can be moved");
    static_assert(DeclaresCallType<P> || models<P>,
                  "anew::strategy<Policies...> requires an Observer policy to have at least one of "
                  "'on_attempt(anew::attempt_event const&) const', 'on_retry(anew::retry_event const&) const', "
                  "'on_end(anew::end_event const&) const' and 'on_change(anew::policy_change const&) const'. Check the "
                  "names, the types and const");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
