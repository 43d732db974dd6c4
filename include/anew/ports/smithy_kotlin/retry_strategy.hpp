// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_RETRY_STRATEGY_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_RETRY_STRATEGY_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/ports/smithy_kotlin/attempt_result.hpp"
#include "anew/ports/smithy_kotlin/internal/explain.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#include "anew/ports/smithy_kotlin/retry_failure.hpp"
#include "anew/ports/smithy_kotlin/retry_policy.hpp"
#include "anew/ports/smithy_kotlin/time_source.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/sleeper.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// A call as a strategy sees it: a block, a policy and a last result, without their types.
class retry_call {
 public:
  retry_call(retry_call const&) = delete;
  retry_call& operator=(retry_call const&) = delete;

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
class retry_strategy {
 public:
  retry_strategy() = default;
  retry_strategy(retry_strategy const&) = delete;
  retry_strategy& operator=(retry_strategy const&) = delete;
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

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
