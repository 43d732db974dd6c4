// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LOWEST_RANDOM_HPP
#define ANEW_TESTING_LOWEST_RANDOM_HPP

#include <cstdint>

#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"
#include "anew/testing/scripted_random.hpp"

namespace anew::inline ANEW_ABI::testing {

/// Always draws the least, and has no state: for strategies that are spelled as types.
///
/// Models: RandomSource (empty)
/// Formula: none
/// Cost: none
/// Source: none
struct lowest_random {
  using role = roles::random_source;
  std::uint64_t operator()() const noexcept { return lowest_word; }
};

}  // namespace anew::inline ANEW_ABI::testing

#endif
