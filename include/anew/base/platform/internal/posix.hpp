// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_POSIX_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_POSIX_HPP

/// The functions of POSIX systems: Linux, Apple's, others, and WASI, which has no threads and does not fork.

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/moment.hpp"
#include "anew/base/platform/internal/on_exit.hpp"

#if defined(ANEW_PLATFORM_LINUX) || defined(ANEW_PLATFORM_APPLE) || defined(ANEW_PLATFORM_POSIX) || \
    defined(ANEW_PLATFORM_WASI)

#include <time.h>
#if !defined(ANEW_PLATFORM_WASI)
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#endif
#if defined(ANEW_PLATFORM_POSIX) || defined(ANEW_PLATFORM_WASI)
#include <unistd.h>
#else
#include <sys/random.h>
#endif

namespace anew::inline ANEW_ABI::detail::platform {

inline moment now() noexcept { return std::chrono::steady_clock::now(); }

inline bool entropy(std::uint64_t& word) noexcept { return ::getentropy(&word, sizeof word) == 0; }

#if defined(ANEW_PLATFORM_WASI)
inline void at_fork(void (* /*handler*/)()) noexcept {}

inline void yield() noexcept {}
#else
inline void at_fork(void (*handler)()) noexcept { ::pthread_atfork(nullptr, nullptr, handler); }

inline void yield() noexcept { ::sched_yield(); }
#endif

/// As much as the system's own count of seconds holds, which may have 32 bits: who sleeps looks at the clock again.
inline ::timespec timespec_of(std::int64_t nanoseconds) noexcept {
  constexpr std::int64_t most = sizeof(::time_t) >= sizeof(std::int64_t) ? 9'223'372'036 : 0x7fff'ffff;
  auto const seconds = nanoseconds / 1'000'000'000;
  ::timespec result{};
  result.tv_sec = static_cast<::time_t>(seconds < most ? seconds : most);
  result.tv_nsec = static_cast<decltype(result.tv_nsec)>(nanoseconds % 1'000'000'000);
  return result;
}

#if defined(ANEW_PLATFORM_LINUX)
/// To an end on CLOCK_MONOTONIC, which `std::chrono::steady_clock` reads too: neither a wall-clock change nor a signal
/// moves it. Not noexcept: a thread that is cancelled in here unwinds.
inline void sleep_until(moment end) {
  auto const time = platform::timespec_of(end.time_since_epoch().count());
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR ||
         (sizeof(::time_t) < sizeof(std::int64_t) && platform::now() < end)) {
  }
}
#else
/// By a relative sleep, in a loop against the clock.
inline void sleep_until(moment end) {
  for (auto left = (end - platform::now()).count(); left > 0; left = (end - platform::now()).count()) {
    auto const part = platform::timespec_of(left < longest_part ? left : longest_part);
    ::nanosleep(&part, nullptr);
  }
}
#endif

#if defined(__cpp_lib_jthread) && !defined(ANEW_PLATFORM_WASI)
/// POSIX rather than `<condition_variable>`, whose header alone would take the rest of the compile-time budget.
class wakeable_sleep {
 public:
  wakeable_sleep() noexcept {
#if defined(ANEW_PLATFORM_APPLE)
    ::pthread_cond_init(&woken_, nullptr);
#else
    ::pthread_condattr_t attributes;
    ::pthread_condattr_init(&attributes);
    ::pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    ::pthread_cond_init(&woken_, &attributes);
    ::pthread_condattr_destroy(&attributes);
#endif
  }
  wakeable_sleep(wakeable_sleep const&) = delete;
  wakeable_sleep& operator=(wakeable_sleep const&) = delete;
  ~wakeable_sleep() {
    ::pthread_cond_destroy(&woken_);
    ::pthread_mutex_destroy(&mutex_);
  }

  void wake() noexcept {
    ::pthread_mutex_lock(&mutex_);
    awake_ = true;
    ::pthread_cond_signal(&woken_);
    ::pthread_mutex_unlock(&mutex_);
  }

  // Not noexcept: a thread that is cancelled in here unwinds, with the mutex held.
  void sleep_until(moment end) {
    ::pthread_mutex_lock(&mutex_);
    on_exit const held{[this] { ::pthread_mutex_unlock(&mutex_); }};
#if defined(ANEW_PLATFORM_APPLE)
    // A condition variable of Apple's has no clock to choose: it waits for a time span, and looks at the clock again.
    for (auto left = (end - platform::now()).count(); !awake_ && left > 0; left = (end - platform::now()).count()) {
      auto const part = platform::timespec_of(left < longest_part ? left : longest_part);
      ::pthread_cond_timedwait_relative_np(&woken_, &mutex_, &part);
    }
#else
    auto const time = platform::timespec_of(end.time_since_epoch().count());
    while (!awake_ && (::pthread_cond_timedwait(&woken_, &mutex_, &time) != ETIMEDOUT || platform::now() < end)) {
    }
#endif
  }

 private:
  ::pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  ::pthread_cond_t woken_{};
  bool awake_ = false;
};
#endif

}  // namespace anew::inline ANEW_ABI::detail::platform

#endif
#endif
