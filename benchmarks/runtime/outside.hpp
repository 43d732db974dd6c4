// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BENCHMARKS_RUNTIME_OUTSIDE_HPP
#define ANEW_BENCHMARKS_RUNTIME_OUTSIDE_HPP

/// The operation, defined in a file of its own: the compiler knows nothing of it.
namespace outside {

struct answer {
  int value;
  int code;
  [[nodiscard]] bool has_value() const noexcept { return code == 0; }
  [[nodiscard]] int error() const noexcept { return code; }
};

inline constexpr int busy = 503;

answer succeeds() noexcept;

/// Fails the first time and succeeds the second, and so on.
answer fails_once() noexcept;

struct busy_error {};

int returns();

/// Throws the first time and returns the second, and so on.
int throws_once();

}  // namespace outside

#endif
