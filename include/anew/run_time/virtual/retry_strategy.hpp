// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_RETRY_STRATEGY_HPP
#define ANEW_RUN_TIME_VIRTUAL_RETRY_STRATEGY_HPP

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/on_exit.hpp"
#include "anew/base/platform/system.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/deadline.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/internal/ask_gate.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/run_time/virtual/attempt_scope.hpp"
#include "anew/run_time/virtual/error_ref.hpp"
#include "anew/run_time/virtual/internal/adjustments.hpp"
#include "anew/run_time/virtual/retry_info.hpp"
#include "anew/run_time/virtual/retry_token.hpp"
#include "anew/run_time/virtual/token_acquisition_failed.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

class adjusted_base;

constexpr follows follows_look(look_result found) noexcept {
  return found == look_result::failed ? follows::failed_look : follows::not_ready;
}

}  // namespace detail

/// An attempt begins.
struct begin_event {
  std::uint32_t attempt;
};
/// One event for an Observer: `std::get_if<anew::retry_event>(&event)`. An error comes right before the end of its attempt.
using observed_event = std::variant<call_event, begin_event, error_ref, attempt_event, retry_event, end_event>;

/// The optional functions of a strategy that drivers must call besides the required three. Anything else costs a driver
/// nothing.
struct strategy_wishes {
  alignas(8) bool admission = true;  ///< `admit` before each attempt
  bool events = true;                ///< notifies an Observer
  bool scopes = true;                ///< `enter` around each attempt
  bool results = true;               ///< `classify_result` of each result that carries no error
  bool carriers = true;              ///< the same of each result whose type may carry an error
  bool limits = true;                ///< `attempt_timeout` of each attempt
};

/// A retry strategy whose type is chosen at run time: the interface of the Smithy guide, with its three functions.
///
/// `anew::virtual_strategy` turns a composed strategy into one. Your own strategy derives from it and overrides
/// `on_acquire` and `on_refresh`, which answer with `issue(...)` or `refuse(reason)`, and any other function it needs.
/// All functions are const and called from many threads at once: make state that calls share `mutable`, and guard it.
/// `anew::retry()` drives it through `anew::strategy_view`.
///
/// The functions with the guide's names throw `token_acquisition_failed` if there is no token; those that begin with
/// `try_` return the reason. Throwing allocates, returning does not. A token that is foreign, used, moved-from or empty
/// causes `std::invalid_argument` and stays unchanged; without exceptions the program ends with that message.
/// Example: examples/18_guide_request_loop.cpp
class ANEW_VISIBLE retry_strategy : public issuing::token_issuer {
 public:
  virtual ~retry_strategy() = default;

  /// Before the first attempt, which is made even when there is no token.
  [[nodiscard]] refreshed<retry_token> try_acquire_initial_token() const { return as_refreshed(on_acquire()); }

  /// After a failed attempt. Consumes the token. `what` is an `anew::failure`, an exception (by reference or
  /// `std::exception_ptr`), or any error that models RetryInfo or ErrorInfo.
  template <class Error = failure>
  [[nodiscard]] refreshed<retry_token> try_refresh_retry_token(retry_token&& token, Error const& what) const {
    return as_refreshed(refresh(std::move(token), detail::read_as_verdict(*this, what)));
  }

#if ANEW_EXCEPTIONS
  [[nodiscard]] retry_token acquire_initial_token() const { return or_throw(on_acquire()); }

  template <class Error = failure>
  [[nodiscard]] retry_token refresh_retry_token(retry_token&& token, Error const& what) const {
    return or_throw(refresh(std::move(token), detail::read_as_verdict(*this, what)));
  }
#else
  // Compilers print the line of a deleted function, and with it this comment.
  retry_token acquire_initial_token() const  // anew: exceptions are off: use try_acquire_initial_token()
      = delete;
  retry_token refresh_retry_token(retry_token&&,
                                  auto const&) const  // anew: exceptions are off: try_refresh_retry_token()
      = delete;
#endif

  /// After an attempt succeeded. Consumes the token.
  void record_success(retry_token&& token) const {
    expect_own(token, "record_success");
    detail::on_exit const consumed{[&token] { token.use_up(); }};
    if (!token.is_refused()) on_success(std::move(token));
  }

