// SPDX-License-Identifier: BSL-1.0
// What most of the mistakes include, compiled once. What a compiler says of a reject face begins with the chain of
// includes that a user has, but that it ends in this file instead of the user's.
#include "anew/anew.hpp"
