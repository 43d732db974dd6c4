// SPDX-License-Identifier: BSL-1.0
// Laws 5 and 7: the order of a decision, what a refusal leaves behind, and no sleep past the deadline.
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/manual_clock.hpp"

#include "names.hpp"
#include "recording_quota.hpp"

#if ANEW_EXCEPTIONS
#include <stdexcept>
#endif

namespace {

using lines = std::vector<std::string>;

/// Who was asked, in what order, and who is to refuse or to throw.
struct script {
  lines asked;
  std::string refuses;
  std::string throws;
  bool answer(char const* part) {
    asked.emplace_back(part);
#if ANEW_EXCEPTIONS
    if (throws == part) throw std::runtime_error{part};
#endif
    return refuses != part;
  }
};

template <class Role>
struct part {
  using role = Role;
  script* book;
};
struct limit : part<anew::roles::max_attempts> {
  [[nodiscard]] bool permits_another(std::uint32_t /*made*/) const { return book->answer("attempts"); }
};
/// A bucket with 100 tokens that notes when it is asked.
struct quota : part<anew::roles::quota> {
  using permit_type = std::uint32_t;
  std::shared_ptr<anew::token_bucket<100>> bucket = std::make_shared<anew::token_bucket<100>>();
  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& f) const {
    return book->answer("quota") ? bucket->try_acquire(f) : std::nullopt;
  }
  void on_success(permit_type held) const { bucket->on_success(held); }
  void release(permit_type held) const { bucket->release(held); }
};
struct backoff : part<anew::roles::backoff> {
  [[nodiscard]] duration delay(std::uint32_t /*retry*/) const { return book->answer("backoff"), 1s; }
};
struct jitter : part<anew::roles::jitter> {
  [[nodiscard]] duration apply(duration ceiling, auto& /*random*/) const { return book->answer("jitter"), ceiling; }
};
struct hint : part<anew::roles::hint> {
  [[nodiscard]] std::optional<anew::planned_delay> resolve(duration computed, duration /*asked*/, duration) const {
    if (!book->answer("hint")) return std::nullopt;
    return anew::planned_delay{computed, anew::delay_origin::hint};
  }
};
struct ending : part<anew::roles::deadline> {
  [[nodiscard]] static duration total() { return 1h; }
  [[nodiscard]] std::optional<duration> fit(duration delay, duration /*remaining*/) const {
    return book->answer("deadline") ? std::optional{delay} : std::nullopt;
  }
};

/// In an order that is not the order of asking.
auto scripted(script& s) {
  return anew::compose(ending{{&s}}, hint{{&s}}, jitter{{&s}}, backoff{{&s}}, quota{{&s}}, limit{{&s}});
}
constexpr failure hinted{.hint = 5ms};

TEST(Law5, TheOrderIsAttemptsQuotaBackoffJitterHintDeadline) {
  script book;
  auto s = scripted(book);
  EXPECT_TRUE(s.refresh_retry_token(s.acquire_initial_token(), hinted).has_value());
  EXPECT_EQ(book.asked, (lines{"attempts", "quota", "backoff", "jitter", "hint", "deadline"}));
}

TEST(Law5, WithoutAHintThatPartIsNotAsked) {
  script book;
  auto s = scripted(book);
  EXPECT_TRUE(s.refresh_retry_token(s.acquire_initial_token(), failure{}).has_value());
  EXPECT_EQ(book.asked, (lines{"attempts", "quota", "backoff", "jitter", "deadline"}));
}

TEST(Law5, AnUnsafeErrorAsksNobody) {
  script book;
  auto s = scripted(book);
  auto const answer = s.refresh_retry_token(s.acquire_initial_token(), failure{.safety = retry_safety::no});
  EXPECT_EQ(answer.reason(), stop_reason::not_retryable);
  EXPECT_TRUE(book.asked.empty());
}

struct refusal {
  char const* by;
  stop_reason reason;
  lines asked;
};
std::vector<refusal> refusals() {
  return {{"attempts", stop_reason::attempts, {"attempts"}},
          {"quota", stop_reason::quota, {"attempts", "quota"}},
          {"hint", stop_reason::hint_too_long, {"attempts", "quota", "backoff", "jitter", "hint"}},
          {"deadline", stop_reason::deadline, {"attempts", "quota", "backoff", "jitter", "hint", "deadline"}}};
}

TEST(Law5, ARefusalEndsTheAskingAndLeavesTheBalanceAsItWas) {
  for (auto const& [by, reason, asked] : refusals()) {
    script book{.asked = {}, .refuses = by, .throws = {}};
    auto s = scripted(book);
    auto const answer = s.refresh_retry_token(s.acquire_initial_token(), hinted);
    ASSERT_FALSE(answer.has_value()) << by;
    EXPECT_EQ(answer.reason(), reason) << by;
    EXPECT_EQ(book.asked, asked);
    EXPECT_EQ(s.quota().bucket->balance(), 100U) << by;
  }
}

TEST(Law5, ARefusalAfterARetryLosesWhatThatRetryPaidAndNoMore) {
  for (auto const& [by, reason, asked] : refusals()) {
    script book;
    auto s = scripted(book);
    auto next = s.refresh_retry_token(s.acquire_initial_token(), hinted);
    EXPECT_EQ(s.quota().bucket->balance(), 86U);
    book.refuses = by;
    next = s.refresh_retry_token(*std::move(next), hinted);
    EXPECT_EQ(next.reason(), reason);
    EXPECT_EQ(s.quota().bucket->balance(), 86U) << by;
  }
}

