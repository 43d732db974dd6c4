// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_SIGNALS_HPP
#define ANEW_GET_SIGNALS_HPP

#include <signal.h>

#include <atomic>
#include <stop_token>
#include <thread>

namespace anew_get {

/// Turns SIGINT, SIGTERM, SIGHUP and SIGQUIT into a stop request. A second signal ends the program on the spot. A SIGHUP
/// that is ignored stays so.
///
/// The signals are blocked and a thread waits for them: `request_stop()` takes locks and wakes sleepers, which a signal
/// handler must not do. To be made before any other thread, which inherits what is blocked.
class signal_watch {
 public:
  signal_watch();
  ~signal_watch();
  signal_watch(signal_watch const&) = delete;
  signal_watch& operator=(signal_watch const&) = delete;

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
  /// Can be read once a signal came.
  [[nodiscard]] int wake() const { return wake_; }
  /// The signal that came, or 0.
  [[nodiscard]] int caught() const { return caught_.load(); }

 private:
  void watch();

  int wake_;
  std::stop_source source_;
  std::atomic<int> caught_{0};
  std::atomic<bool> over_{false};
  ::sigset_t watched_{};
  std::thread thread_;
};

}  // namespace anew_get

#endif
