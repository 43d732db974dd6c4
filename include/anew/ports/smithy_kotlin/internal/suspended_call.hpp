// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_INTERNAL_SUSPENDED_CALL_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_INTERNAL_SUSPENDED_CALL_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#if ANEW_EXCEPTIONS

#include <exception>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/next_step.hpp"
#include "anew/ports/smithy_kotlin/retry_policy.hpp"
#include "anew/ports/smithy_kotlin/retry_strategy.hpp"
#include "anew/ports/smithy_kotlin/standard_retry_strategy.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin::detail {

using composed_call = decltype(detail::compose_call(std::declval<parts_of_call&>(),
                                                    std::declval<standard_retry_strategy_options const&>()));

/// The strategy of one call that suspends, for the drivers of every other strategy. It keeps the outcomes
/// (anew/drivers/internal/read_result.hpp), because the policy reads a whole attempt_result. `Policy` is a reference or a
/// value.
template <class R, class Policy>
class suspended_call : public composed_call {
  struct state {
    parts_of_call parts;
    Policy policy;
    std::optional<attempt_result<R>> last{};
    bool is_late = false;
  };

 public:
  using kept_type = std::conditional_t<std::is_void_v<R>, anew::detail::void_result, R>;
  static constexpr bool ends_late_attempts = true;

  suspended_call(standard_retry_strategy const& of, Policy policy)
      : suspended_call{of.options(),
                       std::unique_ptr<state>{new state{of.make_parts(), static_cast<Policy&&>(policy)}}} {}

  /// Whether the time of the call ended its attempt.
  [[nodiscard]] bool& is_late() const noexcept { return state_->is_late; }
  template <class Make>
  void hold(Make&& make) const {
    state_->is_late = false;
    if constexpr (std::is_void_v<R>) {
      make();
      state_->last = attempt_result<R>::success();
    } else {
      state_->last.reset();
      state_->last = attempt_result<R>::success(std::forward<Make>(make)());
    }
  }
  void hold_exception(std::exception_ptr thrown) const { state_->last = attempt_result<R>::failure(std::move(thrown)); }
  /// An exception of the policy ends the call, and the attempt counts as failed.
  next_step report(auto& call, auto&... which) const {
    auto verdict = directive::fail();
    try {
      auto const said = state_->policy.evaluate(*state_->last);
      detail::tell_hooks(state_->parts, said);
      verdict = directive_reader::classify(said);
    } catch (...) {
      state_->parts.threw = std::current_exception();
    }
    return call.on_verdict(which..., verdict);
  }
  /// The time of the call is over, as only that limits an attempt. The last result stays that of the attempt before.
  [[nodiscard]] directive judge_late() const {
    state_->is_late = true;
    return directive::fail();
  }
  static next_step tell(auto const& /*call*/, next_step step) noexcept { return step; }

  kept_type give(auto const& call) const {
    auto& it = *state_;
    it.parts.end(call.attempts());
    if (it.parts.threw) std::rethrow_exception(it.parts.threw);
    auto const reason = it.is_late ? stop_reason::deadline : call.reason();
    if (reason != stop_reason::succeeded) {
      throw_retry_failure(reason, call.attempts(), it.last ? kept_result{*std::move(it.last)} : kept_result{});
    }
    if constexpr (std::is_void_v<R>) {
      return {};
    } else {
      return (*std::move(it.last)).value();
    }
  }
  auto complete(auto const& call) const {
    std::conditional_t<std::is_void_v<R>, std::tuple<std::exception_ptr>, std::tuple<std::exception_ptr, kept_type>>
        given{};
    try {
      auto result = give(call);
      if constexpr (!std::is_void_v<R>) std::get<1>(given) = std::move(result);
    } catch (...) {
      std::get<0>(given) = std::current_exception();
    }
    return given;
  }

 private:
  suspended_call(standard_retry_strategy_options const& options, std::unique_ptr<state> it)
      : composed_call{detail::compose_call(it->parts, options)}, state_{std::move(it)} {}

  std::unique_ptr<state> state_;
};

/// How a call holds its policy.
template <class Policy>
using held_policy = std::conditional_t<std::is_lvalue_reference_v<Policy>, std::remove_cvref_t<Policy> const&,
                                       std::remove_cvref_t<Policy>>;

}  // namespace anew::inline ANEW_ABI::smithy_kotlin::detail

#endif  // ANEW_EXCEPTIONS
#endif
