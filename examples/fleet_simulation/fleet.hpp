// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_FLEET_HPP
#define FLEET_SIMULATION_FLEET_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "anew/drive/retry_machine.hpp"
#include "anew/value/directive.hpp"
#include "anew/value/generator.hpp"

#include "arrivals.hpp"
#include "calendar.hpp"
#include "event_log.hpp"
#include "in_flight.hpp"
#include "instant.hpp"
#include "observed.hpp"
#include "service.hpp"
#include "virtual_time.hpp"
#include "world.hpp"

namespace fleet_simulation {

/// Simulates clients that call one service, by the library's own state machine and virtual time.
template <class Strategy>
class fleet {
 public:
  /// `strategies`: those of the clients, then one for each process of each layer.
  fleet(std::vector<Strategy> const& strategies, world const& w, event_log* log = nullptr)
      : strategies_{strategies.data()},
        world_{w},
        service_{w.phases},
        arrivals_{w.phases},
        numbers_{w.seed, 1},
        found_{w},
        end_{observed::end_of(w)},
        timeout_{w.timeout_of(w.layers.size()).count()},
        layers_{static_cast<std::uint32_t>(w.layers.size())},
        has_failures_{
            std::any_of(w.phases.begin(), w.phases.end(), [](phase const& one) { return one.failure_rate > 0; })},
        log_{log} {
    auto first = w.strategies;
    for (auto const& one : w.layers) {
      first_of_layer_.push_back(first);
      first += one.processes;
    }
  }

  /// `level(strategy)` is how full a client's quota is, from 0 to 1.
  using level_of = double (*)(Strategy const&);

  [[nodiscard]] observed run(level_of level = nullptr) && {
    virtual_clock::ticks = 0;
    virtual_random::numbers = anew::generator{world_.seed, 2};
    plan_beginnings();
    auto const halfway = end_ - world_.phases.back().lasts.count() / 2;
    bool is_past_halfway = false;
    for (;;) {
      auto const answer = answers_.first();
      auto const refusal = refusals_.first();
      auto const timeout = timeouts_.first();
      auto const event = events_.first();
      auto const now = std::min({next_arrival_, answer, refusal, timeout, event});
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
        end_first(answers_, verdict_of_answer());
      } else if (now == refusal) {
        auto& one = refusals_.front().one;
        auto const how = one.at.how();
        one.at.set(ending::waits);
        end_first(refusals_, verdict_of(how));
      } else if (now == timeout) {
        end_first(timeouts_, timed_out);
      } else if (now == event) {
        happen(events_.take());
      } else {
        auto const client = next_client_;
        choose_next_arrival(now);
        begin_call(client, client, 0, position::no_parent);
      }
    }
    found_.has_collapsed = has_collapsed();
    found_.ended = virtual_clock::ticks;
    found_.times.advance_to(end_);
    found_.at_end = {service_.wait(end_), calls_};
    return std::move(found_);
  }

 private:
  using machine_type = anew::retry_machine<Strategy, anew::declared::idempotent>;
  using call = call_of<machine_type>;
  static constexpr auto succeeded = anew::directive::succeed();
  static constexpr auto failed = anew::directive::retry(anew::error_kind::transient);
  static constexpr auto timed_out = anew::directive::retry(anew::error_kind::timeout);
  // An event is the place of a call, or a number with a bit:
  static constexpr std::uint32_t worker_calls = 1U << 31U;
  static constexpr std::uint32_t phase_begins = 1U << 30U;

  [[nodiscard]] bool has_collapsed() const noexcept {
    return calls_ > world_.most_calls || found_.events > world_.most_events;
  }
  /// From 0 to less than 1.
  [[nodiscard]] double chance() noexcept { return static_cast<double>(numbers_() >> 11U) * 0x1p-53; }
  [[nodiscard]] bool happens(double share) noexcept { return share > 0 && chance() < share; }
  [[nodiscard]] double exponential() noexcept { return -std::log1p(-chance()); }
  [[nodiscard]] std::uint32_t one_of(std::uint32_t n) noexcept {
    return static_cast<std::uint32_t>(chance() * static_cast<double>(n));
  }
  [[gnu::always_inline]] void note(event_log::what of, std::uint32_t client, std::uint32_t more = 0) {
    if (log_ != nullptr) log_->add({virtual_clock::ticks, of, client, more});
  }

