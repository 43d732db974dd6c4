// SPDX-License-Identifier: BSL-1.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"

#include "names.hpp"

namespace retry_rewinding_test {
namespace {

using anew::rewinding;
using story = std::vector<std::string>;

using three = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>>;

TEST(Rewinding, InnerOnesFirstAndAllOfThem) {
  story told;
  bool inner_can = true;
  auto operation = rewinding(rewinding([] { return false; }, [&] { return told.push_back("inner"), inner_can; }),
                             [&] { told.push_back("outer"); });
  auto const again = anew::retry_outcome(three{}, operation, [](anew::duration) {});
  EXPECT_EQ(again.reason(), stop_reason::attempts);
  EXPECT_EQ(told, (story{"inner", "outer", "inner", "outer"}));
  told.clear();
  inner_can = false;
  EXPECT_EQ(anew::retry_outcome(three{}, operation).reason(), stop_reason::not_replayable);
  EXPECT_EQ(told, story{"inner"});
}

struct maybe_error {
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::maybe; }
};
struct maybe_failed {
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] static maybe_error error() { return {}; }
};
TEST(Rewinding, BesideIdempotentInEitherOrder) {
  using strategy = anew::strategy<anew::no_backoff>;
  int rewinds = 0;
  auto const count = [&] { ++rewinds; };
  auto const fails = [] { return maybe_failed{}; };
  EXPECT_EQ(anew::retry_outcome(strategy{}, anew::idempotent(rewinding(fails, count))).reason(), stop_reason::attempts);
  EXPECT_EQ(rewinds, 2);
  EXPECT_EQ(anew::retry_outcome(strategy{}, rewinding(anew::idempotent(fails), count)).reason(), stop_reason::attempts);
  EXPECT_EQ(rewinds, 4);
  EXPECT_EQ(anew::retry_outcome(strategy{}, rewinding(fails, count)).reason(), stop_reason::not_idempotent);
  EXPECT_EQ(rewinds, 4);
}

TEST(Rewinding, AOneShotIsNeverRewound) {
  int rewinds = 0;
  (void)anew::retry(three{}, anew::one_shot(rewinding([] { return false; }, [&] { ++rewinds; })));
  EXPECT_EQ(rewinds, 0);
}

}  // namespace
}  // namespace retry_rewinding_test
