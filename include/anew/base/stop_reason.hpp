// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_STOP_REASON_HPP
#define ANEW_BASE_STOP_REASON_HPP

#include <cstdint>

#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// Why a call ended. `retry_outcome()` and a refused `refresh_retry_token()` return it.
/// Remedies: docs/how_to/why_is_it_not_retried.md
enum class stop_reason : std::uint8_t {
  succeeded,       ///< the last attempt succeeded
  not_retryable,   ///< the classifier said that another attempt cannot help
  unclassified,    ///< the attempt threw an exception of a type that the classifier does not read
  not_idempotent,  ///< the failed attempt may have taken effect, and the operation is not declared `idempotent`
  not_replayable,  ///< the operation cannot run again: a `one_shot`, or a body that is used up
  attempts,        ///< the last permitted attempt failed
  nested,          ///< this call was made inside another call's attempt, which does the retrying
  quota,           ///< the shared budget for retries is spent
  deadline,        ///< the next attempt would begin too late, or the deadline ended the last one
  hint_too_long,   ///< the server asked for a longer wait than the strategy permits
  gate_closed,     ///< the gate refused the attempt: an open circuit, a destination that cools down
  rate_limited,    ///< the rate is exceeded, and the pacer does not make attempts wait
  cancelled,       ///< a stop was requested
};

/// The reason as one word, for logs. Never fails.
[[nodiscard]] constexpr char const* to_string(stop_reason reason) noexcept {
  return detail::name_in({"succeeded", "not_retryable", "unclassified", "not_idempotent", "not_replayable", "attempts",
                          "nested", "quota", "deadline", "hint_too_long", "gate_closed", "rate_limited", "cancelled"},
                         reason);
}

}  // namespace anew::inline ANEW_ABI

#endif
