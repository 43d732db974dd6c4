// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/compose/describe.hpp"
#include "anew/redis.hpp"
#include "anew/sharing/shared.hpp"
#include "anew/testing/manual_clock.hpp"

namespace redis_redis_bucket_test {
namespace {

using namespace std::chrono_literals;
using anew::redis_bucket;
using anew::redis_settings;

static_assert(anew::Quota<redis_bucket> && anew::detail::SettlesPermits<redis_bucket>);
static_assert(anew::detail::SettlesPermits<anew::shared<redis_bucket>>);
static_assert(std::is_move_constructible_v<redis_bucket> && !std::is_copy_constructible_v<redis_bucket>);
static_assert(sizeof(redis_bucket::permit_type) == 8 && sizeof(redis_bucket) == sizeof(void*));

std::string refused(redis_settings by) {
  try {
    redis_bucket const bucket{by};
  } catch (std::invalid_argument const& e) {
    return e.what();
  }
  return "taken";
}
/// With a name and a place, which every bucket needs.
redis_settings good() {
  redis_settings by{};
  by.name = "orders";
  by.host = "/nowhere/redis.sock";
  return by;
}
template <class Change>
std::string refused_with(Change const& change) {
  auto by = good();
  change(by);
  return refused(by);
}

TEST(RedisBucket, WhatIsNotPossibleIsRefusedByName) {
  EXPECT_EQ(refused(good()), "taken");
  EXPECT_EQ(refused_with([](auto& s) { s.name = ""; }),
            "anew::redis_bucket: name must not be empty and must hold no braces, but is \"\"");
  EXPECT_EQ(refused_with([](auto& s) { s.name = "a}b"; }),
            "anew::redis_bucket: name must not be empty and must hold no braces, but is a}b");
  EXPECT_EQ(refused_with([](auto& s) { s.host = ""; }), "anew::redis_bucket: host must not be empty, but is \"\"");
  EXPECT_EQ(refused_with([](auto& s) { s.name = "a\n\x1b[2J}"; }),
            "anew::redis_bucket: name must not be empty and must hold no braces, but is a\\n\\x1b[2J}");
  EXPECT_EQ(refused_with([](auto& s) { s.host = "/\x1b" + std::string(200, 'x'); }),
            "anew::redis_bucket: host must be a path of at most 107 characters, but is /\\x1b" + std::string(78, 'x') +
                "...");
  EXPECT_EQ(refused_with([](auto& s) { s.capacity = 13; }),
            "anew::redis_bucket: capacity must be at least the cost of one retry, but is 13");
  EXPECT_EQ(refused_with([](auto& s) { s.lease = 501; }),
            "anew::redis_bucket: lease must be at least the cost of one retry and at most the capacity, but is 501");
  EXPECT_EQ(refused_with([](auto& s) { s.first = 501; }),
            "anew::redis_bucket: first must be at most the capacity, but is 501");
  EXPECT_EQ(refused_with([](auto& s) { s.batch = 0; }), "anew::redis_bucket: batch must be at least 1, but is 0");
  EXPECT_EQ(refused_with([](auto& s) { s.processes = 0; }),
            "anew::redis_bucket: processes must be at least 1, but is 0");
  EXPECT_EQ(refused_with([](auto& s) { s.limit = 0s; }), "anew::redis_bucket: limit must be above zero, but is 0s");
  EXPECT_EQ(refused_with([](auto& s) { s.patience = -1ms; }),
            "anew::redis_bucket: patience must not be below zero, but is -1ms");
  EXPECT_EQ(refused_with([](auto& s) {
              s.host = "no.such.host.invalid";
              s.password = "secret";
            }).find("secret"),
            std::string::npos);
  EXPECT_EQ(refused_with([](auto& s) { s.processes = 100; }), "taken");
  EXPECT_EQ(refused_with([](auto& s) {
              s.processes = 100;
              s.away = anew::when_redis_is_away::share;
            }),
            "anew::redis_bucket: processes must leave each its share: the cost of one retry at least, but is 100");
  EXPECT_NE(refused_with([](auto& s) { s.user = "me"; }), "taken");
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
