// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_ROLES_HPP
#define ANEW_ROLES_ROLES_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"

/// The parts that a strategy is made of. A policy names its role in its first line,
/// `using role = anew::roles::backoff;`, because two policies of the same shape may mean different things.
namespace anew::inline ANEW_ABI::roles {

struct backoff;          ///< how long to wait before retry n, before jitter
struct jitter;           ///< where in that interval this caller waits
struct quota;            ///< what all calls together may spend on retries
struct classifier;       ///< which outcomes are worth another attempt
struct max_attempts;     ///< how many attempts one call makes; with a deadline you must name it
struct hint;             ///< what a delay that the server asked for does
struct deadline;         ///< how long one call may take (optional)
struct attempt_timeout;  ///< how long one attempt may take (optional)
struct gate;             ///< whether an attempt may begin at all (optional)
struct pacer;            ///< how fast attempts are sent (optional)
struct reset;            ///< after which failed attempt a call starts over, because it ran for long (optional)
struct nesting;          ///< what a call inside another call's attempt may do (optional)
struct observer;         ///< whom to tell of attempts, delays and endings (optional)
struct history;          ///< how many failures the outcome keeps (optional: the last failure alone)
struct clock;            ///< where the time comes from (optional: `std::chrono::steady_clock`)
struct random_source;    ///< where the random numbers come from (optional: the thread's own generator)

/// Marks an optional role that is not composed: no size, no code. Not in namespace detail, because it is a template
/// argument of every strategy: ADL on `call(strategy)` must find no internal function.
template <class Role>
struct absent {
  using role = Role;
};

}  // namespace anew::inline ANEW_ABI::roles

namespace anew::inline ANEW_ABI {

/// True for a type that names its role. The name declares the intention, so that a message can say which functions of
/// the role are missing.
template <class P>
concept DeclaresRole = requires { typename std::remove_cvref_t<P>::role; };

namespace detail {

template <class P, class Role>
concept PlaysRole = DeclaresRole<P> && std::is_same_v<typename std::remove_cvref_t<P>::role, Role>;

/// `std::same_as`, which compilers explain in a third of the lines.
template <class T, class U>
concept Exactly = std::is_same_v<T, U>;

using roles::absent;

template <class P>
inline constexpr bool is_absent = false;
template <class Role>
inline constexpr bool is_absent<absent<Role>> = true;

/// The description of a role, next to the role's concept; `role_table` lists all roles:
///
///     template <class P> static constexpr bool models;          // has P all that the role requires?
///     template <class P> static consteval void explain();       // says what P is missing, by an assertion
template <class Role>
struct row;

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
