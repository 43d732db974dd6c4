// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_ASYNC_RETRY_HPP
#define ANEW_BRIDGES_ASIO_ASYNC_RETRY_HPP

#include <functional>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/initiates.hpp"
#include "anew/bridges/asio/internal/call_ref.hpp"
#include "anew/bridges/asio/internal/explain.hpp"
#include "anew/bridges/asio/internal/handlers.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/internal/read_completion.hpp"
#include "anew/bridges/asio/internal/retry_call.hpp"
#include "anew/bridges/asio/timer_source.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/empty_operation.hpp"
#include "anew/drivers/internal/observed.hpp"
#include "anew/roles/retry_strategy.hpp"

/// A first attempt without a call around it: if nothing needs an address, nothing is allocated until it has failed.
namespace anew::inline ANEW_ABI {

namespace detail {

/// An operation that may be moved at any time: it is empty, lives elsewhere, or is declared so.
template <class Op>
inline constexpr bool is_movable_at_any_time = std::is_empty_v<Op>;
template <class Op>
inline constexpr bool is_movable_at_any_time<std::reference_wrapper<Op>> = true;
template <class Op>
inline constexpr bool is_movable_at_any_time<kept_by_copy_operation<Op>> = operation_can_be_copied<Op>;
template <class Op>
  requires requires { typename Op::declared; }
inline constexpr bool is_movable_at_any_time<Op> =
    is_movable_at_any_time<typename Op::declared> && !requires(Op& op) { op.rewind(); };

/// Where nothing of the call must keep its address; the `attempt&` need not if the operation is kept_by_copy.
template <class Op, class S, class Timers, class Handler>
inline constexpr bool begins_without_a_call =
    is_movable_at_any_time<Op> && !SaysItsSignature<undeclared_t<Op>> &&
    (form_of<undeclared_t<Op>>() == operation_form::initiates ||
     (form_of<undeclared_t<Op>>() == operation_form::initiates_with_attempt && is_declared_kept_by_copy<Op>)) &&
    PureInitialToken<S> && !HasAdmission<S> && !HasDeadline<S> && !HasAttemptTimeout<S> && !FollowsEachCall<S> &&
    home_of<Timers, Handler>::knows_executor;

template <class Strategy, class Op, class Timers, class Handler, class Signature>
class first_attempt;

template <class Strategy, class Op, class Timers, class Handler, class... Args>
class first_attempt<Strategy, Op, Timers, Handler, void(Args...)> {
 public:
  using call = retry_call<Strategy, Op, Timers, Handler, void(Args...)>;
  using home_type = typename call::home_type;
  using S = typename Strategy::type;
  using executor_type = typename home_type::executor_type;
  using allocator_type = typename call::allocator_type;
  using cancellation_slot_type = net::cancellation_slot;

  ANEW_INLINE static void begin(Handler&& handler, Timers&& timers, Strategy&& strategy, Op const& operation) {
    initiation_of_first_attempt const frame;
    std::conditional_t<is_declared_kept_by_copy<Op>, Op const, Op> called =
        operation;  // declared to be the same as const
    first_attempt self{std::move(handler), std::move(timers), std::move(strategy), operation, &frame};
    if constexpr (is_told_of_attempt<form_of<undeclared_t<Op>>()>) {
      attempt told{attempt::parts{}};
      detail::undeclared(called)(told, std::move(self));
    } else {
      detail::undeclared(called)(std::move(self));
    }
  }

  first_attempt(first_attempt&&) = default;
  /// A copy takes over, as with `call_ref`.
  first_attempt(first_attempt const& other) : first_attempt{std::move(const_cast<first_attempt&>(other))} {}
  first_attempt& operator=(first_attempt&&) = delete;
  first_attempt& operator=(first_attempt const&) = delete;
  ~first_attempt() = default;

  [[nodiscard]] executor_type get_executor() const noexcept { return home_type::executor_of(timers_, handler_); }
  [[nodiscard]] allocator_type get_allocator() const noexcept {
    return net::get_associated_allocator(handler_, net::recycling_allocator<void>{});
  }
  [[nodiscard]] static cancellation_slot_type get_cancellation_slot() noexcept { return {}; }

