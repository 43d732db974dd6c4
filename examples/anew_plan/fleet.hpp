// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLAN_FLEET_HPP
#define ANEW_PLAN_FLEET_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "anew/concept/roles.hpp"
#include "anew/drive/retry_machine.hpp"
#include "anew/value/directive.hpp"
#include "anew/value/generator.hpp"

#include "scenario.hpp"
#include "service.hpp"
#include "timeline.hpp"

namespace anew_plan {

/// The time of the simulation that runs in this thread.
struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() noexcept { return anew::time_point{anew::duration{ticks}}; }
  [[nodiscard]] static std::string describe() { return "virtual_clock"; }
  static inline thread_local instant ticks = 0;
};

/// The random numbers of the simulation that runs in this thread.
struct virtual_random {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const noexcept { return numbers(); }
  [[nodiscard]] static std::string describe() { return "virtual_random"; }
  static inline thread_local anew::generator numbers{1, 0};
};

/// The result of a simulation.
struct observed {
  timeline times;
  std::vector<float> seconds_before;  // of calls that succeeded before the outage,
  std::vector<float> seconds_in;      // that began in it,
  std::vector<float> seconds_after;   // and that began after it
  double wait_halfway = 0;     // in the service's queue, in seconds: between the end of the outage and the end of all,
  double wait_at_end = 0;      // and at the end
  bool has_collapsed = false;  // more calls had begun and not ended than the service could answer for a long time
  std::uint64_t events = 0;
};

/// Simulates clients that call one service, by the library's own state machine and virtual time. The clients' strategies
/// are those of a process: each has its quota, gate and pacer. Calls arrive at random, at a constant rate.
template <class Strategy>
class fleet {
 public:
  /// `strategies`: one for each client.
  fleet(std::vector<Strategy> const& strategies, scenario const& s)
      : strategies_{&strategies},
        scenario_{s},
        service_{s},
        arrivals_{s.seed, 1},
        outage_begins_{s.before.count()},
        outage_ends_{outage_begins_ + s.outage.count()},
        end_{outage_ends_ + s.after.count()},
        found_{timeline{end_, 10 * s.timeout.count()}, {}, {}, {}},
        most_calls_{static_cast<std::size_t>(s.capacity * (20 + seconds_of(s.outage.count())))} {}

  [[nodiscard]] observed run() && {
    virtual_clock::ticks = 0;
    virtual_random::numbers = anew::generator{scenario_.seed, 2};
    next_arrival_ = gap();
    auto const halfway = outage_ends_ + (end_ - outage_ends_) / 2;
    bool is_past_halfway = false;
    for (;;) {
      auto const answer = answers_.empty() ? never : answers_.front().at;
      auto const timeout = timeouts_.empty() ? never : timeouts_.front().at;
      auto const wait = waits_.empty() ? never : waits_.top().at;
      auto const now = std::min({next_arrival_, answer, timeout, wait});
      if (now >= halfway && !is_past_halfway) {
        is_past_halfway = true;
        found_.wait_halfway = service_.wait(halfway);
      }
      if (now >= end_ || calls_.size() - free_.size() > most_calls_) break;
      virtual_clock::ticks = now;
      found_.times.advance_to(now);
      ++found_.events;
      if (now == answer) {
        auto const number = take(answers_);
        advance(number, calls_[number].machine->on_verdict(chance() < scenario_.failure_rate ? failed : succeeded));
      } else if (now == timeout) {
        auto const number = take(timeouts_);
        advance(number, calls_[number].machine->on_verdict(timed_out));
      } else if (now == wait) {
        auto const number = waits_.top().call;
        waits_.pop();
        advance(number, calls_[number].machine->on_wait_over());
      } else {
        next_arrival_ = now + gap();
        begin_call();
      }
    }
    found_.times.advance_to(end_);
    found_.has_collapsed = calls_.size() - free_.size() > most_calls_;
    found_.wait_at_end = service_.wait(end_);
    return std::move(found_);
  }

 private:
  using machine_type = anew::retry_machine<Strategy, anew::declared::idempotent>;
  struct slot {
    std::optional<machine_type> machine;
    instant began = 0;
  };
  struct event {
    instant at;
    std::uint64_t order;  // of those at one time, the first comes first
    std::uint32_t call;
    bool operator>(event const& other) const noexcept { return at != other.at ? at > other.at : order > other.order; }
  };

  static constexpr auto succeeded = anew::directive::succeed();
  static constexpr auto failed = anew::directive::retry(anew::error_kind::transient);
  static constexpr auto timed_out = anew::directive::retry(anew::error_kind::timeout);

  /// From 0 to less than 1.
  [[nodiscard]] double chance() noexcept { return static_cast<double>(arrivals_() >> 11U) * 0x1p-53; }
  [[nodiscard]] instant gap() noexcept {
    return static_cast<instant>(-std::log1p(-chance()) / (scenario_.clients * scenario_.rate) * 1e9) + 1;
  }
  [[nodiscard]] static std::uint32_t take(std::deque<event>& lane) {
    auto const number = lane.front().call;
    lane.pop_front();
    return number;
  }

  void begin_call() {
    auto const client = static_cast<std::size_t>(chance() * static_cast<double>(strategies_->size()));
    std::uint32_t number = 0;
    if (free_.empty()) {
      number = static_cast<std::uint32_t>(calls_.size());
      calls_.emplace_back();
    } else {
      number = free_.back();
      free_.pop_back();
    }
    auto& one = calls_[number];
    one.machine.emplace((*strategies_)[client], anew::idempotent_call);
    one.began = virtual_clock::ticks;
    found_.times.begins();
    advance(number, one.machine->begin());
  }

  void advance(std::uint32_t number, anew::next_step step) {
    auto& one = calls_[number];
    auto const now = virtual_clock::ticks;
    switch (step) {
      case anew::next_step::attempt: {
        found_.times.attempts();
        auto const answered = service_.answer_of_arrival(now);
        auto const gives_up = now + scenario_.timeout.count();
        auto const arrives =
            answered < never - scenario_.latency.count() ? answered + scenario_.latency.count() : never;
        if (arrives <= gives_up) {
          answers_.push_back({arrives, 0, number});
        } else {
          timeouts_.push_back({gives_up, 0, number});
        }
        return;
      }
      case anew::next_step::wait: {
        auto const delay = one.machine->wait().count();
        waits_.push({delay < end_ - now ? now + delay : end_, ++waits_begun_, number});
        return;
      }
      case anew::next_step::finished: break;
    }
    bool const is_good = one.machine->reason() == anew::stop_reason::succeeded;
    found_.times.ends(one.began, is_good);
    if (is_good) {
      auto const seconds = static_cast<float>(seconds_of(now - one.began));
      (one.began < outage_begins_ ? found_.seconds_before
       : one.began < outage_ends_ ? found_.seconds_in
                                  : found_.seconds_after)
          .push_back(seconds);
    }
    one.machine.reset();
    free_.push_back(number);
  }

  std::vector<Strategy> const* strategies_;
  scenario scenario_;
  service service_;
  anew::generator arrivals_;
  instant outage_begins_;
  instant outage_ends_;
  instant end_;
  instant next_arrival_ = 0;
  observed found_;
  std::deque<slot> calls_;
  std::vector<std::uint32_t> free_;
  std::deque<event> answers_;   // in order: the queue is first in, first out
  std::deque<event> timeouts_;  // in order: all attempts have one time-out
  std::priority_queue<event, std::vector<event>, std::greater<>> waits_;
  std::uint64_t waits_begun_ = 0;
  std::size_t most_calls_;  // at a time
};

}  // namespace anew_plan

#endif
