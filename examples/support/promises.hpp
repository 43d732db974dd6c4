// SPDX-License-Identifier: BSL-1.0
#ifndef EXAMPLES_SUPPORT_PROMISES_HPP
#define EXAMPLES_SUPPORT_PROMISES_HPP

#include <cstdio>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/bounds/bound.hpp"

/// Returns the promises of a strategy, in a line: "a wait of at most 60s (hint), 120s in a call; in the long run at most 1.42 attempts
/// per call". `known_quota`: the calls share the strategy's own quota.
inline std::string promises_in_words(anew::strategy_bounds const& b, bool known_quota = true) {
  auto const in_words = [](anew::bound<anew::duration> const& bound) {
    if (!bound.is_known()) return "without a bound (" + std::string{bound.by} + ")";
    return "of at most " + anew::detail::to_text(bound.value) +
           (*bound.by == 0 ? "" : " (" + std::string{bound.by} + ")");
  };
  auto text = "a wait " + in_words(b.wait) + ", waits " + in_words(b.waiting) + " in a call";
  auto const& load = b.quota.amplification;
  if (!known_quota || load.how == anew::certainty::unknown) return text;
  if (!load.is_known()) return text + "; attempts per call without a bound (" + load.by + ")";
  char number[32];
  std::snprintf(number, sizeof number, "%.2f", load.value);
  return text + "; in the long run at most " + number + " attempts per call (" + load.by + ")";
}

#endif
