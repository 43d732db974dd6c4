// SPDX-License-Identifier: BSL-1.0
// Quotas that are counted in stripes, in every order that a few threads may take. Several words change here, of which the
// explorer knows the sequentially consistent orders alone.
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "anew/policies/quota/striped.hpp"

#include "explorer.hpp"

namespace {

using namespace std::chrono_literals;
using anew::failure;
using anew::striped;
using anew::time_point;

/// Sets the stripe of an operation, and makes it.
auto on(unsigned stripe, auto const& operation) {
  model::stripe_of_next_operation = stripe;
  return operation();
}

using bucket = anew::token_bucket<anew::run_time_count>;
constexpr anew::retry_costs two = anew::retry_costs::all(2);

/// What came of all orders.
struct grants {
  std::uint64_t orders = 0, granted = 0, refused = 0, violations = 0;
};

/// One withdrawal of 2 and two deposits of 1, in two stripes, at a bucket of that capacity which has 1.
grants one_withdrawal_and_two_deposits(std::uint32_t capacity, unsigned spurious) {
  struct world {
    explicit world(std::uint32_t tokens) : quota{tokens, two, 1} {}
    striped<bucket, 2> quota;
    unsigned begun = 0;
    unsigned done = 0;
    unsigned done_before = 0;  // the deposits that the withdrawal must see
    bool is_granted = false;
    bool is_wrong = false;
  };
  grants found;
  model::explorer explorer{spurious};
  found.orders = explorer.explore([&] {
    auto w = std::make_shared<world>(capacity);
    auto const deposit = [w](unsigned stripe) {
      return [w, stripe] {
        ++w->begun;
        on(stripe, [&] { w->quota.on_success(0); });
        ++w->done;
      };
    };
    model::explorer::scenario s;
    s.shared = w.get();
    s.threads = {[w] {
                   w->done_before = w->done;
                   w->is_granted = w->quota.try_acquire(failure{}).has_value();
                   if (w->is_granted ? w->begun == 0 : w->done_before != 0) w->is_wrong = true;
                 },
                 deposit(0), deposit(1)};
    s.at_the_end = [w, &found, capacity] {
      auto const balance = w->quota.policy().balance();
      ++(w->is_granted ? found.granted : found.refused);
      bool const is_exact = w->is_granted ? balance == 1 : balance == 3;
      bool const is_clamped = w->is_granted ? balance <= 1 : balance == 2;
      if (w->is_wrong || !(capacity > 2 ? is_exact : is_clamped)) ++found.violations;
    };
    return s;
  });
  return found;
}

TEST(StripedModel, AWithdrawalTakesInWhatWasDepositedAlsoAtTheCapacity) {
  for (std::uint32_t const capacity : {10U, 2U}) {
    auto const found = one_withdrawal_and_two_deposits(capacity, 1);
    EXPECT_EQ(found.violations, 0U) << capacity;
    EXPECT_GT(found.orders, 20U) << capacity;
    EXPECT_GT(found.granted, 0U) << capacity;
    EXPECT_GT(found.refused, 0U) << capacity;
  }
}

// Two threads of which each withdraws what it deposited: together never more than there was and was earned.
TEST(StripedModel, TwoWithdrawalsShareWhatIsThere) {
  std::uint64_t violations = 0;
  std::uint64_t granted = 0;
  model::explorer explorer{0};
  auto const orders = explorer.explore([&] {
    struct world {
      striped<bucket, 2> quota{10, two, 1};
      unsigned out = 0;
    };
    auto w = std::make_shared<world>();
    auto const use = [w](unsigned stripe) {
      return [w, stripe] {
        on(stripe, [&] { w->quota.on_success(0); });
        if (w->quota.try_acquire(failure{})) ++w->out;
      };
    };
    model::explorer::scenario s;
    s.shared = w.get();
    s.threads = {use(0), use(1)};
    s.at_the_end = [w, &violations, &granted] {
      granted += w->out;
      if (w->out != 1 || w->quota.policy().balance() != 1) ++violations;  // 1 + 1 + 1 pays for one
    };
    return s;
  });
  EXPECT_EQ(violations, 0U);
  EXPECT_GT(granted, 100U);
  EXPECT_GT(orders, 100U);
}

using concurrency = anew::concurrency_budget<100, 0>;

/// What threads do to a budget of as many retries as calls: 'b' begins a call in stripe 0 and 'B' in stripe 1, 'e' and
/// 'E' end one there, 'a' asks for a retry, 'r' releases one.
using program = char const*;

/// Every order of these programs, with a call under way in stripe 0 when they begin if `has_call`. A retry is granted only where one word of calls and retries would have granted it at
/// some moment between its question and its answer.
template <class Quota>
grants check(std::vector<program> const& programs, bool has_call = false) {
  struct world {
    Quota quota{};
    std::vector<bool> asks;      // whether a thread waits for its answer
    std::vector<bool> had_room;  // since it asked
  };
  grants found;
  model::explorer explorer{0};
  auto const make = [&] {
    auto w = std::make_shared<world>();
    if (has_call) on(0, [&] { w->quota.on_call(time_point{}); });
    w->asks.resize(programs.size());
    w->had_room.resize(programs.size());
    auto const has_room = [w] { return w->quota.retries() < w->quota.calls(); };
    model::explorer::scenario s;
    for (std::size_t id = 0; id != programs.size(); ++id) {
      s.threads.emplace_back([w, id, p = programs[id], &found] {
        unsigned held = 0;
        for (auto const* at = p; *at != '\0'; ++at) {
          switch (*at) {
            case 'b':
            case 'B': on(*at == 'B' ? 1 : 0, [&] { w->quota.on_call(time_point{}); }); break;
            case 'e':
            case 'E': on(*at == 'E' ? 1 : 0, [&] { w->quota.on_call_end(); }); break;
            case 'a': {
              w->asks[id] = true;
              w->had_room[id] = false;  // until the next step is over: that one begins before the answer
              bool const is_granted = w->quota.try_acquire(failure{}).has_value();
              w->asks[id] = false;
              if (is_granted && !w->had_room[id]) ++found.violations;
              held += is_granted ? 1U : 0U;
              ++(is_granted ? found.granted : found.refused);
              break;
            }
            default:
              if (held != 0) {
                --held;
                w->quota.release(1);
              }
          }
        }
      });
    }
    s.after_each_step = [w, has_room] {
      bool const room = has_room();
      for (std::size_t id = 0; id != w->asks.size(); ++id) {
        if (w->asks[id] && room) w->had_room[id] = true;
      }
    };
    s.at_the_end = [w, &found] {
      if (w->quota.calls() != 0) ++found.violations;
    };
    return s;
  };
  found.orders = explorer.explore(make, [&] { return found.violations != 0; });
  return found;
}

using counted = anew::detail::striped_concurrency<concurrency, 2>;
using counted_once = anew::detail::striped_concurrency<concurrency, 1>;

TEST(StripedModel, ACallThatHasEndedIsNotAddedToOneThatBegins) {
  for (auto const& programs : {std::vector<program>{"beBE", "aa"}, std::vector<program>{"BEbe", "aa"},
                               std::vector<program>{"bBeE", "aa"}, std::vector<program>{"be", "BE", "a"}}) {
    auto const found = check<counted>(programs);
    EXPECT_EQ(found.violations, 0U);
    EXPECT_GT(found.granted, 0U);
    EXPECT_GT(found.refused, 0U);
    EXPECT_GT(found.orders, 100U);
  }
}

// A retry comes and goes while another one sums: the word has the same retries as before, and is another one.
TEST(StripedModel, ARetryThatCameAndWentIsSeen) {
  auto const found = check<counted_once>({"ebe", "ar", "a"}, true);
  EXPECT_EQ(found.violations, 0U);
  EXPECT_GT(found.granted, 0U);
  EXPECT_GT(found.orders, 10'000U);
}

/// Budgets that are wrong in the usual ways: it must be seen, or the above proves nothing.
struct in_two_stripes {
  void on_call(time_point /*now*/) { calls_[anew::detail::thread_number()].begun.fetch_add(1); }
  void on_call_end() { calls_[anew::detail::thread_number()].ended.fetch_add(1); }
  void release(std::uint32_t) { retries_.fetch_add(~std::uint64_t{0}); }
  [[nodiscard]] std::uint64_t retries() const { return retries_.load(); }
  [[nodiscard]] std::uint64_t calls() const {
    return calls_[0].begun.load() + calls_[1].begun.load() - calls_[0].ended.load() - calls_[1].ended.load();
  }

 protected:
  std::optional<std::uint32_t> acquire(auto const& count) {
    auto word = retries_.load();
    while (word < count()) {
      if (retries_.compare_exchange_weak(word, word + 1)) return 1;
    }
    return std::nullopt;
  }
  struct pair {
    anew::detail::atomic_cell<std::uint64_t> begun{0};
    anew::detail::atomic_cell<std::uint64_t> ended{0};
  };
  pair calls_[2];
  anew::detail::atomic_cell<std::uint64_t> retries_{0};
};

struct sums_the_ended_first : in_two_stripes {
  std::optional<std::uint32_t> try_acquire(failure const&) {
    return acquire([this] {
      auto const ended = calls_[0].ended.load() + calls_[1].ended.load();
      return calls_[0].begun.load() + calls_[1].begun.load() - ended;
    });
  }
};
struct sums_stripe_by_stripe : in_two_stripes {
  std::optional<std::uint32_t> try_acquire(failure const&) {
    return acquire([this] {
      std::uint64_t sum = 0;
      for (auto& each : calls_) {
        auto const begun = each.begun.load();
        sum += begun - each.ended.load();
      }
      return sum;
    });
  }
};
struct does_not_number_its_grants : in_two_stripes {
  std::optional<std::uint32_t> try_acquire(failure const&) {
    return acquire([this] {
      auto const begun = calls_[0].begun.load();
      auto const ended = calls_[0].ended.load();
      return begun > ended ? begun - ended : 0;
    });
  }
};

TEST(StripedModel, FindsWrongSumsAndGrantsWithoutANumber) {
  EXPECT_GT((check<sums_the_ended_first>({"beBE", "aa"}).violations), 0U);
  EXPECT_GT((check<sums_stripe_by_stripe>({"beBE", "aa"}).violations), 0U);
  EXPECT_GT((check<does_not_number_its_grants>({"ebe", "ar", "a"}, true).violations), 0U);
}

constexpr time_point start{1000s};

// A call comes late while retries sum the older tenths. Three calls allow three retries.
TEST(StripedModel, ALateCallBesideASum) {
  struct world {
    striped<anew::retry_budget<100, 0, 1s>, 2> quota;
    unsigned begun = 0;
    unsigned granted = 0;
    bool is_wrong = false;
  };
  std::uint64_t violations = 0;
  std::uint64_t granted = 0;
  model::explorer explorer{0};
  auto const orders = explorer.explore([&] {
    auto w = std::make_shared<world>();
    auto const call = [w](unsigned stripe, time_point now) {
      ++w->begun;
      on(stripe, [&] { w->quota.on_call(now); });
    };
    model::explorer::scenario s;
    s.shared = w.get();
    call(1, start);
    call(1, start + 100ms);
    s.threads = {[=] { call(0, start); },
                 [=] {
                   for (int asked = 0; asked != 2; ++asked) {
                     if (w->quota.try_acquire(failure{}, start + 100ms) && ++w->granted > w->begun) w->is_wrong = true;
                   }
                 }};
    s.at_the_end = [w, &violations, &granted] {
      granted += w->granted;
      if (w->is_wrong || w->granted == 0) ++violations;
      // A call that came late to a sum counts from the next tenth on.
      if (w->quota.policy().balance(start + 200ms) != 3 - w->granted) ++violations;
      while (w->quota.try_acquire(failure{}, start + 200ms)) ++w->granted;
      if (w->granted != 3) ++violations;
      if (w->quota.policy().balance(start + 1200ms) != 0) ++violations;
    };
    return s;
  });
  EXPECT_EQ(violations, 0U);
  EXPECT_GT(granted, 0U);
  EXPECT_GT(orders, 100U);
}

}  // namespace
