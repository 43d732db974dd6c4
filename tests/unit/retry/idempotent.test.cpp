// SPDX-License-Identifier: BSL-1.0
// Errors after which the operation may have taken effect: retried for declared operations, and only for them.
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "failed_answer.hpp"
#include "for_one_call.hpp"
#include "names.hpp"

namespace retry_idempotent_test {
namespace {

using result = support::answer_of<support::fault>;

using three = anew::strategy<anew::no_backoff, anew::max_attempts<3>, anew::token_bucket<100>>;

result maybe() { return {{{retry_safety::maybe}}}; }

int calls_of_free_function = 0;
result free_function() { return ++calls_of_free_function, maybe(); }
result with_attempt(anew::attempt& a) { return a.number() == 3 ? result{} : maybe(); }

TEST(RetryIdempotent, TakesEveryKindOfOperation) {
  calls_of_free_function = 0;
  EXPECT_FALSE(anew::retry(support::for_one_call(three{}), anew::idempotent(free_function), no_sleep).has_value());
  EXPECT_FALSE(anew::retry(support::for_one_call(three{}), anew::idempotent(&free_function), no_sleep).has_value());
  EXPECT_EQ(calls_of_free_function, 6);
  EXPECT_TRUE(anew::retry(support::for_one_call(three{}), anew::idempotent(with_attempt), no_sleep).has_value());
  EXPECT_TRUE(anew::retry(support::for_one_call(three{}),
                          anew::idempotent([](anew::attempt& a) { return with_attempt(a); }), no_sleep)
                  .has_value());

  auto mutable_one = anew::idempotent([n = 0]() mutable { return ++n == 3 ? result{} : maybe(); });
  EXPECT_TRUE(anew::retry(support::for_one_call(three{}), mutable_one, no_sleep).has_value());
  EXPECT_FALSE(anew::retry(support::for_one_call(three{}), mutable_one, no_sleep).has_value())
      << "an lvalue keeps its state";

  auto move_only = anew::idempotent([p = std::make_unique<int>(0)] { return ++*p == 3 ? result{} : maybe(); });
  EXPECT_TRUE(anew::retry(support::for_one_call(three{}), std::move(move_only), no_sleep).has_value());

  std::function<result()> const erased = free_function;
  EXPECT_FALSE(anew::retry(support::for_one_call(three{}), anew::idempotent(erased), no_sleep).has_value());
}

TEST(RetryIdempotent, ConstOneIsStillDeclared) {
  int calls = 0;
  auto const operation = anew::idempotent([&] { return ++calls, maybe(); });
  EXPECT_EQ(anew::retry_outcome(support::for_one_call(three{}), operation, no_sleep).attempts(), 3U);
  auto const told = anew::idempotent([](anew::attempt& a) { return with_attempt(a); });
  EXPECT_EQ(anew::retry_outcome(support::for_one_call(three{}), told, no_sleep).attempts(), 3U);
}

TEST(RetryIdempotent, ResultIsTheOperations) {
  result object{};
  auto by_reference = anew::idempotent([&]() -> result& { return object; });
  static_assert(std::is_same_v<decltype(anew::retry(support::for_one_call(three{}), by_reference)), result&>);
  EXPECT_EQ(&anew::retry(support::for_one_call(three{}), by_reference), &object);
#if ANEW_EXCEPTIONS
  static_assert(std::is_void_v<decltype(anew::retry(support::for_one_call(three{}), anew::idempotent([] {})))>);
#endif
}

}  // namespace
}  // namespace retry_idempotent_test
