// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_STRATEGY_VIEW_HPP
#define ANEW_RUN_TIME_VIRTUAL_STRATEGY_VIEW_HPP

#include <chrono>
#include <concepts>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/failure_members.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/roles.hpp"
#include "anew/run_time/virtual/error_ref.hpp"
#include "anew/run_time/virtual/retry_strategy.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/strategy/internal/lazy_now.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Reports an operation's result of a type that the strategy behind a view does not read. Throws
/// `std::invalid_argument`; without exceptions prints the message and aborts.
[[noreturn]] ANEW_COLD inline void unread_type(std::string_view name) {
  detail::throw_invalid_argument(
      std::string{
          "anew::strategy_view requires a strategy that reads the operation's result; the strategy does not read "}
          .append(name.ends_with("integral_constant<bool, false>") ? "a bool that is false" : name)
          .append(". Name the type where the strategy is made: anew::virtual_strategy<Strategy, E>, "
                  "classify it where it is known: anew::basic_strategy_view{strategy, classifier}, or pass "
                  "anew::throws_only(operation) if every value is a success"));
}

}  // namespace anew::inline ANEW_ABI::detail

namespace anew::inline ANEW_ABI {

/// The default classifier of a view: the virtual strategy reads exceptions, returned errors and results, as its
/// composed classifier does.
///
/// An error of a type that the strategy does not read is a mistake that shows at run time: `std::invalid_argument`, and
/// without exceptions the end of the program, with the type and what to do.
///
/// Models: Classifier      Formula: none
/// Requires: nothing
/// Cost: after a failure a virtual call, and the comparisons of types or casts of the strategy's clauses; without RTTI
/// an exception is thrown once more. A result that carries no error costs a virtual call where the strategy reads such
/// Choose it by using strategy_view. Where the strategy cannot know your errors: basic_strategy_view with a classifier.
/// Source: none
class virtual_classifier {
 public:
  using role = roles::classifier;
#if defined(__cpp_rtti)
  using catches = catch_list<std::exception>;
#else
  using catches = catch_list<>;
#endif

  explicit virtual_classifier(retry_strategy const& strategy) noexcept
      : virtual_classifier{strategy, strategy.wishes()} {}
  virtual_classifier(retry_strategy const& strategy, strategy_wishes wishes) noexcept
      : strategy_{&strategy}, wishes_{wishes} {}

  template <class E>
    requires(!std::same_as<E, std::exception> && !std::same_as<E, unknown_exception> && !std::same_as<E, error_ref>)
  [[nodiscard]] directive classify(E const& error) const {
    auto verdict = read(error_ref{error});
    if constexpr (std::convertible_to<E const&, std::error_code> && !std::same_as<E, std::error_code>) {
      if (!verdict) {
        std::error_code const code = error;
        verdict = read(error_ref{code});
      }
    }
    if (!verdict) detail::unread_type(detail::type_name<E>());
    return *verdict;
  }
  /// Nothing if the strategy does not read errors of that type.
  [[nodiscard]] std::optional<directive> read(error_ref const& error) const { return strategy_->classify(error); }

  /// If the type alone does not decide it.
  [[nodiscard]] bool can_read(auto const& error) const { return read(error_ref{error}).has_value(); }

  /// A result that the strategy does not read is what its shape says; where that may mean either, it is a mistake. A
  /// negative number is one unless the strategy's classifier names exceptions.
  template <class R>
    requires std::is_class_v<R> || std::is_enum_v<R> || std::is_integral_v<R>
  [[nodiscard]] ANEW_INLINE directive classify_result(R const& result) const {
    if constexpr (detail::carries_error<R>) {
      if (!wishes_.carriers && detail::is_success(result)) [[likely]]
        return directive::succeed();
    }
    return judge(result);
  }
  /// The strategy may read the values in them.
  template <class R>
  static constexpr bool reads_whole =
      detail::shape_of<R>() == detail::shape::optional || detail::shape_of<R>() == detail::shape::expected;

