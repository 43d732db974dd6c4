// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_EXPLAIN_MACHINE_HPP
#define ANEW_DRIVERS_INTERNAL_EXPLAIN_MACHINE_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/drivers/internal/machine.hpp"
#include "anew/roles/internal/error_members.hpp"
#include "anew/strategy/internal/explain.hpp"

/// Explains an error that a loop of its user's own reports and the classifier cannot read.
namespace anew::inline ANEW_ABI::detail {

template <class S, class E>
consteval bool explain_machine_error() {
  using C = classifier_type_of<S>;
  if constexpr (!error_functions_are_callable<E>) {
    return detail::explain_error<E>();
  } else {
    static_assert(
        classifier_reads_error<C, E>,
        "call.on_error(error) requires a classifier that reads this type; the strategy's classifier does not. Compose "
        "anew::retry_if<Predicate> or anew::retry_all, or classify the error yourself: call.on_verdict(directive)");
    return classifier_reads_error<C, E>;
  }
}

/// Replaces the machine of a strategy that is already explained to be wrong, so that the explanation is the only error. No
/// program makes one.
template <class Machine>
struct inert_machine : Machine {
  explicit inert_machine(auto const&... anything);
};

template <class S, bool IsSound>
struct machine_if : std::type_identity<machine<S>> {};
template <class S>
struct machine_if<S, false> : std::type_identity<inert_machine<machine<ill_formed_strategy>>> {};

}  // namespace anew::inline ANEW_ABI::detail

#endif
