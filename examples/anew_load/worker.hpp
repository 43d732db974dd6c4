// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_WORKER_HPP
#define ANEW_LOAD_WORKER_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "arrivals.hpp"
#include "client.hpp"
#include "connection.hpp"
#include "latency.hpp"
#include "options.hpp"
#include "series.hpp"
#include "target.hpp"

namespace anew_load {

using clock = std::chrono::steady_clock;

/// The calls to one URL.
struct target_counts {
  std::uint64_t good = 0;
  std::uint64_t failed = 0;
  latencies took;
};

/// The calls with one strategy. Sums over threads by +=.
struct measured {
  std::uint64_t good = 0;
  std::uint64_t failed = 0;
  std::uint64_t unfinished = 0;  // cut short at the end
  std::uint64_t not_begun = 0;   // arrived, and found no free worker until the end
  attempt_counts attempts;
  hedge_counts hedges;
  std::map<outcome, std::uint64_t> last_failures;  // of the calls that failed
  latencies took;                                  // of the good ones and of the failed ones
  std::vector<target_counts> by_target;            // where there are several URLs
  series in_time;
  clock::time_point last_end;

  [[nodiscard]] std::uint64_t calls() const noexcept { return good + failed; }
  measured& operator+=(measured const& other);
};

/// When calls begin and end; all threads share it.
struct schedule {
  clock::time_point begin;         // when the first call is to arrive
  clock::time_point measure;       // after the warming up
  clock::time_point end;           // when none begins any more
  std::atomic<std::int64_t> left;  // calls that may begin
};

/// Shared by all threads.
struct plan {
  settings const* options = nullptr;
  std::vector<target> targets;
  std::vector<std::uint32_t> rota;  // the targets of one call after the other, from the beginning again and again
  std::vector<calling*> lanes;      // one, or the strategies that are compared
  connection_rules rules;
  std::optional<arrivals> rate;  // nothing: the next call begins when one ends
  anew::duration part{};         // how long the parts of the series are; zero: no series
};

/// An event loop in a thread, and its share of the callers.
class worker {
 public:
  /// `first` and `step`: which of the arriving calls this worker takes, where there is a rate.
  worker(plan const& p, schedule& when, std::uint32_t callers, std::uint32_t first, std::uint32_t step);
  ~worker();
  worker(worker const&) = delete;
  worker& operator=(worker const&) = delete;

  /// `when_over` is called in the worker's thread.
  void start(std::function<void()> when_over);
  /// Ends the calls under way, from any thread.
  void interrupt();
  /// Ends the attempts that have made no progress for too long, from any thread.
  void end_stalled();
  /// Until all calls are over. One for each strategy.
  std::vector<measured> finish();
  /// After finish(): the time of this thread on a processor, while it measured.
  [[nodiscard]] anew::duration processor() const noexcept { return processor_; }
  [[nodiscard]] bool is_over() const noexcept { return is_done_.load(); }

  /// The events since the last question; from any thread.
  struct recent {
    std::uint64_t good = 0;
    std::uint64_t failed = 0;
    latencies took;
  };
  void add_recent_to(recent& all);

 private:
  class one_caller;
  struct lane {
    lane(boost::asio::io_context& io, plan const& p, calling& how)
        : over{io, p.rules, p.targets.size()}, by{how.client_over(over)} {}
    connections over;
    std::unique_ptr<client> by;
    measured so_far;
    hedge_counts hedges_before;  // while warming up
  };
  /// The strategy and the URL of a call.
  struct turn {
    std::size_t lane;
    std::uint32_t target;
  };

  void run();
  [[nodiscard]] turn next_turn() const;
  bool begin_next(one_caller& who, clock::time_point now);
  void arrive();
  void wait_for_arrival();
  void ended(one_caller& who, reply const& last);
  void count(one_caller const& who, reply const& last, clock::time_point now);
  void stop_beginning();
  void end_all();
  [[nodiscard]] clock::time_point arrival(std::uint64_t n) const;

  plan const& plan_;
  schedule& when_;
  std::uint64_t first_;
  std::uint64_t step_;
  boost::asio::io_context io_{1};
  boost::asio::steady_timer arrivals_{io_};
  boost::asio::steady_timer end_{io_};
  boost::asio::steady_timer grace_{io_};
  std::deque<lane> lanes_;
  std::deque<one_caller> callers_;
  std::vector<one_caller*> idle_;
  std::uint64_t begun_ = 0;
  std::size_t busy_ = 0;
  bool beginning_ = true;
  bool interrupted_ = false;
  bool is_warm_ = false;
  anew::duration processor_{};

  bool shows_;
  std::mutex mutex_;
  recent recent_;
  std::atomic<bool> is_done_{false};
  std::thread thread_;
};

}  // namespace anew_load

#endif
