// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_LIMITS_HPP
#define ANEW_PORTS_AWS_LIMITS_HPP

#include <cstddef>

#include "anew/base/platform/compiler.hpp"

/// The limits of a shared file; a larger file is not a configuration. docs/reference/limits.md lists all limits of
/// foreign input.
namespace anew::inline ANEW_ABI::aws_settings::file_limits {

inline constexpr std::size_t bytes = 4'194'304;     ///< of the file
inline constexpr std::size_t line_bytes = 65'536;   ///< of one line, without its end
inline constexpr std::size_t properties = 100'000;  ///< of all profiles together, and their sections

}  // namespace anew::inline ANEW_ABI::aws_settings::file_limits

#endif
