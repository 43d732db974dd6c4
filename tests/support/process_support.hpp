// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_PROCESS_SUPPORT_HPP
#define ANEW_TESTS_SUPPORT_PROCESS_SUPPORT_HPP

#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "pinned.hpp"

/// Files of quotas, and processes that use them.
namespace support {

/// A file that no other test has, removed at the end.
struct place_of_its_own : public pinned {
  place_of_its_own() {
    static int count = 0;
    path_ = "/dev/shm/anew-test." + std::to_string(::getpid()) + "." + std::to_string(++count);
    ::unlink(path_.c_str());
  }
  ~place_of_its_own() { ::unlink(path_.c_str()); }

  [[nodiscard]] std::string const& path() const noexcept { return path_; }

  /// Makes the file, with these contents.
  void write(std::string const& contents, mode_t mode = 0600) const {
    int const file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    static_cast<void>(::write(file, contents.data(), contents.size()) + ::fchmod(file, mode));
    ::close(file);
  }
  [[nodiscard]] std::string read() const {
    std::string contents(1 << 15, 0);
    int const file = ::open(path_.c_str(), O_RDONLY);
    auto const length = ::read(file, contents.data(), contents.size());
    ::close(file);
    contents.resize(length < 0 ? 0 : static_cast<std::size_t>(length));
    return contents;
  }

 private:
  std::string path_;
};

/// A quota of a file that nobody else can open.
template <class Quota, class... Numbers>
Quota of_no_other_process(Numbers... numbers) {
  place_of_its_own const place;
  return Quota{place.path(), numbers...};
}

constexpr unsigned watchdog = 20;  // seconds

/// What a forked child returns from `work`; -1 when it is killed.
int in_a_child(auto const& work) {
  pid_t const child = ::fork();
  if (child == 0) {
    ::alarm(watchdog);
    ::_exit(work());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The text that a forked child returns from `work`.
std::string text_of_a_child(auto const& work) {
  int ends[2];
  static_cast<void>(::pipe(ends) + 0);
  auto const code = in_a_child([&] {
    std::string const text = work();
    return ::write(ends[1], text.data(), text.size()) < 0 ? 1 : 0;
  });
  ::close(ends[1]);
  char text[512];
  auto const length = ::read(ends[0], text, sizeof(text));
  ::close(ends[0]);
  return code == 0 && length >= 0 ? std::string{text, text + length} : "exit code " + std::to_string(code);
}

/// A child that has done `work` and then does nothing, until it is killed.
struct waiting_child : public pinned {
  explicit waiting_child(auto const& work) {
    int ends[2];
    static_cast<void>(::pipe(ends) + 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::alarm(watchdog);
      auto const answer = static_cast<unsigned char>(work());
      static_cast<void>(::write(ends[1], &answer, 1) + 0);
      for (;;) ::pause();
    }
    unsigned char answer = 0;
    ::close(ends[1]);
    answer_ = ::read(ends[0], &answer, 1) == 1 ? answer : -1;
    ::close(ends[0]);
  }
  ~waiting_child() { kill(); }

  /// What `work` returned.
  [[nodiscard]] int answer() const noexcept { return answer_; }
  /// Has ended when this returns.
  void kill() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(std::exchange(child_, -1), nullptr, 0);
  }

 private:
  pid_t child_ = -1;
  int answer_ = -1;
};

}  // namespace support

#endif
