// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_HINT_SERVER_HPP
#define ANEW_POLICIES_HINT_SERVER_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// The treatment of a server's delay that exceeds the hint policy's bound.
enum class long_hint : std::uint8_t {
  stop,    ///< the call ends with `stop_reason::hint_too_long`; the hint is in the outcome, for a caller that can wait
  clamp,   ///< waits as long as permitted, and retries
  ignore,  ///< waits as long as the backoff says
};

namespace detail {

/// The longest wait that a server may impose by default.
inline constexpr static_duration longest_hint{std::chrono::seconds{60}};

}  // namespace detail

/// A delay that the server asked for is a floor: the wait is the longer of the two. A hint may be as long as `Longest`,
/// 60 s unless you say otherwise, however short the backoff's cap is.
///
/// `server_hint<>` is what every strategy has. `server_hint{long_hint::clamp}` and `server_hint{long_hint::stop, longest}`
/// take values known at run time. A negative delay counts as no hint. A deadline that the wait would pass ends the call
/// with `stop_reason::deadline`, whatever `Then` says.
///
/// Models: Hint      Cost: one compare when there is a hint
/// Formula: max(delay, asked) while asked <= max(delay, Longest); beyond that as `Then` says: none, max(delay, Longest),
/// delay
/// Requires: Longest >= 0
/// Choose `stop` when a user waits for the call; `clamp` for a background task; `ignore` for a server whose hints are
/// known to be nonsense, and `server_hint<long_hint::ignore, 0s>` to ignore hints. Hints of hours and days occur in
/// practice, so all three bound them.
/// Source: RFC 9110 10.2.3 (Retry-After); the bound and the treatment of a longer hint: none
template <long_hint Then = long_hint::stop, static_duration Longest = detail::longest_hint>
class server_hint {
 public:
  using role = roles::hint;

  constexpr server_hint() noexcept = default;

  constexpr server_hint(long_hint then, detail::any_duration longest)
    requires(Longest == run_time)
      : longest_{detail::checked(longest, fault_of(then, longest))}, then_{then} {}
  static constexpr detail::value_fault fault_of(long_hint /*then*/, duration longest) {
    return detail::value_fault{"server_hint"}.not_negative(longest, "longest");
  }
  constexpr explicit server_hint(long_hint then) noexcept
    requires(Longest == run_time)
      : longest_{detail::longest_hint.value()}, then_{then} {}

  [[nodiscard]] constexpr std::optional<planned_delay> resolve(duration computed, duration asked,
                                                               duration /*cap*/) const noexcept {
    auto const longest = longest_.get();
    if (!detail::is_less(computed, asked)) return planned_delay{computed, delay_origin::backoff};
    if (!detail::is_less(longest, asked)) return planned_delay{asked, delay_origin::hint};
    if (then_.get() == long_hint::stop) return std::nullopt;
    if (then_.get() == long_hint::ignore) return planned_delay{computed, delay_origin::backoff};
    return planned_delay{detail::larger(computed, longest), delay_origin::cap};
  }

  /// The longest delay that a server may ask for.
  [[nodiscard]] constexpr duration longest() const noexcept { return longest_.get(); }

  /// The default remains in the type, so that what nearly every strategy has costs no number.
  [[nodiscard]] constexpr auto run_time_form() const {
    using form_type = std::conditional_t<std::is_same_v<server_hint, server_hint<>>, server_hint<>,
                                         server_hint<long_hint::stop, run_time>>;
    return detail::run_time_form_as<form_type>(*this, then_.get(), longest_.get());
  }

  [[nodiscard]] std::string describe() const {
    return detail::written("server_hint", detail::name_in({"stop", "clamp", "ignore"}, then_.get()),
                           detail::text_if(longest_.get() != detail::longest_hint.value(), longest_.get()));
  }

  static constexpr bool is_sound = detail::is_not_negative<Longest>;
  static consteval void explain() {
    static_assert(
        detail::is_not_negative<Longest>,
        "anew::server_hint<Then, Longest> requires Longest >= 0; Longest is negative. Omit it for the default of 60s");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Longest, server_hint> longest_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Then, server_hint, 1, Longest != run_time> then_;
};

server_hint(long_hint) -> server_hint<long_hint::stop, run_time>;
server_hint(long_hint, detail::any_duration) -> server_hint<long_hint::stop, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
