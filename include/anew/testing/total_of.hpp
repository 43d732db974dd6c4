// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_TOTAL_OF_HPP
#define ANEW_TESTING_TOTAL_OF_HPP

#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::testing {

/// The sum of all delays; saturates.
[[nodiscard]] inline duration total_of(std::vector<duration> const& delays) noexcept {
  auto sum = duration::zero();
  for (auto const delay : delays) sum = detail::saturating_add(sum, delay);
  return sum;
}

}  // namespace anew::inline ANEW_ABI::testing

#endif
