// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PORTABLE_CODE_HPP
#define ANEW_BASE_PORTABLE_CODE_HPP

#include <string_view>
#include <system_error>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// The code of `std::system_category()` that means the same as a code of stand-alone Asio. Returns every other code
/// unchanged.
///
/// Stand-alone Asio reports the system's errors in its own category, with the system's numbers. Before Asio 1.38 that
/// category equals no `std::errc`, not even for a refused connection or a cancelled operation; since then it equals
/// those that Asio has a name for. `error_code_classifier`, `retry_on_codes` and the drivers ask this function before
/// they compare. Your own predicate gets Asio's code, which equals Asio's constants; call this function before you
/// compare with `std::errc`.
///
/// Cost: two compares of addresses for a code of the standard's own categories, else a virtual call and a compare of
/// names. It does not compare the category's address, which differs in a shared library that hides its symbols.
[[nodiscard]] inline std::error_code portable_code(std::error_code const& code) noexcept {
  auto const& category = code.category();
  if (category == std::generic_category() || category == std::system_category()) return code;
  if (std::string_view{category.name()} != "asio.system") return code;
  return {code.value(), std::system_category()};
}

}  // namespace anew::inline ANEW_ABI

#endif
