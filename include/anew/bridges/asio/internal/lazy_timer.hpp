// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_LAZY_TIMER_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_LAZY_TIMER_HPP

#include <new>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A timer that is made where it is first needed. `std::optional` would move it there, and Asio's move takes the lock of
/// its reactor.
template <class Timer>
class lazy_timer {
 public:
  lazy_timer() noexcept {}  // NOLINT(modernize-use-equals-default): nothing is in the union
  lazy_timer(lazy_timer const&) = delete;
  lazy_timer& operator=(lazy_timer const&) = delete;
  ANEW_INLINE ~lazy_timer() {
    if (is_made_) [[unlikely]]
      end();
  }

  /// `home.make_timer(handler)` at the first call.
  template <class Home, class Handler>
  Timer& get(Home const& home, Handler const& handler) {
    if (!is_made_) {
      ::new (static_cast<void*>(&timer_)) Timer(home.make_timer(handler));
      is_made_ = true;
    }
    return timer_;
  }
  void cancel() {
    if (is_made_) timer_.cancel();
  }
  /// Cancels a wait whose handler the call has let go.
  ANEW_INLINE void forget() {
    if constexpr (requires { timer_.forget(); }) {
      timer_.forget();
    } else {
      timer_.cancel();
    }
  }

 private:
  ANEW_COLD void end() noexcept { timer_.~Timer(); }

  union {
    Timer timer_;
  };
  bool is_made_ = false;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
