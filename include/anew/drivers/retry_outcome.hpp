// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_RETRY_OUTCOME_HPP
#define ANEW_DRIVERS_RETRY_OUTCOME_HPP

#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/blocking_sleeper.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/drive.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/drivers/internal/observed.hpp"
#include "anew/drivers/internal/result_slot.hpp"
#include "anew/roles/roles.hpp"
#include "anew/roles/sleeper.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class R, class Log>
struct full_report;

/// The empty log of an outcome whose strategy has no history.
using no_log = absent<roles::history>;

template <class S, class R>
struct log_of : std::type_identity<no_log> {};
template <KeepsHistory S, class R>
struct log_of<S, R> : std::type_identity<typename S::history_type::template log<no_error_value>> {};
template <KeepsHistory S, class R>
  requires carries_error<R>
struct log_of<S, R> : std::type_identity<typename S::history_type::template log<error_type<R>>> {};

}  // namespace detail

/// How a call ended: its last result, the reason, the number of attempts and the time that it took; with `history<N>`
/// composed, its last failures too.
template <class R, class Log = detail::no_log>
class [[nodiscard]] outcome : public endings::ending<R> {
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

/// Collects the data of an outcome while the call runs.
template <class R, class Log>
struct full_report {
  static constexpr bool is_wanted = true;
  static constexpr bool keeps_history = !std::is_same_v<Log, no_log>;
  outcome<R, Log> told{};
  time_point began_at = time_point::min();
  time_point ended_at = time_point::min();
  bool operation_threw = false;

  void failed(failure const& what) noexcept {
    if (what.hint) told.last_hint_ = what.hint;
  }
  template <class... Error>
  void keep(std::uint32_t attempt, failure const& what, Error const&... error)
    requires keeps_history
  {
    told.log_.add(attempt, what, error...);
  }
  void ended(stop_reason reason, std::uint32_t attempts) noexcept {
    told.reason_ = reason;
    told.attempts_ = attempts;
  }

  /// `report`: a full_report, maybe with an observer's part of the call.
  static void run(auto& report, auto const& strategy, auto& operation, auto& sleep, auto const& stop) {
    auto& told = report.told;
    report.began_at = now_of(strategy);
#if ANEW_EXCEPTIONS
    try {
#endif
      told.result_.emplace_from([&]() -> R { return detail::drive(strategy, operation, sleep, stop, report); });
#if ANEW_EXCEPTIONS
    } catch (...) {
      if (!report.operation_threw) throw;  // a policy threw, which is not an outcome of the operation
      told.exception_ = std::current_exception();
    }
#endif
    told.elapsed_ = saturating_subtract(lazy_now{strategy, report.ended_at}(), report.began_at);
  }
};

/// Keeps a log only where a history is composed, for `outcome::history()`.
template <class S, class Op, class R = typename inert_result<Op>::type>
using inert_outcome =
    outcome<std::conditional_t<std::is_void_v<R>, void_result, R>, typename log_of<S, void_result>::type>;

template <class S, class Op, class Sleep, class Stop = never_stop>
auto retry_outcome(S const& strategy, Op& operation, Sleep& sleep, Stop const& stop = {}) {
  if constexpr (!detail::explain_call<caller::retry, S, Op, Sleep, Stop>()) {
    return detail::inert<inert_outcome<S, Op>>();
  } else if constexpr (!detail::explain_result<caller::retry, S, Op>()) {
    return detail::inert<inert_outcome<S, Op>>();
  } else {
    using full = full_report<driven_result<Op>, typename log_of<S, read_result_of<Op>>::type>;
    auto report = detail::begin_report<full>(strategy, detail::operation_name_of(operation));
    full::run(report, strategy, operation, sleep, stop);
    return std::move(report.told);
  }
}

}  // namespace detail

/// Calls `operation` as `anew::retry()` does, and returns how the call ended: `outcome<R>` with the result, the reason,
/// the attempts and the time. The outcome keeps an exception of the operation; an exception of the classifier, the
/// sleeper or an observer is thrown.
/// Cost: the clock is read at the start and at the end.
template <class Strategy, class Op, class... Stop>
  requires detail::StopAlone<Stop...>
[[nodiscard]] auto retry_outcome(Strategy const& strategy, Op&& operation, Stop const&... stop) {
  blocking_sleeper sleep{};
  return detail::retry_outcome(strategy, operation, sleep, stop...);
}
template <class Strategy, class Op, class Sleep, class... Stop>
  requires detail::SleepThenStop<Sleep, Stop...>
[[nodiscard]] auto retry_outcome(Strategy const& strategy, Op&& operation, Sleep&& sleep, Stop const&... stop) {
  return detail::retry_outcome(strategy, operation, sleep, stop...);
}
template <detail::IsTemporaryWithState Strategy, class Op, class... Rest>
auto retry_outcome(Strategy const&& /*strategy*/, Op&& /*operation*/, Rest&&... /*rest*/) {
  using result = detail::inert_outcome<Strategy, std::remove_reference_t<Op>>;
  return detail::explain_temporary<detail::caller::retry, Strategy, result>();
}

}  // namespace anew::inline ANEW_ABI

#endif
