// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_STEP_FUNCTIONS_HPP
#define ANEW_PRESETS_STEP_FUNCTIONS_HPP

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/base/asked_delay.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/scale.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/classifier/retry_all.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/quota/unlimited.hpp"
#include "anew/presets/step_functions/retriers.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/strategy/strategy.hpp"

/// The Retry field of a state in AWS Step Functions, in the words of the Amazon States Language.
namespace anew::inline ANEW_ABI::step_functions {

/// As MaxDelaySeconds: the interval grows without a limit.
inline constexpr static_duration no_max_delay{duration::max()};

namespace detail {

template <std::int64_t MaxAttempts>
inline constexpr bool retries_are_not_negative = MaxAttempts >= 0;

template <std::int64_t MaxAttempts>
consteval std::int64_t attempts_of_retries() {
  static_assert(retries_are_not_negative<MaxAttempts>,
                "anew::step_functions::retrier<Interval, MaxAttempts> requires MaxAttempts >= 0; it counts retries. "
                "Write 0 to never retry");
  return retries_are_not_negative<MaxAttempts> ? MaxAttempts + 1 : 1;
}

}  // namespace detail

/// One retrier for all errors: waits Interval, Interval * BackoffRate, Interval * BackoffRate^2 ... and retries
/// MaxAttempts times. `retrier<3s, 3, rational{3, 2}>` waits 3, 4.5 and 6.75 s and makes four attempts.
///
/// Choose it for what the guide "Retry with backoff pattern" does, where the numbers are known. MaxAttempts counts
/// retries here, as in the States Language; everywhere else in anew attempts are counted. Not for several retriers, nor
/// for names of errors: strategy. Not for clients that may fail together: without jitter they retry together;
/// JitterStrategy FULL is `full_jitter` as the last argument.
/// Source: Amazon States Language, "Retrying after error": IntervalSeconds 1, MaxAttempts 3, BackoffRate 2.0, no maximum
/// delay, JitterStrategy NONE.
/// Example: examples/21_step_functions_table.cpp
template <static_duration Interval = std::chrono::seconds{1}, std::int64_t MaxAttempts = 3,
          rational BackoffRate = rational{2}, static_duration MaxDelay = no_max_delay, class Jitter = no_jitter>
using retrier = anew::strategy<exponential_backoff<Interval, MaxDelay, BackoffRate>, Jitter, unlimited_quota, retry_all,
                               anew::max_attempts<detail::attempts_of_retries<MaxAttempts>()>,
                               server_hint<long_hint::ignore, duration::zero()>>;

/// One call: which attempt it is at, the delay before that, and how often each retrier has retried. Used once.
class token {
 public:
  token(token const&) = delete;
  token& operator=(token const&) = delete;
  token(token&&) noexcept = default;
  token& operator=(token&&) noexcept = default;
  ~token() = default;

  [[nodiscard]] duration delay() const noexcept { return delay_; }
  [[nodiscard]] std::uint32_t attempt() const noexcept { return attempt_; }
  /// How many retries this call has made by that retrier.
  [[nodiscard]] std::uint32_t retries_of(std::size_t index) const noexcept {
    if (index < first_.size()) return first_[index];
    return index - first_.size() < others_.size() ? others_[index - first_.size()] : 0;
  }

 private:
  template <class>
  friend class strategy;
  token() noexcept = default;
  duration delay_{};
  std::uint32_t attempt_ = 1;
  std::array<std::uint32_t, 16> first_{};
  std::vector<std::uint32_t> others_{};  ///< of the retriers behind these, once one of them retries

