// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_PACER_CLIENT_RATE_LIMITER_HPP
#define ANEW_POLICIES_PACER_CLIENT_RATE_LIMITER_HPP

#include <cstdint>
#include <string>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"
#include "anew/policies/pacer/internal/pacing_bucket.hpp"
#include "anew/policies/pacer/internal/waiting_line.hpp"
#include "anew/policies/pacer/rate_limiter_constants.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class Limiter, unsigned Stripes>
class striped_limiter;

inline duration longest_sleep(rate_limiter_constants const& c) noexcept {
  auto const ticks = 1e9 / c.min_fill_rate;
  return ticks < 9.2e18 ? duration{static_cast<std::int64_t>(ticks)} : duration::max();
}

}  // namespace detail

/// Learns from throttled responses how fast a service accepts requests, and sends no faster: the "adaptive" mode of the
/// AWS SDKs. Until the first throttled response it admits every attempt; from then on it is a bucket whose rate falls
/// with each throttled response and grows with every other response, up to twice the rate of responses.
///
/// All calls to a destination share one limiter, so keep the strategy; `partitioned<Key, client_rate_limiter<>>` keeps
/// one for each. `client_rate_limiter<>` queues attempts in their order, `client_rate_limiter<when_limited::fail_fast>`
/// ends the call. `client_rate_limiter{constants}` takes numbers known at run time. It starts at the first response,
/// or at the time that you pass. You may move it while nothing uses it; it is never copied.
///
/// An attempt that waits keeps its place, not its time: whenever it wakes up, its turn follows from the rate as it is
/// then. It sleeps until its turn at that rate, but at most `1/min_fill_rate`, two seconds, so that no attempt sleeps
/// while the rate grows; for each token one waiting attempt is awake. An awake attempt takes an available token, so the
/// order is approximate: of 50 threads that share 193 attempts a second, whose fair wait is 0.26 s, one in a hundred waited
/// 1.9 s. Only `longest_wait`, `longest_queue`, a deadline and a stop token bound how long an attempt
/// waits in all: at twice the rate half of what you send joins the queue and stays. A bound refuses the attempt, with
/// `stop_reason::rate_limited`.
///
/// Models: Pacer (safe from many threads)
/// Formula: rate = throttled ? beta*r : scale*(t - t0 - W)^3 + r, at most 2*measured, with r = the rate when it was last
/// throttled, t0 = when that was, W = cbrt(r*(1-beta)/scale); an attempt takes one token of min(max(rate, min_capacity),
/// capacity + elapsed*max(rate, min_fill_rate))
/// Requires: 0 < beta < 1, 0 < scale, 0 < smooth <= 1, 0 < min_fill_rate, 1 <= min_capacity, 1 <= longest_queue,
/// 0 < longest_wait
/// Cost: an attempt before the first throttled response: one relaxed load, and after its response a lock if that is
/// free, else one addition; after it two short locks, within which no thread sleeps. The clock is read at each response,
/// and before each attempt after the first throttled response. Until then threads contend for that addition:
/// `striped<client_rate_limiter<>>`.
/// An attempt that waits up to two seconds wakes up once or twice, one that waits longer once more for each two seconds
/// Choose it for bulk work against a service that throttles; where calls keep arriving, with a deadline or a bound. Not
/// where users wait for the answer (a quota and a backoff are enough), nor for several destinations at once: one that
/// throttles slows down the others.
/// Source: AWS SDK "adaptive" retry mode; equal in botocore, smithy-kotlin, smithy-rs, aws-sdk-go-v2 and others.
template <when_limited Then = when_limited::wait, rate_limiter_constants Constants = rate_limiter_constants{}>
class client_rate_limiter {
  static constexpr bool is_static = detail::is_known<Constants>;
  static constexpr bool queues = Then == when_limited::wait;

 public:
  using role = roles::pacer;
  using ticket_type = std::conditional_t<queues, detail::queue_place, detail::no_ticket>;
  template <unsigned Stripes>
  using striped_form = detail::striped_limiter<client_rate_limiter, Stripes>;

