// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_TEST_MODE_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_TEST_MODE_HPP

#include <cstdint>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/process_wide.hpp"

namespace anew::inline ANEW_ABI::detail {

/// 0: off. Else every call of the process makes at most so many attempts, and waits for nothing. Read after a failed
/// attempt only, so that a call that succeeds at once does not read it. Written by anew/testing/test_mode.hpp.
inline atomic_view<std::uint32_t> test_mode_word() noexcept {
  return atomic_view<std::uint32_t>{anew_process::test_mode_1};
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
