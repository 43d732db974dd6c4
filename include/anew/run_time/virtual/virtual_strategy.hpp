// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_VIRTUAL_STRATEGY_HPP
#define ANEW_RUN_TIME_VIRTUAL_VIRTUAL_STRATEGY_HPP

#include <concepts>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/drivers/internal/guarded.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/internal/ask_gate.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/run_time/virtual/internal/adjustments.hpp"
#include "anew/run_time/virtual/internal/observe.hpp"
#include "anew/run_time/virtual/internal/read_returned.hpp"
#include "anew/run_time/virtual/retry_strategy.hpp"
#include "anew/strategy/basic_strategy.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/strategy/internal/deciding.hpp"
#include "anew/strategy/internal/lazy_now.hpp"
#include "anew/strategy/strategy.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// The part of a composed strategy's token that belongs to one policy: values and a pointer, so that it can be moved
/// bytewise.
template <class P>
inline constexpr bool leaves_plain_values = [] {
  bool plain = true;
  if constexpr (requires { typename P::permit_type; })
    plain = plain && std::is_trivially_copyable_v<typename P::permit_type>;
  if constexpr (requires { typename P::pass_type; })
    plain = plain && std::is_trivially_copyable_v<typename P::pass_type>;
  if constexpr (requires { typename P::ticket_type; })
    plain = plain && std::is_trivially_copyable_v<typename P::ticket_type>;
  if constexpr (std::is_same_v<typename P::role, roles::jitter>) {
    plain = plain && std::is_trivially_copyable_v<typename jitter_state<P>::type>;
  }
  return plain;
}();
template <class... Ps>
inline constexpr bool is_kept_by_copy<basic_token<basic_strategy<Ps...>>> = (leaves_plain_values<Ps> && ...);

template <class Catches>
inline constexpr bool all_derive_from_exception = false;
template <class... Es>
inline constexpr bool all_derive_from_exception<catch_list<Es...>> = (std::is_base_of_v<std::exception, Es> && ...);

template <class C, class... Errors>
inline constexpr bool classifier_reads_all_of = ((ClassifierOf<C, Errors> || ReadsResult<C, Errors>) && ...);

/// Its classifier is that of the other strategy.
template <class C>
concept ReadsByAnother = requires(C const& c, error_ref const& error) {
  { c.read(error) } -> std::same_as<std::optional<directive>>;
};

/// A history cannot pass the interface.
template <class P>
consteval bool explain_behind_interface() {
  static_assert(!PlaysRole<P, roles::history>,
                "anew::virtual_strategy<Strategy> requires a strategy without a history, whose type is that of the "
                "call's errors. Keep it where you call: anew::basic_strategy_view{strategy, anew::history<8>{}}");
  return !PlaysRole<P, roles::history>;
}
template <class S>
consteval bool explain_history_of() {
  if constexpr (KeepsHistory<S>) static_cast<void>(detail::explain_behind_interface<typename S::history_type>());
  return true;  // said once
}

/// No such type for anything but policies: a deduction guide is tried with any arguments.
template <bool ArePolicies, class... Ps>
struct strategy_of_policies {};
template <class... Ps>
struct strategy_of_policies<true, Ps...> : std::type_identity<strategy<Ps...>> {};

}  // namespace detail

/// A strategy composed at compile time as an `anew::retry_strategy`: the same decisions, behind one type.
///
/// It owns the strategy, and is made as that is: of nothing, of the strategy, or of policies. Exceptions, returned
/// errors and results are read by its own classifier. It knows the types that the classifier catches or declares
/// (`reads`), what the parameter of a `retry_if` is, and the usual ones: of `bool` and `std::optional`,
/// `std::error_code`, numbers, text. Add your own `Errors`. A composed deadline, gate, pacer, clock, observer and
/// nesting guard work as before where `anew::retry()` drives it, and an attempt timeout in every driver. A history
/// is refused: its type is the call's. A view keeps one: `basic_strategy_view{s, history<8>{}}`.
///
///     std::unique_ptr<anew::retry_strategy> s = std::make_unique<anew::virtual_strategy<anew::strategy<>>>();
///
/// Cost: a virtual call for each of the three functions; no allocation for a state that fits into a retry_token
template <class Strategy, class... Errors>
class virtual_strategy : public retry_strategy {
  static_assert(
      RetryStrategy<Strategy>,
      "anew::virtual_strategy<Strategy> requires a RetryStrategy; this type is not one. Pass an anew::strategy<...>");
  static_assert(detail::classifier_reads_all_of<detail::classifier_type_of<Strategy>, Errors...>,
                "anew::virtual_strategy<Strategy, Errors...> requires errors that the strategy's classifier reads; for "
                "at least one named type it has neither 'anew::directive classify(E const&) const' nor "
                "classify_result. Name the type of the error, not of the whole result");

  static_assert(detail::explain_history_of<Strategy>() && detail::explain_observer_of<Strategy>());

