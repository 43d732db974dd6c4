// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BACKOFF_HEADROOM_HPP
#define ANEW_BACKOFF_HEADROOM_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/backoff/internal/inner.hpp"
#include "anew/concept/roles.hpp"
#include "anew/jitter/proportional.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/internal/text.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class Fraction>
struct headroom_is_between_zero_and_one {
  static constexpr bool value = fraction_is_between_zero_and_one<Fraction>::value;
};

/// A type of its own: the jitter beside it may have the same fraction, and two empty members of one type would not share
/// an address.
template <class Fraction>
struct stored_headroom {
  static constexpr std::uint64_t num() noexcept { return static_cast<std::uint64_t>(Fraction::num); }
  static constexpr std::uint64_t den() noexcept { return static_cast<std::uint64_t>(Fraction::den); }
};
template <>
struct stored_headroom<fraction> : stored_fraction<fraction> {};

}  // namespace detail

/// Waits what another backoff says, under a cap that is higher than that one's by a fraction: room for a jitter that
/// goes above the delay, at the cap too.
///
/// Without it, a jitter that goes above moves its window down below the cap. With it the strategy may wait
/// `1 + Fraction` times what the inner backoff calls its cap, and no longer. `headroom_backoff{policy, fraction{1, 5}}`
/// takes values known at run time and throws `std::invalid_argument` where the requirement fails.
///
/// Models: Backoff (pure)      Cost: that of the inner one
/// Formula: B.delay(n); the cap is B.cap() * (1 + Fraction)
/// Requires: a Backoff, 0 <= Fraction <= 1
/// Choose it to do exactly what a peer does that caps first and then adds up to that fraction: gRPC. Not otherwise: a
/// cap should be one.
/// Source: gRPC proposal A6 since August 2024: the jitter of plus or minus 20 % is applied to the capped backoff.
template <class B, class Fraction>
class headroom_backoff {
 public:
  using role = roles::backoff;

  headroom_backoff()
    requires(!std::is_same_v<Fraction, fraction> && std::is_default_constructible_v<B>)
  = default;

  constexpr explicit headroom_backoff(B policy)
    requires(!std::is_same_v<Fraction, fraction>)
      : inner_{std::move(policy)} {}

  constexpr headroom_backoff(B policy, fraction room)
    requires std::is_same_v<Fraction, fraction>
      : inner_{std::move(policy)}, room_{{room}} {
    if (room.den == 0 || room.num > room.den) {
      detail::invalid_argument("headroom_backoff", "fraction must be between 0 and 1",
                               std::to_string(room.num).append("/").append(std::to_string(room.den)));
    }
  }

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const { return inner_.get().delay(retry); }
  [[nodiscard]] constexpr duration cap() const {
    auto const cap = detail::cap_of(inner_.get());
    auto const more = static_cast<detail::uint128>(cap.count()) * room_.num() / room_.den();
    return detail::saturating_add(cap, duration{static_cast<std::int64_t>(more)});
  }

  [[nodiscard]] std::string describe() const
    requires detail::DescribesItself<B>
  {
    std::string text{"headroom("};
    text.append(inner_.get().describe()).append(",").append(std::to_string(room_.num()));
    if (room_.den() != 1) text.append("/").append(std::to_string(room_.den()));
    return text.append(")");
  }

  static constexpr bool is_sound =
      detail::is_sound_backoff<B> && detail::headroom_is_between_zero_and_one<Fraction>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (detail::explain_inner_backoff<B>()) {
      static_assert(detail::headroom_is_between_zero_and_one<Fraction>::value,
                    "anew::headroom_backoff<B, Fraction> requires 0 <= Fraction <= 1; this one is outside. "
                    "Write it as std::ratio<1, 5> for 20 percent above the cap");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::inner_policy<B, headroom_backoff> inner_;
  ANEW_NO_UNIQUE_ADDRESS detail::stored_headroom<Fraction> room_;
};

template <class B>
headroom_backoff(B, fraction) -> headroom_backoff<B, fraction>;

}  // namespace anew::inline ANEW_ABI

#endif
