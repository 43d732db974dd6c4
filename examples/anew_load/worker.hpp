// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_WORKER_HPP
#define ANEW_LOAD_WORKER_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "client.hpp"
#include "connection.hpp"
#include "latency.hpp"
#include "options.hpp"
#include "target.hpp"

namespace anew_load {

using clock = std::chrono::steady_clock;

/// The measurements. Sums over threads by +=.
struct measured {
  std::uint64_t good = 0;
  std::uint64_t failed = 0;
  std::uint64_t unfinished = 0;  // cut short at the end
  std::uint64_t not_begun = 0;   // arrived, and found no free worker until the end
  std::uint64_t attempts = 0;
  std::uint64_t requests = 0;
  std::uint64_t connections = 0;          // while warming up, too
  std::uint64_t missing_descriptors = 0;  // the same
  hedge_counts hedges;
  std::map<std::string, std::uint64_t> last_failures;  // of the calls that failed
  latencies took;                                      // of the good ones and of the failed ones
  clock::time_point last_end;
  anew::duration processor{};  // the time that the threads of the callers took of it

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

/// An event loop in a thread, and its share of the callers.
class worker {
 public:
  /// `first` and `step`: which of the arriving calls this worker takes, where there is a rate.
  worker(settings const& s, target const& to, calling& how, schedule& when, std::uint32_t callers, std::uint32_t first,
         std::uint32_t step);
  ~worker();
  worker(worker const&) = delete;
  worker& operator=(worker const&) = delete;

  void start();
  /// Ends the calls under way, from any thread.
  void interrupt();
  /// Until all calls are over.
  measured finish();
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

  void run();
  bool begin_next(one_caller& who);
  void arrive();
  void wait_for_arrival();
  void ended(one_caller& who, reply const& last);
  void stop_beginning();
  void end_all();
  [[nodiscard]] clock::time_point arrival(std::uint64_t n) const;

  settings const& settings_;
  schedule& when_;
  std::uint64_t first_;
  std::uint64_t step_;
  boost::asio::io_context io_{1};
  connections over_;
  boost::asio::steady_timer arrivals_{io_};
  boost::asio::steady_timer end_{io_};
  boost::asio::steady_timer grace_{io_};
  std::unique_ptr<client> client_;
  std::deque<one_caller> callers_;
  std::vector<one_caller*> idle_;
  std::uint64_t arrived_ = 0;  // calls that began, of those that arrive
  std::size_t busy_ = 0;
  bool beginning_ = true;
  bool interrupted_ = false;
  measured so_far_;
  bool is_warm_ = false;
  struct {
    std::uint64_t attempts = 0;
    std::uint64_t requests = 0;
    hedge_counts hedges;
    anew::duration processor{};
  } before_;  // while warming up

  bool shows_;
  std::mutex mutex_;
  recent recent_;
  std::atomic<bool> is_done_{false};
  std::thread thread_;
};

}  // namespace anew_load

#endif