 public:
  virtual_strategy()
    requires std::default_initializable<Strategy>
  = default;
  explicit virtual_strategy(Strategy strategy) : strategy_{std::move(strategy)} {}
  template <class... Policies>
    requires(sizeof...(Policies) > 0 && (DeclaresRole<Policies> && ...))
  explicit virtual_strategy(Policies&&... policies) : strategy_{std::forward<Policies>(policies)...} {}

  [[nodiscard]] Strategy const& strategy() const noexcept { return strategy_; }

  [[nodiscard]] strategy_wishes wishes() const noexcept override {
    strategy_wishes wishes{.admission = detail::HasAdmission<Strategy>,
                           .events = detail::HasObserver<Strategy>,
                           .scopes = detail::HasNesting<Strategy>,
                           .results = false,
                           .carriers = false,
                           .limits = detail::HasAttemptTimeout<Strategy>};
    if constexpr (detail::ViewsAnother<Strategy>) wishes = strategy_.wishes();
    if constexpr (!detail::ReadsByAnother<classifier_type>) {
      wishes.results = detail::reads_results<classifier_type, known_types>;
      wishes.carriers = detail::reads_carriers<classifier_type, known_types>;
    }
    return wishes;
  }
  [[nodiscard]] std::string describe() const override {
    if constexpr (detail::ViewsAnother<Strategy>) return strategy_.strategy().describe();
    if constexpr (detail::ComposedStrategy<Strategy>) return anew::describe(strategy_);
    return std::string{detail::type_name<Strategy>()};
  }

  [[nodiscard]] std::uint32_t max_attempts() const noexcept override {
    if constexpr (detail::ViewsAnother<Strategy>) return strategy_.strategy().max_attempts();
    if constexpr (requires { strategy_.max_attempts(); }) return detail::attempts_of_policy(strategy_.max_attempts());
    return 0;
  }

 private:
  using own_token = typename Strategy::token_type;
  using classifier_type = detail::classifier_type_of<Strategy>;
  using catches = typename detail::catches_of<classifier_type>::type;
  using known_types = detail::read_types<classifier_type, Errors...>;

  retry_token on_acquire() const override {
    auto token = strategy_.acquire_initial_token();
    terms of{.delay = token.delay()};
    if constexpr (requires { token.deadline(); }) of.deadline = token.deadline();
    return issue(of, std::move(token));
  }
  retry_token on_refresh(retry_token&& token, failure const& what) const override {
    auto const answer = this->on_decide(token, what, detail::follows::attempt, detail::as_it_is);
    return answer ? std::move(token) : refuse(answer.refusal, answer.wait_before_end);
  }
  detail::decision on_decide(retry_token& token, failure const& what, detail::follows after,
                             detail::adjustments const& by) const override {
    using enum detail::follows;
    switch (after) {
      case attempt: return decide_after<attempt>(token, what, by);
      case failed_look: return decide_after<failed_look>(token, what, by);
      case not_ready: break;
    }
    return decide_after<not_ready>(token, what, by);
  }
  template <detail::follows After>
  ANEW_OUT_OF_LINE detail::decision decide_after(retry_token& token, failure const& what,
                                                 [[maybe_unused]] detail::adjustments const& by) const {
    auto& state = state_of<own_token>(token);
    detail::decision answer;
    if constexpr (detail::ComposedStrategy<Strategy>) {
      detail::adjusted_view<Strategy> const adjusted{strategy_, by, token.deadline()};
      answer = detail::deciding::refresh<After>(adjusted, state, what, detail::lazy_now{strategy_});
    } else {
      auto next = refresh_as<After>(std::move(state), what);
      if (!next) return {next.reason(), delay_origin::backoff, next.wait_before_end()};
      answer.origin = next.origin();
      state = *std::move(next);
    }
    if (answer) proceed(token, detail::saturating_next(token.attempt()), state.delay(), answer.origin);
    return answer;
  }
  template <detail::follows After>
  [[nodiscard]] refreshed<own_token> refresh_as(own_token&& token, failure const& what) const {
    if constexpr (After != detail::follows::attempt && detail::KnowsLooks<Strategy>) {
      auto const found = After == detail::follows::failed_look ? look_result::failed : look_result::pending;
      return strategy_.refresh_polling_token(std::move(token), what, found);
    }
    return strategy_.refresh_retry_token(std::move(token), what);
  }
  void on_adjusted([[maybe_unused]] retry_token& token, [[maybe_unused]] detail::adjustments const& by) const override {
    if constexpr (detail::ComposedStrategy<Strategy> && detail::HasDeadline<Strategy>) {
      if (by.total) detail::deciding::keep_no_end(state_of<own_token>(token));
    }
  }
  [[nodiscard]] typename retry_strategy::base on_base() const noexcept override {
    if constexpr (detail::ViewsAnother<Strategy>) return strategy_.strategy().on_base();
    return {this, detail::ComposedStrategy<Strategy>};
  }
  void on_success(retry_token&& token) const override {
    strategy_.record_success(std::move(state_of<own_token>(token)));
    end_state_of<own_token>(token);  // NOLINT(bugprone-use-after-move): what is left of it
  }

