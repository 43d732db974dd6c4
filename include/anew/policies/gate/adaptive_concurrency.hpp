// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_ADAPTIVE_CONCURRENCY_HPP
#define ANEW_POLICIES_GATE_ADAPTIVE_CONCURRENCY_HPP

#include <cstdint>
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

/// A bulkhead that finds its size: at most `limit()` attempts run at once, and the limit follows what the destination
/// serves. One more is refused at once and ends its call, with `stop_reason::gate_closed`.
///
/// The limit begins at `Most`. It is halved by an attempt that is slower than `Slow`, or that fails with kind `throttling`,
/// `timeout` or `transient`, and only once for all attempts that began before it was last halved. It grows by 1 for each
/// limit's worth of other successes, while at least half of it is in use. Failures of kind `client` and `server` tell it
/// nothing. `adaptive_concurrency<200, 250ms>`; `adaptive_concurrency{200, 250ms, 1}` takes values known at run time. Keep
/// the strategy; `partitioned<Key, ...>` keeps a limit for each destination. You may move it while nothing uses it; it is
/// never copied.
///
/// Models: Gate (exact under contention, lock-free, 16 bytes)
/// Formula: limit = max(Least, limit/2), or min(Most, limit + 1/limit)
/// Requires: 1 <= Least <= Most <= 65535, Slow > 0; times within 146 years of the clock's epoch
/// Cost: one load and one compare-exchange before an attempt and after it; the clock is read both times
/// Choose it where many callers share a destination whose capacity changes, or that you do not know. Choose `Slow` at
/// least at twice the usual latency, and below the attempt timeout. Not where the right number is known: max_concurrency.
/// Not where all attempts fail together: circuit_breaker.
/// Source: TCP's congestion avoidance, V. Jacobson, "Congestion Avoidance and Control" (1988), and RFC 5681, section 3.1; the
/// condition that the limit is in use is that of AIMDLimit in Netflix's concurrency-limits.
template <std::int64_t Most, static_duration Slow, std::int64_t Least = 1>
class adaptive_concurrency {
  static constexpr bool is_static = Most != run_time_count && Slow != run_time && Least != run_time_count;

 public:
  using role = roles::gate;
  static constexpr bool never_waits = true;
  using pass_type = std::uint64_t;  // when the attempt began, twice, and 1

  constexpr adaptive_concurrency() noexcept = default;

