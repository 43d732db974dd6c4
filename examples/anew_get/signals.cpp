// SPDX-License-Identifier: BSL-1.0
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "exit_code.hpp"
#include "signals.hpp"

namespace anew_get {

namespace {

/// nohup ignores SIGHUP for what it starts.
bool is_ignored(int signal) {
  struct ::sigaction now{};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

signal_watch::signal_watch() : wake_{::eventfd(0, EFD_CLOEXEC)} {
  if (wake_ < 0) throw std::system_error{errno, std::generic_category(), "eventfd"};
  ::sigemptyset(&watched_);
  for (int const s : {SIGINT, SIGTERM, SIGQUIT}) ::sigaddset(&watched_, s);
  if (!is_ignored(SIGHUP)) ::sigaddset(&watched_, SIGHUP);
  ::pthread_sigmask(SIG_BLOCK, &watched_, nullptr);
  // A reader that goes away, or a file that becomes too large, shows as a failed write.
  for (int const s : {SIGPIPE, SIGXFSZ}) ::signal(s, SIG_IGN);
  thread_ = std::thread{[this] { watch(); }};
}

signal_watch::~signal_watch() {
  over_ = true;
  ::pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
  ::close(wake_);
}

void signal_watch::watch() {
  for (;;) {
    int which = 0;
    if (::sigwait(&watched_, &which) != 0 || over_) return;
    if (caught_.exchange(which) != 0) std::_Exit(exit_code::signalled + which);
    ::eventfd_write(wake_, 1);
    source_.request_stop();
  }
}

}  // namespace anew_get
