// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OBSERVER_LINE_SINK_HPP
#define ANEW_POLICIES_OBSERVER_LINE_SINK_HPP

#include <concepts>
#include <string_view>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/observer/severity.hpp"

/// The common part of observers that write lines: the destination of a line.
namespace anew::inline ANEW_ABI::detail {

template <class Sink>
concept TakesLines = std::invocable<Sink const&, std::string_view>;
template <class Sink>
concept TakesLinesWithSeverity = std::invocable<Sink const&, severity, std::string_view>;

template <class Sink>
inline constexpr bool sink_takes_lines = TakesLines<Sink> || TakesLinesWithSeverity<Sink>;

template <class Sink>
constexpr void write_line(Sink const& sink, severity how_loud, std::string_view line) {
  if constexpr (TakesLinesWithSeverity<Sink>) {
    sink(how_loud, line);
  } else if constexpr (TakesLines<Sink>) {
    sink(line);
  }
}

/// Called in the policy's own `explain()`, no deeper, because each nested call adds three lines to clang's output.
template <class Sink>
consteval void explain_sink() {
  static_assert(sink_takes_lines<Sink>,
                "anew::timeline and anew::json_lines require a sink that is callable as 'sink(std::string_view) const' "
                "or 'sink(anew::severity, std::string_view) const'; this sink is not. Is it a mutable lambda, or does "
                "it take a std::string?");
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
