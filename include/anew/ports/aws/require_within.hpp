// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_REQUIRE_WITHIN_HPP
#define ANEW_PORTS_AWS_REQUIRE_WITHIN_HPP

#include <string>
#include <string_view>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/bounds/bounds_of.hpp"
#include "anew/bounds/limits.hpp"
#include "anew/ports/aws/make_strategy.hpp"
#include "anew/ports/aws/settings.hpp"
#include "anew/presets/aws/retry_mode.hpp"

namespace anew::inline ANEW_ABI::aws_settings {

/// Refuses settings whose strategy promises less than you demand: `require_within(settings, {.attempts = 5});`. `policies`
/// are those that you pass to `visit_strategy` or `make_strategy`.
///
/// Throws `config_error` with the file and the line, or the variable, of the setting to blame: of `max_attempts` where the
/// attempts are too many, of `retry_mode` otherwise
template <class... Policies>
void require_within(settings const& s, limits const& demanded, Policies&&... policies) {
  auto const found = visit_strategy(
      s, [&](auto const& strategy) { return anew::detail::first_shortfall(bounds(strategy), demanded); },
      std::forward<Policies>(policies)...);
  if (found.size == 0) return;
  bool const too_many = std::string_view{found.role} == "max_attempts";
  auto const& from = too_many ? s.max_attempts.from : s.mode.from;
  auto const value = too_many ? std::to_string(s.max_attempts.value) : std::string{aws::to_string(s.mode.value)};
  anew::detail::raise(config_error{
      config_error_kind::falls_short, from.kind == origin_kind::file ? from.name : from.describe(), from.line,
      too_many ? "max_attempts" : "retry_mode", value, std::string_view{found.text, found.size}});
}

}  // namespace anew::inline ANEW_ABI::aws_settings

#endif
