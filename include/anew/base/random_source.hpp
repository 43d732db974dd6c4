// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_RANDOM_SOURCE_HPP
#define ANEW_BASE_RANDOM_SOURCE_HPP

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// A source of random numbers: `r()` returns a `std::uint64_t`, uniform over the whole range. `std::mt19937_64` models
/// it, and so does a lambda that replays a script; `std::mt19937` does not, because it yields 32 bits.
template <class R>
concept RandomSource = std::is_object_v<std::remove_reference_t<R>> && requires(R& r) {
  { r() } -> std::same_as<std::uint64_t>;
} && (!requires { R::max(); } || requires { requires R::max() == ~std::uint64_t{0}; });

/// A delay in [0, bound], uniform (Lemire's multiplication; the bias is below 2^-64 times the bound in ns).
/// Requires bound >= 0. Draws exactly one number, and none when the bound is zero.
[[nodiscard]] constexpr duration random_up_to(duration bound, RandomSource auto& random) {
  if (bound.count() <= 0) return duration::zero();
  auto const width = static_cast<std::uint64_t>(bound.count()) + 1;
  return duration{static_cast<std::int64_t>((static_cast<detail::uint128>(width) * random()) >> 64U)};
}

namespace detail {

/// Steele, Lea, Flood: "Fast splittable pseudorandom number generators" (2014). A bijection of 64 bits.
constexpr std::uint64_t splitmix(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace detail

/// xoroshiro128++ 1.0 (Blackman and Vigna, 2019): 16 bytes, period 2^128 - 1, about 1 ns a number.
/// Choose it for jitter and tests with a seed. Not for anything that an adversary must not guess.
class generator {
 public:
  using result_type = std::uint64_t;

  /// The same two words give the same sequence; different pairs give unrelated sequences. Every value is valid.
  constexpr explicit generator(std::uint64_t seed, std::uint64_t stream = 0) noexcept
      : first_{detail::splitmix(seed ^ detail::splitmix(stream))}, second_{detail::splitmix(~seed + stream)} {
    if ((first_ | second_) == 0) first_ = 1;  // the one state that the generator never leaves
  }

  constexpr std::uint64_t operator()() noexcept {
    std::uint64_t const a = first_;
    std::uint64_t b = second_;
    std::uint64_t const result = rotate(a + b, 17) + a;
    b ^= a;
    first_ = rotate(a, 49) ^ b ^ (b << 21U);
    second_ = rotate(b, 28);
    return result;
  }

  static constexpr std::uint64_t min() noexcept { return 0; }
  static constexpr std::uint64_t max() noexcept { return ~std::uint64_t{0}; }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, unsigned by) noexcept { return (x << by) | (x >> (64U - by)); }
  std::uint64_t first_;
  std::uint64_t second_;
};

}  // namespace anew::inline ANEW_ABI

#endif
