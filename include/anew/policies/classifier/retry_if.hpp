// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_RETRY_IF_HPP
#define ANEW_POLICIES_CLASSIFIER_RETRY_IF_HPP

#include <concepts>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// The return type of a predicate: a bool or a directive.
template <class Predicate, class E>
concept SaysADirective = requires(Predicate const& predicate, E const& error) {
  { predicate(error) } -> std::convertible_to<directive>;
};
template <class Predicate, class E>
concept PredicateOn = SaysADirective<Predicate, E> || requires(Predicate const& predicate, E const& error) {
  { predicate(error) } -> std::convertible_to<bool>;
};

/// The parameter type of a predicate that is not a template.
template <class Function>
struct parameter_of {};
template <class R, class A>
struct parameter_of<R (*)(A)> : std::type_identity<std::remove_cvref_t<A>> {};
template <class R, class A>
struct parameter_of<R (*)(A) noexcept> : std::type_identity<std::remove_cvref_t<A>> {};
template <class R, class C, class A>
struct parameter_of<R (C::*)(A) const> : std::type_identity<std::remove_cvref_t<A>> {};
template <class R, class C, class A>
struct parameter_of<R (C::*)(A) const noexcept> : std::type_identity<std::remove_cvref_t<A>> {};

/// A predicate whose signature names the type that it reads. A generic predicate takes everything: called with a plain
/// result it would read successes, although its author may have meant exceptions, which it never sees because the
/// classifier names none. A braced argument is not deduced, so only an overload that names the type (or is initialised
/// by it) takes `{result}`.
template <class Predicate, class R>
concept PredicateThatNames = PredicateOn<Predicate, R> && (!std::is_class_v<Predicate> || requires {
  &Predicate::operator();
} || requires(Predicate const& predicate, R const& result) { predicate({result}); });

/// False for a generic predicate over a result that is neither an error nor a success by its shape.
template <class Predicate, class R, class... Exceptions>
inline constexpr bool predicate_names_the_result =
    sizeof...(Exceptions) > 0 || std::same_as<R, void_result> || carries_error<R> || !PredicateOn<Predicate, R> ||
    PredicateThatNames<Predicate, R>;

/// The function of a predicate: a pointer to one, or the call operator of a class that has exactly one.
template <class Predicate>
struct function_of : std::type_identity<Predicate> {};
template <class Predicate>
  requires requires { &Predicate::operator(); }
struct function_of<Predicate> : std::type_identity<decltype(&Predicate::operator())> {};
template <class Predicate>
using predicate_parameter = parameter_of<typename function_of<Predicate>::type>;

template <class Predicate, class... Exceptions>
struct predicate_catches : std::type_identity<catch_list<Exceptions...>> {};
template <class Predicate>
  requires std::derived_from<typename predicate_parameter<Predicate>::type, std::exception>
struct predicate_catches<Predicate> : std::type_identity<catch_list<typename predicate_parameter<Predicate>::type>> {};

/// All that a predicate reads, if it takes one type.
template <class Predicate, class... Exceptions>
struct predicate_reads : std::type_identity<catch_list<>> {};
template <class Predicate, class... Exceptions>
  requires requires { typename predicate_parameter<Predicate>::type; }
struct predicate_reads<Predicate, Exceptions...>
    : std::type_identity<catch_list<typename predicate_parameter<Predicate>::type, Exceptions...>> {};

/// A class with a call operator, which may be generic; or a pointer to a function or a member.
template <class Predicate>
inline constexpr bool can_be_a_predicate = std::is_class_v<Predicate>;
template <class Of>
inline constexpr bool can_be_a_predicate<Of*> = std::is_function_v<Of>;
template <class Of, class Class>
inline constexpr bool can_be_a_predicate<Of Class::*> = true;

/// A predicate that says what to retry, and nothing else.
template <class Predicate, class E>
concept SaysOnlyWhatToRetry = PredicateOn<Predicate, E> && !SaysADirective<Predicate, E>;

/// A result that may hold what the predicate names: an optional, an expected, a pointer.
template <class Predicate, class R>
concept HoldsWhatIsNamed = !PredicateOn<Predicate, R> && requires(R const& result) {
  static_cast<bool>(result);
  requires PredicateThatNames<Predicate, std::remove_cvref_t<decltype(*result)>>;
};
/// The type that a predicate is asked about: the result, or what it holds.
template <class Predicate, class R>
struct named_part : std::type_identity<R> {};
template <class Predicate, class R>
  requires HoldsWhatIsNamed<Predicate, R>
struct named_part<Predicate, R> : std::remove_cvref<decltype(*std::declval<R const&>())> {};

/// The verdict of a predicate on an error or a result.
template <class Predicate, class E>
constexpr directive ask_predicate(Predicate const& predicate, E const& of, directive otherwise) {
  if constexpr (SaysOnlyWhatToRetry<Predicate, E>) {
    return predicate(of) ? detail::retry_as_transient(of) : otherwise;
  } else {
    return predicate(of);
  }
}

}  // namespace detail

