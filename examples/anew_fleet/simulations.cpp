// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

#include "clients.hpp"
#include "instant.hpp"
#include "simulations.hpp"

namespace anew_fleet {

namespace {

using namespace std::chrono_literals;
using fleet_simulation::event_log;
using fleet_simulation::observed;
using fleet_simulation::seconds_of;

result simulate(scenario_file const& file, how const& by, std::uint64_t seed, event_log& log) {
  auto w = file.of;
  w.seed = seed;
  auto names = file.phases;
  if (by.by_second) {
    names.clear();
    for (anew::duration t{}; t.count() < observed::end_of(w); t += 1s) {
      names.push_back(std::to_string(w.periods.size()) + " s");
      w.periods.push_back(t);
    }
  }
  auto of = result_of(fleet_simulation::simulate(file.strategy, w, &log), w, names);
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
