// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_ADJUSTED_HPP
#define ANEW_RUN_TIME_VIRTUAL_ADJUSTED_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/roles/internal/ask_gate.hpp"
#include "anew/roles/roles.hpp"
#include "anew/run_time/virtual/internal/adjustments.hpp"
#include "anew/run_time/virtual/retry_strategy.hpp"
#include "anew/run_time/virtual/strategy_view.hpp"
#include "anew/run_time/virtual/virtual_strategy.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/strategy/internal/explain.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// Another strategy with adjustments: it issues that strategy's tokens under its own number, and reads errors and tells
/// events as a view of that strategy does.
class ANEW_VISIBLE adjusted_base : public virtual_strategy<strategy_view> {
 public:
  [[nodiscard]] strategy_wishes wishes() const noexcept override {
    auto wishes = virtual_strategy::wishes();
    wishes.limits = wishes.limits || static_cast<bool>(on_.by.timeout);
    return wishes;
  }
  [[nodiscard]] std::uint32_t max_attempts() const noexcept override {
    return on_.by.max_attempts ? on_.by.max_attempts() : virtual_strategy::max_attempts();
  }

 protected:
  explicit adjusted_base(retry_strategy const& of) : adjusted_base{of.on_base()} {}

  /// A strategy that decides by itself takes no other limit of attempts and no other backoff.
  void require_adjustable() const {
    if (on_.is_adjustable || (!on_.by.max_attempts && !on_.by.delay)) return;
    detail::throw_invalid_argument(
        "anew::adjusted(strategy, policies...) requires a strategy made of policies where max_attempts or a backoff is "
        "replaced; this strategy, " +
        describe() + ", decides by itself. Replace its deadline or attempt_timeout alone");
  }

  base on_;

 private:
  explicit adjusted_base(base const& on) : virtual_strategy{strategy_view{*on.strategy}}, on_{on} {}

  retry_token on_acquire() const override {
    auto token = on_.strategy->on_acquire();
    renumber(token);
    if (on_.by.total) {
      ends_at(token, saturating_add(on_.strategy->on_now(), on_.by.total()));
      on_.strategy->on_adjusted(token, on_.by);
    }
    return token;
  }
  decision on_decide(retry_token& token, failure const& what, follows after, adjustments const& /*by*/) const override {
    auto const end = token.deadline();
    auto answer = on_.strategy->on_decide(token, what, after, on_.by);
    renumber(token);
    if (!on_.by.fit) return answer;
    if (answer) ends_at(token, end);
    if (on_.is_adjustable) return answer;
    auto const delay = answer ? token.delay() : answer.wait_before_end;
    auto const fitting = on_.by.fit(delay, saturating_subtract(end, on_.strategy->on_now()));
    if (!answer) {
      answer.wait_before_end = fitting.value_or(duration::zero());
      return answer;
    }
    if (!fitting || is_before_hint(*fitting, token.delay(), answer.origin, what.hint)) return {stop_reason::deadline};
    if (*fitting < token.delay()) answer.origin = delay_origin::deadline;
    proceed(token, token.attempt(), *fitting, answer.origin);
    return answer;
  }
  void on_success(retry_token&& token) const override { on_.strategy->on_success(std::move(token)); }

  [[nodiscard]] admission_answer on_admit(retry_token& token, now_view now) const override {
    auto const answer = on_.strategy->on_admit(token, now);
    if (!on_.by.fit || answer.wait <= duration::zero()) return answer;
    auto const fitting = on_.by.fit(answer.wait, saturating_subtract(token.deadline(), now));
    return fitting && *fitting >= answer.wait ? answer : admission_answer{{}, stop_reason::deadline};
  }
  [[nodiscard]] duration on_attempt_timeout(duration remaining) const override {
    return on_.by.timeout ? on_.by.timeout(remaining) : on_.strategy->on_attempt_timeout(remaining);
  }
  [[nodiscard]] base on_base() const noexcept override { return on_; }
};

