// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TOKEN_HPP
#define ANEW_TOKEN_HPP

#include <cstdint>
#include <utility>

#include "anew/concept/jitter.hpp"
#include "anew/concept/quota.hpp"
#include "anew/config.hpp"
#include "anew/duration.hpp"

namespace anew {

namespace detail {

/// What one retry holds of a quota, and gives back when it is destroyed unsettled.
template <class Quota>
class held_permit {
 public:
  using permit_type = typename Quota::permit_type;

  constexpr held_permit() noexcept = default;
  constexpr held_permit(Quota const& quota, permit_type permit) noexcept : quota_{&quota}, permit_{permit} {}
  held_permit(held_permit const&) = delete;
  held_permit& operator=(held_permit const&) = delete;
  constexpr held_permit(held_permit&& other) noexcept
      : quota_{other.quota_}, permit_{std::exchange(other.permit_, permit_type{})} {}
  constexpr held_permit& operator=(held_permit&& other) noexcept {
    if (this != &other) {
      release();
      quota_ = other.quota_;
      permit_ = std::exchange(other.permit_, permit_type{});
    }
    return *this;
  }
  constexpr ~held_permit() { release(); }

  /// Hands the permit over to whoever settles it.
  [[nodiscard]] constexpr permit_type take() noexcept { return std::exchange(permit_, permit_type{}); }

 private:
  constexpr void release() noexcept {
    if (permit_ != permit_type{}) quota_->release(std::exchange(permit_, permit_type{}));
  }

  Quota const* quota_ = nullptr;
  permit_type permit_{};
};

template <class Quota>
  requires is_unlimited<Quota>
class held_permit<Quota> {
 public:
  constexpr held_permit() noexcept = default;
  constexpr held_permit(Quota const& /*quota*/, no_permit /*permit*/) noexcept {}
  held_permit(held_permit const&) = delete;
  held_permit& operator=(held_permit const&) = delete;
  constexpr held_permit(held_permit&&) noexcept = default;
  constexpr held_permit& operator=(held_permit&&) noexcept = default;
  constexpr ~held_permit() = default;
  [[nodiscard]] static constexpr no_permit take() noexcept { return {}; }
};

/// When the call must end; without size for a strategy that has no deadline.
struct ends_at {
  time_point value;
};
struct never_ends {};

}  // namespace detail

/// All state of one call through a composed strategy: the attempt that it stands for, the delay before it, what it
/// holds of the quota. Move-only, typed by its strategy, used once. 24 bytes with a quota, without a deadline and
/// decorrelated jitter. It refers to its strategy, which must stay where it is while a call is under way.
template <class Strategy>
class basic_token {
 public:
  basic_token(basic_token const&) = delete;
  basic_token& operator=(basic_token const&) = delete;
  basic_token(basic_token&&) noexcept = default;
  basic_token& operator=(basic_token&&) noexcept = default;
  ~basic_token() = default;

  /// How long to wait before this attempt.
  [[nodiscard]] constexpr duration delay() const noexcept { return delay_; }

  /// The number of the attempt that this token stands for; the first is 1.
  [[nodiscard]] constexpr std::uint32_t attempt() const noexcept { return attempt_; }

  /// When the call must end; `time_point::max()` without a deadline.
  [[nodiscard]] constexpr time_point deadline() const noexcept {
    if constexpr (Strategy::has_deadline) {
      return end_.value;
    } else {
      return time_point::max();
    }
  }

 private:
  friend Strategy;
  constexpr basic_token() noexcept = default;

  // The order keeps a token with a 4-byte permit at 24 bytes.
  duration delay_{};
  ANEW_NO_UNIQUE_ADDRESS detail::held_permit<typename Strategy::quota_type> held_{};
  std::uint32_t attempt_ = 1;
  ANEW_NO_UNIQUE_ADDRESS typename Strategy::deadline_state end_{};
  ANEW_NO_UNIQUE_ADDRESS typename Strategy::jitter_state_type jitter_{};
};

}  // namespace anew

#endif
