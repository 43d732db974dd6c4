// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_INTERNAL_REFUSED_CLOSURE_HPP
#define ANEW_DRIVE_INTERNAL_REFUSED_CLOSURE_HPP

#include <type_traits>

#include "anew/platform/compiler.hpp"

/// A lambda whose body does not compile, a return of two types for one. clang goes on with a closure that has an
/// `operator()` and cannot be called, and has said why; another sentence about it would hide that one.
namespace anew::inline ANEW_ABI::detail {

struct another_call_operator {
  void operator()() const;
};
template <class Op>
struct with_another_call_operator : Op, another_call_operator {};

template <class Op>
concept NamesItsCallOperator = requires { &Op::operator(); };
template <class Op>
concept HasGenericCallOperator = requires { &Op::template operator()<int>; } || requires {
  &Op::template operator()<int, int>;
} || requires { &Op::template operator()<int, int, int>; };
template <class Op>
inline constexpr bool has_a_call_operator = false;
template <class Op>
  requires(std::is_class_v<Op> && !std::is_final_v<Op>)
inline constexpr bool has_a_call_operator<Op> = !NamesItsCallOperator<with_another_call_operator<Op>>;

template <class Op>
inline constexpr bool is_refused_closure =
    has_a_call_operator<Op> && !NamesItsCallOperator<Op> && !HasGenericCallOperator<Op>;
/// What an operation is declared as has an overload set of its own, and is called as the operation is.
template <class Op>
  requires requires { typename Op::declared; }
inline constexpr bool is_refused_closure<Op> = false;

/// The compiler has the word: calling the closure is an error, unless it is one that has been shown.
template <class Op>
void call_closure(Op& operation) {
  static_cast<void>(operation());
}
template <class Op>
consteval bool explain_closure() {
  static_cast<void>(&detail::call_closure<Op>);
  return false;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