  constexpr client_rate_limiter() noexcept = default;
  explicit client_rate_limiter(time_point start) noexcept
    requires is_static
  {
    begin(start);
  }
  explicit client_rate_limiter(rate_limiter_constants const& constants)
    requires(!is_static)
      : constants_{detail::checked(constants, fault_of(constants))} {}
  client_rate_limiter(rate_limiter_constants const& constants, time_point start)
    requires(!is_static)
      : client_rate_limiter{constants} {
    begin(start);
  }
  static constexpr detail::value_fault fault_of(rate_limiter_constants const& constants) {
    return detail::fault_of(constants);
  }

  /// Asks whether the attempt may begin. A wait is at least 1ns.
  [[nodiscard]] ANEW_INLINE pace ask(ticket_type& ticket, detail::Time auto&& now) const {
    if (!is_enabled()) [[likely]]
      return {};
    return take(ticket, now);
  }

  /// A response that was not throttled.
  void on_success(time_point now) const noexcept {
    if (phase_.load() == limited) {
      detail::fork_safe_lock const lock{mutex_, begins_anew()};
      update(false, now);
    } else if (mutex_.try_lock(begins_anew())) {
      detail::fork_safe_lock const lock{mutex_, detail::already_locked{}};
      update(false, now);
    } else {
      uncounted_.fetch_add(1);  // the lock is taken: the next response counts this response too
    }
  }

  /// An attempt failed. Only throttling slows the limiter down: any other failure counts as a response.
  void on_failure(failure const& what, time_point now) const noexcept {
    if (what.kind != error_kind::throttling) return on_success(now);
    detail::fork_safe_lock const lock{mutex_, begins_anew()};
    update(true, now);
  }

  /// The attempt will not be made: its place in the queue is freed.
  void release([[maybe_unused]] ticket_type ticket) const noexcept {
    if constexpr (queues) {
      if (ticket.number != 0) [[unlikely]]
        leave(ticket);
    }
  }

  /// True from the first throttled response on.
  [[nodiscard]] bool is_enabled() const noexcept { return phase_.load() == limited; }
  /// A registry evicts such a pacer before others.
  [[nodiscard]] bool is_untouched() const noexcept { return !is_enabled(); }

  // For display, as of the last question or response. Attempts a second:
  [[nodiscard]] double measured_rate() const noexcept { return read()->measured_.rate(); }
  [[nodiscard]] double fill_rate() const noexcept { return read()->bucket_.fill_rate(); }
  /// The rate at which it was last throttled.
  [[nodiscard]] double last_max_rate() const noexcept { return read()->last_max_rate_; }
  /// The number of attempts in the queue.
  [[nodiscard]] std::uint64_t waiting() const noexcept { return read()->line_.size(); }
  /// Attempts that can begin at once, or when the waiting attempts ask again.
  [[nodiscard]] double capacity() const noexcept { return read()->bucket_.capacity(); }
  [[nodiscard]] double max_capacity() const noexcept { return read()->bucket_.max_capacity(); }

  [[nodiscard]] constexpr rate_limiter_constants constants() const noexcept { return constants_.get(); }
  /// Of one attempt; zero where it refuses instead.
  [[nodiscard]] constexpr duration longest_wait() const noexcept {
    return queues ? detail::saturate(std::chrono::duration<double>{constants().longest_wait}) : duration::zero();
  }

  [[nodiscard]] std::string describe() const {
    constexpr rate_limiter_constants usual{};
    auto const c = constants();
    auto const said = [&](char const* name, double rate_limiter_constants::* which) {
      return c.*which == usual.*which ? std::string{} : std::string{name} + "=" + detail::decimal(c.*which);
    };
    using named = rate_limiter_constants;
    return detail::written("client_rate_limiter", Then == when_limited::fail_fast ? "fail_fast" : "",
                           said("beta", &named::beta), said("scale", &named::scale), said("smooth", &named::smooth),
                           said("min_fill_rate", &named::min_fill_rate), said("min_capacity", &named::min_capacity),
                           said("longest_queue", &named::longest_queue), said("longest_wait", &named::longest_wait));
  }

