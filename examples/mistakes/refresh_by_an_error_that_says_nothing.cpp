// SPDX-License-Identifier: BSL-1.0
// An error code of one's own tells a virtual strategy nothing.
// expect-error: anew::retry_strategy::refresh_retry_token(token, error) requires
#include <utility>

#include "anew/virtual.hpp"

enum class status { busy };

int main() {
  anew::virtual_strategy<anew::strategy<>> const strategy;
  auto token = strategy.try_acquire_initial_token();
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const next = strategy.try_refresh_retry_token(*std::move(token), status::busy);
#else  // right
  auto const next = strategy.try_refresh_retry_token(*std::move(token), anew::failure{anew::error_kind::throttling});
#endif
  // [/fix]
  return next ? 0 : 1;
}