  constexpr adaptive_concurrency(detail::any_count most, detail::any_duration slow, detail::any_count least = 1)
    requires(!is_static)
      : most_{detail::checked(most.get(), fault_of(most, slow, least))}, slow_{slow}, least_{least.get()} {}
  static constexpr detail::value_fault fault_of(detail::any_count most, duration slow, detail::any_count least) {
    return detail::value_fault{"adaptive_concurrency"}
        .within(most, 1, 65'535, "most")
        .above_zero(slow, "slow")
        .within(least, 1, 65'535, "least")
        .unless(least.get() <= most.get(), "least must not be above most", least);
  }

  [[nodiscard]] admission<pass_type> try_enter(time_point now) const noexcept {
    auto word = word_.load();
    do {
      if (running(word) >= limit_of(word) / one) return admission<pass_type>::refuse();
    } while (!word_.compare_exchange_weak(word, word + 1));
    return admission<pass_type>::admit(static_cast<pass_type>(ticks_of(now)) * 2 + 1);
  }
  void on_success(pass_type pass, time_point now) const noexcept {
    bool const is_slow = detail::saturating_subtract(now, began(pass)) > slow_.get();
    is_slow ? halve(pass, now) : end(pass, [this](std::uint64_t word) {
      auto const limit = limit_of(word);
      return running(word) * 2 * one < limit ? limit : detail::smaller(limit + one * one / limit, most_.get() * one);
    });
  }
  void on_failure(pass_type pass, failure const& what, time_point now) const noexcept {
    bool const tells = what.kind != error_kind::client && what.kind != error_kind::server;
    tells ? halve(pass, now) : release(pass);
  }
  void release(pass_type pass) const noexcept { end(pass, limit_of); }

  /// How many attempts run, and how many may. For display: they may have changed before they are read.
  [[nodiscard]] std::uint32_t attempts() const noexcept { return static_cast<std::uint32_t>(running(word_.load())); }
  [[nodiscard]] std::uint32_t limit() const noexcept {
    return static_cast<std::uint32_t>(limit_of(word_.load()) / one);
  }
  /// Nothing runs, and the limit is `Most`. A registry evicts such a gate before others.
  [[nodiscard]] bool is_untouched() const noexcept { return word_.load() == untouched(); }

  [[nodiscard]] std::string describe() const {
    return detail::written("adaptive_concurrency", most_.get(), slow_.get(),
                           detail::text_if(least_.get() != 1, least_.get()));
  }

  /// Reads or writes the state: anew/state/saved_state.hpp.
  void walk_state(auto& w) const {
    auto word = word_.load();
    auto const least = least_.get() * one;
    auto const kept = w.counted(limit_of(word) - least, most_.get() * one - least);
    auto const limit = (static_cast<std::uint64_t>(kept) + least) << 32U;
    while (w.takes() && !word_.compare_exchange_weak(word, limit | running(word))) {
    }
  }

  static constexpr detail::kept_rules is_sound{is_static, fault_of(Most, Slow.value(), Least)};
  static consteval void explain() {
    static_assert(detail::keeps_rule<adaptive_concurrency, 1, 3, 4>,
                  "anew::adaptive_concurrency<Most, Slow, Least> requires 1 <= Least <= Most <= 65535; at least one of "
                  "them is out of range. Write how many attempts may run at once, as in <200, 250ms>");
    static_assert(detail::keeps_rule<adaptive_concurrency, 2>,
                  "anew::adaptive_concurrency<Most, Slow> requires Slow > 0; every attempt would be too slow. Write "
                  "twice the usual latency, with its unit");
  }

 private:
  // 32 bits limit in units of 1/65536 | 32 bits attempts that run
  static constexpr std::uint64_t one = 65'536;
  [[nodiscard]] constexpr std::uint64_t untouched() const noexcept { return most_.get() * one << 32U; }
  static constexpr std::uint64_t limit_of(std::uint64_t word) noexcept { return word >> 32U; }
  static constexpr std::uint64_t running(std::uint64_t word) noexcept { return word & 0xffff'ffffU; }
  static constexpr std::int64_t ticks_of(time_point t) noexcept { return t.time_since_epoch().count(); }
  static constexpr time_point began(pass_type pass) noexcept {
    return time_point{duration{static_cast<std::int64_t>(pass) >> 1}};
  }

  /// One attempt fewer runs, and the limit is what `limit_after` makes of the word.
  void end(pass_type pass, auto const& limit_after) const noexcept {
    if (pass == 0) return;
    auto word = word_.load();
    while (!word_.compare_exchange_weak(word, limit_after(word) << 32U | (running(word) - 1))) {
    }
  }
  /// Halves the limit once for all attempts that began before the last halving.
  void halve(pass_type pass, time_point now) const noexcept {
    if (pass == 0) return;
    auto last = halved_.load();
    bool is_news = false;
    while (!is_news && ticks_of(began(pass)) >= last) is_news = halved_.compare_exchange_weak(last, ticks_of(now));
    end(pass, [this, is_news](std::uint64_t word) {
      return is_news ? detail::larger(limit_of(word) / 2, least_.get() * one) : limit_of(word);
    });
  }

  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Most, adaptive_concurrency> most_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Slow, adaptive_concurrency, 1> slow_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Least, adaptive_concurrency, 2> least_;
  mutable detail::atomic_cell<std::uint64_t> word_{untouched()};
  mutable detail::atomic_cell<std::int64_t> halved_{ticks_of(time_point::min())};
};

adaptive_concurrency(detail::any_count, detail::any_duration, detail::any_count = 1)
    -> adaptive_concurrency<run_time_count, run_time, run_time_count>;

}  // namespace anew::inline ANEW_ABI

#endif
