// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_HOME_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_HOME_HPP

#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/timer_source.hpp"
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
