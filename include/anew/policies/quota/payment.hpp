// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_PAYMENT_HPP
#define ANEW_POLICIES_QUOTA_PAYMENT_HPP

#include <cstdint>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// The behaviour of a `token_bucket` with fewer tokens than a retry costs.
enum class payment : std::uint8_t {
  in_full,  ///< refuses, and takes nothing
  partial,  ///< takes the rest, and refuses when the bucket is empty; as aws-c-io does
};

}  // namespace anew::inline ANEW_ABI

#endif
