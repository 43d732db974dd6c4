// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_STANDARD_RETRY_STRATEGY_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_STANDARD_RETRY_STRATEGY_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/platform/internal/test_mode.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/ports/smithy_kotlin/backoff_delayer.hpp"
#include "anew/ports/smithy_kotlin/exponential_backoff_with_jitter.hpp"
#include "anew/ports/smithy_kotlin/retry_strategy.hpp"
#include "anew/ports/smithy_kotlin/retry_token_bucket.hpp"
#include "anew/ports/smithy_kotlin/standard_retry_token_bucket.hpp"
#include "anew/ports/smithy_kotlin/time_source.hpp"
#include "anew/roles/deadline.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// Which comes first before a retry.
enum class retry_order : std::uint8_t {
  quota_first,    ///< since 2026: nothing is slept for a retry that the token bucket refuses
  backoff_first,  ///< the document of 2021: the token bucket refills during the sleep
};

/// The treatment of the first attempt if the token bucket refuses its token.
enum class first_attempt : std::uint8_t {
  always_made,             ///< it is made: a retryer manages retries
  refused_with_its_token,  ///< smithy-kotlin's code: the call ends, and the block never runs
};

/// The numbers of 2026.
struct standard_retry_strategy_options {
  std::uint32_t max_attempts = 3;
  /// For the whole call, sleeps and waits included; no attempt starts after it. A running block is not interrupted, but
  /// can ask its `anew::attempt&` how much time remains.
  duration max_time = duration::max();
  retry_order order = retry_order::quota_first;
  first_attempt first = first_attempt::always_made;
  /// A polling call waits before it ends for as long as the refused retry would have been delayed: otherwise a caller
  /// that polls again at once would not wait at all.
  bool is_long_polling = false;
};

/// The document's strategy: attempts until the policy ends them, `max_attempts` were made or the time is over. Before
/// each retry it pays the token bucket and waits for the delayer.
///
/// The order of checks: the policy, attempts, a stop, the token bucket and the delayer. A retry that was paid for but
/// not made, because a wait was stopped, too long or threw, is refunded.
///
/// Requires: max_attempts >= 1, max_time > 0, no null pointers; else std::invalid_argument
/// Cost: the clock is read where there is a `max_time`; virtual calls, and a lock of the standard bucket's
class standard_retry_strategy : public retry_strategy {
 public:
  explicit standard_retry_strategy(
      standard_retry_strategy_options const& options = {},
      std::shared_ptr<retry_token_bucket> token_bucket = std::make_shared<standard_retry_token_bucket>(),
      std::shared_ptr<backoff_delayer const> delayer = std::make_shared<exponential_backoff_with_jitter>(),
      std::shared_ptr<time_source const> time = system_time())
      : options_{options}, bucket_{std::move(token_bucket)}, delayer_{std::move(delayer)}, time_{std::move(time)} {
    constexpr auto name = "smithy_kotlin::standard_retry_strategy";
    anew::detail::require(options.max_attempts >= 1, name, "max_attempts must be at least 1", "0");
    anew::detail::require(options.max_time > duration::zero(), name, "max_time must be above zero", options.max_time);
    anew::detail::require(bucket_ != nullptr, name, "token_bucket must not be null", "null");
    anew::detail::require(delayer_ != nullptr, name, "delayer must not be null", "null");
    anew::detail::require(time_ != nullptr, name, "time must not be null", "null");
  }

  [[nodiscard]] standard_retry_strategy_options const& options() const noexcept { return options_; }

 protected:
  void run(retry_call& call) const override {
    wait_limit const limit{end_of_call(), call.stop()};
    auto token = first_token(call, limit);
    for (std::uint32_t attempt = 1;; attempt = anew::detail::saturating_next(attempt)) {
      call.make_attempt(attempt, limit.until, is_bounded() ? time_->now() : time_point{});
      auto const directive = call.evaluate();
      if (directive.is_success()) return token.notify_success();
      if (directive.is_failure()) {
        token.notify_failure();
        call.fail(stop_reason::not_retryable);
      }
      backoff_request const request{attempt, directive.reason(), directive.retry_after(), limit};
      auto const refusal = prepare_another(token, request);
      if (refusal == stop_reason::succeeded) continue;
      // Refunds the cost of a retry that is not made; the cost of an attempt that was made is spent.
      if (!token.is_resolved()) token.notify_failure();
      if (refusal == stop_reason::quota && options_.is_long_polling) wait_before_refusal(call, request);
      call.fail(refusal);
    }
  }

 private:
  [[nodiscard]] bool is_bounded() const noexcept { return options_.max_time != duration::max(); }
  [[nodiscard]] time_point end_of_call() const {
    return is_bounded() ? anew::detail::saturating_add(time_->now(), options_.max_time) : time_point::max();
  }

  [[nodiscard]] retry_token first_token(retry_call& call, wait_limit const& limit) const {
    bool const is_needed = options_.first == first_attempt::refused_with_its_token;
    auto reason = stop_reason::succeeded;
    try {
      return bucket_->acquire_token(limit);
    } catch (retry_capacity_exceeded const&) {
      if (is_needed) throw;
    } catch (wait_ended const& ended) {
      reason = ended.reason();
    }
    if (is_needed) call.fail(reason);
    return bucket_->uncharged_token();
  }

  /// Exchanges the token for that of the next attempt, and waits; or returns why there is no next attempt. Then the
  /// token is resolved if its attempt was settled.
  [[nodiscard]] stop_reason prepare_another(retry_token& token, backoff_request const& request) const {
    if (request.attempt >= most_attempts()) return stop_reason::attempts;
    if (request.limit.stop.stop_requested()) return stop_reason::cancelled;
    try {
      if (options_.order == retry_order::backoff_first) delayer_->backoff(request);
      auto next = token.schedule_retry(request.reason, request.limit);
      if (options_.order == retry_order::quota_first) delayer_->backoff(request);
      // A user's own bucket or delayer may ignore the limit.
      if (request.limit.stop.stop_requested()) return stop_reason::cancelled;
      if (is_bounded() && anew::detail::reaches(request.limit.until, duration::zero(), time_->now()))
        return stop_reason::deadline;
      token = std::move(next);
      return stop_reason::succeeded;
    } catch (retry_capacity_exceeded const&) {
      return stop_reason::quota;
    } catch (wait_ended const& ended) {
      return ended.reason();
    } catch (...) {
      if (!token.is_resolved()) token.notify_failure();  // its attempt was made
      throw;
    }
  }

  void wait_before_refusal(retry_call& call, backoff_request const& request) const {
    if (options_.order == retry_order::backoff_first) return;  // it has been waited already
    auto reason = stop_reason::quota;
    try {
      delayer_->backoff(request);
    } catch (wait_ended const& ended) {
      if (ended.reason() == stop_reason::cancelled) reason = stop_reason::cancelled;
    }
    call.fail(reason);
  }

  [[nodiscard]] std::uint32_t most_attempts() const noexcept {
    auto const in_tests = anew::detail::test_mode_word().load();
    return in_tests == 0 ? options_.max_attempts : anew::detail::smaller(in_tests, options_.max_attempts);
  }

  standard_retry_strategy_options options_;
  std::shared_ptr<retry_token_bucket> bucket_;
  std::shared_ptr<backoff_delayer const> delayer_;
  std::shared_ptr<time_source const> time_;
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
