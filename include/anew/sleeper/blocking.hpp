// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SLEEPER_BLOCKING_HPP
#define ANEW_SLEEPER_BLOCKING_HPP

#include <pthread.h>
#include <time.h>

#include <cerrno>
#include <cstdint>

#include "anew/concept/sleeper.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/sleeper/internal/stop.hpp"
#include "anew/value/duration.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// The end of a sleep on CLOCK_MONOTONIC, which neither a wall-clock change nor a signal moves.
inline ::timespec monotonic_end(duration delay) noexcept {
  ::timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  auto const end =
      saturating_add(saturating_add(saturate(std::chrono::seconds{now.tv_sec}), duration{now.tv_nsec}), delay);
  ::timespec result{};
  result.tv_sec = end.count() / 1'000'000'000;
  result.tv_nsec = end.count() % 1'000'000'000;
  return result;
}

#if defined(__cpp_lib_jthread)
/// One sleep that another thread can end. POSIX rather than `<condition_variable>`, whose header alone would take the
/// rest of the compile-time budget.
class wakeable_sleep {
 public:
  wakeable_sleep() noexcept {
    ::pthread_condattr_t attributes;
    ::pthread_condattr_init(&attributes);
    ::pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    ::pthread_cond_init(&woken_, &attributes);
    ::pthread_condattr_destroy(&attributes);
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
  void sleep_until(::timespec const& end) {
    struct lock {
      ::pthread_mutex_t* mutex;
      explicit lock(::pthread_mutex_t* m) noexcept : mutex{m} { ::pthread_mutex_lock(mutex); }
      lock(lock const&) = delete;
      lock& operator=(lock const&) = delete;
      ~lock() { ::pthread_mutex_unlock(mutex); }
    } const held{&mutex_};
    while (!awake_ && ::pthread_cond_timedwait(&woken_, &mutex_, &end) != ETIMEDOUT) {
    }
  }

 private:
  ::pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  ::pthread_cond_t woken_{};
  bool awake_ = false;
};
#endif

}  // namespace detail

/// Blocks the calling thread, by the monotonic clock; a signal does not shorten it. A `std::stop_token` wakes it at once.
///
/// Models: Sleeper (empty)      Cost: a system call; none for a delay of zero
/// Choose it for a thread that may block: `retry()` uses it unless told otherwise. Not inside an event loop. For delays
/// of microseconds: spinning_sleeper, hybrid_sleeper.
struct blocking_sleeper {
  void operator()(duration delay) const {  // not noexcept: a thread that is cancelled in here unwinds
    if (delay <= duration::zero()) return;
    auto const end = detail::monotonic_end(delay);
    while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nullptr) == EINTR) {
    }
  }

#if defined(__cpp_lib_jthread)
  void operator()(duration delay, std::stop_token const& stop) const {
    if (delay <= duration::zero()) return;
    if (!stop.stop_possible()) return (*this)(delay);
    auto const end = detail::monotonic_end(delay);
    detail::wakeable_sleep sleep;
    std::stop_callback const callback{stop, [&sleep]() noexcept { sleep.wake(); }};
    sleep.sleep_until(end);
  }
#endif
};

}  // namespace anew::inline ANEW_ABI

#endif
