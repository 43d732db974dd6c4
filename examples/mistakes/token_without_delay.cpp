// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A strategy of your own that is incomplete
// Write `static_assert(anew::RetryStrategy<your_strategy>);` next to the class: then the compiler names the function
// and the line.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy
// expect-error: anew::duration delay() const
#include <chrono>

#include "anew/anew.hpp"

struct token {
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::duration wait() const { return std::chrono::milliseconds{10}; }
#else  // right
  anew::duration delay() const { return std::chrono::milliseconds{10}; }
#endif
  // [/fix]
};

struct for_ever {
  using token_type = token;
  token acquire_initial_token() const { return {}; }
  anew::refreshed<token> refresh_retry_token(token&& used, anew::failure const& /*what*/) const { return token{used}; }
  void record_success(token&& /*used*/) const {}
};

int main() {
  anew::retry(for_ever{}, [] {});
}