  /// How to treat an exception. Nothing: this strategy does not read its type, and the exception is final.
  [[nodiscard]] std::optional<directive> classify(std::exception const& error) const {
    return not_success(on_exception(error));
  }
  [[nodiscard]] std::optional<directive> classify(std::exception_ptr const& error) const {
    if (error == nullptr) return std::nullopt;
#if ANEW_EXCEPTIONS && defined(__cpp_rtti)
    try {
      std::rethrow_exception(error);
    } catch (std::exception const& known) {
      return classify(known);
    } catch (...) {  // NOLINT(bugprone-empty-catch): the strategy's own clauses are next
    }
#endif
    return not_success(on_other_exception(error));
  }

  /// How to treat an operation's error: `classify(error_ref{error})`. Nothing: this strategy cannot read it.
  [[nodiscard]] std::optional<directive> classify(error_ref const& error) const { return on_error(error); }
  /// How to treat a result without an error. Nothing: this strategy does not read its type, and it is a success.
  [[nodiscard]] std::optional<directive> classify_result(error_ref const& result) const { return on_result(result); }

  /// After a `poll()` look without success. Consumes the token.
  [[nodiscard]] refreshed<retry_token> try_refresh_polling_token(retry_token&& token, failure const& what,
                                                                 look_result found) const {
    return as_refreshed(refresh(std::move(token), what, detail::follows_look(found)));
  }

  /// Whether the attempt of this token may start now. Called right before each attempt, if the strategy wishes so.
  [[nodiscard]] admission_answer admit(retry_token& token, now_view now) const {
    expect_own(token, "admit");
    if (token.is_refused()) return {};
    auto const answer = on_admit(token, now);
    bool const is_too_late = answer.wait > duration::zero() && detail::reaches(token.deadline(), answer.wait, now);
    return is_too_late && answer.refusal == stop_reason::succeeded ? admission_answer{{}, stop_reason::deadline}
                                                                   : answer;
  }

  /// How long an attempt may take of which `remaining` is left of the call's deadline; `duration::max()`: no limit.
  [[nodiscard]] duration attempt_timeout(duration remaining) const { return on_attempt_timeout(remaining); }

  /// The time by this strategy's clock.
  [[nodiscard]] time_point now() const { return on_now(); }

  /// Notifies an Observer of one `call`, which begins with the first of these functions.
  void tell(observed_call& call, observed_event const& event, now_view now) const { on_event(call, event, now); }
  void enter(attempt_scope& scope) const { on_enter(scope); }

  [[nodiscard]] virtual strategy_wishes wishes() const noexcept { return {}; }
  /// One line for logs.
  [[nodiscard]] virtual std::string describe() const { return "retry_strategy"; }
  /// The most attempts of a call; 0: no limit, or not one number.
  [[nodiscard]] virtual std::uint32_t max_attempts() const noexcept { return 0; }

 protected:
  // For this library's own strategies, which decide in place.
  /// The strategy that decides in the end, and what it replaces of its policies.
  struct base {
    retry_strategy const* strategy;
    bool is_adjustable = false;  ///< `on_decide` heeds adjustments
    detail::adjustments by{};
  };

 private:
  template <class, class>
  friend class basic_strategy_view;
  friend class virtual_classifier;
  friend class detail::adjusted_base;
  template <class Strategy, class... Errors>
  friend class virtual_strategy;

  virtual retry_token on_acquire() const = 0;
  /// `what.safety` may be `no`: then the failure is only reported, and a token that it issues is not used.
  virtual retry_token on_refresh(retry_token&& token, failure const& what) const = 0;
  virtual void on_success(retry_token&& /*token*/) const {}
  /// By default a `poll()` look counts as a failed attempt, whatever it found.
  virtual retry_token on_look(retry_token&& token, failure const& what, look_result /*found*/) const {
    return on_refresh(std::move(token), what);
  }

  /// After a failed attempt or look: `token` becomes that of the next attempt, or is left to be destroyed.
  virtual detail::decision on_decide(retry_token& token, failure const& what, detail::follows after,
                                     detail::adjustments const& /*by*/) const {
    using enum detail::follows;
    auto next = after == attempt
                    ? on_refresh(std::move(token), what)
                    : on_look(std::move(token), what, after == not_ready ? look_result::pending : look_result::failed);
    if (next.is_refused()) return {next.held_.refusal, delay_origin::backoff, next.held_.delay};
    token = std::move(next);
    return {stop_reason::succeeded, token.held_.origin};
  }
  /// A token was issued to a call with adjustments.
  virtual void on_adjusted(retry_token& /*token*/, detail::adjustments const& /*by*/) const {}
  [[nodiscard]] virtual base on_base() const noexcept { return {this}; }

