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
/// A wait between two attempts whose handler is destroyed uncalled ends its call, as every abandoned operation does; a wait
/// beside an attempt just never ends. A call that is over destroys its timer, whose cancelled wait may complete after that.
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

#if ANEW_EXCEPTIONS
#include <stdexcept>
#else
#include <cstdio>
#include <cstdlib>
#endif

/// Where the handlers of an asynchronous call run, and where it waits.
namespace anew::inline ANEW_ABI::detail {

/// True for an executor that stands for the whole system: that of a handler without a preference, such as a future's. A
/// call that waited there would leave the loop of its operation.
template <class Executor>
inline constexpr bool is_anywhere = std::is_same_v<Executor, net::system_executor>;
// Asio has no public name for it, and asking for its context would start the system's threads.
template <class T, class Blocking>
inline constexpr bool is_anywhere<net::detail::promise_executor<T, Blocking>> = true;
#if ANEW_ASIO_VERSION >= 103700
// Runs functions inline: nothing can wait on it.
template <class InlineExceptionHandling>
inline constexpr bool is_anywhere<net::basic_inline_executor<InlineExceptionHandling>> = true;
#endif

template <class Handler>
concept HasAnExecutor = std::is_same_v<net::associated_executor_t<Handler, net::system_executor>,
                                       net::associated_executor_t<Handler, net::any_io_executor>> &&
                        !is_anywhere<net::associated_executor_t<Handler>>;

/// Neither the handler, the operation nor the caller has named an executor.
[[noreturn]] ANEW_COLD inline void nowhere_to_wait() {
  constexpr auto const* message =
      "anew::async_retry: there is nowhere to wait: neither the completion handler nor the operation has named an "
      "executor. Say where: anew::async_retry(executor, strategy, operation, token)";
#if ANEW_EXCEPTIONS
  throw std::logic_error{message};
#else
  std::fprintf(stderr, "%s\n", message);
  std::abort();
#endif
}

/// The caller has not named where the call waits.
struct no_timers {};

/// Where the handlers of a call run and its timer comes from: the caller's choice, else the handler's executor.
template <class Timers, class Handler>
class home_of {
 public:
  static constexpr bool knows_executor = true;
  using their_executor = std::remove_cvref_t<decltype(std::declval<Timers const&>().get_executor())>;
  using handlers_executor = net::associated_executor_t<Handler, their_executor>;
  using executor_type = std::conditional_t<is_anywhere<handlers_executor>, their_executor, handlers_executor>;
  using timer_type = std::remove_cvref_t<decltype(std::declval<Timers const&>().make_timer())>;

  explicit home_of(Timers&& timers) : timers_{std::move(timers)} {}
  [[nodiscard]] static executor_type executor_of(Timers const& timers,
                                                 [[maybe_unused]] Handler const& handler) noexcept {
    if constexpr (is_anywhere<handlers_executor>) {
      return timers.get_executor();
    } else {
      return net::get_associated_executor(handler, timers.get_executor());
    }
  }
  [[nodiscard]] executor_type executor(Handler const& handler) const noexcept { return executor_of(timers_, handler); }
  [[nodiscard]] timer_type make_timer(Handler const& /*handler*/) const { return timers_.make_timer(); }

 private:
  Timers timers_;
};

template <HasAnExecutor Handler>
class home_of<no_timers, Handler> {
 public:
  static constexpr bool knows_executor = true;
  using executor_type = net::associated_executor_t<Handler>;
  using timer_type = typename steady_timers<executor_type>::timer_type;

  explicit home_of(no_timers /*none*/) noexcept {}
  [[nodiscard]] static executor_type executor_of(no_timers /*none*/, Handler const& handler) noexcept {
    return net::get_associated_executor(handler);
  }
  [[nodiscard]] static executor_type executor(Handler const& handler) noexcept {
    return net::get_associated_executor(handler);
  }
  [[nodiscard]] static timer_type make_timer(Handler const& handler) {
    return steady_timers<executor_type>{executor(handler)}.make_timer();
  }
};

/// For a handler without an executor: the call runs where the operation's own I/O takes place. An operation asks its
/// handler for an executor and names a default, that of its I/O object; the call remembers the default. If the
/// operation never asks, the call can neither wait nor post: on the system's executor its next attempt would run in
/// another thread than its first.
template <class Handler>
  requires(!HasAnExecutor<Handler>)
class home_of<no_timers, Handler> {
 public:
  static constexpr bool knows_executor = false;
  using executor_type = net::any_io_executor;
  using timer_type = typename steady_timers<executor_type>::timer_type;

  explicit home_of(no_timers /*none*/) noexcept {}
  [[nodiscard]] executor_type executor(Handler const& /*handler*/) const noexcept { return seen_; }
  [[nodiscard]] timer_type make_timer(Handler const& /*handler*/) const {
    require();
    return steady_timers<executor_type>{seen_}.make_timer();
  }
  /// Call before anything is posted.
  void require() const {
    if (!seen_) [[unlikely]]
      detail::nowhere_to_wait();
  }
  template <class Executor>
  void remember(Executor const& executor) {
    if constexpr (!is_anywhere<Executor> && std::is_convertible_v<Executor const&, executor_type>) {
      if (!seen_) seen_ = executor;
    }
  }

 private:
  executor_type seen_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
