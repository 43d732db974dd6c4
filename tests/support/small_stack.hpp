// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_SMALL_STACK_HPP
#define ANEW_TESTS_SUPPORT_SMALL_STACK_HPP

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "sanitized.hpp"

namespace support {

/// musl gives a thread 128 kB. A sanitizer's frames are several times as large.
inline constexpr std::size_t small_stack = (watches_memory || watches_threads ? 512 : 128) * std::size_t{1024};

/// A thread with a small stack, which runs `run(of)`.
inline pthread_t start_on_small_stack(void* (*run)(void*), void* of) {
  pthread_attr_t attributes;
  pthread_t thread;
  bool const started = pthread_attr_init(&attributes) == 0 &&
                       pthread_attr_setstacksize(&attributes, small_stack) == 0 &&
                       pthread_create(&thread, &attributes, run, of) == 0;
  if (!started) {
    std::fputs("no thread with a small stack\n", stderr);
    std::abort();
  }
  pthread_attr_destroy(&attributes);
  return thread;
}

/// Runs `work` on a thread with a small stack: what needs more for deeply nested input ends the program.
template <class Work>
void on_small_stack(Work work) {
  auto const run = [](void* of) -> void* {
    (*static_cast<Work*>(of))();
    return nullptr;
  };
  pthread_join(start_on_small_stack(run, &work), nullptr);
}

/// The same on one thread for all calls: a sanitizer takes milliseconds to start a thread, and a fuzzer calls often.
template <class Work>
void on_kept_small_stack(Work work) {
  struct worker {
    std::mutex lock;
    std::condition_variable changed;
    Work* work = nullptr;  // none when it is done
  };
  static worker& kept = *[] {
    auto* const one = new worker;  // not destroyed, because the thread does not end
    pthread_detach(start_on_small_stack(
        [](void* of) -> void* {
          auto& its = *static_cast<worker*>(of);
          for (std::unique_lock held{its.lock};; its.changed.notify_all()) {
            its.changed.wait(held, [&] { return its.work != nullptr; });
            (*its.work)();
            its.work = nullptr;
          }
        },
        one));
    return one;
  }();
  std::unique_lock held{kept.lock};
  kept.work = &work;
  kept.changed.notify_all();
  kept.changed.wait(held, [] { return kept.work == nullptr; });
}

}  // namespace support

#endif
