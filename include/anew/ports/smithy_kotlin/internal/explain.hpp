// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_INTERNAL_EXPLAIN_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_INTERNAL_EXPLAIN_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include "anew/base/result_traits.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#include "anew/ports/smithy_kotlin/retry_policy.hpp"

/// Explains a wrong block or policy.
namespace anew::inline ANEW_ABI::smithy_kotlin::detail {

/// A universal policy reads exceptions alone, so a value with an error in it would be a success.
template <class Policy, class R>
inline constexpr bool policy_reads_the_value =
    !requires(Policy const& p) { p.evaluate_exception(nullptr); } || !anew::detail::carries_error<R>;
template <class R>
inline constexpr bool block_has_finished = anew::detail::result_is_finished<R>;

/// `R` is the block's result as the call sees it.
template <class Policy, class Block, class R>
consteval bool explain_block() {
  using read = std::conditional_t<std::is_void_v<R> || anew::detail::ThrowsOnly<Block>, anew::detail::void_result,
                                  std::remove_cvref_t<R>>;
  if constexpr (!block_has_finished<read>) {
    static_assert(
        block_has_finished<read>,
        "anew::smithy_kotlin: retry(policy, block) requires a block whose result is finished; this result is "
        "an awaitable, a future, a sender, a task, or a callable, and would count as a success before it has "
        "run. Wait for it in the block, or co_await anew::smithy_kotlin::retry(strategy, policy, block, sleep) "
        "or anew::smithy_kotlin::async_retry(strategy, policy, block, token)");
  } else if constexpr (!policy_reads_the_value<Policy, read>) {
    static_assert(policy_reads_the_value<Policy, read>,
                  "anew::smithy_kotlin: retry(policy, block) requires a policy that reads a result which may be a "
                  "failure; a universal_retry_policy reads exceptions only, so that each value of this type would be a "
                  "success. Derive the policy from retry_policy<R>, or pass anew::throws_only(block)");
  } else {
    return true;
  }
  return false;
}

/// A policy is for this result: a retry_policy<R>, or a universal one.
template <class Policy, class R>
inline constexpr bool policy_is_for_the_result = requires(Policy const& policy, attempt_result<R> const& result) {
  { policy.evaluate(result) } -> std::same_as<retry_directive>;
};
template <class Policy, class Block, class R>
consteval bool explain_policy() {
  if constexpr (!policy_is_for_the_result<Policy, R>) {
    static_assert(policy_is_for_the_result<Policy, R>,
                  "anew::smithy_kotlin requires a policy for the block's result: a retry_policy<R> for a block that "
                  "returns R, or a universal_retry_policy; this policy evaluates another type. Derive it from "
                  "retry_policy<R>, or return that type from the block");
    return false;
  } else {
    return detail::explain_block<Policy, Block, R>();
  }
}

}  // namespace anew::inline ANEW_ABI::smithy_kotlin::detail

#endif  // ANEW_EXCEPTIONS
#endif
