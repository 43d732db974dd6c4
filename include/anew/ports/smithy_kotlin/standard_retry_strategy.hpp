// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_STANDARD_RETRY_STRATEGY_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_STANDARD_RETRY_STRATEGY_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"

#if ANEW_EXCEPTIONS

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/retry_outcome.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/deadline.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/pacer/rate_limiter_constants.hpp"
#include "anew/ports/smithy_kotlin/backoff_delayer.hpp"
#include "anew/ports/smithy_kotlin/retry_strategy.hpp"
#include "anew/ports/smithy_kotlin/retry_token_bucket.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/roles/roles.hpp"
#include "anew/strategy/strategy.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// Which comes first before a retry.
enum class retry_order : std::uint8_t {
  quota_first,    ///< since 2026: nothing is slept for a retry that the token bucket refuses
  backoff_first,  ///< the document of 2021: the token bucket refills during the sleep
};

/// The numbers of 2026.
struct standard_retry_strategy_options {
  std::uint32_t max_attempts = 3;
  /// For the whole call, sleeps and waits included; no attempt is planned after it, and a sleep that is late still makes
  /// its attempt. A call that suspends ends a running block then; a blocking call
  /// does not, and the block can ask its `anew::attempt&` how much time remains.
  duration max_time = duration::max();
  retry_order order = retry_order::quota_first;
  /// A polling call waits before it ends for as long as the refused retry would have been delayed: otherwise a caller
  /// that polls again at once would not wait at all.
  bool is_long_polling = false;
};

namespace detail {

// The parts of one call as policies of anew.

/// The state of one call. It keeps the parts of the strategy, so that the strategy may go before a call that suspends.
struct parts_of_call {
  std::shared_ptr<retry_token_bucket> bucket;
  std::shared_ptr<backoff_delayer const> delayer;
  std::shared_ptr<time_source const> time;
  std::shared_ptr<retry_hooks> hooks;
  retry_token first;
  std::exception_ptr threw{};  ///< by the policy or by a hook
  std::uint32_t tries = 0;
  backoff_request request{};
  std::optional<token_charge> lent{};  ///< a charge for which the retry still waits, after the sleep

  /// The charge of a first try that was not made comes back.
  void end(std::uint32_t attempts) {
    if (attempts != 0 && !first.is_resolved()) first.notify_failure();
  }
};

/// Tells of a try that the policy has judged.
inline void tell_hooks(parts_of_call& of, retry_directive const& said) {
  ++of.tries;
  if (said.is_retry()) of.request = {of.tries, said.reason(), said.retry_after()};
  if (of.hooks != nullptr) of.hooks->after_try(of.tries, said, of.time->now());
}

/// The result of an attempt as the policy judged it.
struct judged_attempt {
  retry_directive said;
  [[nodiscard]] bool has_value() const noexcept { return said.is_success(); }
  [[nodiscard]] retry_directive const& error() const noexcept { return said; }
};

struct directive_reader {
  using role = roles::classifier;
  /// Without the hint, which is the delayer's matter.
  [[nodiscard]] static directive classify(retry_directive const& said) noexcept {
    return said.is_retry() ? directive::retry(to_error_kind(said.reason())) : to_directive(said);
  }
};

struct quota_of_bucket {
  using role = roles::quota;
  struct permit_type {
    bool is_of_retry = false;
    std::optional<token_charge> charge{};  ///< none before the sleep, in the document's order
    friend bool operator==(permit_type const&, permit_type const&) = default;
  };
  static constexpr bool waits_before_refusal = true;

  parts_of_call* of;
  retry_order order;
  bool is_long_polling;

