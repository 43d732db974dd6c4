// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_BASIC_TOKEN_HPP
#define ANEW_STRATEGY_BASIC_TOKEN_HPP

#include <cstdint>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/roles/nesting.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// Holds what a policy shared by calls has granted to one call: a quota's permit, a gate's pass. The destructor returns
/// an unsettled grant.
template <class Policy, class Value, bool IsEmpty = std::is_empty_v<Value>>
class held_of {
 public:
  constexpr held_of() noexcept = default;
  constexpr held_of(Policy const& policy, Value value) noexcept : policy_{&policy}, value_{std::move(value)} {}
  held_of(held_of const&) = delete;
  held_of& operator=(held_of const&) = delete;
  constexpr held_of(held_of&& other) noexcept : policy_{other.policy_}, value_{std::exchange(other.value_, Value{})} {}
  constexpr held_of& operator=(held_of&& other) noexcept {
    if (this != &other) {
      release();
      policy_ = other.policy_;
      value_ = std::exchange(other.value_, Value{});
    }
    return *this;
  }
  constexpr ~held_of() { release(); }

  /// Releases ownership to the function that settles it.
  [[nodiscard]] constexpr Value take() noexcept { return std::exchange(value_, Value{}); }
  [[nodiscard]] constexpr bool is_held() const noexcept { return value_ != Value{}; }
  /// Requires `!is_held()`.
  ANEW_INLINE constexpr void hold(Policy const& policy, Value value) noexcept {
    policy_ = &policy;
    value_ = std::move(value);
  }
  /// Lets a pacer update its ticket, and a quota its permit, in place.
  [[nodiscard]] constexpr Value& open(Policy const& policy) noexcept {
    policy_ = &policy;
    return value_;
  }
  [[nodiscard]] constexpr Value const& value() const noexcept { return value_; }

 private:
  constexpr void release() noexcept {
    if (!is_held()) return;
    if (policy_ == nullptr)
      detail::unreachable();  // a held grant always has a policy; without this line g++ 12 warns at -O3
    policy_->release(std::exchange(value_, Value{}));
  }

  Policy const* policy_ = nullptr;
  Value value_{};
};

/// Nothing to return: the token need not refer to the policy.
template <class Policy, class Value>
class held_of<Policy, Value, true> {
 public:
  constexpr held_of() noexcept = default;
  constexpr held_of(Policy const& /*policy*/, Value /*value*/) noexcept {}
  held_of(held_of const&) = delete;
  held_of& operator=(held_of const&) = delete;
  constexpr held_of(held_of&&) noexcept = default;
  constexpr held_of& operator=(held_of&&) noexcept = default;
  constexpr ~held_of() = default;
  [[nodiscard]] static constexpr Value take() noexcept { return {}; }
  [[nodiscard]] static constexpr bool is_held() noexcept { return false; }
  static constexpr void hold(Policy const& /*policy*/, Value /*value*/) noexcept {}
  [[nodiscard]] static constexpr Value open(Policy const& /*policy*/) noexcept { return {}; }
  [[nodiscard]] static constexpr Value value() noexcept { return {}; }
};

template <class Quota>
using held_permit = held_of<Quota, typename Quota::permit_type>;
template <class Gate>
using held_pass = held_of<Gate, typename Gate::pass_type>;
template <class Pacer>
using held_ticket = held_of<Pacer, typename Pacer::ticket_type>;

/// `Held<Policy>`, or nothing. Each empty member of a token has its own type, or the token would grow by a byte for each.
template <template <class> class Held, class Policy>
struct held_if_any {
  using type = Held<Policy>;
};
template <template <class> class Held, class Role>
struct held_if_any<Held, absent<Role>> {
  struct type {};
};

/// The time when an attempt first asked a gate, for gates that admit waiting attempts in that order.
struct asked_first {
  time_point value = time_point::min();
};
struct never_asked {};

/// A call under way, for a quota that counts calls.
template <class Quota>
class held_call {
 public:
  constexpr held_call() noexcept = default;
  constexpr explicit held_call(Quota const& quota) noexcept : quota_{&quota} {}
  held_call(held_call const&) = delete;
  held_call& operator=(held_call const&) = delete;
  constexpr held_call(held_call&& other) noexcept : quota_{std::exchange(other.quota_, nullptr)} {}
  constexpr held_call& operator=(held_call&& other) noexcept {
    if (this != &other) {
      end();
      quota_ = std::exchange(other.quota_, nullptr);
    }
    return *this;
  }
  constexpr ~held_call() { end(); }
  constexpr void end() noexcept {
    if (quota_ != nullptr) std::exchange(quota_, nullptr)->on_call_end();
  }

