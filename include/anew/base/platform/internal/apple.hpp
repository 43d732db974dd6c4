// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_APPLE_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_APPLE_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/moment.hpp"
#include "anew/base/platform/internal/posix.hpp"

#if defined(ANEW_PLATFORM_APPLE) && defined(__cpp_lib_jthread)

namespace anew::inline ANEW_ABI::detail::platform {

/// A condition variable of Apple's has no clock to choose: it waits for a time span, and looks at the clock again.
class wakeable_sleep {
 public:
  wakeable_sleep() noexcept = default;
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

  void sleep_until(moment end) {
    ::pthread_mutex_lock(&mutex_);
    for (auto left = (end - platform::now()).count(); !awake_ && left > 0; left = (end - platform::now()).count()) {
      auto const part = platform::timespec_of(left < longest_part ? left : longest_part);
      ::pthread_cond_timedwait_relative_np(&woken_, &mutex_, &part);
    }
    ::pthread_mutex_unlock(&mutex_);
  }

 private:
  ::pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  ::pthread_cond_t woken_ = PTHREAD_COND_INITIALIZER;
  bool awake_ = false;
};

}  // namespace anew::inline ANEW_ABI::detail::platform

#endif
#endif
