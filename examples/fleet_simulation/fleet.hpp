// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_FLEET_HPP
#define FLEET_SIMULATION_FLEET_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "anew/base/directive.hpp"
#include "anew/base/random_source.hpp"
#include "anew/drivers/retry_machine.hpp"

#include "arrivals.hpp"
#include "calendar.hpp"
#include "dice.hpp"
#include "event_log.hpp"
#include "fate.hpp"
#include "hedged_calls.hpp"
#include "in_flight.hpp"
#include "instant.hpp"
#include "observed.hpp"
#include "service.hpp"
#include "virtual_time.hpp"
#include "world.hpp"

namespace fleet_simulation {

/// Simulates clients that call one service, by the library's own state machines and virtual time.
template <class Strategy, class Hedging = no_hedging>
class fleet {
 public:
  /// `strategies`: those of the clients, then one for each process of each layer. `hedges`: those of the clients; nullptr:
  /// they do not hedge.
  fleet(std::vector<Strategy> const& strategies, world const& w, event_log* log = nullptr,
        std::vector<Hedging> const* hedges = nullptr)
      : strategies_{strategies.data()},
        hedges_{hedges != nullptr ? hedges->data() : nullptr},
        world_{w},
        service_{w.phases},
        arrivals_{w.phases},
        dice_{w.seed},
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
  using hedged_type = hedged_calls<Strategy, Hedging, fleet>;
  friend hedged_type;
  static constexpr auto succeeded = anew::directive::succeed();
  static constexpr auto failed = anew::directive::retry(anew::error_kind::transient);
  static constexpr auto timed_out = anew::directive::retry(anew::error_kind::timeout);
  // An event is the place of a call, or a number with a bit:
  static constexpr std::uint32_t worker_calls = 1U << 31U;
  static constexpr std::uint32_t phase_begins = 1U << 30U;
  static constexpr std::uint32_t of_hedged = 1U << 29U;

  [[nodiscard]] bool has_collapsed() const noexcept {
    return calls_ > world_.most_calls || found_.events > world_.most_events;
  }
  [[gnu::always_inline]] void note(event_log::what of, std::uint32_t client, std::uint32_t more = 0) {
    if (log_ != nullptr) log_->add({virtual_clock::ticks, of, client, more});
  }
  [[gnu::always_inline]] void note_answer(std::uint32_t client, anew::directive const& verdict) {
    note(event_log::what::answer, client,
         verdict.is_success() ? 0 : 1 + static_cast<std::uint32_t>(verdict.what().kind));
  }

  // A million strategies do not fit into a core's cache: each is asked for some events before it is needed.
  void will_ask(std::uint32_t client) const noexcept {
#if defined(__GNUC__)
    __builtin_prefetch(strategies_ + client, 1);
#endif
  }
  [[gnu::always_inline]] void choose_next_arrival(instant now) noexcept {
    next_arrival_ = arrivals_.after(now, dice_.exponential());
    next_client_ = dice_.one_of(world_.strategies);
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
        static_cast<double>(virtual_clock::ticks) + dice_.exponential() * static_cast<double>(world_.think.count());
    events_.add(until < static_cast<double>(end_) ? static_cast<instant>(until) : end_, worker_calls | worker);
  }