 private:
  Quota const* quota_ = nullptr;
};
struct no_call {
  static constexpr void end() noexcept {}
};

/// For a strategy that may start a call over: the attempts since the restart, and the start of the last attempt.
struct streak {
  time_point began{};
  std::uint32_t attempts = 1;
};
struct no_streak {};
struct no_counts {};

/// The time when the call must end; empty for a strategy without a deadline.
struct ends_at {
  time_point value;
};
struct never_ends {};

/// A policy that is chosen at run time.
template <class P>
concept ChosenAtRunTime = requires(P const& policy) { policy.visit([](auto const& /*chosen*/) {}); };

/// Whether a call that succeeds at once has nothing to ask the policy: it is absent, or a quota that counts no calls.
template <class P>
inline constexpr bool is_unasked = is_absent<P>;
template <class Q>
  requires requires {
    typename Q::permit_type;
    requires PlaysRole<Q, roles::quota>;
  }
inline constexpr bool is_unasked<Q> = !CountsCalls<Q> && !SettlesPermits<Q>;

template <class P>
constexpr bool is_unasked_now(P const& policy) {
  if constexpr (ChosenAtRunTime<P>) {
    return policy.visit([]<class C>(C const& /*chosen*/) { return is_unasked<C>; });
  } else {
    return is_unasked<P>;
  }
}

template <class... Ps>
concept MayBePlain = ((ChosenAtRunTime<Ps> || is_unasked<Ps>) && ...);

/// One word for all optional roles, so that a call does not ask each of them whether it was chosen.
template <bool MayBePlain, class... Ps>
struct plain_if_unasked {
  constexpr plain_if_unasked() : plain_if_unasked{Ps{}...} {}
  constexpr explicit plain_if_unasked(Ps const&... policies) : is_plain{(detail::is_unasked_now(policies) && ...)} {}
  bool is_plain;
};
template <class... Ps>
struct plain_if_unasked<false, Ps...> {
  constexpr plain_if_unasked() noexcept = default;
  constexpr explicit plain_if_unasked(Ps const&... /*policies*/) noexcept {}
  static constexpr bool is_plain = false;
};

/// Decides after a failed attempt; defined in anew/strategy/internal/deciding.hpp.
struct deciding;

}  // namespace detail

/// All state of one call through a composed strategy: the number of its attempt, the delay before the attempt, and the
/// grants of the quota, gate and pacer. Move-only, typed by its strategy, used once. 24 bytes with a quota, without a
/// deadline and decorrelated jitter. It refers to its strategy, which must not move while a call is under way.
template <class Strategy>
class basic_token {
 public:
  /// How long to wait before this attempt.
  [[nodiscard]] constexpr duration delay() const noexcept { return delay_; }

  /// The number of this token's attempt; the first is 1.
  [[nodiscard]] constexpr std::uint32_t attempt() const noexcept { return attempt_; }

  /// The time when the call must end; `time_point::max()` without a deadline.
  [[nodiscard]] constexpr time_point deadline() const noexcept {
    if constexpr (Strategy::has_deadline) return end_.value;
    return time_point::max();
  }

 private:
  friend Strategy;
  friend detail::deciding;
  constexpr basic_token() noexcept {
    // A jitter's state may be a plain number. It is assigned, because no member that may be empty has an initialiser.
    using state = typename Strategy::jitter_state_type;
    if constexpr (!std::is_empty_v<state>) jitter_ = state{};
  }

  // The order keeps a token with a 4-byte permit at 24 bytes.
  duration delay_{};
  ANEW_NO_UNIQUE_ADDRESS detail::held_permit<typename Strategy::quota_type> held_;
  std::uint32_t attempt_ = 1;
  ANEW_NO_UNIQUE_ADDRESS typename Strategy::deadline_state end_;
  ANEW_NO_UNIQUE_ADDRESS typename Strategy::jitter_state_type jitter_;
  ANEW_NO_UNIQUE_ADDRESS typename Strategy::held_pass_type pass_;
  ANEW_NO_UNIQUE_ADDRESS typename Strategy::asked_type place_;
  ANEW_NO_UNIQUE_ADDRESS typename Strategy::held_ticket_type ticket_;
  ANEW_NO_UNIQUE_ADDRESS typename Strategy::held_nested_type nested_;
  ANEW_NO_UNIQUE_ADDRESS typename Strategy::held_call_type call_;
  ANEW_NO_UNIQUE_ADDRESS typename Strategy::streak_type streak_;
  ANEW_NO_UNIQUE_ADDRESS typename Strategy::counts_type counts_;
};

}  // namespace anew::inline ANEW_ABI

#endif
