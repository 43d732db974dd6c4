// SPDX-License-Identifier: BSL-1.0
// Two pointers to equal texts are two keys.
// expect-error: anew::partitioned<Key, Policy> requires a key that owns what it is compared by
#include <string>

#include "anew/anew.hpp"
#include "anew/quota/token_bucket.hpp"
#include "anew/sharing/partitioned.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using buckets = anew::partitioned<char const*, anew::token_bucket<>>;
#else  // right
using buckets = anew::partitioned<std::string, anew::token_bucket<>>;
#endif
// [/fix]

int main() {
  buckets hosts{100};
  anew::retry(anew::compose(hosts.at("example.org")), [] {});
}
