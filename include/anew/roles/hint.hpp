// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_HINT_HPP
#define ANEW_ROLES_HINT_HPP

#include <cstdint>
#include <optional>

#include "anew/base/asked_delay.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// The origin of a delay.
enum class delay_origin : std::uint8_t {
  backoff,   ///< backoff and jitter
  hint,      ///< the server asked for it
  cap,       ///< the server asked for more, and it was clamped
  quota,     ///< the quota lent the permit of a retry that may not begin earlier
  deadline,  ///< shortened to the time that remains
};

[[nodiscard]] constexpr char const* to_string(delay_origin origin) noexcept {
  return detail::name_in({"backoff", "hint", "cap", "quota", "deadline"}, origin);
}

/// A delay and its origin.
struct planned_delay {
  duration delay;
  delay_origin origin;
};

namespace detail {

template <class H>
concept ResolvesHints = requires(H const& h, duration d) {
  { h.resolve(d, d, d) } -> Exactly<std::optional<planned_delay>>;
};
template <class H>
concept ResolvesHintsByDrawing = requires(H const& h, duration d, thread_random& random) {
  { h.resolve(d, d, d, random) } -> Exactly<std::optional<planned_delay>>;
};
template <class H>
concept PlansForUnread = requires(H const& h, duration d) {
  { h.not_understood(d, d) } -> Exactly<planned_delay>;
};
template <class H>
concept NamesItsLongest = requires(H const& h) {
  { h.longest() } -> Exactly<duration>;
};
template <class H>
concept ObeysRefusals = requires { requires H::obeys_refusals; };

/// Whether a deadline shortened the planned wait below the obeyed part of the server's delay.
constexpr bool is_before_hint(duration fitting, duration planned, delay_origin origin,
                              std::optional<duration> const& asked) noexcept {
  return asked && fitting < *asked && fitting < planned && (*asked <= planned || origin == delay_origin::cap);
}

/// Whether a server that forbids retries ends a call with this hint policy.
template <class H>
constexpr bool is_forbidden_by([[maybe_unused]] H const& hint, [[maybe_unused]] asked_delay const& asked) noexcept {
  if constexpr (requires { hint.obeys_refusals_now(); })  // a choice
    return asked.forbids() && hint.obeys_refusals_now();
  if constexpr (ObeysRefusals<H>) return asked.forbids();
  return false;
}

}  // namespace detail

/// Combines the delay that the server asked for with the delay that backoff and jitter computed.
///
/// | expression, `h` const                  | returns                        | meaning                                   |
/// |----------------------------------------|--------------------------------|-------------------------------------------|
/// | `typename H::role`                     |                                | `roles::hint`                             |
/// | `h.resolve(computed, asked, cap)`      | `std::optional<planned_delay>` | the delay to wait; nothing: the server asked for too long a delay |
/// | `h.longest()`, optional                | `duration`                     | the policy's own bound                    |
/// | `H::obeys_refusals`, optional          | `true`                         | a server that forbids retries ends the call |
/// | `h.not_understood(computed, cap)`, optional | `planned_delay`           | the delay where the server named one that was not understood |
///
/// A policy that draws has `h.resolve(computed, asked, cap, random)` instead, with a RandomSource. `asked` is never
/// negative: a negative delay forbids retries (`asked_delay::forbids()`). It ends the call with
/// `stop_reason::not_retryable` where the policy obeys refusals, and counts as no hint elsewhere.
///
/// Laws: the delay is never shorter than `computed`, never negative, never longer than the policy's own bound, whatever
/// the backoff's cap is. `cap` serves a policy without its own bound.
/// `pushback_hint` obeys a shorter delay of the server, and so breaks the first law.
template <class H>
concept Hint = detail::PlaysRole<H, roles::hint> && (detail::ResolvesHints<H> || detail::ResolvesHintsByDrawing<H>);

template <>
struct detail::row<roles::hint> {
  template <class P>
  static constexpr bool models = Hint<P>;
  template <class P>
  static consteval void explain() {
    static_assert(ResolvesHints<P>,
                  "anew::strategy<Policies...> requires a Hint policy to have 'std::optional<anew::planned_delay> "
                  "resolve(anew::duration computed, anew::duration asked, anew::duration cap) const'. Check the "
                  "name, the types and const");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
