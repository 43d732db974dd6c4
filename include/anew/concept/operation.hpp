// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_OPERATION_HPP
#define ANEW_CONCEPT_OPERATION_HPP

#include <concepts>
#include <type_traits>
#include <utility>

#include "anew/concept/declared.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/attempt.hpp"
#include "anew/value/result_traits.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class Op>
concept TakesAttempt = requires(Op& op, attempt& a) { op(a); };

template <class Op>
concept TakesNothing = requires(Op& op) { op(); };

template <class Op, bool WithAttempt>
struct invoke_result {
  using type = decltype(std::declval<Op&>()(std::declval<attempt&>()));
};
template <class Op>
struct invoke_result<Op, false> {
  using type = decltype(std::declval<Op&>()());
};

/// What the operation returns.
template <class Op>
using result_of = typename invoke_result<Op, TakesAttempt<Op>>::type;

}  // namespace detail

/// Something that may be called again: `op(attempt&)`, or `op()`. Its result is read as anew/value/result_traits.hpp says.
/// It is called on the caller's thread, never two attempts at a time; it is neither copied nor moved.
template <class Op>
concept Operation = detail::TakesAttempt<Op> || detail::TakesNothing<Op>;

namespace detail {

/// What the declarations below are made of: the operation, called as it wants to be.
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

}  // namespace detail

/// An operation that may run again although an earlier attempt may have taken effect: it reads, it overwrites with
/// the same value, or it carries a key by which the server knows it. See `idempotent()`.
template <class Op>
struct idempotent_operation : detail::declared_operation<Op> {};

/// An operation that cannot run twice, whatever its error. See `one_shot()`.
template <class Op>
struct one_shot_operation : detail::declared_operation<Op> {};

/// An operation that is reset before it runs again. See `rewinding()`.
template <class Op, class Rewind>
struct rewinding_operation : detail::declared_operation<Op> {
  Rewind rewind;
};

/// An operation whose result never means a failure. See `throws_only()`.
template <class Op>
struct throws_only_operation : detail::declared_operation<Op> {};

/// Declares that an operation may run again although an earlier attempt may have taken effect. Without this word an
/// error whose safety is `maybe` ends the call with `stop_reason::not_idempotent`.
template <class Op>
[[nodiscard]] constexpr auto idempotent(Op&& operation) -> idempotent_operation<std::decay_t<Op>> {
  return {{std::forward<Op>(operation)}};
}

/// Declares that an operation uses itself up, so that it cannot run twice: a body that is read from a pipe. Any failure
/// is its last, and ends the call with `stop_reason::not_replayable`. What can be put back: rewinding.
template <class Op>
[[nodiscard]] constexpr auto one_shot(Op&& operation) -> one_shot_operation<std::decay_t<Op>> {
  return {{std::forward<Op>(operation)}};
}

/// Declares that an operation fails by exceptions alone: whatever it returns is a success, `false`, `-1`, an enumeration,
/// a null pointer and a callable too. `anew::retry(strategy, anew::throws_only([&] { return connection.count(); }))`.
///
/// Requires: a classifier that reads exceptions; a result that is there, for a future that throws later is no exception yet.
/// Cost: none. Choose it for a result that may look like an error and is none. Not where a value does mean one: compose a
/// classifier that reads it, `retry_if<Predicate>`. For a type that never does, anywhere: `result_traits<R>`.
template <class Op>
[[nodiscard]] constexpr auto throws_only(Op&& operation) -> throws_only_operation<std::decay_t<Op>> {
  return {{std::forward<Op>(operation)}};
}

/// An operation and what puts it back to its beginning: a body that is read again from its start, a buffer that is
/// cleared. `rewind()` is called once before each retry, when it has been decided and before the sleep. When it returns
/// false, nothing can be put back: the call ends with the last failure and `stop_reason::not_replayable`; a `rewind` that
/// returns nothing always can. What it throws ends the call, as what a classifier throws does.
template <class Op, class Rewind>
[[nodiscard]] constexpr auto rewinding(Op&& operation, Rewind&& rewind)
    -> rewinding_operation<std::decay_t<Op>, std::decay_t<Rewind>> {
  return {{std::forward<Op>(operation)}, std::forward<Rewind>(rewind)};
}

namespace detail {

template <template <class> class Declaration, class Op>
inline constexpr bool is_declared = false;
template <template <class> class Declaration, class Op>
  requires requires { typename Op::declared; }
inline constexpr bool is_declared<Declaration, Op> =
    std::is_same_v<Op, Declaration<typename Op::declared>> || is_declared<Declaration, typename Op::declared>;

template <class Op>
inline constexpr bool is_idempotent = is_declared<idempotent_operation, std::remove_const_t<Op>>;
/// A concept, so that it stands in a constraint of an operation of any kind.
template <class Op>
concept ThrowsOnly = is_declared<throws_only_operation, std::remove_const_t<Op>>;
template <class Op>
inline constexpr bool is_one_shot = is_declared<one_shot_operation, std::remove_const_t<Op>>;

/// What an operation declares, as far as a decision asks: of few types, so that operations share the code for it.
template <class Op>
inline constexpr declared declaration_of = is_one_shot<Op>     ? declared::one_shot
                                           : is_idempotent<Op> ? declared::idempotent
                                                               : declared::nothing;

/// True for an operation that `rewinding()` made, or another declaration about one.
template <class Op>
inline constexpr bool is_rewound = false;
template <class Op>
  requires requires { typename Op::declared; }
inline constexpr bool is_rewound<Op> = requires(Op& op) { op.rewind(); } || is_rewound<typename Op::declared>;
template <class Op>
concept IsRewound = is_rewound<std::remove_const_t<Op>>;

/// Puts an operation back to its beginning, as it was told to; false when that cannot be done.
template <class Op>
constexpr bool rewind(Op& operation) {
  if constexpr (IsRewound<Op>) {
    if (!detail::rewind(operation.operation)) return false;
    if constexpr (requires { operation.rewind(); }) {
      if constexpr (std::is_void_v<decltype(operation.rewind())>) {
        operation.rewind();
      } else {
        return static_cast<bool>(operation.rewind());
      }
    }
  }
  return true;
}

}  // namespace detail

/// What is declared of a call that no operation object stands for.
template <declared Declared>
struct call_declaration {
  static constexpr declared value = Declared;
};
/// As `idempotent()` says of an operation: it may run again although an earlier attempt may have taken effect.
inline constexpr call_declaration<declared::idempotent> idempotent_call{};
/// As `one_shot()` says of an operation: it cannot run twice.
inline constexpr call_declaration<declared::one_shot> one_shot_call{};

}  // namespace anew::inline ANEW_ABI

#endif
