// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_CLIENT_THROTTLE_HPP
#define ANEW_POLICIES_GATE_CLIENT_THROTTLE_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/policies/quota/internal/counted_tenths.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class Throttle, unsigned Stripes>
class striped_throttle;

/// Counts the requests of a window of time by tenths, in two rings: one for accepted requests and one for rejected ones.
/// `Most` is the largest count of a tenth.
template <std::uint64_t Most = counted_tenth::most>
class acceptance_window {
 public:
  enum class request : unsigned char { accepted, rejected };
  struct counts {
    std::uint64_t accepted = 0;
    std::uint64_t rejected = 0;
  };

  static constexpr duration shortest{std::chrono::seconds{1}};
  static constexpr duration longest{std::chrono::hours{1}};

  constexpr acceptance_window() noexcept = default;

  [[nodiscard]] static constexpr tenth_number number_at(time_point now, duration length) noexcept {
    return counted_tenth::number_at(now, length.count() / tenths_ring::window);
  }

  /// The accepted requests, which may be counted elsewhere: they are what the functions below are told.
  [[nodiscard]] tenths_ring& accepted() const noexcept { return accepted_; }

  /// A full count is halved, and so is the other one of its tenth: their ratio stays. A request that is late by a whole
  /// window is not counted, because its slot has a newer tenth.
  void add(auto&& accepted, request ended, tenth_number at) const noexcept {
    if (ended == request::accepted) {
      if (accepted.add_or_halve(at, Most)) rejected_.halve(at);
    } else if (rejected_.add_or_halve(at, Most)) {
      accepted.halve(at);
    }
  }

  /// Of the window that ends at `at`, or, when another thread's clock is ahead, at the newest tenth that was counted.
  template <class Accepted>
  [[nodiscard]] counts sum(Accepted const& all_accepted, tenth_number at) const noexcept {
    typename Accepted::snapshot const accepted{all_accepted};
    tenths_ring::snapshot const rejected{rejected_};
    auto const newest = detail::larger(at, detail::larger(accepted.newest(), rejected.newest()));
    return {static_cast<std::uint64_t>(accepted.sum(newest)), static_cast<std::uint64_t>(rejected.sum(newest))};
  }

  /// True when `holds(counts)` of each tenth that a window may still contain, whatever the time is.
  [[nodiscard]] bool holds_in_each_tenth(auto const& accepted, auto const& holds) const noexcept {
    using of = counted_tenth;
    for (unsigned i = 0; i != tenths_ring::size; ++i) {
      auto const rejected = rejected_.word_at(i);
      if (of::count_of(rejected) == 0) continue;
      auto const at = of::number_of(rejected);
      if (accepted.is_past(at)) continue;
      if (!holds(counts{static_cast<std::uint64_t>(accepted.count_of(at)), of::count_of(rejected)})) return false;
    }
    return true;
  }

  /// Reads or writes the state.
  template <class Accepted>
  void walk_state(auto& w, Accepted& accepted, tenth_number now) const {
    auto const last = larger(typename Accepted::snapshot{accepted}.newest(), tenths_ring::snapshot{rejected_}.newest());
    auto const newest = w.newest(last, now, tenths_ring::window);
    accepted.walk_state(w, newest);
    rejected_.walk_state(w, newest);
  }

 private:
  mutable tenths_ring accepted_;
  mutable tenths_ring rejected_;
};

}  // namespace detail

