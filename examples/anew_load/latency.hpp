// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_LATENCY_HPP
#define ANEW_LOAD_LATENCY_HPP

#include <cstdint>
#include <memory>

#include "anew/value/duration.hpp"

namespace anew_load {

/// How long calls took: a histogram whose bins grow with the value, so that a quantile is known to 1 % from a microsecond
/// to twenty minutes, in 17 kB and whatever the number of calls. Least, most and mean are exact.
class latencies {
 public:
  latencies();
  ~latencies();
  latencies(latencies&&) noexcept;
  latencies& operator=(latencies&&) noexcept;

  void add(anew::duration took);
  void add(latencies const& others);
  void clear();

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// The time within which that share of the calls ended; zero when there were none.
  [[nodiscard]] anew::duration quantile(double share) const;
  [[nodiscard]] anew::duration most() const noexcept { return most_; }
  [[nodiscard]] anew::duration mean() const;

 private:
  struct bins;
  std::unique_ptr<bins> bins_;
  std::uint64_t count_ = 0;
  double sum_ = 0;
  anew::duration most_{};
};

}  // namespace anew_load

#endif
