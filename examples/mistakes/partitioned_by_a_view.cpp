// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A view as the key of a partition
// The registry keeps its keys as long as it lives. A pointer to an object is fine as a key: it identifies the object.
// expect-error: anew::partitioned<Key, Policy> requires a key that owns its value
#include <string>
#include <string_view>

#include "anew/anew.hpp"
#include "anew/quota/token_bucket.hpp"
#include "anew/sharing/partitioned.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using buckets = anew::partitioned<std::string_view, anew::token_bucket<>>;
#else  // right
using buckets = anew::partitioned<std::string, anew::token_bucket<>>;
#endif
// [/fix]

int main() {
  buckets hosts{100};
  anew::retry(anew::compose(hosts.at("example.org")), [] {});
}
