// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_RETRY_STRATEGY_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_RETRY_STRATEGY_HPP

#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"

#if ANEW_EXCEPTIONS

#include <any>
#include <concepts>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/ports/smithy_kotlin/backoff_delayer.hpp"
#include "anew/ports/smithy_kotlin/retry_policy.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/roles/sleeper.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// The last result of a call, whatever its type.
class kept_result {
 public:
  kept_result() noexcept = default;
  template <class R>
  explicit kept_result(attempt_result<R>&& result)
      : exception_{result.exception()}, result_{std::make_shared<attempt_result<R>>(std::move(result))} {}

  template <class R>
  [[nodiscard]] std::shared_ptr<attempt_result<R>> as() const noexcept {
    auto const* const kept = std::any_cast<std::shared_ptr<attempt_result<R>>>(&result_);
    return kept != nullptr ? *kept : nullptr;
  }
  [[nodiscard]] std::exception_ptr const& exception() const noexcept { return exception_; }

 private:
  std::exception_ptr exception_;
  std::any result_;
};

/// A call that failed for a reason of the retryer's own. If the last attempt threw, the call ends with that exception
/// instead, except when the time is up: then it throws a `timed_out` with that exception nested.
class ANEW_VISIBLE retry_failure : public std::runtime_error {
 public:
  retry_failure(std::string const& what, stop_reason reason, std::uint32_t attempts, kept_result last)
      : std::runtime_error{what}, reason_{reason}, attempts_{attempts}, last_{std::move(last)} {}

  [[nodiscard]] stop_reason reason() const noexcept { return reason_; }

  /// How many attempts were made.
  [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }

  /// The result of the last attempt, if the block returns `R`; null for another `R` and if no attempt was made. Copies
  /// of the exception share it; it may be moved from.
  template <class R>
  [[nodiscard]] std::shared_ptr<attempt_result<R>> last_result() const noexcept {
    return last_.as<R>();
  }
  /// The exception of the last attempt; null if it returned.
  [[nodiscard]] std::exception_ptr const& last_exception() const noexcept { return last_.exception(); }

 private:
  stop_reason reason_;
  std::uint32_t attempts_;
  kept_result last_;
};

/// The policy wants another attempt, but the last permitted one was made, or (`stop_reason::quota`) the token bucket
/// refused to pay for it.
struct ANEW_VISIBLE too_many_attempts : retry_failure {
  using retry_failure::retry_failure;
};

/// The time for the call is over.
struct ANEW_VISIBLE timed_out : retry_failure {
  using retry_failure::retry_failure;
};

/// The policy says that a value is a final failure.
struct ANEW_VISIBLE failed : retry_failure {
  using retry_failure::retry_failure;
};

/// A stop was requested.
struct ANEW_VISIBLE cancelled : retry_failure {
  using retry_failure::retry_failure;
};

/// Throws the exception for the reason, as `retry_failure` says. `reason` is not `succeeded`.
[[noreturn]] inline void throw_retry_failure(stop_reason reason, std::uint32_t attempts, kept_result last) {
  std::string text{"anew::smithy_kotlin: "};
  auto const after = [attempts] {
    return std::string{" after "}.append(std::to_string(attempts)).append(attempts == 1 ? " attempt" : " attempts");
  };
  if (reason == stop_reason::deadline) {
    text.append("the time for the call is over").append(after());
    auto const cause = last.exception();
    timed_out error{text, reason, attempts, std::move(last)};
    if (!cause) throw error;
    try {
      std::rethrow_exception(cause);
    } catch (...) {
      std::throw_with_nested(std::move(error));
    }
  }
  if (last.exception()) std::rethrow_exception(last.exception());
  if (reason == stop_reason::not_retryable) {
    throw failed{text.append("the result is a permanent failure").append(after()), reason, attempts, std::move(last)};
  }
  if (reason == stop_reason::cancelled) {
    throw cancelled{text.append("a stop was requested").append(after()), reason, attempts, std::move(last)};
  }
  text.append(reason == stop_reason::quota ? "the token bucket refused another attempt" : "no success");
  throw too_many_attempts{text.append(after()), reason, attempts, std::move(last)};
}

/// A call as a strategy sees it: a block, a policy and a last result, without their types.
class retry_call : pinned::immovable<retry_call> {
 public:
  /// Runs the block, keeps its result, and returns the policy's directive for it. Throws what the policy throws.
  [[nodiscard]] virtual retry_directive make_attempt(attempt& self) = 0;

  /// Ends the call: rethrows the last result's exception, or throws for the reason; see retry_failure.
  [[noreturn]] virtual void fail(stop_reason reason) = 0;

