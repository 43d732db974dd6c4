// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OPERATION_INTERNAL_DECLARED_OPERATION_HPP
#define ANEW_POLICIES_OPERATION_INTERNAL_DECLARED_OPERATION_HPP

#include <type_traits>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/operation.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Base of the declarations in this folder: holds the operation, and calls it with its attempt or without arguments.
template <class Op>
struct declared_operation {
  using declared = Op;
  Op operation;

  constexpr decltype(auto) operator()(attempt& a)
    requires TakesAttempt<Op>
  {
    return operation(a);
  }
  constexpr decltype(auto) operator()()
    requires(!TakesAttempt<Op> && TakesNothing<Op>)
  {
    return operation();
  }
  constexpr decltype(auto) operator()(attempt& a) const
    requires TakesAttempt<Op const>
  {
    return operation(a);
  }
  constexpr decltype(auto) operator()() const
    requires(!TakesAttempt<Op const> && TakesNothing<Op const>)
  {
    return operation();
  }
};

template <template <class> class Declaration, class Op>
inline constexpr bool is_declared = false;
template <template <class> class Declaration, class Op>
  requires requires { typename Op::declared; }
inline constexpr bool is_declared<Declaration, Op> =
    std::is_same_v<Op, Declaration<typename Op::declared>> || is_declared<Declaration, typename Op::declared>;

}  // namespace anew::inline ANEW_ABI::detail

#endif
