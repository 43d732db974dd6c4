// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_MAX_CONCURRENCY_HPP
#define ANEW_POLICIES_GATE_MAX_CONCURRENCY_HPP

#include <cstdint>
#include <optional>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// A bulkhead: at most `Most` attempts run at once. One more is refused at once and ends its call, with
/// `stop_reason::gate_closed`.
///
/// `max_concurrency<100>`; `max_concurrency{100}` takes a value known at run time. An attempt counts while it runs, first
/// attempts and retries alike; a call does not count while it waits for its backoff. All calls to a destination share one bulkhead,
/// so keep the strategy; `partitioned<Key, max_concurrency<100>>` keeps one for each. You may move it while nothing uses
/// it; it is never copied.
///
/// Models: Gate (exact under contention, lock-free, 4 bytes)
/// Formula: attempts under way <= Most
/// Requires: 1 <= Most <= 2^32-1
/// Cost: one load and one compare-exchange before an attempt, one atomic addition after it. It reads no clock
/// Choose it where a destination that slows down would hold all your threads or connections. Not to spare a server that
/// rejects: client_throttle. Not to bound retries alone: concurrency_budget. Not where a caller should wait for its turn:
/// rate_limit, or a semaphore around the call.
/// Source: M. Nygard, "Release It!", bulkheads; Polly's concurrency limiter without a queue, failsafe-go's bulkhead.
template <std::int64_t Most>
class max_concurrency {
  static constexpr bool is_static = Most != run_time_count;

 public:
  using role = roles::gate;
  static constexpr bool never_waits = true;
  using pass_type = std::uint32_t;  // 1

  constexpr max_concurrency() noexcept = default;

  constexpr explicit max_concurrency(detail::any_count most)
    requires(!is_static)
      : most_{detail::checked(most.get(), fault_of(most))} {}
  static constexpr detail::value_fault fault_of(detail::any_count most) {
    return detail::value_fault{"max_concurrency"}.within(most, 1, 4'294'967'295, "the number of attempts");
  }

  [[nodiscard]] admission<pass_type> try_enter(detail::Time auto&& /*now*/) const noexcept {
    auto count = under_way_.load();
    do {
      if (count >= most_.get()) return admission<pass_type>::refuse();
    } while (!under_way_.compare_exchange_weak(count, count + 1));
    return admission<pass_type>::admit(1);
  }
  void on_success(pass_type pass, detail::Time auto&& /*now*/) const noexcept { release(pass); }
  void on_failure(pass_type pass, failure const& /*what*/, detail::Time auto&& /*now*/) const noexcept {
    release(pass);
  }
  void release(pass_type pass) const noexcept {
    if (pass != 0) under_way_.fetch_add(~std::uint32_t{0});
  }

  /// How many attempts run. For display: it may have changed before it is read.
  [[nodiscard]] std::uint32_t attempts() const noexcept { return under_way_.load(); }
  [[nodiscard]] constexpr std::uint32_t most() const noexcept { return most_.get(); }
  /// A registry evicts such a bulkhead before others.
  [[nodiscard]] bool is_untouched() const noexcept { return under_way_.load() == 0; }

  [[nodiscard]] std::string describe() const { return detail::written("max_concurrency", most_.get()); }

  static constexpr bool is_sound = detail::is_within<Most, 1>;
  static consteval void explain() {
    static_assert(detail::is_within<Most, 1>,
                  "anew::max_concurrency<Most> requires 1 <= Most <= 4294967295; with 0 no attempt could begin. Write "
                  "how many attempts may run at once");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Most, max_concurrency> most_;
  mutable detail::atomic_cell<std::uint32_t> under_way_{0};
};

max_concurrency(detail::any_count) -> max_concurrency<run_time_count>;

}  // namespace anew::inline ANEW_ABI

#endif
