// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BENCHMARKS_PEERS_GRPC_THROTTLE_HPP
#define ANEW_BENCHMARKS_PEERS_GRPC_THROTTLE_HPP

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace peers {

/// The throttle of gRPC's proposal A6, stated again for the comparison; it is not gRPC's code. Like gRPC's it counts
/// thousandths of tokens and clamps each sum, so that each attempt writes, at a full throttle too.
class grpc_throttle {
 public:
  explicit grpc_throttle(std::int64_t max_tokens) noexcept : max_{max_tokens * 1000}, tokens_{max_} {}

  /// Whether a retry is permitted.
  bool record_failure() noexcept { return add(-1000) > max_ / 2; }
  void record_success() noexcept { add(ratio); }

 private:
  static constexpr std::int64_t ratio = 100;  // 0.1, A6's example
  std::int64_t add(std::int64_t amount) noexcept {
    auto now = tokens_.load(std::memory_order_relaxed);
    std::int64_t then = 0;
    do {
      then = std::clamp(now + amount, std::int64_t{0}, max_);
    } while (!tokens_.compare_exchange_weak(now, then, std::memory_order_relaxed));
    return then;
  }

  std::int64_t const max_;
  std::atomic<std::int64_t> tokens_;
};

}  // namespace peers

#endif
