// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_RETRY_MACHINE_HPP
#define ANEW_DRIVE_RETRY_MACHINE_HPP

#include <cstdint>
#include <exception>
#include <type_traits>

#include "anew/drive/internal/explain_machine.hpp"
#include "anew/drive/internal/machine.hpp"
#include "anew/operation/call_declaration.hpp"
#include "anew/operation/idempotent.hpp"
#include "anew/operation/one_shot.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/attempt.hpp"
#include "anew/value/directive.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/stop_reason.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

struct stands_for_nothing {
  void operator()() const noexcept {}
};
template <declared Declared>
struct stands_for : std::type_identity<stands_for_nothing> {};
template <>
struct stands_for<declared::idempotent> : std::type_identity<idempotent_operation<stands_for_nothing>> {};
template <>
struct stands_for<declared::one_shot> : std::type_identity<one_shot_operation<stands_for_nothing>> {};

}  // namespace detail

/// One call as a state machine, for an event loop of your own (epoll, io_uring, a game's frame): it says what to do next,
/// you do it and say what came of it. It waits for nothing, allocates nothing and never calls the operation.
///
///     anew::retry_machine call{strategy, anew::idempotent_call};
///     auto step = call.begin();
///     // next_step::attempt:  start the request; when it is done: step = call.on_outcome(result)
///     // next_step::wait:     arm a timer for call.wait(); when it fires: step = call.on_wait_over()
///     // next_step::finished: hand on the last result; call.reason() says why it is the last
///
/// Every function returns the next step. It refers to the strategy, which must outlive it; the call (and its deadline)
/// begins with the constructor. Not for two threads at a time. What the call holds of the quota and the others comes back
/// when it ends, and when the machine is destroyed in the middle. After a wait a call may end with no further attempt (a
/// gate refuses, a long poll's last wait, a stop): then the result of the attempt before is the call's, so keep it. The
/// time is the strategy's clock's: a loop that reads the time once a turn composes a clock of its own.
///
/// Requires: the functions in the order that the steps ask for: `begin()` once, an outcome once after each
/// `next_step::attempt`, `on_wait_over()` after each `next_step::wait`, nothing while an attempt is under way but
/// `request_stop()`. After `next_step::finished` a timer may still fire and a stop may still come: both stay without effect.
/// Throws: what a classifier or an observer throws; the call is over then, and has no reason. Nothing else.
/// Cost: 32 bytes and the token, 56 with a token_bucket; 8 more with a gate or a pacer. Nothing from the heap. Each function
/// costs what it costs in `retry()`
/// Choose it where the loop is yours. Not where Asio runs the loop (async_retry), where the thread may block (retry), or
/// where the language suspends for you (anew/coroutine/retry.hpp).
/// Example: examples/28_epoll_loop.cpp, examples/29_busy_polling.cpp
template <class S, detail::declared Declared = detail::declared::nothing>
class retry_machine {
  static constexpr bool is_sound = detail::explain_machine<S>();

 public:
  explicit retry_machine(S const& by) : machine_{by} {}
  retry_machine(S const& by, call_declaration<Declared> /*declared*/) : machine_{by} {}
  // Compilers show the line of a deleted function, and so what is said in it.
  retry_machine(S const&& gone, call_declaration<Declared> = {})  // anew: it refers to a strategy that you keep
      = delete;

  /// `attempt`; `wait` where a gate or a pacer asks for it; `finished` where one refuses: then `attempts()` is 0.
  [[nodiscard]] next_step begin() { return machine_.begin(); }

  /// The result of an attempt, read as `retry()` reads one (anew/value/result_traits.hpp), plain values by the classifier.
  template <class R>
  [[nodiscard]] next_step on_outcome(R const& result) {
    if constexpr (!is_sound) {
      return next_step::finished;
    } else if constexpr (!detail::explain_machine_outcome<S, R>()) {
      return next_step::finished;
    } else {
      return machine_.on_outcome(stand_in, result);
    }
  }
  /// The attempt failed with this error; the strategy's classifier reads it.
  template <class E>
  [[nodiscard]] next_step on_error(E const& error) {
    if constexpr (!is_sound) {
      return next_step::finished;
    } else if constexpr (!detail::explain_machine_error<S, E>()) {
      return next_step::finished;
    } else {
      return machine_.on_error(stand_in, error);
    }
  }
#if ANEW_EXCEPTIONS
  /// The attempt threw this, which is not null; it is read as `retry()` reads an exception.
  [[nodiscard]] next_step on_exception(std::exception_ptr const& thrown) {
    return machine_.on_exception(stand_in, thrown);
  }
#endif
  /// The attempt ended with something that you classified yourself.
  [[nodiscard]] next_step on_verdict(directive const& verdict) { return machine_.on_verdict(stand_in, verdict); }
  /// The attempt succeeded. Returns `finished`.
  next_step on_success() { return machine_.on_success(); }
  /// You ended the attempt because it passed `attempt_timeout()`: `std::errc::timed_out` for a classifier that reads error
  /// codes, and else a time-out that may have taken effect.
  [[nodiscard]] next_step on_attempt_timeout() { return machine_.on_attempt_timeout(stand_in); }

  /// The wait is over, by whatever clock you waited.
  [[nodiscard]] next_step on_wait_over() { return machine_.on_wait_over(); }

  /// No further attempt begins, the first one neither: `finished`, or `attempt` while one is under way. Its outcome ends
  /// the call: with `cancelled` where it is a failure. To end the attempt itself is the caller's business.
  [[nodiscard]] next_step request_stop() { return machine_.request_stop(); }

  /// How long to wait; zero at times, and then there is no need for a timer. Holds after `next_step::wait`.
  [[nodiscard]] duration wait() const noexcept { return machine_.wait(); }
  /// When that wait is over, by the strategy's clock, counted from now.
  [[nodiscard]] time_point next_deadline() const { return machine_.next_deadline(); }

  /// What an operation is told of the attempt to make: `anew::attempt self{call.current()};`. After `next_step::attempt`.
  /// It knows of no stop token; set `parts::stop`, where the operation shall ask for one.
  [[nodiscard]] attempt::parts current() const { return machine_.current(); }
  /// How long this attempt may take, counted from now: what the composed attempt timeout says, `duration::max()` without one.
  [[nodiscard]] duration attempt_timeout() const { return machine_.attempt_timeout(); }

  /// Why the call ended, once it has. `cancelled` before that.
  [[nodiscard]] stop_reason reason() const noexcept { return machine_.reason(); }
  /// How many attempts have begun.
  [[nodiscard]] std::uint32_t attempts() const noexcept { return machine_.attempts(); }

 private:
  static constexpr typename detail::stands_for<Declared>::type stand_in{};
  typename detail::machine_if<S, is_sound>::type machine_;
};

template <class S>
retry_machine(S const&) -> retry_machine<S>;
template <class S, detail::declared Declared>
retry_machine(S const&, call_declaration<Declared>) -> retry_machine<S, Declared>;

}  // namespace anew::inline ANEW_ABI

#endif
