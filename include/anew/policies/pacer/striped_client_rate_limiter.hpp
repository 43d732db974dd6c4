// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_PACER_STRIPED_CLIENT_RATE_LIMITER_HPP
#define ANEW_POLICIES_PACER_STRIPED_CLIENT_RATE_LIMITER_HPP

/// `striped<client_rate_limiter<>>`: a rate limiter on which the responses of many threads do not contend.
#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"
#include "anew/base/platform/internal/stripe.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/pacer/internal/pacing_bucket.hpp"
#include "anew/policies/quota/striped.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A rate limiter that counts the responses of a half second in stripes until something is throttled. The first response
/// of a later half second adds them up, so every rate that is measured is that of the plain limiter. Tokens are in its one
/// bucket.
template <class Limiter, unsigned Stripes>
class alignas(cache_line) striped_limiter : public Limiter {
 public:
  template <class... Values>
    requires std::constructible_from<Limiter, Values...>
  explicit striped_limiter(Values&&... values) : Limiter(std::forward<Values>(values)...) {}

  void on_success(time_point now) const noexcept {
    if (this->phase_.load() == Limiter::unlimited && half_second_of(now) <= sampled_.load()) [[likely]] {
      stripes_[thread_number() % Stripes].count.fetch_add(1);
      return;
    }
    respond(false, now);
  }
  void on_failure(failure const& what, time_point now) const noexcept {
    if (what.kind != error_kind::throttling) return on_success(now);
    respond(true, now);
  }

  void walk_state(auto& w) const {
    {
      fork_safe_lock const lock{this->mutex_, this->begins_anew()};
      take_in();
    }
    Limiter::walk_state(w);
    if (w.takes()) sampled_.store_release(never);
  }

 private:
  static constexpr auto never = std::numeric_limits<std::int64_t>::min();

  ANEW_NOINLINE void respond(bool throttled, time_point now) const noexcept {
    fork_safe_lock const lock{this->mutex_, this->begins_anew()};
    take_in();
    this->update(throttled, now);
    sampled_.store_release(half_second_of(now));
  }
  /// The next update counts what the stripes have counted. Under the lock.
  void take_in() const noexcept {
    for (auto& each : stripes_) {
      auto const count = each.count.load();
      if (count == 0) continue;
      each.count.fetch_add(~count + 1);
      this->uncounted_.fetch_add(count);
    }
  }

  mutable stripe<std::uint64_t> stripes_[Stripes]{};
  /// The half second of the last sample, on a line that is written twice a second.
  alignas(cache_line) mutable atomic_cell<std::int64_t> sampled_{never};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
