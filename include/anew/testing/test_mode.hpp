// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_TEST_MODE_HPP
#define ANEW_TESTING_TEST_MODE_HPP

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/platform/internal/test_mode.hpp"

namespace anew::inline ANEW_ABI::testing {

/// While it lives, every call of the process makes at most so many attempts and waits for nothing, whatever its strategy
/// and its sleeper say: for tests of a whole program, whose strategies are out of the test's reach.
///
///     anew::testing::test_mode const fast{3};
///
/// A strategy that permits fewer attempts keeps its own limit; a call that ends for this one ends with
/// `stop_reason::attempts`. Of two that live at once the one made last counts, and the other one counts again when that is
/// gone: they must end in the reverse order, on one thread. Calls on all threads obey.
///
/// Requires: max_attempts >= 1; else std::invalid_argument
/// Cost: nothing for a call that succeeds at once; one load after each failed attempt, with and without it
/// Choose it for tests from end to end. Not where the test can have the strategy and the sleeper as parameters: then
/// delays can be looked at.
class [[nodiscard]] test_mode {
 public:
  template <std::integral Int>
  explicit test_mode(Int max_attempts) : outer_{detail::test_mode_word().load()} {
    if (!std::in_range<std::uint32_t>(max_attempts) || max_attempts < 1) {
      detail::invalid_argument("testing::test_mode", "max_attempts must be between 1 and 4294967295",
                               std::to_string(max_attempts));
    }
    detail::test_mode_word().store_release(static_cast<std::uint32_t>(max_attempts));
  }
  test_mode(test_mode const&) = delete;
  test_mode& operator=(test_mode const&) = delete;
  ~test_mode() { detail::test_mode_word().store_release(outer_); }

  /// Is one alive?
  [[nodiscard]] static bool is_on() noexcept { return detail::test_mode_word().load() != 0; }

 private:
  std::uint32_t outer_;
};

}  // namespace anew::inline ANEW_ABI::testing

#endif
