// SPDX-License-Identifier: BSL-1.0
// A Redis that answers wrongly, late, or with a client's secrets; and callers that come seldom.
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/bridges/redis/redis_settings.hpp"

#include "fake_redis.hpp"
#include "names.hpp"

namespace redis_redis_that_misbehaves_test {
namespace {

using anew::redis_settings, anew::when_redis_is_away;
using bucket = support::fake_bucket;
using rig = support::bucket_rig;

TEST(RedisThatMisbehaves, ASecretItRepeatsIsNotKept) {
  auto const told = [](std::string const& to_auth, std::string const& to_question) {
    rig r{{.user = "alice", .password = "secret", .first = 500}};
    r.redis.auth_error = to_auth;
    r.redis.error = to_question;
    static_cast<void>(r.call());
    return r.quota->last_error();
  };
  EXPECT_EQ(told("ERR unknown command 'AUTH', with args beginning with: 'alice' 'secret'", ""),
            "Redis refused AUTH: ERR");
  EXPECT_EQ(told("WRONGPASS invalid username-password pair or user is disabled.", ""), "Redis refused AUTH: WRONGPASS");
  EXPECT_EQ(told("NOAUTH", ""), "Redis refused AUTH: NOAUTH");
  EXPECT_EQ(told("secret alice", ""), "Redis refused AUTH: an error without a code");
  EXPECT_EQ(told("ERR 'sec", ""), "Redis refused AUTH: ERR");
  EXPECT_EQ(told("ANEWNUMBERS secret alice", ""), "Redis refused AUTH: an error without a code");
  EXPECT_EQ(told("", "ERR the key of 'alice' is locked"),
            "ERR: the text is not kept, because it holds the user or the password");
  EXPECT_EQ(told("", "secret"),
            "an error without a code: the text is not kept, because it holds the user or the password");
  EXPECT_EQ(told("", "MOVED 866 10.0.0.7:6379"), "MOVED 866 10.0.0.7:6379");
  EXPECT_EQ(told("", "ERR " + std::string(3'000, 'x')), "ERR " + std::string(252, 'x') + "...");
}

// They would be kept without a bound, and shift the answers of later questions.
TEST(RedisThatMisbehaves, AnAnswerWithASurplusReplyIsLost) {
  rig r{{.first = 500}};
  r.redis.surplus = "+OK\r\n";
  EXPECT_FALSE(r.call());
  EXPECT_EQ(r.quota->last_error(), "a reply to no question");
}

TEST(RedisThatMisbehaves, WhatItSaysIsEscaped) {
  for (auto const& [said, kept] : std::vector<std::pair<std::string, std::string>>{
           {"ERR \x1b[2J\x07 evil", "ERR \\x1b[2J\\x07 evil"},
           {std::string{"ERR a\0b", 7}, "ERR a\\x00b"},
           {"MOVED 1 \x1b[1m", "MOVED 1 \\x1b[1m"},
           {"ANEWNUMBERS \x1b]0;evil\x07",
            "the bucket has other numbers: \\x1b]0;evil\\x07 in Redis, and "
            "capacity=500,transient=14,throttling=5,timeout=14,server=14,client=14 here"},
           {"ERR Error running script: Write commands not allowed after non deterministic commands.",
            "anew requires Redis 5 or later: ERR Error running script: Write commands not allowed after non "
            "deterministic commands."}}) {
    rig r{{.first = 500}};
    r.redis.error = said;
    EXPECT_FALSE(r.call());
    EXPECT_EQ(r.quota->last_error(), kept);
    EXPECT_TRUE(r.quota->is_away());
  }
}

/// Another number of the bucket is an error in words, and changes nothing in Redis; one of a process alone is its own.
TEST(RedisThatMisbehaves, OtherNumbersThanTheFleetsAreRefused) {
  struct row {
    redis_settings by;
    std::string told;
  };
  for (auto const& [by, told] : std::vector<row>{
           {{.capacity = 100, .first = 100}, "capacity=100,transient=14,throttling=5,timeout=14,server=14,client=14"},
           {{.capacity = 900, .first = 500}, "capacity=900,transient=14,throttling=5,timeout=14,server=14,client=14"},
           {{.first = 500, .costs = {.throttling = 0}},
            "capacity=500,transient=14,throttling=0,timeout=14,server=14,client=14"},
           {{.first = 14, .lease = 14, .batch = 1, .processes = 7}, ""}}) {
    rig r{{.first = 500}};
    EXPECT_TRUE(r.call());
    auto const balance = r.redis.balance;
    auto by_other = by;
    by_other.name = "b";
    bucket other{by_other, support::fake_wire{r.redis}};
    for (int step = 0; step != 3; ++step) {
      static_cast<void>(other.try_acquire(failure{}, r.redis.now));
      r.redis.now += 5ms;
    }
    EXPECT_EQ(other.is_away(), !told.empty());
    EXPECT_EQ(r.redis.balance == balance, !told.empty()) << told;
    if (told.empty()) continue;
    EXPECT_EQ(other.last_error(),
              "the bucket has other numbers: capacity=500,transient=14,throttling=5,timeout=14,server=14,client=14 in "
              "Redis, and " +
                  told + " here");
    EXPECT_FALSE(r.quota->is_away()) << "the fleet goes on";
  }
}

TEST(RedisThatMisbehaves, AReplyOutOfBoundsEndsTheConnectionAtOnce) {
  for (std::string const bytes :
       {"*9\r\n", "*100000000\r\n", "$4097\r\n", "$400000000\r\nxxx", "*1\r\n*1\r\n", "%1\r\n"}) {
    rig r{{.first = 500}};
    r.redis.raw = bytes;
    EXPECT_FALSE(r.call());
    EXPECT_TRUE(r.quota->is_away()) << bytes;
    EXPECT_EQ(r.quota->last_error(), "no reply of Redis") << bytes;
  }
}

TEST(RedisThatMisbehaves, CallersThatComeSeldomConnectAgain) {
  for (auto const away : {when_redis_is_away::refuse, when_redis_is_away::share, when_redis_is_away::grant}) {
    for (auto const apart : {250ms, 400ms, 10'000ms}) {
      rig r{{.first = 14, .lease = 14, .away = away}};
      r.redis.handshake = r.redis.latency = 1ms;
      auto const call = [&] {
        static_cast<void>(r.call(20ms));
        r.redis.now += apart;
      };
      for (int n = 0; n < 3; ++n) call();
      EXPECT_FALSE(r.quota->is_away());
      r.redis.is_down = true;
      for (int n = 0; n < 3; ++n) call();
      EXPECT_TRUE(r.quota->is_away());
      r.redis.is_down = false;
      r.redis.now += 3s;
      int calls = 0;
      for (; calls < 10 && r.quota->is_away(); ++calls) call();
      EXPECT_FALSE(r.quota->is_away()) << apart.count();
      EXPECT_LE(calls, 4) << "to connect, to greet, to ask, to read";
      r.redis.now += 1s;
      EXPECT_EQ(r.call(20ms), r.redis.balance >= 14) << "the fleet's bucket decides again";
    }
  }
}

TEST(RedisThatMisbehaves, SuccessesAloneConnectAgain) {
  rig r{{.first = 500}};
  r.redis.handshake = r.redis.latency = 1ms;
  r.redis.is_down = true;
  EXPECT_FALSE(r.call());
  r.redis.is_down = false;
  for (int call = 0; call < 8; ++call) {
    r.redis.now += 400ms;
    if (r.quota->needs_time()) r.quota->hand_over(r.redis.now);
    r.quota->on_success({});
  }
  EXPECT_FALSE(r.quota->is_away());
  EXPECT_TRUE(r.call());
}

TEST(RedisThatMisbehaves, AnAnswerThatIsThereIsNotLate) {
  rig r{{.password = std::string(6'000, 'x'), .first = 500}};
  r.redis.handshake = r.redis.latency = 1ms;
  r.redis.most_at_a_time = 500;
  EXPECT_FALSE(r.call(0ms)) << "the patience is over before the greeting is";
  for (int call = 0; call < 200 && r.redis.questions() == 0; ++call) {
    r.redis.now += 150ms;  // the greeting takes long, and each of its writes is in time
    static_cast<void>(r.call());
  }
  EXPECT_EQ(r.redis.connections.size(), 1U);
  EXPECT_EQ(r.redis.questions(), 1U);
}

TEST(RedisThatMisbehaves, AQuestionThatFailsIsAskedLessAndLessOften) {
  for (std::string const error : {"OOM command not allowed", "READONLY", "MOVED 866 10.0.0.7:6379", "WRONGTYPE"}) {
    rig r{{.first = 500}};
    r.redis.error = error;
    EXPECT_FALSE(r.call());
    for (int call = 0; call < 4'000; ++call) {
      EXPECT_FALSE(r.call());
      EXPECT_TRUE(r.quota->is_away());
      r.redis.now += 5ms;
    }
    EXPECT_GT(r.redis.connections.size(), 10U);
    EXPECT_LT(r.redis.connections.size(), 30U) << error;
    EXPECT_EQ(r.quota->last_error(), error);
    r.redis.error.clear();
    r.redis.now += 3s;
    EXPECT_TRUE(r.call() || r.call());
    EXPECT_FALSE(r.quota->is_away());
  }
}

TEST(RedisThatMisbehaves, TheFirstQuestionAfterAFailureLosesNothing) {
  rig r{};
  r.redis.error = "OOM command not allowed";
  EXPECT_FALSE(r.call());
  for (int call = 0; call < 300; ++call) {
    r.quota->on_success({});
    if (r.quota->needs_time()) r.quota->hand_over(r.redis.now);
    r.redis.now += 20ms;
  }
  r.redis.error.clear();
  for (int call = 0; call < 5; ++call) {
    r.redis.now += 3s;
    if (r.quota->needs_time()) r.quota->hand_over(r.redis.now);
  }
  EXPECT_EQ(r.redis.earned, 300U);
}

TEST(RedisThatMisbehaves, TheNextCallReturnsALeaseThatHasEnded) {
  rig r{{.first = 500}};
  EXPECT_FALSE(r.quota->needs_time());
  EXPECT_TRUE(r.call());
  EXPECT_EQ(r.quota->leased(), 56U);
  auto const questions = r.redis.questions();
  EXPECT_TRUE(r.quota->needs_time());
  r.quota->hand_over(r.redis.now + 10ms);
  EXPECT_EQ(r.redis.questions(), questions) << "the lease has not ended";
  r.redis.now += 1001ms;
  r.quota->hand_over(r.redis.now);
  EXPECT_EQ(r.redis.returned, 56U);
  EXPECT_EQ(r.redis.balance, 500U - 14U);
  r.quota->hand_over(r.redis.now += 2ms);
  EXPECT_FALSE(r.quota->needs_time()) << "nothing is under way";
}

TEST(RedisThatMisbehaves, RetriesBeyondThePlacesAreCounted) {
  rig r{{.first = 500, .limit = 1h}};
  r.redis.is_stopped = true;
  auto const ask = [&] { return r.quota->try_acquire(failure{}, r.redis.now); };
  auto const first = ask();
  ASSERT_TRUE(first);
  for (std::uint32_t i = 1; i != anew::detail::claims::places; ++i) EXPECT_TRUE(ask());
  EXPECT_EQ(r.quota->overflows(), 0U);
  for (int i = 0; i != 3; ++i) EXPECT_FALSE(ask());
  EXPECT_EQ(r.quota->overflows(), 3U);
  r.quota->release(*first);
  EXPECT_TRUE(ask());
}

}  // namespace
}  // namespace redis_redis_that_misbehaves_test
