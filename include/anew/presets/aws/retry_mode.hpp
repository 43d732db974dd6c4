// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_AWS_RETRY_MODE_HPP
#define ANEW_PRESETS_AWS_RETRY_MODE_HPP

#include <cstdint>

#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::aws {

/// The values of `retry_mode` and `AWS_RETRY_MODE`.
enum class retry_mode : std::uint8_t {
  legacy,    ///< what an SDK did before the modes; differs from SDK to SDK
  standard,  ///< three attempts, full jitter, a retry quota
  adaptive,  ///< `standard`, and a limit on how often the client sends at all
};

/// Which revision of the rules of a mode: `v2026` is what `AWS_NEW_RETRIES_2026=true` asks for.
enum class generation : std::uint8_t {
  v2020,  ///< base 1 s, a retry costs 5 and after a time-out 10
  v2026,  ///< base 50 ms and 1 s after throttling, a retry costs 14 and after throttling 5
};

/// The word in the shared config file and in the environment.
[[nodiscard]] constexpr char const* to_string(retry_mode mode) noexcept {
  return anew::detail::name_in({"legacy", "standard", "adaptive"}, mode);
}

[[nodiscard]] constexpr char const* to_string(generation revision) noexcept {
  return anew::detail::name_in({"v2020", "v2026"}, revision);
}

}  // namespace anew::inline ANEW_ABI::aws

#endif
