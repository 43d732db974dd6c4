// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_BUDGET_SUPPORT_HPP
#define ANEW_TESTS_SUPPORT_BUDGET_SUPPORT_HPP

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/roles/quota.hpp"

namespace support {

/// How many retries a quota grants, at that time where it asks for one.
unsigned drain(auto const& quota, anew::time_point now = {}) {
  unsigned granted = 0;
  while (anew::detail::try_acquire(quota, anew::failure{}, now)) ++granted;
  return granted;
}
void call(auto const& budget, anew::time_point now, unsigned times) {
  for (unsigned i = 0; i != times; ++i) budget.on_call(now);
}

}  // namespace support

#endif
