// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_TIMER_SOURCE_HPP
#define ANEW_BRIDGES_ASIO_TIMER_SOURCE_HPP

#include <chrono>
#include <concepts>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/net.hpp"

namespace anew::inline ANEW_ABI {

/// Where an asynchronous call gets its timer from: `coarse_timers` for many calls with limits, a
/// source of your own, or a test that advances time by hand.
///
/// | expression                | returns      | meaning                                                               |
/// |---------------------------|--------------|-----------------------------------------------------------------------|
/// | `source.get_executor()`   | an executor  | where handlers without an executor of their own run                   |
/// | `source.make_timer()`     | a timer      | asked once per call, at its first real wait                           |
/// | `timer.expires_after(d)`  |              | `d` an `anew::duration`; cancels the wait that is pending             |
/// | `timer.async_wait(h)`     |              | completes with an error code: none, or `operation_aborted`            |
/// | `timer.cancel()`          |              | completes the pending wait with `operation_aborted`, not inside `cancel()` |
/// | `timer.forget()`          |              | optional: destroys the handler of the pending wait uncalled, at once, which is cheaper |
///
/// A wait whose handler is destroyed uncalled ends its call, as every abandoned operation does. A call that is over
/// destroys its timer, whose cancelled wait may complete after that.
template <class T>
concept TimerSource = std::copy_constructible<T> && requires(T const& source, duration d) {
  source.get_executor();
  source.make_timer().expires_after(d);
  source.make_timer().cancel();
};

/// Asio's own timers of the steady clock, on an executor.
template <class Executor>
class steady_timers {
 public:
  using timer_type =
      net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>, Executor>;

  explicit steady_timers(Executor executor) noexcept : executor_{std::move(executor)} {}
  [[nodiscard]] Executor get_executor() const noexcept { return executor_; }
  [[nodiscard]] timer_type make_timer() const { return timer_type{executor_}; }

 private:
  Executor executor_;
};

namespace detail {

template <class T>
concept AsioExecutor = net::execution::is_executor<T>::value || net::is_executor<T>::value;
template <class T>
concept AsioContext = std::derived_from<std::remove_reference_t<T>, net::execution_context> &&
                      requires(T& context) { context.get_executor(); };

/// The first argument of the overload with four: an executor, an execution context, or a source of timers.
template <class Where>
concept SaysWhere = AsioExecutor<std::remove_cvref_t<Where>> || AsioContext<std::remove_reference_t<Where>> ||
                    TimerSource<std::remove_cvref_t<Where>>;

template <class Where>
auto timers_of(Where&& where) {
  using plain = std::remove_cvref_t<Where>;
  if constexpr (AsioExecutor<plain>) {
    return steady_timers<plain>{where};
  } else if constexpr (AsioContext<std::remove_reference_t<Where>>) {
    return steady_timers<std::remove_cvref_t<decltype(where.get_executor())>>{where.get_executor()};
  } else {
    return plain{std::forward<Where>(where)};
  }
}

/// The part of an initiation that knows where the call waits. A token with its own timer, such as `cancel_after`, asks
/// the initiation for its executor. You need no executor if the call takes it from its operation.
template <class Timers>
struct initiation_home {
  using executor_type = std::remove_cvref_t<decltype(std::declval<Timers const&>().get_executor())>;
  [[nodiscard]] executor_type get_executor() const noexcept { return timers.get_executor(); }

  Timers timers;
};
template <class Timers>
  requires(!requires(Timers const& source) { source.get_executor(); })
struct initiation_home<Timers> {
  Timers timers;
};

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
