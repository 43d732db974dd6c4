// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BENCHMARKS_RUNTIME_HAND_BUCKET_HPP
#define ANEW_BENCHMARKS_RUNTIME_HAND_BUCKET_HPP

#include <atomic>
#include <cstdint>

namespace loops {

/// A bucket as one writes it: compare-exchange, and an early exit when it is full. `Capacity` is a number, or a constant that
/// the compiler knows.
template <class Capacity>
class hand_bucket_of {
 public:
  explicit hand_bucket_of(Capacity capacity = {}) noexcept : capacity_{capacity}, balance_{capacity} {}
  bool take(std::uint32_t cost) noexcept {
    auto now = balance_.load(std::memory_order_relaxed);
    do {
      if (now < cost) return false;
    } while (!balance_.compare_exchange_weak(now, now - cost, std::memory_order_relaxed));
    return true;
  }
  void give_back(std::uint32_t amount) noexcept {
    auto now = balance_.load(std::memory_order_relaxed);
    while (now < capacity_) {
      auto const more = capacity_ - now > amount ? now + amount : capacity_;
      if (balance_.compare_exchange_weak(now, more, std::memory_order_relaxed)) return;
    }
  }

 private:
  [[no_unique_address]] Capacity const capacity_;
  std::atomic<std::uint32_t> balance_;
};
using hand_bucket = hand_bucket_of<std::uint32_t>;

}  // namespace loops

#endif
