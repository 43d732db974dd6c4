// SPDX-License-Identifier: BSL-1.0

// What must hold of a strategy as text, for every input. The whole input is the text.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "anew/strategy/describe.hpp"
#include "anew/text/read_strategy.hpp"

#include "law.hpp"

namespace {

using fuzz::require;

using all_words =
    anew::join_words<anew::core_words, anew::attempt_timeout_words, anew::pacer_words, anew::reset_words,
                     anew::nesting_words, anew::striped_words, anew::random_source_words, anew::clock_words,
                     anew::words::http_status, anew::words::grpc_status, anew::words::error_code>;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // Not copied to a string: its terminator would hide a read past the end.
  std::string_view const text{reinterpret_cast<char const*>(data), size};
  auto const read = anew::read_strategy<all_words>(text);
  if (!read) {
    auto const& fault = read.error();
    require(!fault.what.empty(), "a fault says what is wrong");
    require(fault.at <= size && fault.length <= size - fault.at, "a fault points into the text");
    auto const lines = anew::in_lines(fault, text);
    std::size_t breaks = 0;
    for (char const c : lines) breaks += c == '\n' ? 1 : 0;
    require(breaks == 2 && lines.find('^') != std::string::npos, "a fault is told in three lines, whatever is in it");
    return 0;
  }
  auto const said = anew::describe(*read);
  auto const again = anew::read_strategy<all_words>(said);
  require(again.has_value(), "what a strategy says of itself can be read");
  require(anew::describe(*again) == said, "what is read of what a strategy says of itself says the same");
  return 0;
}
