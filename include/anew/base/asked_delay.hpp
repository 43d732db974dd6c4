// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_ASKED_DELAY_HPP
#define ANEW_BASE_ASKED_DELAY_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {
struct classifier_mark;
}

/// A server's request about the next attempt: none, how long to wait, not to retry at all, or one that was not understood.
///
/// It converts from and to `std::optional<duration>` and reads like one. A negative delay is never stored as a delay:
/// gRPC's pushback uses it to forbid retries, elsewhere it is a mistake. `forbids()` remembers that it was there, and
/// the Hint policy of the strategy decides what it means: `pushback_hint` ends the call, the others ignore it. Durations
/// that do not fit saturate.
///
/// Cost: the size of a `std::optional<duration>`; no function throws
/// Source: gRPC proposal A6, "Pushback"; RFC 9110 10.2.3 (Retry-After)
class asked_delay {
 public:
  constexpr asked_delay() noexcept = default;
  constexpr asked_delay(std::nullopt_t /*nothing*/) noexcept {}  // NOLINT(*-explicit-*): it replaces the optional
  template <class Rep, class Period>
  constexpr asked_delay(std::chrono::duration<Rep, Period> delay) noexcept  // NOLINT(*-explicit-*)
      : asked_{normalized(detail::saturate(delay))}, is_set_{true} {}
  template <class Rep, class Period>
  constexpr asked_delay(
      std::optional<std::chrono::duration<Rep, Period>> const& delay) noexcept {  // NOLINT(*-explicit-*)
    if (delay) *this = asked_delay{*delay};
  }

  [[nodiscard]] static constexpr asked_delay after(duration delay) noexcept { return {delay}; }
  [[nodiscard]] static constexpr asked_delay do_not_retry() noexcept { return {duration{-1}}; }

  /// The server named a delay in a way that was not understood, such as a date with an error in it.
  [[nodiscard]] static constexpr asked_delay not_understood() noexcept {
    asked_delay unread;
    unread.asked_ = duration::min();
    unread.is_set_ = true;
    return unread;
  }

  /// The delay, which is never negative; nothing when the server named none.
  [[nodiscard]] constexpr std::optional<duration> delay() const noexcept {
    if (!has_value()) return std::nullopt;
    return asked_;
  }
  /// The server asked for no further attempt.
  [[nodiscard]] constexpr bool forbids() const noexcept { return is_set_ && asked_ == duration{-1}; }

  /// The server asked for a wait, and it is not known for how long: a Hint policy with `not_understood()` says.
  [[nodiscard]] constexpr bool is_not_understood() const noexcept { return is_set_ && asked_ == duration::min(); }

  [[nodiscard]] constexpr bool has_value() const noexcept { return is_set_ && asked_.count() >= 0; }
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return has_value(); }
  /// Requires `has_value()`.
  [[nodiscard]] constexpr duration const& operator*() const noexcept { return asked_; }
  [[nodiscard]] constexpr duration const* operator->() const noexcept { return __builtin_addressof(asked_); }
  [[nodiscard]] constexpr duration value_or(duration otherwise) const noexcept {
    return has_value() ? asked_ : otherwise;
  }
  constexpr operator std::optional<duration>() const noexcept { return delay(); }  // NOLINT(*-explicit-*)

  friend constexpr bool operator==(asked_delay const&, asked_delay const&) noexcept = default;
  friend constexpr bool operator==(asked_delay const& a, std::nullopt_t /*nothing*/) noexcept { return !a.has_value(); }

 private:
  friend detail::classifier_mark;
  static constexpr duration normalized(duration delay) noexcept {
    return delay < duration::zero() ? duration{-1} : delay;
  }

  // Not an optional: of an empty one that is inlined g++ 12 says at -O3 that its value is used uninitialised.
  duration
      asked_{};  ///< -1: the server asked for no further attempt; least: it was not understood; between: a classifier's mark
  bool is_set_ = false;  ///< false: the server named nothing
};

namespace detail {

/// A number that a classifier passes to the strategy that it is made for, where the server asked for nothing. All other
/// policies see no hint.
struct classifier_mark {
  [[nodiscard]] static constexpr asked_delay of(std::size_t number) noexcept {
    asked_delay marked;
    marked.asked_ = duration{-2 - static_cast<std::int64_t>(number)};
    marked.is_set_ = true;
    return marked;
  }
  [[nodiscard]] static constexpr std::optional<std::size_t> in(asked_delay const& asked) noexcept {
    if (!asked.is_set_ || asked.asked_ > duration{-2} || asked.is_not_understood()) return std::nullopt;
    return static_cast<std::size_t>(-2 - asked.asked_.count());
  }
};

}  // namespace detail

}  // namespace anew::inline ANEW_ABI

#endif
