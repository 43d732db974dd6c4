// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_RETRY_TOKEN_HPP
#define ANEW_RUN_TIME_VIRTUAL_RETRY_TOKEN_HPP

#include <cstdint>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/hint.hpp"
#include "anew/run_time/virtual/internal/token_room.hpp"

namespace anew::inline ANEW_ABI {

class retry_strategy;

/// The state of one call through an `anew::retry_strategy`, whatever its type: the guide's retry token.
///
/// Move-only, used once, and bound to the strategy that issued it: each function of that strategy rejects a foreign,
/// used, empty or moved-from token with `std::invalid_argument`. Destroyed unused, it refunds what it holds. It refers
/// to its strategy, which must outlive it.
///
/// Models: RetryToken
/// Cost: the state is stored in the token itself; a large state, or one that cannot be moved bytewise, in memory that
/// the thread recycles: no allocation after the first calls
class [[nodiscard]] retry_token {
 public:
  /// An empty token to assign to.
  retry_token() noexcept {}  // NOLINT(*-use-equals-default): a defaulted one would clear the room
  retry_token(retry_token&& other) noexcept { take_from(other); }
  retry_token& operator=(retry_token&& other) noexcept {
    if (this != &other) {
      drop();
      take_from(other);
    }
    return *this;
  }
  retry_token(retry_token const&) = delete;
  retry_token& operator=(retry_token const&) = delete;
  ~retry_token() { drop(); }

  /// How long to wait before this attempt.
  [[nodiscard]] duration delay() const noexcept { return held_.delay; }

  /// The number of this token's attempt; the first is 1.
  [[nodiscard]] std::uint32_t attempt() const noexcept { return held_.attempt; }

  /// When the call must end; `time_point::max()` without a deadline.
  [[nodiscard]] time_point deadline() const noexcept { return held_.deadline; }

  /// False if it is empty, moved from or used.
  [[nodiscard]] bool is_live() const noexcept { return held_.stands >= standing::refused; }

 private:
  friend retry_strategy;

  enum class standing : std::uint8_t { empty, moved_from, used, refused, issued };

  struct terms {
    std::uint64_t issuer = 0;  ///< the number of a strategy
    void (*drop)(void* room) noexcept = nullptr;
    duration delay{};  ///< of a refusal: the wait before the end
    time_point deadline = time_point::max();
    std::uint32_t attempt = 1;
    standing stands = standing::empty;
    stop_reason refusal = stop_reason::succeeded;
    delay_origin origin = delay_origin::backoff;
    std::uint8_t words = 0;  ///< how much of the room is used
  };

  void drop() noexcept {
    if (held_.drop != nullptr) held_.drop(room_);
  }
  void take_from(retry_token& other) noexcept {
    detail::copy_words<sizeof(terms) / 8>(&held_, &other.held_);
    if (held_.words > usual_words) {
      detail::copy_words<detail::token_room / 8>(room_, other.room_);
    } else {
      detail::copy_words<usual_words>(room_, other.room_);
    }
    other.forget(standing::moved_from);
  }
  void forget(standing now) noexcept {
    held_.issuer = 0;
    held_.drop = nullptr;
    held_.stands = now;
  }
  void use_up() noexcept {
    drop();
    forget(standing::used);
  }
  [[nodiscard]] bool is_refused() const noexcept { return held_.stands == standing::refused; }

  static constexpr unsigned usual_words = 3;  // the token of a strategy with a bucket

  terms held_;
  alignas(detail::token_alignment) unsigned char room_[detail::token_room];
};

}  // namespace anew::inline ANEW_ABI

#endif
