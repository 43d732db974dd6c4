// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_COROUTINE_INTERNAL_LIMITED_HPP
#define ANEW_BRIDGES_COROUTINE_INTERNAL_LIMITED_HPP

#include <version>

#include "anew/base/platform/compiler.hpp"
#if ANEW_EXCEPTIONS && defined(__cpp_lib_jthread)

#include <coroutine>
#include <stop_token>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/internal/on_exit.hpp"
#include "anew/bridges/coroutine/internal/awaitable.hpp"
#include "anew/bridges/coroutine/task.hpp"
#include "anew/drivers/internal/stop.hpp"

/// An attempt that its time limit cancels, in coroutines of any library.
namespace anew::inline ANEW_ABI::detail {

/// A coroutine of any library can await it.
template <class A>
concept AwaitedAnywhere = requires(std::remove_reference_t<awaiter_in<void, A>>& awaiter,
                                   std::coroutine_handle<task_promise<void>> any) { awaiter.await_suspend(any); };

/// The attempt, which stops the wait for its limit when it ends.
template <class R, class Start>
task<R> stop_at_end(Start start, std::stop_source& source) {
  on_exit const end{[&source] { source.request_stop(); }};
  co_return co_await start(source.get_token());
}

/// Awaits `start(token)` and `sleep(limit, token)` together. If the time is over first it requests a stop and awaits the
/// attempt's end; `is_late` says so. The caller's stop is passed on to both.
template <class R, class Start, class Sleep>
task<R> limited(Start start, Sleep& sleep, duration limit, std::stop_token caller, bool& is_late) {
  std::stop_source source;
  auto const pass_on = [&source] { source.request_stop(); };
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

}  // namespace anew::inline ANEW_ABI::detail

#endif
#endif
