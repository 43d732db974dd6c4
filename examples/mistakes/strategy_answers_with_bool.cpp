// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A strategy of your own that is incomplete
// Your own strategy answers with the token for the next attempt, or with the reason why there is no next attempt.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy
// expect-error: refresh_retry_token(), which returns anew::refreshed<token_type>
#include <chrono>

#include "anew/anew.hpp"

struct token {
  int attempts = 1;
  anew::duration delay() const { return std::chrono::milliseconds{attempts == 1 ? 0 : 10}; }
};

struct twice {
  using token_type = token;
  token acquire_initial_token() const { return {}; }
// [fix]
#ifdef ANEW_REJECT  // wrong
  bool refresh_retry_token(token&& used, anew::failure const& /*what*/) const { return used.attempts < 2; }
#else  // right
  anew::refreshed<token> refresh_retry_token(token&& used, anew::failure const& /*what*/) const {
    if (used.attempts < 2) return token{used.attempts + 1};
    return anew::stop_reason::attempts;
  }
#endif
  // [/fix]
  void record_success(token&& /*used*/) const {}
};

int main() {
  anew::retry(twice{}, [] {});
}
