// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_BACKOFF_DELAYER_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_BACKOFF_DELAYER_HPP

#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"

#if ANEW_EXCEPTIONS

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/asked_delay.hpp"
#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/platform/internal/process_wide.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/drivers/blocking_sleeper.hpp"
#include "anew/drivers/internal/stop.hpp"
#include "anew/policies/backoff/by_kind.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/policies/jitter/proportional.hpp"
#include "anew/policies/sources/std_clock.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/clock.hpp"
#include "anew/roles/for_kind.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/roles/sleeper.hpp"
#include "anew/strategy/internal/draw.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// A stop token of any type, without its type; it refers to that token. Models StopToken.
class stop_flag : public stop_view {
 public:
  constexpr stop_flag() noexcept = default;
  template <class Stop>
    requires(!std::is_same_v<Stop, stop_flag>) && StopToken<Stop>
  constexpr explicit stop_flag(Stop const& stop) noexcept : stop_view{anew::detail::view_of(stop)} {}

  [[nodiscard]] bool stop_requested() const noexcept { return requested != nullptr && requested(token); }
  [[nodiscard]] bool stop_possible() const noexcept { return requested != nullptr; }
};

/// The time, and a way to wait, as an object that a token bucket, a delayer and a strategy share. Safe from many
/// threads.
class time_source : pinned::immovable<time_source> {
 public:
  virtual ~time_source() = default;

  [[nodiscard]] virtual time_point now() const = 0;

  /// Waits; a stop may wake it. An exception ends the call.
  virtual void sleep(duration delay, stop_flag const& stop) const = 0;

  /// Waits without a stop; in test mode for no time.
  void pause(duration delay) const { sleep(anew::detail::test_mode_word().load() != 0 ? duration::zero() : delay, {}); }
};

/// Any Clock and any Sleeper as a time source. Both are copied in: a sleeper that is not is given as `std::ref(sleep)`.
template <Clock ClockType, SleeperFor<stop_flag> SleeperType>
class time_source_of final : public time_source {
 public:
  // NOLINTNEXTLINE(performance-unnecessary-value-param): moved where that is more than a copy
  explicit time_source_of(ClockType clock = ClockType{}, SleeperType sleeper = SleeperType{})
      : clock_{std::move(clock)}, sleeper_{std::move(sleeper)} {}

  [[nodiscard]] time_point now() const override { return clock_.now(); }

  void sleep(duration delay, stop_flag const& stop) const override {
#if defined(__cpp_lib_jthread)
    if constexpr (requires(std::stop_token const& token) { sleeper_(delay, token); }) {
      if (stop.is_standard) return void(sleeper_(delay, *static_cast<std::stop_token const*>(stop.token)));
    }
#endif
    if constexpr (requires { sleeper_(delay, stop); }) {
      if (stop.stop_possible() || !Sleeper<SleeperType>) return void(sleeper_(delay, stop));
    }
    if constexpr (Sleeper<SleeperType>) sleeper_(delay);
  }

 private:
  ClockType clock_;
  mutable SleeperType sleeper_;
};

/// Makes a source of time from a clock and a sleeper, for tests that do not wait.
template <Clock ClockType, class SleeperType>
// NOLINTNEXTLINE(performance-unnecessary-value-param): moved where that is more than a copy
[[nodiscard]] std::shared_ptr<time_source const> make_time_source(ClockType clock, SleeperType sleeper) {
  return std::make_shared<time_source_of<ClockType, SleeperType>>(std::move(clock), std::move(sleeper));
}

/// The steady clock and a sleeper that blocks the thread.
[[nodiscard]] inline std::shared_ptr<time_source const> system_time() {
  static std::shared_ptr<time_source const> const only =
      std::make_shared<time_source_of<std_clock<std::chrono::steady_clock>, blocking_sleeper>>();
  return only;
}

/// The arguments of a delayer: the retry that it delays.
struct backoff_request {
  std::uint32_t attempt = 0;  ///< the attempt that failed; the first is 1
  retry_error_type reason = retry_error_type::server_side;
  asked_delay retry_after{};  ///< what the server asked for
};

/// Delays a retry. Used by many threads at once.
///
/// A delayer of your own overrides `delay`. It says how long, and does not wait itself: so a strategy does not begin a
/// wait that its time does not permit.
class backoff_delayer : pinned::immovable<backoff_delayer> {
 public:
  virtual ~backoff_delayer() = default;

  /// How long to wait before the retry.
  [[nodiscard]] virtual duration delay(backoff_request const& request) const = 0;

  /// Waits, in a loop of your own. Requires attempt > 0.
  void backoff(std::uint32_t attempt, retry_error_type reason = retry_error_type::server_side) const {
    time_->pause(delay({attempt, reason, {}}));
  }

 protected:
  explicit backoff_delayer(std::shared_ptr<time_source const> time = system_time()) : time_{std::move(time)} {}

 private:
  std::shared_ptr<time_source const> time_;
};

namespace detail {

/// A jitter that forgets between two retries: a delayer is shared by calls, and has nowhere to keep what it remembers.
template <class J>
inline constexpr bool has_no_state_within_a_call = std::is_empty_v<typename anew::detail::jitter_state<J>::type>;

}  // namespace detail

/// Any Backoff and any Jitter as a delayer; a Hint says what becomes of the delay that a server asked for. A hint that
/// is too long for the policy (`server_hint<>`) leaves the delay as it was computed.
///
/// `policy_backoff_delayer{constant_backoff{1s}, full_jitter{}}`.
///
/// Requires: a jitter that remembers nothing between two retries; every attempt above zero
template <Backoff B, Jitter J, Hint H = clamped_hint<>, class Random = thread_random>
class policy_backoff_delayer : public backoff_delayer {
  static_assert(detail::has_no_state_within_a_call<J>,
                "anew::smithy_kotlin::policy_backoff_delayer<Backoff, Jitter> requires a Jitter without state; all "
                "calls share it, and this Jitter remembers its last delay. Did you mean anew::full_jitter?");

