// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DETAIL_TEST_MODE_HPP
#define ANEW_DETAIL_TEST_MODE_HPP

#include <cstdint>

#include "anew/detail/atomic.hpp"

namespace anew::detail {

/// 0: off. Else every call of the process makes at most so many attempts, and waits for nothing. Read after a failed
/// attempt only, so that a call which succeeds at once does not know of it. Written by anew/testing/test_mode.hpp.
inline atomic_cell<std::uint32_t>& test_mode_word() noexcept {
  static constinit atomic_cell<std::uint32_t> word{0};
  return word;
}

}  // namespace anew::detail

#endif
