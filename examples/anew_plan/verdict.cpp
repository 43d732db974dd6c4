// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "by_text.hpp"
#include "verdict.hpp"

namespace anew_plan {

namespace {

using namespace std::chrono_literals;

struct run {
  observed found;
  std::optional<double> recovery;
  std::uint64_t seed;
  outcome how;
};

enum class trend { falls, rises, unclear };

/// Whether the queue and the calls under way get fewer.
trend trend_of(observed const& found, scenario const& s) {
  if (found.has_collapsed) return trend::rises;
  auto const& [wait_then, calls_then] = found.halfway;
  auto const& [wait, calls] = found.at_end;
  // The queue changes by chance too: three standard deviations in that time, in seconds.
  auto const chance = 3 * std::sqrt(seconds_of(s.after.count()) / s.capacity);
  if (wait < wait_then - chance) return trend::falls;
  if (wait > wait_then + chance || 19 * calls > 20 * calls_then + 200) return trend::rises;
  return 20 * calls < 19 * calls_then ? trend::falls : trend::unclear;
}

/// Simulates four times as long until `is_enough(found, scenario)`, or for `longest`.
template <class IsEnough>
observed simulate_until(IsEnough is_enough, std::string const& text, scenario s, anew::duration longest) {
  for (;; s.after *= 4) {
    auto found = simulate(text, s);
    if (s.after >= longest || is_enough(found, s)) return found;
  }
}

std::optional<double> recovery_in(observed const& found, scenario const& s) {
  if (found.has_collapsed) return std::nullopt;
  return found.times.recovery((s.before + s.outage).count());
}

/// Whether a queue is left to which fewer attempts come than the service answers. Where the load is close to the capacity,
/// such a queue falls by less than chance explains.
bool falls_slowly(observed const& found, scenario const& s) {
  if (found.has_collapsed || 2 * found.at_end.wait < seconds_of((s.timeout - s.latency).count())) return false;
  auto const last = found.times.sum(found.ended - (found.ended - (s.before + s.outage).count()) / 2, found.ended);
  return last.calls != 0 && s.load() * last.attempts / last.calls < 1;
}

run run_to_the_end(std::string const& text, scenario const& s) {
  auto found =
      simulate_until([](observed const& so_far,
                        scenario const& of) { return recovery_in(so_far, of) || trend_of(so_far, of) == trend::rises; },
                     text, s, std::max<anew::duration>(2'000s, 20 * s.outage));
  auto const recovery = recovery_in(found, s);
  auto const how = recovery                 ? outcome::recovers
                   : falls_slowly(found, s) ? outcome::recovers_slowly
                                            : outcome::holds_down;
  return {std::move(found), recovery, s.seed, how};
}

/// A falling queue recovers, however long that takes near the capacity. Where the trend stays unclear, the queue decides.
bool holds_down(std::string const& text, scenario const& s) {
  auto seen = trend::unclear;
  auto const found = simulate_until(
      [&](observed const& so_far, scenario const& of) {
        seen = trend_of(so_far, of);
        return recovery_in(so_far, of) || seen != trend::unclear;
      },
      text, s, 4 * s.after);
  if (recovery_in(found, s) || seen == trend::falls) return false;
  return seen == trend::rises || found.at_end.wait >= found.halfway.wait;
}

std::optional<double> recovery_of(std::string const& text, scenario const& s) {
  return run_to_the_end(text, s).recovery;
}

/// With three seeds, in the order of their recoveries: those that hold the service down are last.
std::array<run, 3> run_three(std::string const& text, scenario s) {
  auto const next = [&] {
    auto one = run_to_the_end(text, s);
    s.seed += 7'919;
    return one;
  };
  std::array runs{next(), next(), next()};
  std::sort(runs.begin(), runs.end(),
            [](run const& a, run const& b) { return a.how != b.how ? a.how < b.how : a.recovery < b.recovery; });
  return runs;
}

latencies latencies_of(histogram const& of) { return {of.quantile(0.5), of.quantile(0.99), of.quantile(0.999)}; }

/// Of 100,000 calls, where the service is well and 2 % of its answers are errors.
double lost_in_health(std::string const& text, scenario s) {
  s.remaining = 1;
  s.mode = outage_mode::slow;
  s.failure_rate = 0.02;
  s.before = 0s;
  s.outage = 0s;
  s.rate = std::min(s.rate, 0.5 * s.capacity / s.clients);  // at most half of the capacity: the errors alone matter
  s.after = anew::duration{static_cast<std::int64_t>(1e5 / (s.clients * s.rate) * 1e9)};
  auto const all = simulate(text, s).times.sum(0, s.after.count());
  auto const ended = all.succeeded + all.lost;
  return ended == 0 ? 0 : 1e5 * all.lost / ended;
}

/// The load at which the retries fill the capacity, once attempts time out.
std::optional<double> least_load_by_arithmetic(closed_form const& of, scenario const& s) {
  auto const timeouts = seconds_of((s.timeout - s.latency).count()) / seconds_of(s.outage.count());
  if (of.retries_per_call == 0 || timeouts >= 1) return std::nullopt;
  auto const load = std::max(1 / (1 + of.retries_per_call), s.remaining / (1 - timeouts));
  return load < 1 ? std::optional{load} : std::nullopt;
}

/// The queue is what was offered, retries included, less what was answered. The clients have recovered when a new attempt
/// waits for less than the time-out.
closed_form arithmetic(std::string const& text, scenario const& s) {
  auto dead = s;
  dead.clients = std::min(s.clients, 20U);
  dead.before = 0s;
  dead.remaining = 0;
  dead.outage = std::max<anew::duration>(s.outage, 300s);
  dead.after = 0s;
  auto const found = simulate(text, dead);
  auto const& times = found.times;
  auto const late = times.sum(dead.outage.count() - (100s / 1ns), dead.outage.count());

  closed_form result;
  // A gate lets fewer attempts begin than calls: no retries.
  auto const retries = [](tenth const& of) {
    return of.attempts > of.calls ? static_cast<double>(of.attempts - of.calls) : 0.0;
  };
  result.retries_in_outage = retries(times.sum(0, s.outage.count())) / dead.clients;
  if (late.calls != 0) result.retries_per_call = retries(late) / late.calls;
  if (result.retries_per_call < 0.005) result.retries_per_call = 0;
  auto const has = facts_of(text);
  if (found.has_collapsed || (!has.quota && !has.gate && call_alone(text, s.timeout).attempts == most_attempts_alone)) {
    result.retries_per_call = std::numeric_limits<double>::infinity();
  }
  auto const outage = seconds_of(s.outage.count());
  // An attempt that the service answers at the end of the outage began when its share had answered all attempts before.
  auto const longest_wait = outage * (1 - s.remaining / s.load());
  if (s.mode != outage_mode::slow || longest_wait < seconds_of((s.timeout - s.latency).count())) {
    result.nothing_times_out = s.mode == outage_mode::slow;
    result.recovery_seconds = 0;  // no queue is left, or a short one
    if (result.nothing_times_out) result.holds_down_from_load = least_load_by_arithmetic(result, s);
    return result;
  }

  auto const calls = s.clients * s.rate;
  auto excess = (calls - s.remaining * s.capacity) * outage + s.clients * result.retries_in_outage -
                s.capacity * seconds_of(s.timeout.count());
  double seconds = 0;
  // For as long as the measurement goes, the retries are those that were measured, for the buckets may not be empty yet.
  auto const first = static_cast<std::size_t>(s.outage.count() / timeline::width);
  for (auto i = first; i < times.tenths().size() && excess > 0; ++i) {
    auto const& of = times.tenths()[i];
    auto const measured = retries(of) * s.clients / dead.clients;
    excess += 0.1 * (calls - s.capacity) + measured;
    seconds += 0.1;
  }
  auto const spare = s.capacity - calls * (1 + result.retries_per_call);
  if (excess <= 0 && std::isfinite(result.retries_per_call)) {
    result.recovery_seconds = seconds;
  } else if (spare > 0) {
    result.recovery_seconds = seconds + excess / spare;
  }
  result.holds_down_from_load = least_load_by_arithmetic(result, s);
  return result;
}

/// The least load, to a percent, at which the strategy holds the service down.
std::optional<double> least_load(std::string const& text, scenario const& s, bool is_down) {
  double down = is_down ? s.load() : 0.97;
  double up = is_down ? 0 : std::min(s.load(), down);
  auto const holds_at = [&](double load) {
    auto other = s;
    other.rate = load * s.capacity / s.clients;
    return holds_down(text, simulated(other));
  };
  if (!is_down && !holds_at(down)) return std::nullopt;
  while (down - up > 0.01) {
    auto const middle = (down + up) / 2;
    (holds_at(middle) ? down : up) = middle;
  }
  return down;
}

/// The largest number from 1 to `most` with which `text_with(number)` recovers within `bar`; 0: with none.
template <class TextWith>
std::uint32_t largest(std::uint32_t most, double bar, scenario s, TextWith text_with) {
  // No longer than it takes to see that it does not: ten seconds of success, and the calls whose ends are not known.
  s.after = anew::duration{static_cast<std::int64_t>((bar + 15) * 1e9)} + 3 * s.timeout;
  std::uint32_t good = 0;
  auto bad = most + 1;
  while (bad - good > std::max(1U, good / 32)) {
    auto const middle = good + (bad - good) / 2;
    auto const recovery = recovery_in(simulate(text_with(middle), s), s);
    (recovery && *recovery <= bar ? good : bad) = middle;
  }
  return good;
}

}  // namespace

drawing draw(std::string const& text, scenario const& all) {
  auto s = simulated(all);
  // The quotas' levels are read in another run of the same seed.
  auto const runs = run_three(text, s);
  s.seed = runs[1].seed;
  s.after = runs[1].found.times.tenths().size() * anew::duration{timeline::width} - s.before - s.outage;
  drawing result{s, simulate(text, s, true), {}};
  auto const shortest = s.outage / 8;
  for (int power = 0; power != 7; ++power) {
    auto other = s;
    other.outage = shortest * (1 << power);
    other.after = simulated(all).after;
    auto const is_down = run_to_the_end(text, other).how == outcome::holds_down;
    result.map.push_back({other.outage, least_load(text, other, is_down)});
  }
  return result;
}

std::optional<double> judge(std::string const& text, scenario const& s) {
  return run_three(text, simulated(s))[1].recovery;
}
std::optional<double> judge_once(std::string const& text, scenario const& s) { return recovery_of(text, simulated(s)); }
std::optional<double> holds_down_from_load(std::string const& text, scenario const& s) {
  return least_load(text, simulated(s), run_three(text, simulated(s))[1].how == outcome::holds_down);
}

scenario simulated(scenario s) {
  s.after = std::max<anew::duration>(s.after, 5 * s.timeout);
  constexpr double most_calls = 250'000;
  // Fifty attempts fit into a time-out, so that a queue differs from an attempt.
  auto const needed = 50 * s.clients / (s.capacity * seconds_of(s.timeout.count()));
  auto const least_clients = static_cast<std::uint32_t>(std::clamp(needed, 5.0, 1e4));
  auto const calls = s.clients * s.rate * seconds_of((s.before + s.outage + s.after).count());
  if (calls <= most_calls || s.clients <= least_clients) return s;
  auto const clients = std::max(least_clients, static_cast<std::uint32_t>(s.clients * most_calls / calls));
  s.capacity *= static_cast<double>(clients) / s.clients;
  s.clients = clients;
  return s;
}

std::vector<change> changes_for(std::string const& text, scenario const& all) {
  auto const s = simulated(all);
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
    return with_quota(text, "retry_budget(" + std::to_string(n) + "%,0/s,10s)");
  };
  auto const percent = largest(50, 4 * bar, s, budget);
  if (percent != 0) candidates.emplace_back("limit retries to a share of the calls", budget(percent));
  candidates.emplace_back("make no retries", first_only);

  std::vector<change> changes;
  auto another = s;
  another.seed += 1'000'003;  // not the seed that the search used
  for (auto& [what, changed] : candidates) {
    auto const runs = run_three(changed, another);
    if (runs.back().recovery) {
      changes.push_back({what, changed, *runs[1].recovery, lost_in_health(changed, s)});
    }
  }
  return changes;
}

bool verdict::disagrees() const noexcept {
  auto const& expected = by_arithmetic.recovery_seconds;
  if (!expected) return !holds_down();
  if (!recovery_seconds) return how == outcome::holds_down || *expected < simulated_seconds;
  return std::abs(*expected - *recovery_seconds) > 3 + 0.1 * std::max(*expected, *recovery_seconds);
}

verdict plan(std::string const& text, scenario const& all, std::uint32_t layers) {
  check_text(text);
  auto const s = simulated(all);
  auto const runs = run_three(text, s);
  auto const& found = runs[1].found;
  verdict result;
  result.strategy = text;
  result.how = runs[1].how;
  result.recovery_seconds = runs[1].recovery;
  result.seeds_that_hold_down = static_cast<unsigned>(
      std::count_if(runs.begin(), runs.end(), [](run const& one) { return one.how == outcome::holds_down; }));
  result.load = s.load();
  auto const outage_ends = (s.before + s.outage).count();
  auto const outage = found.times.sum(s.before.count(), outage_ends);
  result.amplification = outage.calls == 0 ? 1 : static_cast<double>(outage.attempts) / outage.calls;
  result.simulated_clients = s.clients;
  result.simulated_seconds = seconds_of(std::max<instant>(found.ended - outage_ends, 0));
  auto const until = outage_ends + s.after.count();
  auto const counted = found.has_collapsed ? std::min(until, found.ended) : until;
  result.counted_seconds = seconds_of(std::max<instant>(counted - outage_ends, 0));
  result.calls_lost = std::uint64_t{found.times.sum(s.before.count(), counted).lost} * all.clients / s.clients;
  // Calls that began shortly before the end may still succeed in time.
  auto const last = found.ended - std::min((10 * s.timeout).count(), (found.ended - s.before.count()) / 2);
  result.calls_not_ended =
      std::uint64_t{found.times.sum(s.before.count(), std::min(counted, last)).open} * all.clients / s.clients;
  result.lost_in_health = lost_in_health(text, s);
  result.before = latencies_of(found.periods[0].took);
  result.in_outage = latencies_of(found.periods[1].took);
  result.after = latencies_of(found.periods[2].took);
  result.wait = waits_of(text, s);
  result.by_arithmetic = arithmetic(text, s);
  result.holds_down_from_load = least_load(text, s, result.holds_down());
  if (result.holds_down()) result.changes = changes_for(text, all);
  result.warnings = warnings_of(text, all, layers);
  return result;
}

}  // namespace anew_plan
