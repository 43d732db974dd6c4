// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLAN_FLEET_HPP
#define ANEW_PLAN_FLEET_HPP

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "anew/concept/roles.hpp"
#include "anew/drive/retry_machine.hpp"
#include "anew/value/directive.hpp"
#include "anew/value/generator.hpp"

#include "calendar.hpp"
#include "lane.hpp"
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

/// How many calls took how long, within a 64th: 64 counts for each power of two of nanoseconds.
class histogram {
 public:
  void add(instant took) noexcept {
    auto const n = static_cast<std::uint64_t>(std::max<instant>(took, 0));
    auto const power = n < 128 ? 0U : static_cast<unsigned>(std::bit_width(n)) - 7U;
    ++counts_[power * 64U + static_cast<unsigned>(n >> power)];
    ++all_;
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return all_; }
  /// Calls `f(seconds, calls)` for each count, with the middle of its seconds.
  template <class F>
  void for_each(F const& f) const {
    for (std::size_t i = 0; i != counts_.size(); ++i) {
      if (counts_[i] != 0) f(middle_of(i), counts_[i]);
    }
  }
  /// Seconds within which this share of the calls ended, to the middle of the count; 0 for an empty histogram.
  [[nodiscard]] double quantile(double share) const noexcept {
    if (all_ == 0) return 0;
    auto left = static_cast<std::uint64_t>(share * static_cast<double>(all_ - 1));
    std::size_t i = 0;
    while (left >= counts_[i]) left -= counts_[i++];
    return middle_of(i);
  }

 private:
  [[nodiscard]] static double middle_of(std::size_t i) noexcept {
    auto const power = i < 128 ? 0U : static_cast<unsigned>(i / 64 - 1);
    auto const least = static_cast<double>(i - 64U * power);
    return (least + (power == 0 ? 0.0 : 0.5)) * static_cast<double>(std::uint64_t{1} << power) * 1e-9;
  }

  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(64U * 60U);
  std::uint64_t all_ = 0;
};

/// The result of a simulation.
struct observed {
  timeline times;
  histogram before;  // of calls that succeeded before the outage,
  histogram in;      // that began in it,
  histogram after;   // and that began after it
  struct backlog {
    double wait = 0;        // in the service's queue, in seconds
    std::size_t calls = 0;  // that have begun and not ended
  };
  backlog halfway;  // between the end of the outage and the end of all
  backlog at_end;
  // More calls had begun and not ended than the service could answer for a long time, or each made too many attempts.
  bool has_collapsed = false;
  std::uint64_t events = 0;
  std::vector<double> levels;  // of the clients' quotas, each second, where that is asked for: from 0 to 1
};

/// Simulates clients that call one service, by the library's own state machine and virtual time. The clients' strategies
/// are those of a process: each has its quota, gate and pacer. Calls arrive at random, at a constant rate.
template <class Strategy>
class fleet {
 public:
  /// `strategies`: one for each client.
  fleet(std::vector<Strategy> const& strategies, scenario const& s)
      : strategies_{strategies.data()},
        clients_{static_cast<double>(strategies.size())},
        scenario_{s},
        service_{s},
        arrivals_{s.seed, 1},
        mean_gap_{1e9 / (s.clients * s.rate)},
        outage_begins_{s.before.count()},
        outage_ends_{outage_begins_ + s.outage.count()},
        end_{outage_ends_ + s.after.count()},
        found_{timeline{end_, s.timeout.count()}, {}, {}, {}, {}, {}, false, 0, {}},
        most_calls_{static_cast<std::size_t>(s.capacity * (20 + seconds_of(s.outage.count())))},
        most_events_{1'000'000 + static_cast<std::uint64_t>(40 * s.clients * s.rate * seconds_of(end_))} {}

  /// `level(strategy)` is how full a client's quota is, from 0 to 1.
  using level_of = double (*)(Strategy const&);

  [[nodiscard]] observed run(level_of level = nullptr) && {
    virtual_clock::ticks = 0;
    virtual_random::numbers = anew::generator{scenario_.seed, 2};
    choose_next_arrival(0);
    auto const halfway = outage_ends_ + (end_ - outage_ends_) / 2;
    bool is_past_halfway = false;
    for (;;) {
      auto const answer = first_of(answers_);
      auto const refusal = first_of(refusals_);
      auto const timeout = first_of(timeouts_);
      auto const wait = waits_.first();
      auto const now = std::min({next_arrival_, answer, refusal, timeout, wait});
      if (now >= halfway && !is_past_halfway) {
        is_past_halfway = true;
        found_.halfway = {service_.wait(halfway), calls_};
      }
      if (now >= end_ || has_collapsed()) break;
      virtual_clock::ticks = now;
      found_.times.advance_to(now);
      if (level != nullptr) read_levels(level, now);
      ++found_.events;
      if (now == answer) {
        bool const is_error = scenario_.failure_rate > 0 && chance() < scenario_.failure_rate;
        end_attempt(answers_, is_error ? failed : succeeded);
      } else if (now == refusal) {
        end_attempt(refusals_, failed);
      } else if (now == timeout) {
        end_attempt(timeouts_, timed_out);
      } else if (now == wait) {
        auto const place = waits_.take();
        auto one = std::move(*waiting_[place]);
        waiting_[place].reset();
        free_.push_back(place);
        auto const step = one.machine.on_wait_over();
        advance(one, step);
      } else {
        auto const client = next_client_;
        choose_next_arrival(now);
        begin_call(client);
      }
    }
    found_.times.advance_to(end_);
    found_.has_collapsed = has_collapsed();
    found_.at_end = {service_.wait(end_), calls_};
    return std::move(found_);
  }

