// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BENCHMARKS_RUNTIME_LOOPS_HPP
#define ANEW_BENCHMARKS_RUNTIME_LOOPS_HPP

#include <cstdint>

#include "anew/anew.hpp"

#include "hand_bucket.hpp"
#include "outside.hpp"

/// One policy, through anew and by hand: 3 attempts, 50 ms doubling up to 20 s, full jitter. No sleeper sleeps.
namespace loops {

using namespace std::chrono_literals;

struct is_busy {
  constexpr bool operator()(int code) const noexcept { return code == outside::busy; }
};

using plain = anew::strategy<anew::exponential_backoff<50ms, 20s>, anew::full_jitter, anew::retry_if<is_busy>,
                             anew::max_attempts<3>>;
using catching = anew::with<plain, anew::retry_all>;

/// As large as a bucket can be, and as cheap as a retry can be: half-empty, it is neither full nor empty for as long as it
/// is measured. What half of it costs is the price of a retry after throttling.
inline constexpr std::uint32_t ocean = 4294967295;
inline constexpr std::uint32_t half_an_ocean = ocean / 2;
using cheap_bucket = anew::token_bucket<ocean, anew::retry_costs{1, half_an_ocean, 1, 1, 1}>;

inline std::int64_t slept = 0;
inline void no_sleep(anew::duration delay) noexcept { slept += delay.count(); }

inline anew::duration hand_delay(unsigned attempt) noexcept {
  constexpr anew::duration base = 50ms;
  constexpr anew::duration cap = 20s;
  auto ceiling = base;
  for (unsigned i = 1; i < attempt && ceiling < cap; ++i) ceiling *= 2;
  if (ceiling > cap) ceiling = cap;
  anew::thread_random random{};
  return anew::random_up_to(ceiling, random);
}

template <auto Op>
[[gnu::noinline]] outside::answer by_hand() {
  for (unsigned attempt = 1;; ++attempt) {
    auto result = Op();
    if (result.has_value() || attempt == 3 || result.error() != outside::busy) return result;
    no_sleep(hand_delay(attempt));
  }
}

template <auto Op>
[[gnu::noinline]] outside::answer by_hand_with_bucket(hand_bucket& bucket, std::uint32_t cost) {
  for (unsigned attempt = 1;; ++attempt) {
    auto result = Op();
    if (result.has_value()) {
      bucket.give_back(attempt == 1 ? 1 : cost);
      return result;
    }
    if (attempt == 3 || result.error() != outside::busy || !bucket.take(cost)) return result;
    no_sleep(hand_delay(attempt));
  }
}

template <auto Op>
[[gnu::noinline]] int by_hand_with_exceptions() {
  for (unsigned attempt = 1;; ++attempt) {
    try {
      return Op();
    } catch (...) {
      if (attempt == 3) throw;
    }
    no_sleep(hand_delay(attempt));
  }
}

template <auto Op>
[[gnu::noinline]] outside::answer by_anew() {
  return anew::retry(plain{}, Op, no_sleep);
}

template <auto Op, class Strategy>
[[gnu::noinline]] outside::answer by_anew_with(Strategy const& strategy) {
  return anew::retry(strategy, Op, no_sleep);
}

template <auto Op>
[[gnu::noinline]] int by_anew_with_exceptions() {
  return anew::retry(catching{}, anew::throws_only([] { return Op(); }), no_sleep);
}

}  // namespace loops

#endif
