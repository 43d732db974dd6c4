// SPDX-License-Identifier: BSL-1.0
// How long an attempt waits for a token of the client rate limiter. The words of `setup` are a vocabulary.
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "anew/pacer/client_rate_limiter.hpp"
#include "anew/pacer/internal/pacing_bucket.hpp"
#include "anew/value/failure.hpp"

#include "acquire.hpp"
#include "rate_parts.hpp"

namespace replay {

namespace {

anew::time_point at(double seconds) { return time_or_zero(json{{"t", seconds}}, "t"); }
double in_seconds(anew::duration wait) { return static_cast<double>(wait.count()) / 1e9; }

/// Who asks for how much of which bucket, and when.
struct situation {
  anew::pacing_bucket bucket;
  double asked_at = 0;
  std::optional<double> measured{};
};

/// A limiter that began at zero and met one throttled response at `t`: the tokens come back at its rate from then on.
situation after_one_throttled(double t, anew::rate_limiter_constants const& constants, double asked_at) {
  anew::client_rate_limiter const limiter{constants, at(0)};
  limiter.on_failure(anew::failure{.kind = anew::error_kind::throttling}, at(t));
  situation now{.bucket = {}, .asked_at = asked_at, .measured = limiter.measured_rate()};
  now.bucket.set_rate(limiter.fill_rate(), at(t), constants);
  return now;
}

anew::pacing_bucket filled_at(double rate, anew::rate_limiter_constants const& constants) {
  anew::pacing_bucket bucket;
  bucket.set_rate(rate, at(0), constants);
  return bucket;
}

constexpr std::array<std::string_view, 8> setups{
    "one throttled response at t=0 (measured 0)",
    "same",
    "clock 0 at construction, one throttled response at t",
    "capacity 1-1e-12, fill .5",
    "enabled, fill 20, capacity 0",
    "enabled, fill 10, max_capacity 100, capacity 0",
    "enabled, fill 10, capacity 0, amount 100, non-blocking",
    "fill 10, waiter asks 1 (100 ms); fill set to .5 during the sleep",
};

situation situation_of(json const& one, std::string_view setup, anew::rate_limiter_constants constants) {
  double const asked = find(one, "acquire_at") == nullptr ? 0 : number(one, "acquire_at");
  if (setup == setups[0] || setup == setups[1]) return after_one_throttled(0, constants, asked);
  if (setup == setups[2]) return after_one_throttled(asked, constants, asked);
  if (setup == setups[3]) {
    // A second at that rate leaves a little less than a token.
    auto bucket = filled_at(1 - 1e-12, constants);
    bucket.set_rate(0.5, at(1), constants);
    return {.bucket = bucket, .asked_at = 1};
  }
  if (setup == setups[4]) return {.bucket = filled_at(20, constants), .asked_at = asked};
  if (setup == setups[5] || setup == setups[6]) {
    constants.min_capacity = 100;  // room for what is asked
    return {.bucket = filled_at(10, constants), .asked_at = asked};
  }
  auto bucket = filled_at(10, constants);
  bucket.set_rate(0.5, at(0.05), constants);  // in the middle of the sleep
  return {.bucket = bucket, .asked_at = 0.1};
}

std::optional<difference> wrong(char const* name, double expected, double got, double tolerance) {
  if (is_close(got, expected, tolerance)) return std::nullopt;
  return difference{std::string{name}.append(" ").append(shown(expected)), shown(got)};
}

/// What is expected in words.
bool holds(std::string const& expected, anew::duration wait, double capacity) {
  bool const waits = wait > anew::duration::zero() && capacity >= 0;
  if (expected == "granted") return wait == anew::duration::zero();
  if (expected == "capacity_not_available" || expected == "every try is a positive wait, capacity stays >= 0" ||
      expected == "re-check and sleep again; capacity never negative") {
    return waits;
  }
  throw malformed{"'expected' is none that is known: " + expected};
}

}  // namespace

bool is_situation(json const& one) {
  if (!one.is_object() || find(one, "setup") == nullptr || !one["setup"].is_string()) return false;
  auto const setup = text(one, "setup");
  return setup == "no throttle seen" || std::ranges::find(setups, setup) != setups.end();
}

std::optional<difference> replay_acquire(json const& file, json const& one) {
  refuse_others(one,
                {"setup", "fill_rate", "max_capacity", "acquire_at", "count", "tries", "amount", "wait_s",
                 "wait_s_each", "wait_ms", "capacity_after", "measured", "expected"},
                "a situation");
  auto const setup = text(one, "setup");
  auto const constants = constants_of(file, one);
  double const tolerance = tolerance_of(file, one);
  if (setup == "no throttle seen") {
    anew::client_rate_limiter<anew::when_limited::fail_fast, anew::at_run_time<anew::rate_limiter_constants>> const
        limiter{constants, at(0)};
    typename decltype(limiter)::ticket_type ticket{};
    auto const pace = limiter.ask(ticket, at(number(one, "acquire_at")));
    if (pace.refused) return difference{"no refusal", "a refusal"};
    return wrong("wait_s", number(one, "wait_s"), in_seconds(pace.wait), tolerance);
  }
  auto now = situation_of(one, setup, constants);
  auto const compare = [&](char const* name, double got) {
    return find(one, name) == nullptr ? std::nullopt : wrong(name, number(one, name), got, tolerance);
  };
  bool says_something = false;
  double const amount = setup == setups[6] ? 100 : find(one, "amount") == nullptr ? 1 : number(one, "amount");
  std::uint32_t tries = 1;
  for (char const* const name : {"count", "tries"}) {
    if (find(one, name) != nullptr) tries = count(one, name);
  }
  for (; tries != 0; --tries) {
    auto const wait = now.bucket.try_take(amount, at(now.asked_at));
    for (auto const& [name, got] :
         {std::pair{"wait_s", in_seconds(wait)}, std::pair{"wait_s_each", in_seconds(wait)},
          std::pair{"wait_ms", in_seconds(wait) * 1000}, std::pair{"capacity_after", now.bucket.capacity()},
          std::pair{"fill_rate", now.bucket.fill_rate()}, std::pair{"max_capacity", now.bucket.max_capacity()},
          std::pair{"measured", now.measured.value_or(0)}}) {
      says_something = says_something || find(one, name) != nullptr;
      if (auto found = compare(name, got)) return found;
    }
    if (find(one, "expected") != nullptr) {
      says_something = true;
      if (!holds(text(one, "expected"), wait, now.bucket.capacity())) {
        return difference{text(one, "expected"), shown(in_seconds(wait)) + " s to wait"};
      }
    }
  }
  if (!says_something) throw malformed{"nothing to compare"};
  return std::nullopt;
}

}  // namespace replay
