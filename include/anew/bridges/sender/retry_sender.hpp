// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_SENDER_RETRY_SENDER_HPP
#define ANEW_BRIDGES_SENDER_RETRY_SENDER_HPP

#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/sender/internal/retry_operation.hpp"
#include "anew/drivers/call_engine.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// The operation state of a call that does not compile.
struct inert_operation {
  void start() & noexcept {}
};

template <class Scheduler, class Sender>
consteval bool explain_retry_sender() {
  constexpr bool is_sender = ex::sender<Sender>;
  static_assert(is_sender,
                "anew::retry_sender(strategy, scheduler, operation) requires an operation that returns the "
                "sender of one attempt; this operation returns something else. Return a sender");
  static_assert(
      !is_sender || WaitsFor<Scheduler>,
      "anew::retry_sender(strategy, scheduler, operation) requires a scheduler that can wait; "
      "schedule_after(scheduler, anew::duration) does not return a sender. Pass a timed scheduler, such as that of "
      "exec::timed_thread_context");
  return is_sender && WaitsFor<Scheduler>;
}

}  // namespace detail

/// The sender of a call: connects and starts the sender of an attempt until one succeeds or the strategy gives up, and
/// completes as the last attempt did. It is `retry()` for P2300's senders: no thread waits.
///
///     auto call = anew::retry_sender(strategy, scheduler, [&](anew::attempt& self) { return send(request); });
///     auto [answer] = stdexec::sync_wait(std::move(call)).value();
///
/// `operation(anew::attempt&)` or `operation()` returns the sender of one attempt, with one list of values. One value is read as
/// `retry()` reads a result; no value and several values are a success. An error of any type is read by the classifier, an
/// `exception_ptr` as a thrown exception. Declarations (`idempotent()`, ...) count as for `retry()`.
///
/// The call waits with `schedule_after(scheduler, duration)` and continues where the attempt or the wait completes. With
/// `attempt_timeout<>` the attempt's stop token stops it at its limit; where it then stops, it has timed out: the error is
/// `std::errc::timed_out`, as an `error_code` if the sender has that error, else as a `std::system_error`. The receiver's stop token
/// stops the attempt, or ends the wait at once with the last failure. Other queries of an attempt go to the receiver's environment.
///
/// A gate or a pacer that refuses the first attempt gives `refused_result<R>`, else `call_refused` as an exception, which is
/// also what a throwing classifier or observer gives: `exception_ptr` is always among the errors.
///
/// Requires: stdexec, or a library of the same names that ANEW_SENDERS says; a strategy that outlives the call; an operation
/// that can be copied if the sender is connected as an lvalue. Exceptions.
/// Cost: everything is in the operation state; no allocation.
/// Choose it with a library of senders. Not on Asio: `async_retry(context, strategy, operation, exec::asio::use_sender)`
/// returns a sender.
/// Source: P2300R10, "std::execution".
template <class S, class Scheduler, class Op>
class retry_sender {
  using attempt_sender = typename call_engine<S, Op>::result_type;
  static constexpr bool is_sound = detail::explain_retry_sender<Scheduler, attempt_sender>();

 public:
  using sender_concept = detail::ex::sender_tag;

  retry_sender(S const& strategy, Scheduler scheduler, Op operation)
      : strategy_{&strategy}, scheduler_{std::move(scheduler)}, operation_{std::move(operation)} {
    if constexpr (is_sound) {  // asked here, so that the message names the line that makes the call
    }
  }
  // Compilers print the line of a deleted function, and with it the comment on that line.
  retry_sender(S const&& gone, Scheduler, Op)  // anew: it refers to a strategy that you keep
      = delete;

  template <class /*Self*/, class... Env>
    requires(!is_sound || requires { typename detail::completions_of<attempt_sender, Env...>; })
  static consteval auto get_completion_signatures() {
    if constexpr (is_sound) {
      using all = detail::completions_of<attempt_sender, Env...>;
      static_assert(
          all::value_lists == 1,
          "anew::retry_sender(strategy, scheduler, operation) requires an attempt that completes with one list "
          "of values; this sender has several, or none. Bring several together with into_variant");
      return typename all::signatures{};
    } else {
      return detail::ex::completion_signatures<detail::ex::set_stopped_t()>{};
    }
  }
  template <class Receiver>
  auto connect(Receiver receiver) && {
    if constexpr (is_sound) {
      return detail::retry_operation<S, Scheduler, Op, Receiver>{*strategy_, std::move(scheduler_),
                                                                 std::move(operation_), std::move(receiver)};
    } else {
      return detail::inert_operation{};
    }
  }
  auto connect(auto receiver) const& { return retry_sender{*this}.connect(std::move(receiver)); }

 private:
  S const* strategy_;
  Scheduler scheduler_;
  Op operation_;
};

}  // namespace anew::inline ANEW_ABI

#endif
