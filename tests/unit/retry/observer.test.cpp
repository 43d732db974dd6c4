// SPDX-License-Identifier: BSL-1.0
// What an observer is told, in which order, and what it is not told.
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/recording_sleeper.hpp"

#include "driver_support.hpp"

namespace retry_observer_test {
namespace {

using anew::stop_reason;
using anew::testing::recording_sleeper;

TEST(RetryObserver, AnyOneFunctionWillDo) {
  struct end_only {
    using role = anew::roles::observer;
    std::vector<anew::end_event>* ends;
    void on_end(anew::end_event const& e) const { ends->push_back(e); }
  };
  struct retry_only {
    using role = anew::roles::observer;
    std::vector<anew::retry_event>* retries;
    void on_retry(anew::retry_event const& e) const { retries->push_back(e); }
  };
  struct attempt_only {
    using role = anew::roles::observer;
    std::vector<anew::attempt_event>* attempts;
    void on_attempt(anew::attempt_event const& e) const { attempts->push_back(e); }
  };
  auto const with = [](auto observer) {
    EXPECT_FALSE(anew::retry(anew::compose(anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<3>{}, observer),
                             [] { return false; }));
  };
  std::vector<anew::end_event> ends;
  with(end_only{&ends});
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].reason, stop_reason::attempts);
  EXPECT_EQ(ends[0].attempts, 3U);
  std::vector<anew::retry_event> retries;
  with(retry_only{&retries});
  EXPECT_EQ(retries.size(), 2U);
  std::vector<anew::attempt_event> attempts;
  with(attempt_only{&attempts});
  EXPECT_EQ(attempts.size(), 3U);
}

}  // namespace
}  // namespace retry_observer_test
