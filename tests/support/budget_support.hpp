// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_BUDGET_SUPPORT_HPP
#define ANEW_TESTS_SUPPORT_BUDGET_SUPPORT_HPP

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"

namespace support {

/// How many retries a budget grants at that time.
template <class Budget>
unsigned drain(Budget const& budget, anew::time_point now) {
  unsigned granted = 0;
  while (budget.try_acquire(anew::failure{}, now)) ++granted;
  return granted;
}
template <class Budget>
void call(Budget const& budget, anew::time_point now, unsigned times) {
  for (unsigned i = 0; i != times; ++i) budget.on_call(now);
}

}  // namespace support

#endif
