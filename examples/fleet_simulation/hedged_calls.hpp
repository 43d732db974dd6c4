// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_HEDGED_CALLS_HPP
#define FLEET_SIMULATION_HEDGED_CALLS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <type_traits>
#include <vector>

#include "anew/base/directive.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/hedge/hedge_machine.hpp"
#include "anew/drivers/hedge/hedging.hpp"

#include "fate.hpp"
#include "instant.hpp"

namespace fleet_simulation {

/// The hedging of a fleet that hedges nothing.
struct no_hedging {};

/// Calls that may have several attempts under way, by the library's own machine. A machine cannot be moved: a call stays in
/// its place to its end, and its events refer to that place.
///
/// `Fleet` sends an attempt (`send_hedged()`), adds an event (`add_hedged()`), notes what happens, and is told that a call has
/// ended (`ends()`).
template <class Strategy, class Hedging, class Fleet>
class hedged_calls {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

 public:
  explicit hedged_calls(Fleet& of) : fleet_{of} {}

  void begin(instant now, std::uint32_t client, Strategy const& strategy, Hedging const& hedging) {
    auto const place = place_in(calls_, free_calls_);
    auto& one = calls_[place];
    one.machine.emplace(strategy, hedging);
    one.began = now;
    one.client = client;
    follow(place, one.machine->begin());
  }

  /// The event of this number came.
  void happen(std::uint32_t number) {
    auto const come = events_[number];
    free_events_.push_back(number);
    if (come.call == none) return;
    auto& one = calls_[come.call];
    if (come.attempt == 0) {
      one.timer = none;
      follow(come.call, one.machine->on_time());
    } else {
      drop(one, number);
      end_attempt(come, fleet_.verdict_of(come.of.how));
    }
  }

  /// The attempts under way for which `goes()` fail.
  template <class If>
  void fail_if(If const& goes, anew::directive const& failed) {
    std::vector<event> gone;
    for (auto& one : calls_) {
      auto const all = one.attempts;
      for (std::uint32_t i = 0, n = one.under_way; i != n; ++i) {
        if (!goes()) continue;
        gone.push_back(events_[all[i]]);
        events_[all[i]].call = none;
        drop(one, all[i]);
      }
    }
    for (auto const& one : gone) {
      // Another attempt that failed may have ended the call.
      auto const& machine = calls_[one.call].machine;
      if (machine && machine->is_in_flight(one.attempt)) end_attempt(one, failed);
    }
  }

 private:
  struct event {
    std::uint32_t call = none;  // none: it was cancelled
    std::uint32_t attempt = 0;  // that ends; 0: the timer fires
    fate of{};
  };
  struct call {
    std::optional<anew::hedge_machine<Strategy, Hedging, anew::idempotent_call.value>> machine{};
    instant began = 0;
    std::uint32_t client = 0;
    std::uint32_t timer = none;  // the event
    std::uint32_t under_way = 0;
    std::array<std::uint32_t, anew::detail::most_extra_attempts + 1> attempts{};  // their events
  };

  void end_attempt(event const& come, anew::directive const& verdict) {
    auto& one = calls_[come.call];
    fleet_.note_answer(one.client, verdict);
    follow(come.call, one.machine->on_verdict(come.attempt, verdict));
  }
  void follow(std::uint32_t place, anew::hedge_step const& step) {
    auto& one = calls_[place];
    if (step.start != 0) {
      auto const of = fleet_.send_hedged(one.client);
      one.attempts[one.under_way] = add(of.ends, {place, step.start, of});
      ++one.under_way;
    }
    if (step.timer != anew::hedge_timer::keep) cancel_timer(one);
    if (step.timer == anew::hedge_timer::set) one.timer = add(fleet_.after(step.after), {place, 0, {}});
    if (step.finished) end(place);
  }
  void end(std::uint32_t place) {
    auto& one = calls_[place];
    cancel_timer(one);
    for (std::uint32_t i = 0; i != one.under_way; ++i) {
      auto& lost = events_[one.attempts[i]];
      fleet_.note_cancelled(one.client, lost.of);
      lost.call = none;
    }
    one.under_way = 0;
    auto const reason = one.machine->reason();
    one.machine.reset();
    free_calls_.push_back(place);
    fleet_.ends(one.began, one.client, reason);
  }

  void cancel_timer(call& one) noexcept {
    if (one.timer != none) events_[one.timer].call = none;
    one.timer = none;
  }
  static void drop(call& one, std::uint32_t number) noexcept {
    std::size_t i = 0;
    while (one.attempts[i] != number) ++i;
    one.attempts[i] = one.attempts[--one.under_way];
  }
  [[nodiscard]] std::uint32_t add(instant at, event const& one) {
    auto const number = place_in(events_, free_events_);
    events_[number] = one;
    fleet_.add_hedged(at, number);
    return number;
  }
  template <class T>
  [[nodiscard]] static std::uint32_t place_in(std::deque<T>& all, std::vector<std::uint32_t>& free) {
    if (free.empty()) {
      all.emplace_back();
      return static_cast<std::uint32_t>(all.size() - 1);
    }
    auto const place = free.back();
    free.pop_back();
    return place;
  }

  Fleet& fleet_;
  std::deque<call> calls_;
  std::deque<event> events_;
  std::vector<std::uint32_t> free_calls_;
  std::vector<std::uint32_t> free_events_;
};

/// No calls are hedged.
template <class Strategy, class Fleet>
class hedged_calls<Strategy, no_hedging, Fleet> {
 public:
  explicit hedged_calls(Fleet& /*of*/) {}
  void begin(instant, std::uint32_t, Strategy const&, no_hedging) {}
  void happen(std::uint32_t) {}
  template <class If>
  void fail_if(If const&, anew::directive const&) {}
};

}  // namespace fleet_simulation

#endif
