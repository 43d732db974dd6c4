// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_VALUE_INTERNAL_TEXT_HPP
#define ANEW_VALUE_INTERNAL_TEXT_HPP

#include <concepts>
#include <string>

#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/rational.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A policy with `describe()`.
template <class P>
concept DescribesItself = requires(P const& policy) {
  { policy.describe() } -> std::convertible_to<std::string>;
};

/// A duration in the largest unit that keeps it whole: "20s", "1500ms", "7ns".
inline std::string to_text(duration d) {
  auto const ticks = d.count();
  if (ticks % 1'000'000'000 == 0) return std::to_string(ticks / 1'000'000'000) + "s";
  if (ticks % 1'000'000 == 0) return std::to_string(ticks / 1'000'000) + "ms";
  if (ticks % 1'000 == 0) return std::to_string(ticks / 1'000) + "us";
  return std::to_string(ticks) + "ns";
}

/// "2", "3/2".
inline std::string to_text(rational value) {
  auto text = std::to_string(value.num);
  if (value.den != 1) text.append("/").append(std::to_string(value.den));
  return text;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
