// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_ATTEMPT_HPP
#define ANEW_BASE_ATTEMPT_HPP

#include <cstdint>
#include <optional>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// A type-erased stop token, which an `attempt` asks. A `call_engine` makes one from the token that you pass to
/// `start()`; write one yourself if your stop request is not a token:
///
///     anew::stop_view{&window, [](void const* of) { return static_cast<window_type const*>(of)->is_closed(); }};
///
/// It refers to the token, which must outlive the attempt. By default it never stops. Cost: three words, one indirect
/// call for each question.
struct stop_view {
  void const* token = nullptr;
  bool (*requested)(void const*) = nullptr;  ///< asked with `token`; must not throw
  bool is_standard = false;                  ///< `token` is a `std::stop_token`
};

/// Whether an attempt should reuse the connection of the previous attempt, or open a new one.
enum class connection_hint : std::uint8_t { reuse, fresh };

namespace detail {

/// Defined in anew/drivers/internal/stop.hpp, so that this header need not include `<stop_token>`.
template <class Dependent>
auto stop_token_of(void const* token, bool is_standard);

}  // namespace detail

/// The current attempt, as its operation sees it. An operation receives it as a parameter `anew::attempt&`; an
/// operation without that parameter pays nothing. It lives as long as the attempt.
class attempt : pinned::immovable<attempt> {
 public:
  /// The number of this attempt; the first call is attempt 1.
  [[nodiscard]] constexpr std::uint32_t number() const noexcept { return number_; }

  /// True from the second attempt on: rewind a body, or clear what the previous attempt left behind.
  [[nodiscard]] constexpr bool is_retry() const noexcept { return number_ > 1; }

  /// The time when the call must end; nothing without a deadline.
  [[nodiscard]] constexpr std::optional<time_point> deadline() const noexcept {
    if (deadline_ == time_point::max()) return std::nullopt;
    return deadline_;
  }

  /// The remaining deadline at the beginning of this attempt: never negative, and `duration::max()` without a deadline.
  [[nodiscard]] constexpr duration remaining() const noexcept {
    if (deadline_ == time_point::max()) return duration::max();
    return detail::larger(duration::zero(), detail::saturating_subtract(deadline_, began_));
  }

  /// How long this attempt may take: the composed attempt timeout, or the remaining deadline if that is shorter;
  /// `duration::max()` without both. A last try, which begins when nothing remains of the deadline
  /// (`at_deadline::last_try`), has the attempt timeout alone. A blocking operation passes it to its socket; an
  /// asynchronous driver ends the attempt after it, if an attempt timeout is composed.
  [[nodiscard]] constexpr duration limit() const noexcept { return limit(duration::max()); }

  /// The least of `per_attempt`, the composed attempt timeout, and what remains of the deadline if anything does.
  [[nodiscard]] constexpr duration limit(duration per_attempt) const noexcept {
    auto const alone = detail::smaller(per_attempt, limit_);
    auto const rest = remaining();
    return rest == duration::zero() ? alone : detail::smaller(alone, rest);
  }
  /// The composed attempt timeout, whatever remains of the deadline; `duration::max()` without one.
  [[nodiscard]] constexpr duration composed_limit() const noexcept { return limit_; }

  /// The kind of error that ended the previous attempt; nothing for the first attempt.
  [[nodiscard]] constexpr std::optional<error_kind> previous_error() const noexcept { return previous_; }

  /// `fresh` after a transient error, a time-out or a server's error, whose connection may be broken or lead to a server
  /// that is; `reuse` for the first attempt, after throttling, and after a client's error. Source: AWS SDKs and Tools
  /// reference guide, "Retry behavior", which counts status 500 among the transient errors.
  [[nodiscard]] constexpr connection_hint connection() const noexcept {
    bool const suspect =
        previous_ == error_kind::transient || previous_ == error_kind::timeout || previous_ == error_kind::server;
    return suspect ? connection_hint::fresh : connection_hint::reuse;
  }

  /// True if the operation is reset before each retry, by `anew::rewinding`. A bridge asks before it sends a body that it
  /// cannot reset itself.
  [[nodiscard]] constexpr bool is_rewound() const noexcept { return is_rewound_; }

  /// True once the caller requested a stop: a long operation asks from time to time. Works with any type of stop token.
  [[nodiscard]] bool stop_requested() const noexcept {
    return stop_.requested != nullptr && stop_.requested(stop_.token);
  }

  /// The `std::stop_token` passed to `retry()`; without one, a token that never stops. Needs anew/drivers/retry.hpp.
  template <class Dependent = void>
  [[nodiscard]] auto stop_token() const noexcept {
    return detail::stop_token_of<Dependent>(stop_.token, stop_.is_standard);
  }

  /// For drivers and tests; an operation receives its attempt.
  struct parts {
    std::uint32_t number = 1;
    time_point deadline = time_point::max();
    time_point began = {};
    duration limit = duration::max();
    std::optional<error_kind> previous{};
    stop_view stop{};
    bool is_rewound = false;
  };
  constexpr explicit attempt(parts const& p) noexcept
      : deadline_{p.deadline},
        began_{p.began},
        limit_{p.limit},
        stop_{p.stop},
        number_{p.number},
        previous_{p.previous},
        is_rewound_{p.is_rewound} {}

 private:
  time_point deadline_;
  time_point began_;
  duration limit_;
  stop_view stop_;
  std::uint32_t number_;
  std::optional<error_kind> previous_;
  bool is_rewound_;
};

}  // namespace anew::inline ANEW_ABI

#endif
