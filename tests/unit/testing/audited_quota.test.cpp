// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/audited_quota.hpp"

namespace testing_audited_quota_test {
namespace {

using anew::failure;
using anew::testing::audited_quota;
using book = std::vector<std::string>;

static_assert(anew::Quota<audited_quota>);

constexpr auto no_sleep = [](anew::duration /*delay*/) {};

TEST(AuditedQuota, WritesDownWhatBecomesOfEachPermit) {
  audited_quota const quota;
  auto const strategy = anew::compose(quota, anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<3>{});
  EXPECT_FALSE(anew::retry(strategy, [] { return false; }, no_sleep));
  EXPECT_TRUE(anew::retry(strategy, [] { return true; }));
  EXPECT_TRUE(anew::retry(strategy, [](anew::attempt& a) { return a.number() == 2; }, no_sleep));
  EXPECT_EQ(quota.book(),
            (book{"acquire 1", "failure 1", "acquire 2", "failure 2", "success 0", "acquire 3", "success 3"}));
  EXPECT_EQ(quota.outstanding(), 0U);
  EXPECT_EQ(quota.totals().acquired.load(), 3U);
  EXPECT_EQ(quota.totals().failed.load(), 2U);
  EXPECT_EQ(quota.totals().succeeded.load(), 1U);
  EXPECT_EQ(quota.totals().succeeded_at_once.load(), 1U);
  EXPECT_EQ(quota.totals().released.load(), 0U);
}

TEST(AuditedQuota, AFailedFirstAttemptHoldsNothing) {
  audited_quota const quota;
  quota.on_failure(0);
  EXPECT_TRUE(quota.book().empty());
  EXPECT_EQ(quota.totals().failed.load(), 0U);
}

TEST(AuditedQuota, CountsWhatIsOut) {
  audited_quota const quota;
  auto const strategy = anew::compose(quota);
  {
    auto const token = strategy.refresh_retry_token(strategy.acquire_initial_token(), failure{});
    EXPECT_EQ(quota.outstanding(), 1U);
  }
  EXPECT_EQ(quota.outstanding(), 0U);
  EXPECT_EQ(quota.totals().released.load(), 1U);
}

TEST(AuditedQuota, RefusesWhenItIsTold) {
  audited_quota const quota;
  quota.refuse();
  EXPECT_EQ(quota.try_acquire(failure{.kind = anew::error_kind::timeout}), std::nullopt);
  EXPECT_EQ(quota.asked_about().kind, anew::error_kind::timeout);
  quota.refuse(false);
  EXPECT_EQ(quota.try_acquire(failure{}), 1U);
  EXPECT_EQ(quota.book(), (book{"refuse", "acquire 1"}));
  EXPECT_EQ(quota.totals().refused.load(), 1U);
  EXPECT_EQ(quota.asked_about().kind, anew::error_kind::transient);
}

// One too many does not make up for one that is lost.
TEST(AuditedQuota, FindsAPermitThatComesBackTwice) {
  audited_quota const quota;
  static_cast<void>(quota.try_acquire(failure{}));
  static_cast<void>(quota.try_acquire(failure{}));
  quota.release(1);
  quota.on_success(1);
  EXPECT_EQ(quota.outstanding(), 2U) << "1 came twice, 2 is out";
  quota.on_failure(2);
  EXPECT_EQ(quota.outstanding(), 1U);
  EXPECT_EQ(quota.book(), (book{"acquire 1", "acquire 2", "release 1", "stray success 1", "failure 2"}));
}

TEST(AuditedQuota, FindsAPermitThatItNeverHandedOut) {
  audited_quota const quota;
  quota.release(7);
  EXPECT_EQ(quota.outstanding(), 1U);
  EXPECT_EQ(quota.book(), book{"stray release 7"});
}

TEST(AuditedQuota, CopiesShareTheBooks) {
  audited_quota const quota;
  auto copy = quota;
  EXPECT_EQ(copy.try_acquire(failure{}), 1U);
  auto const moved = std::move(copy);  // NOLINT(performance-move-const-arg)
  EXPECT_EQ(moved.try_acquire(failure{}), 2U);
  EXPECT_EQ(quota.outstanding(), 2U);
}

TEST(AuditedQuota, WritesIntoBooksOfTheTests) {
  audited_quota::books books;
  auto const strategy =
      anew::compose(audited_quota{books}, anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<2>{});
  books.refuses = true;
  EXPECT_FALSE(anew::retry(strategy, [] { return false; }, no_sleep));
  EXPECT_EQ(books.entries(), book{"refuse"});
  EXPECT_EQ(books.outstanding(), 0U);
}

TEST(AuditedQuota, IsExactAmongThreads) {
  audited_quota const quota;
  auto const strategy = anew::compose(quota, anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<3>{});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 100; ++n) (void)anew::retry(strategy, [] { return false; }, no_sleep);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(quota.outstanding(), 0U);
  EXPECT_EQ(quota.totals().acquired.load(), 800U);
  EXPECT_EQ(quota.totals().failed.load(), 800U);
}

TEST(AuditedQuota, Describes) { EXPECT_EQ(audited_quota::describe(), "audited_quota"); }

}  // namespace
}  // namespace testing_audited_quota_test
