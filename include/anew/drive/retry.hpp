// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_RETRY_HPP
#define ANEW_DRIVE_RETRY_HPP

#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/compose/strategy.hpp"
#include "anew/concept/operation.hpp"
#include "anew/concept/roles.hpp"
#include "anew/concept/sleeper.hpp"
#include "anew/drive/internal/drive.hpp"
#include "anew/drive/internal/ending.hpp"
#include "anew/drive/internal/explain_call.hpp"
#include "anew/drive/internal/explain_operation.hpp"
#include "anew/drive/internal/explain_result.hpp"
#include "anew/drive/internal/explain_temporary.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/sleeper/blocking.hpp"
#include "anew/value/stop_reason.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// A concept, and not its expression in place, so that the overloads of anew/coroutine/retry.hpp are the more constrained.
template <class T>
concept NotAStopToken = !StopToken<std::remove_cvref_t<T>>;

/// A result with an error in it, which is lost where nobody looks at it. The sleep is none that is awaited.
template <class Op>
concept FailsByValue =
    Operation<std::remove_reference_t<Op>> && carries_error<read_result_of<std::remove_reference_t<Op>>>;
template <class Sleep, class Stop = never_stop>
concept SleepsHere =
    requires(Sleep& sleep, duration delay) { requires std::is_void_v<decltype(sleep(delay))>; } ||
    requires(Sleep& sleep, duration delay, Stop const& stop) { requires std::is_void_v<decltype(sleep(delay, stop))>; };

template <class R, class Log>
struct full_report;

/// What an outcome keeps of the failures when nobody composed a history.
using no_log = absent<roles::history>;

template <class S, class R>
struct log_of {
  using type = no_log;
};
template <KeepsHistory S, class R>
struct log_of<S, R> {
  using type = typename S::history_type::template log<no_error_value>;
};
template <KeepsHistory S, class R>
  requires carries_error<R>
struct log_of<S, R> {
  using type = typename S::history_type::template log<error_type<R>>;
};

}  // namespace detail

/// How a call ended: its own result, and why, after how many attempts, and how long it took; with `history<N>` composed,
/// its last failures too.
template <class R, class Log = detail::no_log>
class [[nodiscard]] outcome : public detail::ending<R> {
 public:
  /// The last delay that a server asked for, obeyed or not; nothing when none did.
  [[nodiscard]] std::optional<duration> last_hint() const noexcept { return last_hint_; }

  /// The failures that the composed history kept, the oldest first.
  [[nodiscard]] Log const& history() const noexcept
    requires(!std::is_same_v<Log, detail::no_log>)
  {
    return log_;
  }

 private:
  template <class, class>
  friend struct detail::full_report;
  outcome() = default;

  ANEW_NO_UNIQUE_ADDRESS Log log_;
  std::optional<duration> last_hint_;
};

namespace detail {

/// Gathers what an outcome tells while the call runs.
template <class R, class Log>
struct full_report {
  static constexpr bool is_wanted = true;
  outcome<R, Log> told{};
  bool operation_threw = false;

  void failed(failure const& what) noexcept {
    if (what.hint) told.last_hint_ = what.hint;
  }
  template <class... Error>
  void keep(std::uint32_t attempt, failure const& what, Error const&... error) {
    if constexpr (!std::is_same_v<Log, no_log>) told.log_.add(attempt, what, error...);
  }
  void ended(stop_reason reason, std::uint32_t attempts) noexcept {
    told.reason_ = reason;
    told.attempts_ = attempts;
  }

