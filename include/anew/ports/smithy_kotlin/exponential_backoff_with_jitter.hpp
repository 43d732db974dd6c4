// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_EXPONENTIAL_BACKOFF_WITH_JITTER_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_EXPONENTIAL_BACKOFF_WITH_JITTER_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/policies/backoff/by_kind.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/policies/jitter/scaled.hpp"
#include "anew/ports/smithy_kotlin/backoff_delayer.hpp"
#include "anew/ports/smithy_kotlin/time_source.hpp"
#include "anew/roles/for_kind.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// The numbers of 2026. `jitter` is the share of the delay that chance may take away: `{1, 1}` any of it, `{0, 1}` none.
struct exponential_backoff_with_jitter_options {
  duration initial_delay = std::chrono::milliseconds{50};
  rational scale_factor = rational{2};
  rational jitter = rational{1};
  duration max_backoff = std::chrono::seconds{20};
  /// In the place of the initial delay after throttling; nothing: the same as for every error. Where it is above
  /// `max_backoff`, that.
  std::optional<duration> throttling_base_delay = std::chrono::seconds{1};
  /// By how much the delay that a server asked for may be longer than the one that was computed.
  duration retry_after_max_overshoot = std::chrono::seconds{5};

  /// The numbers before 2026: 10 ms times 1.5, the same after throttling. Hints were not heard.
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

/// A type-erased random source.
class any_random {
 public:
  any_random() = default;
  explicit any_random(std::function<std::uint64_t()> source) : source_{std::move(source)} {}
  std::uint64_t operator()() const { return source_ ? source_() : thread_random{}(); }

 private:
  std::function<std::uint64_t()> source_;
};

using exponential_delayer =
    policy_backoff_delayer<throttling_aware_exponential, run_time_jitter, clamped_hint<run_time>, any_random>;

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
                                           std::function<std::uint64_t()> random = {})
      : detail::exponential_delayer{backoff_of(options), detail::jitter_of(options.jitter),
                                    clamped_hint<run_time>{options.retry_after_max_overshoot},
                                    detail::any_random{std::move(random)}, std::move(time)},
        options_{options} {}

  [[nodiscard]] exponential_backoff_with_jitter_options const& options() const noexcept { return options_; }

 private:
  static detail::throttling_aware_exponential backoff_of(exponential_backoff_with_jitter_options const& options) {
    detail::run_time_exponential const usual{options.initial_delay, options.max_backoff, options.scale_factor};
    auto const base =
        anew::detail::smaller(options.throttling_base_delay.value_or(options.initial_delay), options.max_backoff);
    return detail::throttling_aware_exponential{
        on_kind<error_kind::throttling>(detail::run_time_exponential{base, options.max_backoff, options.scale_factor}),
        usual};
  }

  exponential_backoff_with_jitter_options options_;
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
