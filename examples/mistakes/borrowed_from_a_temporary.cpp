// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / A quota borrowed from a temporary
// `borrowed` points to a policy. The quota of a temporary strategy is gone at the end of its line. Keep the strategy, or
// share the quota.
// expect-error: anew: it borrows a policy that you keep, not one of a temporary
#include "anew/anew.hpp"
#include "anew/quota/token_bucket.hpp"
#include "anew/sharing/borrowed.hpp"

using client = anew::strategy<anew::token_bucket<100>, anew::retry_all>;

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::borrowed const quota{client{}.quota()};
#else  // right
  client const first{};
  anew::borrowed const quota{first.quota()};
#endif
  // [/fix]
  auto const second = anew::compose(quota, anew::retry_all{});
  return anew::retry(second, [] { return true; }) ? 0 : 1;
}
