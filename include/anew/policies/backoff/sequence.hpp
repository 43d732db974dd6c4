// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_SEQUENCE_HPP
#define ANEW_POLICIES_BACKOFF_SEQUENCE_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <static_duration... Delays>
inline constexpr bool at_least_one_delay = sizeof...(Delays) > 0;

template <static_duration... Delays>
inline constexpr bool no_delay_is_negative = ((Delays.nanoseconds >= 0) && ...);

template <class T>
concept ChronoDuration = requires(T value) { detail::saturate(value); };

template <class Range>
concept RangeOfDurations = requires(Range& range) {
  detail::saturate(*std::begin(range));
  std::end(range);
};

/// The delay before retry n, or the last one.
constexpr duration nth_or_last(duration const* delays, std::size_t size, std::uint32_t retry) noexcept {
  return delays[retry < size ? (retry == 0 ? 0 : retry - 1) : size - 1];
}

constexpr duration longest_of(duration const* delays, std::size_t size) noexcept {
  duration longest{0};
  for (std::size_t i = 0; i < size; ++i) longest = detail::larger(longest, delays[i]);
  return longest;
}

inline std::string sequence_text(duration const* delays, std::size_t size) {
  std::string text{"sequence("};
  for (std::size_t i = 0; i < size; ++i) text.append(i == 0 ? "" : ",").append(detail::to_text(delays[i]));
  return text.append(")");
}

}  // namespace detail

/// Waits the delays of a list, one after the other; the last one repeats.
///
/// `sequence_backoff<10ms, 50ms, 1s>` is an empty type. `sequence_backoff{10ms, a, b}` takes values known at run time and
/// `sequence_backoff{range}` copies those of any input range of durations; both throw `std::invalid_argument` where the
/// requirements fail. The delays may go down as well as up.
///
/// Models: Backoff (pure)      Cost: a look-up; at run time an allocation when it is made or copied
/// Formula: the n-th delay, or the last one; the cap is the longest
/// Requires: at least one delay, none negative
/// Choose it where the delays are prescribed. Not where they follow a rule: linear_backoff, exponential_backoff.
/// Source: none
template <static_duration... Delays>
class sequence_backoff {
 public:
  using role = roles::backoff;

  [[nodiscard]] static constexpr duration delay(std::uint32_t retry) noexcept {
    return detail::nth_or_last(delays, sizeof...(Delays), retry);
  }
  [[nodiscard]] static constexpr duration cap() noexcept { return detail::longest_of(delays, sizeof...(Delays)); }
  [[nodiscard]] static std::string describe() { return detail::sequence_text(delays, sizeof...(Delays)); }

  static constexpr bool is_sound = detail::at_least_one_delay<Delays...> && detail::no_delay_is_negative<Delays...>;
  static consteval void explain() {
    static_assert(detail::at_least_one_delay<Delays...>,
                  "anew::sequence_backoff<Delays...> requires at least one delay; the list is empty. Did you mean "
                  "anew::no_backoff?");
    static_assert(detail::no_delay_is_negative<Delays...>,
                  "anew::sequence_backoff<Delays...> requires delays >= 0; at least one delay is negative. Correct it");
  }

 private:
  static constexpr duration delays[sizeof...(Delays) + 1] = {Delays.value()..., duration::zero()};
};

/// The specialisation for delays known at run time.
template <>
class sequence_backoff<run_time> {
 public:
  using role = roles::backoff;

  template <detail::ChronoDuration... Durations>
    requires(sizeof...(Durations) > 0)
  constexpr explicit sequence_backoff(Durations... delays) {
    (add(delays), ...);
    detail::require_none(fault_of(delays_));
  }

  constexpr explicit sequence_backoff(
      detail::RangeOfDurations auto&& range) {  // NOLINT(*-forwarding-reference-overload, *-std-forward)
    for (auto&& delay : range) add(delay);
    detail::require_none(fault_of(delays_));
  }

  static constexpr detail::value_fault fault_of(std::vector<duration> const& delays) {
    auto fault =
        detail::value_fault{"sequence_backoff"}.unless(!delays.empty(), "there must be at least one delay", "none");
    for (std::size_t i = 0; i != delays.size(); ++i) {
      if (delays[i] < duration::zero())
        fault.unless(false, ("the delay before retry " + std::to_string(i + 1) + " must not be negative").c_str(),
                     delays[i]);
    }
    return fault;
  }

  /// Zero after a move from it.
  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const noexcept {
    return delays_.size() == 0 ? duration::zero() : detail::nth_or_last(delays_.data(), delays_.size(), retry);
  }
  [[nodiscard]] constexpr duration cap() const noexcept { return cap_; }
  [[nodiscard]] std::string describe() const { return detail::sequence_text(delays_.data(), delays_.size()); }

 private:
  template <class Rep, class Period>
  constexpr void add(std::chrono::duration<Rep, Period> given) {
    delays_.push_back(detail::saturate(given));
    cap_ = detail::larger(cap_, delays_.back());
  }

  std::vector<duration> delays_;
  duration cap_{};
};

template <detail::ChronoDuration... Durations>
  requires(sizeof...(Durations) > 0)
sequence_backoff(Durations...) -> sequence_backoff<run_time>;
sequence_backoff(detail::RangeOfDurations auto&&) -> sequence_backoff<run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
