// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_RETRY_THROTTLE_HPP
#define ANEW_POLICIES_QUOTA_RETRY_THROTTLE_HPP

#include <cstdint>
#include <optional>
#include <string>

#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/rational.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// As gRPC counts: decimals beyond the third are cut off. 0 for what no throttle takes.
constexpr std::uint32_t thousandths_of(rational ratio) noexcept {
  if (ratio.den == 0 || ratio.num / ratio.den > 1000) return 0;
  auto const thousandths = std::uint64_t{ratio.num} * 1000 / ratio.den;
  return thousandths > 1'000'000 ? 0 : static_cast<std::uint32_t>(thousandths);
}

}  // namespace detail

/// A count of how things go, which permits retries only above its half: a failed attempt takes a token, a call that
/// succeeds gives `Ratio` of one.
///
/// `retry_throttle<>` is 100 tokens at 0.1, `retry_throttle<10, rational{1, 2}>`; `retry_throttle{10, rational{1, 10}}`
/// takes values known at run time. It starts full. Failures of kind `client` that are final do not count: they say
/// nothing about the server. You may move it while nothing uses it; it is never copied.
/// Unlike the other quotas, it charges for failures, not for retries: the failed attempt after which a retry is refused
/// has been counted, and a retry that is not made gives nothing back, since nothing was paid for it.
///
/// Models: Quota (exact under contention, lock-free, 4 bytes)
/// Formula: retries are permitted while tokens > MaxTokens/2
/// Requires: 1 <= MaxTokens <= 1000, 0.001 <= Ratio <= 1000; decimals of Ratio beyond the third are cut off
/// Cost: a success with all tokens there reads them once and writes nothing; else one compare-exchange an attempt
/// Metastable above: no load. Only successes refill it; a service that is down gets fewer than
/// MaxTokens/2 retries and then none. It begins to drain where more than Ratio/(1+Ratio) of attempts fail, 9.09 % at 0.1.
/// Choose it to behave as a gRPC client does, or where an early stop matters more than the retries of a service that
/// is merely poor. Not where a tenth of the attempts may well fail: token_bucket.
/// Source: gRPC proposal A6, "Throttling Retry Attempts and Hedged RPCs".
template <std::int64_t MaxTokens = 100, rational Ratio = rational{1, 10}>
class retry_throttle {
  static constexpr bool is_static = MaxTokens != run_time_count;

 public:
  using role = roles::quota;
  using permit_type = no_permit;

  constexpr retry_throttle() noexcept
    requires is_static
      : tokens_{static_cast<std::uint32_t>(MaxTokens) * one} {}

  constexpr retry_throttle(detail::any_count max_tokens, rational ratio)
    requires(!is_static)
      : max_{detail::checked(max_tokens.get(), fault_of(max_tokens, ratio))},
        ratio_{detail::thousandths_of(ratio)},
        tokens_{max_.get() * one} {}
  static constexpr detail::value_fault fault_of(detail::any_count max_tokens, rational ratio) {
    return detail::value_fault{"retry_throttle"}
        .within(max_tokens, 1, 1000, "max_tokens")
        .unless(detail::thousandths_of(ratio) != 0, "ratio must be between 1/1000 and 1000", ratio);
  }

  void on_attempt_failed(failure const& f) const noexcept {
    if (f.kind == error_kind::client && f.safety == retry_safety::no) return;
    auto tokens = tokens_.load();
    while (tokens != 0 && !tokens_.compare_exchange_weak(tokens, tokens - detail::smaller(tokens, one))) {
    }
  }

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& /*f*/) const noexcept {
    if (tokens_.load() * 2 <= max_.get() * one) return std::nullopt;
    return no_permit{};
  }
  void on_success(permit_type /*held*/) const noexcept {
    auto const full = max_.get() * one;
    auto tokens = tokens_.load();
    while (tokens < full && !tokens_.compare_exchange_weak(tokens, detail::smaller(full, tokens + ratio_.get()))) {
    }
  }
  static constexpr void release(permit_type /*held*/) noexcept {}

  /// The whole tokens that are there. For display: it may have changed before it is read.
  [[nodiscard]] std::uint32_t balance() const noexcept { return tokens_.load() / one; }
  [[nodiscard]] constexpr std::uint32_t capacity() const noexcept { return max_.get(); }
  /// Returns how much a success gives, in thousandths of a token.
  [[nodiscard]] constexpr std::uint32_t thousandths() const noexcept { return ratio_.get(); }

  /// Returns its promises at so many attempts of a call, in closed form: `quota_bounds`. Include anew/bounds.hpp.
  template <class Promise = detail::quota_promise>
  [[nodiscard]] constexpr auto promises(std::uint64_t attempts) const noexcept {
    return Promise::of_throttle(capacity(), thousandths(), attempts);
  }

  [[nodiscard]] std::string describe() const {
    return detail::written("retry_throttle", max_.get(), rational{ratio_.get(), one});
  }

  /// Reads or writes the state: anew/state/saved_state.hpp.
  void walk_state(auto& w) const { w.count(tokens_, max_.get() * one); }

  static constexpr detail::kept_rules is_sound{is_static, fault_of(MaxTokens, Ratio)};
  static consteval void explain() {
    static_assert(detail::keeps_rule<retry_throttle, 1>,
                  "anew::retry_throttle<MaxTokens> requires 1 <= MaxTokens <= 1000; MaxTokens is out of range. Omit "
                  "the policy for no throttle");
    static_assert(detail::keeps_rule<retry_throttle, 2>,
                  "anew::retry_throttle<MaxTokens, Ratio> requires 1/1000 <= Ratio <= 1000; at 0, successes "
                  "never refill it and one outage ends all retries for ever. Write anew::rational{1, 10} for 0.1");
  }

 private:
  static constexpr std::uint32_t one = 1000;

  ANEW_NO_UNIQUE_ADDRESS detail::parameter<MaxTokens, retry_throttle> max_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<detail::thousandths_of(Ratio), retry_throttle, 1, is_static> ratio_;
  mutable detail::atomic_cell<std::uint32_t> tokens_;
};

retry_throttle(detail::any_count, rational) -> retry_throttle<run_time_count>;

}  // namespace anew::inline ANEW_ABI

#endif
