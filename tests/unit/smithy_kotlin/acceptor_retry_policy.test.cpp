// SPDX-License-Identifier: BSL-1.0
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "anew/smithy_kotlin/acceptor_retry_policy.hpp"

namespace smithy_kotlin_acceptor_retry_policy_test {
namespace {

using namespace anew::smithy_kotlin;

constexpr auto succeed = retry_directive::terminate_and_succeed;
constexpr auto fail = retry_directive::terminate_and_fail;
constexpr auto not_yet = retry_directive::retry_error(retry_error_type::server_side);
constexpr auto slower = retry_directive::retry_error(retry_error_type::throttling);

struct not_found : std::runtime_error {
  not_found() : std::runtime_error{"not found"} {}
};
struct coded : std::runtime_error {
  explicit coded(int c) : std::runtime_error{"coded"}, code{c} {}
  int code;
};

template <class R>
attempt_result<R> value(R r) {
  return attempt_result<R>::success(std::move(r));
}
template <class R, class E>
attempt_result<R> thrown(E e) {
  return attempt_result<R>::failure(std::make_exception_ptr(std::move(e)));
}

TEST(AcceptorRetryPolicy, WithoutAnOpinionAValueIsNotYetAndAnExceptionIsFinal) {
  acceptor_retry_policy<std::string> const policy{
      output_acceptor<std::string>{succeed, [](auto const& s) { return s == "done"; }}};
  EXPECT_EQ(policy.evaluate(value<std::string>("done")), succeed);
  EXPECT_EQ(policy.evaluate(value<std::string>("pending")), not_yet);
  EXPECT_EQ(policy.evaluate(thrown<std::string>(not_found{})), fail);
}

TEST(AcceptorRetryPolicy, TheFirstWithAnOpinionDecides) {
  acceptor_retry_policy<int> const policy{output_acceptor<int>{fail, [](int n) { return n < 0; }},
                                          output_acceptor<int>{slower, [](int n) { return n < 10; }},
                                          success_acceptor<int>{succeed, true}};
  EXPECT_EQ(policy.evaluate(value(-1)), fail);
  EXPECT_EQ(policy.evaluate(value(5)), slower);
  EXPECT_EQ(policy.evaluate(value(50)), succeed);
}

TEST(AcceptorRetryPolicy, SuccessAcceptorsFitValuesOrExceptions) {
  acceptor_retry_policy<void> const values{success_acceptor<void>{succeed, true}};
  EXPECT_EQ(values.evaluate(attempt_result<void>::success()), succeed);
  EXPECT_EQ(values.evaluate(thrown<void>(not_found{})), fail);
  acceptor_retry_policy<void> const exceptions{success_acceptor<void>{slower, false}};
  EXPECT_EQ(exceptions.evaluate(attempt_result<void>::success()), not_yet);
  EXPECT_EQ(exceptions.evaluate(thrown<void>(not_found{})), slower);
}

TEST(AcceptorRetryPolicy, ErrorTypeAcceptorsFitATypeOfException) {
  acceptor_retry_policy<int> const policy{
      error_type_acceptor<int, coded>{slower, [](coded const& e) { return e.code == 7; }},
      error_type_acceptor<int, not_found>{succeed}};
  EXPECT_EQ(policy.evaluate(thrown<int>(not_found{})), succeed);
  EXPECT_EQ(policy.evaluate(thrown<int>(coded{7})), slower);
  EXPECT_EQ(policy.evaluate(thrown<int>(coded{8})), fail);
  EXPECT_EQ(policy.evaluate(thrown<int>(1)), fail);
  EXPECT_EQ(policy.evaluate(value(1)), not_yet);
}

TEST(AcceptorRetryPolicy, WhatAPredicateThrowsPasses) {
  acceptor_retry_policy<int> const policy{
      error_type_acceptor<int, coded>{slower, [](coded const&) -> bool { throw std::logic_error{"predicate"}; }}};
  EXPECT_THROW(static_cast<void>(policy.evaluate(thrown<int>(coded{7}))), std::logic_error);
}

TEST(AcceptorRetryPolicy, InputAndOutputTogether) {
  struct input {
    int wanted;
  };
  using policy_type = acceptor_retry_policy<int, input>;
  policy_type const policy{
      input{3}, input_output_acceptor<int, input>{succeed, [](input const& i, int n) { return n >= i.wanted; }},
      error_type_acceptor<int, not_found, input>{not_yet}};
  EXPECT_EQ(policy.evaluate(value(2)), not_yet);
  EXPECT_EQ(policy.evaluate(value(3)), succeed);
  EXPECT_EQ(policy.evaluate(thrown<int>(not_found{})), not_yet);
  EXPECT_EQ(policy.evaluate(thrown<int>(coded{1})), fail);
  // The input is seen by nobody who looks at exceptions.
  policy_type const other{input{100},
                          policy_type::acceptors_type{std::make_shared<success_acceptor<int, input>>(slower, true)}};
  EXPECT_EQ(other.evaluate(value(3)), slower);
  EXPECT_EQ(other.evaluate(thrown<int>(not_found{})), fail);
}

TEST(AcceptorRetryPolicy, AnAcceptorOfOnesOwn) {
  class even final : public acceptor<int> {
   public:
    even() : acceptor<int>{succeed} {}

   private:
    [[nodiscard]] bool matches(no_input const& /*input*/, attempt_result<int> const& result) const override {
      return result && result.value() % 2 == 0;
    }
  };
  acceptor_retry_policy<int> const policy{even{}};
  retry_policy<int> const& abstract = policy;
  EXPECT_EQ(abstract.evaluate(value(4)), succeed);
  EXPECT_EQ(abstract.evaluate(value(5)), not_yet);
  EXPECT_EQ(even{}.state(), succeed);
}

}  // namespace
}  // namespace smithy_kotlin_acceptor_retry_policy_test
