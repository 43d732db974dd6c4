// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_PROCESSES_HPP
#define ANEW_GET_PROCESSES_HPP

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <stop_token>
#include <vector>

namespace anew_get {

/// Forked processes that begin the same work at the same moment. `work` gets the number of the process, counted from 1.
class processes {
 public:
  /// Throws std::system_error when the system refuses a process.
  processes(unsigned count, std::function<void(unsigned)> const& work);
  ~processes();  // kills those that still run
  processes(processes const&) = delete;
  processes& operator=(processes const&) = delete;

  /// SIGKILL: the process runs no further instruction, no destructor and no handler. Waits for its end.
  void kill(unsigned number);

  /// Waits until all have ended; false when a stop is requested or the time is over first.
  [[nodiscard]] bool wait(std::stop_token const& stop, std::chrono::milliseconds at_most);

  /// Whether it has done its work to the end.
  [[nodiscard]] bool finished(unsigned number) const;
  /// Whether it has ended by SIGKILL.
  [[nodiscard]] bool was_killed(unsigned number) const;

 private:
  struct process {
    pid_t id;
    bool runs = true;
    int status = 0;
  };

  static void look_after(process& one, int options);
  void kill_all() noexcept;

  std::vector<process> all_;
};

}  // namespace anew_get

#endif
