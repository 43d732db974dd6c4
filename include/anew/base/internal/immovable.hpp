// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_IMMOVABLE_HPP
#define ANEW_BASE_INTERNAL_IMMOVABLE_HPP

#include "anew/base/platform/compiler.hpp"

// Not in detail: looking up a name with an object looks into the namespaces of its bases.
namespace anew::inline ANEW_ABI::pinned {

/// The base of a class whose objects are neither copied nor moved. It is told the class, so that a member with the same
/// base shares its address with it.
template <class Of>
struct immovable {
  immovable() = default;
  immovable(immovable const&) = delete;
  immovable& operator=(immovable const&) = delete;
  ~immovable() = default;
};

}  // namespace anew::inline ANEW_ABI::pinned

#endif