 private:
  using machine_type = anew::retry_machine<Strategy, anew::declared::idempotent>;
  struct call {
    instant began;
    std::uint32_t client;
    machine_type machine;
  };
  struct attempt_of {
    instant ends;
    call one;
  };

  static constexpr auto succeeded = anew::directive::succeed();
  static constexpr auto failed = anew::directive::retry(anew::error_kind::transient);
  static constexpr auto timed_out = anew::directive::retry(anew::error_kind::timeout);

  [[nodiscard]] static instant first_of(lane<attempt_of> const& of) noexcept {
    return of.empty() ? never : of.front().ends;
  }
  [[nodiscard]] bool has_collapsed() const noexcept { return calls_ > most_calls_ || found_.events > most_events_; }
  /// From 0 to less than 1.
  [[nodiscard]] double chance() noexcept { return static_cast<double>(arrivals_() >> 11U) * 0x1p-53; }

  // A million strategies do not fit into a core's cache: each is asked for some events before it is needed.
  void will_ask(std::uint32_t client) const noexcept {
#if defined(__GNUC__)
    __builtin_prefetch(strategies_ + client, 1);
#endif
  }
  void choose_next_arrival(instant now) noexcept {
    next_arrival_ = now + static_cast<instant>(-std::log1p(-chance()) * mean_gap_) + 1;
    next_client_ = static_cast<std::uint32_t>(chance() * clients_);
    will_ask(next_client_);
  }

  void read_levels(level_of level, instant now) {
    while (static_cast<instant>(found_.levels.size()) * 1'000'000'000 <= now) {
      double sum = 0;
      for (std::size_t i = 0; i != scenario_.clients; ++i) sum += level(strategies_[i]);
      found_.levels.push_back(sum / scenario_.clients);
    }
  }
  void begin_call(std::uint32_t client) {
    call one{virtual_clock::ticks, client, machine_type{strategies_[client], anew::idempotent_call}};
    ++calls_;
    found_.times.begins();
    auto const step = one.machine.begin();
    advance(one, step);
  }
  void end_attempt(lane<attempt_of>& of, anew::directive const& verdict) {
    if (auto const* const soon = of.after_front(4)) will_ask(soon->one.client);
    auto& one = of.front().one;
    auto const step = one.machine.on_verdict(verdict);
    advance(one, step);
    of.pop();
  }

  void advance(call& one, anew::next_step step) {
    auto const now = virtual_clock::ticks;
    switch (step) {
      case anew::next_step::attempt: {
        found_.times.attempts();
        auto const gives_up = now + scenario_.timeout.count();
        if (scenario_.mode != outage_mode::slow && is_lost(now)) {
          if (scenario_.mode == outage_mode::refuses) {
            refusals_.push(now + scenario_.latency.count(), std::move(one));
          } else {
            timeouts_.push(gives_up, std::move(one));
          }
          return;
        }
        auto const answered = service_.answer_of_arrival(now);
        auto const arrives =
            answered < never - scenario_.latency.count() ? answered + scenario_.latency.count() : never;
        if (arrives <= gives_up) {
          answers_.push(arrives, std::move(one));
        } else {
          timeouts_.push(gives_up, std::move(one));
        }
        return;
      }
      case anew::next_step::wait: {
        auto const delay = one.machine.wait().count();
        waits_.add(delay < end_ - now ? now + delay : end_, keep(std::move(one)));
        return;
      }
      case anew::next_step::finished: break;
    }
    --calls_;
    bool const is_good = one.machine.reason() == anew::stop_reason::succeeded;
    found_.times.ends(one.began, is_good);
    if (is_good) {
      (one.began < outage_begins_ ? found_.before
       : one.began < outage_ends_ ? found_.in
                                  : found_.after)
          .add(now - one.began);
    }
  }
  /// The service answers the share of its capacity, and what is more is lost.
  [[nodiscard]] bool is_lost(instant now) noexcept {
    if (now < outage_begins_ || now >= outage_ends_) return false;
    auto const at_most = 0.1 * scenario_.capacity;  // a tenth of a second's worth may come at once
    auto const since = seconds_of(now - std::max(last_in_outage_, outage_begins_));
    permitted_ = std::min(permitted_ + since * scenario_.capacity * scenario_.remaining, at_most);
    last_in_outage_ = now;
    if (permitted_ < 1) return true;
    permitted_ -= 1;
    return false;
  }
  [[nodiscard]] std::uint32_t keep(call one) {
    if (free_.empty()) {
      waiting_.emplace_back(std::move(one));
      return static_cast<std::uint32_t>(waiting_.size() - 1);
    }
    auto const place = free_.back();
    free_.pop_back();
    waiting_[place].emplace(std::move(one));
    return place;
  }

  Strategy const* strategies_;
  double clients_;
  scenario scenario_;
  service service_;
  anew::generator arrivals_;
  double mean_gap_;  // in nanoseconds
  instant outage_begins_;
  instant outage_ends_;
  instant end_;
  instant next_arrival_ = 0;
  std::uint32_t next_client_ = 0;
  observed found_;
  // Answers are in order, since the queue is first in, first out; the others, since each is as late as the one before.
  lane<attempt_of> answers_;
  lane<attempt_of> refusals_;
  lane<attempt_of> timeouts_;
  calendar waits_;
  std::deque<std::optional<call>> waiting_;
  std::vector<std::uint32_t> free_;  // places of waiting_
  std::size_t calls_ = 0;            // that have begun and not ended
  std::size_t most_calls_;           // at a time
  std::uint64_t most_events_;        // 40 a call: twenty attempts of each
  double permitted_ = 0;             // attempts in the outage
  instant last_in_outage_ = 0;
};

}  // namespace anew_plan

#endif
