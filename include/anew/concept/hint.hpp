// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_HINT_HPP
#define ANEW_CONCEPT_HINT_HPP

#include <cstdint>
#include <optional>

#include "anew/duration.hpp"
#include "anew/random.hpp"
#include "anew/roles.hpp"

namespace anew {

/// Where a delay came from.
enum class delay_origin : std::uint8_t {
  backoff,   ///< backoff and jitter
  hint,      ///< the server asked for it
  cap,       ///< the server asked for more, and it was clamped
  quota,     ///< the quota lent a retry that may begin only then
  deadline,  ///< shortened to the time that remains
};

[[nodiscard]] constexpr char const* to_string(delay_origin origin) noexcept {
  switch (origin) {
    case delay_origin::backoff: return "backoff";
    case delay_origin::hint: return "hint";
    case delay_origin::cap: return "cap";
    case delay_origin::quota: return "quota";
    case delay_origin::deadline: return "deadline";
  }
  return "unknown";
}

/// A delay, and where it came from.
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

}  // namespace detail

/// What a delay that the server asked for does to the delay that was computed.
///
/// | expression, `h` const                  | returns                        | meaning                                   |
/// |----------------------------------------|--------------------------------|-------------------------------------------|
/// | `typename H::role`                     |                                | `roles::hint`                             |
/// | `h.resolve(computed, asked, cap)`      | `std::optional<planned_delay>` | the delay to wait; nothing: asked too much |
///
/// One that draws has `h.resolve(computed, asked, cap, random)` instead, with a RandomSource.
///
/// Laws: never shorter than `computed`. Longer than `cap` only when the policy's own parameters say by how much.
/// Models: server_hint, jittered_hint, clamped_hint; pushback_hint, which is told the delay by the server, and so breaks the
/// first law.
template <class H>
concept Hint = detail::PlaysRole<H, roles::hint> && (detail::ResolvesHints<H> || detail::ResolvesHintsByDrawing<H>);

}  // namespace anew

#endif
