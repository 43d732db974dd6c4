// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Random source
// Keep the state of a random source in an atomic, or per thread.
// expect-error: random source
// expect-error: std::uint64_t operator()() const
#include <cstdint>

#include "anew/anew.hpp"

struct always_half {
  using role = anew::roles::random_source;
// [fix]
#ifdef ANEW_REJECT  // wrong
  std::uint64_t operator()() { return std::uint64_t{1} << 63; }
#else  // right
  std::uint64_t operator()() const { return std::uint64_t{1} << 63; }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<always_half>{}, [] {});
}
