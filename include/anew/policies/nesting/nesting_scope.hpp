// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_NESTING_NESTING_SCOPE_HPP
#define ANEW_POLICIES_NESTING_NESTING_SCOPE_HPP

#include <cstdint>
#include <optional>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/process_wide.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/policies/nesting/retries_above.hpp"

namespace anew::inline ANEW_ABI {

/// Makes the guarded calls of this thread nested while it lives, if a caller in another process or thread retries.
///
///     void handle(request const& incoming) {
///       anew::nesting_scope const scope{anew::retries_above::read(incoming["anew-retries-above"])};
///       ...  // calls with a nesting_guard make one attempt if the caller retries
///     }
///
/// No quota pays for a nested call here: the quota of the outermost call is in another process. So a
/// `nesting_guard<when_nested::share_quota>` refuses its retries, with `stop_reason::quota`.
/// Requires: it is destroyed on its thread, and before the scopes that are around it
/// Cost: some writes to thread-local memory
/// Choose it for a handler that has its thread to itself until it returns. Not for a handler that awaits: `nested_in`
class nesting_scope {
 public:
  explicit nesting_scope(retries_above const& above) noexcept : around_{anew_process::retries_above_1} {
    if (!above.is_nested()) return;
    scope_.emplace(detail::lent_quota{});
    anew_process::retries_above_1 = above.retries();
  }
  nesting_scope(nesting_scope const&) = delete;
  nesting_scope& operator=(nesting_scope const&) = delete;
  ~nesting_scope() { anew_process::retries_above_1 = around_; }

  /// For the requests of this thread: nested inside such a scope, and inside an attempt of a call with a
  /// `nesting_guard`. The retries of that call are not among the retries: `current().below(attempt)` adds them.
  [[nodiscard]] static retries_above current() noexcept {
    if (detail::nesting_scope::innermost() == nullptr) return {};
    return retries_above{anew_process::retries_above_1};
  }

 private:
  std::uint32_t around_;
  std::optional<detail::nesting_scope> scope_;
};

}  // namespace anew::inline ANEW_ABI

#endif