#if ANEW_EXCEPTIONS
TEST(Law5, APartThatThrowsLeavesTheBalanceAsItWas) {
  for (char const* part : {"attempts", "quota", "backoff", "jitter", "hint", "deadline"}) {
    script book{.asked = {}, .refuses = {}, .throws = part};
    auto s = scripted(book);
    EXPECT_THROW(static_cast<void>(s.refresh_retry_token(s.acquire_initial_token(), hinted)), std::runtime_error);
    EXPECT_EQ(book.asked.back(), part);
    EXPECT_EQ(s.quota().bucket->balance(), 100U) << part;
  }
}
#endif

TEST(Law5, AQuotaIsAskedOnceAndReleasedOnceByALaterRefusal) {
  auto const s = anew::compose(support::recording_quota{}, anew::constant_backoff<1s>{}, anew::no_jitter{});
  static_cast<void>(s.refresh_retry_token(s.acquire_initial_token(), failure{.hint = 2s}));
  EXPECT_EQ(s.quota().book(), (lines{"acquire 1", "release 1"}));
}

/// When the attempts of a call begin, each of which takes `work` and fails.
void expect_attempts_at(auto const& d, duration delay, duration work, durations const& expected) {
  manual_clock const clock;
  auto const start = clock.peek();
  auto const s =
      anew::compose(d, anew::constant_backoff{delay}, anew::no_jitter{}, anew::unbounded{}, anew::retry_all{}, clock);
  durations began;
  auto const attempt = [&] {
    began.push_back(clock.peek() - start);
    return clock.advance(work), false;
  };
  EXPECT_EQ(anew::retry_outcome(s, attempt, advancing_sleeper{clock}).reason(), stop_reason::deadline);
  EXPECT_EQ(began, expected) << anew::describe(s);
}

using anew::at_deadline;
using anew::deadline;

TEST(Law7, StopEndsTheCallBeforeASleepThatWouldReachTheDeadline) {
  expect_attempts_at(deadline<10s>{}, 3s, 0s, {0s, 3s, 6s, 9s});
  expect_attempts_at(deadline<9s>{}, 3s, 0s, {0s, 3s, 6s});  // the delay is exactly what remains
  expect_attempts_at(deadline<9000000001ns>{}, 3s, 0s, {0s, 3s, 6s, 9s});
  expect_attempts_at(deadline<10s>{}, 3s, 1s, {0s, 4s, 8s});
  expect_attempts_at(deadline<10s>{}, 3s, 20s, {0s});  // the first attempt outlasts the call
  expect_attempts_at(deadline<10s, at_deadline::stop, 1s>{}, 3s, 0s, {0s, 3s, 6s});
}

TEST(Law7, ClampShortensTheSleepToLeaveTheReserve) {
  expect_attempts_at(deadline<10s, at_deadline::clamp, 2s>{}, 3s, 0s, {0s, 3s, 6s, 8s});
  expect_attempts_at(deadline<10s, at_deadline::clamp, 1s>{}, 3s, 0s, {0s, 3s, 6s, 9s});
  expect_attempts_at(deadline<10s, at_deadline::clamp, 1s>{}, 4s, 1s, {0s, 5s, 9s});
  expect_attempts_at(deadline<10s, at_deadline::clamp, 2s>{}, 30s, 0s, {0s, 8s});
}

TEST(Law7, LastTryBeginsOneMoreAttemptAtTheDeadlineItself) {
  expect_attempts_at(deadline<10s, at_deadline::last_try>{}, 3s, 0s, {0s, 3s, 6s, 9s, 10s});
  expect_attempts_at(deadline<9s, at_deadline::last_try>{}, 3s, 0s, {0s, 3s, 6s, 9s});
  expect_attempts_at(deadline<10s, at_deadline::last_try>{}, 3s, 2s, {0s, 5s, 10s});
  expect_attempts_at(deadline<10s, at_deadline::last_try>{}, 30s, 0s, {0s, 10s});
  expect_attempts_at(deadline<10s, at_deadline::last_try>{}, 3s, 10s, {0s});
}

TEST(Law7, TheRunTimeFormDoesTheSame) {
  expect_attempts_at(deadline{9s}, 3s, 0s, {0s, 3s, 6s});
  expect_attempts_at(deadline{10s, at_deadline::clamp, 2s}, 3s, 0s, {0s, 3s, 6s, 8s});
  expect_attempts_at(deadline{10s, at_deadline::last_try}, 3s, 0s, {0s, 3s, 6s, 9s, 10s});
}

// A hint does not get round the deadline, and a clock that goes back only gives more time.
TEST(Law7, AHintIsHeldToTheDeadlineToo) {
  auto const s = anew::compose(deadline<10s>{}, anew::unbounded{}, anew::exponential_backoff<1s, 60s>{},
                               anew::no_jitter{}, anew::testing::manual_clock{});
  EXPECT_TRUE(s.refresh_retry_token(s.acquire_initial_token(), failure{.hint = 9s}).has_value());
  EXPECT_EQ(s.refresh_retry_token(s.acquire_initial_token(), failure{.hint = 10s}).reason(), stop_reason::deadline);
  auto token = s.acquire_initial_token();
  s.clock().advance(-5s);
  EXPECT_EQ(s.refresh_retry_token(std::move(token), failure{.hint = 14s})->delay(), 14s);
}

}  // namespace
