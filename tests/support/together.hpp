// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_TOGETHER_HPP
#define ANEW_TESTS_SUPPORT_TOGETHER_HPP

#include <latch>
#include <thread>
#include <vector>

namespace support {

/// Runs `work(index)` in so many threads that begin together, and waits for them.
template <class Work>
void together(unsigned threads, Work const& work) {
  std::latch start{threads};
  std::vector<std::thread> running;
  for (unsigned index = 0; index < threads; ++index) {
    running.emplace_back([&work, &start, index] {
      start.arrive_and_wait();
      work(index);
    });
  }
  for (auto& one : running) one.join();
}

}  // namespace support

#endif
