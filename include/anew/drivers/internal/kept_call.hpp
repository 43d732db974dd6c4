// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_KEPT_CALL_HPP
#define ANEW_DRIVERS_INTERNAL_KEPT_CALL_HPP

#include <exception>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/call_engine.hpp"
#include "anew/drivers/internal/before_attempt.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/last_failure.hpp"
#include "anew/drivers/internal/read_result.hpp"
#include "anew/drivers/next_step.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The last outcome of a call whose strategy does not keep it.
template <class R>
struct last_outcome : last_failure<R, true> {
  explicit last_outcome(auto const& /*strategy*/) noexcept {}
  template <class Make>
  void hold(Make&& make) {
    this->result.emplace_from(std::forward<Make>(make));
  }
#if ANEW_EXCEPTIONS
  void hold_exception(std::exception_ptr thrown) noexcept { this->exception = std::move(thrown); }
#endif
  next_step report(auto& call) const {
#if ANEW_EXCEPTIONS
    if (this->exception) return call.on_exception(this->exception);
#endif
    return call.on_outcome(*this->result);
  }
};

/// A call with the outcome of its last attempt, for loops that make one attempt after another: a coroutine's, and a poll's.
/// A strategy may keep the outcome itself (read_result.hpp).
template <class R, class S, class Op, class Stop>
class kept_call {
 public:
  // Unusual names: g++ warns of a constructor's parameter that shadows a user's name.
  kept_call(S const& by, Op& called, Stop const& asked) : engine_{by, called}, stop_{asked}, kept_(by) {
    detail::require_limit_is_heard<Op>(by);
  }

  ANEW_INLINE next_step begin() { return engine_.begin(); }
  [[nodiscard]] duration wait() const noexcept { return engine_.wait(); }
  decltype(auto) start() { return engine_.start(stop_); }

  /// How the attempt ended.
  template <class Make>
  void hold(Make&& make) {
    kept_.hold(std::forward<Make>(make));
  }
#if ANEW_EXCEPTIONS
  void hold_exception(std::exception_ptr thrown) { kept_.hold_exception(std::move(thrown)); }
#endif
  next_step after_attempt() {
    if (stop_.stop_requested()) (void)engine_.request_stop();  // what fails after a stop fails because of it
    if constexpr (EndsLateAttempts<S>) {
      if (kept_.is_late()) return engine_.on_attempt_timeout();
    }
    auto const step = kept_.report(engine_);
    if constexpr (!KeepsOutcome<S>) {
      if (step == next_step::wait && !is_kept_through_sleep<S>(stop_)) kept_.forget();
    }
    return step;
  }

  next_step after_wait() {
    if constexpr (KeepsOutcome<S>) {
      return stop_.stop_requested() ? engine_.request_stop() : engine_.on_wait_over();
    } else {
      // Without a kept result the call cannot end here: the stop is seen after the next attempt. As in retry().
      bool const can_end = engine_.attempts() == 0 ? RefusesAttempts<S> : kept_.is_kept();
      auto const step = stop_.stop_requested() && can_end ? engine_.request_stop() : engine_.on_wait_over();
      if (step == next_step::attempt) kept_.forget();
      return step;
    }
  }

  decltype(auto) give() {
    if constexpr (KeepsOutcome<S>) {
      return kept_.give(engine_);
    } else {
      if (engine_.attempts() == 0) [[unlikely]]
        return detail::refused<R>(engine_.reason());
      no_report none;
      return kept_.give(none);
    }
  }

 protected:
  call_engine<S, Op&> engine_;
  Stop const& stop_;
  std::conditional_t<KeepsOutcome<S>, S const&, last_outcome<R>> kept_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
