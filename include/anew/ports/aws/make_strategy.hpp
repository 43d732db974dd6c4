// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_MAKE_STRATEGY_HPP
#define ANEW_PORTS_AWS_MAKE_STRATEGY_HPP

#include <memory>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/aws/settings.hpp"
#include "anew/ports/aws/visit_strategy.hpp"
#include "anew/run_time/virtual/retry_strategy.hpp"
#include "anew/run_time/virtual/virtual_strategy.hpp"

namespace anew::inline ANEW_ABI::aws_settings {

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
