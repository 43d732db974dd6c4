// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_PACER_HPP
#define ANEW_CONCEPT_PACER_HPP

#include <concepts>

#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/failure.hpp"

namespace anew::inline ANEW_ABI {

/// A pacer's answer to an attempt that wants to be sent.
struct pace {
  duration wait{};       ///< zero: now; else ask again after it
  bool refused = false;  ///< there is no room, and the pacer is not one to wait for: the call ends
};

/// How fast attempts are sent, first ones and retries alike.
///
/// | expression, `p` const            | returns | meaning                                                             |
/// |----------------------------------|---------|---------------------------------------------------------------------|
/// | `typename P::role`               |         | `roles::pacer`                                                      |
/// | `typename P::ticket_type`        |         | what an attempt that waits has reserved; `{}` means nothing         |
/// | `p.ask(ticket, now)`             | `pace`  | may it be sent? Asked right before each attempt, and again, with the same ticket, after a wait |
/// | `p.on_success(now)`              |         | an attempt succeeded                                                |
/// | `p.on_failure(failure, now)`     |         | an attempt failed; `failure::kind` says whether it was throttled    |
/// | `p.release(ticket)`              |         | an attempt that waited will not be made                             |
///
/// Laws: a wait is never negative, and one that would be zero is none; nobody waits for ever, and whoever waits is asked
/// for again whenever its wait is over; a ticket that is not `{}` comes back through a granted `ask` or through `release`;
/// none of these functions throws, sleeps or blocks for long.
/// Models: client_rate_limiter, shared<Pacer>, and what partitioned<Key, Pacer> lends.
template <class P>
concept Pacer = detail::PlaysRole<P, roles::pacer> && std::regular<typename P::ticket_type> &&
                requires(P const& p, typename P::ticket_type ticket, failure const& f, time_point now) {
                  { p.ask(ticket, now) } -> detail::Exactly<pace>;
                  p.on_success(now);
                  p.on_failure(f, now);
                  p.release(ticket);
                };

}  // namespace anew::inline ANEW_ABI

#endif
