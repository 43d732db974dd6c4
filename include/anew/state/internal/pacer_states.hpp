// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_INTERNAL_PACER_STATES_HPP
#define ANEW_STATE_INTERNAL_PACER_STATES_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/pacer/internal/cubic_rate.hpp"
#include "anew/policies/pacer/internal/measured_rate.hpp"
#include "anew/policies/pacer/internal/pacing_bucket.hpp"
#include "anew/policies/pacer/rate_limiter_constants.hpp"
#include "anew/policies/pacer/when_limited.hpp"
#include "anew/state/internal/state_numbers.hpp"

/// The rates of the rate limiter, as numbers. `accepts` says whether `set` may be called. The attempts in its queue
/// are gone after a restart: no number stands for them.
namespace anew::inline ANEW_ABI::detail {

/// The latest half second that was measured, the responses since, and the rate.
template <>
struct kept_state<measured_rate> {
  static constexpr std::size_t size = 3;

  static void get(measured_rate const& of, time_point now, state_numbers& to) {
    to.push_back(smaller(of.half_second_ - half_second_of(now), most_ahead));
    to.push_back(static_cast<std::int64_t>(of.count_));
    to.push_back(bits_of(of.rate_));
  }
  static bool accepts(state_view in) noexcept {
    return -most_behind <= in[0] && in[0] <= most_ahead && in[1] >= 0 && is_amount(from_bits(in[2]));
  }
  static void set(measured_rate& of, state_view in, time_point now) noexcept {
    of.half_second_ = half_second_of(now) + in[0];
    of.count_ = static_cast<std::uint64_t>(in[1]);
    of.rate_ = from_bits(in[2]);
  }

 private:
  static constexpr std::int64_t most_behind = 40'000'000'000;  // 600 years, which no clock spans
  static constexpr std::int64_t most_ahead = 1;                // clocks of threads differ by less
  static constexpr std::int64_t half_second_of(time_point now) noexcept {
    return detail::floor_divide(now.time_since_epoch().count(), 500'000'000);
  }
};

/// The rate, the most tokens, the tokens, and the time as of which they are counted.
template <>
struct kept_state<pacing_bucket> {
  static constexpr std::size_t size = 4;

  static void get(pacing_bucket const& of, time_point now, state_numbers& to) {
    for (auto const amount : {of.fill_rate_, of.max_capacity_, of.capacity_}) to.push_back(bits_of(amount));
    to.push_back(smaller(relative(of.last_, now), std::int64_t{0}));
  }
  static bool accepts(state_view in) noexcept {
    for (auto const bits : in.first(3)) {
      if (!is_amount(from_bits(bits))) return false;
    }
    return from_bits(in[2]) <= from_bits(in[1]) && in[3] <= 0;
  }
  static void set(pacing_bucket& of, state_view in, time_point now) noexcept {
    of.fill_rate_ = from_bits(in[0]);
    of.max_capacity_ = from_bits(in[1]);
    of.capacity_ = from_bits(in[2]);
    of.last_ = absolute(in[3], now);
  }
};

/// 0 before the first response, 1 before the first throttled one, 2 after it; responses that are to be counted; the
/// measured rate; the bucket; the rate when it was last throttled, and when that was.
template <when_limited Then, rate_limiter_constants Constants>
struct kept_state<client_rate_limiter<Then, Constants>> {
  using policy_type = client_rate_limiter<Then, Constants>;
  using measured = kept_state<measured_rate>;
  using bucket = kept_state<pacing_bucket>;
  static constexpr std::size_t size = 4 + measured::size + bucket::size;

  static void get(policy_type const& of, time_point now, state_numbers& to) {
    fork_safe_lock const lock{of.mutex_, of.begins_anew()};
    to.push_back(of.phase_.load());
    to.push_back(static_cast<std::int64_t>(of.uncounted_.load()));
    measured::get(of.measured_, now, to);
    bucket::get(of.bucket_, now, to);
    to.push_back(bits_of(of.last_max_rate_));
    to.push_back(smaller(relative(of.last_throttle_, now), std::int64_t{0}));
  }
  static bool accepts(policy_type const& of, state_view in) noexcept {
    auto const the_bucket = in.subspan(2 + measured::size);
    auto const c = of.constants();
    // Once limited, an attempt waits for a token at the rate: there must be one.
    bool const fills = from_bits(the_bucket[0]) >= c.min_fill_rate && from_bits(the_bucket[1]) >= c.min_capacity;
    return is_count(in[0], policy_type::limited) && (in[0] != policy_type::limited || fills) && in[1] >= 0 &&
           measured::accepts(in.subspan(2)) && bucket::accepts(the_bucket) && is_amount(from_bits(in[size - 2])) &&
           in[size - 1] <= 0;
  }
  static void set(policy_type const& of, state_view in, time_point now) noexcept {
    fork_safe_lock const lock{of.mutex_, of.begins_anew()};
    of.uncounted_.store_release(static_cast<std::uint64_t>(in[1]));
    measured::set(of.measured_, in.subspan(2), now);
    bucket::set(of.bucket_, in.subspan(2 + measured::size), now);
    of.last_max_rate_ = from_bits(in[size - 2]);
    of.window_ = cubic_rate::time_window(of.last_max_rate_, of.constants());
    of.last_throttle_ = absolute(in[size - 1], now);
    of.phase_.store_release(static_cast<std::uint8_t>(in[0]));
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
