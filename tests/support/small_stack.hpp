// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_SMALL_STACK_HPP
#define ANEW_TESTS_SUPPORT_SMALL_STACK_HPP

#include <pthread.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "sanitized.hpp"

namespace support {

/// musl gives a thread 128 kB. A sanitizer's frames are several times as large.
inline constexpr std::size_t small_stack = (watches_memory || watches_threads ? 512 : 128) * std::size_t{1024};

/// Runs `work` on a thread with a small stack: what needs more for deeply nested input ends the program.
template <class Work>
void on_small_stack(Work work) {
  pthread_attr_t attributes;
  pthread_t thread;
  auto const run = [](void* of) -> void* {
    (*static_cast<Work*>(of))();
    return nullptr;
  };
  bool const started = pthread_attr_init(&attributes) == 0 &&
                       pthread_attr_setstacksize(&attributes, small_stack) == 0 &&
                       pthread_create(&thread, &attributes, run, &work) == 0;
  if (!started || pthread_join(thread, nullptr) != 0) {
    std::fputs("no thread with a small stack\n", stderr);
    std::abort();
  }
  pthread_attr_destroy(&attributes);
}

}  // namespace support

#endif
