// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>

#include "by_text.hpp"
#include "instant.hpp"
#include "simulations.hpp"

namespace anew_fleet {

namespace {

using namespace std::chrono_literals;
using fleet_simulation::event_log;
using fleet_simulation::observed;
using fleet_simulation::seconds_of;

constexpr auto none = std::numeric_limits<double>::quiet_NaN();

/// The nearest number to the seconds, as it is printed: seconds_of(60'000'000'000) is 60.00000000000001.
double nearest_seconds(fleet_simulation::instant t) { return static_cast<double>(t) / 1e9; }

double quantile(fleet_simulation::histogram const& of, double share) {
  return of.size() == 0 ? none : of.quantile(share);
}

std::vector<row> rows_of(observed const& found, scenario_file const& file, bool by_second) {
  std::vector<row> rows;
  for (std::size_t i = 0; i != found.periods.size(); ++i) {
    auto const& of = found.periods[i];
    auto const sum = found.times.sum(of.begin, of.end);
    row one;
    one.begin = nearest_seconds(of.begin);
    one.end = nearest_seconds(of.end);
    one.name = by_second ? std::to_string(i) + " s" : file.phases[i];
    one.calls = sum.calls;
    one.attempts = sum.attempts;
    one.amplification = sum.calls == 0 ? none : one.attempts / one.calls;
    one.good = static_cast<double>(of.took.size());
    one.failed = one.calls - one.good - sum.open;
    one.by_quota = of.by_quota;
    one.under_way = sum.open;
    one.p50 = quantile(of.took, 0.5);
    one.p99 = quantile(of.took, 0.99);
    one.p999 = quantile(of.took, 0.999);
    rows.push_back(std::move(one));
  }
  return rows;
}

result simulate(scenario_file const& file, how const& by, std::uint64_t seed, event_log& log) {
  auto w = file.of;
  w.seed = seed;
  auto const end = observed::end_of(w);
  if (by.by_second) {
    for (anew::duration t{}; t.count() < end; t += 1s) w.periods.push_back(t);
  }
  auto const found = anew_plan::simulate(file.strategy, w, log);
  result of;
  of.seed = seed;
  of.rows = rows_of(found, file, by.by_second);
  if (found.has_collapsed) {
    of.gave_up = nearest_seconds(found.ended);
  } else {
    auto const last = end - w.phases.back().lasts.count();
    of.recovery = found.times.recovery(last);
    if (of.recovery) of.recovery = std::round(10 * *of.recovery) / 10;  // whole tenths, as they are printed
    of.end = of.recovery ? ending::recovered : found.times.fails_at_the_end(last) ? ending::failing : ending::too_short;
  }
  for (auto const n : found.attempts_of_layer) of.attempts_of_layers.push_back(static_cast<double>(n));
  of.events = found.events;
  of.checksum = log.checksum();
  return of;
}

/// Runs the simulations, and tells how far they are.
class work {
 public:
  work(scenario_file const& file, how const& by) : file_{file}, by_{by}, results_(by.seeds) {
    for (unsigned i = 0; i != by.seeds; ++i) {
      if (by.see) {
        logs_.emplace_back(by.see);
      } else {
        logs_.emplace_back();
      }
    }
  }

  std::vector<result> run() {
    std::vector<std::jthread> threads;
    auto const n = std::min(by_.jobs, by_.seeds);
    threads.reserve(n);
    left_ = n;
    for (unsigned i = 0; i != n; ++i) {
      try {
        threads.emplace_back([this] { run_some(); });
      } catch (std::system_error const&) {  // there are no more: those that there are do all
        std::lock_guard const lock{mutex_};
        left_ -= n - i;
        break;
      }
    }
    if (threads.empty()) {
      left_ = 1;
      run_some();
    }
    std::unique_lock lock{mutex_};
    while (!is_done_.wait_for(lock, 200ms, [this] { return left_ == 0; })) {
      if (by_.show) by_.show(share_done());
    }
    lock.unlock();
    threads.clear();
    if (failed_) std::rethrow_exception(failed_);
    return std::move(results_);
  }

 private:
  void run_some() {
    try {
      for (auto i = next_++; i < by_.seeds; i = next_++) {
        results_[i] = simulate(file_, by_, file_.of.seed + i, logs_[i]);
      }
    } catch (...) {
      std::lock_guard const lock{mutex_};
      failed_ = std::current_exception();
    }
    std::lock_guard const lock{mutex_};
    --left_;
    is_done_.notify_all();
  }
  [[nodiscard]] double share_done() const {
    auto const all = seconds_of(observed::end_of(file_.of)) * by_.seeds;
    double done = 0;
    for (auto const& log : logs_) done += seconds_of(log.present());
    return done / all;
  }

  scenario_file const& file_;
  how const& by_;
  std::vector<result> results_;
  std::deque<event_log> logs_;
  std::atomic<unsigned> next_{0};
  std::mutex mutex_;
  std::condition_variable is_done_;
  unsigned left_ = 0;
  std::exception_ptr failed_;
};

}  // namespace

std::vector<result> run(scenario_file const& file, how const& by) { return work{file, by}.run(); }

}  // namespace anew_fleet
