// SPDX-License-Identifier: BSL-1.0
// What most of the mistakes include, compiled once. The reject faces are read by clang with it, and by g++ without: what
// that says begins with the chain of includes that a user has.
#include "anew/anew.hpp"
