// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_STRIPED_HPP
#define ANEW_POLICIES_QUOTA_STRIPED_HPP

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/quota/internal/striped_quotas.hpp"
#include "anew/policies/sharing/internal/handle_of.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class Policy, unsigned Stripes>
concept HasStripedForm = Stripes >= 1 && Stripes <= 64 && requires {
  sizeof(typename Policy::template striped_form<Stripes>);  // its header is included
};

}  // namespace detail

/// Counts a policy's calls or successes in stripes, one for each of some threads, and adds them up when a retry asks, so
/// that many threads do not contend for one word. Every decision equals that of the plain policy; where the plain policy
/// counts up to a limit (33,554,431 calls in a tenth of a retry_budget), each stripe counts as many. Only a
/// client_rate_limiter may have other tokens when it is first throttled: until then it refills its bucket twice a second.
///
/// `striped<token_bucket<500>>`, `striped<retry_budget<>>`, `striped<concurrency_budget<>>` in a strategy;
/// `striped<rate_breaker<>>` with anew/policies/gate/striped_rate_breaker.hpp, `striped<client_throttle<>>` with
/// anew/policies/gate/striped_client_throttle.hpp, `striped<client_rate_limiter<>>` with
/// anew/policies/pacer/striped_client_rate_limiter.hpp; `striped{token_bucket{500}}` takes values known at run time. A thread's end loses nothing: what it counted stays in the policy. A retry may miss a call that another
/// thread counts at the same moment; it never over-counts.
///
/// Models: the role of `Policy` (exact under contention, lock-free)
/// Formula: that of `Policy`; what only grows may be added up later: tokens earned since the last retry, calls of a
/// tenth, calls that began and, after these, calls that ended; of a breaker the successes; of a throttle the accepted
/// requests; of a rate limiter the responses, until one is throttled
/// Requires: a Policy with a striped form (`token_bucket`, `retry_budget`, `concurrency_budget`, `rate_breaker`,
/// `client_throttle`, `client_rate_limiter`), 1 <= Stripes <= 64
/// Cost: 640 bytes for a bucket, 1216 for a retry_budget, 576 for a concurrency_budget, 704 for a rate_breaker, 1216 for a
/// client_throttle and 832 for a client_rate_limiter; a stripe has 64, or 128 of a retry_budget or a client_throttle. A call
/// writes to its stripe alone (nothing at a full bucket). A retry reads the stripes, some 700 ns where other processors have
/// just written them, and twice as much of a retry_budget: a bucket and a retry_budget each time, a concurrency_budget above
/// `Least`, a rate_breaker at a failure once there are enough failures for its volume, a client_throttle before each attempt
/// while its window has rejected requests, a client_rate_limiter twice a second
/// Choose it where many threads call through one policy, and at most one call in a hundred is retried. Not for few
/// threads, not for a bucket that is mostly full, not above 10 % of retries, and not for each key of a `partitioned`: the
/// plain policy is as fast or faster, and smaller.
/// Source: striped counters, such as java.util.concurrent.atomic.LongAdder.
template <class Policy, unsigned Stripes = 8>
class striped : public sharing::handle_of<typename Policy::template striped_form<Stripes>, striped<Policy, Stripes>> {
  using form = typename Policy::template striped_form<Stripes>;

 public:
  static constexpr char const* word = "striped";
  striped() = default;
  template <class... Values>
    requires(sizeof...(Values) > 0 && std::constructible_from<form, Values...>)
  explicit striped(Values&&... values) : form_(std::forward<Values>(values)...) {}

  /// The policy in its striped form, with the plain policy's `balance()`, `capacity()` and counts.
  [[nodiscard]] form const& policy() const noexcept { return form_; }

  static constexpr bool is_sound = Policy::is_sound;
  static consteval void explain() { Policy::explain(); }

 private:
  form form_;
};

/// One without a striped form, or whose header is not included: it can neither be composed nor made.
template <class Policy, unsigned Stripes>
  requires(!detail::HasStripedForm<Policy, Stripes>)
class striped<Policy, Stripes> : public sharing::handle_of<Policy, striped<Policy, Stripes>> {
 public:
  template <class... Values>
  explicit striped(Values&&... /*values*/) {
    explain();
  }
  [[nodiscard]] Policy const& policy() const noexcept;
  [[nodiscard]] std::string describe() const;

  static constexpr bool is_sound = false;
  static consteval void explain() {
    static_assert(
        detail::HasStripedForm<Policy, Stripes>,
        "anew::striped<Policy, Stripes> requires 1 <= Stripes <= 64 and a policy that can be counted in "
        "stripes: anew::token_bucket, anew::retry_budget, anew::concurrency_budget, or anew::rate_breaker with "
        "anew/policies/gate/striped_rate_breaker.hpp, anew::client_throttle with "
        "anew/policies/gate/striped_client_throttle.hpp, anew::client_rate_limiter with "
        "anew/policies/pacer/striped_client_rate_limiter.hpp. Compose your policy without anew::striped");
  }
};

template <class Policy>
striped(Policy) -> striped<Policy>;

}  // namespace anew::inline ANEW_ABI

#endif
