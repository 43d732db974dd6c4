// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_LOAD_HPP
#define ANEW_LOAD_LOAD_HPP

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "client.hpp"
#include "compare.hpp"
#include "options.hpp"
#include "worker.hpp"

namespace anew_load {

/// The calls with one strategy.
struct strategy_report {
  std::string strategy;
  measured of;
  endings::counts gave_up{};
  bool hedges = false;
  anew_get::quota_state quota;

  [[nodiscard]] std::uint64_t first_attempts() const;
  /// Attempts that were not the first of their call.
  [[nodiscard]] std::uint64_t extra() const;
  [[nodiscard]] std::uint64_t retries() const;
  [[nodiscard]] double extra_percent() const;
};

/// One run, when it is over.
struct load_report {
  std::string url;
  std::vector<std::string> urls;  // where there are several
  std::optional<comparison> compared;
  std::vector<strategy_report> of;  // one, or those that were compared
  std::optional<arrivals> rate;
  anew::duration warm_up{};
  anew::duration took{};
  anew::duration processor{};  // of the threads that call
  std::chrono::system_clock::time_point measured_from;
  struct at_server {
    std::uint64_t requests = 0;
    std::uint64_t connections = 0;
  };
  std::optional<at_server> server;
  bool interrupted = false;

  [[nodiscard]] std::uint64_t calls() const;
  [[nodiscard]] std::uint64_t ok() const;
  [[nodiscard]] std::uint64_t missing_descriptors() const;
  [[nodiscard]] double per_second(std::uint64_t n) const;
  /// The cost of a call in the client, without the server.
  [[nodiscard]] double processor_us_per_call() const;
};

/// How far a run is.
struct progress {
  anew::duration since_start{};
  anew::duration of_time{};  // since the line before
  worker::recent recent;
  std::string status;  // with --observe: what the observers have counted
};

/// Calls as the settings say, until that is done, a stop is requested or the reader of standard output is gone. `show`
/// is called now and then, in this thread.
/// Throws std::runtime_error when it cannot begin.
[[nodiscard]] load_report run_load(settings const& s, std::stop_token const& stop,
                                   std::function<void(progress const&)> const& show);

}  // namespace anew_load

#endif
