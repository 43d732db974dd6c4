// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/classifier/first_of.hpp"
#include "anew/classifier/retry_while.hpp"

namespace classifier_retry_while_test {
namespace {

using anew::directive;
using anew::retry_while;
using anew::stop_reason;

enum class state : std::uint8_t { pending, ready, broken };
struct is_pending {
  bool operator()(state s) const { return s == state::pending; }
};

TEST(RetryWhile, EveryValueThatIsNotRetriedIsASuccess) {
  retry_while<is_pending> const c;
  EXPECT_EQ(c.classify_result(state::pending), directive::retry());
  EXPECT_EQ(c.classify_result(state::ready), directive::succeed());
  EXPECT_EQ(c.classify_result(state::broken), directive::succeed());
}

TEST(RetryWhile, ReadsResultsAndNoErrors) {
  using c = retry_while<is_pending>;
  static_assert(anew::Classifier<c> && std::is_empty_v<c> && !anew::ClassifierOf<c, state>);
  static_assert(!anew::detail::ReadsResult<c, std::string>);
  using generic = retry_while<decltype([](auto const&) { return true; })>;
  static_assert(!anew::detail::ReadsResult<generic, state> && anew::detail::RefusesResult<generic, std::string>);
  EXPECT_EQ(c::describe(), "retry_while");
}

TEST(RetryWhile, DecidesInACall) {
  int calls = 0;
  auto const enough = [least = 3](int found) { return found < least; };
  auto const strategy = anew::compose(retry_while{enough}, anew::no_backoff{}, anew::max_attempts<5>{});
  auto const outcome = anew::retry_outcome(strategy, [&calls] { return ++calls; });
  EXPECT_EQ(outcome.result(), 3);
  EXPECT_EQ(outcome.reason(), stop_reason::succeeded);
}

// What nobody has an opinion on is a success where the shape says so, and elsewhere a failure that nobody read.
TEST(RetryWhile, AndWithoutItAPredicateMayLeaveAValueUndecided) {
  struct grades {
    directive operator()(state s) const { return s == state::ready ? directive::succeed() : directive::no_opinion(); }
    directive operator()(unsigned /*number*/) const { return directive::no_opinion(); }
  };
  anew::strategy<anew::retry_if<grades>, anew::no_backoff> const strategy;
  EXPECT_EQ(anew::retry_outcome(strategy, [] { return state::ready; }).reason(), stop_reason::succeeded);
  EXPECT_EQ(anew::retry_outcome(strategy, [] { return state::broken; }).reason(), stop_reason::unclassified);
  EXPECT_EQ(anew::retry_outcome(strategy, [] { return 7U; }).reason(), stop_reason::succeeded);
}

}  // namespace
}  // namespace classifier_retry_while_test
