// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_HTTP_ANSWER_LIMITS_HPP
#define ANEW_BRIDGES_HTTP_ANSWER_LIMITS_HPP

#include <cstddef>
#include <cstdint>

#include "anew/base/platform/compiler.hpp"

/// How much of an HTTP answer is read before its body, over every bridge. An answer beyond a limit is final: the server would
/// send it again.
namespace anew::inline ANEW_ABI {

/// The heads of one answer together, in bytes: its own and those of the 1xx before it. Over libcurl its trailers count too.
inline constexpr std::uint32_t most_head_bytes = 65'536;

/// How many 1xx answers may come before the answer itself.
inline constexpr std::size_t most_informational = 100;

}  // namespace anew::inline ANEW_ABI

#endif