  // A million strategies do not fit into a core's cache: each is asked for some events before it is needed.
  void will_ask(std::uint32_t client) const noexcept {
#if defined(__GNUC__)
    __builtin_prefetch(strategies_ + client, 1);
#endif
  }
  [[gnu::always_inline]] void choose_next_arrival(instant now) noexcept {
    next_arrival_ = arrivals_.after(now, exponential());
    next_client_ = one_of(world_.strategies);
    will_ask(next_client_);
  }
  void plan_beginnings() {
    instant begin = 0;
    for (std::uint32_t i = 0; i != world_.phases.size(); ++i) {
      auto const& one = world_.phases[i];
      if (one.burst != 0 || one.drops > 0) events_.add(begin, phase_begins | i);
      begin += one.lasts.count();
    }
    if (world_.workers == 0) choose_next_arrival(0);
    for (std::uint32_t i = 0; i != world_.workers; ++i) think(i);
  }
  void think(std::uint32_t worker) {
    auto const until =
        static_cast<double>(virtual_clock::ticks) + exponential() * static_cast<double>(world_.think.count());
    events_.add(until < static_cast<double>(end_) ? static_cast<instant>(until) : end_, worker_calls | worker);
  }

  void happen(std::uint32_t event) {
    if ((event & worker_calls) != 0) {
      auto const worker = event & ~worker_calls;
      begin_call(worker, worker % world_.strategies, 0, position::no_parent);
    } else if ((event & phase_begins) != 0) {
      begin_phase(world_.phases[event & ~phase_begins]);
    } else if (!places_[event]) {
      places_.release(event);  // the attempt has ended before
    } else {
      auto const how = places_[event]->at.how();
      auto one = places_.take(event);
      places_.release(event);
      if (how != ending::waits) return end_attempt(one, verdict_of(how));
      auto const step = one.machine.on_wait_over();
      advance(one, step);
    }
  }
  [[gnu::noinline]] void begin_phase(phase const& begun) {
    note(event_log::what::phase, 0);
    if (begun.drops > 0) drop_connections(begun.drops);
    for (std::uint32_t i = 0; i != begun.burst; ++i) {
      auto const client = one_of(world_.strategies);
      begin_call(client, client, 0, position::no_parent);
    }
  }
  /// A share of the attempts that are on the way to the service, in its queue, or on the way back.
  void drop_connections(double share) {
    std::vector<call> dropped;
    auto const breaks = [this, share](call const& /*one*/) { return happens(share); };
    for (auto* const of : {&answers_, &refusals_, &timeouts_}) of->take_if(breaks, dropped);
    places_.take_if(
        [&](call const& one) { return one.at.how() != ending::waits && one.at.layer() == layers_ && happens(share); },
        dropped);
    service_.drop(virtual_clock::ticks, share);
    for (auto& one : dropped) end_attempt(one, failed);
  }

  void read_levels(level_of level, instant now) {
    while (static_cast<instant>(found_.levels.size()) * 1'000'000'000 <= now) {
      double sum = 0;
      for (std::size_t i = 0; i != world_.strategies; ++i) sum += level(strategies_[i]);
      found_.levels.push_back(sum / world_.strategies);
    }
  }
  [[gnu::always_inline]] void begin_call(std::uint32_t client, std::uint32_t strategy, std::uint32_t layer,
                                         std::uint32_t parent) {
    call one{virtual_clock::ticks, client, {parent, layer}, machine_type{strategies_[strategy], anew::idempotent_call}};
    ++calls_;
    if (layer == 0) {
      found_.times.begins();
      note(event_log::what::call, client);
    }
    auto const step = one.machine.begin();
    advance(one, step);
  }
  void end_first(attempts_in_order<call>& of, anew::directive const& verdict) {
    if (auto const* const soon = of.after_front(4)) will_ask(soon->one.client);
    end_attempt(of.front().one, verdict);
    of.pop();
  }
  [[gnu::always_inline]] void end_attempt(call& one, anew::directive const& verdict) {
    note(event_log::what::answer, one.client,
         verdict.is_success() ? 0 : 1 + static_cast<std::uint32_t>(verdict.what().kind));
    auto const step = one.machine.on_verdict(verdict);
    advance(one, step);
  }
  [[nodiscard]] anew::directive const& verdict_of_answer() {
    return has_failures_ && happens(service_.at(virtual_clock::ticks).failure_rate) ? failed : succeeded;
  }
  [[nodiscard]] anew::directive verdict_of(ending how) {
    switch (how) {
      case ending::is_answered: return verdict_of_answer();
      case ending::times_out: return timed_out;
      case ending::is_throttled:
        return anew::directive::retry(anew::error_kind::throttling, service_.at(virtual_clock::ticks).hint);
      default: return failed;
    }
  }

