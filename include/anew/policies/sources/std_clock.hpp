// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SOURCES_STD_CLOCK_HPP
#define ANEW_POLICIES_SOURCES_STD_CLOCK_HPP

#include <chrono>
#include <string>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// A clock of the standard's kind as a policy: `std_clock<std::chrono::steady_clock>`, which is what a strategy without
/// a clock uses.
///
/// Models: Clock (empty)      Cost: that of `C::now()`
/// Formula: none
/// Requires: a class with a static `now()` that is steady; its epoch need not be the steady clock's
/// Choose it for a clock of your own with a static `now()`. Not for one with state: write a policy.
/// Source: none
template <class C>
struct std_clock {
  using role = roles::clock;
  static constexpr bool is_steady = C::is_steady;
  [[nodiscard]] static time_point now() noexcept(noexcept(C::now())) {
    return time_point{detail::saturate(C::now().time_since_epoch())};
  }
  [[nodiscard]] static std::string describe() {
    return std::is_same_v<C, std::chrono::steady_clock> ? "steady_clock" : "clock";
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
