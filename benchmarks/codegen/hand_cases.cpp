// SPDX-License-Identifier: BSL-1.0
#include <atomic>
#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/thread_random.hpp"

#include "cases.hpp"

/// The loops as one writes them by hand; they share only the random numbers with anew. Compiled twice: as one function,
/// and tuned, with the back-off told to stay out of line.
#if defined(TUNED)
#define HAND(name) tuned_##name
#define BACK_OFF [[gnu::noinline, gnu::cold]]
#else
#define HAND(name) hand_##name
#define BACK_OFF [[gnu::always_inline]] inline
#endif

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

BACK_OFF void back_off(unsigned attempt) {
  constexpr anew::duration base = milliseconds{50};
  constexpr anew::duration cap = seconds{20};
  auto ceiling = base;
  for (unsigned i = 1; i < attempt && ceiling < cap; ++i) ceiling *= 2;
  if (ceiling > cap) ceiling = cap;
  anew::thread_random random{};
  // Not anew::random_up_to(), which changes with the library.
  auto const width = static_cast<anew::detail::uint128>(ceiling.count()) + 1;
  cases::wait(anew::duration{static_cast<std::int64_t>((width * random()) >> 64U)});
}

constexpr std::uint32_t capacity = 500;
constexpr std::uint32_t cost = 14;
std::atomic<std::uint32_t> balance{capacity};

[[gnu::always_inline]] inline bool take() {
  auto now = balance.load(std::memory_order_relaxed);
  do {
    if (now < cost) return false;
  } while (!balance.compare_exchange_weak(now, now - cost, std::memory_order_relaxed));
  return true;
}

[[gnu::always_inline]] inline void give_back(std::uint32_t amount) {
  auto now = balance.load(std::memory_order_relaxed);
  while (now < capacity) {
    auto const more = now + amount < capacity ? now + amount : capacity;
    if (balance.compare_exchange_weak(now, more, std::memory_order_relaxed)) return;
  }
}

}  // namespace

cases::answer HAND(value)() {
  for (unsigned attempt = 1;; ++attempt) {
    auto result = cases::ask();
    if (result.has_value() || attempt == 3 || result.error() != cases::busy) return result;
    back_off(attempt);
  }
}

cases::answer HAND(noexcept)() {
  for (unsigned attempt = 1;; ++attempt) {
    auto result = cases::ask_quietly();
    if (result.has_value() || attempt == 3 || result.error() != cases::busy) return result;
    back_off(attempt);
  }
}

cases::answer HAND(full_bucket)() {
  for (unsigned attempt = 1;; ++attempt) {
    auto result = cases::ask();
    if (result.has_value()) {
      give_back(attempt == 1 ? 1 : cost);
      return result;
    }
    if (attempt == 3 || result.error() != cases::busy || !take()) return result;
    back_off(attempt);
  }
}

cases::answer HAND(value_or_exception)() {
  for (unsigned attempt = 1;; ++attempt) {
    try {
      auto result = cases::ask();
      if (result.has_value() || attempt == 3) return result;
    } catch (...) {
      if (attempt == 3) throw;
    }
    back_off(attempt);
  }
}

cases::answer HAND(attempt_number)() {
  for (unsigned attempt = 1;; ++attempt) {
    auto result = cases::ask_nth(attempt);
    if (result.has_value() || attempt == 3 || result.error() != cases::busy) return result;
    back_off(attempt);
  }
}

cases::answer HAND(attempt_reference)() {
  for (unsigned attempt = 1;; ++attempt) {
    anew::attempt::parts parts{};
    parts.number = attempt;
    anew::attempt self{parts};
    auto result = cases::ask_about(self);
    if (result.has_value() || attempt == 3 || result.error() != cases::busy) return result;
    back_off(attempt);
  }
}

cases::answer HAND(observer_of_retry)() {
  for (unsigned attempt = 1;; ++attempt) {
    auto result = cases::ask();
    if (result.has_value() || attempt == 3 || result.error() != cases::busy) return result;
    cases::tell_retry(attempt + 1);
    back_off(attempt);
  }
}

cases::answer HAND(observer_of_end)() {
  for (unsigned attempt = 1;; ++attempt) {
    try {
      auto result = cases::ask();
      if (result.has_value() || attempt == 3 || result.error() != cases::busy) {
        cases::tell_end(attempt);
        return result;
      }
    } catch (...) {
      cases::tell_end(attempt);
      throw;
    }
    back_off(attempt);
  }
}

cases::text HAND(expected)() {
  for (unsigned attempt = 1;; ++attempt) {
    auto result = cases::ask_for_text();
    if (result.has_value() || attempt == 3 || result.error() != cases::busy) return result;
    back_off(attempt);
  }
}

cases::reading HAND(expected_in_place)() {
  for (unsigned attempt = 1;; ++attempt) {
    auto result = cases::ask_for_reading();
    if (result.has_value() || attempt == 3 || result.error() != cases::busy) return result;
    back_off(attempt);
  }
}

int HAND(exceptions)() {
  for (unsigned attempt = 1;; ++attempt) {
    try {
      return cases::ask_or_throw();
    } catch (...) {
      if (attempt == 3) throw;
    }
    back_off(attempt);
  }
}

namespace {

[[gnu::always_inline]] inline cases::answer plain_fails(unsigned failures) {
  cases::fail_next(failures);
  for (unsigned attempt = 1;; ++attempt) {
    auto result = cases::ask_busy();
    if (result.has_value() || attempt == 20 || result.error() != cases::busy) return result;
    back_off(attempt);
  }
}

[[gnu::always_inline]] inline cases::answer bucket_fails(unsigned failures) {
  cases::fail_next(failures);
  for (unsigned attempt = 1;; ++attempt) {
    auto result = cases::ask_busy();
    if (result.has_value()) {
      give_back(attempt == 1 ? 1 : cost);
      return result;
    }
    if (attempt == 20 || result.error() != cases::busy || !take()) return result;
    back_off(attempt);
  }
}

}  // namespace

cases::answer HAND(plain_fails_2)() { return plain_fails(2); }
cases::answer HAND(plain_fails_10)() { return plain_fails(10); }
cases::answer HAND(bucket_fails_2)() { return bucket_fails(2); }
cases::answer HAND(bucket_fails_10)() { return bucket_fails(10); }
