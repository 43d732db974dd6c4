// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_RETRY_TOKEN_HPP
#define ANEW_RUN_TIME_VIRTUAL_RETRY_TOKEN_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/platform/internal/process_wide.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/hint.hpp"

/// Where a strategy behind the virtual interface stores the state of a call: in the token itself if possible, else
/// on the heap.
namespace anew::inline ANEW_ABI::detail {

/// The tokens of composed strategies have 16 to 72 bytes; with a quota shared among nested calls, 112.
inline constexpr std::size_t token_room = 80;
inline constexpr std::size_t token_alignment = 8;  // of a time, where a pointer has 4 bytes too

/// Whether an object can be moved by copying its bytes and forgetting the source. True of trivially copyable types;
/// specialise it for a type of which you know it.
template <class T>
inline constexpr bool is_kept_by_copy = std::is_trivially_copyable_v<T>;

template <class T>  // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer
inline constexpr bool stays_in_token = sizeof(T) <= token_room && alignof(T) <= token_alignment && is_kept_by_copy<T>;

/// Copies what may be indeterminate in part. Word by word: a token is moved right after it was written, and a load that
/// spans two fresh stores waits for both, which costs more than a virtual call does (benchmarks/runtime/virtual.cpp).
template <unsigned Words>
inline void copy_words(void* to, void const* from) noexcept {
  auto* const target = static_cast<unsigned char*>(to);
  auto const* const source = static_cast<unsigned char const*>(from);
  ANEW_UNROLL
  for (unsigned i = 0; i < Words; ++i) {
    std::uint64_t word;
    std::memcpy(&word, source + std::size_t{i} * sizeof(word), sizeof(word));
    detail::keep_apart(word);
    std::memcpy(target + std::size_t{i} * sizeof(word), &word, sizeof(word));
  }
}

/// How a state of type `T` is stored in a token.
template <class T, bool InToken = stays_in_token<T>>
struct placed {
  template <class State>
  static void put(void* room, State&& state) {
    ::new (room) T(std::forward<State>(state));
  }
  [[nodiscard]] static T& at(void* room) noexcept { return *std::launder(static_cast<T*>(room)); }
  static void drop(void* room) noexcept { std::destroy_at(std::addressof(at(room))); }
  static constexpr bool needs_drop = !std::is_trivially_destructible_v<T>;
  static constexpr unsigned char words = (sizeof(T) + 7) / 8;
};

template <class T>
struct placed<T, false> {
  template <class State>
  static void put(void* room, State&& state) {
    ::new (room) T*(new T(std::forward<State>(state)));
  }
  [[nodiscard]] static T& at(void* room) noexcept { return *placed<T*>::at(room); }
  static void drop(void* room) noexcept { delete placed<T*>::at(room); }
  static constexpr bool needs_drop = true;
  static constexpr unsigned char words = 1;
};

}  // namespace anew::inline ANEW_ABI::detail

namespace anew::inline ANEW_ABI {

class retry_strategy;
namespace issuing {
class token_issuer;
}

/// The state of one call through an `anew::retry_strategy`, whatever its type: the guide's retry token.
///
/// Move-only, used once, and bound to the strategy that issued it: each function of that strategy rejects a foreign,
/// used, empty or moved-from token with `std::invalid_argument`. Destroyed unused, it refunds what it holds. It refers
/// to its strategy, which must outlive it.
///
/// Models: RetryToken
/// Cost: the state is stored in the token itself; a large state, or one that cannot be moved bytewise, on the heap
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
  friend issuing::token_issuer;

  enum class standing : std::uint8_t { empty, moved_from, used, refused, issued };

  /// Of whole words, which are copied; on i386 a time is aligned to 4 bytes.
  struct alignas(detail::token_alignment) terms {
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
