// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_COROUTINE_INTERNAL_CALL_HPP
#define ANEW_BRIDGES_COROUTINE_INTERNAL_CALL_HPP

#include <version>
#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

#include <concepts>
#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/on_exit.hpp"
#include "anew/bridges/coroutine/cancelled_by.hpp"
#include "anew/bridges/coroutine/task.hpp"
#include "anew/drivers/internal/before_attempt.hpp"
#include "anew/drivers/internal/drive.hpp"
#include "anew/drivers/internal/kept_call.hpp"
#include "anew/drivers/internal/read_result.hpp"
#include "anew/drivers/internal/stop.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/sleeper.hpp"

namespace anew::inline ANEW_ABI::detail {

// Which types can be awaited, and their results: the rules of `co_await` as type traits.

/// The promise of a coroutine that returns `Task` and has these parameters; void if it is not a coroutine type.
template <class Task, class... Args>
struct promise_of : std::type_identity<void> {};
template <class Task, class... Args>
  requires requires { typename std::coroutine_traits<Task, Args...>::promise_type; }
struct promise_of<Task, Args...> : std::type_identity<typename std::coroutine_traits<Task, Args...>::promise_type> {};

struct has_await_transform {
  int await_transform;
};
template <class Promise>
struct asks_for_await_transform : Promise, has_await_transform {};

/// A promise with any `await_transform` decides about everything that its coroutine awaits. Detected by a name that
/// then becomes ambiguous; for a final class it cannot be detected.
template <class Promise>
concept TransformsAwaited = std::is_class_v<Promise> && !std::is_final_v<Promise> &&
                            !requires { &asks_for_await_transform<Promise>::await_transform; };

template <class Promise, class A>
concept Transforms = requires(Promise& promise, A&& awaited) { promise.await_transform(static_cast<A&&>(awaited)); };

template <class Promise, class A>
struct transformed : std::conditional<TransformsAwaited<Promise>, void, A> {};
template <class Promise, class A>
  requires Transforms<Promise, A>
struct transformed<Promise, A>
    : std::type_identity<decltype(std::declval<Promise&>().await_transform(std::declval<A>()))> {};

template <class A>
concept HasMemberCoAwait = requires(A&& awaited) { static_cast<A&&>(awaited).operator co_await(); };
template <class A>
concept HasFreeCoAwait = requires(A&& awaited) { operator co_await(static_cast<A&&>(awaited)); };

template <class A>
struct awaiter_of : std::type_identity<A> {};
template <HasMemberCoAwait A>
struct awaiter_of<A> : std::type_identity<decltype(std::declval<A>().operator co_await())> {};
template <HasFreeCoAwait A>
  requires(!HasMemberCoAwait<A>)
struct awaiter_of<A> : std::type_identity<decltype(operator co_await(std::declval<A>()))> {};

/// `await_suspend` is not checked: it may accept the handles of some promises only.
template <class A>
concept Awaiter = requires(std::remove_reference_t<A>& awaiter) {
  awaiter.await_ready() ? 1 : 0;
  awaiter.await_resume();
};

/// The result of `co_await` of an `A` in a coroutine with this promise (void: any).
template <class Promise, class A>
using awaiter_in = typename awaiter_of<typename transformed<Promise, A>::type>::type;
template <class Promise, class A>
concept AwaitableIn = Awaiter<awaiter_in<Promise, A>>;
template <class Promise, class A>
using awaited_in = decltype(std::declval<std::remove_reference_t<awaiter_in<Promise, A>>&>().await_resume());

#if ANEW_EXCEPTIONS && defined(__cpp_lib_jthread)
// An attempt that its time limit cancels, in coroutines of any library.

/// A coroutine of any library can await it.
template <class A>
concept AwaitedAnywhere = requires(std::remove_reference_t<awaiter_in<void, A>>& awaiter,
                                   std::coroutine_handle<task_promise<void>> any) { awaiter.await_suspend(any); };

/// The attempt, which stops the wait for its limit when it ends.
template <class R, class Start>
task<R> stop_at_end(Start start, std::stop_source& source) {
  on_exit const end{[&source] { source.request_stop(); }};
  auto const stop = source.get_token();  // as long as the attempt, which refers to it
  co_return co_await start(stop);
}

/// Awaits `start(token)` and `sleep(limit, token)` together. If the time is over first it requests a stop and awaits the
/// attempt's end; `is_late` says so. The caller's stop is passed on to both.
template <class R, class Start, class Sleep>
task<R> limited(Start start, Sleep& sleep, duration limit, std::stop_token caller, bool& is_late) {
  std::stop_source source;
  auto const pass_on = [&source] {
    // Of a copy: the first callback may end the call, and with it this frame.
    std::stop_source{source}.request_stop();
  };
  std::stop_callback<decltype(pass_on)> const passes_on{caller, pass_on};
  auto attempt = detail::stop_at_end<R>(start, source);
  auto end = std::move(attempt).operator co_await();
  end.begin();
  if (limit != duration::max() && !source.stop_requested()) {
    try {
      co_await sleep(limit, source.get_token());
    } catch (...) {  // NOLINT(bugprone-empty-catch): stopped, or unable to wait: no attempt goes on without a limit
    }
    is_late = source.request_stop();
  }
  co_return co_await end;
}
#endif

/// A call in a coroutine that returns `Task`.
template <class Task, class R, class S, class Op, class Stop>
class awaited_call : public kept_call<R, S, Op, Stop> {
 public:
  using kept_call<R, S, Op, Stop>::kept_call;

