// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_DURATION_HPP
#define ANEW_BASE_DURATION_HPP

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <ratio>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/uint128.hpp"

namespace anew::inline ANEW_ABI {

/// Every delay, limit and interval of the library: signed 64-bit nanoseconds (292 years).
using duration = std::chrono::nanoseconds;

/// Every point in time: the steady clock's, in `duration` ticks. Your own clock returns this type.
using time_point = std::chrono::time_point<std::chrono::steady_clock, duration>;

namespace detail {

/// Compiled for size, g++ calls the operators of `<chrono>`, which compare three ways.
template <class T>
constexpr bool is_less(T a, T b) noexcept {
  if constexpr (requires { a.count(); }) {
    return a.count() < b.count();
  } else {
    return a < b;
  }
}

// `<algorithm>` would add a third to what every user of the core preprocesses.
template <class T>
constexpr T smaller(T a, T b) noexcept {
  return detail::is_less(b, a) ? b : a;
}
template <class T>
constexpr T larger(T a, T b) noexcept {
  return detail::is_less(a, b) ? b : a;
}
template <class T>
constexpr T clamped(T value, T low, T high) noexcept {
  return detail::larger(low, detail::smaller(value, high));
}

/// The next number; the largest number stays as it is.
constexpr std::uint32_t saturating_next(std::uint32_t number) noexcept {
  return number + (number != ~std::uint32_t{0} ? 1U : 0U);
}

/// Converts any duration, to the nearest nanosecond from a floating-point count, and saturates where plain `duration_cast` would overflow or, from a floating-point
/// representation, be undefined. NaN gives the minimum, so that every "not negative" check refuses it.
template <class Rep, class Period>
constexpr duration saturate(std::chrono::duration<Rep, Period> value) noexcept {
  using limits = std::numeric_limits<std::int64_t>;
  if constexpr (std::floating_point<Rep>) {
    auto const ticks = static_cast<long double>(value.count()) * Period::num / Period::den * 1'000'000'000.0L;
    // Rounded, not cut: 0.3 s is a nanosecond less where `long double` is wider than `double`.
    auto const rounded = ticks < 0 ? ticks - 0.5L : ticks + 0.5L;
    if (!(rounded > -9'223'372'036'854'775'808.0L)) return duration::min();
    if (rounded >= 9'223'372'036'854'775'808.0L) return duration::max();
    return duration{static_cast<std::int64_t>(rounded)};
  } else {
    using scale = std::ratio_divide<Period, std::nano>;
    auto const count = static_cast<std::int64_t>(value.count());
    if constexpr (std::unsigned_integral<Rep> && sizeof(Rep) >= sizeof(std::int64_t)) {
      if (value.count() > static_cast<Rep>(limits::max() / scale::num)) return duration::max();
    }
    if (count > limits::max() / scale::num) return duration::max();
    if (count < limits::min() / scale::num) return duration::min();
    return duration{count * scale::num / scale::den};
  }
}

// Compares instead of calling `__builtin_add_overflow`, which g++ 12 gets wrong at -O2 where one operand comes from an
// empty optional (tests/unit/retry/deadline.test.cpp has the case).

/// a + b, saturated.
constexpr duration saturating_add(duration a, duration b) noexcept {
  auto const x = a.count();
  auto const y = b.count();
  if (y > 0 && x > duration::max().count() - y) return duration::max();
  if (y < 0 && x < duration::min().count() - y) return duration::min();
  return duration{x + y};
}

/// a - b, saturated. Time that went backwards gives a negative duration, not a huge one.
constexpr duration saturating_subtract(duration a, duration b) noexcept {
  auto const x = a.count();
  auto const y = b.count();
  if (y < 0 && x > duration::max().count() + y) return duration::max();
  if (y > 0 && x < duration::min().count() + y) return duration::min();
  return duration{x - y};
}

constexpr time_point saturating_add(time_point t, duration d) noexcept {
  return time_point{saturating_add(t.time_since_epoch(), d)};
}

constexpr duration saturating_subtract(time_point a, time_point b) noexcept {
  return saturating_subtract(a.time_since_epoch(), b.time_since_epoch());
}

template <class Number>
inline constexpr bool duration_has_a_unit = false;

/// A `time_point`, or an object that reads the clock when it is converted to one, and not again.
template <class T>
concept Time = std::is_convertible_v<T, time_point>;

}  // namespace detail

/// A duration that may be a template argument, which a `std::chrono::duration` may not. It converts from any chrono
/// duration, so that you can write `constant_backoff<100ms>`.
struct static_duration {
  std::int64_t nanoseconds;

  template <class Rep, class Period>
  consteval static_duration(std::chrono::duration<Rep, Period> value) noexcept  // NOLINT(*-explicit-*)
      : nanoseconds{detail::saturate(value).count()} {}

  /// Explains that a number has no unit.
  template <class Number>
    requires(std::integral<Number> || std::floating_point<Number>)
  consteval static_duration(Number /*count*/) noexcept : nanoseconds{1'000'000'000} {  // NOLINT(*-explicit-*)
    static_assert(detail::duration_has_a_unit<Number>,
                  "anew requires a duration with its unit as this template argument; you wrote a number. Write 100ms "
                  "or 5s, after 'using namespace std::chrono_literals', or std::chrono::milliseconds{100}");
  }

  [[nodiscard]] constexpr duration value() const noexcept { return duration{nanoseconds}; }

  friend constexpr bool operator==(static_duration, static_duration) = default;
};

/// The time, for a virtual function: the clock is read when this becomes a `time_point`, and never if it does not.
///
/// It refers to a driver's time: use it within the function that gets it. Cost: an indirect call.
class now_view {
 public:
  template <class Now>
    requires(detail::Time<Now&> && !std::is_same_v<std::remove_cvref_t<Now>, now_view>)
  now_view(Now&& now) noexcept  // NOLINT(*-explicit-*,*-forwarding-reference-*): it refers to it
      : of_{const_cast<void*>(static_cast<void const*>(&now))},
        read_{[](void* of) -> time_point { return *static_cast<std::remove_reference_t<Now>*>(of); }} {}

  operator time_point() const { return read_(of_); }  // NOLINT(*-explicit-*)

 private:
  void* of_;
  time_point (*read_)(void*);
};

}  // namespace anew::inline ANEW_ABI

#endif
