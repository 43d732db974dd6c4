// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_FLEET_HPP
#define ANEW_TESTS_SUPPORT_FLEET_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

#include "anew/anew.hpp"
#include "anew/drivers/retry_machine.hpp"

/// A fleet of processes that call one service, in simulated time: discrete events on `retry_machine`. One seed gives one
/// run. Two fleets must not run at the same time, because the clock and the dice are empty policies.
namespace support {

namespace fleet_state {
inline constinit anew::time_point now{};
inline constinit anew::generator dice{1};
}  // namespace fleet_state

struct fleet_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() noexcept { return fleet_state::now; }
};
struct fleet_random {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const noexcept { return fleet_state::dice(); }
};

/// `S` in simulated time.
template <class S>
using in_fleet = anew::with<S, fleet_clock, fleet_random>;

/// The service: one queue, served in its order, whatever became of who asked.
struct service {
  double per_second = 1430;
  double timeout = 1;        ///< seconds after which a client gives up an attempt; the service works on it all the same
  double trouble_from = 20;  ///< seconds
  double trouble_to = 30;
  enum class trouble : std::uint8_t { none, refuses, slow } kind = trouble::refuses;
  double left = 0.1;             ///< of the capacity, while it is slow
  bool throttles = false;        ///< refuses what is above its rate as throttling, instead of a queue
  double burst = 1;              ///< seconds of its rate that may come at once, where it throttles
  double answers_after = 0.001;  ///< seconds, where it throttles
};

struct fleet {
  unsigned processes = 100;
  double calls_per_second = 10;  ///< of each process, at random times
  double load_ends = 100;        ///< seconds; nobody calls after it
  double ends = 160;             ///< seconds; what is still under way then has failed
  std::uint64_t seed = 1;
};

struct fleet_report {
  std::uint64_t calls = 0, attempts = 0, served = 0, throttled = 0, timeouts = 0;
  std::uint64_t wakeups = 0;  ///< of waits for the gate and the pacer
  std::uint64_t most_waiting = 0;
  std::uint64_t still_waiting = 0;                       ///< at the end
  std::uint64_t events = 0, log = 1469598103934665603U;  ///< a hash of all events
  double last_served = 0;                                ///< seconds
  std::vector<std::uint32_t> attempts_per_tenth, called, succeeded, served_per_second;
  std::vector<std::uint32_t> served_by;  ///< of each process
  bool ran_away = false;                 ///< too many events: given up

  [[nodiscard]] double wakeups_per_attempt() const {
    return static_cast<double>(wakeups) / static_cast<double>(std::max<std::uint64_t>(1, attempts));
  }
  /// Attempts in the busiest tenth of a second from `begin` on, as a multiple of `per_second`.
  [[nodiscard]] double peak(double begin, double per_second) const {
    auto const from = std::min(attempts_per_tenth.size(), static_cast<std::size_t>(begin * 10));
    auto const most =
        *std::max_element(attempts_per_tenth.begin() + static_cast<std::ptrdiff_t>(from), attempts_per_tenth.end());
    return most * 10.0 / per_second;
  }
  /// Seconds after `end` until of the calls that begin in a second 99 % succeed, for good. Infinite when never.
  [[nodiscard]] double recovery(double end, double load_ends) const {
    auto const last = static_cast<std::size_t>(load_ends);
    std::size_t bad = 0;
    for (std::size_t second = 0; second < last; ++second) {
      if (succeeded[second] < 0.99 * called[second]) bad = second + 1;
    }
    if (bad + 3 >= last) return std::numeric_limits<double>::infinity();
    return std::max(0.0, static_cast<double>(bad) - end);
  }
};

template <class S>
class fleet_run {
  using machine = anew::retry_machine<S, anew::declared::idempotent>;
  enum class kind { arrival, answer_ok, answer_refused, answer_throttled, answer_timeout, timer, entry_timer };
  struct event {
    std::int64_t at;
    std::uint64_t order;
    std::uint32_t call;
    kind what;
    bool operator<(event const& other) const { return at != other.at ? at > other.at : order > other.order; }
  };
  struct call_state {
    std::optional<machine> runs;
    std::uint32_t second = 0, process = 0;
  };

 public:
  static constexpr std::uint32_t no_call = ~std::uint32_t{0};

  fleet_run(fleet const& of, service const& far_side) : fleet_{of}, service_{far_side} {
    fleet_state::now = anew::time_point{};
    fleet_state::dice = anew::generator{of.seed, 36};
    for (unsigned i = 0; i < of.processes; ++i) strategies_.emplace_back();
    auto const seconds = static_cast<std::size_t>(of.ends) + 2;
    report_.attempts_per_tenth.resize(seconds * 10);
    report_.called.resize(seconds);
    report_.succeeded.resize(seconds);
    report_.served_per_second.resize(seconds);
    report_.served_by.resize(of.processes);
    tokens_ = service_.burst * service_.per_second;
  }

  fleet_report run(std::uint64_t most_events = 20'000'000) {
    later(next_gap(), no_call, kind::arrival);
    auto const end = ticks(fleet_.ends);
    while (!events_.empty() && events_.top().at < end) {
      if (++report_.events > most_events) {
        report_.ran_away = true;
        break;
      }
      auto const e = events_.top();
      events_.pop();
      fleet_state::now = anew::time_point{anew::duration{e.at}};
      report_.log =
          (report_.log ^ static_cast<std::uint64_t>(e.at) ^ static_cast<std::uint64_t>(e.what)) * 1099511628211U;
      happen(e);
    }
    report_.still_waiting = waiting_;
    return report_;
  }

