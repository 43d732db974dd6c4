// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_FIXED_TEXT_HPP
#define ANEW_BASE_FIXED_TEXT_HPP

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// A text as a template argument.
template <std::size_t N>
struct fixed_text {
  char characters[N];
  constexpr fixed_text(char const (&text)[N]) { std::copy_n(text, N, characters); }  // NOLINT(*-explicit-*)
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {characters, N - 1}; }
};

}  // namespace anew::inline ANEW_ABI

#endif
