// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_SCRIPTED_RANDOM_HPP
#define ANEW_TESTS_SUPPORT_SCRIPTED_RANDOM_HPP

#include <cstdint>

#include "anew/concept/roles.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/seeded_random.hpp"

namespace support {

using anew::testing::highest_word;
using anew::testing::lowest_word;
using anew::testing::middle_word;
using anew::testing::scripted_random;
using anew::testing::seeded_random;

/// Always draws the least, and has no state: for strategies that are spelled as types.
struct lowest_random {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const noexcept { return lowest_word; }
};

}  // namespace support

#endif
