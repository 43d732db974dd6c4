// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_INTERNAL_DECIDE_HPP
#define ANEW_DRIVE_INTERNAL_DECIDE_HPP

#include <optional>
#include <type_traits>
#include <utility>

#include "anew/classifier/retry_info.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/concept/history.hpp"
#include "anew/concept/observer.hpp"
#include "anew/concept/retry_strategy.hpp"
#include "anew/drive/internal/call_of.hpp"
#include "anew/operation/call_declaration.hpp"
#include "anew/operation/rewinding.hpp"
#include "anew/operation/throws_only.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/test_mode.hpp"
#include "anew/value/result_traits.hpp"

/// What follows an attempt: reading its result, telling the observer, asking the strategy for the next one. Nothing in
/// here waits or calls the operation.
namespace anew::inline ANEW_ABI::detail {

template <class S>
concept HasDeadline = requires { requires S::has_deadline; };
template <class S>
concept HasObserver = requires { requires S::has_observer; };
template <class S>
concept TellsOfEveryAttempt = HasObserver<S> && (requires(S const& s, attempt_event const& e) {
                                s.observer().on_attempt(e);
                              } || requires(S const& s, end_event const& e) { s.observer().on_end(e); });
template <class S>
concept HasAdmission = requires { requires S::has_admission; };
template <class S>
concept HasGate = requires { requires S::has_gate; };
template <class S>
concept HasPacer = requires { requires S::has_pacer; };
/// A strategy whose call may end before an attempt, the first one too.
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

template <class S>
constexpr decltype(auto) classifier_of(S const& strategy) {
  if constexpr (requires { strategy.classifier(); }) {
    return strategy.classifier();
  } else {
    return retry_info_classifier{};
  }
}
template <class S>
using classifier_type_of = std::remove_cvref_t<decltype(classifier_of(std::declval<S const&>()))>;

template <class S>
constexpr time_point now_of(S const& strategy) {
  if constexpr (requires { strategy.now(); }) {
    return strategy.now();
  } else {
    return std::chrono::steady_clock::now();
  }
}

/// The initial token: held from the start, or, where it depends on the time alone, just that, so that a call which
/// succeeds at once has no token in memory.
template <class S>
class initial_token {
 public:
  explicit initial_token(S const& strategy) : token_{strategy.acquire_initial_token()} {}
  [[nodiscard]] typename S::token_type&& take(S const& /*strategy*/) noexcept { return std::move(token_); }
  [[nodiscard]] duration delay() const { return token_.delay(); }
  [[nodiscard]] time_point deadline(S const& /*strategy*/) const { return token_.deadline(); }
  [[nodiscard]] static time_point began(S const& strategy) { return now_of(strategy); }
  [[nodiscard]] typename S::token_type& token() noexcept { return token_; }

 private:
  typename S::token_type token_;
};

template <PureInitialToken S>
class initial_token<S> {
 public:
  explicit initial_token(S const& /*strategy*/) noexcept {}
  [[nodiscard]] typename S::token_type take(S const& strategy) const {
    return strategy.acquire_initial_token(time_point{});
  }
};

template <PureInitialToken S>
  requires HasDeadline<S>
class initial_token<S> {
 public:
  explicit initial_token(S const& strategy) : began_{strategy.now()} {}
  [[nodiscard]] typename S::token_type take(S const& strategy) const { return strategy.acquire_initial_token(began_); }
  [[nodiscard]] time_point deadline(S const& strategy) const { return take(strategy).deadline(); }
  [[nodiscard]] time_point began(S const& /*strategy*/) const noexcept { return began_; }

 private:
  time_point began_;
};

/// How a call ends that has no other attempt to come, but a wait.
struct last_wait {
  duration wait{};
  stop_reason reason = stop_reason::succeeded;
};
struct no_last_wait {};

/// What the attempt that is made next, or was made last, needs to know.
template <class S>
struct upcoming {
  typename S::token_type token;
  error_kind previous;
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<WaitsBeforeTheEnd<S>, last_wait, no_last_wait> end;

