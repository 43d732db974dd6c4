// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_HISTORY_HPP
#define ANEW_ROLES_HISTORY_HPP

#include <cstdint>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// Stands for the error of a result that carries none.
struct no_error_value {};

/// For the concept: a log of errors of type int.
template <class L>
concept FailureLog = requires(L& log, failure const& what, int const& error) {
  log.add(std::uint32_t{1}, what);
  log.add(std::uint32_t{1}, what, error);
};

}  // namespace detail

/// Keeps the failures of a call for its outcome.
///
/// | expression                       | meaning                                                              |
/// |----------------------------------|----------------------------------------------------------------------|
/// | `typename H::role`               | `roles::history`                                                     |
/// | `typename H::template log<E>`    | default-constructible, movable: the failures of one call with errors of type `E` |
/// | `log.add(attempt, failure, error)` | a failed attempt, in order                                         |
/// | `log.add(attempt, failure)`      | the same for an attempt that threw: the exception is being handled                |
///
/// It costs nothing in calls without an outcome: only `retry_outcome()` keeps a log.
/// Models: history<N>.
template <class H>
concept History = detail::PlaysRole<H, roles::history> && detail::FailureLog<typename H::template log<int>>;

template <>
struct detail::row<roles::history> {
  template <class P>
  static constexpr bool models = is_absent<P> || History<P>;
  template <class P>
  static consteval void explain() {
    static_assert(History<P>,
                  "anew::strategy<Policies...> requires a History policy to have a nested template 'log<E>' with "
                  "'add(std::uint32_t attempt, anew::failure const&)' and the same with an 'E const&'. Did you mean "
                  "anew::history<N>?");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
