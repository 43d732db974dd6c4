// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_BY_KIND_HPP
#define ANEW_POLICIES_BACKOFF_BY_KIND_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/backoff/counted_by_kind.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Selects a backoff by the kind of error, the last one for all other kinds, with one count for all of them:
/// `by_kind_backoff<for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>, exponential_backoff<50ms, 20s>>`.
///
/// The kind of the last failure selects the backoff, which is asked about the call's retry: a throttling after two
/// broken connections waits its backoff's delay before retry 3, 4 s here.
/// `by_kind_backoff{on_kind<error_kind::throttling>(exponential_backoff{1s, 20s}), constant_backoff{50ms}}` takes
/// values known at run time.
///
/// Models: Backoff (by kind)
/// Formula: delay = B(kind of the last failure)(failures of the call); cap = the largest cap
/// Requires: Backoffs, the one for all others last; no kind twice
/// Cost: that of the selected backoff; nothing in the token
/// Choose it where the base of the delay depends on the error, and its growth on all failures of the call. Not where
/// each kind of error has its own growth: counted_by_kind_backoff.
/// Source: AWS SDKs since 2026: base 50 ms, after throttling 1 s, the exponent counts all retries of the call
template <class... Rules>
class by_kind_backoff : public kinds::ruled_backoff<Rules...> {
 public:
  using role = roles::backoff;
  static constexpr bool needs_counts = false;
  using kinds::ruled_backoff<Rules...>::ruled_backoff;

  using kinds::ruled_backoff<Rules...>::delay;
  [[nodiscard]] constexpr duration delay(call_progress const& progress) const {
    return this->rules_.ask(progress.kind, progress.attempts, progress.attempts,
                            [](auto const& rule, std::uint32_t retry) { return rule.delay(retry); });
  }

  [[nodiscard]] std::string describe() const { return this->describe_as("by_kind"); }
};

template <class... Rules>
by_kind_backoff(Rules...) -> by_kind_backoff<Rules...>;

}  // namespace anew::inline ANEW_ABI

#endif