  [[nodiscard]] std::optional<directive> on_error(error_ref const& error) const override {
    if constexpr (detail::ReadsByAnother<classifier_type>) {
      return strategy_.classifier().read(error);
    } else {
      auto verdict = detail::read_error(detail::classifier_of(strategy_), error, known_types{});
#if defined(__cpp_rtti)
      if (auto const* thrown = error.as_exception(); thrown != nullptr && !verdict)
        verdict = detail::by_casting(detail::classifier_of(strategy_), *thrown, catches{});
#endif
      return verdict;
    }
  }
  [[nodiscard]] std::optional<directive> on_result(error_ref const& result) const override {
    if constexpr (detail::ReadsByAnother<classifier_type>) {
      return strategy_.strategy().classify_result(result);
    } else {
      auto verdict = detail::read_result(detail::classifier_of(strategy_), result, known_types{});
      if constexpr (detail::NamesExceptions<classifier_type>) {
        if (!verdict && detail::is_signed_number(result)) verdict = directive::succeed();  // failures are thrown
      }
      return verdict;
    }
  }

  [[nodiscard]] std::optional<directive> on_exception([[maybe_unused]] std::exception const& error) const override {
#if defined(__cpp_rtti)
    if constexpr (detail::ReadsByAnother<classifier_type>) {
      return strategy_.strategy().classify(error);
    } else if (auto const verdict = detail::by_casting(detail::classifier_of(strategy_), error, catches{})) {
      return verdict;
    } else {
      return of_unknown();
    }
#else
    return std::nullopt;
#endif
  }
  [[nodiscard]] std::optional<directive> on_other_exception(
      [[maybe_unused]] std::exception_ptr const& error) const override {
#if ANEW_EXCEPTIONS
    if constexpr (detail::ReadsByAnother<classifier_type>) return strategy_.strategy().classify(error);
#if defined(__cpp_rtti)
    // If all clauses are for exceptions derived from std::exception, none matches: no need to rethrow.
    if constexpr (detail::all_derive_from_exception<catches>) return of_unknown();
#endif
    std::optional<directive> verdict;
    return detail::guarded<catches>([&error]() -> std::optional<directive> { std::rethrow_exception(error); },
                                    [&]<class E>(E const& caught) {
                                      if constexpr (std::is_same_v<E, unknown_exception>) {
                                        verdict = of_unknown();
                                      } else if constexpr (ClassifierOf<classifier_type, E>) {
                                        // Of a parameter, because clang looks for the member before it knows E.
                                        verdict = [&caught](auto const& classifier) {
                                          return classifier.classify(caught);
                                        }(detail::classifier_of(strategy_));
                                      }
                                      return true;
                                    },
                                    [&verdict] { return verdict; });
#else
    return std::nullopt;
#endif
  }
  [[nodiscard]] std::optional<directive> of_unknown() const {
    if constexpr (ClassifierOf<classifier_type, unknown_exception>) {
      directive const verdict = detail::classifier_of(strategy_).classify(unknown_exception{});
      if (!verdict.is_unclassified()) return verdict;
    }
    return std::nullopt;
  }

  [[nodiscard]] admission_answer on_admit([[maybe_unused]] retry_token& token,
                                          [[maybe_unused]] now_view now) const override {
    if constexpr (detail::HasAdmission<Strategy>) return strategy_.admit(state_of<own_token>(token), now);
    return {};
  }
  [[nodiscard]] duration on_attempt_timeout([[maybe_unused]] duration remaining) const override {
    if constexpr (detail::HasAttemptTimeout<Strategy>) return strategy_.attempt_timeout().of(remaining);
    return duration::max();
  }
  [[nodiscard]] time_point on_now() const override { return detail::now_of(strategy_); }
  void on_event(observed_call& call, observed_event const& event, now_view now) const override {
    detail::tell_behind<known_types>(strategy_, call, event, now);
  }
  void on_enter([[maybe_unused]] attempt_scope& scope) const override {
    if constexpr (detail::ViewsAnother<Strategy>) {
      strategy_.strategy().enter(scope);  // in the one room, however many views there are
    } else if constexpr (detail::HasNesting<Strategy>) {
      scope.keep([this] { return strategy_.nesting().enter(strategy_.quota()); });
    }
  }

  Strategy strategy_{};
};

template <RetryStrategy Strategy>
virtual_strategy(Strategy) -> virtual_strategy<Strategy>;
template <class... Policies>
virtual_strategy(Policies&&...)
    -> virtual_strategy<typename detail::strategy_of_policies<(sizeof...(Policies) > 0 &&
                                                               (DeclaresRole<std::remove_cvref_t<Policies>> && ...)),
                                                              std::remove_cvref_t<Policies>...>::type>;

}  // namespace anew::inline ANEW_ABI

#endif