 private:
  static std::int64_t ticks(double seconds) { return static_cast<std::int64_t>(std::llround(seconds * 1e9)); }
  static double seconds_of(std::int64_t at) { return static_cast<double>(at) / 1e9; }
  static double uniform() { return (static_cast<double>(fleet_state::dice() >> 11U) + 0.5) * 0x1p-53; }
  double next_gap() const { return -std::log(uniform()) / (fleet_.calls_per_second * fleet_.processes); }
  static std::int64_t now() { return fleet_state::now.time_since_epoch().count(); }
  void later(double in, std::uint32_t call, kind what) { events_.push({now() + ticks(in), order_++, call, what}); }

  void happen(event const& e) {
    if (e.what == kind::arrival) {
      auto const in = next_gap();
      if (seconds_of(now()) + in < fleet_.load_ends) later(in, no_call, kind::arrival);
      return begin_call(static_cast<std::uint32_t>(uniform() * fleet_.processes));
    }
    auto& call = calls_[e.call];
    auto& runs = *call.runs;
    switch (e.what) {
      case kind::answer_ok:
        ++report_.served;
        ++report_.served_by[call.process];
        ++report_.succeeded[call.second];
        report_.last_served = seconds_of(now());
        ++report_.served_per_second[static_cast<std::size_t>(seconds_of(now()))];
        return follow(e.call, runs.on_success(), false);
      case kind::answer_refused: return fail(e.call, anew::error_kind::server);
      case kind::answer_throttled: ++report_.throttled; return fail(e.call, anew::error_kind::throttling);
      case kind::answer_timeout: ++report_.timeouts; return fail(e.call, anew::error_kind::timeout);
      case kind::entry_timer:
        ++report_.wakeups;
        --waiting_;
        [[fallthrough]];
      default: return follow(e.call, runs.on_wait_over(), true);
    }
  }

  void begin_call(std::uint32_t process) {
    std::uint32_t index;
    if (free_.empty()) {
      index = static_cast<std::uint32_t>(calls_.size());
      calls_.emplace_back();
    } else {
      index = free_.back();
      free_.pop_back();
    }
    auto& call = calls_[index];
    call.process = process;
    call.second = static_cast<std::uint32_t>(seconds_of(now()));
    ++report_.calls;
    ++report_.called[call.second];
    call.runs.emplace(strategies_[call.process], anew::idempotent_call);
    follow(index, call.runs->begin(), true);
  }

  void fail(std::uint32_t index, anew::error_kind why) {
    follow(index, calls_[index].runs->on_verdict(anew::directive::retry(why)), false);
  }

  void follow(std::uint32_t index, anew::next_step step, bool enters) {
    auto& call = calls_[index];
    switch (step) {
      case anew::next_step::attempt: return send(index);
      case anew::next_step::wait:
        if (enters) report_.most_waiting = std::max(report_.most_waiting, ++waiting_);
        events_.push({anew::detail::saturating_add(fleet_state::now, call.runs->wait()).time_since_epoch().count(),
                      order_++, index, enters ? kind::entry_timer : kind::timer});
        return;
      case anew::next_step::finished: call.runs.reset(); free_.push_back(index);
    }
  }

  void send(std::uint32_t index) {
    ++report_.attempts;
    auto const t = seconds_of(now());
    ++report_.attempts_per_tenth[static_cast<std::size_t>(t * 10)];
    bool const in_trouble = t >= service_.trouble_from && t < service_.trouble_to;
    if (in_trouble && service_.kind == service::trouble::refuses) return later(0.001, index, kind::answer_refused);
    auto const rate = service_.per_second;
    if (service_.throttles) {
      tokens_ = std::min(service_.burst * rate, tokens_ + (t - filled_) * rate);
      filled_ = t;
      if (tokens_ < 1) return later(service_.answers_after, index, kind::answer_throttled);
      tokens_ -= 1;
      return later(service_.answers_after, index, kind::answer_ok);
    }
    auto const begins = std::max(t, free_at_);
    bool const slow =
        service_.kind == service::trouble::slow && begins >= service_.trouble_from && begins < service_.trouble_to;
    free_at_ = begins + 1 / (slow ? rate * service_.left : rate);
    auto const takes = free_at_ - t;
    takes < service_.timeout ? later(takes, index, kind::answer_ok)
                             : later(service_.timeout, index, kind::answer_timeout);
  }

  fleet fleet_;
  service service_;
  std::deque<S> strategies_;
  std::deque<call_state> calls_;
  std::vector<std::uint32_t> free_;
  std::priority_queue<event> events_;
  std::uint64_t order_ = 0, waiting_ = 0;
  double free_at_ = 0, tokens_ = 0, filled_ = 0;
  fleet_report report_;
};

template <class Strategy>
fleet_report simulate(fleet const& of, service const& far_side, std::uint64_t most_events = 20'000'000) {
  return fleet_run<in_fleet<Strategy>>{of, far_side}.run(most_events);
}

}  // namespace support

#endif
