// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_REFUND_HPP
#define ANEW_POLICIES_QUOTA_REFUND_HPP

#include <cstdint>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// The tokens that a success returns to a `token_bucket`.
struct refund {
  std::uint32_t num = 1;
  std::uint32_t den = 1;
  bool returns_last_cost = true;  ///< returns the price of the call's last retry, and num/den only when that was zero

  /// Returns the price of the call's last retry; `otherwise` after a call without a retry, or with a retry that cost
  /// nothing.
  [[nodiscard]] static constexpr refund last_cost(std::uint32_t otherwise = 1) noexcept { return {otherwise, 1, true}; }
  /// The same number of tokens for every success, whether the call retried or not.
  [[nodiscard]] static constexpr refund fixed(std::uint32_t tokens) noexcept { return {tokens, 1, false}; }
  /// num/den of a token for every success, whether the call retried or not. Requires: den > 0
  [[nodiscard]] static constexpr refund fraction(std::uint32_t num, std::uint32_t den) noexcept {
    return {num, den, false};
  }

  friend constexpr bool operator==(refund const&, refund const&) = default;
};

}  // namespace anew::inline ANEW_ABI

#endif
