// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OBSERVER_FAN_OUT_HPP
#define ANEW_POLICIES_OBSERVER_FAN_OUT_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/internal/inner.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/policy_change.hpp"
#include "anew/roles/internal/explain_members.hpp"
#include "anew/roles/internal/members.hpp"
#include "anew/roles/internal/several.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class... Os>
inline constexpr bool has_at_least_one_observer = sizeof...(Os) > 0;
template <class... Os>
inline constexpr bool all_are_observers = (Observer<Os> && ...);
template <class O>
inline constexpr bool is_unsound_observer = IsMarkedUnsound<O>;
template <Observer O>
  requires(!members_are_callable<O>)
inline constexpr bool is_unsound_observer<O> = true;

/// The call_type of a fan_out, where one of its observers follows calls.
template <class... Os>
struct fan_out_calls {};
template <class... Os>
  requires(FollowsCalls<Os> || ...)
struct fan_out_calls<Os...> {
  using call_type = kept_for_each<std::index_sequence_for<Os...>, typename followed_call<Os>::type...>;
};
template <class... Os>
concept NoneFollows = !(FollowsCalls<Os> || ...);

template <class O, class Now>
constexpr typename followed_call<O>::type begin_if_followed(O const& observer, call_event const& event, Now& now) {
  if constexpr (FollowsCalls<O>) {
    return detail::begin_observed(observer, event, now);
  } else {
    return {};
  }
}

template <class O, class... Os>
struct first_unsound_observer : first_unsound_observer<Os...> {};
template <class O, class... Os>
  requires is_unsound_observer<O>
struct first_unsound_observer<O, Os...> : std::type_identity<O> {};

}  // namespace detail

/// Combines several observers: notifies each of its events, in the order of the list.
///
/// `fan_out<counters, log>`; `fan_out{counters{&registry}, log{&file}}` takes observers with state. An observer that
/// throws ends the call with its exception: the observers after it miss that event, and all observers miss later
/// events. Put an observer that must not miss an event first. Where an observer of the list follows
/// calls, so does the fan_out; its `call_type` holds one for each.
///
/// Models: Observer (empty if they are; safe from many threads if they are)
/// Formula: none
/// Requires: at least one observer
/// Cost: that of the observers; events without a listener cost nothing
/// Choose it for two or more observers of the same calls. For a single observer compose that observer; for none, omit
/// the role.
/// Source: none
template <class... Observers>
class fan_out : public detail::fan_out_calls<Observers...> {
 public:
  using role = roles::observer;
  static constexpr bool forwards_members = true;

  static constexpr bool is_sound = detail::has_at_least_one_observer<Observers...> &&
                                   detail::all_are_observers<Observers...> &&
                                   (!detail::is_unsound_observer<Observers> && ...);

  constexpr fan_out() = default;
  constexpr explicit fan_out(Observers... observers)
    requires(sizeof...(Observers) > 0)
      : members_{std::move(observers)...} {}

  constexpr void on_attempt(attempt_event const& event) const
    requires detail::NoneFollows<Observers...> && (detail::HearsAttempts<Observers> || ...)
  {
    members_.each([&event]<class O>(O const& observer) {
      if constexpr (detail::HearsAttempts<O>) observer.on_attempt(event);
    });
  }
  constexpr void on_retry(retry_event const& event) const
    requires detail::NoneFollows<Observers...> && (detail::HearsRetries<Observers> || ...)
  {
    members_.each([&event]<class O>(O const& observer) {
      if constexpr (detail::HearsRetries<O>) observer.on_retry(event);
    });
  }
  // An ill-formed observer claims to listen to the end, so that its explain() is called instead of further checks.
  constexpr void on_end(end_event const& event) const
    requires detail::NoneFollows<Observers...> && (!is_sound || (detail::HearsTheEnd<Observers> || ...))
  {
    members_.each([&event]<class O>(O const& observer) {
      if constexpr (detail::HearsTheEnd<O>) observer.on_end(event);
    });
  }

  constexpr void on_change(policy_change const& change, auto& now) const
    requires(detail::HearsChanges<Observers> || ...)
  {
    members_.each([&]<class O>(O const& observer) {
      if constexpr (detail::HearsChanges<O>) detail::tell_change(observer, change, now);
    });
  }

  // Of followed calls. The time is passed on as it came: it is read where a member takes it.
  constexpr auto on_call(call_event const& event, auto& now) const
    requires(!detail::NoneFollows<Observers...>)
  {
    return members_.all([&]<class... Os>(Os const&... observers) {
      return typename detail::fan_out_calls<Os...>::call_type{{detail::begin_if_followed(observers, event, now)}...};
    });
  }
  constexpr void on_begin(auto& calls, std::uint32_t number, auto& now) const
    requires(detail::HearsBeginnings<Observers> || ...)
  {
    members_.each_with(calls,
                       [&](auto const& observer, auto& call) { detail::tell_begin_to(observer, call, number, now); });
  }
  template <class Calls, class E>
  constexpr void on_error(Calls& calls, E const& error) const
    requires(detail::HearsErrorOf<Observers, E> || ...)
  {
    members_.each_with(calls, [&error]<class O>(O const& observer, auto& call) {
      if constexpr (detail::HearsErrorOf<O, E>) observer.on_error(call, error);
    });
  }
  constexpr void on_attempt(auto& calls, attempt_event const& event, auto& now) const
    requires(detail::HearsAttempts<Observers> || ...)
  {
    tell(calls, event, now);
  }
  constexpr void on_retry(auto& calls, retry_event const& event, auto& now) const
    requires(detail::HearsRetries<Observers> || ...)
  {
    tell(calls, event, now);
  }
  constexpr void on_end(auto& calls, end_event const& event, auto& now) const
    requires(detail::HearsTheEnd<Observers> || ...)
  {
    tell(calls, event, now);
  }

  [[nodiscard]] std::string describe() const { return members_.describe("fan_out", "observer"); }

  static consteval void explain() {
    if constexpr (!detail::has_at_least_one_observer<Observers...>) {
      static_assert(detail::has_at_least_one_observer<Observers...>,
                    "anew::fan_out<Observers...> requires at least one observer; the list is empty. Omit the policy "
                    "for a strategy without observers");
    } else if constexpr (!detail::all_are_observers<Observers...>) {
      static_assert(
          detail::all_are_observers<Observers...>,
          "anew::fan_out<Observers...> requires observers only; at least one argument is not an observer. Does it have "
          "'using role = anew::roles::observer', and on_attempt, on_retry, on_end or on_change as a const function?");
    } else {
      using first = typename detail::first_unsound_observer<Observers...>::type;
      if constexpr (detail::members_are_callable<first>) {
        first::explain();
      } else {
        detail::explains_members::explain<first>();
      }
    }
  }

 private:
  constexpr void tell(auto& calls, auto const& event, auto& now) const {
    members_.each_with(calls,
                       [&](auto const& observer, auto& call) { detail::tell_observer(observer, call, event, now); });
  }

  ANEW_NO_UNIQUE_ADDRESS detail::several<Observers...> members_;
};

}  // namespace anew::inline ANEW_ABI

#endif
