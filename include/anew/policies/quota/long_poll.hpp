// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_LONG_POLL_HPP
#define ANEW_POLICIES_QUOTA_LONG_POLL_HPP

#include <concepts>
#include <string>
#include <utility>

#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/policies/sharing/internal/handle_of.hpp"
#include "anew/roles/quota.hpp"

namespace anew::inline ANEW_ABI {

/// A quota whose refusal is waited for: a call that it refuses sleeps as long as the retry that it did not get would have
/// waited, once, and then ends with `stop_reason::quota`.
///
/// A program that asks a queue in a loop begins the next call as soon as the last one ends; without the wait a spent
/// quota makes that loop spin. `long_poll<token_bucket<500>>` owns its quota; `long_poll<shared<token_bucket<500>>>`
/// waits on one that other strategies share. A call that ends for another reason does not wait.
///
/// Models: Quota, as the one inside does      Formula: as the one inside
/// Requires: Quota is a quota
/// Cost: that of the quota inside; nothing on success
/// Choose it for operations that are called in a loop and hold the connection until there is something to tell (SQS
/// ReceiveMessage, SWF polls). Not where a user waits for the answer.
/// Source: AWS SDKs since 2026, "long polling" operations: the backoff is slept when the retry quota refuses
template <class Quota = token_bucket<>>
class long_poll : public sharing::handle_of<Quota, long_poll<Quota>> {
 public:
  static constexpr char const* word = "long_poll";
  static constexpr bool waits_before_refusal = true;

  constexpr long_poll() = default;
  template <class... Args>
    requires(sizeof...(Args) > 0 && std::constructible_from<Quota, Args...>)
  constexpr explicit long_poll(Args&&... args) : quota_(std::forward<Args>(args)...) {}

  /// The wrapped quota.
  [[nodiscard]] constexpr Quota const& policy() const noexcept { return quota_; }

  static constexpr bool is_sound =
      sharing::handle_of<Quota, long_poll>::is_sound && detail::PlaysRole<Quota, roles::quota>;

 private:
  ANEW_NO_UNIQUE_ADDRESS Quota quota_;
};

template <class Quota>
long_poll(Quota) -> long_poll<Quota>;

}  // namespace anew::inline ANEW_ABI

#endif
