// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_LOOP_BASIS_HPP
#define ANEW_DRIVERS_INTERNAL_LOOP_BASIS_HPP

#include <concepts>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/empty_operation.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/roles.hpp"
#include "anew/strategy/basic_strategy.hpp"

/// One attempt of a blocking call.
namespace anew::inline ANEW_ABI::detail {

template <class Op>
using driven_result = std::conditional_t<std::is_void_v<result_of<Op>>, void_result, std::remove_cv_t<result_of<Op>>>;

/// A result that fits into registers: a copy is cheaper than a place in memory.
template <class R>
inline constexpr bool is_cheap_to_copy =
    is_trivially_copyable<R> && is_constructible<R, R const&> && sizeof(R) <= 2 * sizeof(void*);

/// The scope around an attempt of a strategy that has a nesting policy.
struct no_scope {};
template <class S>
ANEW_INLINE auto scope_of([[maybe_unused]] S const& strategy) {
  if constexpr (HasNesting<S>) {
    return strategy.nesting().enter(strategy.quota());
  } else {
    return no_scope{};
  }
}

/// Calls the operation with its attempt, or without arguments, whichever it accepts.
template <class Op, class... Attempt>
ANEW_INLINE driven_result<Op> call_operation(Op& operation, Attempt&... self) {
  if constexpr (std::is_void_v<result_of<Op>>) {
    operation(self...);
    return void_result{};
  } else {
    return operation(self...);
  }
}

template <class S, class Op>
ANEW_INLINE driven_result<Op> invoke(S const& strategy, Op& operation, [[maybe_unused]] attempt::parts const& parts) {
  [[maybe_unused]] auto const scope = scope_of(strategy);
  if constexpr (TakesAttempt<Op>) {
    attempt self{parts};
    return detail::call_operation(operation, self);
  } else {
    return detail::call_operation(operation);
  }
}

template <class Op>
consteval bool may_throw() {
#if ANEW_EXCEPTIONS
  if constexpr (TakesAttempt<Op>) {
    return !noexcept(std::declval<Op&>()(std::declval<attempt&>()));
  } else {
    return !noexcept(std::declval<Op&>()());
  }
#else
  return false;
#endif
}

/// An operation, called again through a pointer, with what it declares: what is compiled for the way after a failure does
/// not depend on its type.
template <class R, bool MayThrow, declared Declared, bool ThrowsOnly>
struct called_again {
  void* object;
  R (*call)(void*) noexcept(!MayThrow);
  R operator()() const noexcept(!MayThrow) { return call(object); }
};
template <class R, bool MayThrow, declared Declared, bool ThrowsOnly>
inline constexpr bool is_passed_by_value<called_again<R, MayThrow, Declared, ThrowsOnly>> = true;
template <class R, bool MayThrow, declared Declared, bool ThrowsOnly>
inline constexpr declared declaration_of<called_again<R, MayThrow, Declared, ThrowsOnly>> = Declared;
template <class R, bool MayThrow, declared Declared, bool ThrowsOnly>
inline constexpr bool is_declared<throws_only_operation, called_again<R, MayThrow, Declared, ThrowsOnly>> = ThrowsOnly;

template <class Op>
inline constexpr bool is_called_again = false;
template <class R, bool MayThrow, declared Declared, bool ThrowsOnly>
inline constexpr bool is_called_again<called_again<R, MayThrow, Declared, ThrowsOnly>> = true;

/// An operation that takes its attempt keeps its type: inlined, it reads the few parts of the attempt that it needs, and
/// the others are not written.
template <class Op>
concept IsCalledThroughPointer = !std::is_function_v<Op> && !TakesAttempt<Op> && !IsRewound<Op>;

/// The operation as a loop calls it. With a token that is made before the first attempt it keeps its type too: g++ 12
/// then spends 13 instructions of a success on the address of the object.
template <class Op, bool TokenIsPure>
struct again_of : std::type_identity<Op> {
  ANEW_INLINE static Op& make(Op& operation) noexcept { return operation; }  // NOLINT(bugprone-return-*)
};
template <IsCalledThroughPointer Op>
struct again_of<Op, true>
    : std::type_identity<called_again<result_of<Op>, detail::may_throw<Op>(), declaration_of<Op>, ThrowsOnly<Op>>> {
  ANEW_INLINE static typename again_of::type make(Op& operation) noexcept {
    using R = result_of<Op>;
    return {const_cast<void*>(static_cast<void const*>(__builtin_addressof(operation))),
            [](void* object) noexcept(!detail::may_throw<Op>()) -> R {
              return static_cast<R>((*static_cast<Op*>(object))());
            }};
  }
};

// The run-time form of a strategy: the same kinds of policies, with their numbers as values. A call decides by its
// strategy's run-time form after a failure, so that the decision is compiled once for all strategies of one shape.

/// A policy opts in by `run_time_form()`, which returns a policy of the same role that decides alike and is cheap to make. A
/// policy that is nothing but its type is its own run-time form.
template <class P>
concept HasRunTimeForm = DeclaresRunTimeForm<P> || is_only_its_type<P>;

/// Roles that are not asked after a failure, or asked of the strategy itself.
template <class Role>
inline constexpr bool is_left_to_strategy =
    std::is_same_v<Role, roles::attempt_timeout> || std::is_same_v<Role, roles::history>;

/// True where the compiler computes the run-time form, so that the checks of its constructor are no part of the program.
template <class P>
concept HasConstantRunTimeForm = std::is_empty_v<P> && requires {
  typename std::bool_constant<(static_cast<void>(P{}.run_time_form()), true)>;
  requires std::copy_constructible<decltype(P{}.run_time_form())>;
};

template <class P>
ANEW_INLINE constexpr auto run_time_form_of([[maybe_unused]] P const& policy) {
  using role = typename P::role;
  if constexpr (std::is_same_v<role, roles::classifier>) {
    return retry_info_classifier{};
  } else if constexpr (is_left_to_strategy<role>) {
    return absent<role>{};
  } else if constexpr (DeclaresRunTimeForm<P>) {
    if constexpr (HasConstantRunTimeForm<P>) {
      constexpr auto made = P{}.run_time_form();
      return made;
    } else {
      return policy.run_time_form();
    }
  } else {
    return policy;
  }
}
template <class P>
inline constexpr bool may_have_run_time_form =
    std::is_same_v<typename P::role, roles::classifier> || is_left_to_strategy<typename P::role> || HasRunTimeForm<P>;

/// `type` is what decides for `S`: its run-time form, or `S` itself.
template <class S>
struct decider_of : std::type_identity<S> {};
template <class... Ps>
  requires(basic_strategy<Ps...>::initial_token_is_pure && (may_have_run_time_form<Ps> && ...))
struct decider_of<basic_strategy<Ps...>>
    : std::type_identity<basic_strategy<decltype(detail::run_time_form_of(std::declval<Ps const&>()))...>> {};
template <class S>
using decider_type_of = typename decider_of<S>::type;

template <class... Ps>
ANEW_INLINE constexpr auto make_run_time_form(basic_strategy<Ps...> const& strategy) noexcept {
  return strategy.apply([](Ps const&... policies) ANEW_INLINE_LAMBDA {
    return decider_type_of<basic_strategy<Ps...>>{detail::run_time_form_of(policies)...};
  });
}

/// The part of a strategy that a loop needs: its run-time form `D`, which decides, and the policies that read outcomes and limit
/// attempts. A loop over it is compiled once for all strategies of one shape.
template <class D, class C, class T>
struct loop_basis {
  using token_type = typename D::token_type;
  static constexpr bool initial_token_is_pure = true;
  static constexpr bool has_deadline = HasDeadline<D>;
  static constexpr bool has_nesting = HasNesting<D>;
  static constexpr bool has_attempt_timeout = !is_absent<T>;

