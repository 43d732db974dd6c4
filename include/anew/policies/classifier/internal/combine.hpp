// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_INTERNAL_COMBINE_HPP
#define ANEW_POLICIES_CLASSIFIER_INTERNAL_COMBINE_HPP

#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/roles/classifier.hpp"

/// The common part of classifiers that combine others: one list of catch clauses, and a function that asks each member
/// exactly as if it were composed alone.
namespace anew::inline ANEW_ABI::detail {

/// All types of these lists, each once, derived types before their bases.
template <class Merged, class... Lists>
struct merge_catches : std::type_identity<Merged> {};
template <class Merged, class... Lists>
struct merge_catches<Merged, catch_list<>, Lists...> : merge_catches<Merged, Lists...> {};
template <class Merged, class E, class... Es, class... Lists>
struct merge_catches<Merged, catch_list<E, Es...>, Lists...>
    : merge_catches<typename insert_clause<E, catch_list<>, Merged>::type, catch_list<Es...>, Lists...> {};

template <class... Classifiers>
using merged_catches = typename merge_catches<catch_list<>, typename catches_of<Classifiers>::type...>::type;

/// The clause by which a list catches an `E`; void when it does not.
template <class E, class Catches>
struct clause_for : std::type_identity<void> {};
template <class E, class Clause, class... Clauses>
struct clause_for<E, catch_list<Clause, Clauses...>>
    : std::conditional_t<is_caught_by<E, Clause>, std::type_identity<Clause>, clause_for<E, catch_list<Clauses...>>> {};

/// False for a classifier that catches an `E`, but does not classify it.
template <class C, class E, class Clause = typename clause_for<E, typename catches_of<C>::type>::type>
inline constexpr bool classifies_its_clause = std::is_void_v<Clause> || ClassifierOf<C, Clause>;

/// For each caught type at least one member must be able to classify it; for any other error one member is enough.
template <class E, class Catches, class... Cs>
concept ReadableByOneOf = (is_listed<E, Catches> && (classifies_its_clause<Cs, E> && ...)) ||
                          (!is_listed<E, Catches> && (ClassifierOf<Cs, E> || ...));

template <class E, class Clause>
inline constexpr bool may_derive_from_both =
    std::is_polymorphic_v<E> && !std::is_final_v<E> && std::is_class_v<Clause> && !std::is_base_of_v<E, Clause>;

constexpr std::optional<directive> consult_by_clause(auto const& /*c*/, auto const& /*error*/,
                                                     catch_list<> /*clauses*/) {
  return std::nullopt;
}
template <class C, class E, class Clause, class... Clauses>
constexpr std::optional<directive> consult_by_clause(C const& c, E const& error,
                                                     catch_list<Clause, Clauses...> /*clauses*/) {
  if constexpr (is_caught_by<E, Clause>) {
    return c.classify(static_cast<Clause const&>(error));
  } else {
#if defined(__cpp_rtti)
    // Another member's clause caught the exception, but it may derive from a type of this member too.
    if constexpr (may_derive_from_both<E, Clause>) {
      if (auto const* also = dynamic_cast<Clause const*>(__builtin_addressof(error))) return c.classify(*also);
    }
#endif
    return detail::consult_by_clause(c, error, catch_list<Clauses...>{});
  }
}

/// A code of another library, as a member reads it: in its own type, else as the standard's.
template <class C, class Code>
concept ReadsCode = ClassifierOf<C, Code> || (ForeignCode<Code> && ClassifierOf<C, std::error_code>);
template <class C, class Code>
constexpr directive classify_code(C const& c, Code const& code) {
  if constexpr (ClassifierOf<C, Code>) {
    return c.classify(code);
  } else {
    return c.classify(static_cast<std::error_code>(code));
  }
}
template <class C, class E>
concept ReadsCodeIn =
    CarriesForeignCode<E> && ReadsCode<C, std::remove_cvref_t<decltype(std::declval<E const&>().code())>>;

/// The verdict of one member on an error; nothing when it is not asked. `Catches` is the list of all members: an
/// exception that another member catches is an unknown exception to a member that neither catches nor reads it.
template <class Catches, class C, class E>
constexpr std::optional<directive> consult(C const& c, E const& error) {
  if constexpr (is_listed<E, Catches>) {
    if (auto const verdict = detail::consult_by_clause(c, error, typename catches_of<C>::type{})) return verdict;
  }
  if constexpr (std::is_void_v<typename clause_for<E, typename catches_of<C>::type>::type> || !is_listed<E, Catches>) {
    if constexpr (ReadsCode<C, E>) {
      return detail::classify_code(c, error);
    } else if constexpr (is_listed<E, Catches> && ReadsCodeIn<C, E>) {
      return detail::classify_code(c, error.code());
    } else if constexpr (is_listed<E, Catches> && ClassifierOf<C, unknown_exception>) {
      return c.classify(unknown_exception{});
    }
  }
  return std::nullopt;
}

// The requirements on the members, as named conditions, because compilers print the names.

template <class... Cs>
inline constexpr bool has_at_least_one_classifier = sizeof...(Cs) > 0;
template <class... Cs>
inline constexpr bool all_are_classifiers = (Classifier<Cs> && ...);
template <class Catches>
inline constexpr bool catch_at_most_eight_types = Catches::size <= 8;

/// True for a classifier that says of all that it reads whether to retry it: `C::has_an_opinion`.
template <class C>
inline constexpr bool always_has_an_opinion = requires { requires C::has_an_opinion; };

/// Where it is known, everything that a classifier reads: `typename C::reads_only`, exceptions and values.
template <class C>
struct reads_only_of : std::type_identity<catch_list<>> {};
template <class C>
  requires requires { typename C::reads_only; }
struct reads_only_of<C> : std::type_identity<typename C::reads_only> {};

/// `D` decides on every `T` that `C` could be asked about.
template <class D, class C, class T>
inline constexpr bool decides_before = [] {
  if constexpr (!always_has_an_opinion<D>) {
    return false;
  } else if constexpr (is_listed<T, typename catches_of<C>::type>) {
    return !std::is_void_v<typename clause_for<T, typename catches_of<D>::type>::type> ||
           ClassifierOf<D, unknown_exception>;
  } else {
    constexpr bool is_read_as_a_result = ReadsResult<C, T> && (!carries_error<T> || ReadsWhole<C, T>);
    return (!ClassifierOf<C, T> || ClassifierOf<D, T>) && (!is_read_as_a_result || ReadsResult<D, T>);
  }
}();

/// False for a member of first_of that is never asked, because the members before it decide on all that it reads.
template <class C, class Types, class... Before>
inline constexpr bool reads_more_than = true;
template <class C, class... Ts, class... Before>
  requires(sizeof...(Ts) > 0)
inline constexpr bool reads_more_than<C, catch_list<Ts...>, Before...> = [] {
  auto const is_decided = []<class T>(std::type_identity<T> /*type*/) { return (decides_before<Before, C, T> || ...); };
  return !(is_decided(std::type_identity<Ts>{}) && ...);
}();
template <class C, class... Before>
inline constexpr bool member_is_ever_asked = reads_more_than<C, typename reads_only_of<C>::type, Before...>;

template <class Before, class... Later>
inline constexpr bool all_are_asked = true;
template <class... Before, class C, class... Later>
inline constexpr bool all_are_asked<catch_list<Before...>, C, Later...> =
    member_is_ever_asked<C, Before...> && all_are_asked<catch_list<Before..., C>, Later...>;

template <class... Before, class C, class... Later>
consteval void explain_first_unasked(catch_list<Before...> /*before*/, catch_list<C, Later...> /*later*/) {
  if constexpr (member_is_ever_asked<C, Before...>) {
    detail::explain_first_unasked(catch_list<Before..., C>{}, catch_list<Later...>{});
  } else {
    static_assert(member_is_ever_asked<C, Before...>,
                  "anew::first_of<Classifiers...> requires classifiers that it can ask; earlier classifiers decide on "
                  "everything that this classifier reads. Put it before them, or compose anew::any_of<Classifiers...>");
  }
}

/// The first member that is wrong by itself.
template <class C, class... Cs>
consteval void explain_first_unsound() {
  if constexpr (IsMarkedUnsound<C>) {
    C::explain();
  } else if constexpr (sizeof...(Cs) > 0) {
    detail::explain_first_unsound<Cs...>();
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
