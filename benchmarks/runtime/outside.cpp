// SPDX-License-Identifier: BSL-1.0
#include "outside.hpp"

namespace outside {

namespace {

unsigned turn = 0;

}  // namespace

answer succeeds() noexcept { return {1, 0}; }

answer fails_once() noexcept { return (++turn & 1U) != 0 ? answer{0, busy} : answer{1, 0}; }

int returns() { return 1; }

int throws_once() {
  if ((++turn & 1U) != 0) throw busy_error{};
  return 1;
}

}  // namespace outside
