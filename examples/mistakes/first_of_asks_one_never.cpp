// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / A classifier that first_of never asks
// The first classifier that has an opinion decides. One whose errors are all read by those before it, which always have an
// opinion, would never be asked: put the special rule before the general one.
// expect-error: requires classifiers that it can ask
// expect-error: compose anew::any_of<Classifiers...>
#include <stdexcept>
#include <system_error>

#include "anew/anew.hpp"
#include "anew/policies.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::first_of<anew::retry_on<std::runtime_error>, anew::not_<anew::retry_on<std::system_error>>>;
#else  // right
using on_failure = anew::first_of<anew::not_<anew::retry_on<std::system_error>>, anew::retry_on<std::runtime_error>>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
