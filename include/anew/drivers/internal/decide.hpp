// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_DECIDE_HPP
#define ANEW_DRIVERS_INTERNAL_DECIDE_HPP

#include <optional>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/process_wide.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/empty_operation.hpp"
#include "anew/drivers/internal/observed.hpp"
#include "anew/drivers/internal/read_result.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/history.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/strategy/internal/lazy_now.hpp"

/// The steps after an attempt: read its result, notify the observer, ask the strategy for the next attempt. No function
/// here waits or calls the operation.
namespace anew::inline ANEW_ABI::detail {

template <class S>
concept HasDeadline = requires { requires S::has_deadline; };
template <class S>
concept HasAdmission = requires { requires S::has_admission; };
template <class S>
concept HasGate = requires { requires S::has_gate; };
template <class S>
concept HasPacer = requires { requires S::has_pacer; };
/// A strategy that may end a call before an attempt, the first included.
template <class S>
concept RefusesAttempts = HasGate<S> || HasPacer<S>;
template <class S>
concept WaitsBeforeTheEnd = requires { requires S::waits_before_refusal; };
template <class S>
concept HasNesting = requires { requires S::has_nesting; };
template <class S>
concept KeepsHistory = requires { requires S::has_history; };
template <class S>
concept PureInitialToken = requires { requires S::initial_token_is_pure; };

constexpr decltype(auto) classifier_of(auto const& strategy) {
  if constexpr (requires { strategy.classifier(); }) {
    return strategy.classifier();
  } else {
    return retry_info_classifier{};
  }
}
template <class S>
using classifier_type_of = std::remove_cvref_t<decltype(classifier_of(std::declval<S const&>()))>;

/// Holds the initial token, or only the start time where the token depends on nothing else, so that a call that
/// succeeds at once has no token in memory.
template <class S>
class initial_token {
 public:
  initial_token(S const& strategy, lazy_now<S>& now) : token_{detail::begin_call(strategy, now)} {}
  [[nodiscard]] typename S::token_type&& take(S const& /*strategy*/) noexcept { return std::move(token_); }
  [[nodiscard]] duration delay() const { return token_.delay(); }
  [[nodiscard]] time_point deadline(S const& /*strategy*/) const { return token_.deadline(); }
  [[nodiscard]] typename S::token_type& token() noexcept { return token_; }

 private:
  typename S::token_type token_;
};

/// The same for a strategy that may turn out to be plain: its token is made then after the first failure.
template <class S>
  requires(S::may_be_plain)
class initial_token<S> {
 public:
  initial_token(S const& strategy, lazy_now<S>& now) {
    if (!strategy.is_plain()) make(strategy, now);
  }
  [[nodiscard]] typename S::token_type&& take(S const& strategy) {
    lazy_now<S> now{strategy};
    if (!token_) make(strategy, now);
    return *std::move(token_);
  }
  [[nodiscard]] static duration delay() noexcept { return {}; }
  [[nodiscard]] time_point deadline(S const& /*strategy*/) const {
    return token_ ? token_->deadline() : time_point::max();
  }
  [[nodiscard]] typename S::token_type& token() noexcept { return *token_; }

 private:
  ANEW_OUT_OF_LINE void make(S const& strategy, lazy_now<S>& now) { token_.emplace(detail::begin_call(strategy, now)); }

  std::optional<typename S::token_type> token_;
};

/// The start time of a call, where a deadline needs it.
template <bool HasDeadline>
class call_start {
 public:
  explicit call_start(auto& /*now*/) noexcept {}
  template <class D>
  [[nodiscard]] typename D::token_type take(D const& decider) const {
    return decider.acquire_initial_token(time_point{});
  }
};
template <>
class call_start<true> {
 public:
  explicit call_start(auto& now) : began_{now()} {}
  template <class D>
  [[nodiscard]] typename D::token_type take(D const& decider) const {
    return decider.acquire_initial_token(began_);
  }

 private:
  time_point began_;
};

template <PureInitialToken S>
class initial_token<S> : public call_start<HasDeadline<S>> {
 public:
  initial_token(S const& /*strategy*/, lazy_now<S>& now) : call_start<HasDeadline<S>>{now} {}
  [[nodiscard]] time_point deadline(S const& strategy) const { return this->take(strategy).deadline(); }
};

/// Ends a call that has no further attempt, only a last wait.
struct last_wait {
  duration wait{};
  stop_reason reason = stop_reason::succeeded;
};
struct no_last_wait {};

/// The state of the attempt that is made next, or was made last.
template <class S>
struct pending_attempt {
  typename S::token_type token;
  error_kind previous;
  bool is_out_of_time = false;  ///< the deadline ended the attempt
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<WaitsBeforeTheEnd<S>, last_wait, no_last_wait> end;