  void happen(std::uint32_t event) {
    if ((event & worker_calls) != 0) {
      auto const worker = event & ~worker_calls;
      begin_call(worker, worker % world_.strategies, 0, position::no_parent);
    } else if ((event & phase_begins) != 0) {
      begin_phase(world_.phases[event & ~phase_begins]);
    } else if ((event & of_hedged) != 0) {
      hedged_.happen(event & ~of_hedged);
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
      auto const client = dice_.one_of(world_.strategies);
      begin_call(client, client, 0, position::no_parent);
    }
  }
  /// A share of the attempts that are on the way to the service, in its queue, or on the way back.
  void drop_connections(double share) {
    std::vector<call> dropped;
    auto const breaks = [this, share](auto const&... /*one*/) { return dice_.happens(share); };
    for (auto* const of : {&answers_, &refusals_, &timeouts_}) of->take_if(breaks, dropped);
    auto const at_service = [this](position of) { return of.how() != ending::waits && of.layer() == layers_; };
    places_.take_if([&](call const& one) { return at_service(one.at) && breaks(one); }, dropped);
    service_.drop(virtual_clock::ticks, share);
    for (auto& one : dropped) end_attempt(one, failed);
    hedged_.fail_if(breaks, failed);
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
    ++calls_;
    if (layer == 0) {
      found_.times.begins();
      note(event_log::what::call, client);
      if (hedges_ != nullptr) {
        return hedged_.begin(virtual_clock::ticks, client, strategies_[strategy], hedges_[strategy]);
      }
    }
    call one{virtual_clock::ticks, client, {parent, layer}, machine_type{strategies_[strategy], anew::idempotent_call}};
    auto const step = one.machine.begin();
    advance(one, step);
  }
  void end_first(attempts_in_order<call>& of, anew::directive const& verdict) {
    if (auto const* const soon = of.after_front(4)) will_ask(soon->one.client);
    end_attempt(of.front().one, verdict);
    of.pop();
  }
  [[gnu::always_inline]] void end_attempt(call& one, anew::directive const& verdict) {
    note_answer(one.client, verdict);
    auto const step = one.machine.on_verdict(verdict);
    advance(one, step);
  }
  [[nodiscard]] anew::directive const& verdict_of_answer() {
    return has_failures_ && dice_.happens(service_.at(virtual_clock::ticks).failure_rate) ? failed : succeeded;
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

  [[nodiscard]] instant after(anew::duration delay) const noexcept {
    auto const now = virtual_clock::ticks;
    return delay.count() < end_ - now ? now + delay.count() : end_;
  }
  void advance(call& one, anew::next_step step) {
    switch (step) {
      case anew::next_step::attempt: return attempt(one);
      case anew::next_step::wait: return events_.add(after(one.machine.wait()), places_.keep(one));
      case anew::next_step::finished: return finish(one);
    }
  }
  [[gnu::always_inline]] void attempt(call& one) {
    note(event_log::what::attempt, one.client, one.at.layer());
    if (one.at.layer() != layers_) return attempt_of_layer(one);
    auto const of = send();
    switch (of.how) {
      case ending::times_out: return timeouts_.push(of.ends, one);
      case ending::is_answered:
        if (of.is_slow || !answers_.is_last(of.ends)) return happens_at(of.ends, of.how, one);
        return answers_.push(of.ends, one);
      default:
        if (!refusals_.is_last(of.ends)) return happens_at(of.ends, of.how, one);
        one.at.set(of.how);
        return refusals_.push(of.ends, one);
    }
  }
  [[gnu::noinline]] void happens_at(instant at, ending how, call& one) {
    one.at.set(how);
    events_.add(at, places_.keep(one));
  }
  /// The attempt is a call of a process of the next layer. It ends with that call, or when its client gives up before; the
  /// call goes on then.
  [[gnu::noinline]] void attempt_of_layer(call& one) {
    auto const layer = one.at.layer();
    ++found_.attempts_of_layer[layer];
    one.at.set(ending::times_out);
    auto const place = places_.keep(one);
    events_.add(after(world_.timeout_of(layer)), place);
    places_.hold_twice(place);
    auto const process = first_of_layer_[layer] + dice_.one_of(world_.layers[layer].processes);
    begin_call(process, process, layer + 1, place);
  }

  [[gnu::always_inline]] fate send() noexcept {
    auto const now = virtual_clock::ticks;
    found_.times.attempts();
    return service_.fate_of_arrival(now, now + timeout_, dice_);
  }
  [[nodiscard]] fate send_hedged(std::uint32_t client) {
    note(event_log::what::attempt, client);
    return send();
  }
  void add_hedged(instant at, std::uint32_t number) { events_.add(std::min(at, end_), of_hedged | number); }
  void note_cancelled(std::uint32_t client, fate const& lost) {
    note(event_log::what::cancel, client);
    service_.cancel(virtual_clock::ticks, lost);
  }

  [[gnu::always_inline]] void finish(call& one) {
    auto const reason = one.machine.reason();
    if (one.at.layer() == 0) return ends(one.began, one.client, reason);
    note_end(one.client, reason);
    end_attempt_of_layer(one.at.parent(), reason);
  }
  [[gnu::always_inline]] void note_end(std::uint32_t client, anew::stop_reason reason) {
    note(event_log::what::end, client, static_cast<std::uint32_t>(reason));
    --calls_;
  }
  [[gnu::always_inline]] void ends(instant began, std::uint32_t client, anew::stop_reason reason) {
    note_end(client, reason);
    found_.ends(began, virtual_clock::ticks, reason);
    if (world_.workers != 0) think(client);
  }
  [[gnu::noinline]] void end_attempt_of_layer(std::uint32_t place, anew::stop_reason reason) {
    if (places_[place]) {
      auto above = places_.take(place);
      end_attempt(above, reason == anew::stop_reason::succeeded ? succeeded : failed);
    }
    places_.release(place);
  }

  Strategy const* strategies_;
  Hedging const* hedges_;
  world world_;
  service service_;
  arrivals arrivals_;
  dice dice_;
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
  hedged_type hedged_{*this};
  places_of<call> places_;  // of calls that an event refers to
  std::size_t calls_ = 0;   // that have begun and not ended, those of layers too
};

}  // namespace fleet_simulation

#endif
