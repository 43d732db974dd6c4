// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_LIMITS_MAX_ATTEMPTS_BY_KIND_HPP
#define ANEW_POLICIES_LIMITS_MAX_ATTEMPTS_BY_KIND_HPP

#include <cstdint>
#include <string>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/for_kind.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// A limit for each kind of error that is named, and the last one for all others:
/// `max_attempts_by_kind<for_kind<error_kind::throttling, max_attempts<8>>, max_attempts<3>>`.
///
/// Each of them counts for itself: here the eighth throttling of a call ends it, and so does the third failure of all
/// other kinds together, whichever comes first. So the limits add up: at most 7 + 2 retries.
/// `max_attempts_by_kind{on_kind<error_kind::throttling>(max_attempts{n}), max_attempts{3}}` takes values known at run
/// time.
///
/// Models: MaxAttempts (by kind)
/// Formula: another attempt when M(kind) permits one after as many as the failures of the kinds that belong to M
/// Requires: MaxAttempts, the one for all others last; no kind twice
/// Cost: 20 bytes in the token, to count by
/// Choose it where some errors are worth more patience than others. Not to bound the call as a whole: a deadline.
/// Source: AWS Step Functions retriers, each with its own counter.
template <class... Rules>
class max_attempts_by_kind : public kinds::ruled<roles::max_attempts, Rules...> {
 public:
  using role = roles::max_attempts;
  using kinds::ruled<roles::max_attempts, Rules...>::ruled;

  [[nodiscard]] constexpr bool permits_another(call_progress const& progress) const {
    return this->ask_with_own_count(
        progress, [](auto const& rule, std::uint32_t failed) { return rule.permits_another(failed); });
  }
  /// As if no failure was of a kind that is named.
  [[nodiscard]] constexpr bool permits_another(std::uint32_t made) const {
    return this->rules_.fallback().permits_another(made);
  }

  [[nodiscard]] std::string describe() const { return this->describe_as("max_attempts_by_kind"); }
};

template <class... Rules>
max_attempts_by_kind(Rules...) -> max_attempts_by_kind<Rules...>;

}  // namespace anew::inline ANEW_ABI

#endif
