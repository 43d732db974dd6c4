// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_EXPLAIN_MACHINE_HPP
#define ANEW_DRIVERS_INTERNAL_EXPLAIN_MACHINE_HPP

#include <cstdint>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/drivers/internal/explain_result.hpp"
#include "anew/drivers/internal/machine.hpp"
#include "anew/roles/internal/error_members.hpp"

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

/// Replaces the machine of a strategy that is already explained to be wrong, so that the explanation is the only error.
template <class Step>
struct inert_machine {
  explicit inert_machine(auto const&... /*strategy*/) noexcept {}
  static Step begin() noexcept { return end(); }
  static Step on_time() noexcept { return end(); }
  static Step on_success(auto const&... /*told*/) noexcept { return end(); }
  static Step on_exception(auto const&... /*told*/) noexcept { return end(); }
  static Step on_verdict(auto const&... /*told*/) noexcept { return end(); }
  static Step on_attempt_timeout(auto const&... /*told*/) noexcept { return end(); }
  static Step on_cancelled() noexcept { return end(); }
  static Step on_wait_over() noexcept { return end(); }
  static Step request_stop() noexcept { return end(); }
  static void abandon() noexcept {}
  static bool is_stopped() noexcept { return false; }
  static bool is_finished() noexcept { return true; }
  static bool is_in_flight(std::uint32_t /*number*/) noexcept { return false; }
  static std::uint32_t in_flight() noexcept { return 0; }
  static duration wait() noexcept { return {}; }
  static time_point wait_ends_at() noexcept { return {}; }
  static attempt::parts current() noexcept { return {}; }
  static duration attempt_timeout() noexcept { return {}; }
  static stop_reason reason() noexcept { return {}; }
  static std::uint32_t attempts() noexcept { return {}; }

 private:
  static Step end() noexcept {
    if constexpr (std::is_same_v<Step, next_step>) return next_step::finished;
    return {};
  }
};

template <class S, bool IsSound>
struct machine_if : std::type_identity<machine<S>> {};
template <class S>
struct machine_if<S, false> : std::type_identity<inert_machine<next_step>> {};

}  // namespace anew::inline ANEW_ABI::detail

#endif
