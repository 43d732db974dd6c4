// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_CLASSIFIER_HPP
#define ANEW_ROLES_CLASSIFIER_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// The exception types that a classifier wants to see, in the order of the catch clauses; at most eight.
template <class... Exceptions>
struct catch_list {
  static constexpr unsigned size = sizeof...(Exceptions);
};

/// Which outcomes are worth another attempt.
///
/// | expression, `c` const       | returns      | meaning                                                    | when absent |
/// |-----------------------------|--------------|------------------------------------------------------------|-------------|
/// | `typename C::role`          |              | `roles::classifier`                                        | required    |
/// | `c.classify(error)`         | `directive`  | for each type of error that it can read, by value or thrown | that error cannot be used with it |
/// | `typename C::catches`       | `catch_list` | the exception types to classify                            | none        |
/// | `typename C::reads`         | `catch_list` | types of errors and results that are read behind `virtual_strategy` too, which cannot see them | see there |
/// | `c.classify_result(value)`  | `directive`  | reads a plain value, which carries no error                | such a value is a success |
///
/// An exception that no clause names is passed to `c.classify(unknown_exception{})` if that is declared; otherwise it
/// is final and propagates. `directive::no_opinion()` leaves the answer to another member of any_of or first_of.
/// Classifiers may throw: the call ends with that exception, and the quota is as before.
template <class C>
concept Classifier = detail::PlaysRole<C, roles::classifier>;

/// A classifier that can read errors of type `E`.
template <class C, class E>
concept ClassifierOf = Classifier<C> && requires(C const& c, E const& error) {
  { c.classify(error) } -> std::same_as<directive>;
};

namespace detail {

template <class C>
struct catches_of : std::type_identity<catch_list<>> {};
template <class C>
  requires requires { typename C::catches; }
struct catches_of<C> : std::type_identity<typename C::catches> {};

/// A classifier that reads plain values of type `R`.
template <class C, class R>
concept ReadsResult = requires(C const& c, R const& result) {
  { c.classify_result(result) } -> std::same_as<directive>;
};

/// A classifier that decides about results of type `R` instead of their shape: `C::reads_whole<R>`. An optional that
/// holds an HTTP response of 503 has a value, and yet is a failure.
template <class C, class R>
concept ReadsWhole = ReadsResult<C, R> && requires { requires C::template reads_whole<R>; };

/// A classifier that explains by `C::explain_result<R>()` why it cannot be used for results of type `R`:
/// `C::accepts_result<R>` is false.
template <class C, class R>
concept RefusesResult = requires { requires !C::template accepts_result<R>; };

/// A classifier that reads results of type `R`, and says of some of them neither that they succeeded nor that they
/// failed: `C::leaves_undecided<R>`.
template <class C, class R>
concept LeavesUndecided = ReadsResult<C, R> && requires { requires C::template leaves_undecided<R>; };

/// A classifier that reads exceptions.
template <class C>
concept ReadsExceptions = (catches_of<C>::type::size > 0) || ClassifierOf<C, unknown_exception>;

template <>
struct row<roles::classifier> {
  template <class P>
  static constexpr bool models = Classifier<P>;
};

// The order of catch clauses.

template <class E, class Catches>
inline constexpr bool is_listed = false;
template <class E, class... Es>
inline constexpr bool is_listed<E, catch_list<Es...>> = (std::is_same_v<E, Es> || ...);

/// A clause for `Clause` catches an `E`: the type itself, or one that derives from it. Pointers convert for incomplete types too.
template <class E, class Clause>
inline constexpr bool is_caught_by = std::is_convertible_v<E*, Clause*>;

/// Inserts `E` into a list of clauses before the first base of it, and only once: a derived type comes before its base.
template <class E, class Earlier, class Later>
struct insert_clause;
template <class E, class... Earlier>
struct insert_clause<E, catch_list<Earlier...>, catch_list<>> : std::type_identity<catch_list<Earlier..., E>> {};
template <class E, class... Earlier, class Next, class... Later>
struct insert_clause<E, catch_list<Earlier...>, catch_list<Next, Later...>>
    : insert_clause<E, catch_list<Earlier..., Next>, catch_list<Later...>> {};
template <class E, class... Earlier, class Next, class... Later>
  requires is_caught_by<E, Next>
struct insert_clause<E, catch_list<Earlier...>, catch_list<Next, Later...>>
    : std::type_identity<std::conditional_t<std::is_same_v<E, Next>, catch_list<Earlier..., Next, Later...>,
                                            catch_list<Earlier..., E, Next, Later...>>> {};

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