  /// Reads or writes the state: anew/state/saved_state.hpp.
  void walk_state(auto& w) const {
    detail::fork_safe_lock const lock{mutex_, begins_anew()};
    auto const phase = w.counted(phase_.load(), limited);
    w.count(uncounted_, std::numeric_limits<std::int64_t>::max());
    measured_.walk_state(w);
    bucket_.walk_state(w, constants(), phase == limited);
    w.amount(last_max_rate_);
    auto const throttled_at = w.time(last_throttle_, duration::zero());
    if (!w.takes()) return;
    window_ = cubic_rate::time_window(last_max_rate_, constants());
    last_throttle_ = throttled_at;
    phase_.store_release(static_cast<std::uint8_t>(phase));
  }

  static constexpr detail::kept_rules is_sound{is_static, fault_of(Constants)};
  static consteval void explain() {
    static_assert(
        detail::keeps_rule<client_rate_limiter, 1, 2>,
        "anew::client_rate_limiter<Then, Constants> requires 0 < beta < 1 and scale > 0; a throttled response "
        "multiplies the rate by beta, and scale is how fast it grows back. Use the published values, 0.7 and 0.4");
    static_assert(detail::keeps_rule<client_rate_limiter, 3>,
                  "anew::client_rate_limiter<Then, Constants> requires 0 < smooth <= 1; it is the weight of the "
                  "latest half second in the measured rate. Use the published value, 0.8");
    static_assert(detail::keeps_rule<client_rate_limiter, 6, 7>,
                  "anew::client_rate_limiter<Then, Constants> requires longest_queue >= 1 and longest_wait > 0; no "
                  "attempt could wait. Use anew::when_limited::fail_fast to end calls instead");
    static_assert(detail::keeps_rule<client_rate_limiter, 4, 5>,
                  "anew::client_rate_limiter<Then, Constants> requires min_fill_rate > 0 and min_capacity >= 1; an "
                  "attempt takes one token, and would wait for it for ever. Use the published values, 0.5 and 1");
  }

 protected:
  static constexpr std::uint8_t unborn = 0;     // no attempt has ended yet
  static constexpr std::uint8_t unlimited = 1;  // nothing was throttled yet
  static constexpr std::uint8_t limited = 2;

  void begin(time_point now) const noexcept {
    measured_ = anew::measured_rate{now};
    last_throttle_ = now;
    phase_.store_release(unlimited);
  }

  /// For a forked child whose parent had a thread that was changing the limiter: starts again without throttling.
  [[nodiscard]] auto begins_anew() const noexcept {
    return [this] {
      bucket_ = pacing_bucket{};
      last_max_rate_ = 0;
      window_ = 0;
      phase_.store_release(unborn);
    };
  }

  ANEW_OUT_OF_LINE void leave(ticket_type ticket) const noexcept {
    detail::fork_safe_lock const lock{mutex_, begins_anew()};
    renew_line();
    line_.leave(ticket);
  }
  /// The attempts in the parent's queue belong to threads that a forked child does not have.
  void renew_line() const noexcept {
    if (line_.renew(detail::counted_fork_generation())) watched_ = time_point::min();
  }

  ANEW_NOINLINE pace take([[maybe_unused]] ticket_type& ticket, time_point now) const noexcept {
    detail::fork_safe_lock const lock{mutex_, begins_anew()};
    if (phase_.load() != limited) return {};  // the limiter was restarted
    if constexpr (queues) {
      return take_turn(ticket, now);
    } else {
      auto const wait = bucket_.try_take(1, now);
      return {wait, wait > duration::zero()};
    }
  }

