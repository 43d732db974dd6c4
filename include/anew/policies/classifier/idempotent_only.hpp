// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_IDEMPOTENT_ONLY_HPP
#define ANEW_POLICIES_CLASSIFIER_IDEMPOTENT_ONLY_HPP

#include <concepts>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/internal/combination.hpp"
#include "anew/policies/classifier/internal/combine.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// True for an error that says that the request was never sent: by `was_sent()`, or by its code where
/// error_code_classifier knows that nothing was executed. An error that says nothing may have been sent; for a type that you
/// cannot edit, write a predicate of your own.
struct never_sent {
  template <class E>
  [[nodiscard]] constexpr bool operator()(E const& error) const {
    if constexpr (requires {
                    { error.was_sent() } -> std::convertible_to<bool>;
                  }) {
      return !static_cast<bool>(error.was_sent());
    } else if constexpr (detail::CarriesErrorCode<E>) {
      auto const known = detail::known_failure(detail::code_of(error));
      return known && known->safety == retry_safety::yes;
    } else if constexpr (detail::ForeignCode<E>) {
      return (*this)(static_cast<std::error_code>(error));
    } else {
      return false;
    }
  }
};

namespace detail {

template <class Predicate, class E>
concept AnswersWhenConst = requires(Predicate const& predicate, E const& error) {
  { predicate(error) } -> std::convertible_to<bool>;
};
/// A predicate that would never be called, because it is not const.
template <class Predicate, class E>
concept AnswersUnlessConst = !AnswersWhenConst<Predicate, E> && requires(Predicate& predicate, E const& error) {
  { predicate(error) } -> std::convertible_to<bool>;
};

}  // namespace detail

/// Treats every retry of a classifier as a repetition of an operation that may have taken effect, so that only an
/// operation declared `idempotent` is retried. If `NotSent` says that the request was never sent, any operation may run
/// again.
///
/// `idempotent_only<retry_all>`, `idempotent_only<retry_on<std::system_error>, never_sent>`;
/// `idempotent_only{retry_if{lambda}, predicate}` takes both with state. `NotSent` is asked about the errors and values
/// that it takes, when const. Of the classifier's own verdict on the safety only a refusal counts.
///
/// Models: Classifier (empty if both are)
/// Formula: none
/// Requires: a classifier
/// Cost: that of the classifier and of the predicate
/// Choose it for requests that change something, with a classifier that knows only which errors are transient. Not
/// where the errors say themselves whether a retry is safe: retry_info_classifier, error_code_classifier,
/// http_status_classifier.
/// Source: RFC 9110 9.2.2; gRPC's transparent retries of requests that never left the client
template <class C, class NotSent>
class idempotent_only : public combining::around<C> {
 public:
  using role = roles::classifier;
  using catches = typename detail::catches_of<C>::type;

  constexpr idempotent_only()
    requires(std::default_initializable<C> && std::is_class_v<NotSent> && std::default_initializable<NotSent>)
  = default;
  constexpr explicit idempotent_only(C classifier)
    requires(std::is_class_v<NotSent> && std::default_initializable<NotSent>)
      : combining::around<C>{std::move(classifier)} {}
  constexpr idempotent_only(C classifier, NotSent not_sent)
      : combining::around<C>{std::move(classifier)}, not_sent_{std::move(not_sent)} {}

  template <class E>
    requires ClassifierOf<C, E> && (!detail::AnswersUnlessConst<NotSent, E>)
  [[nodiscard]] constexpr directive classify(E const& error) const {
    return with_care(this->classifier_.get().classify(error), error);
  }

  template <class R>
    requires detail::ReadsResult<C, R> && (!detail::AnswersUnlessConst<NotSent, R>)
  [[nodiscard]] constexpr directive classify_result(R const& value) const {
    return with_care(this->classifier_.get().classify_result(value), value);
  }

  [[nodiscard]] std::string describe() const { return this->describe_as("idempotent_only"); }

 private:
  template <class E>
  [[nodiscard]] constexpr directive with_care(directive const& verdict, [[maybe_unused]] E const& error) const {
    if (!verdict.is_retry() || verdict.what().safety == retry_safety::no) return verdict;
    auto what = verdict.what();
    what.safety = retry_safety::maybe;
    if constexpr (detail::AnswersWhenConst<NotSent, E>) {
      if (static_cast<bool>(not_sent_.get()(error))) what.safety = retry_safety::yes;
    } else if constexpr (detail::ForeignCode<E> && detail::AnswersWhenConst<NotSent, std::error_code>) {
      if (static_cast<bool>(not_sent_.get()(static_cast<std::error_code>(error)))) what.safety = retry_safety::yes;
    }
    return directive::retry(what);
  }

  ANEW_NO_UNIQUE_ADDRESS detail::inner<NotSent, idempotent_only, 1> not_sent_;
};

template <class C>
idempotent_only(C) -> idempotent_only<C>;
template <class C, class NotSent>
idempotent_only(C, NotSent) -> idempotent_only<C, NotSent>;

}  // namespace anew::inline ANEW_ABI

#endif
