// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_REFUSED_CLOSURE_HPP
#define ANEW_DRIVERS_INTERNAL_REFUSED_CLOSURE_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"

/// Detects a lambda whose body does not compile, such as one that returns two types. clang reports the error and
/// continues with a closure whose `operator()` cannot be called; a second error would hide the first.
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
/// Unwraps a declared operation: the wrapper has its own overload set, and is called as the operation is.
template <class Op>
  requires requires { typename Op::declared; }
inline constexpr bool is_refused_closure<Op> = false;

/// Calls the closure so that the compiler reports its error, unless it has reported that already.
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
