// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_PACER_HPP
#define ANEW_ROLES_PACER_HPP

#include <concepts>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// A pacer's answer to an attempt that is about to begin.
struct pace {
  duration wait{};       ///< zero: now; else ask again after it
  bool refused = false;  ///< the rate is exceeded, and the pacer does not make attempts wait: the call ends
};

/// Limits the rate of attempts, first attempts and retries alike.
///
/// | expression, `p` const            | returns | meaning                                                             |
/// |----------------------------------|---------|---------------------------------------------------------------------|
/// | `typename P::role`               |         | `roles::pacer`                                                      |
/// | `typename P::ticket_type`        |         | the reservation of a waiting attempt; `{}` means nothing         |
/// | `p.ask(ticket, now)`             | `pace`  | whether the attempt may begin. Asked right before each attempt, and again, with the same ticket, after a wait |
/// | `p.on_success(now)`              |         | an attempt succeeded                                                |
/// | `p.on_failure(failure, now)`     |         | an attempt failed; `failure::kind` says whether it was throttled    |
/// | `p.release(ticket)`              |         | an attempt that waited will not be made                             |
///
/// The clock is read when `now` becomes a `time_point`: with `ask(ticket, auto&& now)` only where you convert it.
///
/// Laws: a wait is never negative, and a wait of zero grants the attempt; every wait ends, and the driver asks again
/// after it; a ticket other than `{}` comes back through a granted `ask` or through `release`; none of these functions
/// throws, sleeps or blocks for long.
/// Models: client_rate_limiter, shared<Pacer>, and what partitioned<Key, Pacer> lends.
template <class P>
concept Pacer = detail::PlaysRole<P, roles::pacer> && std::regular<typename P::ticket_type> &&
                requires(P const& p, typename P::ticket_type ticket, failure const& f, time_point now) {
                  { p.ask(ticket, now) } -> detail::Exactly<pace>;
                  p.on_success(now);
                  p.on_failure(f, now);
                  p.release(ticket);
                };

template <>
struct detail::row<roles::pacer> {
  template <class P>
  static constexpr bool models = is_absent<P> || Pacer<P>;
  template <class P>
  static consteval void explain() {
    static_assert(Pacer<P>,
                  "anew::strategy<Policies...> requires a Pacer policy to have all of 'ticket_type', 'anew::pace "
                  "ask(ticket_type&, anew::time_point now) const', 'on_success(now) const', "
                  "'on_failure(anew::failure const&, now) const' and 'release(ticket_type) const'. Check the names, "
                  "the types and const");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
