// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_MAKE_STRATEGY_HPP
#define ANEW_PORTS_AWS_MAKE_STRATEGY_HPP

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/ports/aws/settings.hpp"
#include "anew/presets/aws/retry_mode.hpp"
#include "anew/presets/aws/standard.hpp"
#include "anew/run_time/virtual/retry_strategy.hpp"
#include "anew/run_time/virtual/virtual_strategy.hpp"
#include "anew/strategy/strategy.hpp"

namespace anew::inline ANEW_ABI::aws_settings {

namespace detail {

// Unconfigured settings make the same strategies as the presets.
template <class Preset>
inline constexpr std::uint32_t attempts_of = typename Preset::max_attempts_type{}.value();
static_assert(attempts_of<aws::legacy> ==
              default_attempts(aws::retry_mode::legacy, aws::generation::v2026, service::any));
static_assert(attempts_of<aws::standard> ==
              default_attempts(aws::retry_mode::standard, aws::generation::v2026, service::any));
static_assert(attempts_of<aws::standard_2020> ==
              default_attempts(aws::retry_mode::standard, aws::generation::v2020, service::dynamodb));
static_assert(attempts_of<aws::adaptive> ==
              default_attempts(aws::retry_mode::adaptive, aws::generation::v2026, service::long_polling));
static_assert(attempts_of<aws::dynamodb> ==
              default_attempts(aws::retry_mode::standard, aws::generation::v2026, service::dynamodb));

/// The policies of a service instead of the mode's: backoff of DynamoDB, quota of an operation that waits for work.
using adaptive_dynamodb = with<aws::adaptive, aws::dynamodb::backoff_type>;
using adaptive_long_polling = with<aws::adaptive, aws::long_polling::quota_type>;

}  // namespace detail

/// Calls `visitor` with the strategy of the settings: a preset of `anew::aws` with these attempts, as an rvalue.
///
///     visit_strategy(resolve(), [](auto strategy) { return run(strategy); });
///
/// | mode     | v2026                                       | v2020                |
/// |----------|---------------------------------------------|----------------------|
/// | standard | `standard`, or the service's own: `dynamodb`, `long_polling` | `standard_2020` |
/// | adaptive | `adaptive`, with the service's own policies | `adaptive_2020`      |
/// | legacy   | `legacy`                                    | `legacy`             |
///
/// `policies` replace the preset's: a classifier of your errors, a clock, a quota that is shared.
///
/// Requires: the visitor returns the same type for every strategy
/// Cost: one visitor for each of nine types of strategy, of which one is called
template <class Visitor, class... Policies>
decltype(auto) visit_strategy(settings const& s, Visitor&& visitor, Policies&&... policies) {
  auto const visit = [&]<class Preset>(std::type_identity<Preset>) -> decltype(auto) {
    using strategy = with<Preset, decltype(max_attempts{s.max_attempts.value}), std::remove_cvref_t<Policies>...>;
    return std::forward<Visitor>(visitor)(
        strategy{max_attempts{s.max_attempts.value}, std::forward<Policies>(policies)...});
  };
  if (s.mode.value == aws::retry_mode::legacy) return visit(std::type_identity<aws::legacy>{});
  bool const is_adaptive = s.mode.value == aws::retry_mode::adaptive;
  if (s.generation.value == aws::generation::v2020)
    return is_adaptive ? visit(std::type_identity<aws::adaptive_2020>{})
                       : visit(std::type_identity<aws::standard_2020>{});
  switch (s.for_service) {
    case service::dynamodb:
      return is_adaptive ? visit(std::type_identity<detail::adaptive_dynamodb>{})
                         : visit(std::type_identity<aws::dynamodb>{});
    case service::long_polling:
      return is_adaptive ? visit(std::type_identity<detail::adaptive_long_polling>{})
                         : visit(std::type_identity<aws::long_polling>{});
    case service::any: break;
  }
  return is_adaptive ? visit(std::type_identity<aws::adaptive>{}) : visit(std::type_identity<aws::standard>{});
}

/// The strategy of `visit_strategy()` behind one type, driven by `anew::retry(anew::strategy_view{*strategy}, operation)`.
/// `Errors` are types that your operations return, in addition to `aws::error`: see `virtual_strategy`.
/// `make_strategy<my_error>(resolve())`
template <class... Errors, class... Policies>
[[nodiscard]] std::unique_ptr<retry_strategy> make_strategy(settings const& s, Policies&&... policies) {
  if constexpr ((anew::detail::explain_behind_interface<std::remove_cvref_t<Policies>>() && ...)) {
    return visit_strategy(
        s,
        []<class Strategy>(Strategy&& strategy) -> std::unique_ptr<retry_strategy> {
          return std::make_unique<virtual_strategy<std::remove_cvref_t<Strategy>, Errors...>>(
              std::forward<Strategy>(strategy));
        },
        std::forward<Policies>(policies)...);
  } else {
    return nullptr;
  }
}

}  // namespace anew::inline ANEW_ABI::aws_settings

namespace anew::inline ANEW_ABI {

using aws_settings::make_strategy;  // one name for all settings: see anew/text/make_strategy.hpp

}  // namespace anew::inline ANEW_ABI

#endif
