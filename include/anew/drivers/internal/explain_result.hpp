// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_EXPLAIN_RESULT_HPP
#define ANEW_DRIVERS_INTERNAL_EXPLAIN_RESULT_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/internal/failure_members.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/operation.hpp"

/// Decides for every driver how a classifier reads a result. Keep the table of docs/concepts.md in step with this header.
namespace anew::inline ANEW_ABI::detail {

/// The operation's return type, without reference and const.
template <class Op>
using plain_result_of = std::remove_cvref_t<result_of<Op>>;
/// The same, but `void` for a result that never means a failure, since no classifier has to read it.
template <class Op>
using read_result_of =
    std::conditional_t<ThrowsOnly<Op> || std::is_void_v<plain_result_of<Op>>, void_result, plain_result_of<Op>>;

/// A result that may mean a failure needs a classifier that reads it, and decides on each value of it.
template <class C, class R>
inline constexpr bool leaves_unread = may_be_a_failure<C, R> && (!ReadsResult<C, R> || LeavesUndecided<C, R>);

/// A result that fails by its value needs a classifier that reads the value; any other result needs a classifier that
/// reads exceptions, or plain values.
template <class C, class R>
inline constexpr bool classifier_reads_the_errors_of = [] {
  if constexpr (ReadsWhole<C, R>) return true;
  if constexpr (carries_error<R>) return ClassifierOf<C, error_type<R>>;
  if constexpr (std::same_as<R, void_result>) return bool{ANEW_EXCEPTIONS} && ReadsExceptions<C>;
  return !leaves_unread<C, R> && (ReadsResult<C, R> || (bool{ANEW_EXCEPTIONS} && ReadsExceptions<C>));
}();

// With the error instead of the result, because compilers print the template arguments, and the error is the type to
// act on.
template <class E>
inline constexpr bool error_says_whether_to_retry = SaysWhetherToRetry<E>;
template <class C, class E>
inline constexpr bool classifier_reads_error = ClassifierOf<C, E>;

/// A result that must not be awaited, asked for or called first. `Read` is `void` where the callable is the result.
template <class Result, class Read = Result>
inline constexpr bool result_is_finished = shape_of<Result>() != shape::pending && shape_of<Read>() != shape::callable;

/// An expected carries its error; declared to fail by exceptions alone, it would succeed with an error in it.
template <class Op>
inline constexpr bool result_carries_no_error = !(ThrowsOnly<Op> && ExpectedLike<plain_result_of<Op>>);

/// Compilers print the template arguments. A class, because of a variable's arguments clang prints the expressions.
template <class R, shape Shape, telling Member, class Classifier>
struct result_is_read {
  static constexpr bool value = !leaves_unread<Classifier, R>;
};

/// A specialisation of result_traits that has one of its two functions.
template <class R>
inline constexpr bool result_traits_has_both_functions =
    TraitedResult<R> || TraitedPlain<R> ||
    (!requires(R const& r) { result_traits<R>::is_success(r); } && !requires(R const& r) { result_traits<R>::error(r); });

/// A member that is declared, but not callable on a const object, or that returns a wrong type, counts as present.
template <class C, class R>
inline constexpr bool classify_result_can_be_called =
    ReadsResult<C, R> || !requires(C& c, R& r) { c.classify_result(r); };

/// A result that the driver can return.
template <class R>
inline constexpr bool result_is_movable =
    std::is_void_v<R> || std::is_lvalue_reference_v<R> || std::is_move_constructible_v<R>;
template <class R>
inline constexpr bool result_is_movable<R&&> = false;  // a referenced object need not outlive the attempt

/// False for a result that can fail, and holds no error.
template <class R>
inline constexpr bool result_carries_a_reason = shape_of<R>() != shape::boolean && shape_of<R>() != shape::optional;

}  // namespace anew::inline ANEW_ABI::detail

#endif
