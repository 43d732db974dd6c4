// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_INTERNAL_HEDGE_PLACE_HPP
#define ANEW_ASIO_INTERNAL_HEDGE_PLACE_HPP

#include <cstdint>
#include <optional>
#include <utility>

#include "anew/asio/internal/call_block.hpp"
#include "anew/asio/internal/net.hpp"
#include "anew/platform/compiler.hpp"

/// Room for one attempt of a hedged call.
namespace anew::inline ANEW_ABI::detail {

/// For the time in which a function of a place's operation is being called.
class inside_function {
 public:
  explicit inside_function(bool& is_entered) noexcept
      : is_entered_{is_entered}, outer_{std::exchange(is_entered, true)} {}
  inside_function(inside_function const&) = delete;
  inside_function& operator=(inside_function const&) = delete;
  ~inside_function() { is_entered_ = outer_; }

 private:
  bool& is_entered_;
  bool outer_;
};

/// `void`: attempts have no time limit.
template <class Timer>
struct hedge_limit : attempt_timeout_state {
  std::optional<Timer> timer;
  void disarm() {
    if (is_armed) timer->cancel();
  }
};
template <>
struct hedge_limit<void> {
  static constexpr bool is_over = false;
  static void disarm() noexcept {}
};

template <class Arguments, class Timer, bool TakesAttempt, bool IsForeign>
struct hedge_place {
  std::uint32_t number = 0;  ///< of the attempt that is here; 0: none
  running_flag<IsForeign> is_running{false};
  bool is_entered = false;  ///< a function of its operation is being called: what completes there is looked at later
  ANEW_NO_UNIQUE_ADDRESS attempt_slot<TakesAttempt> its_attempt;
  net::cancellation_signal signal;
  ANEW_NO_UNIQUE_ADDRESS hedge_limit<Timer> limit;
  std::optional<Arguments> args;  ///< that came, and cannot be looked at yet

  void emit(net::cancellation_type_t type) {
    if (!is_running) return;
    inside_function const frame{is_entered};
    signal.emit(type);
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