  [[nodiscard]] bool waits_before_refusal_now() const noexcept { return is_long_polling; }
  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& /*f*/) const {
    if (!of->first.is_resolved()) of->first.notify_failure();
    if (order == retry_order::backoff_first) return permit_type{true, {}};
    auto const charge = take();
    return charge ? std::optional{permit_type{true, charge}} : std::nullopt;
  }
  [[nodiscard]] static duration wait(permit_type const& held, time_point /*now*/) noexcept {
    return held.charge ? held.charge->wait : duration::zero();
  }
  [[nodiscard]] admission<permit_type> settle(permit_type const& held, time_point /*now*/) const {
    if (held.charge || !held.is_of_retry) return admission<permit_type>::admit(held);
    if (!of->lent) {
      of->lent = take();
      if (!of->lent) return admission<permit_type>::refuse();
      if (of->lent->wait > duration::zero()) return admission<permit_type>::ask_again_in(of->lent->wait);
    }
    return admission<permit_type>::admit({true, std::exchange(of->lent, std::nullopt)});
  }
  void on_success(permit_type const& held) const {
    held.charge ? of->bucket->on_success(*held.charge) : of->first.notify_success();
  }
  void on_failure(permit_type const& held) const noexcept {
    if (held.charge) of->bucket->on_failure(*held.charge);
  }
  void release(permit_type const& held) const noexcept {
    auto const charge = held.charge ? held.charge : std::exchange(of->lent, std::nullopt);
    if (charge) of->bucket->on_release(*charge);
  }

 private:
  [[nodiscard]] std::optional<token_charge> take() const {
    try {
      return of->bucket->take_for_retry(of->request.reason);
    } catch (retry_capacity_exceeded const&) {
      return std::nullopt;
    }
  }
};

struct pacer_of_hooks {
  using role = roles::pacer;
  using ticket_type = rate_place;
  parts_of_call* of;

  [[nodiscard]] pace ask(ticket_type& place, anew::detail::Time auto&& now) const {
    if (of->hooks == nullptr) return {};
    try {
      return of->hooks->before_try(of->tries + 1, place, now);
    } catch (retry_capacity_exceeded const&) {  // NOLINT(bugprone-empty-catch): it is the answer
    } catch (...) {
      of->threw = std::current_exception();
    }
    return {duration::zero(), true};
  }
  static void on_success(time_point /*now*/) noexcept {}
  static void on_failure(failure const& /*f*/, time_point /*now*/) noexcept {}
  void release(ticket_type place) const noexcept {
    if (of->hooks != nullptr) of->hooks->leave(place);
  }
};

struct backoff_of_delayer {
  using role = roles::backoff;
  parts_of_call* of;
  [[nodiscard]] duration delay(std::uint32_t attempt) const {
    of->request.attempt = attempt;
    return of->delayer->delay(of->request);
  }
};

struct clock_of_source {
  using role = roles::clock;
  static constexpr bool is_steady = true;
  parts_of_call const* of;
  [[nodiscard]] time_point now() const { return of->time->now(); }
};

template <class R, class Policy>
class suspended_call;

/// The strategy of one call.
inline auto compose_call(parts_of_call& of, standard_retry_strategy_options const& options) {
  return compose(directive_reader{}, quota_of_bucket{&of, options.order, options.is_long_polling}, pacer_of_hooks{&of},
                 backoff_of_delayer{&of}, no_jitter{}, anew::max_attempts{options.max_attempts},
                 deadline{options.max_time}, attempt_timeout{options.max_time}, clock_of_source{&of});
}

}  // namespace detail

