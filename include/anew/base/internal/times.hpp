// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_TIMES_HPP
#define ANEW_BASE_INTERNAL_TIMES_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"

namespace anew::inline ANEW_ABI::detail {

/// value * factor, to the nanosecond below; saturates. Requires value >= 0, factor.den > 0.
constexpr duration times(duration value, rational factor) noexcept {
  auto const product = static_cast<uint128>(value.count()) * factor.num / factor.den;
  return duration{static_cast<std::int64_t>(detail::smaller(product, static_cast<uint128>(duration::max().count())))};
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