  /// By default an error that says whether to retry is believed, and any other is not read.
  [[nodiscard]] virtual std::optional<directive> on_error(error_ref const& error) const {
    auto const told = error.told();
    if (!told) return std::nullopt;
    return told->safety == retry_safety::no ? directive::fail() : directive::retry(*told);
  }
  [[nodiscard]] virtual std::optional<directive> on_result(error_ref const& /*result*/) const { return std::nullopt; }

  /// By default an exception that derives from `anew::retry_info` is believed, and any other is not read.
  [[nodiscard]] virtual std::optional<directive> on_exception([[maybe_unused]] std::exception const& error) const {
#if defined(__cpp_rtti)
    if (auto const told = info_of(error); told.retry != nullptr) return directive_of(told);
#endif
    return std::nullopt;  // without RTTI: on_other_exception is asked
  }
  /// An exception that does not derive from `std::exception`; without RTTI any exception.
  [[nodiscard]] virtual std::optional<directive> on_other_exception(
      [[maybe_unused]] std::exception_ptr const& error) const {
#if ANEW_EXCEPTIONS
    try {
      std::rethrow_exception(error);
    } catch (retry_info const& info) {
      return detail::directive_of_base(info);
    } catch (...) {  // NOLINT(bugprone-empty-catch): it says nothing
    }
#endif
    return std::nullopt;
  }
  /// Asked first, so that the clock is read only after false.
  [[nodiscard]] virtual admission_answer on_admit(retry_token& /*token*/, now_view /*now*/) const { return {}; }
  [[nodiscard]] virtual duration on_attempt_timeout(duration /*remaining*/) const { return duration::max(); }
  [[nodiscard]] virtual time_point on_now() const { return detail::platform::now(); }
  virtual void on_event(observed_call& /*call*/, observed_event const& /*event*/, now_view /*now*/) const {}
  virtual void on_enter(attempt_scope& /*scope*/) const {}

  /// For the first attempt, which is made even without a token.
  [[nodiscard]] retry_token acquire_or_none() const {
    auto token = on_acquire();
    if (token.is_refused()) [[unlikely]]
      token.held_.delay = duration::zero();
    return token;
  }

  /// `token` becomes that of the next attempt, or is used up.
  [[nodiscard]] detail::decision decide(retry_token& token, failure const& what, detail::follows after) const {
    expect_own(token, after == detail::follows::attempt ? "refresh_retry_token" : "refresh_polling_token");
    detail::on_exit consumed{[&token] { token.use_up(); }};  // unless it goes on
    if (token.is_refused()) [[unlikely]]
      return {token.held_.refusal};
    auto const answer = on_decide(token, what, after, detail::as_it_is);
    if (!answer) return answer;
    if (what.safety == retry_safety::no) [[unlikely]]
      return {stop_reason::not_retryable};
    consumed.dismiss();
    return answer;
  }
  /// Consumes the token.
  [[nodiscard]] retry_token refresh(retry_token&& token, failure const& what,
                                    detail::follows after = detail::follows::attempt) const {
    auto const answer = decide(token, what, after);
    if (!answer) return refuse(answer.refusal, answer.wait_before_end);
    auto next = std::move(token);
    token.forget(retry_token::standing::used);  // NOLINT(bugprone-use-after-move): it remembers what became of it
    return next;
  }
  [[nodiscard]] retry_token refresh(retry_token&& token, directive const& verdict) const {
    auto next = refresh(std::move(token), detail::failure_of(verdict));
    if (verdict.is_unclassified() && next.is_refused() && next.held_.refusal == stop_reason::not_retryable) {
      next.held_.refusal = stop_reason::unclassified;
    }
    return next;
  }

  [[nodiscard]] static refreshed<retry_token> as_refreshed(retry_token&& token) noexcept {
    if (token.is_refused()) return {token.held_.refusal, token.held_.delay};
    auto const origin = token.held_.origin;
    return {std::move(token), origin};
  }
#if ANEW_EXCEPTIONS
  [[nodiscard]] static retry_token or_throw(retry_token&& token) {
    if (token.is_refused()) throw token_acquisition_failed{token.held_.refusal, token.held_.delay};
    return std::move(token);
  }
#endif

  [[nodiscard]] static std::optional<directive> not_success(std::optional<directive> verdict) noexcept {
    if (verdict && verdict->is_success()) return directive::fail();  // an exception leaves no result to succeed with
    return verdict;
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
