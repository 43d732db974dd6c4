// SPDX-License-Identifier: BSL-1.0
// A process's part of a bucket on Redis, in the test's time and without a server.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/bridges/redis/redis_settings.hpp"

#include "fake_redis.hpp"
#include "names.hpp"
#include "process_support.hpp"
#include "together.hpp"

namespace redis_fleet_bucket_test {
namespace {

using anew::detail::redis_permit, anew::redis_settings, anew::when_redis_is_away;
using bucket = support::fake_bucket;
using support::fake_redis, support::fake_wire;
using rig = support::bucket_rig;

constexpr failure why{};

struct BucketOf500 : testing::Test {
  rig r{{.first = 500}};
};
/// One retry is paid for, and the rest of its lease is there.
struct LeasedBucket : BucketOf500 {
  void SetUp() override { ASSERT_TRUE(r.retry()); }
};

bool is_paid(std::optional<redis_permit> const& permit) { return permit && permit->cost == 14 && permit->claim == 0; }

TEST_F(BucketOf500, TheFirstRetryIsSettledInItsBackoff) {
  auto const permit = r.ask();
  ASSERT_TRUE(permit && permit->is_asked_for());
  r.pass(1ms);
  auto const settled = r.settle(*permit);
  ASSERT_TRUE(settled);
  EXPECT_TRUE(is_paid(settled));
  EXPECT_LE(r.redis.now, anew::time_point{1s} + 2ms);
  EXPECT_EQ(r.quota->leased(), 56U);
  EXPECT_EQ(r.redis.granted, 70U);
  EXPECT_EQ(r.quota->settle(*settled, r.redis.now + 1h).pass, settled) << "what stands, stands";
}

TEST_F(LeasedBucket, ALeasePaysWithoutAsking) {
  auto const asked = r.redis.questions();
  EXPECT_TRUE(is_paid(r.ask()));
  EXPECT_TRUE(is_paid(r.ask()));
  EXPECT_EQ(r.redis.questions(), asked);
  EXPECT_TRUE(is_paid(r.ask()));  // below half: it asks for more, and does not wait
  EXPECT_EQ(r.redis.questions(), asked + 1);
  EXPECT_TRUE(is_paid(r.ask()));
}

TEST(FleetBucket, RareCallersAreGrantedWhateverTheirBackoff) {
  for (auto const backoff : {0ms, 1ms, 5ms, 50ms}) {
    rig r{{.first = 500, .lease_for = 100ms}};
    r.redis.latency = 300us;
    for (int call = 0; call < 20; ++call) {
      EXPECT_TRUE(r.retry(backoff)) << backoff.count() << " ms, call " << call;
      r.pass(150ms);
    }
  }
}

TEST(FleetBucket, AnEmptyBucketRefusesAndIsRemembered) {
  rig r{};
  EXPECT_FALSE(r.retry());
  auto const asked = r.redis.questions();
  for (int call = 0; call < 90; ++call) {
    EXPECT_FALSE(r.ask());
    r.pass(1ms);
  }
  r.pass(10ms - 1ns);
  EXPECT_FALSE(r.ask());
  EXPECT_EQ(r.redis.questions(), asked);
  r.pass(1ns);
  EXPECT_FALSE(r.retry());
  EXPECT_EQ(r.redis.questions(), asked + 1);
}

TEST(FleetBucket, SuccessesAreHandedOverInBatches) {
  rig r{};
  r.succeed(31);
  EXPECT_EQ(r.redis.connections.size(), 0U);
  r.succeed(500);
  EXPECT_GE(r.redis.earned, 500U - 32U);
  EXPECT_LE(r.redis.questions(), 500U / 32U + 1U);
  EXPECT_EQ(r.redis.granted, 0U) << "who fails nothing takes nothing";
  EXPECT_TRUE(r.retry(200ms));
}

TEST(FleetBucket, ABatchIsLookedAfterOnceAMillisecond) {
  rig r{};
  r.redis.handshake = 1us;
  for (int call = 0; call != 32; ++call) r.quota->on_success({});
  r.quota->hand_over(r.redis.now);
  r.pass(1ms - 1ns);
  r.quota->hand_over(r.redis.now);
  EXPECT_TRUE(r.redis.commands.empty());
  r.pass(1ns);
  r.quota->hand_over(r.redis.now);
  EXPECT_FALSE(r.redis.commands.empty());
}

TEST(FleetBucket, ASuccessAfterARetryGivesBackWhatItPaid) {
  rig r{{.first = 14, .batch = 14}};
  auto const permit = r.settle(*r.ask());
  ASSERT_TRUE(permit);
  r.quota->on_success(*permit);
  EXPECT_TRUE(r.quota->has_a_batch());
}

TEST_F(LeasedBucket, WhatALeaseLeavesIsReturned) {
  EXPECT_EQ(r.redis.balance, 500U - 70U);
  r.pass(1001ms);
  auto const permit = r.ask();
  ASSERT_TRUE(permit && permit->is_asked_for());
  EXPECT_EQ(r.redis.returned, 56U);
  EXPECT_TRUE(r.settle(*permit));
  EXPECT_EQ(r.redis.balance, 500U - 14U - 70U);
}

TEST_F(BucketOf500, AClaimThatIsReleasedIsALease) {
  r.redis.latency = 1ms;
  auto const one = *r.ask();
  r.pass(4ms);
  auto const two = *r.ask();  // its step reads the greeting, and asks
  r.pass(500us);
  r.quota->release(two);  // under way
  r.pass(10ms);
  EXPECT_TRUE(r.settle(one));
  EXPECT_EQ(r.quota->leased(), 70U);
  auto const paid = *r.ask();
  r.quota->release(paid);
  EXPECT_EQ(r.quota->leased(), 70U);
}

TEST(FleetBucket, APermitLivesToItsSettlementWhateverTheLease) {
  rig r{{.first = 500, .lease_for = 10ms}};
  auto const permit = *r.ask();
  EXPECT_FALSE(r.ask()->cost == 0);  // its step gets both an answer
  r.pass(2s);
  EXPECT_TRUE(r.settle(permit));
}

TEST_F(LeasedBucket, AStepReadsEightTimesAtMost) {
  r.pass(2s);  // the lease is over
  r.redis.latency = 1ms;
  auto const permit = *r.ask();
  r.redis.most_at_a_time = 1;
  r.pass(1ms);
  EXPECT_FALSE(r.quota->settle(permit, r.redis.now).pass) << "an answer of 22 bytes";
  EXPECT_TRUE(r.settle(permit));
}

TEST_F(BucketOf500, AClaimIsRefusedWhenThePatienceIsOver) {
  r.redis.latency = 150ms;
  auto const permit = *r.ask();
  auto const begun = r.redis.now;
  EXPECT_FALSE(r.settle(permit));
  EXPECT_EQ(r.redis.now - begun, 5ms);
  EXPECT_TRUE(r.quota->is_late());
  EXPECT_FALSE(r.quota->is_away());
  for (int look = 0; look != 400 && r.quota->is_late(); ++look) {
    r.pass(1ms);
    r.quota->hand_over(r.redis.now);
  }
  EXPECT_FALSE(r.quota->is_late()) << "the answer has come";
  r.make({.first = 500, .patience = 0ms});
  auto const other = *r.ask();
  EXPECT_EQ(r.quota->settle(other, r.redis.now).wait, 0ns);
}

TEST_F(LeasedBucket, AStoppedServerIsAskedForNothingAndGivesNothingAway) {
  r.pass(2s);  // the lease is over
  r.redis.is_stopped = true;
  auto const granted = r.redis.granted;
  for (int call = 0; call < 2'000; ++call) {
    EXPECT_FALSE(r.retry(5ms));
    r.pass(5ms);
  }
  EXPECT_TRUE(r.quota->is_away());
  EXPECT_EQ(r.quota->lost(), 1U);
  EXPECT_GT(r.redis.connections.size(), 4U);
  EXPECT_LT(r.redis.connections.size(), 20U);
  r.redis.is_stopped = false;
  for (int call = 0; call < 1'000 && r.quota->is_away(); ++call) {
    static_cast<void>(r.retry());
    r.pass(10ms);
  }
  EXPECT_FALSE(r.quota->is_away());
  EXPECT_LE(r.redis.granted - granted, 70U + 70U) << "the exchange that was lost, and one lease";
}

TEST(FleetBucket, WhatHadNoAnswerIsNotHandedOverAgain) {
  rig r{};
  r.succeed(96);  // connected, and nothing under way has no answer
  while (r.redis.earned < 90) r.succeed(1);
  auto const handed_over = [&r](int times) {
    auto const before = r.redis.earned;
    r.succeed(times);
    return r.redis.earned - before;
  };
  r.redis.latency = 1h;  // Redis carries it out, and its reply does not come
  EXPECT_GE(handed_over(32), 1U);
  EXPECT_EQ(handed_over(300), 0U);
  EXPECT_EQ(r.quota->lost(), 1U);
  r.redis.latency = 0ms;
  r.pass(2s);
  auto const made = 300U + 320U;
  auto const later = handed_over(320);
  EXPECT_LE(later, made);
  EXPECT_GT(later, made - 64);
}

TEST(FleetBucket, TriesComeLessOftenUpToTwoSeconds) {
  rig r{};
  r.redis.is_down = true;
  for (int call = 0; call < 20'000; ++call) {
    static_cast<void>(r.ask());
    r.pass(1ms);
  }
  auto const& all = r.redis.connections;
  ASSERT_GT(all.size(), 10U);
  anew::duration most = 50ms;
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_GE(all[i] - all[i - 1], most / 2) << i;
    EXPECT_LE(all[i] - all[i - 1], most + 1ms) << i;
    most = std::min<anew::duration>(most * 2, 2s);
  }
  EXPECT_EQ(r.quota->last_error(), "cannot connect");
}

TEST(FleetBucket, WhileRedisIsAway) {
  auto const grants = [](when_redis_is_away choice) {
    rig r{{.capacity = 280, .away = choice, .processes = 2}};
    r.redis.is_down = true;
    static_cast<void>(r.ask());
    int granted = 0;
    for (int call = 0; call < 50; ++call) granted += r.retry() ? 1 : 0;
    EXPECT_TRUE(r.quota->is_away());
    for (int i = 0; i < 14; ++i) r.quota->on_success({});
    for (int call = 0; call < 50; ++call) granted += r.retry() ? 1 : 0;
    return granted;
  };
  EXPECT_EQ(grants(when_redis_is_away::refuse), 0);
  EXPECT_EQ(grants(when_redis_is_away::share), 10 + 1);
  EXPECT_EQ(grants(when_redis_is_away::grant), 100);
}

TEST_F(LeasedBucket, ALostBucketTakesTheLeaseWithIt) {
  EXPECT_EQ(r.quota->leased(), 56U);
  r.redis.restart_empty();
  r.redis.exists = true;
  r.redis.epoch = 77;
  r.redis.balance = 5;
  r.succeed(33);
  for (int look = 1; look < 6; ++look) r.quota->hand_over(r.redis.now + 2ms * look);
  EXPECT_EQ(r.quota->leased(), 0U);
  EXPECT_EQ(r.redis.returned, 0U);
}

TEST(FleetBucket, TheGreetingComesFirst) {
  rig r{{.user = "me", .password = "secret", .database = 3, .first = 500}};
  EXPECT_TRUE(r.retry());
  ASSERT_GE(r.redis.commands.size(), 4U);
  EXPECT_EQ(r.redis.commands[0], (std::vector<std::string>{"AUTH", "me", "secret"}));
  EXPECT_EQ(r.redis.commands[1], (std::vector<std::string>{"SELECT", "3"}));
  EXPECT_EQ(r.redis.commands[2], std::vector<std::string>{"PING"});
  EXPECT_EQ(r.redis.commands[3][3], "{b}");
}

TEST_F(LeasedBucket, TheEndReturnsWhatIsLeft) {
  r.quota->on_success({});
  r.quota.reset();
  EXPECT_EQ(r.redis.balance, 500U - 14U + 1U);
}

TEST_F(LeasedBucket, AForkedChildBeginsWithoutALease) {
  for (int i = 0; i < 20; ++i) r.quota->on_success({});
  auto const connected = r.redis.connections.size();
  auto const balance = r.redis.balance;
  auto const in_the_child = [&] {
    bool right = r.quota->leased() == 0;
    auto const permit = r.ask();
    right = right && permit && permit->is_asked_for() && r.redis.connections.size() == connected + 1;
    return right && r.settle(*permit) && r.redis.balance == balance - 70 && r.redis.earned == 0 ? 0 : 1;
  };
  EXPECT_EQ(support::in_a_child(in_the_child), 0);
  EXPECT_EQ(r.quota->leased(), 56U);
}

/// How a permit was paid; what it gives back in the process and the epoch that it is of, and elsewhere nothing.
TEST(FleetBucket, APermitOfAnotherProcessOrEpochGivesNothingBack) {
  enum class paid { by_lease, by_claim, locally };
  enum class elsewhere { in_a_child, in_another_epoch };
  for (auto const how : {paid::by_lease, paid::by_claim, paid::locally}) {
    for (auto const where : {elsewhere::in_a_child, elsewhere::in_another_epoch}) {
      rig r{{.first = 500, .away = how == paid::locally ? when_redis_is_away::share : when_redis_is_away::refuse}};
      r.redis.is_down = how == paid::locally;
      if (how != paid::by_claim) static_cast<void>(r.retry());  // a lease, or Redis is away
      std::vector<redis_permit> held;
      for (int i = 0; i != 2; ++i) held.push_back(*r.ask());
      r.pass(1ms);
      if (how == paid::by_claim) r.quota->hand_over(r.redis.now);
      auto const gives_nothing = [&] {
        auto const before = r.quota->leased();
        r.quota->release(held[0]);
        bool const adds_none = r.quota->leased() == before && !r.quota->has_a_batch();
        r.quota->on_success(held[1]);  // one success, and not the tokens of its retry
        for (int i = 0; i != 18; ++i) r.quota->on_success({});
        int local = 0;
        while (how == paid::locally && r.ask()) ++local;
        return adds_none && !r.quota->has_a_batch() && (how != paid::locally || local == 33 + 1);
      };
      if (where == elsewhere::in_a_child) {
        EXPECT_EQ(support::in_a_child([&] { return gives_nothing() ? 0 : 1; }), 0) << static_cast<int>(how);
        EXPECT_FALSE(gives_nothing()) << "the process that it is of";
      } else if (how != paid::locally) {  // which has no epochs
        r.redis.restart_empty();
        r.pass(1001ms);  // the lease is over, and returned
        for (int look = 0; look != 4; ++look) r.quota->hand_over(r.redis.now += 2ms);
        ASSERT_EQ(r.redis.lives, 1'002U);
        if (how == paid::by_claim) held = {*r.settle(held[0]), *r.settle(held[1])};  // granted in the last epoch
        EXPECT_TRUE(gives_nothing()) << static_cast<int>(how);
      }
    }
  }
}

/// Never more tokens are spent than there were and were earned, whatever becomes of the server.
TEST(FleetBucket, NothingIsSpentTwice) {
  std::uint64_t spent_in_all = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random{seed};
    auto const below = [&](unsigned n) { return random() % n; };
    fake_redis redis;
    std::vector<std::unique_ptr<bucket>> fleet;
    for (int i = 0; i < 3; ++i) {
      fleet.push_back(std::make_unique<bucket>(redis_settings{.name = "b", .first = 100}, fake_wire{redis}));
    }
    struct retry {
      std::size_t at;
      redis_permit held;
      anew::time_point due;
    };
    std::vector<retry> waiting;
    std::uint64_t spent = 0;
    std::uint64_t earned = 0;
    for (int step = 0; step < 8'000; ++step) {
      redis.now += anew::duration{below(3'000'000)};
      switch (below(4'000)) {
        case 0: redis.is_stopped = true; break;
        case 1: redis.is_down = true; break;
        case 2: redis.latency = anew::duration{below(250'000'000)}; break;
        case 3: redis.restart_empty(); break;
        case 4: redis.error = "LOADING"; break;
        case 5: redis.most_at_a_time = 1 + below(40); break;
        default: break;
      }
      if (below(150) == 0) {
        redis.is_stopped = redis.is_down = false;
        redis.error.clear();
        redis.latency = 0ms;
        redis.most_at_a_time = 10'000;
      }
      auto const at = below(3);
      auto& quota = *fleet[at];
      if (quota.has_a_batch()) quota.hand_over(redis.now);
      if (below(10) != 0) {
        quota.on_success({});
        ++earned;
      } else if (auto const permit = quota.try_acquire(why, redis.now)) {
        waiting.push_back({at, *permit, redis.now + anew::duration{below(20'000'000)}});
      }
      for (std::size_t i = 0; i < waiting.size();) {
        auto& one = waiting[i];
        if (one.due > redis.now) {
          ++i;
          continue;
        }
        auto const answer = fleet[one.at]->settle(one.held, redis.now);
        if (answer.pass && below(5) == 0) {
          fleet[one.at]->release(*answer.pass);
        } else if (answer.pass && below(2) == 0) {
          fleet[one.at]->on_success(*answer.pass);
          earned += 14;
          spent += 14;
        } else if (answer.pass) {
          spent += 14;
        } else if (answer.wait > 0ns) {
          one.due = redis.now + answer.wait;
          ++i;
          continue;
        } else {
          fleet[one.at]->release(one.held);
        }
        waiting[i] = waiting.back();
        waiting.pop_back();
      }
      ASSERT_LE(spent, 100 * (redis.lives - 1'000) + earned) << "seed " << seed << ", step " << step;
      ASSERT_LE(redis.granted, 100 * (redis.lives - 1'000) + redis.earned + redis.returned);
      ASSERT_LE(spent, redis.granted - redis.returned);
    }
    spent_in_all += spent;
  }
  EXPECT_GT(spent_in_all, 20'000U);
}

TEST(FleetBucket, ThreadsSpendNothingTwice) {
  fake_redis redis;
  bucket quota{{.name = "b", .first = 500, .empty_for = 1ms}, fake_wire{redis}};
  std::atomic<std::uint64_t> spent{0};
  std::atomic<std::uint64_t> earned{0};
  support::together(2, [&](unsigned number) {
    auto now = redis.now;
    for (int call = 0; call < 20'000; ++call) {
      now += 10us;
      if (quota.has_a_batch()) quota.hand_over(now);
      if ((call + static_cast<int>(number)) % 50 != 0) {
        quota.on_success({});
        ++earned;
        continue;
      }
      auto const permit = quota.try_acquire(why, now);
      if (!permit) continue;
      auto answer = quota.settle(*permit, now);
      while (!answer.pass && answer.wait > 0ns) {
        now += answer.wait;
        answer = quota.settle(*permit, now);
      }
      if (answer.pass) {
        spent += answer.pass->cost;
      } else {
        quota.release(*permit);
      }
    }
  });
  EXPECT_LE(spent.load() + quota.leased(), 500 + earned.load());
  EXPECT_LE(spent.load() + quota.leased(), redis.granted - redis.returned);
  EXPECT_GT(spent.load(), 0U);
}

}  // namespace
}  // namespace redis_fleet_bucket_test
