// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_FORK_SAFE_MUTEX_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_FORK_SAFE_MUTEX_HPP

#include <cstdint>
#include <memory>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork.hpp"
#include "anew/base/platform/internal/mutex.hpp"
#include "anew/base/platform/system.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A mutex that a forked child does not wait for. The thread that holds one while another thread forks does not exist
/// in the child, so no thread would ever unlock it there: the child begins with a new mutex.
///
/// The protected data may be half changed in the child then. A function that you pass with each lock makes it usable
/// again: see `fork_safe_lock`. Nothing is registered per object, and what a fork costs does not depend on it.
/// Cost: that of a mutex, two loads and an exchange. Not recursive; a thread that forks holds none.
class fork_safe_mutex {
 public:
  constexpr fork_safe_mutex() noexcept = default;
  fork_safe_mutex(fork_safe_mutex&& /*other*/) noexcept {}  // for what it protects, before threads share that
  fork_safe_mutex& operator=(fork_safe_mutex&&) = delete;
  fork_safe_mutex(fork_safe_mutex const&) = delete;
  fork_safe_mutex& operator=(fork_safe_mutex const&) = delete;
  ~fork_safe_mutex() = default;

  /// `recover()` runs, under the lock, where the thread that held it last stayed behind in the parent process.
  void lock(auto const& recover) {
    renew_in_a_child();
    mutex_.lock();
    enter(recover);
  }
  [[nodiscard]] bool try_lock(auto const& recover) {
    renew_in_a_child();
    if (!mutex_.try_lock()) return false;
    enter(recover);
    return true;
  }
  void unlock() noexcept {
    atomic_view<std::uint32_t>{is_inside_}.store_release(0);
    mutex_.unlock();
  }

 private:
  static constexpr std::uint32_t renewing = 1;  // the generation, doubled, and this

  void enter(auto const& recover) {
    // An exchange: what is written under the lock must not be seen by a child before this is.
    if (atomic_view<std::uint32_t>{is_inside_}.exchange(1) != 0) recover();
  }

  void renew_in_a_child() noexcept {
    auto const own = 2 * counted_fork_generation();
    atomic_view<std::uint32_t> const made_in{made_in_};
    auto found = made_in.load_acquire();
    while (found != own) [[unlikely]] {
      if (found == (own | renewing)) {
        platform::yield();  // another thread is at it, for some instructions
        found = made_in.load_acquire();
      } else if (made_in.compare_exchange(found, own | renewing)) {
        std::construct_at(std::addressof(mutex_));
        made_in.store_release(own);
        return;
      }
    }
  }

  platform::mutex mutex_;
  std::uint32_t made_in_ = 0;  // the generation of forks
  std::uint32_t is_inside_ = 0;
};

struct already_locked {};

/// Holds a lock for a scope. `recover()` makes what it protects usable again; see `fork_safe_mutex`.
class fork_safe_lock {
 public:
  fork_safe_lock(fork_safe_mutex& mutex, auto const& recover) : mutex_{mutex} { mutex_.lock(recover); }
  /// Of a mutex that is locked already.
  fork_safe_lock(fork_safe_mutex& mutex, already_locked /*unused*/) noexcept : mutex_{mutex} {}
  fork_safe_lock(fork_safe_lock const&) = delete;
  fork_safe_lock& operator=(fork_safe_lock const&) = delete;
  ~fork_safe_lock() { mutex_.unlock(); }

 private:
  fork_safe_mutex& mutex_;
};

/// Where nothing can be half changed.
inline constexpr auto nothing_to_recover = [] {};

}  // namespace anew::inline ANEW_ABI::detail

#endif
