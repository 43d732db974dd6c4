// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "by_text.hpp"
#include "verdict.hpp"

namespace anew_plan {

namespace {

using namespace std::chrono_literals;

struct run {
  observed found;
  std::optional<double> recovery;
};

/// Simulates until the clients have recovered, or until it is certain that they do not: the queue does not get shorter.
run run_to_the_end(std::string const& text, scenario s) {
  for (;;) {
    auto found = simulate(text, s);
    if (found.has_collapsed) return {std::move(found), std::nullopt};
    auto const recovery = found.times.recovery((s.before + s.outage).count());
    bool const is_draining = found.wait_at_end < 0.95 * found.wait_halfway;
    if (recovery || !is_draining || s.after >= 2'000s) return {std::move(found), recovery};
    s.after *= 4;
  }
}

std::optional<double> recovery_of(std::string const& text, scenario const& s) {
  return run_to_the_end(text, s).recovery;
}

latencies latencies_of(std::vector<float> seconds) {
  if (seconds.empty()) return {};
  auto const at = [&](double share) {
    auto const n = static_cast<std::ptrdiff_t>(share * static_cast<double>(seconds.size() - 1));
    std::nth_element(seconds.begin(), seconds.begin() + n, seconds.end());
    return static_cast<double>(seconds[static_cast<std::size_t>(n)]);
  };
  return {at(0.5), at(0.99), at(0.999)};
}

/// Of 100,000 calls, where the service is well and 2 % of its answers are errors.
double lost_in_health(std::string const& text, scenario s) {
  s.remaining = 1;
  s.failure_rate = 0.02;
  s.before = 0s;
  s.outage = 0s;
  s.rate = std::min(s.rate, 0.5 * s.capacity / s.clients);  // at most half of the capacity: the errors alone matter
  s.after = anew::duration{static_cast<std::int64_t>(1e5 / (s.clients * s.rate) * 1e9)};
  auto const all = simulate(text, s).times.sum(0, s.after.count());
  auto const ended = all.succeeded + all.lost;
  return ended == 0 ? 0 : 1e5 * all.lost / ended;
}

/// T = (offered in the outage - answered in it - what may wait) / (what the service answers beyond the load).
closed_form arithmetic(std::string const& text, scenario const& s) {
  auto dead = s;
  dead.clients = std::min(s.clients, 20U);
  dead.before = 0s;
  dead.remaining = 0;
  dead.outage = std::max<anew::duration>(s.outage, 300s);
  dead.after = 0s;
  auto const times = simulate(text, dead).times;
  auto const in_outage = times.sum(0, s.outage.count());
  auto const late = times.sum(dead.outage.count() - (100s / 1ns), dead.outage.count());

  closed_form result;
  // A gate lets fewer attempts begin than calls: no retries.
  auto const retries = [](tenth const& of) {
    return of.attempts > of.calls ? static_cast<double>(of.attempts - of.calls) : 0.0;
  };
  result.retries_in_outage = retries(in_outage) / dead.clients;
  if (late.calls != 0) result.retries_per_call = retries(late) / late.calls;
  if (result.retries_per_call < 0.005) result.retries_per_call = 0;

  auto const calls = s.clients * s.rate;
  auto const spare = s.capacity - calls * (1 + result.retries_per_call);
  auto const outage = seconds_of(s.outage.count());
  auto const queue = calls * outage + s.clients * result.retries_in_outage - s.remaining * s.capacity * outage;
  auto const excess = queue - s.capacity * seconds_of(s.timeout.count());
  if (excess <= 0) {
    result.recovery_seconds = 0;
  } else if (spare > 0) {
    result.recovery_seconds = excess / spare;
  }
  if (result.retries_per_call > 0) result.holds_down_from_load = 1 / (1 + result.retries_per_call);
  return result;
}

/// The least load, to a percent, at which the strategy holds the service down.
std::optional<double> least_load(std::string const& text, scenario const& s, bool holds_down) {
  double down = holds_down ? s.load() : 0.97;
  double up = holds_down ? 0 : std::min(s.load(), down);
  auto const holds_at = [&](double load) {
    auto other = s;
    other.rate = load * s.capacity / s.clients;
    return !recovery_of(text, other);
  };
  if (!holds_down && !holds_at(down)) return std::nullopt;
  while (down - up > 0.01) {
    auto const middle = (down + up) / 2;
    (holds_at(middle) ? down : up) = middle;
  }
  return down;
}

/// The largest number from 1 to `most` with which `text_with(number)` recovers within `bar`; 0: with none.
template <class TextWith>
std::uint32_t largest(std::uint32_t most, double bar, scenario const& s, TextWith text_with) {
  std::uint32_t good = 0;
  auto bad = most + 1;
  while (bad - good > std::max(1U, good / 32)) {
    auto const middle = good + (bad - good) / 2;
    auto const recovery = recovery_of(text_with(middle), s);
    (recovery && *recovery <= bar ? good : bad) = middle;
  }
  return good;
}

std::vector<change> changes_for(std::string const& text, scenario const& s) {
  auto const first_only = with_limit(text, "max_attempts(1)");
  auto const without = recovery_of(first_only, s);
  if (!without) return {};  // the calls alone are too many
  auto const bar = std::max(1.25 * *without, *without + 2);

  std::vector<std::pair<std::string, std::string>> candidates;
  auto const bucket = [&](std::uint32_t n) { return with_quota(text, "token_bucket(" + std::to_string(n) + ")"); };
  // Below the cost of a retry after a time-out, which is 14, nothing is ever paid for.
  auto const tokens = largest(2'000 - 13, bar, s, [&](std::uint32_t n) { return bucket(n + 13); });
  if (tokens != 0) {
    candidates.emplace_back("pay for retries from a bucket that successes fill", bucket(tokens + 13));
  }
  auto const budget = [&](std::uint32_t n) {
    return with_quota(text, "retry_budget(" + std::to_string(n) + "%,0,10s)");
  };
  auto const percent = largest(50, 4 * bar, s, budget);
  if (percent != 0) candidates.emplace_back("limit retries to a share of the calls", budget(percent));
  candidates.emplace_back("make no retries", first_only);

  std::vector<change> changes;
  auto another = s;
  another.seed += 1'000'003;  // not the seed that the search used
  for (auto& [what, changed] : candidates) {
    if (auto const recovery = recovery_of(changed, another))
      changes.push_back({what, changed, *recovery, lost_in_health(changed, s)});
  }
  return changes;
}

}  // namespace

verdict plan(std::string const& text, scenario const& s) {
  check_text(text);
  auto const [found, recovery] = run_to_the_end(text, s);
  verdict result;
  result.strategy = text;
  result.recovery_seconds = recovery;
  result.load = s.load();
  auto const outage_ends = (s.before + s.outage).count();
  auto const outage = found.times.sum(s.before.count(), outage_ends);
  result.amplification = outage.calls == 0 ? 1 : static_cast<double>(outage.attempts) / outage.calls;
  result.calls_lost = found.times.sum(0, outage_ends + s.after.count()).lost;
  result.lost_in_health = lost_in_health(text, s);
  result.before = latencies_of(found.seconds_before);
  result.in_outage = latencies_of(found.seconds_in);
  result.after = latencies_of(found.seconds_after);
  result.by_arithmetic = arithmetic(text, s);
  result.holds_down_from_load = least_load(text, s, result.holds_down());
  if (result.holds_down()) result.changes = changes_for(text, s);
  return result;
}

}  // namespace anew_plan
