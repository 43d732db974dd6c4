// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / An address as the key of a partition
// Two literals with equal texts need not have one address, and two buffers never have.
// expect-error: anew::partitioned<Key, Policy> requires a key that owns its value
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
