// SPDX-License-Identifier: BSL-1.0
// Keys from outside: chosen so that they share a place in the table, and so many that partitions must go.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/client_throttle.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/gate/rate_breaker.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/quota/refilling_bucket.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/policies/sharing/internal/registry.hpp"
#include "anew/policies/sharing/partitioned.hpp"

namespace sharing_keyed_hash_test {
namespace {

using namespace std::chrono_literals;
using anew::detail::hash_seed, anew::detail::make_default, anew::detail::sip_hash;
using bucket = anew::token_bucket<28>;

/// From another implementation, which gives the published numbers of SipHash-2-4.
TEST(KeyedHash, IsSipHash13) {
  std::string bytes;
  for (char byte = 0; byte != 64; ++byte) bytes += byte;
  constexpr hash_seed seed{0x0706050403020100U, 0x0f0e0d0c0b0a0908U};
  using row = std::pair<std::size_t, std::uint64_t>;
  for (auto const& [size, hash] :
       {row{0, 0xabac0158050fc4dcU}, row{1, 0xc9f49bf37d57ca93U}, row{7, 0xd3927d989bb11140U},
        row{8, 0x369095118d299a8eU}, row{9, 0x25a48eb36c063de4U}, row{15, 0xd320d86d2a519956U},
        row{63, 0x9d199062b7bbb3a8U}}) {
    EXPECT_EQ(sip_hash{seed}.of(bytes.data(), size), hash) << size;
  }
  EXPECT_EQ(sip_hash{seed}.of(0x0706050403020100U), 0x369095118d299a8eU) << "a number is its eight bytes";
}

/// Names that share one of 1,024 places under one seed share none in particular under another.
TEST(KeyedHash, ChosenTextsAreSpreadByAnotherSeed) {
  anew::detail::key_hash<std::string> const hash;
  constexpr std::uint64_t places = 1'024;
  std::vector<std::string> chosen;
  for (int n = 0; chosen.size() != 100; ++n) {
    auto name = "h" + std::to_string(n) + ".evil.example";
    if (hash(name, {1, 2}) % places == 7) chosen.push_back(std::move(name));
  }
  for (auto const seed : {hash_seed{1, 3}, {3, 2}, {0, 0}}) {
    std::map<std::uint64_t, int> in_place;
    for (auto const& name : chosen) ++in_place[hash(name, seed) % places];
    for (auto const& [place, count] : in_place) EXPECT_LE(count, 4) << place;
  }
  EXPECT_EQ(hash(std::string_view{chosen[0]}, {1, 2}), hash(chosen[0], {1, 2}));
}

struct counting_equal {
  bool operator()(auto const& a, auto const& b) const { return ++count, a == b; }
  static inline std::uint64_t count = 0;
};
using hash_of_number = decltype([](std::uint64_t key) noexcept -> std::size_t { return key; });
/// A hash that says nothing: all keys share one shard and one bucket.
using says_nothing = decltype([](std::uint64_t) noexcept -> std::size_t { return 7; });

/// The number that the finaliser of SplitMix64, which is a public bijection, makes `hash` of.
std::uint64_t number_of(std::uint64_t hash) {
  auto const unshift = [](std::uint64_t x, unsigned by) { return x ^ (x >> by) ^ (x >> 2 * by); };
  hash = unshift(hash, 31) * 0x319642b2d24d8ec3U;
  hash = unshift(hash, 27) * 0x96de1b173f119089U;
  return unshift(hash, 30);
}

TEST(KeysFromOutside, TenThousandThatAreChosenCostNoMoreThanOthers) {
  static constexpr std::size_t count = 10'000;
  auto const comparisons = [](auto const& key_of) {
    anew::partitioned<std::uint64_t, bucket, make_default<bucket>, hash_of_number, counting_equal> hosts{count};
    counting_equal::count = 0;
    for (int round = 0; round != 2; ++round) {
      for (std::uint64_t n = 0; n != count; ++n) static_cast<void>(hosts.at(key_of(n)));
    }
    EXPECT_EQ(hosts.size(), count);
    EXPECT_EQ(hosts.overflowed(), 0U);
    return counting_equal::count;
  };
  auto const honest = comparisons([](std::uint64_t n) { return n; });
  EXPECT_GE(honest, count) << "each key is found once";
  // Equal in the lower half and in the bits above it: one shard, one bucket, and the same 32 bits.
  EXPECT_LE(comparisons([](std::uint64_t n) { return number_of(n << 40U | 0x12'3456'789aU); }), 5 * honest);
}

TEST(KeysFromOutside, KeysOfOneHashAreComparedWithAtMost64Others) {
  anew::partitioned<std::uint64_t, bucket, make_default<bucket>, says_nothing, counting_equal> hosts{2'000};
  for (std::uint64_t key = 0; key != 3'000; ++key) {
    counting_equal::count = 0;
    ASSERT_EQ(hosts.at(key).policy().balance(), 28U);
    ASSERT_LE(counting_equal::count, 2 * 64U) << "to find it, and again before it is linked";
    ASSERT_EQ(hosts.size(), std::min<std::size_t>(key + 1, 64));
  }
  EXPECT_EQ(hosts.overflowed(), 0U);
  std::vector<decltype(hosts)::lease> kept;
  for (std::uint64_t key = 0; key != 64; ++key) kept.push_back(hosts.at(key));
  EXPECT_EQ(&hosts.at(100).policy(), &hosts.overflow()) << "each of the 64 is leased";
  EXPECT_EQ(hosts.size(), 64U);
  EXPECT_EQ(hosts.overflowed(), 1U);
}

/// A host that is down is asked for least; what its policy has learnt stays, while others that have learnt nothing can go.
TEST(KeysFromOutside, WhatKeepsCallsFromADeadHostOutlivesAFlood) {
  constexpr anew::failure why{};
  anew::time_point const now{1h};
  using breaker = anew::circuit_breaker<1, 1h>;
  using cool_down = anew::cool_down<anew::constant_backoff<1h>>;
  auto const survives = [&]<class Policy>(int most, auto const& lets_in, auto const& fail) {
    anew::partitioned<int, Policy> hosts{most};
    fail(hosts.at(-1).policy());
    EXPECT_FALSE(lets_in(hosts.at(-1).policy()));
    for (int key = 0; key != 10 * most; ++key) static_cast<void>(hosts.at(key));
    EXPECT_EQ(hosts.size(), static_cast<std::size_t>(most));
    EXPECT_FALSE(lets_in(hosts.at(-1).policy())) << most;
    // Where each has learnt something, the least recently requested goes: the bound holds.
    for (int key = 0; key != 10 * most; ++key) fail(hosts.at(key).policy());
    EXPECT_TRUE(lets_in(hosts.at(-1).policy())) << most;
    EXPECT_EQ(hosts.size(), static_cast<std::size_t>(most));
    EXPECT_EQ(hosts.overflowed(), 0U);
  };
  auto const enters = [&](auto const& gate) { return gate.try_enter(now).pass.has_value(); };
  auto const fails = [&](auto const& gate) {
    if (auto const pass = gate.try_enter(now).pass) gate.on_failure(*pass, why, now);
  };
  auto const is_untouched = [](auto const& policy) { return policy.is_untouched(); };
  anew::failure const throttled{.kind = anew::error_kind::throttling};
  for (int const most : {8, 100, 600}) {
    survives.operator()<breaker>(most, enters, fails);
    survives.operator()<cool_down>(most, enters, fails);
    survives.operator()<bucket>(
        most, [](auto const& quota) { return quota.balance() == 28; },
        [&](auto const& quota) { static_cast<void>(quota.try_acquire(why)); });
    // A budget that time refills, a handle of a bucket, and a breaker that only counts so far.
    auto const is_full = [&](auto const& quota) { return quota.balance(now) == 10; };
    auto const pays = [&](auto const& quota) { static_cast<void>(quota.try_acquire(why, now)); };
    survives.operator()<anew::refilling_bucket<10, 60s>>(most, is_full, pays);
    survives.operator()<anew::retry_budget<0, 1, 10s>>(most, is_full, pays);
    survives.operator()<anew::striped<bucket>>(
        most, [](auto const& quota) { return quota.policy().balance() == 28; },
        [&](auto const& quota) { static_cast<void>(quota.try_acquire(why)); });
    survives.operator()<anew::circuit_breaker<5>>(most, is_untouched, fails);
    survives.operator()<anew::rate_breaker<50, 10s, 1>>(most, is_untouched, fails);
    survives.operator()<anew::client_throttle<>>(most, is_untouched, fails);
    survives.operator()<anew::client_rate_limiter<>>(most, is_untouched,
                                                     [&](auto const& pacer) { pacer.on_failure(throttled, now); });
  }
}

}  // namespace
}  // namespace sharing_keyed_hash_test
