// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_HEDGE_HANDLERS_HPP
#define ANEW_ASIO_HEDGE_HANDLERS_HPP

#include <cstdint>
#include <exception>
#include <utility>

#include "anew/asio/config.hpp"
#include "anew/asio/handlers.hpp"
#include "anew/config.hpp"
#include "anew/directive.hpp"
#include "anew/hedge/hedge_machine.hpp"
#include "anew/hedge/step.hpp"

/// What a hedged call hands to its attempts, timers and posts. `place` says which of its attempts a handler is for.
namespace anew::detail {

/// A hedge machine and the number of an attempt, as `read_completion` speaks of an attempt.
template <class S, class H>
struct one_of_several {
  using strategy_type = S;
  hedge_machine<S, H, declared::idempotent>& call;
  std::uint32_t number;
  S const& by;
  bool was_cancelled = false;

  [[nodiscard]] S const& strategy() const noexcept { return by; }
  hedge_step on_success() { return call.on_success(number); }
  template <class Op, class R>
  hedge_step on_outcome(Op& /*operation*/, R const& result) {
    return call.on_outcome(number, result);
  }
  template <class Op>
  hedge_step on_verdict(Op& /*operation*/, directive const& verdict) {
    return call.on_verdict(number, verdict);
  }
  template <class Op, class E>
  hedge_step on_error(Op& /*operation*/, E const& error) {
    return call.on_error(number, error);
  }
#if ANEW_EXCEPTIONS
  template <class Op>
  hedge_step on_exception(Op& /*operation*/, std::exception_ptr const& thrown) {
    return call.on_exception(number, thrown);
  }
#endif
  template <class Op>
  hedge_step on_attempt_timeout(Op& /*operation*/) {
    return call.on_attempt_timeout(number);
  }
  /// Whoever cancelled one attempt meant the call: what it holds is given back, and nothing is spent.
  hedge_step on_cancelled() {
    was_cancelled = true;
    [[maybe_unused]] auto const timer_off = call.request_stop();
    auto step = call.on_verdict(number, directive::fail());
    step.timer = hedge_timer::cancel;
    return step;
  }
};

/// The call begins where its handlers run, or its first attempt could end there while the rest of it begins elsewhere.
template <class Call>
class hedge_begin_handler : public call_handler<Call> {
 public:
  using call_handler<Call>::call_handler;
  void operator()() { this->call_.get()->on_begin(std::move(this->call_)); }
};

/// The completion of one of several attempts.
template <class Call>
class hedge_attempt_handler : public call_handler<Call> {
 public:
  using cancellation_slot_type = net::cancellation_slot;
  hedge_attempt_handler(call_ref<Call>&& call, std::uint32_t place) noexcept
      : call_handler<Call>{std::move(call)}, place_{place} {}
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept {
    return this->call_.get()->slot_of(place_);
  }
  template <class... Args>
  void operator()(Args&&... args) {
    this->call_.get()->on_attempt(std::move(this->call_), place_, std::forward<Args>(args)...);
  }

 private:
  std::uint32_t place_;
};

/// The same of a callback API.
template <class Call>
class hedge_foreign_handler : public foreign_call_handler<Call> {
 public:
  using cancellation_slot_type = net::cancellation_slot;
  hedge_foreign_handler(call_ref<Call>&& call, std::uint32_t place) noexcept
      : foreign_call_handler<Call>{std::move(call)}, place_{place} {}
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept {
    return this->call_.get()->slot_of(place_);
  }
  template <class... Args>
  void operator()(Args&&... args) {
    this->call_.get()->on_foreign(std::move(this->call_), place_, std::forward<Args>(args)...);
  }

 private:
  std::uint32_t place_;
};

/// An attempt whose result lies in its place already: it came from elsewhere, or inside a function that must return first.
template <class Call>
class hedge_arrived_handler : public call_handler<Call> {
 public:
  hedge_arrived_handler(call_ref<Call>&& call, std::uint32_t place) noexcept
      : call_handler<Call>{std::move(call)}, place_{place} {}
  void operator()() { this->call_.get()->on_arrived(std::move(this->call_), place_); }

 private:
  std::uint32_t place_;
};

/// The timer of the next hedge, or of the retry after a round. Stale where the timer was set again.
template <class Call>
class hedge_timer_handler : public call_handler<Call> {
 public:
  hedge_timer_handler(call_ref<Call>&& call, std::uint32_t generation) noexcept
      : call_handler<Call>{std::move(call)}, generation_{generation} {}
  void operator()(net_error_code const& error = {}) {
    this->call_.get()->on_timer(std::move(this->call_), generation_, static_cast<bool>(error));
  }

 private:
  std::uint32_t generation_;
};

/// The timer of an attempt's limit.
template <class Call>
class hedge_limit_handler : public call_handler<Call> {
 public:
  hedge_limit_handler(call_ref<Call>&& call, std::uint32_t place) noexcept
      : call_handler<Call>{std::move(call)}, place_{place} {}
  void operator()(net_error_code const& error) {
    this->call_.get()->on_limit(std::move(this->call_), place_, static_cast<bool>(error));
  }

 private:
  std::uint32_t place_;
};

/// While a place's attempt is being initiated. An attempt whose initiation throws was never made.
template <class Place>
struct inside_initiation {
  Place& place;
  bool has_returned = false;
  explicit inside_initiation(Place& one) noexcept : place{one} { place.is_entered = place.is_running = true; }
  inside_initiation(inside_initiation const&) = delete;
  inside_initiation& operator=(inside_initiation const&) = delete;
  ~inside_initiation() {
    if (!has_returned) place.is_entered = place.is_running = false;
  }
};

template <class Call>
struct abandoned_by_throw {
  Call* call;
  explicit abandoned_by_throw(Call* one) noexcept : call{one} {}
  abandoned_by_throw(abandoned_by_throw const&) = delete;
  abandoned_by_throw& operator=(abandoned_by_throw const&) = delete;
  ~abandoned_by_throw() {
    if (call != nullptr) call->abandon();
  }
};

}  // namespace anew::detail

#endif
