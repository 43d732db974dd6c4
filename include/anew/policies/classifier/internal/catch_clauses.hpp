// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_INTERNAL_CATCH_CLAUSES_HPP
#define ANEW_POLICIES_CLASSIFIER_INTERNAL_CATCH_CLAUSES_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/roles/classifier.hpp"

/// The order of catch clauses.
namespace anew::inline ANEW_ABI::detail {

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

}  // namespace anew::inline ANEW_ABI::detail

#endif