  template <std::same_as<std::exception> E>
  [[nodiscard]] directive classify(E const& error) const {
    return strategy_->classify(error).value_or(directive::unclassified());
  }
#if ANEW_EXCEPTIONS
  /// Call it while the exception is being handled.
  [[nodiscard]] directive classify(unknown_exception const& /*error*/) const {
    return retry_strategy::not_success(strategy_->on_other_exception(std::current_exception()))
        .value_or(directive::unclassified());
  }
#endif
  [[nodiscard]] static std::string describe() { return "virtual_classifier"; }

 private:
  template <class R>
  [[nodiscard]] directive judge(R const& result) const {
    bool may_mean_a_failure = detail::is_mute<R>;
    if constexpr (detail::SignedNumber<R>) may_mean_a_failure = result < 0;  // a count is a value
    if ((detail::carries_error<R> ? wishes_.carriers : wishes_.results) || may_mean_a_failure) {
      if (auto const verdict = strategy_->classify_result(error_ref{result})) return *verdict;
    }
    if (may_mean_a_failure) detail::unread_type(detail::type_name<R>());
    if constexpr (detail::carries_error<R>) {
      if (!detail::is_success(result)) {
        auto const verdict = classify(detail::error_of(result));
        return verdict.is_no_opinion() ? directive::fail() : verdict;
      }
    }
    return directive::succeed();
  }

  retry_strategy const* strategy_;
  strategy_wishes wishes_;
};

/// An `anew::retry_strategy` as a RetryStrategy: `anew::retry(anew::strategy_view{s}, operation)`. It is two words and
/// cheap to copy; the strategy must outlive the view and its calls.
///
/// With a classifier, `basic_strategy_view{s, retry_all{}}`, the call site decides which errors and exceptions are
/// retried. With a history, `basic_strategy_view{s, history<8>{}}`, the outcome keeps its failures, by the call's own
/// error type.
///
/// Models: RetryStrategy
/// Cost: a virtual call for each of the three functions. A strategy that wishes for admission, events or scopes gets a
/// further call for each of them; a last failure is kept through the sleep, because the strategy may end the call after it
template <class Classifier, class History = roles::absent<roles::history>>
class basic_strategy_view {
 public:
  using token_type = retry_token;
  using history_type = History;

  // A driver must be prepared for all that a virtual strategy may do.
  static constexpr bool has_deadline = true;
  static constexpr bool has_admission = true;
  static constexpr bool has_gate = true;
  static constexpr bool has_observer = true;
  static constexpr bool has_nesting = true;
  static constexpr bool waits_before_refusal = true;
  static constexpr bool has_attempt_timeout = true;
  static constexpr bool has_history = !detail::is_absent<History>;

  explicit basic_strategy_view(retry_strategy const& strategy) noexcept
    requires std::same_as<Classifier, virtual_classifier>
      : strategy_{&strategy}, wishes_{strategy.wishes()}, classifier_{strategy, wishes_} {}
  basic_strategy_view(retry_strategy const& strategy, History const& /*kept*/) noexcept
    requires(std::same_as<Classifier, virtual_classifier> && has_history)
      : basic_strategy_view{strategy} {}
  basic_strategy_view(retry_strategy const& strategy, Classifier classifier, History const& /*kept*/ = {})
      : strategy_{&strategy}, wishes_{strategy.wishes()}, classifier_{std::move(classifier)} {}
  // Compilers print the line of a deleted function, and with it the comment on that line.
  explicit basic_strategy_view(retry_strategy const&& gone)  // anew: it refers to a strategy that you keep
      = delete;
  basic_strategy_view(retry_strategy const&& gone,  // anew: it refers to a strategy that you keep
                      Classifier classifier) = delete;

  /// Never refused: without a token one attempt is made.
  [[nodiscard]] retry_token acquire_initial_token() const { return strategy_->acquire_or_none(); }
  [[nodiscard]] refreshed<retry_token> refresh_retry_token(retry_token&& token, failure const& what) const {
    return strategy_->try_refresh_retry_token(std::move(token), what);
  }
  [[nodiscard]] refreshed<retry_token> refresh_polling_token(retry_token&& token, failure const& what,
                                                             look_result found) const {
    return strategy_->try_refresh_polling_token(std::move(token), what, found);
  }
  /// The same in place, for drivers.
  [[nodiscard]] detail::decision refresh_in_place(retry_token& token, failure const& what) const {
    return strategy_->decide(token, what, detail::follows::attempt);
  }
  void record_success(retry_token&& token) const { strategy_->record_success(std::move(token)); }

