// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/presets/smithy.hpp"
#include "anew/smithy_kotlin.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

#include "names.hpp"

namespace preset_smithy_kotlin_test {
namespace {

using namespace anew;
namespace kotlin = anew::smithy_kotlin;

struct service_error : std::runtime_error, retry_info {
  service_error(bool throttling, std::optional<duration> hint, bool final_)
      : std::runtime_error{"service"}, throttle{throttling}, after{hint}, is_final{final_} {}
  [[nodiscard]] retry_safety is_retry_safe() const override { return is_final ? retry_safety::no : retry_safety::yes; }
  [[nodiscard]] bool is_throttle() const override { return throttle; }
  [[nodiscard]] std::optional<duration> retry_after() const override { return after; }
  bool throttle;
  std::optional<duration> after;
  bool is_final;
};

/// One attempt: its answer, and the balance and the delay after it, as published.
enum class answer : std::uint8_t { ok, error, throttling, missing };
struct step {
  answer what;
  std::uint32_t balance;
  std::optional<duration> delay{};  // nothing: the call ends
  std::optional<duration> header{};
};
step ok(std::uint32_t balance) { return {answer::ok, balance}; }
step error(std::uint32_t balance, std::optional<duration> delay = {}, std::optional<duration> header = {}) {
  return {answer::error, balance, delay, header};
}
struct published {
  char const* name;
  std::uint32_t max_attempts;
  std::uint32_t capacity;
  duration cap;
  std::vector<step> steps;
};

// smithy-lang/smithy-kotlin, NewStandardRetryIntegrationTestResources.kt: the cases of 2026, with the jitter fixed at 1.
// "no header" stands for one that is no number, and the balance is what all calls share.
std::vector<published> const tables = {
    {"retry, then success", 3, 500, 20s, {error(486, 50ms), error(472, 100ms), ok(486)}},
    {"max attempts", 3, 500, 20s, {error(486, 50ms), error(472, 100ms), error(472)}},
    {"quota after one retry", 3, 14, 20s, {error(0, 50ms), error(0)}},
    {"no quota", 3, 0, 20s, {error(0)}},
    {"exponential",
     5,
     500,
     20s,
     {error(486, 50ms), error(472, 100ms), error(458, 200ms), error(444, 400ms), error(444)}},
    {"max backoff",
     5,
     500,
     200ms,
     {error(486, 50ms), error(472, 100ms), error(458, 200ms), error(444, 200ms), error(444)}},
    {"quota exhausted midway", 5, 20, 20s, {error(6, 50ms), error(6)}},
    {"quota recovers", 5, 30, 20s, {error(16, 50ms), error(2, 100ms), ok(16), error(2, 50ms), ok(16)}},
    {"throttling", 3, 500, 20s, {step{answer::throttling, 495, 1s}, ok(500)}},
    {"not retryable", 2, 500, 20s, {step{answer::missing, 500}}},
    {"header is obeyed", 3, 500, 20s, {error(486, 1500ms, 1500ms), ok(500)}},
    {"header is too short", 3, 500, 20s, {error(486, 50ms, 0ms), ok(500)}},
    {"header is too long", 3, 500, 20s, {error(486, 5050ms, 10s), ok(500)}},
    {"header is none", 3, 500, 20s, {error(486, 50ms), ok(500)}},
};

/// Makes the calls of a table: `call(operation)` is one, `balance()` and `slept` are compared after each attempt.
void play(published const& table, auto const& call, auto const& balance, std::vector<duration>& slept) {
  SCOPED_TRACE(table.name);
  std::size_t at = 0;
  std::vector<duration> delays;
  while (at < table.steps.size()) {
    auto const began = at;
    bool const succeeded = call([&] {
      // The balance after a retry is that before the next attempt.
      if (at > began) {
        EXPECT_EQ(balance(), table.steps[at - 1].balance);
      }
      auto const& now = table.steps.at(at++);
      if (now.what == answer::ok) return 1;
      throw service_error{now.what == answer::throttling, now.header, now.what == answer::missing};
    });
    auto const& last = table.steps[at - 1];
    EXPECT_EQ(succeeded, last.what == answer::ok);
    EXPECT_FALSE(last.delay) << "the call ended after attempt " << at;
    EXPECT_EQ(balance(), last.balance);
  }
  for (auto const& each : table.steps) {
    if (each.delay) delays.push_back(*each.delay);
  }
  EXPECT_EQ(slept, delays);
}

bool succeeds(auto const& retry) {
  try {
    return retry() == 1;
  } catch (service_error const&) {
    return false;
  }
}

TEST(SmithyKotlin, TheClassesDecideAsPublished) {
  for (auto const& table : tables) {
    std::vector<duration> slept;
    auto const time = kotlin::make_time_source(manual_clock{}, [&](duration delay) { slept.push_back(delay); });
    kotlin::standard_retry_token_bucket_options const b{.capacity = table.capacity};
    auto const bucket = std::make_shared<kotlin::standard_retry_token_bucket>(b, time);
    kotlin::exponential_backoff_with_jitter_options const e{.max_backoff = table.cap};
    scripted_random const random{highest_word};
    auto const delayer = std::make_shared<kotlin::exponential_backoff_with_jitter>(e, time, random);
    kotlin::standard_retry_strategy const strategy{{.max_attempts = table.max_attempts}, bucket, delayer, time};
    play(
        table,
        [&](auto const& operation) {
          return succeeds([&] { return strategy.retry(kotlin::standard_retry_policy{}, operation); });
        },
        [&] { return bucket->balance(); }, slept);
  }
}

TEST(SmithyKotlin, TheStaticStrategyDecidesAsPublished) {
  for (auto const& table : tables) {
    std::vector<duration> slept;
    using usual = exponential_backoff<run_time, run_time>;
    using by_kind = by_kind_backoff<for_kind<error_kind::throttling, usual>, usual>;
    with<kotlin::standard, by_kind, token_bucket<run_time_count>, anew::max_attempts<run_time_count>,
         scripted_random> const strategy{
        by_kind{on_kind<error_kind::throttling>(usual{std::min<duration>(1s, table.cap), table.cap}),
                usual{50ms, table.cap}},
        token_bucket{table.capacity}, anew::max_attempts{table.max_attempts}, scripted_random{highest_word}};
    play(
        table,
        [&](auto const& operation) {
          return succeeds(
              [&] { return anew::retry(strategy, throws_only(operation), [&](duration d) { slept.push_back(d); }); });
        },
        [&] { return strategy.quota().balance(); }, slept);
  }
}

}  // namespace
}  // namespace preset_smithy_kotlin_test
