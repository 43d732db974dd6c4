// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_RETRY_STRATEGY_HPP
#define ANEW_CONCEPT_RETRY_STRATEGY_HPP

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

#include "anew/concept/hint.hpp"
#include "anew/concept/retry_token.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/failure.hpp"
#include "anew/value/stop_reason.hpp"

namespace anew::inline ANEW_ABI {

/// What `admit` answers to an attempt that is about to begin.
struct admission_answer {
  duration wait{};                               ///< zero: it begins; else ask again after it
  stop_reason refusal = stop_reason::succeeded;  ///< else why it does not, and the call is over

  [[nodiscard]] constexpr bool begins() const noexcept {
    return refusal == stop_reason::succeeded && wait <= duration::zero();
  }
  friend constexpr bool operator==(admission_answer, admission_answer) = default;
};

/// What `refresh_retry_token` answers: the token for the next attempt, or why there is none.
/// Has the shape of `std::expected<Token, stop_reason>`.
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

  /// Why there is no token. Requires `!has_value()`.
  [[nodiscard]] constexpr stop_reason reason() const noexcept { return reason_; }
  [[nodiscard]] constexpr stop_reason error() const noexcept { return reason_; }

  /// How long the call should wait before it ends: a caller that would come again at once is slowed down. Zero, but for a
  /// quota that asks for it. Requires `!has_value()`.
  [[nodiscard]] constexpr duration wait_before_end() const noexcept { return wait_before_end_; }

  /// Where the token's delay came from. Requires `has_value()`.
  [[nodiscard]] constexpr delay_origin origin() const noexcept { return origin_; }

 private:
  std::optional<Token> token_;
  duration wait_before_end_{};
  stop_reason reason_ = stop_reason::succeeded;
  delay_origin origin_ = delay_origin::backoff;
};

/// What a look of `poll()` found that is no success: a request that failed, or an answer that is not there yet.
enum class look_result : std::uint8_t { failed, pending };

/// What stands between a policy of retrying and whatever drives it: a blocking loop, an event loop, a simulator.
/// No I/O, no sleep, no allocation, and the time is a parameter where a strategy needs it.
///
/// | expression, `s` const                            | returns                  | meaning                               |
/// |--------------------------------------------------|--------------------------|---------------------------------------|
/// | `typename S::token_type`                         | a `RetryToken`           |                                       |
/// | `s.acquire_initial_token()`                      | `token_type`             | before the first attempt              |
/// | `s.refresh_retry_token(std::move(token), failure)` | `refreshed<token_type>` | may there be another, and after what delay |
/// | `s.record_success(std::move(token))`             |                          | the call succeeded                    |
/// | `s.refresh_polling_token(std::move(token), failure, look_result)` | `refreshed<token_type>` | optional: after a look of `poll()`; "not ready" costs nothing and is no failure. Without it each look counts as failed |
template <class S>
concept RetryStrategy =
    RetryToken<typename S::token_type> && requires(S const& s, typename S::token_type& token, failure const& f) {
      { s.acquire_initial_token() } -> std::same_as<typename S::token_type>;
      { s.refresh_retry_token(std::move(token), f) } -> std::same_as<refreshed<typename S::token_type>>;
      s.record_success(std::move(token));
    };

namespace detail {

/// The answer of a strategy that decides where the token stands: the token is that of the next attempt, or holds nothing.
struct [[nodiscard]] decision {
  stop_reason refusal = stop_reason::succeeded;  ///< else why there is no other attempt
  delay_origin origin = delay_origin::backoff;
  duration wait_before_end{};  ///< of a call that is refused

  constexpr explicit operator bool() const noexcept { return refusal == stop_reason::succeeded; }
};

/// A strategy that is told what a look of `poll()` found.
template <class S>
concept KnowsLooks = requires(S const& s, typename S::token_type& token, failure const& what) {
  {
    s.refresh_polling_token(std::move(token), what, look_result::pending)
  } -> std::same_as<refreshed<typename S::token_type>>;
};

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
