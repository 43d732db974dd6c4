// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_PROCESS_INTERNAL_KEPT_FILE_HPP
#define ANEW_BRIDGES_PROCESS_INTERNAL_KEPT_FILE_HPP

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"
#include "anew/bridges/process/internal/requires_linux.hpp"  // before headers that others do not have

// A file that is not found ends the compilation; after an #error it would go on.
#ifndef F_OFD_SETLK
#include "anew requires Linux for quotas of processes: its open-file-description locks tell which process lives"
#endif

namespace anew::inline ANEW_ABI::detail {

class kept_file;

/// Which file it is, whatever its name. Zeros: none.
struct file_identity {
  dev_t device;
  ino_t node;

  [[nodiscard]] static file_identity of(int descriptor) noexcept {
    struct ::stat found{};
    return ::fstat(descriptor, &found) == 0 ? file_identity{found.st_dev, found.st_ino} : file_identity{};
  }
  friend bool operator==(file_identity const&, file_identity const&) = default;
};

/// The open files of a shared library or program, for the child of a fork to open again or close.
struct kept_files {
  fork_safe_mutex mutex;
  kept_file* first = nullptr;
  std::uint32_t watches_forks = 0;

  /// For the lock. Runs only in the child of a fork that began before the first file was opened.
  [[nodiscard]] auto recover() noexcept {
    return [this] { first = nullptr; };
  }
};

/// An open file that a forked child opens again or closes.
///
/// The locks of a file belong to its description, which a child shares: if the child kept it open, the locks of a parent
/// that was killed would stay. The child only closes its descriptor, because an unlock would free the parent's locks. If
/// the file has slots, the child first opens it again, whatever became of its name, while it still has the rights and the
/// root directory of its parent. No file is opened or closed while the process forks, so that no descriptor is missed. One
/// that has slots is in memory that a child has as long as it lives: on the heap. Do not map it: a mapping keeps the
/// description, and a child keeps the mapping.
///
/// A program may close all descriptors, as daemons do, and the system reuses their numbers. So a number is closed or
/// trusted only while it refers to the same file.
class kept_file {
 public:
  explicit kept_file(kept_files& all, bool has_slots = false) noexcept : all_{&all}, has_slots_{has_slots} {}
  kept_file(kept_file const&) = delete;
  kept_file& operator=(kept_file const&) = delete;
  ~kept_file() {
    fork_safe_lock const lock{all_->mutex, all_->recover()};
    close_locked();
  }

  /// False, with `errno`, when the file cannot be opened; ESTALE when it is another file than the expected one.
  [[nodiscard]] bool open(int directory, char const* name, int flags, file_identity expected = {}) noexcept {
    fork_safe_lock const lock{all_->mutex, all_->recover()};
    int opened = -1;
    do opened = ::openat(directory, name, flags | own_flags, S_IRUSR | S_IWUSR);
    while (opened < 0 && errno == EINTR);
    if (opened < 0) return false;
    auto const found = file_identity::of(opened);
    if (!(expected == file_identity{}) && !(expected == found)) {
      ::close(opened);
      errno = ESTALE;
      return false;
    }
    // The system gave this number again, so the file that had it has lost its descriptor.
    for (auto* file = all_->first; file != nullptr; file = file->next_) {
      if (file->descriptor_.load() == opened) file->descriptor_.store_release(-1);
    }
    close_locked();
    if (!(identity_ == found)) identity_ = found;  // other threads may read what is the same
    descriptor_.store_release(opened);
    next_ = all_->first;
    all_->first = this;
    return true;
  }
  /// -1: closed, or the child has closed what it inherited.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_.load(); }
  /// The file that was opened last.
  [[nodiscard]] file_identity identity() const noexcept { return identity_; }
  /// False also when the program has closed the descriptor, or when its number now refers to another file.
  [[nodiscard]] bool is_open() const noexcept {
    auto const descriptor = descriptor_.load();
    return descriptor >= 0 && file_identity::of(descriptor) == identity_;
  }

