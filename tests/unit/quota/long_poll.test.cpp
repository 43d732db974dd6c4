// SPDX-License-Identifier: BSL-1.0
// What a call makes of a quota that waits before a refusal is told in the stories "the last wait".
#include <chrono>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/quota/long_poll.hpp"
#include "anew/sharing/shared.hpp"

namespace quota_long_poll_test {
namespace {

using namespace std::chrono_literals;
using anew::long_poll;
using anew::token_bucket;

static_assert(anew::Quota<long_poll<>> && sizeof(long_poll<token_bucket<500>>) == sizeof(token_bucket<500>));
static_assert(anew::detail::WaitsBeforeRefusal<anew::shared<long_poll<>>>);
static_assert(!anew::detail::WaitsBeforeRefusal<anew::shared<token_bucket<500>>>);

template <class Quota>
auto polling(Quota quota) {
  return anew::compose(anew::exponential_backoff<50ms, 20s>{}, anew::no_jitter{}, anew::retry_all{}, std::move(quota));
}

TEST(LongPoll, ALoopOfOnesOwnIsToldHowLong) {
  auto const s = polling(long_poll<token_bucket<0>>{});
  auto const answer = s.refresh_retry_token(s.acquire_initial_token(), anew::failure{});
  EXPECT_EQ(answer.reason(), anew::stop_reason::quota);
  EXPECT_EQ(answer.wait_before_end(), 50ms);
  auto const plain = polling(token_bucket<0>{});
  EXPECT_EQ(plain.refresh_retry_token(plain.acquire_initial_token(), anew::failure{}).wait_before_end(), 0s);
}

TEST(LongPoll, SpendsAndGivesBackAsTheQuotaInside) {
  auto const s = polling(long_poll{token_bucket{100}});
  int calls = 0;
  EXPECT_TRUE(anew::retry(s, [&] { return ++calls == 2; }, [](anew::duration) {}));
  EXPECT_EQ(s.quota().policy().balance(), 100U);
  EXPECT_FALSE(anew::retry(s, [] { return false; }, [](anew::duration) {}));
  EXPECT_EQ(s.quota().policy().balance(), 72U);
  EXPECT_EQ(anew::describe(s),
            "exponential(50ms,20s) no_jitter long_poll(token_bucket(100)) retry_all max_attempts(3) server_hint(stop)");
}

}  // namespace
}  // namespace quota_long_poll_test
