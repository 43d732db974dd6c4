// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DESCRIBE_HPP
#define ANEW_DESCRIBE_HPP

#include <concepts>
#include <string>
#include <string_view>

#include "anew/basic_strategy.hpp"
#include "anew/roles.hpp"

namespace anew {

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
  if constexpr (std::same_as<P, absent<roles::clock>>) {
    return "steady_clock";
  } else if constexpr (std::same_as<P, absent<roles::random_source>>) {
    return "thread_random";
  } else if constexpr (is_absent<P>) {
    return "none";
  } else if constexpr (requires {
                         { policy.describe() } -> std::convertible_to<std::string>;
                       }) {
    return policy.describe();
  } else {
    return std::string{detail::type_name<P>()};
  }
}

}  // namespace detail

/// One line of text that names every role of a strategy, the absent ones too, so that a quota that nobody composed is
/// seen: "backoff=exponential(50ms,20s) jitter=full_jitter quota=unlimited_quota … deadline=none …".
///
/// Values are those of this object. A policy says it with `std::string describe() const`, else by its type's name.
/// Cost: allocates; for logs and tests.
template <class... Ps>
[[nodiscard]] std::string describe(basic_strategy<Ps...> const& strategy) {
  std::string text;
  auto const add = [&text](std::string_view role, auto const& policy) {
    if (!text.empty()) text += ' ';
    text.append(role).append("=").append(detail::describe_policy(policy));
  };
  add("backoff", strategy.backoff());
  add("jitter", strategy.jitter());
  add("quota", strategy.quota());
  add("classifier", strategy.classifier());
  add("max_attempts", strategy.max_attempts());
  add("hint", strategy.hint());
  add("deadline", strategy.deadline());
  add("observer", strategy.observer());
  add("clock", strategy.clock());
  add("random_source", strategy.random_source());
  return text;
}

/// The same for a strategy whose policies need no values: `describe<fast>()`.
template <class Strategy>
  requires std::default_initializable<Strategy>
[[nodiscard]] std::string describe() {
  return anew::describe(Strategy{});
}

}  // namespace anew

#endif
