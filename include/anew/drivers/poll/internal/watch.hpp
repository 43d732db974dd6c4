// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_POLL_INTERNAL_WATCH_HPP
#define ANEW_DRIVERS_POLL_INTERNAL_WATCH_HPP

#include <cstdint>
#include <string>
#include <utility>

#include "anew/base/now_view.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/drivers/internal/before_attempt.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/poll/acceptor.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/retry_strategy.hpp"

/// The strategy that polls: a caller's strategy with the acceptors as its classifier, which is told whether a request
/// failed or its answer is not ready.
namespace anew::inline ANEW_ABI::detail {

/// The last result. It lives as long as the call.
struct watch {
  directive verdict = not_ready;
  bool failed = false;  ///< the request failed: not just "not ready"
  bool told = true;     ///< the listeners are told
  std::uint32_t looks = 0;
  time_point deadline = time_point::max();
};

/// The result that the loop sees: the operation's own result stays where the caller finds it.
struct seen {
  watch const* by;
};

struct watch_classifier {
  using role = roles::classifier;
  [[nodiscard]] static constexpr directive classify_result(seen what) noexcept { return what.by->verdict; }
  [[nodiscard]] static std::string describe() { return "acceptors"; }
};

/// A caller's strategy: its three functions, with the acceptors as classifier, and each look reported as what it found.
/// Nesting and history are omitted: a look that is not ready is neither a nested call nor a failure.
template <class S>
class polling_view {
 public:
  using token_type = typename S::token_type;
  static constexpr bool has_deadline = HasDeadline<S>;
  static constexpr bool has_attempt_timeout = HasAttemptTimeout<S>;
  static constexpr bool has_admission = HasAdmission<S>;
  static constexpr bool has_gate = HasGate<S>;
  static constexpr bool has_pacer = HasPacer<S>;
  static constexpr bool settles_permits = requires { requires S::settles_permits; };
  static constexpr bool has_observer = HasObserver<S>;
  static constexpr bool waits_before_refusal = WaitsBeforeTheEnd<S>;

  polling_view(S const& of, watch const& last) noexcept : of_{&of}, last_{&last} {}

  template <class... Now>
  [[nodiscard]] token_type acquire_initial_token(Now&... now) const
    requires requires(S const& s) { s.acquire_initial_token(now...); }
  {
    return of_->acquire_initial_token(now...);
  }
  [[nodiscard]] refreshed<token_type> refresh_retry_token(token_type&& token, failure const& what) const {
    if constexpr (KnowsLooks<S>) {
      auto const found = last_->failed ? look_result::failed : look_result::pending;
      return of_->refresh_polling_token(std::move(token), what, found);
    } else {
      return of_->refresh_retry_token(std::move(token), what);
    }
  }
  template <class... Now>
  void record_success(token_type&& token, Now&... now) const
    requires requires(S const& s) { s.record_success(std::move(token), now...); }
  {
    of_->record_success(std::move(token), now...);
  }
  [[nodiscard]] bool needs_admission() const { return detail::needs_admission(*of_); }
  [[nodiscard]] bool needs_events() const { return detail::needs_events(*of_); }
  [[nodiscard]] auto admit(token_type& token, Time auto&& now) const
    requires HasAdmission<S>
  {
    return of_->admit(token, now);
  }
  [[nodiscard]] decltype(auto) attempt_timeout() const
    requires HasAttemptTimeout<S>
  {
    return of_->attempt_timeout();
  }
  [[nodiscard]] decltype(auto) observer() const
    requires HasObserver<S>
  {
    return of_->observer();
  }
  [[nodiscard]] time_point now() const { return now_of(*of_); }
  [[nodiscard]] static constexpr watch_classifier classifier() noexcept { return {}; }

 private:
  S const* of_;
  watch const* last_;
};

}  // namespace anew::inline ANEW_ABI::detail

/// A call without attempts has seen nothing.
template <>
struct anew::refused_result<anew::detail::seen> {
  static anew::detail::seen make(anew::stop_reason /*why*/) noexcept { return {nullptr}; }
};

#endif