/// Rejects attempts at random while the server rejects others, so that the server gets about `K` attempts for each that
/// it accepts. The share that is rejected follows the load within a fraction of `Window`.
///
/// The requests of a window are all attempts that ended in it, and those that were rejected here. An attempt counts when it
/// ends, so attempts under way are not mistaken for rejected ones; one that was not made, or whose end is not known, is not
/// counted. The server accepted an attempt that succeeded, and one that failed with kind `client` or `server`, which it
/// has worked on, or `timeout`: it may be working on it, and a time limit that is too short would reject everything. It did
/// not accept one of kind `throttling`, which says so, or `transient`: a 503, or a connection that was refused or broke.
/// The window slides in tenths of its length: it looks back between 9/10 and 10/10 of `Window`.
///
/// `client_throttle<>` is 2 over two minutes, `client_throttle<rational{3, 2}, 30s>`; `client_throttle{rational{3, 2},
/// 30s}` takes values known at run time. A rejection ends the call, with `gate_closed`. A retry is rejected when it is about
/// to begin, after its delay, because the result of a draw is not foreseen. You may move it while nothing uses it; it is
/// never copied.
///
/// Models: Gate (each end and each rejection is counted exactly once, lock-free, 176 bytes)
/// Formula: rejects with probability max(0, (requests - K * accepts) / (requests + 1))
/// Requires: 1 <= K <= 1000, 1s <= Window <= 1h; above 67,108,863 requests in a tenth of the window both counts are
/// halved
/// Cost: one compare-exchange per attempt; before it eleven loads while the server accepts all, else 22 more and a random
/// number. The clock is read at the end of an attempt, and before it while some tenth has more
/// requests than K times its accepts. Threads that succeed contend for one word: `striped<client_throttle<>>`
/// Metastable above: no load. A server that accepts A a second gets K*A, whatever the load, and spends the
/// rest on rejections. When it accepts all again after four times the load that it accepted, the last rejection is half a
/// window later at K = 2, and six windows later at K = 1.1; after eight times, one window at K = 2. In an outage in which it
/// accepts nothing a few attempts get through in a window until one is accepted; their number then grows e^K-fold each
/// window.
/// Choose it where a server that is overloaded still serves a part, and rejecting costs it much: K near 1 spares the
/// server, a larger K notices sooner that it serves more. Not against a server that is down, or that hangs:
/// circuit_breaker or rate_breaker, which try again after a fixed time. Not for a client of few requests, whose
/// first failure rejects every second attempt.
/// Source: Site Reliability Engineering (2016), chapter 21, "Handling Overload", client-side throttling.
template <rational K = rational{2}, static_duration Window = std::chrono::minutes{2}>
class client_throttle {
  static constexpr bool is_static = detail::is_known<K> && Window != run_time;

 public:
  using role = roles::gate;
  static constexpr bool never_waits = true;
  using pass_type = std::uint32_t;
  template <unsigned Stripes>
  using striped_form = detail::striped_throttle<client_throttle, Stripes>;

  constexpr client_throttle() noexcept = default;

  constexpr client_throttle(rational k, detail::any_duration window)
    requires(!is_static)
      : k_{detail::checked(k, fault_of(k, window))}, length_{window} {}
  static constexpr detail::value_fault fault_of(rational k, duration window) {
    using windows = detail::acceptance_window<>;
    return detail::value_fault{"client_throttle"}
        .unless(k.den != 0 && k.num >= k.den && k.num <= std::uint64_t{k.den} * 1000, "k must be between 1 and 1000", k)
        .unless(window >= windows::shortest && window <= windows::longest, "window must be between 1s and 3600s",
                window);
  }

  /// Needs the time unless it `is_untouched()`, and draws from `random` only if some attempts are rejected.
  [[nodiscard]] ANEW_INLINE admission<pass_type> try_enter(detail::Time auto&& now, time_point& /*since*/,
                                                           RandomSource auto&& random) const {
    return enter(window_.accepted(), now, random);
  }
  [[nodiscard]] admission<pass_type> try_enter(detail::Time auto&& now) const {
    return enter(window_.accepted(), now, thread_random{});
  }

  void on_success(pass_type pass, time_point now) const noexcept {
    record(window_.accepted(), pass, request::accepted, now);
  }
  void on_failure(pass_type pass, failure const& what, time_point now) const noexcept {
    record(window_.accepted(), pass, ended_as(what), now);
  }
  static constexpr void release(pass_type /*pass*/) noexcept {}

  /// The probability that an attempt is rejected at that time. For display: it may have changed before it is read.
  [[nodiscard]] double rejection_probability(time_point now) const noexcept {
    return probability(window_.accepted(), now);
  }

