// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_OBSERVER_HPP
#define ANEW_ROLES_OBSERVER_HPP

#include <cstdint>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

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
concept HearsAttempts = requires(O const& o, attempt_event const& e) { o.on_attempt(e); };
template <class O>
concept HearsRetries = requires(O const& o, retry_event const& e) { o.on_retry(e); };
template <class O>
concept HearsTheEnd = requires(O const& o, end_event const& e) { o.on_end(e); };

}  // namespace detail

/// Is notified of a call's attempts, delays and ending. At least one of the three functions is required.
///
/// | expression, `o` const      | called                                                              |
/// |----------------------------|-------------------------------------------------------------------|
/// | `typename O::role`         | `roles::observer`                                                 |
/// | `o.on_attempt(event)`      | after each attempt, its classification and the decision           |
/// | `o.on_retry(event)`        | before each sleep                                                 |
/// | `o.on_end(event)`          | once, at the end; not when a part of the strategy or the sleeper threw |
///
/// An observer may throw: the call ends with that exception, and the quota is as before. It must be safe from many
/// threads when the strategy is used from many. Without an observer no code is generated for it.
/// Models: fan_out, timeline, json_lines, testing::recorder.
template <class O>
concept Observer = detail::PlaysRole<O, roles::observer> &&
                   (detail::HearsAttempts<O> || detail::HearsRetries<O> || detail::HearsTheEnd<O>);

template <>
struct detail::row<roles::observer> {
  template <class P>
  static constexpr bool models = is_absent<P> || Observer<P>;
  template <class P>
  static consteval void explain() {
    static_assert(models<P>,
                  "anew::strategy<Policies...> requires an Observer policy to have at least one of "
                  "'on_attempt(anew::attempt_event const&) const', 'on_retry(anew::retry_event const&) const' and "
                  "'on_end(anew::end_event const&) const'. Check the names, the types and const");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
