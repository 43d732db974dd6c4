// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_DECLARATIONS_HPP
#define ANEW_DRIVERS_DECLARATIONS_HPP

#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/operation.hpp"

/// An operation may know whether its last attempt took effect, which no classifier can.
namespace anew::inline ANEW_ABI::detail {

/// `op.known_safety(read)` is the safety of another attempt, of which the classifier said `read`. An operation inside a
/// declaration is asked too.
template <class Op>
inline constexpr bool knows_its_safety = requires(Op const& op) { op.known_safety(retry_safety::yes); };
template <class Op>
  requires requires { typename Op::declared; } && (!requires(Op const& op) { op.known_safety(retry_safety::yes); })
inline constexpr bool knows_its_safety<Op> = knows_its_safety<typename Op::declared>;

/// The verdict of a classifier, with what the operation knows.
template <class Op>
constexpr decltype(auto) as_known_by([[maybe_unused]] Op& operation, directive const& read) {
  if constexpr (!knows_its_safety<std::remove_cv_t<Op>>) {
    return read;
  } else if constexpr (requires { operation.known_safety(retry_safety::yes); }) {
    return read.with_safety(operation.known_safety(read.what().safety));
  } else {
    return detail::as_known_by(operation.operation, read);
  }
}

/// Base of the declarations: holds the operation, and calls it with its attempt or without arguments.
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

/// An operation that gives away what it holds: it can be called as an rvalue only.
template <class Op>
concept GivesItselfAway = !TakesAttempt<Op> && !TakesNothing<Op>;

/// A kept_by_copy operation is copied before its first call, and the copy is called.
template <class Op>
inline constexpr bool operation_can_be_copied = std::is_copy_constructible_v<Op>;

}  // namespace anew::inline ANEW_ABI::detail