  template <class Sleep>
  decltype(auto) start([[maybe_unused]] Sleep& sleep) {
#if ANEW_EXCEPTIONS && defined(__cpp_lib_jthread)
    if constexpr (EndsLateAttempts<S>) {
      using awaited = std::conditional_t<std::is_same_v<R, void_result>, void, R>;
      auto const starts = [this](std::stop_token const& stop) -> decltype(auto) { return this->engine_.start(stop); };
      return detail::limited<awaited>(starts, sleep, this->engine_.attempt_timeout(), this->stop_,
                                      this->kept_.is_late());
    } else
#endif
    {
      return this->engine_.start(this->stop_);
    }
  }
  template <class Value>
  void returned(Value&& value) {
    this->hold([&]() -> R { return static_cast<Value&&>(value); });
  }
#if ANEW_EXCEPTIONS
  ANEW_COLD void threw() {
    auto const thrown = std::current_exception();
    if (!thrown) throw;  // a thread that is being cancelled: no error, and must not end here
    if constexpr (EndsLateAttempts<S>) {
      if (this->kept_.is_late()) return;
    }
    using named = typename catches_of<classifier_type_of<S>>::type;
    if (detail::is_cancellation<Task>(named{}, thrown)) (void)this->engine_.request_stop();
    this->hold_exception(thrown);
  }
#endif
};

/// The call. Its parameters are stored in its frame: `Strategy` is a reference or the strategy itself. No co_await
/// stands in a condition, a conditional expression or among temporaries in braces: g++ 12 miscompiles some of these.
template <class Task, class Awaited, class Strategy, class Op, class Sleep, class Stop>
Task retry_in_coroutine(Strategy strategy, Op operation, Sleep sleep, Stop stop) {
  using S = std::remove_cvref_t<Strategy>;
  using R = std::conditional_t<std::is_void_v<Awaited>, void_result, Awaited>;
  awaited_call<Task, R, S, Op, Stop> call(strategy, operation, stop);
  auto step = call.begin();
  while (step != next_step::finished) {
    if (step == next_step::wait) {
      static_cast<void>(co_await detail::start_sleep(sleep, call.wait(), stop));
      step = call.after_wait();
      continue;
    }
#if ANEW_EXCEPTIONS
    try {
#endif
      if constexpr (std::is_void_v<Awaited>) {
        co_await call.start(sleep);
        call.returned(void_result{});
      } else {
        call.returned(co_await call.start(sleep));
      }
#if ANEW_EXCEPTIONS
    } catch (...) {
      call.threw();
    }
#endif
    step = call.after_attempt();
  }
  if constexpr (std::is_same_v<decltype(call.give()), void_result>) {
    (void)call.give();
    co_return;
  } else {
    co_return call.give();
  }
}

/// The coroutine's types, for an operation and a sleep as they are stored.
template <class Strategy, class Op, class Sleep, class Stop>
struct coroutine_of {
  using operation_result = result_of<Op>;
  using own_promise = typename promise_of<operation_result, Strategy, Op, Sleep, Stop>::type;
  static constexpr bool is_task = AwaitableIn<own_promise, operation_result> && !std::is_void_v<own_promise>;
  static constexpr bool is_awaitable = is_task || AwaitableIn<void, operation_result>;
};

/// Like result_of: an awaited rvalue counts as the value that it refers to.
template <class Promise, class A>
using awaited_result = std::conditional_t<std::is_lvalue_reference_v<awaited_in<Promise, A>>, awaited_in<Promise, A>,
                                          std::remove_cv_t<std::remove_reference_t<awaited_in<Promise, A>>>>;

template <class C, bool IsTask = C::is_task>
struct task_of {
  using task = typename C::operation_result;
  using promise = typename C::own_promise;
  using awaited = awaited_result<promise, task>;
};
template <class C>
struct task_of<C, false> {
  using awaited = awaited_result<void, typename C::operation_result>;
  using task = anew::task<awaited>;
  using promise = typename task::promise_type;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
