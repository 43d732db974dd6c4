// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_RETRY_STRATEGY_HPP
#define ANEW_ROLES_RETRY_STRATEGY_HPP

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/hint.hpp"

namespace anew::inline ANEW_ABI {

/// All state of one call, as a strategy sees it.
///
/// | expression           | returns    | meaning                                             |
/// |----------------------|------------|-----------------------------------------------------|
/// | `t.delay()`, `t` const | `duration` | how long to wait before the token's attempt |
///
/// Nothrow movable; used once. The destructor returns a permit that the quota counts as held.
template <class T>
concept RetryToken = std::movable<T> && std::is_nothrow_move_constructible_v<T> && requires(T const& t) {
  { t.delay() } -> std::same_as<duration>;
};

/// The answer of `admit` to an attempt that is about to begin.
struct admission_answer {
  duration wait{};                               ///< zero: it begins; else ask again after it
  stop_reason refusal = stop_reason::succeeded;  ///< else the reason of the refusal, and the call is over

  [[nodiscard]] constexpr bool begins() const noexcept {
    return refusal == stop_reason::succeeded && wait <= duration::zero();
  }
  friend constexpr bool operator==(admission_answer, admission_answer) = default;
};

/// The result of `refresh_retry_token`: the token for the next attempt, or the reason for no further attempt. It has
/// the shape of `std::expected<Token, stop_reason>`.
template <class Token>
class [[nodiscard]] refreshed {
 public:
  constexpr refreshed(Token&& token, delay_origin origin = delay_origin::backoff) noexcept  // NOLINT(*-explicit-*)
      : token_{std::move(token)}, origin_{origin} {}
  constexpr refreshed(stop_reason reason) noexcept : reason_{reason} {}  // NOLINT(*-explicit-*)
  constexpr refreshed(stop_reason reason, duration wait_before_end) noexcept
      : wait_before_end_{wait_before_end}, reason_{reason} {}

  [[nodiscard]] constexpr bool has_value() const noexcept { return token_.has_value(); }
  constexpr explicit operator bool() const noexcept { return has_value(); }

  /// Requires `has_value()`.
  [[nodiscard]] constexpr Token& operator*() & noexcept { return *token_; }
  [[nodiscard]] constexpr Token&& operator*() && noexcept { return *std::move(token_); }
  [[nodiscard]] constexpr Token const& operator*() const& noexcept { return *token_; }
  [[nodiscard]] constexpr Token* operator->() noexcept { return &*token_; }
  [[nodiscard]] constexpr Token const* operator->() const noexcept { return &*token_; }

  /// The reason for no further attempt. Requires `!has_value()`.
  [[nodiscard]] constexpr stop_reason reason() const noexcept { return reason_; }
  [[nodiscard]] constexpr stop_reason error() const noexcept { return reason_; }

  /// How long the call should wait before it ends, which slows down a caller that would call again at once. Zero,
  /// except for a quota such as `long_poll`. Requires `!has_value()`.
  [[nodiscard]] constexpr duration wait_before_end() const noexcept { return wait_before_end_; }

  /// The origin of the token's delay. Requires `has_value()`.
  [[nodiscard]] constexpr delay_origin origin() const noexcept { return origin_; }

 private:
  std::optional<Token> token_;
  duration wait_before_end_{};
  stop_reason reason_ = stop_reason::succeeded;
  delay_origin origin_ = delay_origin::backoff;
};

namespace detail {

/// True for strategies that the library composes. The concept does not check them, so that a call does not instantiate
/// functions that it never calls.
template <class S>
inline constexpr bool is_composed = false;

}  // namespace detail

/// The outcome of a look of `poll()` that did not succeed: a failed request, or "not ready".
enum class look_result : std::uint8_t { failed, pending };

/// The interface between retry policies and a driver: a blocking loop, an event loop, a simulator. No I/O, no sleep, no
/// allocation, and the time is a parameter where a strategy needs it.
///
/// | expression, `s` const                            | returns                  | meaning                               |
/// |--------------------------------------------------|--------------------------|---------------------------------------|
/// | `typename S::token_type`                         | a `RetryToken`           |                                       |
/// | `s.acquire_initial_token()`                      | `token_type`             | before the first attempt              |
/// | `s.refresh_retry_token(std::move(token), failure)` | `refreshed<token_type>` | whether another attempt may follow, and after what delay |
/// | `s.record_success(std::move(token))`             |                          | the call succeeded                    |
/// | `s.refresh_polling_token(std::move(token), failure, look_result)` | `refreshed<token_type>` | optional: after a look of `poll()`; "not ready" costs nothing and is no failure. Without the function each look counts as failed |
template <class S>
concept RetryStrategy =
    detail::is_composed<S> ||
    (RetryToken<typename S::token_type> && requires(S const& s, typename S::token_type& token, failure const& f) {
      { s.acquire_initial_token() } -> std::same_as<typename S::token_type>;
      { s.refresh_retry_token(std::move(token), f) } -> std::same_as<refreshed<typename S::token_type>>;
      s.record_success(std::move(token));
    });

namespace detail {

/// The answer of a strategy that decides in place: the token becomes that of the next attempt, or holds nothing.
struct [[nodiscard]] decision {
  stop_reason refusal = stop_reason::succeeded;  ///< else the reason for no further attempt
  delay_origin origin = delay_origin::backoff;
  duration wait_before_end{};  ///< for a refused call

  constexpr explicit operator bool() const noexcept { return refusal == stop_reason::succeeded; }
};

/// A strategy that takes the outcome of a look of `poll()`.
template <class S>
concept KnowsLooks = requires(S const& s, typename S::token_type& token, failure const& what) {
  {
    s.refresh_polling_token(std::move(token), what, look_result::pending)
  } -> std::same_as<refreshed<typename S::token_type>>;
};

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
