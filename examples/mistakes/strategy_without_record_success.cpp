// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A strategy of your own that is incomplete
// Your own strategy is told of successes too, so that it can refund a quota.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy
// expect-error: record_success(token_type&&) const
#include <chrono>

#include "anew/anew.hpp"

struct token {
  anew::duration delay() const { return std::chrono::milliseconds{10}; }
};

struct for_ever {
  using token_type = token;
  token acquire_initial_token() const { return {}; }
  anew::refreshed<token> refresh_retry_token(token&& used, anew::failure const& /*what*/) const { return token{used}; }
// [fix]
#ifdef ANEW_REJECT  // wrong
  void on_success(token&& /*used*/) const {}
#else  // right
  void record_success(token&& /*used*/) const {}
#endif
  // [/fix]
};

int main() {
  anew::retry(for_ever{}, [] {});
}
