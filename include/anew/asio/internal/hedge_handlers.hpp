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

/// What only a hedged call has between itself and its machine, posts and timers.
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
