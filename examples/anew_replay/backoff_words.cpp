// SPDX-License-Identifier: BSL-1.0
// Delays by the formulas of other implementations, in their own words, played by the policies that stand for them here.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <regex>
#include <string>
#include <string_view>
#include <utility>

#include "anew/anew.hpp"
#include "anew/policies/backoff/immediate_first.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/policies/jitter/cap_after_draw.hpp"
#include "anew/policies/limits/poll_deadline.hpp"
#include "anew/testing/manual_clock.hpp"

#include "backoff_words.hpp"
#include "parts.hpp"

namespace replay {

namespace {

using anew::duration;
using anew::failure;
using anew::rational;

json const& delays_of(json const& set) {
  auto const& expected = need(set, "expected");
  if (!expected.is_array() || expected.empty()) throw malformed{"'expected' is no list of delays"};
  return expected;
}

/// One number for each delay: the attempt that it precedes, or a draw.
double nth(json const& set, char const* name, std::size_t index) {
  auto const& list = need(set, name);
  if (!list.is_array() || list.size() != delays_of(set).size()) {
    throw malformed{std::string{"'"}.append(name).append("' is no list of one number for each delay")};
  }
  return to_number(list[index], name);
}
std::uint32_t nth_count(json const& set, char const* name, std::size_t index) {
  return count(json{{name, nth(set, name, index)}}, name);
}

duration seconds(json const& set, char const* name) { return from_ms(number(set, name) * 1000, name); }

/// The delay that a call is told after so many failures; zero before the first attempt.
template <class Strategy>
duration after_failures(Strategy const& strategy, std::uint32_t failures, failure const& what = {}) {
  auto token = strategy.acquire_initial_token();
  for (; failures != 0; --failures) {
    auto next = strategy.refresh_retry_token(std::move(token), what);
    if (!next) throw malformed{std::string{"no retry, but "}.append(to_string(next.reason()))};
    token = *std::move(next);
  }
  return token.delay();
}

template <class Backoff, class Jitter>
auto strategy_of(Backoff backoff, Jitter jitter, double share) {
  return anew::compose(std::move(backoff), std::move(jitter), anew::unbounded{}, fixed_random{share});
}

/// Compares each delay, in milliseconds, with what `delay(index)` says in the unit of the file.
template <class Delay>
std::optional<difference> each(json const& set, double unit_ms, Delay const& delay) {
  auto const& expected = delays_of(set);
  for (std::size_t i = 0; i != expected.size(); ++i) {
    double const wanted = to_number(expected[i], "expected") * unit_ms;
    double const got = delay(i);
    if (!is_same_delay(got, wanted)) {
      return difference{shown(wanted).append(" ms at index ").append(std::to_string(i)), shown(got).append(" ms")};
    }
  }
  return std::nullopt;
}

void need_seconds(json const& set) {
  if (text(set, "unit") != "s") throw malformed{"'unit' is not s"};
}

// clamp(header,[t,t+5000]) with t=50
std::regex const& clamped_header() {
  static std::regex const words{R"(clamp\(header,\[t,t\+(\d+)\]\) with t=(\d+))"};
  return words;
}
std::optional<difference> replay_clamped_header(json const& set, std::smatch const& numbers) {
  refuse_others(set, {"formula", "expected", "headers_ms", "t_ms"}, "a set of this formula");
  if (number(set, "t_ms") != std::stod(numbers[2])) throw malformed{"'t_ms' is not the t of the formula"};
  auto const own = from_ms(number(set, "t_ms"), "t_ms");
  auto const strategy = anew::compose(any_backoff{own, own, rational{2}}, anew::no_jitter{}, anew::unbounded{},
                                      anew::clamped_hint{from_ms(std::stod(numbers[1]), "formula")});
  return each(set, 1, [&](std::size_t i) {
    return to_ms(after_failures(strategy, 1, failure{.hint = from_ms(nth(set, "headers_ms", i), "headers_ms")}));
  });
}

// Java counts whole milliseconds, at least one, and attempts from 1.
constexpr std::string_view java = "attempt 1 -> 0; else max(1, floor((1-u)*min(cap, base*2^(attempt-2))))";
std::optional<difference> replay_java(json const& set) {
  refuse_others(set, {"formula", "expected", "base_ms", "factor", "cap_ms", "attempts", "jitter"},
                "a set of this formula");
  auto const strategy =
      strategy_of(any_backoff{from_ms(number(set, "base_ms"), "base_ms"), from_ms(number(set, "cap_ms"), "cap_ms"),
                              to_factor(number(set, "factor"), "factor")},
                  anew::full_jitter{}, number(set, "jitter"));
  return each(set, 1, [&](std::size_t i) {
    auto const attempt = nth_count(set, "attempts", i);
    if (attempt < 2) return to_ms(after_failures(strategy, 0));
    return std::max(1.0, std::floor(to_ms(after_failures(strategy, attempt - 1))));
  });
}

constexpr std::string_view python_none = "min(cap,base*2^(n-1)); index 0 -> 0";
constexpr std::string_view python_full = "u*min(cap,base*2^(n-1)); index 0 -> 0";
constexpr std::string_view python_equal = "(0.5+0.5u)*min(cap,base*2^(n-1)); index 0 -> 0";
constexpr std::string_view python_decorrelated = "min(cap, base+u*3*prev), prev starts at base; index 0 -> 0";

/// Python's own form, which is not U(base, 3*prev): a jitter as a user of anew would write it.
struct added_to_base {
  using role = anew::roles::jitter;
  struct state_type {
    duration previous{};
  };
  template <anew::RandomSource R>
  [[nodiscard]] duration apply(anew::delay_bounds const& bounds, state_type& state, R& random) const {
    auto const previous = state.previous == duration::zero() ? bounds.first : state.previous;
    state.previous = std::min(bounds.cap, bounds.first + anew::random_up_to(previous * 3, random));
    return state.previous;
  }
};

std::optional<difference> replay_python(json const& set, std::string_view formula) {
  refuse_others(set, {"formula", "expected", "unit", "base_s", "cap_s", "u", "first_index"}, "a set of this formula");
  need_seconds(set);
  any_backoff const backoff{seconds(set, "base_s"), seconds(set, "cap_s"), rational{2}};
  auto const first = count(set, "first_index");
  double const u = number(set, "u");
  auto const play = [&](auto jitter) {
    auto const strategy = strategy_of(backoff, jitter, u);
    return each(set, 1000,
                [&](std::size_t i) { return to_ms(after_failures(strategy, first + static_cast<std::uint32_t>(i))); });
  };
  if (formula == python_none) return play(anew::no_jitter{});
  if (formula == python_full) return play(anew::full_jitter{});
  return formula == python_equal ? play(anew::equal_jitter{}) : play(added_to_base{});
}

constexpr std::string_view go =
    "attempt > floor(log2(cap)) ? cap (no jitter) : u*2^attempt s; attempt is 1 for the first failure";
std::optional<difference> replay_go(json const& set) {
  refuse_others(set, {"formula", "expected", "unit", "cap_s", "attempts", "u"}, "a set of this formula");
  need_seconds(set);
  auto const cap = seconds(set, "cap_s");
  double const last_with_jitter = std::floor(std::log2(number(set, "cap_s")));
  return each(set, 1000, [&](std::size_t i) {
    auto const attempt = nth_count(set, "attempts", i);
    double const u = nth(set, "u", i);
    if (attempt > last_with_jitter) {
      return to_ms(after_failures(strategy_of(anew::constant_backoff{cap}, anew::no_jitter{}, u), attempt));
    }
    any_backoff const doubled{std::chrono::seconds{2}, cap, rational{2}};
    return to_ms(after_failures(strategy_of(doubled, anew::full_jitter{}, u), attempt));
  });
}

constexpr std::string_view rust = "2^(attempts-1)*initial, overflow or over cap -> cap";
std::optional<difference> replay_rust(json const& set) {
  refuse_others(set, {"formula", "expected", "unit", "base_s", "cap_s", "attempts", "jitter"}, "a set of this formula");
  need_seconds(set);
  auto const strategy = strategy_of(any_backoff{seconds(set, "base_s"), seconds(set, "cap_s"), rational{2}},
                                    anew::full_jitter{}, number(set, "jitter"));
  return each(set, 1000, [&](std::size_t i) { return to_ms(after_failures(strategy, nth_count(set, "attempts", i))); });
}

// n==0 ? 0 : 25*2^n ms, no jitter, no cap
std::regex const& immediate() {
  static std::regex const words{R"(n==0 \? 0 : (\d+)\*2\^n ms, no jitter, no cap)"};
  return words;
}
std::optional<difference> replay_immediate(json const& set, std::smatch const& numbers) {
  refuse_others(set, {"formula", "expected", "retries"}, "a set of this formula");
  auto const second = from_ms(2 * std::stod(numbers[1]), "formula");
  auto const strategy =
      strategy_of(anew::immediate_first{any_backoff{second, duration::max(), rational{2}}}, anew::no_jitter{}, 1);
  return each(set, 1, [&](std::size_t i) { return to_ms(after_failures(strategy, nth_count(set, "retries", i) + 1)); });
}

// Waiters. The clock is the file's own.
auto waiter_of(json const& set, double share, anew::testing::manual_clock const& clock) {
  auto const min = seconds(set, "min_s");
  return anew::compose(any_backoff{min, seconds(set, "max_s"), rational{2}}, anew::from_first_jitter{},
                       anew::poll_deadline{seconds(set, "max_wait_s"), min}, anew::unbounded{}, anew::retry_all{},
                       fixed_random{share}, clock);
}

constexpr std::string_view waiter_example = "published example with random jitter: delay, cumulative, remaining";

/// Drawn at random, so each delay has to lie where the smallest and the largest draw are.
std::optional<difference> replay_waiter_example(json const& set) {
  refuse_others(set, {"formula", "expected", "unit", "min_s", "max_s", "max_wait_s"}, "a set of this formula");
  need_seconds(set);
  auto const& rows = delays_of(set);
  for (std::size_t i = 0; i != rows.size(); ++i) {
    if (!rows[i].is_array() || rows[i].size() != 3) throw malformed{"'expected' must have rows of three numbers"};
    double const wanted = to_number(rows[i][0], "expected") * 1000;
    double bounds[2];
    for (int draw = 0; draw != 2; ++draw) {
      anew::testing::manual_clock const clock;
      auto const strategy = waiter_of(set, draw, clock);
      auto token = strategy.acquire_initial_token();
      for (std::size_t n = 0; n <= i; ++n) {
        auto next = strategy.refresh_retry_token(std::move(token), failure{});
        if (!next) return difference{"a look at row " + std::to_string(n + 1), to_string(next.reason())};
        token = *std::move(next);
        clock.advance(from_ms(to_number(rows[n][0], "expected") * 1000, "expected"));
      }
      bounds[draw] = to_ms(token.delay());
    }
    if (wanted < bounds[0] || wanted > bounds[1]) {
      return difference{shown(wanted).append(" ms at row ").append(std::to_string(i + 1)),
                        std::string{"between "}.append(shown(bounds[0])).append(" and ").append(shown(bounds[1]))};
    }
    double const total = number(set, "max_wait_s");
    double cumulative = 0;
    for (std::size_t n = 0; n <= i; ++n) cumulative += to_number(rows[n][0], "expected");
    bool const is_sum = to_number(rows[i][1], "expected") == cumulative;
    if (!is_sum || (!rows[i][2].is_null() && to_number(rows[i][2], "expected") != total - cumulative)) {
      throw malformed{"'expected' does not add up at row " + std::to_string(i + 1)};
    }
  }
  return std::nullopt;
}

constexpr std::string_view waiter_average =
    "delay=(min+bound)/2 whole seconds; rows are [elapsed before, delay]; the clock starts at 2 s";
std::optional<difference> replay_waiter_average(json const& set) {
  refuse_others(set, {"formula", "expected", "unit", "min_s", "max_s", "max_wait_s"}, "a set of this formula");
  need_seconds(set);
  anew::testing::manual_clock const clock{duration::zero()};
  auto const strategy = waiter_of(set, 0.5, clock);
  auto token = strategy.acquire_initial_token();
  clock.advance(std::chrono::seconds{2});
  for (auto const& row : delays_of(set)) {
    if (!row.is_array() || row.size() != 2) throw malformed{"'expected' must have rows of two numbers"};
    auto const where = std::string{" ms after "}.append(row[0].dump()).append(" s");
    double const elapsed = to_ms(clock.peek().time_since_epoch());
    if (!is_same_delay(elapsed, to_number(row[0], "expected") * 1000)) return difference{row[0].dump(), shown(elapsed)};
    double const wanted = to_number(row[1], "expected") * 1000;
    auto next = strategy.refresh_retry_token(std::move(token), failure{});
    if (!next) {
      if (wanted == 0 && next.reason() == anew::stop_reason::deadline) return std::nullopt;
      return difference{shown(wanted).append(where), to_string(next.reason())};
    }
    token = *std::move(next);
    double const got = to_ms(token.delay());
    if (!is_same_delay(got, wanted)) return difference{shown(wanted).append(where), shown(got).append(" ms")};
    clock.advance(token.delay());
  }
  return std::nullopt;
}

constexpr std::array<std::string_view, 9> fixed{java, python_none, python_full,    python_equal,  python_decorrelated,
                                                go,   rust,        waiter_example, waiter_average};

}  // namespace

bool is_known_formula(std::string const& formula) {
  return std::ranges::find(fixed, formula) != fixed.end() || std::regex_match(formula, clamped_header()) ||
         std::regex_match(formula, immediate());
}

std::optional<difference> replay_formula(json const& set, std::string const& formula) {
  std::smatch numbers;
  if (std::regex_match(formula, numbers, clamped_header())) return replay_clamped_header(set, numbers);
  if (std::regex_match(formula, numbers, immediate())) return replay_immediate(set, numbers);
  if (formula == java) return replay_java(set);
  if (formula == go) return replay_go(set);
  if (formula == rust) return replay_rust(set);
  if (formula == waiter_example) return replay_waiter_example(set);
  return formula == waiter_average ? replay_waiter_average(set) : replay_python(set, formula);
}

}  // namespace replay
