// SPDX-License-Identifier: BSL-1.0
#include "anew/anew.hpp"
#include "anew/policies.hpp"
#include "anew/policies/quota/striped.hpp"

// section: A striped breaker without its header, by itself
// expect-error: or anew::rate_breaker with anew/policies/gate/striped_rate_breaker.hpp
namespace striped_breaker_by_itself {
int run() {
  anew::striped<anew::rate_breaker<>> const breaker;
  return static_cast<int>(breaker.describe().size());
}
}  // namespace striped_breaker_by_itself
