// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_INTERNAL_DECLARES_HPP
#define ANEW_CONCEPT_INTERNAL_DECLARES_HPP

#include <type_traits>

#include "anew/platform/compiler.hpp"

/// Whether a type declares a name, in whatever form: as an overload set, a template, private, constrained away. The
/// name of the class itself, or of a base, does not count.
namespace anew::inline ANEW_ABI::detail {

// What a class declares hides what its bases declare, but of two bases that declare one name neither hides the other:
// `&beside<T, Names>::name` names the member of `Names`, and is ambiguous exactly where T declares the name too.
template <class T, class Names>
struct beside : T, Names {};

/// Where the name of a class, or of a base, is found as a type: inside the class itself it names the constructor.
template <class T>
struct heir : T {};

/// A final class cannot be derived from, nor can one whose virtual destructor is final, which nothing can ask for.
template <class T>
concept FitsBesideNames = std::is_class_v<T> && !std::is_final_v<T> && !std::has_virtual_destructor_v<T>;

/// Where the class beside the names cannot be made: an argument that is whatever a function template wants. Of such a
/// class an overload set and what is private stay unseen.
struct any_argument {
  template <class T>
  operator T&() const;  // NOLINT(*-explicit-*)
  template <class T>
  operator T&&() const;  // NOLINT(*-explicit-*)
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