  /// A lock on one byte. False when another description has it, or when the file system has no locks.
  [[nodiscard]] bool lock_byte(off_t byte) const noexcept { return change_lock(byte, F_WRLCK); }
  /// A lock that many descriptions may have. It replaces the lock of this file in one step.
  [[nodiscard]] bool share_byte(off_t byte) const noexcept { return change_lock(byte, F_RDLCK); }
  /// Why a lock was refused: another description has one.
  [[nodiscard]] static bool is_taken(int error) noexcept { return error == EAGAIN || error == EACCES; }
  void unlock_byte(off_t byte) const noexcept { static_cast<void>(change_lock(byte, F_UNLCK)); }

  /// The slot whose byte this file has locked, counted from 1, or 0. Falls to 0 in a forked child.
  [[nodiscard]] std::uint32_t slot() const noexcept { return slot_.load_acquire(); }
  void keep_slot(std::uint32_t number) noexcept { slot_.store_release(number); }

  static void renew_all_in_child(kept_files& all) noexcept {
    for (auto* file = all.first; file != nullptr; file = file->next_) {
      if (!file->is_open()) file->descriptor_.store_release(-1);  // before the system gives its number again
    }
    for (auto* file = std::exchange(all.first, nullptr); file != nullptr;) {
      auto* const next = file->next_;
      file->renew_in_child();
      if (file->descriptor() >= 0) file->next_ = std::exchange(all.first, file);
      file = next;
    }
  }

 private:
  static constexpr int own_flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

  void renew_in_child() noexcept {
    int again = -1;
    if (has_slots_ && is_open()) {
      char same[32];
      std::snprintf(same, sizeof(same), "/proc/self/fd/%d", descriptor());
      again = ::open(same, own_flags);
    }
    close_own();
    descriptor_.store_release(again);
    slot_.store_release(0);
  }
  void close_locked() noexcept {
    for (auto** at = &all_->first; *at != nullptr; at = &(*at)->next_) {
      if (*at != this) continue;
      *at = next_;
      break;
    }
    close_own();
  }
  void close_own() noexcept {
    if (is_open()) ::close(descriptor_.load());
    descriptor_.store_release(-1);
  }
  [[nodiscard]] bool change_lock(off_t byte, int to) const noexcept {
    struct ::flock range{};
    range.l_type = static_cast<short>(to);
    range.l_whence = SEEK_SET;
    range.l_start = byte;
    range.l_len = 1;
    return ::fcntl(descriptor_.load(), F_OFD_SETLK, &range) == 0;
  }

  kept_files* all_;
  bool has_slots_;
  kept_file* next_ = nullptr;
  file_identity identity_{};
  atomic_cell<int> descriptor_{-1};
  atomic_cell<std::uint32_t> slot_{0};
};

// Hidden, so that each shared library registers handlers of its own: see fork.hpp.
ANEW_HIDDEN inline constinit kept_files own_kept_files{};
ANEW_HIDDEN inline constinit thread_local unsigned forks_under_way = 0;

ANEW_HIDDEN inline void before_fork() noexcept {
  ++forks_under_way;
  if (forks_under_way == 1) own_kept_files.mutex.lock(own_kept_files.recover());
}
ANEW_HIDDEN inline void after_fork() noexcept {
  if (forks_under_way == 0) return;
  --forks_under_way;
  if (forks_under_way == 0) own_kept_files.mutex.unlock();
}
ANEW_HIDDEN inline void after_fork_in_child() noexcept {
  kept_file::renew_all_in_child(own_kept_files);
  detail::after_fork();
}

/// The files of this library or program. From the first call on, forks are watched; if two threads come first, both
/// register the handlers, which count how often they run for a fork.
ANEW_HIDDEN inline kept_files& all_kept_files() noexcept {
  atomic_view<std::uint32_t> const watches{own_kept_files.watches_forks};
  if (watches.load_acquire() == 0) {
    static_cast<void>(
        detail::counted_fork_generation());  // registers its handler, which must not happen in before_fork
    ::pthread_atfork(&before_fork, &after_fork, &after_fork_in_child);
    watches.store_release(1);
  }
  return own_kept_files;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