 public:
  // NOLINTNEXTLINE(performance-unnecessary-value-param): moved where that is more than a copy
  explicit policy_backoff_delayer(B backoff, J jitter = J{}, H hint = H{}, Random random = Random{},
                                  std::shared_ptr<time_source const> time = system_time())
      : backoff_delayer{std::move(time)},
        backoff_{std::move(backoff)},
        jitter_{std::move(jitter)},
        hint_{std::move(hint)},
        random_{std::move(random)} {}

  [[nodiscard]] duration delay(backoff_request const& request) const override {
    anew::detail::require(request.attempt != 0, "smithy_kotlin::backoff_delayer", "attempt must be above zero", "0");
    typename anew::detail::jitter_state<J>::type state{};
    auto const computed = anew::detail::draw(backoff_, jitter_, state, request.attempt, progress_of(request), random_);
    if (!request.retry_after) return computed;
    auto const cap = anew::detail::cap_of(backoff_);
    auto const planned = anew::detail::resolve(hint_, computed, *request.retry_after, cap, random_);
    return planned ? planned->delay : computed;
  }

 private:
  [[nodiscard]] static call_progress progress_of(backoff_request const& request) {
    call_progress progress{request.attempt, to_error_kind(request.reason), {}};
    if constexpr (anew::detail::DelaysByKind<B>) {
      // Nothing is known of what came before: each failure counts as one of this kind.
      for (std::uint32_t n = 0; n < anew::detail::smaller(request.attempt, most_counted); ++n) {
        progress.counts.add(progress.kind);
      }
    }
    return progress;
  }

  static constexpr std::uint32_t most_counted = 1000;

  B backoff_;
  J jitter_;
  H hint_;
  mutable Random random_;
};

/// The numbers of 2026. `jitter` is the largest share of the delay that is randomly subtracted: `{1, 1}` all, `{0, 1}` none.
struct exponential_backoff_with_jitter_options {
  duration initial_delay = std::chrono::milliseconds{50};
  rational scale_factor = rational{2};
  rational jitter = rational{1};
  duration max_backoff = std::chrono::seconds{20};
  /// The initial delay after throttling, at most `max_backoff`. Without it, `initial_delay` is used after every error.
  std::optional<duration> throttling_base_delay = std::chrono::seconds{1};
  /// The most by which a server's delay may exceed the computed delay.
  duration retry_after_max_overshoot = std::chrono::seconds{5};

  /// The numbers before 2026: 10 ms times 1.5, the same after throttling. It ignores hints.
  [[nodiscard]] static exponential_backoff_with_jitter_options before_2026() noexcept {
    exponential_backoff_with_jitter_options options{};
    options.initial_delay = std::chrono::milliseconds{10};
    options.scale_factor = {3, 2};
    options.throttling_base_delay.reset();
    options.retry_after_max_overshoot = duration::zero();
    return options;
  }
};

namespace detail {

using run_time_jitter = scaled_jitter<at_run_time<rational>, at_run_time<rational>>;

/// Takes away up to a share of the delay: U(d - jd, d).
inline run_time_jitter jitter_of(rational share) {
  anew::detail::require(share.den != 0 && share.num <= share.den, "smithy_kotlin::exponential_backoff_with_jitter",
                        "jitter must be between 0 and 1", share);
  return run_time_jitter{rational{share.den - share.num, share.den}, rational{1}};
}

using run_time_exponential = exponential_backoff<run_time, run_time, at_run_time<rational>>;
using throttling_aware_exponential =
    by_kind_backoff<for_kind<error_kind::throttling, run_time_exponential>, run_time_exponential>;

using exponential_delayer = policy_backoff_delayer<throttling_aware_exponential, run_time_jitter,
                                                   clamped_hint<run_time>, std::function<std::uint64_t()>>;

}  // namespace detail

/// Waits min(max_backoff, initial_delay * scale_factor^(attempt-1)), less a random share of it, and not less than a
/// server asked for. Made of anew's own policies: by_kind_backoff, exponential_backoff, clamped_hint.
///
/// Requires: initial_delay > 0, max_backoff >= initial_delay, scale_factor >= 1, jitter between 0 and 1, throttling base
/// above zero, overshoot not negative; every attempt above zero. Else std::invalid_argument
class exponential_backoff_with_jitter : public detail::exponential_delayer {
 public:
  explicit exponential_backoff_with_jitter(exponential_backoff_with_jitter_options const& options = {},
                                           std::shared_ptr<time_source const> time = system_time(),
                                           std::function<std::uint64_t()> random = thread_random{})
      : detail::exponential_delayer{backoff_of(options), detail::jitter_of(options.jitter),
                                    clamped_hint<run_time>{options.retry_after_max_overshoot}, std::move(random),
                                    std::move(time)} {}

 private:
  static detail::throttling_aware_exponential backoff_of(exponential_backoff_with_jitter_options const& options) {
    detail::run_time_exponential const usual{options.initial_delay, options.max_backoff, options.scale_factor};
    auto const base =
        anew::detail::smaller(options.throttling_base_delay.value_or(options.initial_delay), options.max_backoff);
    return detail::throttling_aware_exponential{
        on_kind<error_kind::throttling>(detail::run_time_exponential{base, options.max_backoff, options.scale_factor}),
        usual};
  }
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS

#endif