  [[nodiscard]] strategy_wishes wishes() const noexcept { return wishes_; }
  /// False: attempts start without asking, and without the time.
  [[nodiscard]] bool needs_admission() const noexcept { return wishes_.admission; }
  /// False: attempts are not reported.
  [[nodiscard]] bool needs_events() const noexcept { return wishes_.events; }
  /// Whether an attempt has a limit that its operation must hear.
  [[nodiscard]] bool limits_attempts() const {
    return wishes_.limits && strategy_->attempt_timeout(std::chrono::hours{1}) != duration::max();
  }
  [[nodiscard]] admission_answer admit(retry_token& token, detail::Time auto&& now) const {
    if (!wishes_.admission) return {};
    return strategy_->admit(token, now_view{now});
  }
  struct limits {
    retry_strategy const* of_;  ///< null: no limit
    [[nodiscard]] duration of(duration remaining) const {
      return of_ != nullptr ? of_->attempt_timeout(remaining) : duration::max();
    }
  };
  [[nodiscard]] limits attempt_timeout() const noexcept { return {wishes_.limits ? strategy_ : nullptr}; }
  [[nodiscard]] time_point now() const { return strategy_->now(); }
  [[nodiscard]] Classifier const& classifier() const noexcept { return classifier_; }
  [[nodiscard]] retry_strategy const& strategy() const noexcept { return *strategy_; }

  /// Forwards what an observer hears.
  struct events {
    using role = roles::observer;
    using call_type = observed_call;
    retry_strategy const* to;  ///< null: no observer

    [[nodiscard]] observed_call on_call(call_event const& event, auto& now) const {
      observed_call call;
      tell(call, event, now);
      return call;
    }
    void on_begin(observed_call& call, std::uint32_t number, auto& now) const { tell(call, begin_event{number}, now); }
    void on_error(observed_call& call, auto const& error) const {
      if (to != nullptr) to->tell(call, error_ref{error}, detail::lazy_now{*to});
    }
    void on_attempt(observed_call& call, attempt_event const& event, auto& now) const { tell(call, event, now); }
    void on_retry(observed_call& call, retry_event const& event, auto& now) const { tell(call, event, now); }
    void on_end(observed_call& call, end_event const& event, auto& now) const { tell(call, event, now); }

   private:
    void tell(observed_call& call, auto const& event, auto& now) const {
      if (to != nullptr) to->tell(call, event, now_view{now});
    }
  };
  [[nodiscard]] events observer() const noexcept { return {wishes_.events ? strategy_ : nullptr}; }

  /// Around each attempt.
  struct scope {
    attempt_scope room;
    scope(retry_strategy const* of) {  // NOLINT(*-explicit-*)
      if (of != nullptr) of->enter(room);
    }
  };
  struct scopes {
    retry_strategy const* of;
    [[nodiscard]] scope enter(no_permit /*quota*/) const { return {of}; }
  };
  [[nodiscard]] scopes nesting() const noexcept { return {wishes_.scopes ? strategy_ : nullptr}; }
  [[nodiscard]] static constexpr no_permit quota() noexcept { return {}; }

 private:
  retry_strategy const* strategy_;
  strategy_wishes wishes_;
  ANEW_NO_UNIQUE_ADDRESS Classifier classifier_;
};

basic_strategy_view(retry_strategy const&) -> basic_strategy_view<virtual_classifier>;
template <detail::PlaysRole<roles::history> History>
basic_strategy_view(retry_strategy const&, History) -> basic_strategy_view<virtual_classifier, History>;
template <class Classifier, class History>
basic_strategy_view(retry_strategy const&, Classifier, History) -> basic_strategy_view<Classifier, History>;
template <class Classifier>
basic_strategy_view(retry_strategy const&, Classifier) -> basic_strategy_view<Classifier>;

using strategy_view = basic_strategy_view<virtual_classifier>;

}  // namespace anew::inline ANEW_ABI

#endif
