// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_INTERNAL_READ_RETURNED_HPP
#define ANEW_RUN_TIME_VIRTUAL_INTERNAL_READ_RETURNED_HPP

#include <concepts>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/internal/read_result.hpp"
#include "anew/policies/classifier/retry_all.hpp"
#include "anew/policies/classifier/retry_if.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/run_time/virtual/error_ref.hpp"

/// How a composed classifier reads an error or a result whose type is known only at run time: by a list of types, one
/// after another.
namespace anew::inline ANEW_ABI::detail {

template <class... Lists>
struct joined;
template <>
struct joined<> : std::type_identity<catch_list<>> {};
template <class... Es>
struct joined<catch_list<Es...>> : std::type_identity<catch_list<Es...>> {};
template <class... Es, class... Fs, class... Lists>
struct joined<catch_list<Es...>, catch_list<Fs...>, Lists...> : joined<catch_list<Es..., Fs...>, Lists...> {};

template <template <class...> class Combine, class... Cs>
inline constexpr bool combines_classifiers = Classifier<Combine<Cs...>> && (Classifier<Cs> || ...);

template <class T>
inline constexpr bool is_catch_list = false;
template <class... Es>
inline constexpr bool is_catch_list<catch_list<Es...>> = true;
/// Not a class that is itself called `reads`.
template <class C>
concept DeclaresReads = requires { requires is_catch_list<typename C::reads>; };

/// The types that a classifier declares to read, `using reads = catch_list<...>`, or that its predicate takes.
template <class C>
struct reads_of : std::type_identity<catch_list<>> {};
template <DeclaresReads C>
struct reads_of<C> : std::type_identity<typename C::reads> {};
template <class P, class... Es>
struct reads_of<retry_if<P, Es...>> : predicate_reads<P> {};
template <class P>
struct reads_of<retry_while<P>> : predicate_reads<P> {};
template <template <class...> class Combine, class... Cs>
  requires(combines_classifiers<Combine, Cs...> && !DeclaresReads<Combine<Cs...>>)
struct reads_of<Combine<Cs...>> : joined<typename reads_of<Cs>::type...> {};

/// Whether a classifier may be asked whether it reads an unexpected type. For some types, the body of a function
/// template that takes everything is a compile error.
struct unreadable_type {};
template <class C>
inline constexpr bool may_be_asked = !ClassifierOf<C, unreadable_type>;
template <>
inline constexpr bool may_be_asked<retry_all> = true;
template <class P, class... Es>
inline constexpr bool may_be_asked<retry_if<P, Es...>> = !std::is_class_v<P> || requires { &P::operator(); };
template <template <class...> class Combine, class... Cs>
  requires combines_classifiers<Combine, Cs...>
inline constexpr bool may_be_asked<Combine<Cs...>> = ((!Classifier<Cs> || may_be_asked<Cs>) && ...);

/// The error types of usual results: of a bool and an optional, codes, statuses, texts.
using usual_errors = catch_list<std::false_type, std::nullopt_t, std::error_code, std::errc, int, unsigned,
                                unsigned short, long, std::string, std::string_view>;

/// Each type together with its optional, for a classifier that decides by the contained value.
template <class List>
struct and_optional;
template <class... Es>
struct and_optional<catch_list<Es...>> : std::type_identity<catch_list<Es..., std::optional<Es>...>> {};

template <class C, class... Named>
struct named_types : joined<catch_list<Named...>, typename reads_of<C>::type> {};
template <class C, class... Named>
struct types_read : joined<typename named_types<C, Named...>::type, typename catches_of<C>::type> {};
template <class C, class... Named>
  requires may_be_asked<C>
struct types_read<C, Named...> : joined<typename and_optional<typename named_types<C, Named...>::type>::type,
                                        typename catches_of<C>::type, usual_errors> {};
template <class C, class... Named>
using read_types = typename types_read<C, Named...>::type;

/// A type that is read as a result: a value without an error, or with more than its shape tells, which the classifier
/// reads.
template <class C, class R>
concept ReadsPlainResult = !std::is_abstract_v<R> && is_classified_by_value<C, R>;

template <class C, class List>
inline constexpr bool reads_results = false;
template <class C, class... Rs>
inline constexpr bool reads_results<C, catch_list<Rs...>> = (ReadsPlainResult<C, Rs> || ...);
/// The same of results that may carry an error, which most classifiers leave to their shape.
template <class C, class List>
inline constexpr bool reads_carriers = false;
template <class C, class... Rs>
inline constexpr bool reads_carriers<C, catch_list<Rs...>> = ((carries_error<Rs> && ReadsPlainResult<C, Rs>) || ...);

/// The type in which a value is classified: its own, but a number is converted if a predicate takes numbers of another
/// type. A composed call would convert it as silently.
template <class R, class List>
struct asked_as : std::type_identity<R> {};
template <class R, class N, class... Ns>
  requires(std::is_arithmetic_v<R> && !std::is_same_v<R, N> && !(std::is_same_v<R, Ns> || ...))
struct asked_as<R, catch_list<N, Ns...>>
    : std::conditional_t<std::is_arithmetic_v<N>, std::type_identity<N>, asked_as<R, catch_list<Ns...>>> {};
template <class C, class R>
decltype(auto) number_for(R const& value) {
  using as = typename asked_as<R, typename reads_of<C>::type>::type;
  if constexpr (std::is_same_v<as, R>) {
    return (value);
  } else {
    return static_cast<as>(value);
  }
}

template <class C, class E>
bool read_error_as(C const& classifier, error_ref const& error, std::optional<directive>& verdict) {
  if constexpr (ClassifierOf<C, E>) {
    if (auto const* known = error.as<E>()) verdict = classifier.classify(detail::number_for<C>(*known));
  }
  return verdict.has_value();
}
template <class C, class... Es>
std::optional<directive> read_error(C const& classifier, error_ref const& error, catch_list<Es...> /*types*/) {
  std::optional<directive> verdict;
  static_cast<void>((detail::read_error_as<C, Es>(classifier, error, verdict) || ...));
  if constexpr (std::same_as<C, retry_info_classifier>) {
    if (auto const told = error.told(); told && !verdict)
      verdict = told->safety == retry_safety::no ? directive::fail() : directive::retry(*told);
  } else if constexpr (std::same_as<C, retry_all>) {
    if (!verdict) {
      auto const told = error.told();
      verdict = error.is_logic_error() ? directive::fail()
                                       : directive::retry(error_kind::transient, told ? told->hint : asked_delay{});
    }
  }
  return verdict;
}

inline bool is_signed_number(error_ref const& result) noexcept {
  return result.as<int>() != nullptr || result.as<long>() != nullptr || result.as<long long>() != nullptr ||
         result.as<short>() != nullptr || result.as<signed char>() != nullptr;
}

template <class C, class R>
bool read_result_as(C const& classifier, error_ref const& result, std::optional<directive>& verdict) {
  if constexpr (ReadsPlainResult<C, R>) {
    if (auto const* known = result.as<R>())
      verdict = detail::classify_result(classifier, detail::number_for<C>(*known));
  }
  return verdict.has_value();
}
template <class C, class... Rs>
std::optional<directive> read_result(C const& classifier, error_ref const& result, catch_list<Rs...> /*types*/) {
  std::optional<directive> verdict;
  static_cast<void>((detail::read_result_as<C, Rs>(classifier, result, verdict) || ...));
  return verdict;
}

#if defined(__cpp_rtti)
/// How a classifier reads an exception that is not in flight: its clauses, one after another.
std::optional<directive> by_casting(auto const& /*classifier*/, std::exception const& /*error*/,
                                    catch_list<> /*clauses*/) {
  return std::nullopt;
}
template <class C, class Clause, class... Clauses>
std::optional<directive> by_casting(C const& classifier, std::exception const& error,
                                    catch_list<Clause, Clauses...> /*clauses*/) {
  if constexpr (ClassifierOf<C, Clause>) {
    if constexpr (std::derived_from<std::exception, Clause>) {
      return classifier.classify(static_cast<Clause const&>(error));
    } else if constexpr (std::is_class_v<Clause>) {
      if (auto const* found = dynamic_cast<Clause const*>(__builtin_addressof(error)))
        return classifier.classify(*found);
    }
  }
  return detail::by_casting(classifier, error, catch_list<Clauses...>{});
}
#endif

}  // namespace anew::inline ANEW_ABI::detail

#endif