/// Retries the errors for which a predicate is true; they count as transient. On any other error it has no opinion, so
/// any_of and first_of ask their other members about it; alone, it is final. A predicate that returns a `directive` says
/// kind and hint too.
///
/// It is asked about error values (or, where the result carries none, about the result), and about exceptions of the types
/// named after it, in the order of catch clauses: `retry_if<is_busy>` for an operation with error values,
/// `retry_if<is_busy, std::system_error>` for one that throws. A predicate over one type of `std::exception` need not name it.
/// A predicate whose parameter is `auto` reads no plain result: name the result's type, or the exceptions'.
///
/// Of results a predicate that returns a bool says only which are retried; of the others their shape says whether they
/// failed. Where the shape does not (signed numbers, enumerations, classes with a member such as `status`), return a
/// `directive`, combine it with a classifier that decides, or compose retry_while, for which all others are successes.
///
/// `retry_if{lambda}` takes a predicate with state. The predicate must be callable when const and safe from many threads.
///
/// Models: Classifier      Cost: the predicate
/// Formula: none
/// Requires: a predicate that takes one argument and returns a bool or a directive; at most eight types
/// Choose it for your own rule in one line. For several types of exception without a rule: retry_on. For values that are
/// not ready yet: retry_while.
/// Source: none
template <class Predicate, class... Exceptions>
class retry_if {
 public:
  using role = roles::classifier;
  using catches = typename detail::predicate_catches<Predicate, Exceptions...>::type;

  constexpr retry_if()
    requires(std::is_class_v<Predicate> && detail::is_constructible<Predicate>)
  = default;
  constexpr explicit retry_if(Predicate predicate) : predicate_{std::move(predicate)} {}

  template <class E>
    requires(!std::same_as<E, unknown_exception>) && detail::PredicateOn<Predicate, E>
  [[nodiscard]] constexpr directive classify(E const& error) const {
    return detail::ask_predicate(predicate_, error, directive::no_opinion());
  }

  /// For an operation that fails by neither error values nor exceptions.
  template <class R>
    requires(sizeof...(Exceptions) == 0) && detail::PredicateThatNames<Predicate, R>
  [[nodiscard]] constexpr directive classify_result(R const& result) const {
    return detail::ask_predicate(predicate_, result, directive::no_opinion());
  }
  /// A response within an optional is asked about as itself, where another classifier decides about the optional.
  template <class R>
    requires(sizeof...(Exceptions) == 0) && detail::HoldsWhatIsNamed<Predicate, R>
  [[nodiscard]] constexpr directive classify_result(R const& result) const {
    if (!static_cast<bool>(result)) return directive::no_opinion();
    return detail::ask_predicate(predicate_, *result, directive::no_opinion());
  }
  template <class R>
  static constexpr bool leaves_undecided =
      detail::SaysOnlyWhatToRetry<Predicate, typename detail::named_part<Predicate, R>::type>;
  using reads_only = typename detail::predicate_reads<Predicate, Exceptions...>::type;

  template <class R>
  static constexpr bool accepts_result = detail::predicate_names_the_result<Predicate, R, Exceptions...>;
  template <class R>
  static consteval void explain_result() {
    static_assert(detail::predicate_names_the_result<Predicate, R, Exceptions...>,
                  "anew::retry_if<Predicate> requires a predicate that names the type of the result; its parameter is "
                  "generic, so it would also read every success. Replace auto by the type, or name the exceptions it "
                  "reads: anew::retry_if<Predicate, E>");
  }

  static constexpr bool is_sound = detail::can_be_a_predicate<Predicate>;
  static consteval void explain() {
    static_assert(
        detail::can_be_a_predicate<Predicate>,
        "anew::retry_if<Predicate> and anew::retry_while<Predicate> require a predicate; a type that cannot be "
        "called, such as int or an error type, cannot decide. Pass a class whose operator() takes the error or the "
        "result: anew::retry_if<decltype([](int answer) { return answer < 0; })>");
  }

  [[nodiscard]] static std::string describe() { return "retry_if"; }

 protected:
  ANEW_NO_UNIQUE_ADDRESS Predicate predicate_;
};

template <class Predicate>
retry_if(Predicate) -> retry_if<Predicate>;

/// Retries while a predicate is true of the result; every other result is a success.
///
/// `retry_while<is_pending>`, `retry_while{[](int bytes) { return bytes == 0; }}`. It reads results and no errors. A
/// predicate whose parameter is `auto` reads nothing: name the result's type. It must be callable when const and safe from
/// many threads.
///
/// Models: Classifier      Cost: the predicate
/// Formula: none
/// Requires: a predicate that takes one argument and returns a bool
/// Choose it for values that are not ready yet. Not where some results are failures that another attempt cannot help:
/// retry_if with a predicate that returns a directive.
/// Source: tenacity's `retry_if_result`
template <class Predicate>
class retry_while : retry_if<Predicate> {
  using base = retry_if<Predicate>;

 public:
  using role = roles::classifier;
  using base::base;

  template <class R>
    requires detail::PredicateThatNames<Predicate, R>
  [[nodiscard]] constexpr directive classify_result(R const& result) const {
    return detail::ask_predicate(this->predicate_, result, directive::succeed());
  }
  static constexpr bool has_an_opinion = true;
  using typename base::reads_only;

  // The predicate, and the requirements of a result.
  using base::accepts_result;
  using base::explain;
  using base::explain_result;
  using base::is_sound;
  [[nodiscard]] static std::string describe() { return "retry_while"; }
};

template <class Predicate>
retry_while(Predicate) -> retry_while<Predicate>;

}  // namespace anew::inline ANEW_ABI

#endif