  ANEW_INLINE void operator()(Args... args) {
    bool const is_inside = initiation::is_under_way(frame_);
    if (!is_inside && is_plain_success(args...)) [[likely]] {
      no_report nobody;
      auto const& strategy = strategy_.get();
      detail::succeeded(strategy, nobody, strategy.acquire_initial_token(time_point{}), 1);
      return std::move(handler_)(std::move(args)...);
    }
    call::go_on(handler_, std::move(timers_), std::move(strategy_), std::move(operation_), is_inside,
                std::move(args)...);
  }

 private:
  first_attempt(Handler&& handler, Timers&& timers, Strategy&& strategy, Op const& operation, initiation const* frame)
      : handler_{std::move(handler)},
        timers_{std::move(timers)},
        strategy_{std::move(strategy)},
        operation_{operation},
        frame_{frame} {}

  /// A success that no classifier reads.
  template <class... Arg>
  ANEW_INLINE static bool is_plain_success([[maybe_unused]] Arg const&... args) {
    if constexpr (value_reader_of<S, Op, Args...>() != value_reader::none) return false;
    if constexpr (call::shape == completion_shape::error_code || call::shape == completion_shape::exception) {
      return !std::get<0>(std::tie(args...));
    }
    return true;
  }

  Handler handler_;
  ANEW_NO_UNIQUE_ADDRESS Timers timers_;
  ANEW_NO_UNIQUE_ADDRESS Strategy strategy_;
  ANEW_NO_UNIQUE_ADDRESS Op operation_;
  initiation const* frame_;
};

template <class S>
auto hold_strategy(S&& strategy) {
  using plain = std::remove_cvref_t<S>;
  return held_strategy<std::conditional_t<std::is_lvalue_reference_v<S>, plain const&, plain>>{
      std::forward<S>(strategy)};
}

/// Begins a call of which `Begin` says what it is.
template <class Begin, class Timers>
struct call_initiation : initiation_home<Timers> {
  template <class Handler, class... Parts>
  void operator()(Handler&& handler, Parts&&... parts) && {
    Begin::run(std::move(this->timers), std::forward<Handler>(handler), std::forward<Parts>(parts)...);
  }
  /// For a deferred call, which may be started again.
  template <class Handler, class... Parts>
  void operator()(Handler&& handler, Parts&&... parts) const& {
    Begin::run(Timers{this->timers}, std::forward<Handler>(handler), std::forward<Parts>(parts)...);
  }
};

template <class Signature, class Timers>
struct begin_retry {
  template <class Handler, class Strategy, class Op>
  static void run(Timers&& timers, Handler&& handler, Strategy&& strategy, Op&& operation) {
    using kept = std::decay_t<Handler>;
    using holder = std::remove_cvref_t<Strategy>;
    using op = std::decay_t<Op>;
    if constexpr (!detail::explain_home<may_wait_first<typename holder::type, op>, Timers, kept>()) return;
    kept own{std::forward<Handler>(handler)};
    if constexpr (begins_without_a_call<op, typename holder::type, Timers, kept>) {
      if (!net::get_associated_cancellation_slot(own).is_connected()) {
        holder own_strategy{std::forward<Strategy>(strategy)};
        first_attempt<holder, op, Timers, kept, Signature>::begin(std::move(own), std::move(timers),
                                                                  std::move(own_strategy), operation);
        return;
      }
    }
    retry_call<holder, op, Timers, kept, Signature>::begin(own, std::move(timers), std::forward<Strategy>(strategy),
                                                           std::forward<Op>(operation));
  }
};

/// Begins a call whose strategy `make()` makes for it (anew/drivers/internal/read_result.hpp).
template <class Signature, class Timers>
struct begin_kept {
  template <class Handler, class Make, class Op>
  static void run(Timers&& timers, Handler&& handler, Make&& make, Op&& operation) {
    using kept = std::decay_t<Handler>;
    using strategy = held_strategy<decltype(std::forward<Make>(make)())>;
    if constexpr (detail::explain_home<true, Timers, kept>()) {
      kept own{std::forward<Handler>(handler)};
      retry_call<strategy, std::decay_t<Op>, Timers, kept, Signature>::begin(
          own, std::move(timers), strategy{std::forward<Make>(make)()}, std::forward<Op>(operation));
    }
  }
};

template <class S, class Timers, class Op, class Token>
decltype(auto) async_retry_on(Timers&& timers, S&& strategy, Op&& operation, Token&& token) {
  if constexpr (detail::explain_async<std::remove_cvref_t<S>, std::decay_t<Op>, std::decay_t<Timers>, Token>()) {
    using signature = signature_of_t<std::decay_t<Op>>;
    detail::require_operation(operation, "async_retry");
    return net::async_initiate<Token, signature>(
        call_initiation<begin_retry<signature, std::decay_t<Timers>>, std::decay_t<Timers>>{
            {std::forward<Timers>(timers)}},
        token, detail::hold_strategy(std::forward<S>(strategy)), std::forward<Op>(operation));
  } else {
    return detail::inert_async<std::decay_t<Op>>(token);
  }
}

}  // namespace detail

/// Calls an asynchronous operation until it succeeds or the strategy gives up, and completes with the result of its
/// last attempt. It is `retry()` on an event loop: no thread waits.
///
///     anew::async_retry(strategy, [&](anew::attempt& self, auto token) {
///       return socket.async_read_some(buffer, std::move(token));
///     }, completion_token);
///
/// `operation` is an initiating function, called as `operation(anew::attempt&, token)` or `operation(token)`, that
/// returns the result of initiating with the token; or a coroutine, `operation(anew::attempt&)` or `operation()`, that
/// returns `awaitable<T>`. Wrap any other operation in `initiates<Signature>()`. Its declarations (`idempotent()`,
/// `one_shot()`, `rewinding()`) count as for `retry()`. The call has the operation's completion signature. The
/// operation stays at one address from the first attempt to the end.
///
/// An error code or an exception as the first argument says whether an attempt failed; otherwise a single value does,
/// read as anew/base/result_traits.hpp says. `operation_aborted` is never retried. An lvalue `strategy` is held by
/// reference and must outlive the call; a temporary is stored.
///
/// Waits take place on the handler's executor, or else on that of the operation's I/O object; the other overload names
/// it. A delay of zero posts. The handler's executor, allocator and cancellation slot apply to all attempts. A
/// cancellation (terminal, partial or total) is passed to the attempt in flight, and no further attempt starts; during
/// a wait it completes the call with `operation_aborted` as its first argument, in the next turn of the loop.
///
/// With `attempt_timeout<>` an attempt is cancelled when its time is over, which counts as a timeout; if that ends the
/// call, the code is `timed_out`, and a value is what `timed_out_result<R>` makes of it. With a timeout or a cancellation
/// slot, the handlers of a call must not run in two threads at a time: use a strand, or one thread, as for any composed
/// operation. The first attempt then begins on that executor, by `dispatch`, whichever thread begins the call.
///
/// Cost: one block of the handler's allocator per call (Asio's recycling one by default), and a timer from the first
/// real wait on; neither if the first attempt succeeds and the operation is empty or a `std::reference_wrapper`. The wait
/// of an attempt timeout is in memory of Asio's recycling allocator, because it may end after the call.
///
/// An exception of an initiating function during a retry, or in an attempt that was dispatched, leaves the loop's
/// `run()`. A handler that an operation destroys uncalled, because it threw or was closed, ends the call: your handler is
/// destroyed uncalled, and the strategy gets back at once what the call holds.
///
/// Throws: `std::logic_error` out of `run()`, at the first wait, if neither the completion handler nor the operation
/// has named an executor.
/// Choose it on Asio's loop. Not elsewhere: anew/bridges/coroutine/retry.hpp for other coroutines,
/// anew/drivers/retry_machine.hpp for other loops.
template <class S, class Op, class Token>
  requires(!detail::SaysWhere<S>)
decltype(auto) async_retry(S&& strategy, Op&& operation, Token&& token) {
  return detail::async_retry_on(detail::no_timers{}, std::forward<S>(strategy), std::forward<Op>(operation),
                                std::forward<Token>(token));
}

/// The same, with the place of its waits: an executor, an execution context, or a source of timers (`TimerSource`).
template <detail::SaysWhere Where, class S, class Op, class Token>
decltype(auto) async_retry(Where&& where, S&& strategy, Op&& operation, Token&& token) {
  return detail::async_retry_on(detail::timers_of(std::forward<Where>(where)), std::forward<S>(strategy),
                                std::forward<Op>(operation), std::forward<Token>(token));
}

}  // namespace anew::inline ANEW_ABI

#endif
