// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_CAUSED_BY_HPP
#define ANEW_POLICIES_CLASSIFIER_CAUSED_BY_HPP

#include <concepts>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/internal/combination.hpp"
#include "anew/policies/classifier/internal/combine.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// `std::throw_with_nested` hides the cause in an exception of its own type: reading it takes exceptions, and a cast
/// from its other base takes RTTI.
template <class C>
#if ANEW_EXCEPTIONS && defined(__cpp_rtti)
inline constexpr bool exceptions_and_rtti_are_enabled = true;
#else
inline constexpr bool exceptions_and_rtti_are_enabled = false;
#endif

}  // namespace detail

/// Looks through exceptions that were thrown with a cause (`std::throw_with_nested`): the outermost exception that a
/// classifier would retry decides; if it would retry no exception of the chain, the thrown one decides.
///
/// `caused_by<retry_info_classifier>` retries `config_error` because of the `busy` inside it. A cause is anything that
/// can be thrown, and the classifier is asked about it as if it had been thrown by itself; a cause without a C++ type
/// ends the search, and so does the sixteenth cause. Error values are passed on as they are.
///
/// Models: Classifier (empty if the other is)
/// Formula: none
/// Requires: a classifier that catches at most seven types (`std::nested_exception` is one more); exceptions and RTTI
/// Cost: after a failure that has a cause, about a microsecond for each cause and each type that is caught
/// Choose it where layers between you and the failure wrap it. Not where the outermost exception decides.
/// Source: [except.nested]; tenacity's `retry_if_exception_cause_type`
template <class C>
class caused_by : public combining::around<C> {
  static constexpr bool looks_inside = detail::exceptions_and_rtti_are_enabled<C>;

 public:
  using role = roles::classifier;
  constexpr caused_by() = default;
  using combining::around<C>::around;
  /// True for an exception with a cause, whatever its other bases.
  using catches = typename detail::merge_catches<catch_list<>, catch_list<std::nested_exception>,
                                                 typename detail::catches_of<C>::type>::type;
  static constexpr bool has_an_opinion = false;  // it catches every nested exception, and may read none
  using reads_only = catch_list<>;               // a cause may be anything

  template <class E>
    requires(detail::is_listed<E, catches> && detail::classifies_its_clause<C, E>) || ClassifierOf<C, E>
  [[nodiscard]] constexpr directive classify(E const& error) const {
    if constexpr (looks_inside && detail::is_listed<E, catches> && std::derived_from<E, std::nested_exception>) {
      auto const outermost = by_itself(error);
      return outermost.is_retry() ? outermost : of_causes(error.nested_ptr(), outermost);
    } else if constexpr (ClassifierOf<C, E>) {
      return this->classifier_.get().classify(error);
    } else {
      return directive::unclassified();
    }
  }

  template <class R>
    requires detail::ReadsResult<C, R>
  [[nodiscard]] constexpr directive classify_result(R const& value) const {
    return this->classifier_.get().classify_result(value);
  }

  [[nodiscard]] std::string describe() const { return this->describe_as("caused_by"); }

  static constexpr bool is_sound =
      looks_inside && combining::around<C>::is_sound && detail::catch_at_most_eight_types<catches>;
  static consteval void explain() {
    if constexpr (!looks_inside) {
      static_assert(
          detail::exceptions_and_rtti_are_enabled<C>,
          "anew::caused_by<C> requires exceptions and RTTI; at least one of them is disabled. Compose C alone");
    } else if constexpr (detail::catch_at_most_eight_types<catches>) {
      combining::around<C>::explain();
    } else {
      static_assert(detail::catch_at_most_eight_types<catches>,
                    "anew::caused_by<C> requires a classifier that catches at most seven types of exception; "
                    "std::nested_exception is the eighth. Name a common base instead");
    }
  }

 private:
  /// The classifier's verdict on one exception, whether it has a cause or not.
  [[nodiscard]] directive by_itself(auto const& error) const {
    if (auto const verdict =
            detail::consult_by_clause(this->classifier_.get(), error, typename detail::catches_of<C>::type{})) {
      return *verdict;
    }
    if constexpr (ClassifierOf<C, unknown_exception>) return this->classifier_.get().classify(unknown_exception{});
    return directive::unclassified();
  }

#if ANEW_EXCEPTIONS && defined(__cpp_rtti)
  /// One exception of a chain: the verdict on it, and its cause.
  struct link {
    directive verdict = directive::fail();
    std::exception_ptr cause{};
  };

  /// A refusal of a cause is more specific than an unread exception around it.
  [[nodiscard]] ANEW_COLD directive of_causes(std::exception_ptr cause, directive otherwise) const {
    constexpr int most = 16;  // more than real programs nest, and a chain may be circular
    for (int depth = 0; cause != nullptr && depth < most; ++depth) {
      auto one = look_at(cause, catches{});
      if (one.verdict.is_retry()) return one.verdict;
      if (otherwise.is_unclassified() && one.verdict.is_failure()) otherwise = one.verdict;
      cause = std::move(one.cause);
    }
    return otherwise;
  }

  template <class Clause, class... Clauses>
  [[nodiscard]] link look_at(std::exception_ptr const& cause, catch_list<Clause, Clauses...> /*clauses*/) const {
    try {
      std::rethrow_exception(cause);
    } catch (Clause const& error) {
      link found{by_itself(error)};
      if constexpr (std::derived_from<Clause, std::nested_exception>) found.cause = error.nested_ptr();
      return found;
    } catch (...) {  // NOLINT(bugprone-empty-catch): the next clause reads it; a foreign exception has no exception_ptr
    }
    return look_at(cause, catch_list<Clauses...>{});
  }
  [[nodiscard]] link look_at(std::exception_ptr const& /*cause*/, catch_list<> /*clauses*/) const {
    return {by_itself(unknown_exception{})};
  }
#endif
};

template <class C>
caused_by(C) -> caused_by<C>;

}  // namespace anew::inline ANEW_ABI

#endif