  [[nodiscard]] duration delay() const noexcept {
    if constexpr (WaitsBeforeTheEnd<S>) {
      if (end.reason != stop_reason::succeeded) return end.wait;
    }
    return larger(token.delay(), duration::zero());  // a strategy of the user's may have any
  }
};

/// The report of a call that nobody asks about.
struct no_report {
  static constexpr bool is_wanted = false;
};

/// What a successful or failed plain value is told by: nothing, or what the classifier makes of it.
template <class C, class R>
inline constexpr bool is_classified_by_value =
    !std::is_same_v<R, void_result> && (carries_error<R> ? ReadsWhole<C, R> : ReadsResult<C, R>);

/// `Op` is what the result is of, for it may declare what the result means.
template <class Op, class S, class R>
ANEW_INLINE auto judge([[maybe_unused]] S const& strategy, [[maybe_unused]] R const& result) {
  if constexpr (ThrowsOnly<Op>) {
    return true;
  } else if constexpr (is_classified_by_value<classifier_type_of<S>, R>) {
    return classifier_of(strategy).classify_result(result);
  } else {
    return is_success(result);
  }
}
constexpr bool is_success_verdict(bool verdict) noexcept { return verdict; }
constexpr bool is_success_verdict(directive const& verdict) noexcept { return verdict.is_success(); }

template <class Op, class S, class R>
directive explain_failure([[maybe_unused]] S const& strategy, [[maybe_unused]] R const& result, bool /*verdict*/) {
  if constexpr (carries_error<R> && !ThrowsOnly<Op>) {
    return classifier_of(strategy).classify(error_of(result));
  } else {
    return directive::fail();
  }
}
template <class Op, class S, class R>
directive explain_failure(S const& /*strategy*/, R const& /*result*/, directive const& verdict) {
  return verdict;
}

/// Does somebody listen? Strategies whose type does not say it are asked.
template <class S>
ANEW_INLINE bool needs_events([[maybe_unused]] S const& strategy) {
  if constexpr (requires { strategy.needs_events(); }) {
    return strategy.needs_events();
  } else {
    return true;
  }
}

template <class S, class Report>
void end(S const& strategy, Report& report, stop_reason reason, std::uint32_t attempts) {
  if constexpr (Report::is_wanted) report.ended(reason, attempts);
  if constexpr (HasObserver<S>) {
    if constexpr (requires(end_event const& e) { strategy.observer().on_end(e); }) {
      strategy.observer().on_end(end_event{attempts, reason});
    }
  }
}

template <class S>
void tell_attempt([[maybe_unused]] S const& strategy, [[maybe_unused]] std::uint32_t attempts,
                  [[maybe_unused]] directive const& verdict, [[maybe_unused]] bool is_final) {
  if constexpr (HasObserver<S>) {
    if constexpr (requires(attempt_event const& e) { strategy.observer().on_attempt(e); }) {
      strategy.observer().on_attempt(attempt_event{attempts, verdict, is_final});
    }
  }
}

template <class S, class Report>
ANEW_INLINE void succeeded(S const& strategy, Report& report, typename S::token_type&& token, std::uint32_t attempts) {
  strategy.record_success(std::move(token));
  if (!detail::needs_events(strategy)) {
    if constexpr (Report::is_wanted) report.ended(stop_reason::succeeded, attempts);
    return;
  }
  detail::tell_attempt(strategy, attempts, directive::succeed(), true);
  detail::end(strategy, report, stop_reason::succeeded, attempts);
}

struct needs_no_rewinding {};
struct keeps_nothing {};

/// The strategy's answer to a failure: `token` becomes that of the next attempt, or stands for nothing.
template <class S>
ANEW_INLINE decision refresh_in_place(S const& strategy, typename S::token_type& token, failure const& what) {
  if constexpr (requires { decision{strategy.refresh_in_place(token, what)}; }) {
    return strategy.refresh_in_place(token, what);
  } else {
    auto answer = strategy.refresh_retry_token(std::move(token), what);
    if (!answer) return {answer.reason(), delay_origin::backoff, answer.wait_before_end()};
    auto const origin = answer.origin();
    token = *std::move(answer);
    return {stop_reason::succeeded, origin, duration::zero()};
  }
}

/// The same, or why the strategy is not asked.
template <class S>
ANEW_INLINE decision ask(S const& strategy, typename S::token_type& token, failure const& what,
                         std::uint32_t attempts) {
  auto const most = test_mode_word().load();
  if (most != 0 && attempts >= most && what.safety != retry_safety::no) [[unlikely]] {
    // What is shared hears of the failure as of any other.
    static_cast<void>(detail::refresh_in_place(strategy, token, failure{what.kind, retry_safety::no, what.hint}));
    return {stop_reason::attempts};
  }
  auto const answer = detail::refresh_in_place(strategy, token, what);
  if (answer && what.safety == retry_safety::no) return {stop_reason::not_retryable};  // whatever a user's own answers
  return answer;
}

/// What follows a failed attempt. True: another one, or a last wait, which `now` then describes.
template <declared Declared, class S, class Report, class Rewind, class Keep>
ANEW_OUT_OF_LINE bool decide(S const& strategy, Report& report, upcoming<S>& now, directive const& verdict,
                             std::uint32_t attempts, [[maybe_unused]] Rewind rewind_operation,
                             [[maybe_unused]] Keep keep) {
  if (verdict.is_success()) [[unlikely]] {
    detail::succeeded(strategy, report, std::move(now.token), attempts);
    return false;
  }
  auto const* what = &verdict.what();
  bool const undeclared = Declared == declared::nothing && what->safety == retry_safety::maybe;
  bool const used_up = Declared == declared::one_shot && what->safety != retry_safety::no;
  room_for<failure> changed;  // a copy costs where it is not needed
  if (undeclared || used_up) [[unlikely]]
    what = &changed.make(what->kind, retry_safety::no, what->hint);
  if constexpr (Report::is_wanted) report.failed(*what);
  if constexpr (!std::is_same_v<Keep, keeps_nothing>) keep(*what);

  auto const answer = detail::ask(strategy, now.token, *what, attempts);
  auto refusal = answer.refusal;
  if (!answer) {
    if (undeclared) refusal = stop_reason::not_idempotent;
    if (used_up) refusal = stop_reason::not_replayable;
    if (verdict.is_unclassified() && refusal == stop_reason::not_retryable) refusal = stop_reason::unclassified;
  }
  if constexpr (!std::is_same_v<Rewind, needs_no_rewinding>) {
    if (answer && !rewind_operation()) refusal = stop_reason::not_replayable;
  }
  detail::tell_attempt(strategy, attempts, verdict, refusal != stop_reason::succeeded);
  if (refusal != stop_reason::succeeded) {
    if constexpr (WaitsBeforeTheEnd<S>) {
      if (answer.wait_before_end > duration::zero()) {
        now.end = {answer.wait_before_end, refusal};
        return true;
      }
    }
    detail::end(strategy, report, refusal, attempts);
    return false;
  }
  if constexpr (HasObserver<S>) {
    if constexpr (requires(retry_event const& e) { strategy.observer().on_retry(e); }) {
      strategy.observer().on_retry(retry_event{saturating_next(attempts), *what, now.delay(), answer.origin});
    }
  }
  now.previous = what->kind;
  return true;
}

/// `decide()` for a call, with what its operation declares and what its failure is kept by.
template <class Call, class Keep, class S = typename Call::strategy_type>
ANEW_INLINE bool decide_on(Call& call, upcoming<S>& now, directive const& verdict, std::uint32_t attempts,
                           [[maybe_unused]] Keep const& keep) {
  using operation = typename Call::operation_type;
  using report = std::remove_reference_t<decltype(call.report)>;
  auto const rewinder = [&] {
    if constexpr (IsRewound<operation>) {
      return [&one = call.operation] { return detail::rewind(one); };
    } else {
      return needs_no_rewinding{};
    }
  }();
  if constexpr (report::is_wanted && KeepsHistory<S>) {
    return detail::decide<declaration_of<operation>>(call.strategy, call.report, now, verdict, attempts, rewinder,
                                                     keep);
  } else {
    return detail::decide<declaration_of<operation>>(call.strategy, call.report, now, verdict, attempts, rewinder,
                                                     keeps_nothing{});
  }
}

/// A failed result, or a classified exception: what follows?
template <class Call, class R, class Verdict, class S = typename Call::strategy_type>
bool value_failed(Call& call, upcoming<S>& now, R const& result, Verdict const& verdict, std::uint32_t attempts) {
  if (call.stop.stop_requested()) {  // what fails after a stop fails because of it
    detail::end(call.strategy, call.report, stop_reason::cancelled, attempts);
    return false;
  }
  using report = std::remove_reference_t<decltype(call.report)>;
  auto const keep = [&](failure const& what) {
    if constexpr (report::is_wanted && carries_error<R>) call.report.keep(attempts, what, error_of(result));
    if constexpr (report::is_wanted && !carries_error<R>) call.report.keep(attempts, what, no_error_value{});
  };
  return detail::decide_on(call, now,
                           detail::explain_failure<typename Call::operation_type>(call.strategy, result, verdict),
                           attempts, keep);
}

template <class Call, class E, class S = typename Call::strategy_type>
bool exception_failed(Call& call, upcoming<S>& now, E const& error, std::uint32_t attempts) {
  using report = std::remove_reference_t<decltype(call.report)>;
  bool again = false;
  if (call.stop.stop_requested()) {
    detail::end(call.strategy, call.report, stop_reason::cancelled, attempts);
  } else {
    auto verdict = directive::unclassified();
    if constexpr (ClassifierOf<classifier_type_of<S>, E>) verdict = classifier_of(call.strategy).classify(error);
    if (verdict.is_success()) verdict = directive::fail();  // an exception leaves no result to succeed with
    auto const keep = [&](failure const& what) {
      if constexpr (report::is_wanted) call.report.keep(attempts, what);
    };
    again = detail::decide_on(call, now, verdict, attempts, keep);
  }
  if constexpr (report::is_wanted) call.report.operation_threw = !again;
  return again;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