  [[nodiscard]] std::uint32_t& count(std::size_t index) {
    if (index < first_.size()) return first_[index];
    auto const place = index - first_.size();
    if (place >= others_.size()) others_.resize(place + 1);
    return others_[place];
  }
};

/// Retries as Step Functions does after a task failed: the first retrier that matches the error's name waits and
/// retries, each retrier with its own counter; when its MaxAttempts are used up, the call ends, whatever other retriers
/// there are.
///
///     anew::step_functions::strategy const strategy{anew::step_functions::retriers{{
///         {.error_equals = {"Lambda.TooManyRequestsException"}, .interval = 2s, .max_attempts = 6},
///         {.error_equals = {"States.Timeout"}, .max_attempts = 0},
///         {.error_equals = {"States.ALL"}, .interval = 3s, .backoff_rate = {3, 2}}}}};
///
/// It is a RetryStrategy of its own, driven by `retry()` as any other; it has no quota, deadline or hint. Retriers read
/// from JSON: anew/ports/states_language.hpp.
///
/// A failure without a name, such as a loop of your own or an acceptor of `poll()` states, is that of a task:
/// States.Timeout if it is of the kind `timeout`, else States.TaskFailed. For `poll()` "not ready" is States.TaskFailed
/// too, and where no retrier matches that, the last one waits.
/// Formula: interval * backoff_rate^(n-1), at most max_delay, before retry n of that retrier; U(0, that) with jitter full
/// Cost: a token of 104 bytes; no allocation on the way of a call, unless a retrier behind the first 16 retries
/// Choose it to run a workflow's retries in a program, or to rehearse them. Not for calls of your own: the other
/// strategies have a quota, jitter by default and deadlines.
/// Source: Amazon States Language, "Retrying after error"
template <class Random = thread_random>
class strategy {
 public:
  using token_type = token;

  explicit strategy(retriers list)
    requires std::default_initializable<Random>
      : retriers_{std::move(list)} {}
  // NOLINTNEXTLINE(performance-unnecessary-value-param): moved where that is more than a copy
  strategy(retriers list, Random random) : retriers_{std::move(list)}, random_{std::move(random)} {}

  [[nodiscard]] retriers const& classifier() const noexcept { return retriers_; }

  [[nodiscard]] token_type acquire_initial_token() const noexcept { return {}; }

  [[nodiscard]] refreshed<token_type> refresh_retry_token(token_type&& token, failure const& what) const {
    if (what.safety == retry_safety::no) return stop_reason::not_retryable;
    return refresh(std::move(token), index_of(what));
  }
  /// After a look of `poll()`.
  [[nodiscard]] refreshed<token_type> refresh_polling_token(token_type&& token, failure const& what,
                                                            look_result found) const {
    if (what.safety == retry_safety::no) return stop_reason::not_retryable;
    auto index = index_of(what);
    if (!index && found == look_result::pending) {
      if (retriers_.size() == 0) return stop_reason::attempts;
      index = retriers_.size() - 1;
    }
    return refresh(std::move(token), index);
  }
  /// For a loop of your own that knows the error's name.
  [[nodiscard]] refreshed<token_type> refresh_retry_token(token_type&& token, std::string_view error_name) const {
    return refresh(std::move(token), retriers_.find(error_name));
  }

  void record_success(token_type&& /*token*/) const noexcept {}

 private:
  [[nodiscard]] std::optional<std::size_t> index_of(failure const& what) const noexcept {
    auto const marked = anew::detail::classifier_mark::in(what.hint);
    return marked && *marked < retriers_.size() ? marked : retriers_.find(detail::name_of_kind(what.kind));
  }

  [[nodiscard]] refreshed<token_type> refresh(token_type&& token, std::optional<std::size_t> index) const {
    if (!index) return stop_reason::not_retryable;
    auto const& by = retriers_[*index];
    auto& retries = token.count(*index);
    if (retries >= by.max_attempts) return stop_reason::attempts;
    token.delay_ = anew::detail::scale_by_power(by.interval, by.max_delay.value_or(duration::max()),
                                                by.backoff_rate.num, by.backoff_rate.den, retries);
    if (by.jitter == jitter_strategy::full) token.delay_ = random_up_to(token.delay_, random_);
    ++retries;
    token.attempt_ = anew::detail::saturating_next(token.attempt_);
    return std::move(token);
  }

  retriers retriers_;
  ANEW_NO_UNIQUE_ADDRESS Random random_;
};

strategy(retriers) -> strategy<thread_random>;

}  // namespace anew::inline ANEW_ABI::step_functions

#endif