// The declarations of an operation that you pass to a driver: it may run again, it cannot, how it is reset, its name. Each
// wraps the operation, or another declaration.
namespace anew::inline ANEW_ABI {

/// An operation that may run again although an earlier attempt may have taken effect: it reads, it overwrites with the
/// same value, or it carries an idempotency key. See `idempotent()`.
template <class Op>
struct idempotent_operation : detail::declared_operation<Op> {};

/// Declares that an operation may run again although an earlier attempt may have taken effect. Without this declaration
/// an error whose safety is `maybe` ends the call with `stop_reason::not_idempotent`.
template <class Op>
[[nodiscard]] constexpr auto idempotent(Op&& operation) -> idempotent_operation<std::decay_t<Op>> {
  return {{std::forward<Op>(operation)}};
}

/// An operation that cannot run twice, whatever its error. See `one_shot()`.
template <class Op>
struct one_shot_operation : detail::declared_operation<Op> {
  using detail::declared_operation<Op>::operator();
  constexpr decltype(auto) operator()(attempt& a)
    requires detail::GivesItselfAway<Op> && requires(Op&& op) { std::move(op)(a); }
  {
    return std::move(this->operation)(a);
  }
  constexpr decltype(auto) operator()()
    requires detail::GivesItselfAway<Op> && requires(Op&& op) { std::move(op)(); }
  {
    return std::move(this->operation)();
  }
};

/// Declares that an operation cannot run twice, because it consumes its input, such as a body that is read from a pipe.
/// Any failure is its last, and ends the call with `stop_reason::not_replayable`. For input that can be reset:
/// rewinding. An operation that is callable only as an rvalue, because it gives away what it holds, is called so.
template <class Op>
[[nodiscard]] constexpr auto one_shot(Op&& operation) -> one_shot_operation<std::decay_t<Op>> {
  return {{std::forward<Op>(operation)}};
}

/// A declaration about the repetition of a call: `idempotent`, it may run again although an earlier attempt may have
/// taken effect; `one_shot`, it cannot run twice. `anew::idempotent(operation)` declares an operation,
/// `anew::idempotent_call` a call without an operation object.
enum class declared : unsigned char { nothing, idempotent, one_shot };

/// Declares a call idempotent or one-shot when there is no operation object to wrap.
template <declared Declared>
struct call_declaration {
  static constexpr declared value = Declared;
};
/// The call may run again although an earlier attempt may have taken effect; see `idempotent()`.
inline constexpr call_declaration<declared::idempotent> idempotent_call{};
/// The call cannot run twice; see `one_shot()`.
inline constexpr call_declaration<declared::one_shot> one_shot_call{};

/// An operation that is reset before it runs again. See `rewinding()`.
template <class Op, class Rewind>
struct rewinding_operation : detail::declared_operation<Op> {
  Rewind rewind;
};

/// Adds to an operation a function that resets it: `rewind()` seeks a body to its start, or clears a buffer. It is
/// called once before each retry, after the decision and before the sleep. If it returns false, the call ends with the
/// last failure and `stop_reason::not_replayable`; a `rewind` that returns void always succeeds. An exception of
/// `rewind` ends the call, as an exception of a classifier does.
template <class Op, class Rewind>
[[nodiscard]] constexpr auto rewinding(Op&& operation, Rewind&& rewind)
    -> rewinding_operation<std::decay_t<Op>, std::decay_t<Rewind>> {
  return {{std::forward<Op>(operation)}, std::forward<Rewind>(rewind)};
}

/// An operation whose result never means a failure. See `throws_only()`.
template <class Op>
struct throws_only_operation : detail::declared_operation<Op> {};

/// Declares that an operation fails by exceptions alone: every result is a success, including `false`, `-1`, an
/// enumeration, a null pointer and a callable.
/// `anew::retry(strategy, anew::throws_only([&] { return connection.count(); }))`.
///
/// Requires: a classifier that reads exceptions; a result that is not pending, because a future throws later.
/// Cost: none. Choose it for a result that looks like an error, but never is one. Not where a value does mean an error:
/// compose a classifier that reads it, `retry_if<Predicate>`. For a type that is never an error, in any operation:
/// `result_traits<R>`.
template <class Op>
[[nodiscard]] constexpr auto throws_only(Op&& operation) -> throws_only_operation<std::decay_t<Op>> {
  return {{std::forward<Op>(operation)}};
}

/// An operation whose address is used only while it is being called. See `kept_by_copy()`.
template <class Op>
struct kept_by_copy_operation : detail::declared_operation<Op> {};

/// Declares that an asynchronous operation uses neither its own address nor that of its `attempt&` after its initiating
/// function has returned, so that `async_retry()` can keep it in the completion handler, which moves. A first attempt
/// that succeeds then takes no memory for its call:
///
///     anew::async_retry(strategy, anew::kept_by_copy([&socket, buffer](auto token) {
///       return socket.async_read_some(buffer, std::move(token));
///     }), token);
///
/// Requires: an operation that can be copied and be called as const. A copy is called for the first attempt, and what the
/// operation captured by value ends with that call: capture what the I/O uses (a buffer, a socket) by reference.
/// Cost: two copies of the operation, for one block of memory less. Other drivers call the operation where it is.
/// Choose it for captures of references and small values. Not for an operation that owns its buffer, hands `this` to a
/// callback, or asks its `attempt&` later whether a stop was requested.
template <class Op>
[[nodiscard]] constexpr auto kept_by_copy(Op&& operation) -> kept_by_copy_operation<std::decay_t<Op>> {
  static_assert(
      detail::operation_can_be_copied<std::decay_t<Op>>,
      "anew::kept_by_copy(operation) requires an operation that can be copied, because a copy makes the first "
      "attempt; this operation cannot be copied. Capture what it owns by reference, or omit kept_by_copy()");
  return {{std::forward<Op>(operation)}};
}

/// An operation with a name for observers. See `named()`.
template <class Op>
struct named_operation : detail::declared_operation<Op> {
  char const* operation_name;
};

/// The name of an operation: a string literal, or another constant that lives as long as the program.
struct operation_name {
  char const* text;
  consteval operation_name(char const* constant) : text{constant} {}  // NOLINT(*-explicit-*)
};

/// Gives an operation a name, which an observer that follows calls finds in `call_event::operation`:
/// `anew::retry(strategy, anew::named(anew::idempotent(fetch), "get_user"))`.
///
/// Requires: a name that is a constant expression, such as a literal: nothing is copied, and it cannot dangle.
/// Cost: a pointer; without an observer that follows calls none. Choose it where one strategy serves several operations.
/// Where each has its own strategy: the label of its observer. Names are few: they become the labels of metrics.
/// Source: Polly `ResilienceContext.OperationKey`
template <class Op>
[[nodiscard]] constexpr auto named(Op&& operation, operation_name name) -> named_operation<std::decay_t<Op>> {
  return {{std::forward<Op>(operation)}, name.text};
}

namespace detail {

template <class Op>
inline constexpr bool is_idempotent = is_declared<idempotent_operation, std::remove_const_t<Op>>;

template <class Op>
inline constexpr bool is_one_shot = is_declared<one_shot_operation, std::remove_const_t<Op>>;

/// An operation's declarations that decisions depend on, in few types, so that operations share the code of a decision.
template <class Op>
inline constexpr declared declaration_of = is_one_shot<Op>     ? declared::one_shot
                                           : is_idempotent<Op> ? declared::idempotent
                                                               : declared::nothing;

/// True for an operation that `rewinding()` made, also inside another declaration.
template <class Op>
inline constexpr bool is_rewound = false;
template <class Op>
  requires requires { typename Op::declared; }
inline constexpr bool is_rewound<Op> = requires(Op& op) { op.rewind(); } || is_rewound<typename Op::declared>;
template <class Op>
concept IsRewound = is_rewound<std::remove_const_t<Op>>;

/// Resets an operation by its `rewind()`; returns false when that fails.
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

/// A concept, so that it can constrain operations of every kind.
template <class Op>
concept ThrowsOnly = is_declared<throws_only_operation, std::remove_const_t<Op>>;

template <class Op>
inline constexpr bool is_declared_kept_by_copy = is_declared<kept_by_copy_operation, std::remove_const_t<Op>>;

/// Returns the outermost name of an operation, or nullptr if it has no name.
template <class Op>
constexpr char const* operation_name_of([[maybe_unused]] Op const& operation) noexcept {
  if constexpr (requires { typename Op::declared; }) {
    if constexpr (requires { operation.operation_name; }) return operation.operation_name;
    if constexpr (requires { operation.operation; }) return detail::operation_name_of(operation.operation);
  }
  return nullptr;
}

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