  [[nodiscard]] stop_flag const& stop() const noexcept { return stop_; }

 protected:
  explicit retry_call(stop_flag stop) noexcept : stop_{stop} {}
  ~retry_call() = default;

 private:
  stop_flag stop_;
};

namespace detail {

// Explains a wrong block or policy.

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

template <class R, class Policy, class Block>
class typed_call final : public retry_call {
 public:
  typed_call(Policy const& policy, Block& block, stop_flag stop) noexcept
      : retry_call{stop}, policy_{policy}, block_{block} {}

  [[nodiscard]] retry_directive make_attempt(attempt& self) override {
    attempts_ = self.number();
    last.reset();
    last.emplace(attempt_result<R>::of([&]() -> R {
      if constexpr (anew::TakesAttempt<Block>) {
        return static_cast<R>(block_(self));
      } else {
        return static_cast<R>(block_());
      }
    }));
    return policy_.evaluate(*last);
  }
  [[noreturn]] void fail(stop_reason reason) override {
    throw_retry_failure(reason, attempts_, last ? kept_result{*std::move(last)} : kept_result{});
  }

  std::optional<attempt_result<R>> last{};

 private:
  Policy const& policy_;
  Block& block_;
  std::uint32_t attempts_ = 0;
};

}  // namespace detail

/// Runs a block until its policy says how the call ends. The block is run at least once.
///
/// A strategy of your own overrides `run`. Used by many threads at once.
class retry_strategy : pinned::immovable<retry_strategy> {
 public:
  virtual ~retry_strategy() = default;

  /// Returns the value that the policy calls a success. Throws the block's last exception as it is; else, where the last
  /// attempt returned or the time is up, a `retry_failure`; and whatever a part of the retryer throws.
  /// A policy may call an exception a success: it is rethrown, but a block without a result returns.
  /// With a stop token: a stop wakes the sleeper and starts no further attempt.
  template <class R, class Block, StopToken Stop = never_stop>
  auto retry(retry_policy<R> const& policy, Block&& block, Stop const& stop = {}) const {
    return call<R>(policy, block, stop);
  }
  template <class Block, StopToken Stop = never_stop>
  auto retry(universal_retry_policy const& policy, Block&& block, Stop const& stop = {}) const {
    return call<std::remove_cv_t<anew::detail::result_of<std::remove_reference_t<Block>>>>(policy, block, stop);
  }

 protected:
  /// Makes attempts until the policy calls one a success, and returns; or ends the call by `call.fail(reason)`.
  virtual void run(retry_call& call) const = 0;

 private:
  /// Its type is deduced, so that it is instantiated where the call is: clang forgets the user's line otherwise.
  template <class R, class Policy, class Block, class Stop>
  auto call(Policy const& policy, Block& block, Stop const& stop) const {
    using returned = anew::detail::result_of<Block>;
    if constexpr (detail::explain_block<Policy, Block, returned>()) {
      detail::typed_call<R, Policy, Block> self{policy, block, stop_flag{stop}};
      run(self);
      if constexpr (!std::is_void_v<R>) return std::move(*self.last).value();
    } else {
      return anew::detail::inert<R>();
    }
  }
};

/// The place of one call among those that wait for their turn. A default one has no place.
using rate_place = client_rate_limiter<>::ticket_type;

/// The functions that a strategy calls around each try: smithy-kotlin's `beforeInitialTry`, `afterTry` and `beforeRetry`.
///
/// Override what you need. An exception of `before_try` or `after_try` ends the call. The charge of a try that did not run
/// comes back; one that ran stays charged. `retry_capacity_exceeded` of `before_try` ends it by `rate_limited`. Used by many threads at once.
/// Choose it to pace tries or to count them. To only watch a strategy of anew: an observer.
class retry_hooks : pinned::immovable<retry_hooks> {
 public:
  virtual ~retry_hooks() = default;

  /// Before try `attempt`, which is 1 for the first; before a retry this is after the token bucket and the delay. A wait
  /// above zero delays the try: the call waits without a thread, if it suspends, and asks again.
  [[nodiscard]] virtual pace before_try(std::uint32_t /*attempt*/, rate_place& /*place*/, time_point /*now*/) {
    return {};
  }
  /// Called after each try, with the policy's directive.
  virtual void after_try(std::uint32_t /*attempt*/, retry_directive const& /*said*/, time_point /*now*/) {}
  /// A call that waited at this place makes no further try.
  virtual void leave(rate_place /*place*/) noexcept {}
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS

#endif
