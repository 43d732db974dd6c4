// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_NAIVE_QUOTA_HPP
#define ANEW_TESTS_SUPPORT_NAIVE_QUOTA_HPP

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"

#include "depth.hpp"

/// A quota beside a model that neither packs nor saturates: every answer is equal, whatever the pauses.
namespace support {

inline constexpr anew::error_kind kinds[]{anew::error_kind::transient, anew::error_kind::throttling,
                                          anew::error_kind::timeout, anew::error_kind::server,
                                          anew::error_kind::client};

/// The reports that most models ignore. A call never waits for a naive quota.
struct naive_quota {
  static void on_success(std::int64_t /*held*/) {}
  static void on_failure(std::int64_t /*held*/) {}
  static void release(std::int64_t /*held*/) {}
  static void on_call(anew::time_point /*now*/) {}
  static void on_call_end() {}
  static void on_attempt_failed(anew::failure const& /*f*/) {}
  static std::int64_t wait(anew::time_point /*now*/) { return 0; }
};

auto const& looked_at(auto const& quota) {
  if constexpr (requires { quota.policy(); }) {
    return quota.policy();
  } else {
    return quota;
  }
}

/// The balance, of quotas that show one.
void look(auto const& quota, auto const& naive, anew::time_point now) {
  auto const& inner = looked_at(quota);
  if constexpr (requires { inner.balance(now); }) {
    auto const balance = bounded("balance", now, [&] { return inner.balance(now); });
    ASSERT_EQ(balance, static_cast<std::uint64_t>(naive.balance_at(now))) << told();
  } else if constexpr (requires { inner.balance(); }) {
    auto const balance = bounded("balance", now, [&] { return inner.balance(); });
    ASSERT_EQ(balance, static_cast<std::uint64_t>(naive.balance_at(now))) << told();
  }
}

/// The same calls of both, at any time.
template <class Quota, class Naive>
void agree(Quota const& quota, Naive naive, anew::duration unit, std::uint64_t seed, totals& all) {
  using permit_type = typename Quota::permit_type;
  deep_time time{seed, unit.count(), 10 * unit.count()};
  here.seed = seed;
  std::vector<std::pair<permit_type, std::int64_t>> held;
  std::uint64_t calls = 0;
  for (int i = 0; i < 25'000 && !time.is_over(); ++i, ++all.operations) {
    auto const now = time.next();
    auto const roll = time.roll();
    anew::failure const what{.kind = kinds[(roll >> 8U) % 5],
                             .safety = roll % 3 == 0 ? anew::retry_safety::no : anew::retry_safety::yes};
    switch (roll % 8) {
      case 0:
        if constexpr (anew::detail::CountsCallsUnderWay<Quota>) {
          if (calls > 0 && (roll >> 16U) % 2 == 0) {
            bounded("on_call_end", now, [&] { quota.on_call_end(); });
            naive.on_call_end();
            --calls;
          } else {
            bounded("on_call", now, [&] { quota.on_call(now); });
            naive.on_call(now);
            ++calls;
          }
        }
        break;
      case 1:
        if constexpr (requires { quota.on_attempt_failed(what); }) {
          bounded("on_attempt_failed", now, [&] { quota.on_attempt_failed(what); });
          naive.on_attempt_failed(what);
        } else if constexpr (anew::detail::CountsCalls<Quota> && !anew::detail::CountsCallsUnderWay<Quota>) {
          bounded("on_call", now, [&] { quota.on_call(now); });
          naive.on_call(now);
        }
        break;
      case 2:
      case 3:
      case 4: {
        auto const got = bounded("try_acquire", now, [&] { return anew::detail::try_acquire(quota, what, now); });
        auto const expected = naive.try_acquire(what, now);
        ASSERT_EQ(got.has_value(), expected.has_value()) << told();
        if (!got) break;
        ++all.grants;
        if constexpr (requires { quota.wait(*got, now); }) {
          ASSERT_EQ(quota.wait(*got, now).count(), naive.wait(now)) << told();
        }
        if (held.size() < 1000) held.emplace_back(*got, *expected);
        break;
      }
      case 5:
      case 6: {
        bool const is_first = held.empty();
        // A young one or an old one; the others stay out, some of them for ever.
        if (!is_first && roll % 16 > 8) std::swap(held.back(), held[(roll >> 24U) % held.size()]);
        auto const [permit, cost] = is_first ? std::pair{permit_type{}, std::int64_t{0}} : held.back();
        if (!is_first) held.pop_back();
        if ((roll >> 16U) % 2 == 0 || is_first) {
          bounded("on_success", now, [&] { quota.on_success(permit); });
          naive.on_success(cost);
        } else if constexpr (requires { quota.on_failure(permit); }) {
          bounded("on_failure", now, [&] { quota.on_failure(permit); });
          naive.on_failure(cost);
        } else {
          bounded("release", now, [&] { quota.release(permit); });
          naive.release(cost);
        }
        break;
      }
      default: look(quota, naive, now);
    }
    if (testing::Test::HasFatalFailure()) return;
  }
  all.add(time);
}

}  // namespace support

#endif
