// SPDX-License-Identifier: BSL-1.0
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/smithy_kotlin/retry_token_bucket.hpp"

namespace smithy_kotlin_retry_token_bucket_test {
namespace {

using namespace anew::smithy_kotlin;

/// Writes down what happens to it; the n-th token holds n.
class diary final : public retry_token_bucket {
 public:
  std::vector<std::string> lines{};
  bool refuses = false;

 private:
  token_charge take(std::string const& what) {
    if (refuses) throw retry_capacity_exceeded{"empty"};
    ++number_;
    note(what, {number_, number_});
    return {number_, number_};
  }
  [[nodiscard]] token_charge take_for_first_try(wait_limit const&) override { return take("first"); }
  [[nodiscard]] token_charge take_for_retry(retry_error_type reason, wait_limit const&) override {
    return take(to_string(reason));
  }
  void on_success(token_charge charge) noexcept override { note("success", charge); }
  void on_failure(token_charge charge) noexcept override { note("failure", charge); }
  void on_release(token_charge charge) noexcept override { note("release", charge); }
  void note(std::string what, token_charge charge) {
    lines.push_back(what.append(" ").append(std::to_string(charge.cost)));
  }
  std::uint32_t number_ = 0;
};
using lines = std::vector<std::string>;

static_assert(!std::is_copy_constructible_v<retry_token> && std::is_nothrow_move_constructible_v<retry_token> &&
              std::is_nothrow_move_assignable_v<retry_token>);

TEST(RetryToken, ComesToItsEndOnce) {
  diary bucket;
  {
    auto token = bucket.acquire_token();
    EXPECT_FALSE(token.is_resolved());
    token.notify_success();
    EXPECT_TRUE(token.is_resolved());
  }
  bucket.acquire_token().notify_failure();
  EXPECT_EQ(bucket.lines, (lines{"first 1", "success 1", "first 2", "failure 2"}));
}

TEST(RetryToken, UnresolvedItIsReleased) {
  diary bucket;
  {
    auto const token = bucket.acquire_token();
  }
  auto token = bucket.acquire_token();
  token.close();
  EXPECT_TRUE(token.is_resolved());
  token.close();
  EXPECT_EQ(bucket.lines, (lines{"first 1", "release 1", "first 2", "release 2"}));
}

TEST(RetryToken, IsUsedOnce) {
  diary bucket;
  auto token = bucket.acquire_token();
  token.notify_success();
  EXPECT_THROW(token.notify_success(), std::invalid_argument);
  EXPECT_THROW(token.notify_failure(), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(token.schedule_retry(retry_error_type::timeout)), std::invalid_argument);
  auto failed = bucket.acquire_token();
  failed.notify_failure();
  EXPECT_THROW(failed.notify_success(), std::logic_error);
  auto closed = bucket.acquire_token();
  closed.close();
  EXPECT_THROW(closed.notify_success(), std::logic_error);
  auto moved = bucket.acquire_token();
  auto other = std::move(moved);
  EXPECT_THROW(moved.notify_success(), std::logic_error);  // NOLINT(bugprone-use-after-move)
  other.notify_success();
  EXPECT_EQ(bucket.lines.size(), 8U);  // four taken, four settled
}

TEST(RetryToken, SchedulingARetrySettlesItAndYieldsTheNext) {
  diary bucket;
  auto first = bucket.acquire_token();
  auto second = first.schedule_retry(retry_error_type::throttling);
  EXPECT_TRUE(first.is_resolved());
  EXPECT_THROW(static_cast<void>(first.schedule_retry(retry_error_type::timeout)), std::invalid_argument);
  auto third = second.schedule_retry(retry_error_type::transient);
  third.notify_success();
  EXPECT_EQ(bucket.lines, (lines{"first 1", "throttling 2", "failure 1", "transient 3", "failure 2", "success 3"}));
}

TEST(RetryToken, ARefusalLeavesItAsItWas) {
  diary bucket;
  auto token = bucket.acquire_token();
  bucket.refuses = true;
  EXPECT_THROW(static_cast<void>(token.schedule_retry(retry_error_type::timeout)), retry_capacity_exceeded);
  EXPECT_FALSE(token.is_resolved());
  token.notify_failure();
  EXPECT_THROW(static_cast<void>(bucket.acquire_token()), retry_capacity_exceeded);
  EXPECT_EQ(bucket.lines, (lines{"first 1", "failure 1"}));
}

TEST(RetryToken, AssignedOverItIsReleased) {
  diary bucket;
  auto token = bucket.acquire_token();
  auto other = bucket.acquire_token();
  token = std::move(other);
  EXPECT_EQ(bucket.lines, (lines{"first 1", "first 2", "release 1"}));
  auto& same = token;
  token = std::move(same);
  token.notify_success();
  EXPECT_EQ(bucket.lines.back(), "success 2");
}

TEST(RetryTokenBucket, AnUnchargedTokenHoldsNothing) {
  diary bucket;
  bucket.refuses = true;
  auto token = bucket.uncharged_token();
  bucket.refuses = false;
  token.schedule_retry(retry_error_type::client_side).notify_success();
  EXPECT_EQ(bucket.lines, (lines{"client_side 1", "failure 0", "success 1"}));
}

TEST(InfiniteTokenBucket, NeverRefuses) {
  infinite_token_bucket bucket;
  auto token = bucket.acquire_token();
  for (int n = 0; n < 1000; ++n) token = token.schedule_retry(retry_error_type::transient);
  token.notify_failure();
  bucket.acquire_token().notify_success();
  bucket.acquire_token().close();
}

}  // namespace
}  // namespace smithy_kotlin_retry_token_bucket_test
