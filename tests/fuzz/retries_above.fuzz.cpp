// SPDX-License-Identifier: BSL-1.0

// What must hold of the field `anew-retries-above` for every input. The whole input is the value of the field.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "anew/policies/nesting/retries_above.hpp"

#include "law.hpp"

namespace {

using fuzz::require;

// An independent reading of one number: as text, with no integer type to overflow.
std::uint32_t read_as_text(std::string_view one) {
  auto const first = one.find_first_not_of(" \t");
  if (first == std::string_view::npos) return 0;
  one = one.substr(first, one.find_last_not_of(" \t") - first + 1);
  if (one.find_first_not_of("0123456789") != std::string_view::npos) return 0;
  std::string digits{
      one.substr(one.find_first_not_of('0') == std::string_view::npos ? one.size() : one.find_first_not_of('0'))};
  if (digits.size() > 10 || (digits.size() == 10 && digits > "4294967295")) return 4'294'967'295;
  return digits.empty() ? 0 : static_cast<std::uint32_t>(std::strtoull(digits.c_str(), nullptr, 10));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // Not copied to a string: its terminator would hide a read past the end.
  std::string_view const text{reinterpret_cast<char const*>(data), size};
  auto const above = anew::retries_above::read(text);
  bool const is_blank = text.find_first_not_of(" \t") == std::string_view::npos;
  require(above.is_nested() != is_blank, "a value says nested, and a blank one that there is no field");
  std::string const ended{text.substr(0, text.find('\0'))};
  require(anew::retries_above::read(ended.c_str()) == anew::retries_above::read(ended),
          "a pointer is read as its text");
  if (is_blank) {
    require(above == anew::retries_above{}, "no field says no retries");
    return 0;
  }
  std::uint32_t most = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    auto const comma = text.find(',', begin);
    auto const end = comma == std::string_view::npos ? text.size() : comma;
    auto const number = read_as_text(text.substr(begin, end - begin));
    most = number > most ? number : most;
    begin = end + 1;
  }
  require(above.retries() == most, "the largest number counts");
  require(anew::retries_above::read(above.value()) == above, "what is written is read as the same");
  require(above.value() == std::to_string(most), "a number is written as it is");
  return 0;
}
