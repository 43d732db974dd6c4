// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A failure that says nothing
// You passed an error to `refresh_retry_token` of an `anew::retry_strategy`, and its type says neither whether it may
// be retried nor whose fault it was. Pass an `anew::failure`, or specialise `anew::retry_traits<E>` once and for all.
// Exceptions need not say anything: the strategy's classifier reads them.
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
