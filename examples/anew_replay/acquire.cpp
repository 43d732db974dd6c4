// SPDX-License-Identifier: BSL-1.0
// How long an attempt waits for a token of the client rate limiter. A `setup` is a list of rates, or
// words that stand for one.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/base/failure.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/pacer/internal/pacing_bucket.hpp"

#include "acquire.hpp"
#include "rate_parts.hpp"

namespace replay {

namespace {

anew::time_point at(double seconds) { return time_or_zero(json{{"t", seconds}}, "t"); }
double in_seconds(anew::duration wait) { return static_cast<double>(wait.count()) / 1e9; }

/// One request to a bucket: the bucket, the time of the request and the measured rate.
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

/// A rate that holds from `t` on.
struct rate_at {
  double t;
  double fill_rate;
};

/// A setup in numbers: a bucket that these rates fill, from which a caller takes `amount` at `asked_at`.
struct numbers {
  std::string_view words{};
  std::vector<rate_at> rates{};
  double asked_at = 0;
  double min_capacity = 0;  ///< zero: that of the constants
  double amount = 1;
};

std::vector<numbers> const& setups() {
  static std::vector<numbers> const known{
      {"capacity 1-1e-12, fill .5", {{0, 1 - 1e-12}, {1, 0.5}}, 1},
      {"enabled, fill 20, capacity 0", {{0, 20}}},
      {"enabled, fill 10, max_capacity 100, capacity 0", {{0, 10}}, 0, 100},
      {"enabled, fill 10, capacity 0, amount 100, non-blocking", {{0, 10}}, 0, 100, 100},
      {"fill 10, waiter asks 1 (100 ms); fill set to .5 during the sleep", {{0, 10}, {0.05, 0.5}}, 0.1},
      {"fill .5, waiter asks 1 (2 s); rate set to 100 after 0.1 s", {{0, 0.5}, {0.1, 100}}, 2},
  };
  return known;
}

constexpr std::string_view no_throttle = "no throttle seen";
constexpr std::string_view throttled_at_zero = "one throttled response at t=0 (measured 0)";
constexpr std::string_view throttled_at_t = "clock 0 at construction, one throttled response at t";

/// The numbers of a setup: its own list of rates, or those that its words stand for.
std::optional<numbers> numbers_of(json const& setup) {
  if (setup.is_array()) {
    numbers own;
    for (auto const& one : setup) {
      refuse_others(one, {"t", "fill_rate"}, "a rate of 'setup'");
      own.rates.push_back({number(one, "t"), number(one, "fill_rate")});
    }
    return own;
  }
  for (auto const& known : setups()) {
    if (setup == known.words) return known;
  }
  return std::nullopt;
}

anew::pacing_bucket filled_at(std::vector<rate_at> const& rates, anew::rate_limiter_constants const& constants) {
  anew::pacing_bucket bucket;
  for (auto const& [t, fill_rate] : rates) bucket.set_rate(fill_rate, at(t), constants);
  return bucket;
}

std::optional<difference> wrong(char const* name, double expected, double got, double tolerance) {
  if (is_close(got, expected, tolerance)) return std::nullopt;
  return difference{std::string{name}.append(" ").append(shown(expected)), shown(got)};
}

/// The expectation in words.
bool holds(std::string const& expected, anew::duration wait, double capacity) {
  bool const waits = wait > anew::duration::zero() && capacity >= 0;
  if (expected == "granted") return wait == anew::duration::zero();
  if (expected == "capacity_not_available" || expected == "every try is a positive wait, capacity stays >= 0" ||
      expected == "re-check and sleep again; capacity never negative") {
    return waits;
  }
  throw malformed{"'expected' must be a known expectation, but is " + expected};
}

}  // namespace

bool is_situation(json const& setup) {
  return setup == no_throttle || setup == throttled_at_zero || setup == throttled_at_t || setup.is_array() ||
         numbers_of(setup).has_value();
}

std::optional<difference> replay_acquire(json const& file, json const& one, json const& setup) {
  refuse_other_than_constants(
      one,
      {"setup", "fill_rate", "max_capacity", "acquire_at", "count", "tries", "amount", "wait_s", "wait_s_each",
       "wait_ms", "capacity_after", "capacity_between", "measured", "expected", "botocore", "ruby", "tolerance"},
      "a situation");
  auto constants = constants_of(file, one);
  double const tolerance = tolerance_of(file, one);
  if (setup == no_throttle) {
    anew::client_rate_limiter<anew::when_limited::fail_fast, anew::at_run_time<anew::rate_limiter_constants>> const
        limiter{constants, at(0)};
    typename decltype(limiter)::ticket_type ticket{};
    auto const pace = limiter.ask(ticket, at(number(one, "acquire_at")));
    if (pace.refused) return difference{"no refusal", "a refusal"};
    return wrong("wait_s", number(one, "wait_s"), in_seconds(pace.wait), tolerance);
  }
  auto const in_numbers = numbers_of(setup);
  double asked = in_numbers ? in_numbers->asked_at : 0;
  if (find(one, "acquire_at") != nullptr) asked = number(one, "acquire_at");
  if (in_numbers && in_numbers->min_capacity > 0) constants.min_capacity = in_numbers->min_capacity;
  auto now = in_numbers ? situation{.bucket = filled_at(in_numbers->rates, constants), .asked_at = asked}
                        : after_one_throttled(setup == throttled_at_t ? asked : 0, constants, asked);
  auto const compare = [&](char const* name, double got) {
    return find(one, name) == nullptr ? std::nullopt : wrong(name, number(one, name), got, tolerance);
  };
  bool says_something = false;
  double amount = in_numbers ? in_numbers->amount : 1;
  if (find(one, "amount") != nullptr) amount = number(one, "amount");
  if (find(one, "ruby") != nullptr) {
    // Two implementations, two answers: here, too, an attempt that sleeps keeps its sleep, of two seconds at most.
    says_something = true;
    if (!in_numbers || text(one, "ruby") != "the waiter keeps its 2 s sleep (> 1 s observed)") {
      throw malformed{"'ruby' is not known to say how long the waiter sleeps"};
    }
    auto before = filled_at({in_numbers->rates.front()}, constants);
    if (auto const slept = in_seconds(before.try_take(amount, at(0))); !is_close(slept, asked, tolerance)) {
      return difference{shown(asked).append(" s of sleep"), shown(slept)};
    }
    if (now.bucket.try_take(amount, at(asked)) != anew::duration::zero()) return difference{"granted", "a wait"};
  }
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
    if (find(one, "capacity_between") != nullptr) {
      says_something = true;
      if (auto found = outside(one, "capacity_between", now.bucket.capacity())) return found;
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