template <class Role>
inline constexpr bool is_adjusted_from_outside =
    std::is_same_v<Role, roles::max_attempts> || std::is_same_v<Role, roles::backoff> ||
    std::is_same_v<Role, roles::deadline> || std::is_same_v<Role, roles::attempt_timeout>;
template <class P>
inline constexpr bool counts_by_kind = LimitsByKind<P> || (DelaysByKind<P> && !CountsNothingByKind<P>);
template <class P>
inline constexpr bool can_replace_from_outside = is_adjusted_from_outside<typename P::role> && !counts_by_kind<P>;

/// Explains what cannot be replaced behind the virtual interface.
template <class... Ps>
consteval bool explain_adjustment() {
  if constexpr (!((explainer_of<Ps>::template explain<Ps>(), own_explainer_of<Ps>::explain(), SoundPolicy<Ps>) &&
                  ...)) {
    return false;
  } else if constexpr (!detail::explain_replacement<Ps...>()) {
    return false;
  } else if constexpr (!(can_replace_from_outside<Ps> && ...)) {
    static_assert((can_replace_from_outside<Ps> && ...),
                  "anew::adjusted(retry_strategy, policies...) requires policies of the roles max_attempts, backoff, "
                  "deadline and attempt_timeout that do not count by kind of error; a strategy behind the interface "
                  "keeps its other policies. Compose that policy into the strategy itself");
    return false;
  } else {
    return detail::explain_part(part_of_own_deadline<Ps...>{});
  }
}

template <class... Ps>
class ANEW_VISIBLE adjusted_strategy final : public adjusted_base {
 public:
  template <class... Policies>
  explicit adjusted_strategy(retry_strategy const& of, Policies&&... policies)
      : adjusted_base{of}, policies_{std::forward<Policies>(policies)...} {
    std::apply([&](Ps const&... by) { (this->on_.by.take(by), ...); }, policies_);
    this->require_adjustable();
  }

  [[nodiscard]] std::string describe() const override {
    std::string text = adjusted_base::describe() + " adjusted(";
    std::apply([&](Ps const&... by) { ((text += describe_policy(by) + ' '), ...); }, policies_);
    if (text.back() == ' ') text.pop_back();
    return text += ')';
  }

 private:
  std::tuple<Ps...> policies_;
};

}  // namespace detail

/// Makes a strategy for one call, or a few: these policies replace those of `strategy`, whatever its type; all else is
/// that strategy's: quota, gate, pacer, classifier, clock, observer.
///
///     auto const patient = anew::adjusted(*strategy, anew::max_attempts{8}, anew::deadline{30s});
///     anew::retry(anew::strategy_view{patient}, operation);
///
/// Requires: `strategy` outlives it. Roles: max_attempts, backoff, deadline, attempt_timeout
/// Throws: `std::invalid_argument` for max_attempts or a backoff where a class of your own decides by itself
/// Cost: a further virtual call for each function; no allocation
/// Choose it where the strategy is chosen at run time and the operation decides about attempts and time. Where you know
/// the type: adjusted() of the strategy itself, which replaces any policy.
/// Source: aws-sdk-java-v2 `RetryStrategy.toBuilder`, smithy-kotlin `RetryStrategy` with another config
template <class... Policies>
[[nodiscard]] auto adjusted(retry_strategy const& strategy, Policies&&... policies) {
  if constexpr (detail::explain_adjustment<std::remove_cvref_t<Policies>...>()) {
    return detail::adjusted_strategy<std::remove_cvref_t<Policies>...>{strategy, std::forward<Policies>(policies)...};
  } else {
    return detail::ill_formed_strategy{};
  }
}
// Compilers print the line of a deleted function, and with it the comment on that line.
template <class... Policies>
int adjusted(retry_strategy const&& gone,  // anew: the result refers to a strategy that you keep
             Policies&&...) = delete;

}  // namespace anew::inline ANEW_ABI

#endif
