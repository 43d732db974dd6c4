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
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/ports/smithy_kotlin/attempt_result.hpp"
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

  /// Runs the block and stores its result. A block that takes an `anew::attempt&` is told the attempt's number and the
  /// call's deadline.
  void make_attempt(std::uint32_t number, time_point deadline = time_point::max(), time_point now = {}) {
    run({.number = number, .deadline = deadline, .began = now, .previous = previous_, .stop = stop_});
    attempts_ = number;
  }

  /// The policy's directive for the last result. Throws what the policy throws.
  [[nodiscard]] retry_directive evaluate() {
    auto const directive = judge();
    if (directive.is_retry()) previous_ = to_error_kind(directive.reason());
    return directive;
  }

  /// Ends the call: rethrows the last result's exception, or throws for the reason; see retry_failure.
  [[noreturn]] void fail(stop_reason reason) { throw_retry_failure(reason, attempts_, take_result()); }

  [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }
  [[nodiscard]] stop_flag const& stop() const noexcept { return stop_; }

 protected:
  explicit retry_call(stop_flag stop) noexcept : stop_{stop} {}
  ~retry_call() = default;

 private:
  virtual void run(attempt::parts const& parts) = 0;
  [[nodiscard]] virtual retry_directive judge() const = 0;
  [[nodiscard]] virtual kept_result take_result() = 0;

  stop_flag stop_;
  std::optional<error_kind> previous_;
  std::uint32_t attempts_ = 0;
};

namespace detail {

template <class R, class Policy, class Block>
class typed_call final : public retry_call {
 public:
  typed_call(Policy const& policy, Block& block, stop_flag stop) noexcept
      : retry_call{stop}, policy_{policy}, block_{block} {}

  std::optional<attempt_result<R>> last{};

 private:
  void run(attempt::parts const& parts) override {
    last.reset();
    if constexpr (anew::detail::TakesAttempt<Block>) {
      attempt self{parts};
      last.emplace(attempt_result<R>::of([&]() -> R { return static_cast<R>(block_(self)); }));
    } else {
      last.emplace(attempt_result<R>::of([&]() -> R { return static_cast<R>(block_()); }));
    }
  }
  [[nodiscard]] retry_directive judge() const override { return policy_.evaluate(*last); }
  [[nodiscard]] kept_result take_result() override { return last ? kept_result{*std::move(last)} : kept_result{}; }

  Policy const& policy_;
  Block& block_;
};

}  // namespace detail

/// How a call ended that the policy calls a success: with a value, or with an exception that a policy was waiting for.
template <class R>
struct outcome {
  std::uint32_t attempts;
  attempt_result<R> result;
};

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
  R retry(retry_policy<R> const& policy, Block&& block, Stop const& stop = {}) const {
    return value_of(call<R>(policy, block, stop));
  }
  template <class Block, StopToken Stop = never_stop>
  auto retry(universal_retry_policy const& policy, Block&& block, Stop const& stop = {}) const {
    return value_of(call<block_result<Block>>(policy, block, stop));
  }

  /// The same, with the number of attempts; and an exception that is a success is no longer thrown.
  template <class R, class Block, StopToken Stop = never_stop>
  [[nodiscard]] outcome<R> retry_outcome(retry_policy<R> const& policy, Block&& block, Stop const& stop = {}) const {
    return call<R>(policy, block, stop);
  }
  template <class Block, StopToken Stop = never_stop>
  [[nodiscard]] auto retry_outcome(universal_retry_policy const& policy, Block&& block, Stop const& stop = {}) const {
    return call<block_result<Block>>(policy, block, stop);
  }

 protected:
  /// Makes attempts until the policy calls one a success, and returns; or ends the call by `call.fail(reason)`.
  virtual void run(retry_call& call) const = 0;

 private:
  template <class Block>
  using block_result = std::remove_cv_t<anew::detail::result_of<std::remove_reference_t<Block>>>;

  template <class R, class Policy, class Block, class Stop>
  outcome<R> call(Policy const& policy, Block& block, Stop const& stop) const {
    detail::typed_call<R, Policy, Block> self{policy, block, stop_flag{stop}};
    run(self);
    return {self.attempts(), *std::move(self.last)};
  }

  template <class R>
  static R value_of([[maybe_unused]] outcome<R>&& done) {
    if constexpr (!std::is_void_v<R>) return std::move(done.result).value();
  }
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
