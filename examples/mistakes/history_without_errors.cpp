// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / History policy
// `add` is called with the error if the result carries one, and without it while an exception is handled.
// expect-error: History policy
// expect-error: anew::history<N>
#include <cstdint>

#include "anew/anew.hpp"

struct how_many_failures {
  using role = anew::roles::history;
  template <class Error>
  struct log {
    void add(std::uint32_t /*attempt*/, anew::failure const& /*what*/) { ++count; }
// [fix]
#ifdef ANEW_REJECT  // wrong
    void add(Error const& /*error*/) { ++count; }
#else  // right
    void add(std::uint32_t attempt, anew::failure const& what, Error const& /*error*/) { add(attempt, what); }
#endif
    // [/fix]
    int count = 0;
  };
};

int main() {
  anew::retry(anew::strategy<how_many_failures>{}, [] {});
}