  /// Asked before the strategy decides: the token of a call that ends is consumed.
  void note_timeout([[maybe_unused]] S const& strategy) {
    if constexpr (HasDeadline<S>) {
      if (token.deadline() <= now_of(strategy)) is_out_of_time = true;
    }
  }
  [[nodiscard]] duration delay() const noexcept {
    if constexpr (WaitsBeforeTheEnd<S>) {
      if (end.reason != stop_reason::succeeded) return end.wait;
    }
    return larger(token.delay(), duration::zero());  // a user's strategy may return any delay
  }
};

/// The report of a call whose caller asked for none.
struct no_report {
  static constexpr bool is_wanted = false;
};

/// `Op` is the operation, which may declare what its result means.
template <class Op, class S, class R>
ANEW_INLINE auto judge([[maybe_unused]] S const& strategy, [[maybe_unused]] R const& result) {
  if constexpr (ThrowsOnly<Op>) {
    return true;
  } else if constexpr (is_classified_by_value<classifier_type_of<S>, R>) {
    return detail::classify_result(classifier_of(strategy), result);
  } else {
    return is_success(result);
  }
}
constexpr bool is_success_verdict(bool verdict) noexcept { return verdict; }
constexpr bool is_success_verdict(directive const& verdict) noexcept { return verdict.is_success(); }

template <class Op, class S, class R>
directive explain_failure([[maybe_unused]] S const& strategy, [[maybe_unused]] R const& result, bool /*verdict*/) {
  if constexpr (carries_error<R> && !ThrowsOnly<Op>) return classifier_of(strategy).classify(error_of(result));
  return directive::fail();
}
template <class Op, class S, class R>
directive explain_failure(S const& /*strategy*/, R const& /*result*/, directive const& verdict) {
  return verdict;
}

/// Whether the strategy has an observer. A strategy whose type does not say so is asked at run time.
template <class S>
ANEW_INLINE bool needs_events([[maybe_unused]] S const& strategy) {
  if constexpr (requires { strategy.needs_events(); }) return strategy.needs_events();
  return true;
}

template <class S, class Report>
ANEW_INLINE void tell_success([[maybe_unused]] S const& strategy, [[maybe_unused]] Report& report,
                              [[maybe_unused]] std::uint32_t attempts) {
  if constexpr (HasObserver<S>) {
    if (detail::needs_events(strategy)) {
      told_at<S> now{strategy};
      detail::tell_attempt(strategy, report, attempts, directive::succeed(), true, now);
      return detail::end(strategy, report, stop_reason::succeeded, attempts, now);
    }
  }
  if constexpr (Report::is_wanted) report.ended(stop_reason::succeeded, attempts);
}
template <class S, class Report>
ANEW_INLINE void succeeded(S const& strategy, Report& report, typename S::token_type&& token, std::uint32_t attempts) {
  detail::end_call(strategy, report, std::move(token));
  detail::tell_success(strategy, report, attempts);
}
template <class S, class Report>
ANEW_INLINE void succeeded_at_once(S const& strategy, Report& report, [[maybe_unused]] initial_token<S>& initial) {
  if constexpr (requires { requires S::may_be_plain; }) {
    strategy.is_plain() ? strategy.record_success_at_once()
                        : detail::end_call(strategy, report, initial.take(strategy));
  } else if constexpr (requires { strategy.record_success_at_once(); }) {
    strategy.record_success_at_once();
  } else {
    detail::end_call(strategy, report, initial.take(strategy));
  }
  detail::tell_success(strategy, report, 1);
}

struct needs_no_rewinding {};
struct keeps_nothing {};
/// Asks the strategy: `token` becomes that of the next attempt, or is consumed.
template <class S>
ANEW_INLINE decision refresh_in_place(S const& strategy, typename S::token_type& token, failure const& what) {
  if constexpr (requires { decision{strategy.refresh_in_place(token, what)}; }) {
    return strategy.refresh_in_place(token, what);
  } else {
    auto answer = strategy.refresh_retry_token(std::move(token), what);
    if (!answer) return {answer.reason(), delay_origin::backoff, answer.wait_before_end()};
    if (what.safety == retry_safety::no) return {stop_reason::not_retryable};  // whatever a user's strategy says
    auto const origin = answer.origin();
    token = *std::move(answer);
    return {stop_reason::succeeded, origin, duration::zero()};
  }
}

/// In test mode a call ends there: the strategy is told about the failure as about a final failure.
inline bool is_last_in_test_mode(std::uint32_t attempts, failure const& what) noexcept {
  return test_mode_word().load() - 1 < attempts && what.safety != retry_safety::no;  // 0, which is off, wraps round
}

/// Decides after a failed attempt. Returns true if another attempt or a last wait follows, which `now` then describes.
template <declared Declared, class S, class Report, class Rewind, class Keep>
ANEW_OUT_OF_LINE bool decide(S const& strategy, Report& report, pending_attempt<S>& now, directive const& verdict,
                             std::uint32_t attempts, [[maybe_unused]] Rewind rewind_operation,
                             [[maybe_unused]] Keep keep) {
  if (verdict.is_success()) [[unlikely]] {
    detail::succeeded(strategy, report, std::move(now.token), attempts);
    return false;
  }
  auto const* what = &verdict.what();  // copied only where it is changed
  bool const undeclared = Declared == declared::nothing && what->safety == retry_safety::maybe;
  bool const used_up = Declared == declared::one_shot && what->safety != retry_safety::no;
  room_for<failure> changed;
  if (undeclared || used_up) [[unlikely]]
    what = &changed.make(what->kind, retry_safety::no, what->hint);
  if constexpr (Report::is_wanted) report.failed(*what);
  if constexpr (!std::is_same_v<Keep, keeps_nothing>) keep(*what);

  if (detail::is_last_in_test_mode(attempts, *what)) [[unlikely]]
    what = &changed.make(what->kind, retry_safety::no, what->hint);
  if (what->kind == error_kind::timeout) now.note_timeout(strategy);
  auto const answer = detail::refresh_in_place(strategy, now.token, *what);
  auto refusal = answer.refusal;
  if (!answer) {
    if (detail::is_last_in_test_mode(attempts, verdict.what())) refusal = stop_reason::attempts;
    if (undeclared) refusal = stop_reason::not_idempotent;
    if (used_up || verdict.is_used_up()) refusal = stop_reason::not_replayable;
    if (verdict.is_unclassified() && refusal == stop_reason::not_retryable) refusal = stop_reason::unclassified;
    if (now.is_out_of_time) refusal = stop_reason::deadline;  // whatever else would have ended the call
  }
  if constexpr (!std::is_same_v<Rewind, needs_no_rewinding>) {
    if (answer && !rewind_operation()) refusal = stop_reason::not_replayable;
  }
  told_at<S> ended{strategy};
  detail::tell_attempt(strategy, report, attempts, verdict, refusal != stop_reason::succeeded, ended);
  if (refusal != stop_reason::succeeded) {
    if constexpr (WaitsBeforeTheEnd<S>) {
      if (answer.wait_before_end > duration::zero()) {
        now.end = {answer.wait_before_end, refusal};
        return true;
      }
    }
    detail::end(strategy, report, refusal, attempts, ended);
    return false;
  }
  if constexpr (HasObserver<S>) {
    if constexpr (HearsRetries<observer_of<S>>)
      detail::tell_retry(strategy, report, saturating_next(attempts), *what, now.delay(), answer.origin, ended);
  }
  now.previous = verdict.what().kind;
  return true;
}

/// `decide()` for an operation, with its declarations. `keep` writes the history.
template <class Op, class S, class Report, class Keep = keeps_nothing>
ANEW_INLINE bool decide_on([[maybe_unused]] Op& operation, S const& strategy, Report& report, pending_attempt<S>& now,
                           directive const& read, std::uint32_t attempts, Keep keep = {}) {
  decltype(auto) verdict = detail::as_known_by(operation, read);
  if constexpr (IsRewound<Op>) {
    auto const rewind_operation = [&operation] { return detail::rewind(operation); };
    return detail::decide<declaration_of<Op>>(strategy, report, now, verdict, attempts, rewind_operation, keep);
  } else {
    return detail::decide<declaration_of<Op>>(strategy, report, now, verdict, attempts, needs_no_rewinding{}, keep);
  }
}

/// The verdict on an exception. A call that threw has no result to succeed with.
template <class S, class E>
ANEW_INLINE directive judge_exception([[maybe_unused]] S const& strategy, [[maybe_unused]] E const& error) {
  auto verdict = directive::unclassified();
  if constexpr (ClassifierOf<classifier_type_of<S>, E>) verdict = classifier_of(strategy).classify(error);
  return verdict.is_success() ? directive::fail() : verdict;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
