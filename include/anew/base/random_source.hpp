// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_RANDOM_SOURCE_HPP
#define ANEW_BASE_RANDOM_SOURCE_HPP

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// A source of random numbers: `r()` returns a `std::uint64_t`, uniform over the whole range. `std::mt19937_64` models
/// it, and so does a lambda that replays a script; `std::mt19937` does not, because it yields 32 bits.
template <class R>
concept RandomSource = std::is_object_v<std::remove_reference_t<R>> && requires(R& r) {
  { r() } -> std::same_as<std::uint64_t>;
} && (!requires { R::max(); } || requires { requires R::max() == ~std::uint64_t{0}; });

}  // namespace anew::inline ANEW_ABI

#endif