/// The document's strategy: attempts until the policy ends them, `max_attempts` were made or the time is over. Before
/// each retry it pays the token bucket and waits for the delayer, and around each try it calls its hooks. It composes a strategy of its parts for each call, so
/// `anew::retry_outcome` makes the call and everything is decided in the order of any other strategy.
///
/// A retry that was paid for but not made, because a wait was stopped, too long or threw, is refunded.
///
/// Requires: max_attempts >= 1, max_time > 0, no null pointers; else std::invalid_argument
/// Cost: that of `anew::retry_outcome`, virtual calls, and a lock of the standard bucket's
class standard_retry_strategy : public retry_strategy {
 public:
  explicit standard_retry_strategy(
      standard_retry_strategy_options const& options = {},
      std::shared_ptr<retry_token_bucket> token_bucket = std::make_shared<standard_retry_token_bucket>(),
      std::shared_ptr<backoff_delayer const> delayer = std::make_shared<exponential_backoff_with_jitter>(),
      std::shared_ptr<time_source const> time = system_time(), std::shared_ptr<retry_hooks> hooks = nullptr)
      : options_{options},
        bucket_{std::move(token_bucket)},
        delayer_{std::move(delayer)},
        time_{std::move(time)},
        hooks_{std::move(hooks)} {
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
    auto parts = make_parts();
    auto const strategy = detail::compose_call(parts, options_);
    auto const attempt_once = [&](attempt& self) {
      auto const said = call.make_attempt(self);
      detail::tell_hooks(parts, said);
      return detail::judged_attempt{said};
    };
    auto const done = anew::retry_outcome(
        strategy, attempt_once, [&](duration delay, stop_flag const& stop) { time_->sleep(delay, stop); }, call.stop());
    parts.end(done.attempts());
    if (parts.threw) std::rethrow_exception(parts.threw);
    if (done.attempts() == 0) call.fail(done.reason());
    if (done.exception()) std::rethrow_exception(done.exception());  // the policy's: the call keeps the block's
    if (!done.succeeded()) call.fail(done.reason());
  }

 private:
  template <class R, class Policy>
  friend class detail::suspended_call;

  [[nodiscard]] detail::parts_of_call make_parts() const {
    try {
      return {bucket_, delayer_, time_, hooks_, bucket_->acquire_token()};
    } catch (retry_capacity_exceeded const&) {  // a retryer manages retries: the first attempt is made
      return {bucket_, delayer_, time_, hooks_, bucket_->uncharged_token()};
    }
  }

  standard_retry_strategy_options options_;
  std::shared_ptr<retry_token_bucket> bucket_;
  std::shared_ptr<backoff_delayer const> delayer_;
  std::shared_ptr<time_source const> time_;
  std::shared_ptr<retry_hooks> hooks_;
};

/// smithy-kotlin's `AdaptiveRateLimiter`: an `anew::client_rate_limiter` that the strategies of one service share. The first
/// throttled try switches it on; from then on tries wait in their order for a rate that it learns. Its formula, its cost
/// and when to choose it: anew/policies/pacer/client_rate_limiter.hpp.
class adaptive_rate_limiter final : public retry_hooks {
 public:
  /// Throws `std::invalid_argument` for constants that no limiter can have.
  explicit adaptive_rate_limiter(rate_limiter_constants const& constants = {}) : limiter_{constants} {}

  [[nodiscard]] pace before_try(std::uint32_t /*attempt*/, rate_place& place, time_point now) override {
    return limiter_.ask(place, now);
  }
  void after_try(std::uint32_t /*attempt*/, retry_directive const& said, time_point now) override {
    bool const is_throttled = said.is_retry() && said.reason() == retry_error_type::throttling;
    is_throttled ? limiter_.on_failure({.kind = error_kind::throttling}, now) : limiter_.on_success(now);
  }
  void leave(rate_place place) noexcept override { limiter_.release(place); }

  [[nodiscard]] auto const& limiter() const noexcept { return limiter_; }

 private:
  decltype(client_rate_limiter{rate_limiter_constants{}}) limiter_;
};

/// smithy-kotlin's `AdaptiveRetryStrategy`: the standard one with a rate limiter, which may delay first tries too. It is the
/// standard strategy with these hooks, and suspends as that does.
class adaptive_retry_strategy : public standard_retry_strategy {
 public:
  explicit adaptive_retry_strategy(
      standard_retry_strategy_options const& options = {},
      std::shared_ptr<retry_token_bucket> token_bucket = std::make_shared<standard_retry_token_bucket>(),
      std::shared_ptr<backoff_delayer const> delayer = std::make_shared<exponential_backoff_with_jitter>(),
      std::shared_ptr<time_source const> time = system_time(),
      std::shared_ptr<retry_hooks> rate_limiter = std::make_shared<adaptive_rate_limiter>())
      : standard_retry_strategy{options, std::move(token_bucket), std::move(delayer), std::move(time),
                                std::move(rate_limiter)} {}
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS

#endif
