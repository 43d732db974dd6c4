// SPDX-License-Identifier: BSL-1.0
// What most of the mistakes include, compiled once for their accept faces. The reject faces are compiled without it: what
// the compiler says begins with the chain of includes that a user has.
#include "anew/anew.hpp"
