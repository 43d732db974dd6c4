// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_RETRY_MACHINE_HPP
#define ANEW_DRIVERS_RETRY_MACHINE_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/call_engine.hpp"
#include "anew/drivers/declarations.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

struct no_operation {
  void operator()() const noexcept {}
};
// Has no member, so that it takes no space in an engine.
template <>
struct declared_operation<no_operation> {
  using declared = no_operation;
  void operator()() const noexcept {}
};
template <declared Declared>
struct operation_declared_as : std::type_identity<no_operation> {};
template <>
struct operation_declared_as<declared::idempotent> : std::type_identity<idempotent_operation<no_operation>> {};
template <>
struct operation_declared_as<declared::one_shot> : std::type_identity<one_shot_operation<no_operation>> {};

}  // namespace detail

/// One call as a state machine, for an event loop of your own (epoll, io_uring, a game's frame): it returns the next
/// step, you carry the step out and report its outcome. It waits for nothing, allocates nothing and never calls the
/// operation.
///
///     anew::retry_machine call{strategy, anew::idempotent_call};
///     auto step = call.begin();
///     // next_step::attempt:  start the request; when it is done: step = call.on_outcome(result)
///     // next_step::wait:     arm a timer for call.wait(); when it fires: step = call.on_wait_over()
///     // next_step::finished: hand on the last result; call.reason() says why it is the last
///
/// It is a `call_engine` (anew/drivers/call_engine.hpp, where each function is described) whose operation stays with you:
/// it has no `start()`, calls no rewinding, and may be moved. It refers to the strategy, which must outlive it; the
/// call (and its deadline) begins with the constructor. After a wait a call may end with no further attempt (a gate
/// refuses, a long poll's last wait, a stop): then the call's result is that of the previous attempt, so keep it. The
/// time is the strategy's clock's: a loop that reads the time once a turn composes a clock of its own.
///
/// Requires: the functions in the order that the steps ask for, as a call_engine does; not for two threads at a time.
/// Throws: what a classifier or an observer throws; the call is over then, and has no reason. Nothing else.
/// Cost: 32 bytes and the token, 56 with a token_bucket; 8 more with a gate or a pacer. Nothing from the heap. Each function
/// costs what it costs in `retry()`.
/// Choose it where you own the loop, and no operation object represents the request. Not where Asio runs the loop
/// (async_retry), where the thread may block (retry), where the language suspends for you (anew/bridges/coroutine/retry.hpp),
/// or to write a driver for your users' operations (call_engine).
/// Example: examples/28_epoll_loop.cpp, examples/29_busy_polling.cpp
template <class S, declared Declared = declared::nothing>
class retry_machine : public call_engine<S, typename detail::operation_declared_as<Declared>::type> {
  using engine = call_engine<S, typename detail::operation_declared_as<Declared>::type>;

 public:
  explicit retry_machine(S const& by, call_declaration<Declared> /*declared*/ = {}) : engine{by, {}} {}
  // Compilers print the line of a deleted function, and with it the comment on that line.
  retry_machine(S const&& gone, call_declaration<Declared> = {})  // anew: it refers to a strategy that you keep
      = delete;

 private:
  using engine::start;  // there is no operation to start
};

template <class S>
retry_machine(S const&) -> retry_machine<S>;
template <class S, declared Declared>
retry_machine(S const&, call_declaration<Declared>) -> retry_machine<S, Declared>;

}  // namespace anew::inline ANEW_ABI

#endif
