// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <future>
#include <limits>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "by_text.hpp"
#include "verdict.hpp"

namespace anew_plan {

namespace {

using namespace std::chrono_literals;

std::atomic<unsigned> threads_at_work{0};

/// Begins the work on another thread, or keeps it for when it is asked for: where the processors have work, or no thread
/// can be made. Each simulation has its own clock and its own numbers, so that what it finds does not depend on the others.
template <class Work>
auto at_once(Work const& work) {
  if (threads_at_work.fetch_add(1) < 2 * std::thread::hardware_concurrency()) {  // some wait for others
    try {
      return std::async(std::launch::async, [work] {
        struct place {
          ~place() { threads_at_work.fetch_sub(1); }
        } const kept{};
        return work();
      });
    } catch (std::system_error const&) {  // there are no more threads
    }
  }
  threads_at_work.fetch_sub(1);
  return std::async(std::launch::deferred, work);
}

struct run {
  scenario of;
  observed found;
  std::optional<double> recovery;
  outcome how;
};

/// Attempts a second that a part of the fleet needs so that chance decides nothing that it would not decide for all. A
/// service that is well keeps an attempt for longer than the time-out with the probability exp(-2 * (1 - load) * capacity *
/// timeout), which is that of M/D/1 in heavy traffic: exp(-30). And while a queue falls, chance is a part of it as small as
/// the spare attempts are many.
double least_capacity(scenario const& s) {
  auto const spare = std::max(1 - s.load(), 0.01);
  return std::max(15 / seconds_of(s.timeout.count()), 20.0) / spare;
}

/// The scenario with fewer clients, on their share of the capacity, where all would make more attempts than `most`.
scenario scaled(std::string const& text, scenario s, double most) {
  auto const needed = least_capacity(s) * s.clients / s.capacity;
  auto const least_clients = static_cast<std::uint32_t>(std::clamp(std::ceil(needed), 5.0, 1e4));
  auto const calls = s.clients * s.rate * seconds_of((s.before + s.outage + s.after).count());
  // Where a strategy holds the service down, each call makes all of its attempts.
  auto const attempts = calls * std::min(call_alone(text, s.timeout).attempts, 20U);
  if (attempts <= most || s.clients <= least_clients) return s;
  auto const clients = std::max(least_clients, static_cast<std::uint32_t>(s.clients * most / attempts));
  s.capacity *= static_cast<double>(clients) / s.clients;
  s.clients = clients;
  return s;
}

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

/// Simulates four times as long until `is_enough(found, scenario)`, or for `longest`. The longer, the fewer clients: near
/// the load at which a strategy begins to hold the service down, a queue needs hours to fall.
template <class IsEnough>
std::pair<scenario, observed> simulate_until(IsEnough is_enough, std::string const& text, scenario s,
                                             anew::duration longest) {
  for (;;) {
    auto found = simulate(text, s);
    if (s.after >= longest || is_enough(found, s)) return {s, std::move(found)};
    s.after *= 4;
    s = scaled(text, s, 5e5);
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
  auto [of, found] = simulate_until(
      [](observed const& so_far, scenario const& so_long) {
        return recovery_in(so_far, so_long) || trend_of(so_far, so_long) == trend::rises;
      },
      text, s, std::max<anew::duration>(2'000s, 20 * s.outage));
  auto const recovery = recovery_in(found, of);
  auto const how = recovery                  ? outcome::recovers
                   : falls_slowly(found, of) ? outcome::recovers_slowly
                                             : outcome::holds_down;
  return {of, std::move(found), recovery, how};
}

/// A falling queue recovers, however long that takes near the capacity. Where the trend stays unclear, the queue decides.
bool holds_down(std::string const& text, scenario const& s) {
  auto seen = trend::unclear;
  auto const [of, found] = simulate_until(
      [&](observed const& so_far, scenario const& so_long) {
        seen = trend_of(so_far, so_long);
        return recovery_in(so_far, so_long) || seen != trend::unclear;
      },
      text, s, 4 * s.after);
  if (recovery_in(found, of) || seen == trend::falls) return false;
  return seen == trend::rises || found.at_end.wait >= found.halfway.wait;
}

std::optional<double> recovery_of(std::string const& text, scenario const& s) {
  return run_to_the_end(text, s).recovery;
}

/// With three seeds, in the order of their recoveries: those that hold the service down are last.
std::array<run, 3> run_three(std::string const& text, scenario const& s) {
  auto const begin = [&](std::uint64_t seed) {
    auto other = s;
    other.seed = seed;
    return at_once([&text, other] { return run_to_the_end(text, other); });
  };
  std::array running{begin(s.seed), begin(s.seed + 7'919), begin(s.seed + 15'838)};
  std::array runs{running[0].get(), running[1].get(), running[2].get()};
  std::sort(runs.begin(), runs.end(),
            [](run const& a, run const& b) { return a.how != b.how ? a.how < b.how : a.recovery < b.recovery; });
  return runs;
}

/// The time that calls take while the service is well, and has been for a while.
histogram healthy_latencies(std::string const& text, scenario s) {
  // A queue forgets how it began within some 2 / (1 - load)^2 calls.
  auto const spare = std::max(1 - s.load(), 0.01);
  auto const calls = std::clamp(40 / (spare * spare), 5e4, 4e5);
  auto const lasts = anew::duration{static_cast<std::int64_t>(calls / (s.clients * s.rate) * 1e9)};
  s.after = std::min<anew::duration>(2'000s, lasts);
  s.before = s.after / 8;
  s.outage = 0s;
  return std::move(simulate(text, s).periods.back().took);
}

/// A queue that an outage leaves is as long, in seconds, for a part of the fleet. In a service that is well, attempts wait
/// for chance alone, and the longer the slower it is: such latencies become those of all clients of the same rank.
void show_latencies_of_all(observed& found, histogram const& in_part, histogram const& in_all) {
  auto const longest = in_part.quantile(1);
  for (auto& one : found.periods) {
    histogram shown;
    one.took.for_each([&](double seconds, std::uint64_t calls) {
      auto const by_chance = seconds <= 2 * longest;  // beyond the longest of the sample is not beyond chance
      auto const as = by_chance ? in_all.quantile(in_part.share_within(seconds)) : seconds;
      shown.add(static_cast<instant>(as * 1e9), calls);
    });
    one.took = std::move(shown);
  }
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

/// The least load, to a percent, at which the strategy holds the service down. How many clients show that depends on the
/// load.
std::optional<double> least_load(std::string const& text, scenario const& s, bool is_down) {
  double down = is_down ? s.load() : 0.97;
  double up = is_down ? 0 : std::min(s.load(), down);
  auto const holds_at = [&](double load) {
    auto other = s;
    other.rate = load * s.capacity / s.clients;
    return holds_down(text, simulated(text, other));
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
  auto const three = run_three(text, simulated(text, all));
  // The quotas' levels are read in another run of the same seed.
  auto s = three[1].of;
  s.after = three[1].found.times.tenths().size() * anew::duration{timeline::width} - s.before - s.outage;
  drawing result{s, simulate(text, s, true), {}};
  if (s.clients != all.clients) {
    show_latencies_of_all(result.found, healthy_latencies(text, s), healthy_latencies(text, all));
  }
  auto const shortest = s.outage / 8;
  std::vector<std::future<drawing::threshold>> map;
  for (int power = 0; power != 7; ++power) {
    auto other = all;
    other.outage = shortest * (1 << power);
    map.push_back(at_once([&text, other]() -> drawing::threshold {
      auto const is_down = run_to_the_end(text, simulated(text, other)).how == outcome::holds_down;
      return {other.outage, least_load(text, other, is_down)};
    }));
  }
  for (auto& one : map) result.map.push_back(one.get());
  return result;
}

std::optional<double> judge(std::string const& text, scenario const& s) {
  return run_three(text, simulated(text, s))[1].recovery;
}
std::optional<double> judge_once(std::string const& text, scenario const& s) {
  return recovery_of(text, simulated(text, s));
}
std::optional<double> holds_down_from_load(std::string const& text, scenario const& s) {
  return least_load(text, s, run_three(text, simulated(text, s))[1].how == outcome::holds_down);
}

scenario simulated(std::string const& text, scenario s) {
  s.after = std::max<anew::duration>(s.after, 5 * s.timeout);
  return scaled(text, s, 3e5);
}

std::vector<change> changes_for(std::string const& text, scenario const& all) {
  auto const s = simulated(text, all);
  auto const first_only = with_limit(text, "max_attempts(1)");
  auto const without = recovery_of(first_only, s);
  if (!without) return {};  // the calls alone are too many
  auto const bar = std::max(1.25 * *without, *without + 2);

  std::vector<std::pair<std::string, std::string>> candidates;
  auto const bucket = [&](std::uint32_t n) { return with_quota(text, "token_bucket(" + std::to_string(n) + ")"); };
  // Below the cost of a retry after a time-out, which is 14, nothing is ever paid for.
  auto most_tokens =
      at_once([&] { return largest(2'000 - 13, bar, s, [&](std::uint32_t n) { return bucket(n + 13); }); });
  auto const budget = [&](std::uint32_t n) {
    return with_quota(text, "retry_budget(" + std::to_string(n) + "%,0/s,10s)");
  };
  auto percent = largest(50, 4 * bar, s, budget);
  // A share at the edge would recover with most seeds only: it has to bear a load that is 2 % higher.
  auto heavier = s;
  heavier.rate *= 1.02;
  while (percent != 0 && !run_three(budget(percent), heavier).back().recovery) --percent;
  if (auto const tokens = most_tokens.get(); tokens != 0) {
    candidates.emplace_back("pay for retries from a bucket that successes fill", bucket(tokens + 13));
  }
  if (percent != 0) candidates.emplace_back("limit retries to a share of the calls", budget(percent));
  candidates.emplace_back("make no retries", first_only);

  auto another = s;
  another.seed += 1'000'003;  // not the seed that the search used
  std::vector<std::future<std::optional<change>>> trials;
  for (auto const& one : candidates) {
    trials.push_back(at_once([&another, &s, &one]() -> std::optional<change> {
      auto const& [what, changed] = one;
      auto const runs = run_three(changed, another);
      if (!runs.back().recovery) return std::nullopt;
      return change{what, changed, *runs[1].recovery, lost_in_health(changed, s)};
    }));
  }
  std::vector<change> changes;
  for (auto& one : trials) {
    if (auto tried = one.get()) changes.push_back(*std::move(tried));
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
  auto const s = simulated(text, all);
  auto well = at_once([&] { return healthy_latencies(text, all); });
  auto in_health = at_once([&] { return lost_in_health(text, s); });
  auto by_arithmetic = at_once([&] { return arithmetic(text, s); });
  auto runs = run_three(text, s);
  auto& [of, found, recovery, how] = runs[1];
  auto from_load = at_once([&] { return least_load(text, all, how == outcome::holds_down); });
  verdict result;
  result.strategy = text;
  result.promises = promises_of(text);
  result.how = how;
  result.recovery_seconds = recovery;
  result.seeds_that_hold_down = static_cast<unsigned>(
      std::count_if(runs.begin(), runs.end(), [](run const& one) { return one.how == outcome::holds_down; }));
  result.load = s.load();
  auto const outage_ends = (s.before + s.outage).count();
  auto const outage = found.times.sum(s.before.count(), outage_ends);
  result.amplification = outage.calls == 0 ? 1 : static_cast<double>(outage.attempts) / outage.calls;
  result.simulated_clients = of.clients;
  result.simulated_seconds = seconds_of(std::max<instant>(found.ended - outage_ends, 0));
  auto const until = outage_ends + s.after.count();
  auto const counted = found.has_collapsed ? std::min(until, found.ended) : until;
  result.counted_seconds = seconds_of(std::max<instant>(counted - outage_ends, 0));
  result.calls_lost = std::uint64_t{found.times.sum(s.before.count(), counted).lost} * all.clients / of.clients;
  // Calls that began shortly before the end may still succeed in time.
  auto const last = found.ended - std::min((10 * s.timeout).count(), (found.ended - s.before.count()) / 2);
  result.calls_not_ended =
      std::uint64_t{found.times.sum(s.before.count(), std::min(counted, last)).open} * all.clients / of.clients;
  auto const in_all = well.get();
  if (of.clients != all.clients) show_latencies_of_all(found, healthy_latencies(text, of), in_all);
  result.before = latencies_of(in_all);
  result.in_outage = latencies_of(found.periods[1].took);
  result.after = latencies_of(found.periods[2].took);
  result.wait = waits_of(text, s);
  if (result.holds_down()) result.changes = changes_for(text, all);
  result.warnings = warnings_of(text, all, layers);
  result.lost_in_health = in_health.get();
  result.by_arithmetic = by_arithmetic.get();
  result.holds_down_from_load = from_load.get();
  if (result.holds_down_from_load && std::abs(*result.holds_down_from_load - result.load) < margin) {
    result.warnings.push_back("The load is within " + std::to_string(std::lround(100 * margin)) +
                              " % of the capacity of that from which on the strategy holds the service down. Chance "
                              "decides there: plan for a "
                              "lower load.");
  }
  return result;
}

}  // namespace anew_plan
