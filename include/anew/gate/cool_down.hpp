// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GATE_COOL_DOWN_HPP
#define ANEW_GATE_COOL_DOWN_HPP

#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/backoff/exponential.hpp"
#include "anew/concept/backoff.hpp"
#include "anew/concept/gate.hpp"
#include "anew/config.hpp"
#include "anew/detail/atomic.hpp"
#include "anew/detail/invalid_argument.hpp"
#include "anew/detail/stored.hpp"
#include "anew/gate/packed_time.hpp"
#include "anew/roles.hpp"

namespace anew {

/// What becomes of an attempt that wants to begin while its destination cools down.
enum class when_cooling : std::uint8_t {
  wait,    ///< it waits until the time is over; no longer than the deadline and the stop token let it
  refuse,  ///< the call ends
};

namespace detail {

template <class B>
struct cools_by_a_backoff {
  static constexpr bool value = Backoff<B>;
};

template <std::int64_t Ignored>
struct ignored_failures_are_in_range {
  static constexpr bool value = Ignored == run_time_count || (Ignored >= 0 && Ignored <= 1000);
};

}  // namespace detail

/// After a failure of any call no attempt of any call begins for a while: what one call learned of the destination, all
/// know. The while grows with the failures in a row, by a Backoff; a success ends the row.
///
/// The first `Ignored` failures of a row cost nothing. A delay that the server asked for counts from the first failure
/// on, and up to the backoff's cap. A time once set is never taken back to an earlier one. An attempt counts by what
/// was known when it began: of attempts that run side by side the first failure is counted, the others tell no more
/// than it did, and a success that began before the last failure does not end the row. A failure of kind `client` is
/// the caller's fault and changes nothing.
///
/// `cool_down<exponential_backoff<1s, 60s>>` has its numbers in its type; `cool_down{exponential_backoff{base, cap}}`
/// and `cool_down{backoff, ignored}` take values known at run time. It lives in the strategy, as a quota does: keep the
/// strategy. One is for one destination; for several: partitioned. All who wait begin when the time is over, so the
/// load then is that of the process's own callers; where that is too much, circuit_breaker lets a few go first.
///
/// Models: Gate (exact under contention, lock-free: one word of 8 bytes; time to the millisecond, never earlier)
/// Formula: no attempt before (time of failure n in a row) + max(Backoff(n - Ignored), min(hint, cap))
/// Requires: a Backoff, 0 <= Ignored <= 1000; failures beyond 1023 in a row count as 1023
/// Cost: the clock is read at the start of each call and before each attempt; one load per attempt, one
/// compare-exchange per failure and for the first success after it
/// Choose it where callers of one destination should wait together rather than find out one by one. Not where they
/// should be told at once: circuit_breaker, or `when_cooling::refuse`.
/// Source: Chromium net::BackoffEntry (per destination, first errors ignored, a server's delay sets the horizon, which
/// is never taken back). There a success takes one failure off the count; here it ends the row.
template <class B = exponential_backoff<std::chrono::seconds{1}, std::chrono::seconds{60}>,
          when_cooling Then = when_cooling::wait, std::int64_t Ignored = 0>
class cool_down {
 public:
  using role = roles::gate;
  using pass_type = std::uint32_t;

  constexpr cool_down() noexcept
    requires(Ignored != run_time_count && std::is_default_constructible_v<B>)
  = default;

  constexpr explicit cool_down(B backoff)
    requires(Ignored != run_time_count)
      : backoff_{std::move(backoff)} {}

  template <std::integral Count>
    requires(Ignored == run_time_count)
  constexpr cool_down(B backoff, Count ignored)
      : backoff_{std::move(backoff)}, ignored_{static_cast<std::uint32_t>(ignored)} {
    if (std::cmp_less(ignored, 0) || std::cmp_greater(ignored, 1000)) {
      detail::invalid_argument("cool_down", "ignored must be between 0 and 1000", std::to_string(ignored));
    }
  }

  cool_down(cool_down&& other) noexcept
      : backoff_{std::move(other.backoff_)}, ignored_{other.ignored_}, word_{other.word_.load()} {}
  cool_down& operator=(cool_down&&) = delete;
  cool_down(cool_down const&) = delete;
  cool_down& operator=(cool_down const&) = delete;
  ~cool_down() = default;

  [[nodiscard]] admission<pass_type> try_enter(time_point now) const noexcept {
    auto const word = word_.load();
    auto const until = until_of(word);
    if (now >= until) return admission<pass_type>::admit(pass_of(word));
    if constexpr (Then == when_cooling::refuse) {
      return admission<pass_type>::refuse();
    } else {
      return admission<pass_type>::ask_again_in(detail::saturating_subtract(until, now));
    }
  }

