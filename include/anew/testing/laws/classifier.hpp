// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_CLASSIFIER_HPP
#define ANEW_TESTING_LAWS_CLASSIFIER_HPP

#include <optional>
#include <system_error>
#include <tuple>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/testing/laws/subject.hpp"

namespace anew::inline ANEW_ABI::testing {

namespace laws {

/// An error with every function that an error may have.
struct talkative_error {
  retry_safety safety;
  bool throttle;
  std::optional<duration> hint;
  [[nodiscard]] retry_safety is_retry_safe() const { return safety; }
  [[nodiscard]] bool is_throttle() const { return throttle; }
  [[nodiscard]] std::optional<duration> retry_after() const { return hint; }
};

/// Calls `look(error)` with each error of the classifier's world that it can read: those that `T::errors()` returns as a
/// tuple, where the type in the list has it; error codes, numbers and statuses, errors that speak, unnamed exceptions.
template <class T, Classifier C, class Look>
AssertionResult for_every_error(C const& /*classifier*/, Look const& look) {
  auto result = AssertionSuccess();
  auto const see = [&]<class E>(E const& error) {
    if constexpr (ClassifierOf<C, E>) {
      if (result) result = look(error);
    }
  };
  if constexpr (requires { T::errors(); }) {
    std::apply([&](auto const&... error) { (see(error), ...); }, T::errors());
  }
  for (int number = -1; number <= 600; ++number) see(number);
  for (auto const code :
       {std::errc{}, std::errc::timed_out, std::errc::connection_reset, std::errc::no_such_file_or_directory}) {
    see(code);
    see(std::make_error_code(code));
  }
  for (auto const safety : {retry_safety::yes, retry_safety::maybe, retry_safety::no}) {
    for (auto const hint :
         {std::optional<duration>{}, {duration{0}}, {duration{-1}}, {duration::min()}, {duration::max()}}) {
      for (bool const throttle : {false, true}) see(talkative_error{safety, throttle, hint});
    }
  }
  see(std::nullopt);
  see(std::false_type{});
  see(unknown_exception{});
  return result;
}

/// The answer depends on the error alone.
template <class T, Classifier C>
AssertionResult verdicts_are_pure(C const& classifier) {
  return for_every_error<T>(classifier, [&](auto const& error) {
    directive const verdict = classifier.classify(error);
    if (classifier.classify(error) == verdict) return AssertionSuccess();
    return AssertionFailure() << "the same error has another verdict when it is seen again";
  });
}

/// Every exception type of `C::catches` can be classified.
template <Classifier C>
AssertionResult what_is_caught_is_classified() {
  return []<class... Es>(catch_list<Es...>) {
    if ((ClassifierOf<C, Es> && ...) && sizeof...(Es) <= 8) return AssertionSuccess();
    return AssertionFailure() << "catches names more than eight exception types, or one that classify() cannot read";
  }(typename detail::catches_of<C>::type{});
}

/// No exception counts as a success, because it leaves no value.
template <class T, Classifier C>
AssertionResult no_exception_is_a_success([[maybe_unused]] C const& classifier) {
  if constexpr (ClassifierOf<C, unknown_exception>) {
    if (classifier.classify(unknown_exception{}).is_success()) {
      return AssertionFailure() << "an exception of a type that it does not know is a success";
    }
  }
  return AssertionSuccess();
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every classifier. For your own error types: `static auto errors() { return std::tuple{my_error{}, …}; }` in the
/// type in the list.
template <class T>
class ClassifierLaws : public laws::suite_of<T> {
  static_assert(Classifier<subject_type<T>>);
};
TYPED_TEST_SUITE_P(ClassifierLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ClassifierLaws);

TYPED_TEST_P(ClassifierLaws, VerdictsArePure) { EXPECT_TRUE(laws::verdicts_are_pure<TypeParam>(this->subject())); }
TYPED_TEST_P(ClassifierLaws, WhatIsCaughtIsClassified) {
  EXPECT_TRUE(laws::what_is_caught_is_classified<subject_type<TypeParam>>());
}
TYPED_TEST_P(ClassifierLaws, NoExceptionIsASuccess) {
  EXPECT_TRUE(laws::no_exception_is_a_success<TypeParam>(this->subject()));
}
REGISTER_TYPED_TEST_SUITE_P(ClassifierLaws, VerdictsArePure, WhatIsCaughtIsClassified, NoExceptionIsASuccess);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