  /// An awake attempt takes an available token: the attempts before it are told to ask when theirs is available.
  [[nodiscard]] pace take_turn(detail::queue_place& place, time_point now) const noexcept {
    renew_line();
    line_.come_back(place);
    if (bucket_.try_take(1, now) == duration::zero()) {
      line_.leave(place);
      return {};
    }
    auto wait = bucket_.time_to(static_cast<double>(line_.ahead_of(place)) + 1);
    auto const token = bucket_.time_to(1);
    auto const watched = detail::saturating_subtract(watched_, now);
    if (watched <= duration::zero() || watched / 2 > token) {  // an attempt will be awake for the next token
      wait = token;
      watched_ = detail::saturating_add(now, token);
    }
    auto const c = constants();
    bool const is_new = place.number == 0;
    auto const waited = is_new ? duration::zero() : detail::saturating_subtract(now, place.since);
    if ((is_new && static_cast<double>(line_.size()) >= c.longest_queue) ||
        detail::to_seconds(detail::saturating_add(waited, wait)) > c.longest_wait) {
      line_.leave(place);
      return {wait, true};
    }
    if (is_new) line_.join(place, now);
    line_.wait_on(place);
    // The rate may grow meanwhile, so no attempt sleeps longer than one token takes at the least rate.
    return {1 / c.min_fill_rate < detail::to_seconds(wait) ? detail::longest_sleep(c) : wait};
  }

  /// One response. Under the lock.
  ANEW_NOINLINE void update(bool throttled, time_point now) const noexcept {
    auto const c = constants();
    if (phase_.load() == unborn) begin(now);
    auto const count = uncounted_.load();
    uncounted_.fetch_add(~count + 1);
    measured_.record(count + 1, now, c.smooth);
    auto const measured = measured_.rate();

    // Times of other threads may be late: a response before the throttled response counts as simultaneous.
    auto const since = detail::larger(detail::saturating_subtract(now, last_throttle_), duration::zero());
    cubic_rate cubic{last_max_rate_, 0, c};
    double rate;
    if (throttled) {
      rate = cubic.throttle(is_enabled() ? detail::smaller(measured, bucket_.fill_rate()) : measured, 0);
      last_max_rate_ = cubic.last_max_rate;
      window_ = cubic_rate::time_window(last_max_rate_, c);
      last_throttle_ = detail::larger(last_throttle_, now);
    } else {
      rate = cubic.success(detail::to_seconds(since), window_);
    }
    bucket_.set_rate(detail::smaller(rate, 2 * measured), now, c);
    if (throttled) phase_.store_release(limited);
  }

  struct reader {
    client_rate_limiter const& self;
    detail::fork_safe_lock lock;
    explicit reader(client_rate_limiter const& one) noexcept : self{one}, lock{one.mutex_, one.begins_anew()} {}
    client_rate_limiter const* operator->() const noexcept { return &self; }
  };
  [[nodiscard]] reader read() const noexcept { return reader{*this}; }

  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Constants, client_rate_limiter> constants_;
  mutable detail::atomic_cell<std::uint8_t> phase_{unborn};
  mutable detail::atomic_cell<std::uint64_t> uncounted_{0};  // responses that arrived while the lock was taken
  // A mutex, not a spin lock: its holder may be preempted, and the waiting threads sleep meanwhile instead of using its
  // time.
  mutable detail::fork_safe_mutex mutex_;
  mutable anew::measured_rate measured_;
  mutable pacing_bucket bucket_;
  mutable detail::waiting_line line_;
  mutable time_point watched_ = time_point::min();  // when the next waiting attempt asks
  mutable double last_max_rate_ = 0;
  mutable double window_ = 0;  // of the last maximum
  mutable time_point last_throttle_{};
};

client_rate_limiter(rate_limiter_constants)
    -> client_rate_limiter<when_limited::wait, at_run_time<rate_limiter_constants>>;
client_rate_limiter(rate_limiter_constants, time_point)
    -> client_rate_limiter<when_limited::wait, at_run_time<rate_limiter_constants>>;
client_rate_limiter(time_point) -> client_rate_limiter<>;

}  // namespace anew::inline ANEW_ABI

#endif
