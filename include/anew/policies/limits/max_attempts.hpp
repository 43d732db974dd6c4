// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_LIMITS_MAX_ATTEMPTS_HPP
#define ANEW_POLICIES_LIMITS_MAX_ATTEMPTS_HPP

#include <cstdint>
#include <string>
#include <utility>

#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Any number of attempts: only a success, a final error, the quota, a deadline or a stop request ends the call.
///
/// Models: MaxAttempts (empty)      Cost: none
/// Formula: none
/// Choose it with a deadline, or for a background task that a stop token ends. Not without either: the call may
/// never return.
/// Source: none
struct unbounded {
  using role = roles::max_attempts;
  [[nodiscard]] static constexpr bool permits_another(std::uint32_t /*made*/) noexcept { return true; }
  [[nodiscard]] static std::string describe() { return "unbounded"; }
};

/// At most N attempts, the first one included: `max_attempts<3>` makes at most three calls, `max_attempts<1>` never retries.
///
/// `max_attempts{n}` takes a value known at run time and throws `std::invalid_argument` when it is below 1.
///
/// Models: MaxAttempts      Cost: one compare
/// Formula: attempts made < N
/// Requires: 1 <= N <= 2^32-1
/// Choose it always; three is what the SDKs agree on. Beside a deadline that alone should decide: unbounded.
/// Source: AWS SDKs: three attempts, the first one included
template <std::int64_t N>
class max_attempts {
 public:
  using role = roles::max_attempts;

  constexpr max_attempts() noexcept = default;

  constexpr explicit max_attempts(detail::any_count attempts)
    requires(N == run_time_count)
      : attempts_{detail::checked(attempts.get(), fault_of(attempts))} {}
  static constexpr detail::value_fault fault_of(detail::any_count attempts) {
    return detail::value_fault{"max_attempts"}.within(attempts, 1, 4'294'967'295, "attempts");
  }

  [[nodiscard]] constexpr bool permits_another(std::uint32_t made) const noexcept { return made < attempts_.get(); }
  [[nodiscard]] constexpr std::uint32_t value() const noexcept { return attempts_.get(); }
  [[nodiscard]] constexpr auto run_time_form() const {
    return detail::run_time_form_as<max_attempts<run_time_count>>(*this, value());
  }
  [[nodiscard]] std::string describe() const { return detail::written("max_attempts", value()); }

  static constexpr detail::kept_rules is_sound{N != run_time_count, fault_of(N)};
  static consteval void explain() {
    static_assert(detail::keeps_rule<max_attempts, 1>,
                  "anew::max_attempts<N> requires 1 <= N <= 4294967295; N counts attempts, and the first attempt is "
                  "always made. Write max_attempts<1> to never retry, or anew::unbounded for no limit");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<N, max_attempts> attempts_;
};

max_attempts(detail::any_count) -> max_attempts<run_time_count>;

}  // namespace anew::inline ANEW_ABI

#endif
