// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_BREAKER_SUPPORT_HPP
#define ANEW_TESTS_SUPPORT_BREAKER_SUPPORT_HPP

#include <gtest/gtest.h>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"

namespace support {

constexpr anew::failure broke{.kind = anew::error_kind::server};

/// The pass of an attempt that must be admitted.
template <class Breaker>
auto enter(Breaker const& breaker, anew::time_point now) {
  auto const admitted = breaker.try_enter(now);
  EXPECT_TRUE(admitted.pass.has_value());
  return admitted.pass.value_or(typename Breaker::pass_type{});
}
void fail(auto const& breaker, anew::time_point now, unsigned times = 1) {
  for (unsigned i = 0; i != times; ++i) breaker.on_failure(support::enter(breaker, now), broke, now);
}
void succeed(auto const& breaker, anew::time_point now, unsigned times = 1) {
  for (unsigned i = 0; i != times; ++i) breaker.on_success(support::enter(breaker, now), now);
}

/// The breaker itself, or that of a handle.
auto const& breaker_of(auto const& breaker) {
  if constexpr (requires { breaker.state(); }) {
    return breaker;
  } else {
    return breaker.policy();
  }
}
anew::breaker_state state_of(auto const& breaker) { return support::breaker_of(breaker).state(); }

}  // namespace support

#endif