  [[nodiscard]] C const& classifier() const noexcept { return classifier_; }
  [[nodiscard]] T const& attempt_timeout() const noexcept { return timeout_; }
  [[nodiscard]] decltype(auto) nesting() const noexcept { return decider.nesting(); }
  [[nodiscard]] decltype(auto) quota() const noexcept { return decider.quota(); }

  D decider;
  ANEW_NO_UNIQUE_ADDRESS by_value_if_empty<C const> classifier_;
  ANEW_NO_UNIQUE_ADDRESS by_value_if_empty<T const> timeout_;
};

/// A classifier that is nothing but its type, called through a pointer to read errors of type `E`.
template <class E>
struct error_reader {
  directive (*read)(E const&);
  [[nodiscard]] directive classify(E const& error) const { return read(error); }
};
template <class E>
inline constexpr bool is_passed_by_value<error_reader<E> const> = true;
template <class C, class R>
concept ReadsErrorAlone = is_passed_by_value<C> && is_constructible<C> && !ReadsExceptions<C> &&
                          !is_classified_by_value<C, R> && carries_error<R> && ClassifierOf<C, error_type<R>>;

/// The classifier in a loop that knows its operation by a pointer, or `C` itself. With a result that is not cheap to copy
/// the pointer costs a success two instructions with clang: the loop then names no type of the unit, and clang does not
/// see what it throws.
template <class C, class Op, class R>
struct shared_reader_of : std::type_identity<C> {
  ANEW_INLINE static C const& make(C const& classifier) noexcept { return classifier; }  // NOLINT(bugprone-return-*)
};
template <class C, class Op, class R>
  requires(is_called_again<Op> && is_cheap_to_copy<R> && ReadsErrorAlone<C, R>)
struct shared_reader_of<C, Op, R> : std::type_identity<error_reader<error_type<R>>> {
  ANEW_INLINE static error_reader<error_type<R>> make(C const& /*classifier*/) noexcept {
    return {[](error_type<R> const& error) -> directive { return C{}.classify(error); }};
  }
};

template <class S>
concept IsDecidedInRunTimeForm = !std::same_as<decider_type_of<S>, S>;

/// The type that decides in a loop over a strategy, or over a basis.
template <class S>
struct decides_in : std::type_identity<S> {};
template <class D, class C, class T>
struct decides_in<loop_basis<D, C, T>> : std::type_identity<D> {};
template <class S>
using decider_of_loop = typename decides_in<S>::type;

template <class S>
[[nodiscard]] ANEW_INLINE constexpr auto const& decider_in(S const& strategy) noexcept {
  if constexpr (std::same_as<decider_of_loop<S>, S>) {
    return strategy;
  } else {
    return strategy.decider;
  }
}

/// The object from which a loop makes the token of the call.
template <class S>
struct initial_of : std::type_identity<initial_token<S>> {};
template <PureInitialToken S>
struct initial_of<S> : std::type_identity<call_start<HasDeadline<S>>> {};

}  // namespace anew::inline ANEW_ABI::detail

#endif
