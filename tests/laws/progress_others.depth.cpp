// SPDX-License-Identifier: BSL-1.0
// What else has a state or takes a time: the estimate by which calls are hedged, the registry of partitions, the reset.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/hedge/hedge_at_quantile.hpp"
#include "anew/policies/limits/reset_after.hpp"
#include "anew/policies/sharing/partitioned.hpp"

#include "depth.hpp"
#include "names.hpp"

namespace {

using support::bounded;

/// Any duration of 64 bits, each order of magnitude as often as another, negative ones too.
duration any_duration(anew::generator& dice) {
  auto const ticks = static_cast<std::int64_t>(dice() >> dice() % 64);
  return duration{dice() % 8 == 0 ? -ticks : ticks};
}

TEST(ResetInDepth, ARunCountsWhenItIsLongEnough) {
  anew::generator dice{1, 4};
  for (int i = 0; i < 1'000'000; ++i) {
    auto const ran = any_duration(dice);
    ASSERT_EQ(anew::reset_after<30s>{}.starts_over(ran), ran.count() >= 30'000'000'000);
    duration const stable{1 + static_cast<std::int64_t>(dice() >> (1 + dice() % 63))};
    ASSERT_EQ(anew::reset_after{stable}.starts_over(ran), ran >= stable) << ran.count() << ", " << stable.count();
  }
}

/// The formula, a step at a time, in numbers with a fraction: the estimate may differ by its rounding alone.
struct naive_step {
  explicit naive_step(anew::quantile_parameters const& p) : p_{p} {}
  void expect(duration before, duration sample, duration after) const {
    if (sample == before) return;  // a fraction of a nanosecond decides
    auto const quantile = static_cast<long double>(p_.num) / p_.den;
    auto const share = (sample > before ? quantile : quantile - 1) / p_.samples;
    auto const next =
        std::clamp(static_cast<long double>(before.count()) * (1 + share), static_cast<long double>(p_.lower.count()),
                   static_cast<long double>(p_.upper.count()));
    ASSERT_NEAR(static_cast<double>(after.count()), static_cast<double>(next), 3) << support::told();
  }

 private:
  anew::quantile_parameters p_;
};

TEST(HedgingInDepth, TheEstimateIsThatOfTheFormula) {
  constexpr anew::quantile_parameters all[]{{95, 100, 100ms, 1ms, 10s, 64},
                                            {1, 1000, 24h, 1us, 24h, 1},
                                            {999, 1000, 1us, 1us, 24h, 1},
                                            {1, 2, 1s, 1us, 24h, 1000}};
  for (auto const& p : all) {
    anew::hedge_at_quantile const hedging{p};
    anew::generator dice{2, 4};
    naive_step const formula{p};
    for (int i = 0; i < 300'000; ++i) {
      auto const before = hedging.delay();
      // Near the estimate or anywhere.
      auto const near = before + duration{static_cast<std::int64_t>(dice() % 2'000) - 1'000};
      auto const sample = dice() % 2 == 0 ? near : any_duration(dice);
      if (dice() % 8 == 0) {
        bounded("on_late", time_point{sample}, [&] { hedging.on_late(); });
        formula.expect(before, duration::max(), hedging.delay());
      } else {
        bounded("on_answer", time_point{sample}, [&] { hedging.on_answer(sample); });
        formula.expect(before, sample, hedging.delay());
      }
      ASSERT_TRUE(hedging.delay() >= p.lower && hedging.delay() <= p.upper) << support::told();
      if (HasFatalFailure()) return;
    }
  }
}

/// A registry as a list by hand: the key that was asked for last comes first.
struct naive_registry {
  struct partition {
    int key;
    std::int64_t balance;
    int leases;
  };
  using place = std::list<partition>::iterator;

  explicit naive_registry(std::size_t most) : most_{most} {}

  place at(int key) {
    auto found = std::find_if(all_.begin(), all_.end(), [key](partition const& p) { return p.key == key; });
    if (found != all_.end()) {
      all_.splice(all_.begin(), all_, found);
    } else if (all_.size() < most_ || forget_one()) {
      all_.push_front({key, 28, 0});
    } else {
      ++overflowed;
      return overflow_.begin();
    }
    return all_.begin();
  }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  std::uint64_t overflowed = 0;

 private:
  bool forget_one() {
    for (auto it = all_.end(); it != all_.begin();) {
      --it;
      if (it->leases != 0) continue;
      all_.erase(it);
      return true;
    }
    return false;
  }
  std::size_t most_;
  std::list<partition> all_;
  std::list<partition> overflow_{{-1, 28, 0}};
};

TEST(PartitionedInDepth, TheKeyAskedForLongestAgoMakesRoom) {
  struct held {
    anew::leased<anew::token_bucket<28>> lease;
    naive_registry::place expected;
    bool has_permit;
  };
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    auto const most = static_cast<std::size_t>(1 + 3 * seed);
    anew::partitioned<int, anew::token_bucket<28>> registry{static_cast<int>(most)};
    naive_registry naive{most};
    anew::generator dice{seed, 5};
    std::vector<held> leases;
    for (int i = 0; i < 100'000; ++i) {
      auto const roll = dice();
      auto const key = static_cast<int>((roll >> 8U) % (2 * most + 2));
      if (roll % 2 == 0 || leases.empty()) {
        auto const expected = naive.at(key);
        auto const lease = bounded("at", time_point{}, [&] { return registry.at(key); });
        ASSERT_EQ(lease.policy().balance(), expected->balance) << i;
        if (roll % 4 == 0 && leases.size() < most + 3) {
          ++expected->leases;
          leases.push_back({lease, expected, false});
        }
      } else {
        auto const which = (roll >> 32U) % leases.size();
        auto& one = leases[which];
        if (!one.has_permit && roll % 4 == 1) {
          one.has_permit = one.lease.try_acquire(failure{}).has_value();
          ASSERT_EQ(one.has_permit, one.expected->balance >= 14);
          one.expected->balance -= one.has_permit ? 14 : 0;
        } else {
          if (one.has_permit) {
            one.lease.release(14);
            one.expected->balance += 14;
          }
          --one.expected->leases;
          leases.erase(leases.begin() + static_cast<std::ptrdiff_t>(which));
        }
      }
      ASSERT_EQ(registry.size(), naive.size());
      ASSERT_EQ(registry.overflowed(), naive.overflowed);
    }
  }
}

}  // namespace