  void advance(call& one, anew::next_step step) {
    switch (step) {
      case anew::next_step::attempt: return attempt(one);
      case anew::next_step::wait: {
        auto const delay = one.machine.wait().count();
        auto const now = virtual_clock::ticks;
        events_.add(delay < end_ - now ? now + delay : end_, places_.keep(one));
        return;
      }
      case anew::next_step::finished: return finish(one);
    }
  }
  [[gnu::always_inline]] void attempt(call& one) {
    auto const now = virtual_clock::ticks;
    note(event_log::what::attempt, one.client, one.at.layer());
    if (one.at.layer() != layers_) return attempt_of_layer(one);
    found_.times.attempts();
    auto const& in = service_.at(now);
    auto const latency = in.latency.count();
    auto const gives_up = now + timeout_;
    if (in.admitted != unlimited && !service_.admits(now)) {
      if (in.others == turned_away::dropped || now + latency > gives_up) return timeouts_.push(gives_up, one);
      auto const how = in.others == turned_away::throttled ? ending::is_throttled : ending::is_refused;
      if (!refusals_.is_last(now + latency)) return happens_at(now + latency, how, one);
      one.at.set(how);
      return refusals_.push(now + latency, one);
    }
    auto answered = service_.answer_of_arrival(now);
    answered = answered < never - latency ? answered + latency : never;
    bool const is_slow = happens(in.slow_share);
    if (is_slow) answered = answered < never - in.slow_by.count() ? answered + in.slow_by.count() : never;
    if (answered > gives_up) return timeouts_.push(gives_up, one);
    if (is_slow || !answers_.is_last(answered)) return happens_at(answered, ending::is_answered, one);
    answers_.push(answered, one);
  }
  [[gnu::noinline]] void happens_at(instant at, ending how, call& one) {
    one.at.set(how);
    events_.add(at, places_.keep(one));
  }
  /// The attempt is a call of a process of the next layer. It ends with that call, or when its client gives up before; the
  /// call goes on then.
  [[gnu::noinline]] void attempt_of_layer(call& one) {
    auto const gives_up = virtual_clock::ticks + world_.timeout_of(one.at.layer()).count();
    auto const layer = one.at.layer();
    ++found_.attempts_of_layer[layer];
    one.at.set(ending::times_out);
    auto const place = places_.keep(one);
    events_.add(gives_up < end_ ? gives_up : end_, place);
    places_.hold_twice(place);
    auto const process = first_of_layer_[layer] + one_of(world_.layers[layer].processes);
    begin_call(process, process, layer + 1, place);
  }

  [[gnu::always_inline]] void finish(call& one) {
    auto const reason = one.machine.reason();
    note(event_log::what::end, one.client, static_cast<std::uint32_t>(reason));
    --calls_;
    if (one.at.layer() != 0) return end_attempt_of_layer(one.at.parent(), reason);
    found_.ends(one.began, virtual_clock::ticks, reason);
    if (world_.workers != 0) think(one.client);
  }
  [[gnu::noinline]] void end_attempt_of_layer(std::uint32_t place, anew::stop_reason reason) {
    if (places_[place]) {
      auto above = places_.take(place);
      end_attempt(above, reason == anew::stop_reason::succeeded ? succeeded : failed);
    }
    places_.release(place);
  }

  Strategy const* strategies_;
  world world_;
  service service_;
  arrivals arrivals_;
  anew::generator numbers_;
  observed found_;
  instant end_;
  instant timeout_;  // of the attempts that come to the service
  std::uint32_t layers_;
  bool has_failures_;
  event_log* log_;
  std::vector<std::uint32_t> first_of_layer_;  // of the processes' strategies
  instant next_arrival_ = never;
  std::uint32_t next_client_ = 0;
  // Answers are in order, since the queue is first in, first out; the others, since each is as late as the one before.
  // An attempt that ends sooner, since the latency fell, is an event.
  attempts_in_order<call> answers_;
  attempts_in_order<call> refusals_;
  attempts_in_order<call> timeouts_;
  calendar events_;
  places_of<call> places_;  // of calls that an event refers to
  std::size_t calls_ = 0;   // that have begun and not ended, those of layers too
};

}  // namespace fleet_simulation

#endif
