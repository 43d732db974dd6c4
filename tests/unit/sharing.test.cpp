// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/refilling_bucket.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/quota/retry_throttle.hpp"
#include "anew/policies/sharing/partitioned.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "length.hpp"
#include "pinned.hpp"
#include "rejection.hpp"
#include "sharing_support.hpp"
#include "together.hpp"

namespace sharing_test {
namespace {

using namespace anew;
using namespace std::chrono_literals;
using support::diary, support::diary_gate, support::diary_quota, support::has_same_functions, support::least_gate,
    support::least_quota;

static_assert(Quota<shared<token_bucket<50>>> && Gate<shared<least_gate>>);
template <class... Quotas>
constexpr bool are_the_same_shared = (has_same_functions<shared<Quotas>, Quotas>() && ...);
static_assert(are_the_same_shared<token_bucket<50>, least_quota, diary_quota, refilling_bucket<1, 1s>,
                                  refilling_bucket<1, 1s, when_empty::reserve, 1s>>);
static_assert(are_the_same_shared<retry_budget<>, concurrency_budget<>, retry_throttle<>>);
static_assert(support::would_refuse_is_there<shared<diary_gate>> &&
              !support::would_refuse_is_there<shared<least_gate>>);
static_assert(!Quota<shared<least_gate>> && !Gate<shared<least_quota>>);
static_assert(!std::is_default_constructible_v<shared<token_bucket<run_time_count>>>);

// A strategy with a handle that it made for itself would share with nothing.
using of_a_shared_bucket = strategy<shared<token_bucket<50>>>;
static_assert(!std::is_default_constructible_v<of_a_shared_bucket>);
static_assert(std::is_constructible_v<of_a_shared_bucket, shared<token_bucket<50>> const&>);

TEST(Shared, SeveralStrategiesSpendFromOneBalance) {
  shared<token_bucket<42>> const budget{};
  auto const first = compose(budget, no_backoff{}, retry_all{}, max_attempts<2>{});
  auto const second = compose(budget, constant_backoff<0ns>{}, retry_all{}, max_attempts<9>{});
  EXPECT_FALSE(retry(first, [] { return false; }));
  EXPECT_EQ(budget.policy().balance(), 28U);
  EXPECT_FALSE(retry(second, [] { return false; }));
  EXPECT_EQ(budget.policy().balance(), 0U);
  EXPECT_EQ(first.quota().policy().balance(), 0U);
  EXPECT_TRUE(retry(first, [] { return true; }));
  EXPECT_EQ(second.quota().policy().balance(), 1U);
}

TEST(Shared, TakesOverAPolicyWithItsValuesAndItsBalance) {
  token_bucket bucket{20};
  (void)bucket.try_acquire(failure{});
  shared const budget{std::move(bucket)};
  static_assert(std::is_same_v<decltype(budget), shared<token_bucket<run_time_count>> const>);
  EXPECT_EQ(budget.policy().balance(), 6U);
  shared const copy{budget};
  static_assert(std::is_same_v<decltype(copy), shared<token_bucket<run_time_count>> const>);
  EXPECT_EQ(&copy.policy(), &budget.policy());
}

TEST(Shared, LivesAsLongAsAHandle) {
  std::optional<shared<token_bucket<14>>> budget{std::in_place};
  auto const s = compose(*budget, no_backoff{}, retry_all{});
  budget.reset();
  EXPECT_FALSE(retry(s, [] { return false; }));
  EXPECT_EQ(s.quota().policy().balance(), 0U);
}

TEST(Shared, AHandleThatWasMovedFromStillHasItsPolicy) {
  shared<token_bucket<14>> one{};
  shared<token_bucket<14>> const two{std::move(one)};  // NOLINT(performance-move-const-arg)
  EXPECT_EQ(&one.policy(), &two.policy());             // NOLINT(bugprone-use-after-move)
}

/// What a policy behind a handle of each kind is told.
template <class Policy>
std::vector<std::string> told(auto const& tell) {
  diary of_shared, of_leased;
  tell(shared{Policy{of_shared}});
  tell(partitioned_by<int>(1, [&] { return Policy{of_leased}; }).at(1));
  EXPECT_EQ(of_leased.lines, of_shared.lines);
  return of_shared.lines;
}

TEST(Handles, PassOnWhatAQuotaIsTold) {
  auto const heard = told<diary_quota>([](auto const& q) {
    EXPECT_EQ(q.try_acquire(failure{}, time_point{3ns}), 7);
    EXPECT_EQ(q.wait(7, time_point{4ns}), 11ns);
    q.on_success(7);
    EXPECT_EQ(q.try_acquire(failure{}, time_point{5ns}), 7);
    q.on_failure(7);
    EXPECT_EQ(q.try_acquire(failure{}, time_point{6ns}), 7);
    q.release(7);
    q.on_call(time_point{8ns});
    q.on_call_end();
    q.on_attempt_failed(failure{.kind = error_kind::timeout});
  });
  EXPECT_EQ(heard, (std::vector<std::string>{"acquire 3", "wait 7 4", "success 7", "acquire 5", "failure 7",
                                             "acquire 6", "release 7", "call 8", "end", "timeout"}));
}

TEST(Handles, PassOnWhatAGateIsTold) {
  auto const heard = told<diary_gate>([](auto const& g) {
    EXPECT_EQ(*g.try_enter(time_point{3ns}).pass, 9);
    EXPECT_EQ(g.try_enter(time_point{100ns}).wait, 5ns);
    g.on_success(9, time_point{4ns});
    EXPECT_EQ(*g.try_enter(time_point{5ns}).pass, 9);
    g.on_failure(9, failure{.kind = error_kind::server}, time_point{6ns});
    EXPECT_EQ(*g.try_enter(time_point{7ns}).pass, 9);
    g.release(9);
    EXPECT_TRUE(g.would_refuse(time_point{100ns}));
    EXPECT_FALSE(g.would_refuse(time_point{99ns}));
  });
  EXPECT_EQ(heard, (std::vector<std::string>{"enter 3", "enter 100", "success 9 4", "enter 5", "server 9 6", "enter 7",
                                             "release 9"}));
}

TEST(Shared, PassesOnWhatAPacerIsTold) {
  diary d;
  shared const p{support::diary_pacer{d}};
  int ticket = 0;
  EXPECT_EQ(p.ask(ticket, time_point{3ns}).wait, 5ns);
  EXPECT_EQ(ticket, 5);
  EXPECT_EQ(p.ask(ticket, time_point{8ns}).wait, 0ns);
  EXPECT_EQ(ticket, 0);
  p.on_success(time_point{9ns});
  p.on_failure(failure{.kind = error_kind::throttling}, time_point{10ns});
  p.release(5);
  EXPECT_EQ(d.lines, (std::vector<std::string>{"ask 0 3", "ask 5 8", "success 9", "throttling 10", "release 5"}));
}

TEST(Shared, DescribesItselfAndWhatItShares) {
  EXPECT_EQ(shared<token_bucket<500>>{}.describe(), "shared(token_bucket(500))");
  EXPECT_EQ((shared{token_bucket{70}}.describe()), "shared(token_bucket(70))");
}

using buckets = partitioned<std::string, token_bucket<28>>;

static_assert(Quota<leased<token_bucket<28>>> && Gate<leased<support::least_gate>>);
static_assert(support::has_same_functions<leased<token_bucket<28>>, token_bucket<28>>());
static_assert(support::has_same_functions<leased<support::diary_quota>, support::diary_quota>());
static_assert(support::has_same_functions<leased<concurrency_budget<>>, concurrency_budget<>>());

template <class Key, class Policy>
constexpr std::size_t overhead = sizeof(detail::registered<Key, Policy>) - sizeof(Key) - sizeof(Policy);
static_assert(sizeof(void*) != 8 ||
              (overhead<std::string, token_bucket<28>> == 36 && overhead<int, std::uint64_t> == 36));
static_assert(sizeof(void*) != 8 ||
              (overhead<int, token_bucket<28>> == 40 && overhead<std::string, std::uint64_t> == 40));

std::vector<std::string> keys(buckets const& hosts) {
  std::vector<std::string> found;
  hosts.for_each([&](std::string const& key, token_bucket<28> const&) { found.push_back(key); });
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Partitioned, AKeyHasOnePolicyAndKeysDoNotShareIt) {
  buckets hosts{10};
  auto const a = hosts.at("a");
  auto const b = hosts.at("b");
  EXPECT_EQ(&a.policy(), &hosts.at("a").policy());
  EXPECT_NE(&a.policy(), &b.policy());
  EXPECT_EQ(hosts.size(), 2U);
  EXPECT_EQ(hosts.max_size(), 10U);
  (void)a.try_acquire(failure{});
  EXPECT_EQ(a.policy().balance(), 14U);
  EXPECT_EQ(b.policy().balance(), 28U);
}

TEST(Partitioned, PoliciesOfValuesKnownAtRunTime) {
  std::uint32_t capacity = 30;
  auto hosts = partitioned_by<std::string>(10, [&capacity] { return token_bucket{capacity++}; });
  EXPECT_EQ(hosts.overflow().capacity(), 30U);
  EXPECT_EQ(hosts.at("a").policy().capacity(), 31U);
  EXPECT_EQ(hosts.at("b").policy().capacity(), 32U);
  EXPECT_EQ(hosts.at("a").policy().capacity(), 31U);
}

TEST(Partitioned, ALeaseKeepsItsPartitionWhateverBecomesOfTheRegistry) {
  auto hosts = std::make_unique<buckets>(1);
  auto const s = compose(hosts->at("a"), no_backoff{}, retry_all{});
  hosts.reset();
  EXPECT_FALSE(retry(s, [] { return false; }));
  EXPECT_EQ(s.quota().policy().balance(), 0U);
}

TEST(Partitioned, APartitionIsNotForgottenWhileItIsLeased) {
  for (int how = 0; how < 3; ++how) {
    buckets hosts{1};
    auto leased = std::make_optional(hosts.at("a"));
    auto const permit = leased->try_acquire(failure{});
    (void)hosts.at("b");
    EXPECT_EQ(keys(hosts), std::vector<std::string>{"a"});
    EXPECT_EQ(hosts.overflowed(), 1U);
    if (how == 0) leased->release(*permit);
    if (how == 1) leased->on_success(*permit);
    EXPECT_EQ(leased->policy().balance(), how == 2 ? 14U : 28U);
    leased.reset();
    (void)hosts.at("b");
    EXPECT_EQ(keys(hosts), std::vector<std::string>{"b"});
  }
}

TEST(Partitioned, BeyondTheBoundKeysShareTheOverflow) {
  buckets hosts{1};
  auto const a = hosts.at("a");
  {
    auto const b = hosts.at("b");
    auto const c = hosts.at("c");
    EXPECT_EQ(&b.policy(), &c.policy());
    EXPECT_EQ(&b.policy(), &hosts.overflow());
    EXPECT_NE(&a.policy(), &b.policy());
    EXPECT_EQ(hosts.overflowed(), 2U);
    EXPECT_EQ(hosts.size(), 1U);
    (void)b.try_acquire(failure{});
    EXPECT_EQ(c.policy().balance(), 14U);
    EXPECT_EQ(a.policy().balance(), 28U);
  }
  EXPECT_EQ(&hosts.at("a").policy(), &a.policy());
}

TEST(Partitioned, OneThatWasForgottenBeginsAnew) {
  buckets hosts{1};
  (void)hosts.at("a").try_acquire(failure{});
  EXPECT_EQ(hosts.at("a").policy().balance(), 14U);
  (void)hosts.at("b");
  EXPECT_EQ(hosts.at("a").policy().balance(), 28U);
}

TEST(Partitioned, ALeaseMayBeAssigned) {
  buckets hosts{2};
  auto lease = hosts.at("a");
  lease = hosts.at("b");
  auto const& same = lease;
  lease = same;
  EXPECT_EQ(&lease.policy(), &hosts.at("b").policy());
  (void)hosts.at("c");
  EXPECT_EQ(keys(hosts), (std::vector<std::string>{"b", "c"}));
}

TEST(Partitioned, ForEachShowsTheBalancesAndMayComeBackToTheRegistry) {
  buckets hosts{5};
  auto const a = hosts.at("a");
  (void)a.try_acquire(failure{});
  (void)hosts.at("b");
  std::string seen;
  hosts.for_each([&](std::string const& key, token_bucket<28> const& bucket) {
    seen.append(key).append(std::to_string(bucket.balance())).append(" ");
    (void)hosts.at("new");
  });
  EXPECT_NE(seen.find("a14 "), std::string::npos) << seen;
  EXPECT_NE(seen.find("b28 "), std::string::npos) << seen;
  EXPECT_EQ(hosts.size(), 3U);
}

#if ANEW_EXCEPTIONS
TEST(Partitioned, AVisitThatThrowsLeavesPartitionsAsTheyWere) {
  partitioned<int, token_bucket<28>> hosts{2};
  (void)hosts.at(1);
  (void)hosts.at(2);
  int next = 3;
  for (int round = 0; round < 3; ++round) {
    EXPECT_THROW(hosts.for_each([&](int, token_bucket<28> const&) {
      (void)hosts.at(next++);  // one of the two goes
      throw round;
    }),
                 int);
    auto const a = hosts.at(next++);
    auto const b = hosts.at(next++);
    EXPECT_EQ(hosts.overflowed(), static_cast<std::uint64_t>(round));
    (void)hosts.at(next);
    EXPECT_EQ(hosts.overflowed(), static_cast<std::uint64_t>(round) + 1) << "both are leased";
  }
}
#endif

TEST(Partitioned, KeysThatComeDuringAVisitGetAPartition) {
  for (int const most : {20, 600}) {
    partitioned<std::string, token_bucket<70>> hosts{most};
    for (int n = 0; n < most; ++n) (void)hosts.at("old" + std::to_string(n));
    std::atomic<int> visits{0};
    std::atomic<bool> is_over{false};
    std::thread scrapes{[&] {
      while (!is_over) {
        hosts.for_each([](std::string const&, token_bucket<70> const& bucket) { EXPECT_EQ(bucket.balance(), 70U); });
        ++visits;
      }
    }};
    while (visits == 0) std::this_thread::yield();
    for (int n = 0; n < 2'000; ++n) (void)hosts.at("new" + std::to_string(n));
    is_over = true;
    scrapes.join();
    EXPECT_EQ(hosts.overflowed(), 0U) << most;
    EXPECT_EQ(hosts.size(), static_cast<std::size_t>(most));
  }
}

using support::tracked;
using hash_of_key = decltype([](tracked const& key) noexcept { return static_cast<std::size_t>(key.value); });
using same_key = decltype([](tracked const& a, tracked const& b) noexcept { return a.value == b.value; });

TEST(Partitioned, ForEachCopiesNoKeys) {
  using detail::make_default;
  partitioned<tracked, token_bucket<28>, make_default<token_bucket<28>>, hash_of_key, same_key> hosts{100};
  for (int i = 0; i < 100; ++i) (void)hosts.at(tracked{i});
  tracked::copies = 0;
  int visited = 0;
  hosts.for_each([&](tracked const&, token_bucket<28> const&) { ++visited; });
  EXPECT_EQ(visited, 100);
  EXPECT_EQ(tracked::copies, 0);
}

struct talkative : token_bucket<28>, support::pinned {
  ~talkative() { at_the_end(); }
  static inline std::function<void()> at_the_end = [] {};
};

// A policy may ask the registry when it goes: the lock is not held then.
TEST(Partitioned, WhatIsForgottenGoesWithoutTheLock) {
  std::size_t size = 0;
  partitioned<int, talkative> hosts{1};
  (void)hosts.at(1);
  talkative::at_the_end = [&] { size = hosts.size(); };
  (void)hosts.at(2);
  talkative::at_the_end = [] {};
  EXPECT_EQ(size, 1U);
}

// The end of a visit destroys what went meanwhile: without the lock, and after all that it looked at is idle again.
TEST(Partitioned, WhatAVisitHeldLastGoesWithoutTheLock) {
  partitioned<int, talkative> hosts{2};
  (void)hosts.at(1);
  (void)hosts.at(2);
  std::optional<leased<talkative>> three;
  std::optional<leased<talkative>> four;
  int gone = 0;
  talkative::at_the_end = [&] {
    if (++gone == 1) four = hosts.at(4);  // in the place of the second
  };
  hosts.for_each([&](int key, talkative const&) {
    EXPECT_FALSE(four);
    if (three) return;
    (void)hosts.at(3 - key);
    three = hosts.at(3);  // in that of the first
  });
  talkative::at_the_end = [] {};
  EXPECT_TRUE(four);
  EXPECT_EQ(hosts.overflowed(), 0U);
}

TEST(Partitioned, ManyThreadsWhileOneVisits) {
  partitioned<int, token_bucket<28>> hosts{100};
  auto const stays = hosts.at(-1);
  std::atomic<bool> is_over{false};
  support::together(3, [&](unsigned index) {
    generator dice{index, 5};
    while (index < 2 && !is_over) (void)hosts.at(static_cast<int>(dice() % 300));
    for (int i = 0; i < 200 && !is_over; ++i) {
      std::map<int, int> seen;
      hosts.for_each([&](int key, token_bucket<28> const&) { ++seen[key]; });
      EXPECT_EQ(seen.count(-1), 1U);
      for (auto const& [key, times] : seen) EXPECT_LE(times, 2) << key;  // one that went and came again
    }
    is_over = true;
  });
}

// Each thread goes through the keys in an order of its own; a lease keeps its partition.
TEST(Partitioned, ManyThreadsManyKeys) {
  partitioned<int, token_bucket<1400>> hosts{8};
  support::together(4, [&hosts](unsigned index) {
    generator dice{index, 3};
    for (int i = 0; i < 5000; ++i) {
      auto const key = static_cast<int>(dice() % 12);
      auto const leased = hosts.at(key);
      auto const permit = leased.try_acquire(failure{});
      ASSERT_TRUE(permit);
      leased.release(*permit);
    }
  });
  EXPECT_LE(hosts.size(), 8U);
  hosts.for_each([](int, token_bucket<1400> const& bucket) { EXPECT_LE(bucket.balance(), 1400U); });
}

/// Keys by the time of the last request, with those that are leased.
struct least_recently_requested {
  std::size_t most;
  std::map<int, int> last = {};
  std::set<int> leased = {};
  int now = 0;

  /// False: the overflow.
  bool at(int key) {
    if (last.count(key) == 0 && last.size() == most) {
      auto oldest = last.end();
      for (auto one = last.begin(); one != last.end(); ++one) {
        if (leased.count(one->first) == 0 && (oldest == last.end() || one->second < oldest->second)) oldest = one;
      }
      if (oldest == last.end()) return false;
      last.erase(oldest);
    }
    last[key] = ++now;
    return true;
  }
};

/// Requests keys and leases some, beside the model: at any time, and so between the partitions of visits too.
struct requests_keys {
  std::uint32_t seed;
  generator dice{seed, 31};
  std::size_t most = 1 + dice() % 128;
  partitioned<int, token_bucket<28>> hosts{static_cast<int>(most)};
  least_recently_requested model{most};
  std::map<int, leased<token_bucket<28>>> kept{};
  std::vector<int> returned{};

  void request() {
    auto const key = static_cast<int>(dice() % (most + 1 + most / 4));
    auto const before = hosts.overflowed();
    auto const lease = hosts.at(key);
    ASSERT_EQ(model.at(key), hosts.overflowed() == before) << "seed " << seed;
    if (hosts.overflowed() != before) return;
    if (dice() % 8 == 0 && kept.size() < most) {
      kept.insert({key, lease});
      model.leased.insert(key);
    } else if (dice() % 8 == 0) {
      kept.erase(key);
      model.leased.erase(key);
      returned.push_back(key);
    }
  }
  /// The registry lets go of its lock between a few partitions: others come and go, are asked for and visited meanwhile.
  void visit(int depth) {
    std::set<int> stays = model.leased;
    auto const before = returned.size();
    std::map<int, int> seen;
    hosts.for_each([&](int key, token_bucket<28> const& policy) {
      EXPECT_EQ(policy.balance(), 28U);
      ++seen[key];
      for (auto times = depth == 0 ? 0 : dice() % 3; times != 0; --times) request();
      if (depth != 0 && dice() % most == 0) visit(depth - 1);
    });
    if (depth == 0) {
      ASSERT_EQ(seen.size(), model.last.size());
    }
    for (auto at = before; at != returned.size(); ++at) stays.erase(returned[at]);
    for (int const key : stays) ASSERT_EQ(seen[key], 1) << key << ", seed " << seed;
    for (auto const& [key, times] : seen) ASSERT_TRUE(depth != 0 || times == 1) << key;
  }
};

TEST(Partitioned, UpTo128KeysTheLeastRecentlyRequestedGoes) {
  for (std::uint32_t seed = 0; seed < support::length_of(400U) && !HasFatalFailure(); ++seed) {
    requests_keys world{seed};
    for (int step = 0; step < 3'000 && !HasFatalFailure(); ++step) {
      world.request();
      if (step % 200 == 0) world.visit(2);
    }
    world.visit(0);
  }
}

// 64 locks, and a look at some partitions only: the bound holds, and who is idle makes room.
TEST(Partitioned, ALargeRegistryFindsRoom) {
  constexpr int most = 20'000;
  partitioned<int, token_bucket<28>> hosts{most};
  std::vector<leased<token_bucket<28>>> kept;
  for (int key = 0; key < most + support::length_of(9 * most); ++key) {
    auto const lease = hosts.at(key);
    if (key < most && key % 2 == 0) kept.push_back(lease);
    ASSERT_LE(hosts.size(), static_cast<std::size_t>(most));
  }
  EXPECT_LE(hosts.overflowed(), 20U) << "half of the keys are leased";
  EXPECT_EQ(hosts.size(), static_cast<std::size_t>(most));
  int still_there = 0;
  for (int key = 0; key < most; key += 2) {
    still_there += &hosts.at(key).policy() == &kept[static_cast<std::size_t>(key / 2)].policy() ? 1 : 0;
  }
  EXPECT_EQ(still_there, most / 2) << "a leased partition stays";
}

TEST(Partitioned, AKeyInUseOutlivesManyThatAreNot) {
  partitioned<int, token_bucket<28>> hosts{5'000};
  auto const* const of_first = &hosts.at(0).policy();
  int lost = 0;
  for (int key = 1; key < support::length_of(2'000'000); ++key) {
    (void)hosts.at(key);
    if (key % 100 == 0) {
      auto const* const now = &hosts.at(0).policy();
      lost += now != of_first ? 1 : 0;
    }
  }
  EXPECT_EQ(lost, 0) << "requested for every hundredth of 5,000 keys";
}

TEST(Partitioned, AStringIsAskedForByAnyText) {
  buckets hosts{10};
  std::string const name = "a.host.with.a.name.that.is.too.long.for.the.string.itself";
  auto const* const policy = &hosts.at(name).policy();
  EXPECT_EQ(&hosts.at(std::string_view{name}).policy(), policy);
  EXPECT_EQ(&hosts.at(name.c_str()).policy(), policy);
  EXPECT_EQ(hosts.size(), 1U);
}

struct length {
  using is_transparent = void;
  std::size_t operator()(std::string const& text) const { return text.size(); }
  std::size_t operator()(std::size_t size) const { return size; }
};
struct equal_length {
  using is_transparent = void;
  bool operator()(auto const& a, auto const& b) const { return length{}(a) == length{}(b); }
};

TEST(Partitioned, TakesAHashAndAnEqualityOfYours) {
  partitioned<std::string, token_bucket<28>, detail::make_default<token_bucket<28>>, length, equal_length> hosts{9};
  EXPECT_EQ(&hosts.at(std::string{"abc"}).policy(), &hosts.at(std::string{"xyz"}).policy());
  EXPECT_EQ(hosts.size(), 1U);
}

TEST(Partitioned, KeysThatAHashDoesNotTellApartGoForEachOther) {
  struct one_for_all {
    std::size_t operator()(int /*key*/) const { return 7; }
  };
  partitioned<int, token_bucket<28>, detail::make_default<token_bucket<28>>, one_for_all> hosts{1'000};
  for (int key = 0; key < 5'000; ++key) (void)hosts.at(key);
  std::size_t there = 0;
  hosts.for_each([&](int /*key*/, auto const& /*policy*/) { ++there; });
  EXPECT_EQ(hosts.size(), there) << "each that went gave its place back";
  EXPECT_LT(there, 100U) << "a bucket is short, or each key would be compared with a thousand";
}

#if ANEW_EXCEPTIONS
TEST(Partitioned, NothingIsLostWhenTheFactoryThrows) {
  bool throws = false;
  auto hosts = partitioned_by<int>(2, [&] {
    if (throws) throw 1;
    return token_bucket{28};
  });
  for (int key : {1, 3}) (void)hosts.at(key);
  throws = true;
  for (int n = 0; n < 10; ++n) EXPECT_THROW((void)hosts.at(2), int);
  throws = false;
  EXPECT_EQ(hosts.size(), 2U) << "a key went for one that was not made";
  auto const a = hosts.at(1);
  auto const b = hosts.at(2);
  EXPECT_EQ(hosts.overflowed(), 0U);
}
#endif

TEST(Partitioned, AFactoryMayAskTheRegistry) {
  std::function<std::size_t()> size;
  auto hosts = partitioned_by<int>(3, [&] { return token_bucket{size ? 28 + size() : 28}; });
  size = [&] { return hosts.size(); };
  EXPECT_GE(hosts.at(1).policy().capacity(), 28U);
}

// Who is out when the registry goes: leases keep their partition, a permit alone keeps nothing.
TEST(Partitioned, NothingLeaksWithARegistryThatGoesFirst) {
  auto hosts = std::make_unique<buckets>(2);
  auto lease = std::make_unique<leased<token_bucket<28>>>(hosts->at("a"));
  EXPECT_TRUE(lease->try_acquire(failure{}));
  EXPECT_TRUE(hosts->at("b").try_acquire(failure{}));
  hosts.reset();
  EXPECT_EQ(lease->policy().balance(), 14U);
  lease.reset();  // AddressSanitizer counts what stays
}

TEST(Partitioned, ThreadsThatMakeOneKeyGetOnePolicy) {
  for (int round = 0; round < 200; ++round) {
    partitioned<int, token_bucket<28>> hosts{16};
    std::vector<token_bucket<28> const*> found(4);
    std::vector<leased<token_bucket<28>>> kept;
    for (int n = 0; n < 4; ++n) kept.push_back(hosts.at(-1));
    support::together(4, [&](unsigned index) { found[index] = &hosts.at(round).policy(); });
    for (auto const* each : found) ASSERT_EQ(each, &hosts.at(round).policy());
    ASSERT_EQ(hosts.size(), 2U);
    ASSERT_EQ(hosts.overflowed(), 0U);
  }
}

TEST(Partitioned, DescribesItselfAndRefusesToHaveNoPartitions) {
  EXPECT_EQ(buckets{1}.at("a").describe(), "partitioned(token_bucket(28))");
  EXPECT_REJECTED(buckets{0}, "anew::partitioned: the number of partitions must be at least 1, but is 0");
  EXPECT_REJECTED(buckets{-1}, "anew::partitioned: the number of partitions must be at least 1, but is -1");
  EXPECT_EQ(buckets{1}.max_size(), 1U);
}

}  // namespace
}  // namespace sharing_test