  template <class S, class Op, class Sleep, class Stop>
  void run(S const& strategy, Op& operation, Sleep& sleep, Stop const& stop) {
    auto const began = now_of(strategy);
#if ANEW_EXCEPTIONS
    try {
#endif
      told.result_.emplace_from([&]() -> R { return detail::drive(strategy, operation, sleep, stop, *this); });
#if ANEW_EXCEPTIONS
    } catch (...) {
      if (!operation_threw) throw;  // a part of the strategy threw: that is no outcome of the operation
      told.exception_ = std::current_exception();
    }
#endif
    told.elapsed_ = saturating_subtract(now_of(strategy), began);
  }
};

template <class S, class Op, class Sleep, class Stop>
ANEW_INLINE decltype(auto) retry(S const& strategy, Op& operation, Sleep& sleep, Stop const& stop) {
  if constexpr (!detail::explain_call<S, Op, Sleep, Stop>()) {
    return detail::inert<typename inert_result<Op>::type>();
  } else if constexpr (!detail::explain_result<S, Op>()) {
    return detail::inert<typename inert_result<Op>::type>();
  } else {
    no_report nobody_asks{};
    if constexpr (std::is_void_v<result_of<Op>>) {
      detail::drive(strategy, operation, sleep, stop, nobody_asks);
    } else {
      return detail::drive(strategy, operation, sleep, stop, nobody_asks);
    }
  }
}

/// With a log where one is composed, for `history()` is asked for it.
template <class S, class Op, class R = typename inert_result<Op>::type>
using inert_outcome =
    outcome<std::conditional_t<std::is_void_v<R>, void_result, R>, typename log_of<S, void_result>::type>;

template <class S, class Op, class Sleep, class Stop>
auto retry_outcome(S const& strategy, Op& operation, Sleep& sleep, Stop const& stop) {
  if constexpr (!detail::explain_call<S, Op, Sleep, Stop>()) {
    return detail::inert<inert_outcome<S, Op>>();
  } else if constexpr (!detail::explain_result<S, Op>()) {
    return detail::inert<inert_outcome<S, Op>>();
  } else {
    full_report<driven_result<Op>, typename log_of<S, read_result_of<Op>>::type> report{};
    report.run(strategy, operation, sleep, stop);
    return std::move(report.told);
  }
}

}  // namespace detail

/// Calls `operation` until it succeeds, its error is final, or the strategy gives up, and returns the operation's own
/// last result: the value, the error value, or the exception, untouched.
///
/// Requires: `strategy` models RetryStrategy; `operation` is callable with `attempt&` or nothing and returns something that
/// anew/value/result_traits.hpp can read and move; `sleep` models Sleeper.
/// Returns: what `operation` returned last. A rejected result is destroyed before the sleep, and kept only when a stop
/// token may end the call in the sleep, which then returns it.
/// Throws: what `operation` throws last, and whatever the classifier, the sleeper or an observer throws; then the
/// quota is as it was before that retry.
/// Cost: for a call that succeeds at once the instructions of the loop written by hand, and what the quota says.
/// Choose it on a thread that may block. For more about the ending: retry_outcome.
/// Example: examples/01_first_retry.cpp
template <class Strategy, class Op>
ANEW_INLINE decltype(auto) retry(Strategy const& strategy, Op&& operation) {
  blocking_sleeper sleep{};
  return detail::retry(strategy, operation, sleep, never_stop{});
}

template <class Strategy, class Op>
  requires detail::FailsByValue<Op>
[[nodiscard]] ANEW_INLINE decltype(auto) retry(Strategy const& strategy, Op&& operation) {
  blocking_sleeper sleep{};
  return detail::retry(strategy, operation, sleep, never_stop{});
}

/// With a sleeper of your own: `sleep(delay)` is called once before each retry, also when the delay is zero.
template <class Strategy, class Op, class Sleep>
  requires detail::NotAStopToken<Sleep>
ANEW_INLINE decltype(auto) retry(Strategy const& strategy, Op&& operation, Sleep&& sleep) {
  return detail::retry(strategy, operation, sleep, never_stop{});
}

template <class Strategy, class Op, class Sleep>
  requires(detail::NotAStopToken<Sleep> && detail::SleepsHere<Sleep> && detail::FailsByValue<Op>)
[[nodiscard]] ANEW_INLINE decltype(auto) retry(Strategy const& strategy, Op&& operation, Sleep&& sleep) {
  return detail::retry(strategy, operation, sleep, never_stop{});
}

