// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/classifier/idempotent_only.hpp"

namespace classifier_idempotent_only_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::error_kind;
using anew::failure;
using anew::idempotent_only;
using anew::retry_all;
using anew::retry_if;
using anew::retry_on;
using anew::retry_safety;

directive retried(retry_safety safety, error_kind kind = error_kind::transient,
                  std::optional<anew::duration> hint = std::nullopt) {
  return directive::retry(failure{kind, safety, hint});
}

struct with_member {
  bool sent;
  [[nodiscard]] bool was_sent() const { return sent; }
};
struct vendor_error {
  int written;
  [[nodiscard]] static bool was_sent() { return false; }  // the traits win
};
struct is_small {
  bool operator()(int value) const { return value < 10; }
};
struct not_const {
  bool operator()(int /*value*/) { return true; }
};

/// Answers with what it is given.
struct echo {
  using role = anew::roles::classifier;
  using catches = anew::catch_list<std::logic_error>;
  static directive classify(directive const& d) { return d; }
  static directive classify(std::logic_error const& /*e*/) { return directive::fail(); }
  static directive classify_result(directive const& d) { return d; }
};

}  // namespace
}  // namespace classifier_idempotent_only_test

template <>
struct anew::sending_traits<classifier_idempotent_only_test::vendor_error> {
  static bool was_sent(classifier_idempotent_only_test::vendor_error const& e) { return e.written > 0; }
};

namespace classifier_idempotent_only_test {
namespace {

TEST(IdempotentOnly, WhatIsRetriedMayHaveBeenExecuted) {
  idempotent_only<retry_all> const c;
  EXPECT_EQ(c.classify(7), retried(retry_safety::maybe));
  EXPECT_EQ(c.classify(anew::unknown_exception{}), retried(retry_safety::maybe));
  EXPECT_EQ(c.classify(std::logic_error{"x"}), directive::fail());
}

TEST(IdempotentOnly, KindAndHintStayAsTheyAre) {
  idempotent_only<echo> const c;
  EXPECT_EQ(c.classify(retried(retry_safety::yes, error_kind::throttling, 3s)),
            retried(retry_safety::maybe, error_kind::throttling, 3s));
  EXPECT_EQ(c.classify(retried(retry_safety::maybe)), retried(retry_safety::maybe));
  EXPECT_EQ(c.classify(directive::succeed()), directive::succeed());
  EXPECT_EQ(c.classify(directive::fail()), directive::fail());
  EXPECT_EQ(c.classify_result(retried(retry_safety::yes, error_kind::server)),
            retried(retry_safety::maybe, error_kind::server));
  EXPECT_EQ(c.classify_result(directive::succeed()), directive::succeed());
}

TEST(IdempotentOnly, WhatIsForbiddenStaysForbidden) {
  auto const always = [](directive const&) { return true; };
  EXPECT_EQ(idempotent_only<echo>{}.classify(retried(retry_safety::no)), retried(retry_safety::no));
  EXPECT_EQ((idempotent_only{echo{}, always}.classify(retried(retry_safety::no))), retried(retry_safety::no));
}

TEST(IdempotentOnly, WhatWasNeverSentMayRunAgain) {
  idempotent_only<retry_all> const c;
  EXPECT_EQ(c.classify(with_member{false}), retried(retry_safety::yes));
  EXPECT_EQ(c.classify(with_member{true}), retried(retry_safety::maybe));
  EXPECT_EQ(c.classify(vendor_error{0}), retried(retry_safety::yes));
  EXPECT_EQ(c.classify(vendor_error{1}), retried(retry_safety::maybe));
}

TEST(IdempotentOnly, OfErrorCodesItIsKnown) {
  idempotent_only<retry_all> const all;
  EXPECT_EQ(all.classify(std::errc::connection_refused), retried(retry_safety::yes));
  EXPECT_EQ(all.classify(std::make_error_code(std::errc::connection_refused)), retried(retry_safety::yes));
  EXPECT_EQ(all.classify(std::make_error_condition(std::errc::connection_reset)), retried(retry_safety::maybe));
  EXPECT_EQ(all.classify(std::errc::permission_denied), retried(retry_safety::maybe));
  idempotent_only<retry_on<std::system_error>> const thrown;
  EXPECT_EQ(thrown.classify(std::system_error{std::make_error_code(std::errc::network_down)}),
            retried(retry_safety::yes));
  EXPECT_EQ(thrown.classify(std::system_error{std::make_error_code(std::errc::timed_out)}),
            retried(retry_safety::maybe));
}

TEST(IdempotentOnly, ByAPredicateOfOnesOwnWithState) {
  int sent = 3;
  idempotent_only const c{retry_all{}, [&sent](int value) { return value > sent; }};
  EXPECT_EQ(c.classify(4), retried(retry_safety::yes));
  sent = 4;
  EXPECT_EQ(c.classify(4), retried(retry_safety::maybe));
  EXPECT_EQ(c.classify(std::errc::connection_refused), retried(retry_safety::maybe));  // it does not take that
  idempotent_only const by_rule{retry_if{is_small{}}};
  static_assert(std::is_same_v<decltype(by_rule), idempotent_only<retry_if<is_small>> const>);
  EXPECT_EQ(by_rule.classify(5), retried(retry_safety::maybe));
  EXPECT_EQ(by_rule.classify(50), directive::no_opinion());
  EXPECT_EQ((idempotent_only<retry_if<is_small>, is_small>{}.classify_result(5)), retried(retry_safety::yes));
  EXPECT_EQ((idempotent_only<retry_if<is_small>, is_small>{}.classify_result(50)), directive::no_opinion());
}

TEST(IdempotentOnly, ReadsWhatTheOtherReads) {
  using c = idempotent_only<retry_on<std::runtime_error>>;
  static_assert(std::is_same_v<c::catches, anew::catch_list<std::runtime_error>>);
  static_assert(!anew::ClassifierOf<c, int> && !anew::ClassifierOf<c, anew::unknown_exception>);
  static_assert(!anew::detail::ReadsResult<c, int>);
  static_assert(std::is_empty_v<c>);
  // A predicate that would silently never be asked.
  static_assert(!anew::ClassifierOf<idempotent_only<retry_all, not_const>, int>);
  static_assert(!anew::detail::ReadsResult<idempotent_only<retry_if<is_small>, not_const>, int>);
  static_assert(!anew::Composable<idempotent_only<int>> && !anew::Composable<idempotent_only<retry_on<>>>);
  EXPECT_EQ(c{}.describe(), "idempotent_only(retry_on(1))");
}

}  // namespace
}  // namespace classifier_idempotent_only_test
