// SPDX-License-Identifier: BSL-1.0
// One unit gives another a type of the library: those of the same build link, and others do not.
#include "anew/base/failure.hpp"

int weigh(anew::failure const& what);

#ifdef GIVE
int main() { return weigh({anew::error_kind::throttling, anew::retry_safety::yes, anew::duration{7}}); }
#else
int weigh(anew::failure const& what) { return what.hint && what.hint->count() == 7 ? 0 : 1; }
#endif
