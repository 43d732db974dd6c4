// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_POLL_POLL_OUTCOME_HPP
#define ANEW_DRIVERS_POLL_POLL_OUTCOME_HPP

#include <cstdint>
#include <optional>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/internal/ending.hpp"

namespace anew::inline ANEW_ABI {

/// The event that a listener gets before a wait.
struct poll_progress {
  std::uint32_t attempt;              ///< the number of the look that was made last
  directive verdict;                  ///< what the acceptors said of it
  bool failed;                        ///< its request failed; false: not ready
  duration delay;                     ///< until the next look
  std::optional<duration> remaining;  ///< of the whole wait, before this delay; nothing without a deadline
};

namespace detail {

template <class W, class As, class R, class Reader, class Told>
class kept_poll;

}  // namespace detail

/// How polling ended: why, the last result or exception, after how many calls, and how long it took.
///
/// `succeeded` and `not_retryable` are the acceptors' success and failure; `unclassified` is an exception that no acceptor
/// reads; `deadline` means that time ran out. An acceptor may have judged the last call's exception a success.
template <class R>
class [[nodiscard]] poll_outcome : public endings::ending<R> {
 public:
  [[nodiscard]] bool failed() const noexcept {
    return this->reason() == stop_reason::not_retryable || this->reason() == stop_reason::unclassified;
  }
  [[nodiscard]] bool timed_out() const noexcept { return this->reason() == stop_reason::deadline; }

 private:
  template <class W, class As, class Kept, class Reader, class Told>
  friend class detail::kept_poll;
  poll_outcome() = default;
};

}  // namespace anew::inline ANEW_ABI

#endif