  void on_success(pass_type pass, time_point /*now*/) const noexcept {
    auto word = word_.load();
    while (pass_of(word) == pass && failures_of(word) != 0) {
      if (word_.compare_exchange_weak(word, pack(until_bits(word), change_of(word) + 1, 0))) return;
    }
  }

  void on_failure(pass_type pass, failure const& what, time_point now) const {
    if (pass == pass_type{} || what.kind == error_kind::client) return;
    auto const hint = what.hint ? detail::smaller(*what.hint, detail::cap_of(backoff_)) : duration::zero();
    auto word = word_.load();
    for (;;) {
      bool const is_news = pass_of(word) == pass;
      auto const failures = failures_of(word) + (is_news && failures_of(word) != most_failures ? 1U : 0U);
      auto const computed =
          is_news && failures > ignored_.get() ? backoff_.delay(failures - ignored_.get()) : duration::zero();
      auto const delay = detail::larger(hint, computed);
      auto until = until_bits(word);
      if (delay > duration::zero()) {
        until = detail::larger(until, detail::pack_time(detail::saturating_add(now, delay)));
      }
      auto const next = pack(until, change_of(word) + (is_news ? 1U : 0U), failures);
      if (next == word || word_.compare_exchange_weak(word, next)) return;
    }
  }

  void release(pass_type /*pass*/) const noexcept {}

  /// True when it still cools at that time, as things stand.
  [[nodiscard]] bool would_refuse(time_point time) const noexcept
    requires(Then == when_cooling::refuse)
  {
    return time < until_of(word_.load());
  }

  /// Failures in a row, the ignored ones among them. For display, as is the next.
  [[nodiscard]] std::uint32_t failures() const noexcept { return failures_of(word_.load()); }
  /// When attempts may begin, or might have begun; `time_point::min()` when they always might.
  [[nodiscard]] time_point cooling_until() const noexcept { return until_of(word_.load()); }

  [[nodiscard]] std::string describe() const {
    std::string text{"cool_down("};
    if constexpr (requires { backoff_.describe(); }) {
      text.append(backoff_.describe());
    } else {
      text.append("custom");
    }
    if constexpr (Then == when_cooling::refuse) text.append(",refuse");
    if (ignored_.get() != 0) text.append(",ignored=").append(std::to_string(ignored_.get()));
    return text.append(")");
  }

  static constexpr bool is_sound =
      detail::cools_by_a_backoff<B>::value && detail::ignored_failures_are_in_range<Ignored>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::cools_by_a_backoff<B>::value) {
      static_assert(detail::cools_by_a_backoff<B>::value,
                    "anew::cool_down<Backoff> requires a Backoff, by which the time grows; this type is none. "
                    "Did you mean anew::exponential_backoff<1s, 60s>?");
    } else {
      static_assert(detail::ignored_failures_are_in_range<Ignored>::value,
                    "anew::cool_down<Backoff, Then, Ignored> requires 0 <= Ignored <= 1000");
    }
  }

 private:
  // 44 bits: until when | 10 bits: changes of the row | 10 bits: failures in a row
  static constexpr std::uint32_t most_failures = 1023;

  static constexpr std::uint64_t pack(std::uint64_t until, std::uint32_t change, std::uint32_t failures) noexcept {
    return (until << 20U) | (std::uint64_t{change % 1024} << 10U) | failures;
  }
  static constexpr std::uint64_t until_bits(std::uint64_t word) noexcept { return word >> 20U; }
  static constexpr time_point until_of(std::uint64_t word) noexcept { return detail::unpack_time(until_bits(word)); }
  static constexpr std::uint32_t change_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>((word >> 10U) % 1024);
  }
  static constexpr std::uint32_t failures_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word % 1024);
  }
  /// Never 0, which means no pass.
  static constexpr pass_type pass_of(std::uint64_t word) noexcept { return change_of(word) + 1; }

  ANEW_NO_UNIQUE_ADDRESS B backoff_;
  ANEW_NO_UNIQUE_ADDRESS detail::stored_count<Ignored, 88> ignored_;
  mutable detail::atomic_cell<std::uint64_t> word_{0};
};

template <class B>
cool_down(B) -> cool_down<B>;
template <class B, std::integral Count>
cool_down(B, Count) -> cool_down<B, when_cooling::wait, run_time_count>;

}  // namespace anew

#endif
