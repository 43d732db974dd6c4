// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_INTERNAL_HEDGE_HANDLERS_HPP
#define ANEW_ASIO_INTERNAL_HEDGE_HANDLERS_HPP

#include <cstdint>
#include <exception>
#include <utility>

#include "anew/asio/internal/handlers.hpp"
#include "anew/asio/internal/net.hpp"
#include "anew/hedge/hedge_machine.hpp"
#include "anew/hedge/hedge_step.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/directive.hpp"

/// The handlers that a hedged call passes to its attempts, timers and posts. `place` is the attempt that a handler is
/// for.
namespace anew::inline ANEW_ABI::detail {

/// A hedge machine and the number of an attempt, with the interface that `read_completion` expects.
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
  /// Cancelling one attempt cancels the call: what it holds is refunded, and nothing is spent.
  hedge_step on_cancelled() {
    was_cancelled = true;
    [[maybe_unused]] auto const timer_off = call.request_stop();
    auto step = call.on_verdict(number, directive::fail());
    step.timer = hedge_timer::cancel;
    return step;
  }
};

/// Starts the call where its handlers run; otherwise the first attempt could end there while the rest starts elsewhere.
template <class Call>
class hedge_begin_handler : public call_handler<Call> {
 public:
  using call_handler<Call>::call_handler;
  void operator()() { this->call_.get()->on_begin(std::move(this->call_)); }
};

/// Keeps a call alive for one of its attempts, which has a place in it. As `attempt_ref`.
template <class Call>
class placed_attempt_ref {
 public:
  using call_type = Call;

  placed_attempt_ref(call_ref<Call>&& call, std::uint32_t place) noexcept : call_{call.get()}, place_{place} {
    call.release();
  }
  placed_attempt_ref(placed_attempt_ref&& other) noexcept
      : call_{std::exchange(other.call_, nullptr)}, place_{other.place_} {}
  placed_attempt_ref(placed_attempt_ref const& other) noexcept
      : call_{std::exchange(other.call_, nullptr)}, place_{other.place_} {}
  placed_attempt_ref& operator=(placed_attempt_ref const&) = delete;
  placed_attempt_ref& operator=(placed_attempt_ref&&) = delete;
  ~placed_attempt_ref() {
    if (call_ != nullptr) call_->on_gone(place_);
  }

  [[nodiscard]] Call* get() const noexcept { return call_; }
  [[nodiscard]] net::cancellation_slot slot() const noexcept { return call_->slot_of(place_); }
  template <class... Args>
  void complete(Args&&... args) {
    call_->on_attempt(take(), place_, std::forward<Args>(args)...);
  }
  void over() const noexcept { call_->on_over(place_); }
  template <class... Args>
  void keep(Args&&... args) {
    call_->keep(place_, std::forward<Args>(args)...);
  }
  void arrive() { call_->on_arrived(take(), place_); }

 private:
  [[nodiscard]] call_ref<Call> take() noexcept { return call_ref<Call>{std::exchange(call_, nullptr)}; }

  mutable Call* call_;
  std::uint32_t place_;
};

/// The timer of the next hedge, or of the retry after a round. It is stale if the timer was set again.
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

/// The timer of an attempt's timeout.
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

/// For the time in which a function of a place's operation is being called.
template <class Place>
struct inside_function {
  Place& place;
  bool outer;
  explicit inside_function(Place& one) noexcept : place{one}, outer{std::exchange(one.is_entered, true)} {}
  inside_function(inside_function const&) = delete;
  inside_function& operator=(inside_function const&) = delete;
  ~inside_function() { place.is_entered = outer; }
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

}  // namespace anew::inline ANEW_ABI::detail

#endif
