// SPDX-License-Identifier: BSL-1.0

// What must hold of a strategy as text, for every input. The whole input is the text.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "strategy_text.hpp"

namespace {

void require(bool holds, char const* law) {
  if (holds) return;
  std::fprintf(stderr, "law broken: %s\n", law);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // Not copied to a string: its terminator would hide a read past the end.
  std::string_view const text{reinterpret_cast<char const*>(data), size};
  auto read = anew_get::read_strategy(text);
  if (auto const* const fault = std::get_if<anew_get::strategy_fault>(&read)) {
    require(!fault->what.empty(), "a fault says what is wrong");
    require(fault->at <= size && fault->length <= size - fault->at, "a fault points into the text");
    auto const lines = in_lines(*fault, text);
    std::size_t breaks = 0;
    for (char const c : lines) breaks += c == '\n' ? 1 : 0;
    require(breaks == 2 && lines.find('^') != std::string::npos, "a fault is told in three lines, whatever is in it");
    return 0;
  }
  auto const said = describe(std::move(std::get<anew_get::strategy_choice>(read).policies));
  auto again = anew_get::read_strategy(said);
  require(std::holds_alternative<anew_get::strategy_choice>(again), "what a strategy says of itself can be read");
  require(describe(std::move(std::get<anew_get::strategy_choice>(again).policies)) == said,
          "what is read of what a strategy says of itself says the same");
  return 0;
}
