// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_CALL_STATE_HPP
#define ANEW_DRIVERS_INTERNAL_CALL_STATE_HPP

#include <cstdint>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/internal/before_attempt.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/roles/retry_strategy.hpp"

namespace anew::inline ANEW_ABI::detail {

/// One call between its attempts: what every driver does apart from calling, waiting and stopping. The loop of a blocking
/// call and the machine of all other drivers are made of it.
template <class S, class Report>
class call_state {
 public:
  /// `make_token` returns the token, which is made in its place: a move would cost ten instructions with a bucket.
  ANEW_INLINE call_state(auto const& make_token, std::uint32_t attempts, Report report)
      : now_{make_token(), error_kind::client, false, {}},
        attempts_{attempts},
        report_(static_cast<Report&&>(report)) {}

  /// Decides after a failed attempt. True: a wait of `delay()` follows.
  template <class Op, class... Keep>
  ANEW_INLINE bool fail(S const& strategy, Op& operation, directive const& verdict, Keep const&... keep) {
    return detail::decide_on(operation, strategy, report_, now_, verdict, attempts_, keep...);
  }
  ANEW_INLINE void succeed(S const& strategy) {
    auto token = std::move(now_.token);
    detail::succeeded(strategy, report_, std::move(token), attempts_);
  }
  ANEW_INLINE void end(S const& strategy, stop_reason reason) { detail::end(strategy, report_, reason, attempts_); }

  /// After a wait: counts the attempt that `token` is for, unless the call ends or waits again.
  ANEW_INLINE admission_answer enter(S const& strategy, [[maybe_unused]] typename S::token_type& token,
                                     [[maybe_unused]] lazy_now<S>& began) {
    if constexpr (HasAdmission<S>) {
      auto const answer = earliest_.ask(strategy, token, began);
      if (!answer.begins()) return answer;
    }
    attempts_ = saturating_next(attempts_);
    return {};
  }
  /// The reason of a call that ends after its wait; `succeeded` where an attempt follows.
  [[nodiscard]] ANEW_INLINE stop_reason last_wait_ends() const noexcept {
    if constexpr (WaitsBeforeTheEnd<S>) return now_.end.reason;
    return stop_reason::succeeded;
  }

  /// Fills in the parts of the attempt that was counted last, which began at `began`. `by` has the timeout of an attempt.
  ANEW_INLINE void set_parts(attempt::parts& parts, auto const& by, lazy_now<S>& began) const {
    detail::set_parts(parts, by, now_.token, attempts_, now_.previous, began);
  }
  [[nodiscard]] ANEW_INLINE duration delay() const noexcept { return now_.delay(); }
  [[nodiscard]] ANEW_INLINE typename S::token_type& token() noexcept { return now_.token; }
  [[nodiscard]] ANEW_INLINE auto& report() noexcept { return report_; }
  [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }

  /// The wait is one that a gate or a pacer asked for.
  [[nodiscard]] ANEW_INLINE bool is_asked_to_wait() const noexcept {
    if constexpr (HasAdmission<S>) return earliest_.value != time_point::min();
    return false;
  }
  /// `asked`: the end of the first wait that a gate or a pacer asked for.
  ANEW_INLINE void begin_after([[maybe_unused]] time_point asked) noexcept {
    if constexpr (HasAdmission<S>) earliest_.value = asked;
  }

 protected:
  pending_attempt<S> now_;
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<HasAdmission<S>, earliest, no_earliest> earliest_;
  std::uint32_t attempts_;
  Report report_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
