// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <system_error>
#include <thread>

#include "processes.hpp"

namespace anew_get {

namespace {

/// Stops each process at wait() until open() is called in the process that made it.
class gate {
 public:
  gate() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::system_error{errno, std::generic_category(), "pipe"};
  }
  ~gate() {
    ::close(ends_[0]);
    open();
  }
  gate(gate const&) = delete;
  gate& operator=(gate const&) = delete;

  void open() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

  void wait() {
    open();  // the copy that a fork made
    char none{};
    while (::read(ends_[0], &none, 1) < 0 && errno == EINTR) {
    }
  }

 private:
  std::array<int, 2> ends_{};
};

// The threads of the parent do not exist in the child: the child ends without their destructors, and takes the signals
// that they were waiting for.
[[noreturn]] void live(unsigned number, std::function<void(unsigned)> const& work, gate& start) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  start.wait();
  try {
    work(number);
    ::_exit(0);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "anew-get: process %u: %s\n", number, e.what());
  }
  ::_exit(1);
}

}  // namespace

processes::processes(unsigned count, std::function<void(unsigned)> const& work) {
  ::signal(SIGCHLD, SIG_DFL);  // a parent that ignores it would not be told how a child has ended
  gate start;
  for (unsigned number = 1; number <= count; ++number) {
    pid_t const id = ::fork();
    if (id == 0) live(number, work, start);
    if (id < 0) {
      auto const error = errno;
      kill_all();
      throw std::system_error{error, std::generic_category(), "fork"};
    }
    all_.push_back({id});
  }
  start.open();
}

processes::~processes() { kill_all(); }

void processes::kill(unsigned number) {
  auto& one = all_.at(number - 1);
  if (!one.runs) return;
  ::kill(one.id, SIGKILL);
  look_after(one, 0);
}

bool processes::wait(std::stop_token const& stop, std::chrono::milliseconds at_most) {
  auto const end = std::chrono::steady_clock::now() + at_most;
  for (;;) {
    for (auto& one : all_) look_after(one, WNOHANG);
    if (std::none_of(all_.begin(), all_.end(), [](auto const& one) { return one.runs; })) return true;
    if (stop.stop_requested() || std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
}

bool processes::finished(unsigned number) const {
  auto const& one = all_.at(number - 1);
  return !one.runs && WIFEXITED(one.status) && WEXITSTATUS(one.status) == 0;
}

bool processes::was_killed(unsigned number) const {
  auto const& one = all_.at(number - 1);
  return !one.runs && WIFSIGNALED(one.status) && WTERMSIG(one.status) == SIGKILL;
}

void processes::look_after(process& one, int options) {
  if (!one.runs) return;
  pid_t ended = -1;
  do ended = ::waitpid(one.id, &one.status, options);
  while (ended < 0 && errno == EINTR);
  one.runs = ended == 0;
}

void processes::kill_all() noexcept {
  for (auto& one : all_) {
    if (!one.runs) continue;
    ::kill(one.id, SIGKILL);
    look_after(one, 0);
  }
}

}  // namespace anew_get
