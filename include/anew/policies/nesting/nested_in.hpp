// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_NESTING_NESTED_IN_HPP
#define ANEW_POLICIES_NESTING_NESTED_IN_HPP

#include <optional>
#include <string>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/policies/nesting/retries_above.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Makes one attempt if a caller retries already, as you tell each call: the nesting guard of event loops.
///
/// `anew::adjusted(strategy, anew::nested_in{above})` is the strategy of one call; `above` is read from the request that the
/// call serves. A nested call ends with `stop_reason::nested`. Calls that block in an attempt of such a call are
/// nested for a `nesting_guard` on their thread.
///
/// Models: Nesting      Formula: none
/// Requires: nothing
/// Cost: 8 bytes in the strategy of the call
/// Choose it where a call continues on other threads or shares its thread with other calls: coroutines, Asio, steps. Not
/// where a handler blocks: nesting_scope and nesting_guard, which reach layers that know nothing of each other.
/// Source: nothing similar known in C++; YDB's "retry below me" flag comes nearest.
class nested_in {
 public:
  using role = roles::nesting;
  using permit_type = no_permit;
  static constexpr stop_reason refusal = stop_reason::nested;
  static constexpr bool is_told_of_each_call = true;

  /// Not nested.
  constexpr nested_in() noexcept = default;
  constexpr explicit nested_in(retries_above above) noexcept : above_{above} {}

  template <class Q>
  [[nodiscard]] detail::nesting_scope enter(Q const& quota) const noexcept {
    return detail::nesting_scope{lent_by(quota)};
  }
  template <class Q>
  [[nodiscard]] static detail::lent_quota lent_by(Q const& quota) noexcept {
    return nesting_guard<>::lent_by(quota);
  }

  [[nodiscard]] constexpr bool is_nested() const noexcept { return above_.is_nested(); }
  [[nodiscard]] static constexpr std::optional<permit_type> try_acquire(failure const& /*what*/) noexcept {
    return std::nullopt;
  }
  static constexpr void on_success(permit_type /*held*/) noexcept {}
  static constexpr void on_failure(permit_type /*held*/) noexcept {}
  static constexpr void release(permit_type /*held*/) noexcept {}

  [[nodiscard]] constexpr nested_in run_time_form() const noexcept { return *this; }

  /// As constructed. An attempt tells the services that it calls `above().below(attempt)`.
  [[nodiscard]] constexpr retries_above const& above() const noexcept { return above_; }

  [[nodiscard]] std::string describe() const { return is_nested() ? "nested_in(retries_above)" : "nested_in"; }

 private:
  retries_above above_;
};

}  // namespace anew::inline ANEW_ABI

#endif
