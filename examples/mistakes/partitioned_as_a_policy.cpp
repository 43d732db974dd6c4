// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A registry as a policy
// `at(key)` locks the registry: compose a strategy once per key, and keep it.
// expect-error: you passed a partitioned<Key, Policy>, which keeps one for each key
#include <string>

#include "anew/anew.hpp"
#include "anew/quota/token_bucket.hpp"
#include "anew/sharing/partitioned.hpp"

int main() {
  anew::partitioned<std::string, anew::token_bucket<>> hosts{100};
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const strategy = anew::compose(anew::no_backoff{}, hosts);
#else  // right
  auto const strategy = anew::compose(anew::no_backoff{}, hosts.at("example.org"));
#endif
  // [/fix]
  anew::retry(strategy, [] {});
}
