// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_INTERNAL_DECLARES_HPP
#define ANEW_ROLES_INTERNAL_DECLARES_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"

/// Whether a type declares a name in any form: as an overload set, a template, private, or constrained away. The name
/// of the class itself, or of a base, does not count.
namespace anew::inline ANEW_ABI::detail {

// The declarations of a class hide those of its bases, but two bases that declare one name do not hide each other:
// `&beside<T, Names>::name` names the member of `Names`, and is ambiguous exactly where T declares the name too.
template <class T, class Names>
struct beside : T, Names {};

/// True where the name of a class, or of a base, is found as a type: inside the class itself it names the constructor.
template <class T>
struct heir : T {};

/// A final class cannot be derived from. Neither can a class whose virtual destructor is final, which no trait detects.
template <class T>
concept FitsBesideNames = std::is_class_v<T> && !std::is_final_v<T> && !std::has_virtual_destructor_v<T>;

/// The fallback for a class that cannot be derived from: an argument that converts to whatever a function template
/// takes. An overload set or a private member of such a class stays undetected.
struct any_argument {
  template <class T>
  operator T&() const;  // NOLINT(*-explicit-*)
  template <class T>
  operator T&&() const;  // NOLINT(*-explicit-*)
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
