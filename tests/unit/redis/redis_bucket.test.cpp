// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/redis.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/testing/manual_clock.hpp"

#include "names.hpp"
#include "rejection.hpp"

namespace redis_redis_bucket_test {
namespace {

using anew::redis_bucket, anew::redis_settings;

static_assert(anew::Quota<redis_bucket> && anew::detail::SettlesPermits<redis_bucket>);
static_assert(anew::detail::SettlesPermits<anew::shared<redis_bucket>>);
static_assert(std::is_move_constructible_v<redis_bucket> && !std::is_copy_constructible_v<redis_bucket>);
static_assert(sizeof(redis_bucket::permit_type) == 8 && sizeof(redis_bucket) == sizeof(void*));

std::string refused(redis_settings by) {
  return support::rejection_of([&] { redis_bucket const bucket{by}; });
}
/// With a name and a place, which every bucket needs.
redis_settings good() {
  redis_settings by{};
  by.name = "orders";
  by.host = "/nowhere/redis.sock";
  return by;
}

TEST(RedisBucket, WhatIsNotPossibleIsRefusedByName) {
  struct row {
    void (*change)(redis_settings&);
    std::string message;  // after the name of the class
  };
  for (auto const& [change, message] : std::vector<row>{
           {[](auto& s) { s.name = ""; }, "name must not be empty and must hold no braces, but is \"\""},
           {[](auto& s) { s.name = "a}b"; }, "name must not be empty and must hold no braces, but is a}b"},
           {[](auto& s) { s.name = "a\n\x1b[2J}"; },
            "name must not be empty and must hold no braces, but is a\\n\\x1b[2J}"},
           {[](auto& s) { s.host = ""; }, "host must not be empty, but is \"\""},
           {[](auto& s) { s.host = "/\x1b" + std::string(200, 'x'); },
            "host must be a path of at most 107 characters, but is /\\x1b" + std::string(78, 'x') + "..."},
           {[](auto& s) { s.capacity = 13; }, "capacity must be at least the cost of one retry, but is 13"},
           {[](auto& s) { s.lease = 501; },
            "lease must be at least the cost of one retry and at most the capacity, but is 501"},
           {[](auto& s) { s.first = 501; }, "first must be at most the capacity, but is 501"},
           {[](auto& s) { s.batch = 0; }, "batch must be at least 1, but is 0"},
           {[](auto& s) { s.processes = 0; }, "processes must be at least 1, but is 0"},
           {[](auto& s) { s.limit = 0s; }, "limit must be above zero, but is 0s"},
           {[](auto& s) { s.lease_for = 999us; }, "lease_for must be at least 1 ms, but is 999us"},
           {[](auto& s) { s.empty_for = -1ms; }, "empty_for must not be below zero, but is -1ms"},
           {[](auto& s) { s.time_to_live = 999ms; }, "time_to_live must be at least 1 s, but is 999ms"},
           {[](auto& s) { s.patience = -1ms; }, "patience must not be below zero, but is -1ms"},
           {[](auto& s) { s.user = "me"; }, "password must be set where user is, but is empty"},
           {[](auto& s) { s.processes = 100, s.away = anew::when_redis_is_away::share; },
            "processes must leave each its share: the cost of one retry at least, but is 100"}}) {
    auto by = good();
    change(by);
    EXPECT_EQ(refused(by), "anew::redis_bucket: " + message);
  }
  auto by = good();
  by.processes = 100;
  EXPECT_EQ(refused(by), "accepted");
  by.host = "no.such.host.invalid";
  by.password = "secret";
  EXPECT_EQ(refused(by).find("secret"), std::string::npos);
}

TEST(RedisBucket, ItsTextHasNoPassword) {
  auto by = good();
  by.user = "me";
  by.password = "secret";
  redis_bucket const bucket{by};
  EXPECT_EQ(bucket.describe(), "redis_bucket(orders at /nowhere/redis.sock, 500, lease=56, batch=32)");
  by.name = "a\r\n\x1b[2J";
  EXPECT_EQ(redis_bucket{by}.describe(),
            "redis_bucket(a\\x0d\\n\\x1b[2J at /nowhere/redis.sock, 500, lease=56, batch=32)");
  by.name = "orders";
  by.host = "127.0.0.1";
  EXPECT_EQ(redis_bucket{by}.describe(), "redis_bucket(orders at 127.0.0.1:6379, 500, lease=56, batch=32)");
}

TEST(RedisBucket, WithoutRedisFirstAttemptsAreMadeAndRetriesAreNot) {
  anew::testing::manual_clock const clock;
  auto const by = anew::compose(anew::shared{redis_bucket{good()}}, anew::constant_backoff<1ms>{}, clock,
                                anew::retry_all{}, anew::max_attempts<3>{});
  for (int call = 0; call < 10; ++call) {
    int made = 0;
    auto const told = anew::retry_outcome(by, anew::idempotent([&] { return ++made > 5; }),
                                          [&](anew::duration d) { clock.advance(d); });
    EXPECT_EQ(made, 1);
    EXPECT_EQ(told.reason(), anew::stop_reason::quota);
    clock.advance(1s);
  }
  EXPECT_TRUE(by.quota().policy().is_away());
  EXPECT_EQ(by.quota().policy().last_error(), "cannot connect");
}

}  // namespace
}  // namespace redis_redis_bucket_test
