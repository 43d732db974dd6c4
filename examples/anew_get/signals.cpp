// SPDX-License-Identifier: BSL-1.0
#include <pthread.h>

#include <cstdlib>

#include "exit_code.hpp"
#include "signals.hpp"

namespace anew_get {

signal_watch::signal_watch() {
  ::sigemptyset(&watched_);
  for (int const s : {SIGINT, SIGTERM}) ::sigaddset(&watched_, s);
  ::pthread_sigmask(SIG_BLOCK, &watched_, nullptr);
  ::signal(SIGPIPE, SIG_IGN);  // a reader that goes away shows as a failed write
  thread_ = std::thread{[this] { watch(); }};
}

signal_watch::~signal_watch() {
  over_ = true;
  ::pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
}

void signal_watch::watch() {
  for (;;) {
    int which = 0;
    if (::sigwait(&watched_, &which) != 0 || over_) return;
    if (caught_.exchange(which) != 0) std::_Exit(exit_code::signalled + which);
    source_.request_stop();
  }
}

}  // namespace anew_get
