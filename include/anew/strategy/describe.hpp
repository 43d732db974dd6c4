// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_DESCRIBE_HPP
#define ANEW_STRATEGY_DESCRIBE_HPP

#include <concepts>
#include <string>
#include <string_view>

#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"
#include "anew/strategy/basic_strategy.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// The type's name as the compiler spells it, for policies that do not describe themselves.
template <class T>
constexpr std::string_view type_name() noexcept {
  std::string_view name{static_cast<char const*>(__PRETTY_FUNCTION__)};
  constexpr std::string_view before{"T = "};
  name.remove_prefix(name.find(before) + before.size());
  return name.substr(0, name.find_first_of(";]"));
}

template <class P>
std::string describe_policy(P const& policy) {
  if constexpr (DescribesItself<P>) return policy.describe();
  return std::string{detail::type_name<P>()};
}

/// A function of the policy alone, so that strategies share it.
template <class P>
void append_description(std::string& text, [[maybe_unused]] P const& policy) {
  if constexpr (!detail::is_absent<P>) {
    auto const words = detail::describe_policy(policy);
    if (!text.empty() && !words.empty()) text += ' ';
    text.append(words);
  }
}

}  // namespace detail

/// One line of text with the policies in the order of their roles, as you would write them: "exponential(50ms,20s)
/// full_jitter unlimited_quota retry_info max_attempts(3) server_hint(stop)". The first six roles are always there, so
/// that you notice a missing quota; an optional role only where you composed it.
///
/// The values are those of this object. A policy describes itself by `std::string describe() const`, else by its type's
/// name.
/// Cost: allocates; for logs and tests.
template <class... Ps>
[[nodiscard]] std::string describe(basic_strategy<Ps...> const& strategy) {
  std::string text;
  strategy.apply([&text](auto const&... policies) { (detail::append_description(text, policies), ...); });
  return text;
}

/// The same for a strategy whose policies need no values: `describe<fast>()`.
template <class Strategy>
  requires std::default_initializable<Strategy>
[[nodiscard]] std::string describe() {
  return anew::describe(Strategy{});
}

}  // namespace anew::inline ANEW_ABI

#endif
