// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_SEQUENCE_HPP
#define ANEW_POLICIES_BACKOFF_SEQUENCE_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

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

/// As much of `std::vector` as a list of delays needs: that header would be a tenth of the core's size.
class delay_list {
 public:
  delay_list() = default;
  constexpr delay_list(delay_list const& other) : delays_{new duration[other.size_]}, room_{other.size_} {
    for (auto const delay : other) add(delay);
  }
  constexpr delay_list(delay_list&& other) noexcept { swap(other); }
  constexpr delay_list& operator=(delay_list const& other) {
    delay_list copy{other};
    swap(copy);
    return *this;
  }
  constexpr delay_list& operator=(delay_list&& other) noexcept {
    swap(other);
    return *this;
  }
  constexpr ~delay_list() { delete[] delays_; }

  constexpr void add(duration delay) {
    if (size_ == room_) {
      delay_list roomier;
      roomier.delays_ = new duration[2 * size_ + 4];
      roomier.room_ = 2 * size_ + 4;
      for (auto const kept : *this) roomier.add(kept);
      swap(roomier);
    }
    delays_[size_++] = delay;
  }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr duration const* begin() const noexcept { return delays_; }
  [[nodiscard]] constexpr duration const* end() const noexcept { return delays_ + size_; }

 private:
  constexpr void swap(delay_list& other) noexcept {
    std::swap(delays_, other.delays_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
  }

  duration* delays_ = nullptr;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
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
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::at_least_one_delay<Delays...>) {
      static_assert(detail::at_least_one_delay<Delays...>,
                    "anew::sequence_backoff<Delays...> requires at least one delay; the list is empty. Did you mean "
                    "anew::no_backoff?");
    } else {
      static_assert(
          detail::no_delay_is_negative<Delays...>,
          "anew::sequence_backoff<Delays...> requires delays >= 0; at least one delay is negative. Correct it");
    }
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
  }

  template <detail::RangeOfDurations Range>
  constexpr explicit sequence_backoff(Range&& range) {  // NOLINT(*-forwarding-reference-overload, *-std-forward)
    for (auto&& delay : range) add(delay);
    check();
  }

  template <class Rep, class Period>
  constexpr sequence_backoff(std::initializer_list<std::chrono::duration<Rep, Period>> delays) {
    for (auto const delay : delays) add(delay);
    check();
  }

  /// Zero after a move from it.
  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const noexcept {
    return delays_.size() == 0 ? duration::zero() : detail::nth_or_last(delays_.begin(), delays_.size(), retry);
  }
  [[nodiscard]] constexpr duration cap() const noexcept { return cap_; }
  [[nodiscard]] std::string describe() const { return detail::sequence_text(delays_.begin(), delays_.size()); }

 private:
  template <class Rep, class Period>
  constexpr void add(std::chrono::duration<Rep, Period> given) {
    auto const delay = detail::saturate(given);
    if (delay < duration::zero()) {
      std::string requirement{"the delay before retry "};
      requirement.append(std::to_string(delays_.size() + 1)).append(" must not be negative");
      detail::invalid_argument("sequence_backoff", requirement.c_str(), detail::to_text(delay));
    }
    delays_.add(delay);
    cap_ = detail::larger(cap_, delay);
  }

  constexpr void check() const {
    detail::require(delays_.size() != 0, "sequence_backoff", "there must be at least one delay", "none");
  }

  detail::delay_list delays_;
  duration cap_{};
};

template <detail::ChronoDuration... Durations>
  requires(sizeof...(Durations) > 0)
sequence_backoff(Durations...) -> sequence_backoff<run_time>;
template <detail::RangeOfDurations Range>
sequence_backoff(Range&&) -> sequence_backoff<run_time>;
template <class Rep, class Period>
sequence_backoff(std::initializer_list<std::chrono::duration<Rep, Period>>) -> sequence_backoff<run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
