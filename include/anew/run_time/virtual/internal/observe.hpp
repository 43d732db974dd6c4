// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_INTERNAL_OBSERVE_HPP
#define ANEW_RUN_TIME_VIRTUAL_INTERNAL_OBSERVE_HPP

#include <concepts>
#include <exception>
#include <type_traits>
#include <variant>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/internal/observed.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/observer.hpp"
#include "anew/run_time/virtual/attempt_scope.hpp"
#include "anew/run_time/virtual/error_ref.hpp"
#include "anew/run_time/virtual/retry_strategy.hpp"

/// Tells the observer of a strategy behind the interface.
namespace anew::inline ANEW_ABI::detail {

/// A strategy that forwards the wishes and the classifier of another virtual strategy: `basic_strategy_view`.
template <class S>
concept ViewsAnother = requires(S const& s) {
  { s.strategy() } -> std::same_as<retry_strategy const&>;
};
/// Calls `tell` with the observer and its part of the call, if the driver has begun that.
template <class S, class Tell>
void observe([[maybe_unused]] S const& strategy, [[maybe_unused]] observed_call& call,
             [[maybe_unused]] Tell const& tell) {
  if constexpr (FollowsEachCall<S>) {
    if (auto* const kept = call.get<typename observer_of<S>::call_type>()) tell(strategy.observer(), *kept);
  } else if constexpr (HasObserver<S>) {
    unfollowed_call none;
    tell(strategy.observer(), none);
  }
}

template <class S>
consteval bool explain_observer_of() {
  if constexpr (FollowsEachCall<S> && !ViewsAnother<S>) {
    static_assert(observed_call::has_room_for<typename observer_of<S>::call_type>,
                  "anew::observed_call requires an observer's call_type of at most 64 bytes that is moved without an "
                  "exception, because a retry_strategy does not know its type; this call_type is larger, or its move "
                  "may throw. Keep a std::unique_ptr in it");
  }
  return true;
}

template <class O, class E, class Call>
bool tell_if_of_type([[maybe_unused]] O const& observer, [[maybe_unused]] Call& call,
                     [[maybe_unused]] error_ref const& error) {
  if constexpr (HearsErrorOf<O, E>) {
    if (auto const* const known = error.as<E>()) return observer.on_error(call, *known), true;
  }
  return false;
}
/// Tells an observer of an error in the type in which the classifier reads it, else as a `std::exception`, else as it is.
template <class O, class Call, class... Es>
void tell_error_in([[maybe_unused]] O const& observer, [[maybe_unused]] Call& call,
                   [[maybe_unused]] error_ref const& error, catch_list<Es...> /*known*/) {
  if ((detail::tell_if_of_type<O, Es>(observer, call, error) || ...)) return;
  if constexpr (HearsErrorOf<O, std::exception>) {
    if (auto const* const thrown = error.as_exception()) return observer.on_error(call, *thrown);
  }
  if constexpr (HearsErrorOf<O, error_ref>) observer.on_error(call, error);
}

/// `Known`: the types of errors that the classifier reads.
template <class Known, class S>
void tell_behind([[maybe_unused]] S const& strategy, [[maybe_unused]] observed_call& call,
                 [[maybe_unused]] observed_event const& event, [[maybe_unused]] now_view now) {
  if constexpr (ViewsAnother<S>) {
    strategy.strategy().tell(call, event, now);  // in the one room, however many views there are
  } else if constexpr (HasObserver<S>) {
    std::visit(
        [&]<class Event>(Event const& e) {
          if constexpr (std::is_same_v<Event, call_event>) {
            if constexpr (FollowsEachCall<S>)
              call.keep([&] { return detail::begin_observed(strategy.observer(), e, now); });
          } else {
            detail::observe(strategy, call, [&](auto const& observer, auto& kept) {
              if constexpr (std::is_same_v<Event, begin_event>) {
                detail::tell_begin_to(observer, kept, e.attempt, now);
              } else if constexpr (std::is_same_v<Event, error_ref>) {
                detail::tell_error_in(observer, kept, e, Known{});
              } else {
                detail::tell_observer(observer, kept, e, now);
              }
            });
          }
        },
        event);
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
