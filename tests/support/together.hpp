// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_TOGETHER_HPP
#define ANEW_TESTS_SUPPORT_TOGETHER_HPP

#include <atomic>
#include <thread>
#include <vector>

namespace support {

/// Runs `work(index)` in so many threads that begin together, and waits for them.
///
/// They meet without a `std::latch`: where there is no futex, GCC 12's notifies without its mutex, and a thread that is about
/// to wait sleeps for ever (on Windows, one run in some ten).
void together(unsigned threads, auto const& work) {
  std::atomic<unsigned> missing{threads};
  std::vector<std::thread> running;
  for (unsigned index = 0; index < threads; ++index) {
    running.emplace_back([&work, &missing, index] {
      missing.fetch_sub(1);
      while (missing.load() != 0) std::this_thread::yield();
      work(index);
    });
  }
  for (auto& one : running) one.join();
}

/// Runs `work()` in a thread of its own, and so in another stripe than the thread before.
void on_a_thread(auto const& work) { std::thread{work}.join(); }

}  // namespace support

#endif