/// With a stop token: a stop wakes the sleeper and starts no further attempt; the last failure is the result.
template <class Strategy, class Op, StopToken Stop>
ANEW_INLINE decltype(auto) retry(Strategy const& strategy, Op&& operation, Stop const& stop) {
  blocking_sleeper sleep{};
  return detail::retry(strategy, operation, sleep, stop);
}

template <class Strategy, class Op, StopToken Stop>
  requires detail::FailsByValue<Op>
[[nodiscard]] ANEW_INLINE decltype(auto) retry(Strategy const& strategy, Op&& operation, Stop const& stop) {
  blocking_sleeper sleep{};
  return detail::retry(strategy, operation, sleep, stop);
}

template <class Strategy, class Op, class Sleep, class Stop>
ANEW_INLINE decltype(auto) retry(Strategy const& strategy, Op&& operation, Sleep&& sleep, Stop const& stop) {
  return detail::retry(strategy, operation, sleep, stop);
}
template <class Strategy, class Op, class Sleep, class Stop>
  requires(detail::SleepsHere<Sleep, Stop> && detail::FailsByValue<Op>)
[[nodiscard]] ANEW_INLINE decltype(auto) retry(Strategy const& strategy, Op&& operation, Sleep&& sleep,
                                               Stop const& stop) {
  return detail::retry(strategy, operation, sleep, stop);
}

/// Of a temporary that holds what calls share: an explanation.
template <detail::DiesWithItsState Strategy, class Op, class... Rest>
  requires(sizeof...(Rest) <= 1)
decltype(auto) retry(Strategy const&& /*strategy*/, Op&& /*operation*/, Rest&&... /*rest*/) {
  return detail::explain_temporary<Strategy, std::remove_reference_t<Op>>();
}
template <detail::DiesWithItsState Strategy, class Op, class Sleep, class Stop>
decltype(auto) retry(Strategy const&& /*strategy*/, Op&& /*operation*/, Sleep&& /*sleep*/, Stop const& /*stop*/) {
  return detail::explain_temporary<Strategy, std::remove_reference_t<Op>>();
}

/// The same call, and how it ended: `outcome<R>` with the result, the reason, the attempts and the time. An exception of
/// the operation's is kept in the outcome; one of the classifier, the sleeper or an observer is thrown.
/// Cost: the clock is read at the start and at the end.
template <class Strategy, class Op>
[[nodiscard]] auto retry_outcome(Strategy const& strategy, Op&& operation) {
  blocking_sleeper sleep{};
  return detail::retry_outcome(strategy, operation, sleep, never_stop{});
}
template <class Strategy, class Op, class Sleep>
  requires(!StopToken<std::remove_cvref_t<Sleep>>)
[[nodiscard]] auto retry_outcome(Strategy const& strategy, Op&& operation, Sleep&& sleep) {
  return detail::retry_outcome(strategy, operation, sleep, never_stop{});
}
template <class Strategy, class Op, StopToken Stop>
[[nodiscard]] auto retry_outcome(Strategy const& strategy, Op&& operation, Stop const& stop) {
  blocking_sleeper sleep{};
  return detail::retry_outcome(strategy, operation, sleep, stop);
}
template <class Strategy, class Op, class Sleep, class Stop>
[[nodiscard]] auto retry_outcome(Strategy const& strategy, Op&& operation, Sleep&& sleep, Stop const& stop) {
  return detail::retry_outcome(strategy, operation, sleep, stop);
}
template <detail::DiesWithItsState Strategy, class Op, class... Rest>
auto retry_outcome(Strategy const&& /*strategy*/, Op&& /*operation*/, Rest&&... /*rest*/) {
  (void)detail::explain_temporary<Strategy, std::remove_reference_t<Op>>();
  return detail::inert<detail::inert_outcome<Strategy, std::remove_reference_t<Op>>>();
}

}  // namespace anew::inline ANEW_ABI

#endif
