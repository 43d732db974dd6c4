// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_SERIES_HPP
#define ANEW_LOAD_SERIES_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "latency.hpp"
#include "reply.hpp"

namespace anew_load {

/// The calls and attempts that ended within one part of the run.
struct slice {
  std::uint64_t good = 0;
  std::uint64_t failed = 0;
  std::vector<std::pair<outcome, std::uint64_t>> attempts;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> took;  // bins, in order, and the calls in them
  anew::duration most{};

  [[nodiscard]] std::uint64_t calls() const noexcept { return good + failed; }
  [[nodiscard]] std::uint64_t attempts_ended() const noexcept;
  void add_attempts(outcome how, std::uint64_t n);
  slice& operator+=(slice const& other);
  /// `into` += the times of this slice.
  void add_to(latencies& into) const;
};

/// The run in parts of equal length. One thread writes; the parts of several threads are added when they are over.
class series {
 public:
  using clock = std::chrono::steady_clock;

  series() = default;
  /// Parts of `length` from `start` on; a length of zero keeps nothing.
  series(clock::time_point start, anew::duration length) : start_{start}, length_{length} {}

  [[nodiscard]] bool is_kept() const noexcept { return length_ > anew::duration::zero(); }
  void call_ended(clock::time_point now, bool is_good, anew::duration took);
  void attempt_ended(clock::time_point now, outcome how);
  /// After the last call: what is still uncounted.
  void close() { settle(); }

  series& operator+=(series const& other);
  [[nodiscard]] std::vector<slice> const& slices() const noexcept { return slices_; }
  [[nodiscard]] anew::duration length() const noexcept { return length_; }
  /// The same run in parts that are `n` times as long.
  [[nodiscard]] std::vector<slice> in_parts_of(std::size_t n) const;

 private:
  slice& at(clock::time_point now);
  void settle();

  clock::time_point start_;
  anew::duration length_{};
  std::vector<slice> slices_;
  std::vector<std::uint32_t> now_;  // the bins of the calls of the last part, in the order in which they ended
};

}  // namespace anew_load

#endif
