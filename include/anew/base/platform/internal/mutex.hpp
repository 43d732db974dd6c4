// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_MUTEX_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_MUTEX_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/posix.hpp"
#include "anew/base/platform/internal/windows.hpp"

namespace anew::inline ANEW_ABI::detail::platform {

/// Not recursive; constant-initialized, so that a limiter of a program may be constinit. `<mutex>` is missing where a
/// library has no threads: WASI, and MinGW with threads of win32.
class mutex {
 public:
  constexpr mutex() noexcept = default;
  mutex(mutex const&) = delete;
  mutex& operator=(mutex const&) = delete;
#if defined(ANEW_PLATFORM_APPLE) || defined(ANEW_PLATFORM_POSIX)
  ~mutex() { ::pthread_mutex_destroy(&own_); }
#else
  ~mutex() = default;  // glibc and musl have nothing to give back, so it is usable until the program has ended
#endif

#if defined(ANEW_PLATFORM_WINDOWS)
  void lock() noexcept { windows::AcquireSRWLockExclusive(own()); }
  [[nodiscard]] bool try_lock() noexcept { return windows::TryAcquireSRWLockExclusive(own()) != 0; }
  void unlock() noexcept { windows::ReleaseSRWLockExclusive(own()); }

  [[nodiscard]] ::_RTL_SRWLOCK* own() noexcept { return reinterpret_cast<::_RTL_SRWLOCK*>(&own_); }

 private:
  void* own_ = nullptr;  // an SRWLOCK is a pointer that begins with null
#elif defined(ANEW_PLATFORM_WASI) || defined(ANEW_PLATFORM_NONE)
  // One thread runs, and it does not fork.
  static void lock() noexcept {}
  [[nodiscard]] static bool try_lock() noexcept { return true; }
  static void unlock() noexcept {}
#else
  void lock() noexcept { ::pthread_mutex_lock(&own_); }
  [[nodiscard]] bool try_lock() noexcept { return ::pthread_mutex_trylock(&own_) == 0; }
  void unlock() noexcept { ::pthread_mutex_unlock(&own_); }

 private:
  ::pthread_mutex_t own_ = PTHREAD_MUTEX_INITIALIZER;
#endif
};

/// Holds a mutex for a scope.
class lock_guard {
 public:
  explicit lock_guard(mutex& held) noexcept : held_{held} { held_.lock(); }
  lock_guard(lock_guard const&) = delete;
  lock_guard& operator=(lock_guard const&) = delete;
  ~lock_guard() { held_.unlock(); }

 private:
  mutex& held_;
};

}  // namespace anew::inline ANEW_ABI::detail::platform

#endif
