// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_INTERNAL_TOKEN_ISSUER_HPP
#define ANEW_RUN_TIME_VIRTUAL_INTERNAL_TOKEN_ISSUER_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/platform/internal/process_wide.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/hint.hpp"
#include "anew/run_time/virtual/retry_token.hpp"

namespace anew::inline ANEW_ABI::detail {

/// "anew::retry_strategy::admit requires an unused token that this strategy issued; the token is empty". Throws
/// `std::invalid_argument`; without exceptions prints the message and aborts.
[[noreturn]] ANEW_COLD inline void misused_token(char const* function, char const* what_it_is) {
  detail::throw_invalid_argument(std::string{"anew::retry_strategy::"}
                                     .append(function)
                                     .append(" requires an unused token that this strategy issued; the token ")
                                     .append(what_it_is));
}

}  // namespace anew::inline ANEW_ABI::detail

// Not in detail: looking up a name with a strategy looks into the namespaces of its bases.
namespace anew::inline ANEW_ABI::issuing {

/// The part of a virtual strategy that makes tokens and knows its own again.
class token_issuer : pinned::immovable<token_issuer> {
 public:
 protected:
  token_issuer() noexcept
      : number_{detail::atomic_view<std::uint64_t>{anew_process::virtual_strategies_1}.fetch_add(1) + 1} {}
  ~token_issuer() = default;

  /// The facts that a token states.
  struct terms {
    duration delay{};
    std::uint32_t attempt = 1;
    time_point deadline = time_point::max();
    delay_origin origin = delay_origin::backoff;
  };

  /// A token of this strategy. `state` is stored in the token if it is small and trivially copyable, else on the
  /// heap; it is destroyed with the token.
  template <class State>
  [[nodiscard]] retry_token issue(terms const& of, State&& state) const {
    using T = std::remove_cvref_t<State>;
    static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>,
                  "anew::retry_strategy::issue(terms, state) requires a state whose move constructor and destructor "
                  "are noexcept; at least one of them may throw. Store it in a std::unique_ptr");
    using place = detail::placed<T>;
    retry_token token = issue(of);
    place::put(token.room_, std::forward<State>(state));
    token.held_.words = place::words;
    if constexpr (place::needs_drop) token.held_.drop = &place::drop;
    return token;
  }
  [[nodiscard]] retry_token issue(terms const& of) const noexcept {
    retry_token token;
    token.held_.issuer = number_;
    token.held_.delay = of.delay;
    token.held_.deadline = of.deadline;
    token.held_.attempt = of.attempt;
    token.held_.origin = of.origin;
    token.held_.stands = retry_token::standing::issued;
    return token;
  }

  /// No token, and why; `wait_before_end`: how long the call should wait before it ends.
  [[nodiscard]] retry_token refuse(stop_reason why, duration wait_before_end = duration::zero()) const noexcept {
    retry_token token;
    renumber(token);
    token.held_.delay = wait_before_end;
    token.held_.stands = retry_token::standing::refused;
    token.held_.refusal = why;
    return token;
  }

  /// The state of a token that this strategy issued with a `State`.
  template <class State>
  [[nodiscard]] static State& state_of(retry_token& token) noexcept {
    return detail::placed<State>::at(token.room_);
  }
  /// Destroys that state before the token is destroyed.
  template <class State>
  static void end_state_of(retry_token& token) noexcept {
    token.held_.drop = nullptr;
    detail::placed<State>::drop(token.room_);
  }

  // For this library's own strategies, which decide in place.
  static void proceed(retry_token& token, std::uint32_t attempt, duration delay, delay_origin origin) noexcept {
    token.held_.attempt = attempt;
    token.held_.delay = delay;
    token.held_.origin = origin;
  }
  static void ends_at(retry_token& token, time_point end) noexcept { token.held_.deadline = end; }
  void renumber(retry_token& token) const noexcept { token.held_.issuer = number_; }

  void expect_own(retry_token const& token, char const* function) const {
    if (token.held_.issuer == number_) [[likely]]
      return;
    using s = retry_token::standing;
    detail::misused_token(function, token.is_live()                       ? "was issued by another strategy"
                                    : token.held_.stands == s::used       ? "was used already"
                                    : token.held_.stands == s::moved_from ? "was moved from"
                                                                          : "is empty");
  }

 private:
  std::uint64_t number_;  ///< never 0, and of no other strategy of the process, one at the same address included
};

}  // namespace anew::inline ANEW_ABI::issuing

#endif
