// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_TEST_MODE_HPP
#define ANEW_TESTING_TEST_MODE_HPP

#include <cstdint>
#include <string>

#include "anew/base/internal/given.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/process_wide.hpp"

namespace anew::inline ANEW_ABI::testing {

/// While it lives, every call of the process makes at most `max_attempts` attempts and never waits, whatever its
/// strategy and its sleeper: for tests of a whole program, which cannot change the strategies.
///
///     anew::testing::test_mode const fast{3};
///
/// A strategy that permits fewer attempts keeps its own limit; a call that the test mode ends has
/// `stop_reason::attempts`. Of two test modes the later one counts, and after it the earlier one again: destroy them in
/// the reverse order, on one thread. Calls on all threads obey.
///
/// Requires: max_attempts >= 1; else std::invalid_argument
/// Cost: nothing for a call that succeeds at once; one load after each failed attempt, with and without it
/// Choose it for tests from end to end. Not where the test can have the strategy and the sleeper as parameters: then it
/// can check delays.
class [[nodiscard]] test_mode {
 public:
  explicit test_mode(detail::any_count max_attempts) : outer_{detail::test_mode_word().load()} {
    detail::require(max_attempts.is_within(1, 4'294'967'295), "testing::test_mode",
                    "max_attempts must be between 1 and 4294967295", max_attempts);
    detail::test_mode_word().store_release(max_attempts.get());
  }
  test_mode(test_mode const&) = delete;
  test_mode& operator=(test_mode const&) = delete;
  ~test_mode() { detail::test_mode_word().store_release(outer_); }

  /// Whether a test mode is alive.
  [[nodiscard]] static bool is_on() noexcept { return detail::test_mode_word().load() != 0; }

 private:
  std::uint32_t outer_;
};

}  // namespace anew::inline ANEW_ABI::testing

#endif
