// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_OBSERVER_HPP
#define ANEW_CONCEPT_OBSERVER_HPP

#include <cstdint>

#include "anew/concept/hint.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/directive.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/stop_reason.hpp"

namespace anew::inline ANEW_ABI {

/// An attempt ended. Told when it is known whether another one follows.
struct attempt_event {
  std::uint32_t attempt;
  directive verdict;  ///< what the classifier says of it
  bool is_final;      ///< no other attempt follows: what failed here stays failed

  [[nodiscard]] constexpr bool succeeded() const noexcept { return verdict.is_success(); }
};

/// Another attempt will be made after a delay. Told before the sleep.
struct retry_event {
  std::uint32_t attempt;  ///< the number of the attempt to come
  failure what;           ///< why
  duration delay;
  delay_origin origin;
};

/// The call is over. Told once, and never followed by another event.
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

/// Who hears of a call's attempts, delays and ending. Any one of the three functions will do.
///
/// | expression, `o` const      | told                                                              |
/// |----------------------------|-------------------------------------------------------------------|
/// | `typename O::role`         | `roles::observer`                                                 |
/// | `o.on_attempt(event)`      | after each attempt, its classification and the decision           |
/// | `o.on_retry(event)`        | before each sleep                                                 |
/// | `o.on_end(event)`          | once, at the end; not when a part of the strategy or the sleeper threw |
///
/// An observer may throw: the call ends with its exception, the quota is as before. It must be safe from many threads
/// when the strategy is used from many. Without an observer there is no code for it.
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