  /// True while no tenth of a window has more requests than `K` times its accepts: it rejects nothing. A registry evicts
  /// such a gate before others.
  [[nodiscard]] bool is_untouched() const noexcept { return rejects_nothing(window_.accepted()); }

  [[nodiscard]] std::string describe() const { return detail::written("client_throttle", k_.get(), length_.get()); }

  /// Reads or writes the state: anew/state/saved_state.hpp.
  void walk_state(auto& w) const { walk_state(w, window_.accepted()); }

  static constexpr detail::kept_rules is_sound{is_static, fault_of(K, Window.value())};
  static consteval void explain() {
    static_assert(detail::keeps_rule<client_throttle, 1>,
                  "anew::client_throttle<K> requires 1 <= K <= 1000; below 1 it would reject attempts of a server that "
                  "accepts all. Write anew::rational{2} for two attempts for each that the server accepts");
    static_assert(detail::keeps_rule<client_throttle, 2>,
                  "anew::client_throttle<K, Window> requires 1s <= Window <= 1h; Window is out of range. Omit it for "
                  "two minutes");
  }

 protected:
  void walk_state(auto& w, auto& accepted) const { window_.walk_state(w, accepted, number_at(w.now())); }

  using request = detail::acceptance_window<>::request;
  using counts = detail::acceptance_window<>::counts;
  static constexpr pass_type admitted = 1;

  // The accepted requests are those of the window, or are counted elsewhere.
  [[nodiscard]] ANEW_INLINE admission<pass_type> enter(auto&& accepted, detail::Time auto&& now, auto&& random) const {
    bool const is_admitted = rejects_nothing(accepted) || draws_admission(accepted, now, random);
    return {is_admitted ? std::optional{admitted} : std::nullopt, {}};
  }
  static constexpr request ended_as(failure const& what) noexcept {
    bool const is_rejected = what.kind == error_kind::throttling || what.kind == error_kind::transient;
    return is_rejected ? request::rejected : request::accepted;
  }
  void record(auto&& accepted, pass_type pass, request ended, time_point now) const noexcept {
    if (pass == admitted) window_.add(accepted, ended, number_at(now));
  }
  [[nodiscard]] double probability(auto const& accepted, time_point now) const noexcept {
    auto const seen = window_.sum(accepted, number_at(now));
    auto const all = static_cast<double>(seen.accepted + seen.rejected + 1) * static_cast<double>(k_.get().den);
    return static_cast<double>(excess(seen)) / all;
  }
  [[nodiscard]] bool rejects_nothing(auto const& accepted) const noexcept {
    return window_.holds_in_each_tenth(accepted, [this](counts const& seen) { return excess(seen) == 0; });
  }

  ANEW_OUT_OF_LINE bool draws_admission(auto& accepted, time_point now, auto& random) const {
    auto const at = number_at(now);
    auto const seen = window_.sum(accepted, at);
    auto const over = excess(seen);
    if (over == 0) return true;
    auto const all = std::uint64_t{k_.get().den} * (seen.accepted + seen.rejected + 1);
    bool const is_admitted = ((detail::uint128{all} * random()) >> 64U) >= over;
    if (!is_admitted) window_.add(accepted, request::rejected, at);
    return is_admitted;
  }

  /// max(0, requests - K * accepts), times the denominator of K. Neither product reaches 2^63.
  [[nodiscard]] constexpr std::uint64_t excess(counts const& seen) const noexcept {
    auto const requests = (seen.accepted + seen.rejected) * k_.get().den;
    auto const covered = seen.accepted * k_.get().num;
    return requests > covered ? requests - covered : 0;
  }
  /// With a window that is known to the compiler the division is a multiplication.
  [[nodiscard]] detail::tenth_number number_at(time_point now) const noexcept {
    return detail::acceptance_window<>::number_at(now, length_.get());
  }

  ANEW_NO_UNIQUE_ADDRESS detail::parameter<K, client_throttle> k_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Window, client_throttle, 1> length_;
  detail::acceptance_window<> window_;
};

client_throttle(rational, detail::any_duration) -> client_throttle<at_run_time<rational>, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
