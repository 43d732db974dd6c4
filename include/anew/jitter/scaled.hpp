// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_JITTER_SCALED_HPP
#define ANEW_JITTER_SCALED_HPP

#include <cstdint>
#include <string>
#include <type_traits>

#include "anew/concept/jitter.hpp"
#include "anew/concept/roles.hpp"
#include "anew/jitter/proportional.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/random_source.hpp"
#include "anew/value/random_up_to.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class Low>
struct low_is_not_negative {
  static constexpr bool value = 0 <= Low::num;
};
template <>
struct low_is_not_negative<fraction> {
  static constexpr bool value = true;
};

template <class Low, class High>
struct high_is_not_below_low {
  static constexpr bool value =
      static_cast<__int128_t>(High::num) * Low::den >= static_cast<__int128_t>(Low::num) * High::den;
};
template <>
struct high_is_not_below_low<fraction, fraction> {
  static constexpr bool value = true;
};
// Either both are known at compile time or neither is.
template <class Low>
struct high_is_not_below_low<Low, fraction> {
  static constexpr bool value = false;
};
template <class High>
struct high_is_not_below_low<fraction, High> {
  static constexpr bool value = false;
};

/// `Index` differs for the two, so that two equal ones share an address.
template <class Fraction, int Index>
struct stored_scale {
  static constexpr std::uint64_t num() noexcept { return static_cast<std::uint64_t>(Fraction::num); }
  static constexpr std::uint64_t den() noexcept { return static_cast<std::uint64_t>(Fraction::den); }
};
template <int Index>
struct stored_scale<fraction, Index> : stored_fraction<fraction> {};

}  // namespace detail

/// Waits the delay times a factor that is drawn between two: U(Low, High) times the delay.
///
/// `scaled_jitter<std::ratio<4, 5>, std::ratio<13, 10>>` is an empty type; `scaled_jitter{fraction{4, 5}, fraction{13, 10}}`
/// takes values known at run time and throws `std::invalid_argument` where the requirement fails. Where High times the
/// delay would pass the cap, the whole window moves down below it: at the cap c it is [c - (High-Low)c, c], as wide as
/// anywhere. The published forms clamp to the cap instead, so that all callers come back together once it is reached.
///
/// Models: Jitter (its state is empty)      Cost: one random number, three multiplications, two divisions
/// Formula: U(max(0, h - (High-Low)d), h), where d is the delay and h = min(cap, High*d)
/// Requires: 0 <= Low <= High
/// Choose it where a peer's documentation gives two factors. Not where it gives plus or minus a percentage:
/// proportional_jitter; not for the least load on the server: full_jitter.
/// Source: azure-sdk-for-cpp, sdk/core/azure-core/src/http/retry_policy.cpp (0.8 to 1.3, clamped to the cap there).
template <class Low, class High>
class scaled_jitter {
  static constexpr bool is_static = !std::is_same_v<Low, fraction> && !std::is_same_v<High, fraction>;

 public:
  using role = roles::jitter;

  /// Nothing to remember; said, because a jitter with a state is told of the cap.
  struct state_type {};

  constexpr scaled_jitter() noexcept
    requires is_static
  = default;

  constexpr scaled_jitter(fraction low, fraction high)
    requires(!is_static)
      : low_{{low}}, high_{{high}} {
    if (low.den == 0 || high.den == 0) {
      detail::invalid_argument("scaled_jitter", "denominators must be above zero", text(low, high));
    }
    if (std::uint64_t{high.num} * low.den < std::uint64_t{low.num} * high.den) {
      detail::invalid_argument("scaled_jitter", "high must not be below low", text(low, high));
    }
  }

  template <RandomSource R>
  [[nodiscard]] constexpr duration apply(delay_bounds const& bounds, state_type& /*state*/, R& random) const {
    auto const delay = detail::smaller(bounds.ceiling, bounds.cap);
    auto const lowest = times(delay, low_);
    auto const highest = times(delay, high_);
    auto const high = detail::smaller(highest, bounds.cap);
    auto const low = detail::larger(high - (highest - lowest), duration::zero());
    return low + random_up_to(high - low, random);
  }

  [[nodiscard]] std::string describe() const {
    std::string result{"scaled_jitter("};
    add(result, low_);
    result.append(",");
    add(result, high_);
    return result.append(")");
  }

  static constexpr bool is_sound =
      detail::low_is_not_negative<Low>::value && detail::high_is_not_below_low<Low, High>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::low_is_not_negative<Low>::value) {
      static_assert(detail::low_is_not_negative<Low>::value,
                    "anew::scaled_jitter<Low, High> requires Low >= 0; this one is negative, and no delay is below "
                    "zero. Write it as std::ratio<4, 5> for 0.8");
    } else {
      static_assert(detail::high_is_not_below_low<Low, High>::value,
                    "anew::scaled_jitter<Low, High> requires Low <= High; nothing can be drawn between these two. "
                    "Did you exchange them?");
    }
  }

 private:
  template <class Stored>
  static constexpr duration times(duration delay, Stored const& by) noexcept {
    auto const product = static_cast<detail::uint128>(delay.count()) * by.num() / by.den();
    auto const most = static_cast<detail::uint128>(duration::max().count());
    return duration{static_cast<std::int64_t>(detail::smaller(product, most))};
  }

  template <class Stored>
  static void add(std::string& to, Stored const& one) {
    to.append(std::to_string(one.num()));
    if (one.den() != 1) to.append("/").append(std::to_string(one.den()));
  }
  static std::string text(fraction low, fraction high) {
    std::string result;
    add(result, detail::stored_fraction<fraction>{low});
    result.append(" and ");
    add(result, detail::stored_fraction<fraction>{high});
    return result;
  }

  ANEW_NO_UNIQUE_ADDRESS detail::stored_scale<Low, 100> low_;
  ANEW_NO_UNIQUE_ADDRESS detail::stored_scale<High, 101> high_;
};

scaled_jitter(fraction, fraction) -> scaled_jitter<fraction, fraction>;

}  // namespace anew::inline ANEW_ABI

#endif
