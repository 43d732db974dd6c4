// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_HINT_HPP
#define ANEW_CONCEPT_HINT_HPP

#include <cstdint>
#include <optional>

#include "anew/duration.hpp"
#include "anew/roles.hpp"

namespace anew {

/// Where a delay came from.
enum class delay_origin : std::uint8_t {
  backoff,   ///< backoff and jitter
  hint,      ///< the server asked for it
  cap,       ///< the server asked for more, and it was clamped
  deadline,  ///< shortened to the time that remains
};

[[nodiscard]] constexpr char const* to_string(delay_origin origin) noexcept {
  switch (origin) {
    case delay_origin::backoff: return "backoff";
    case delay_origin::hint: return "hint";
    case delay_origin::cap: return "cap";
    case delay_origin::deadline: return "deadline";
  }
  return "unknown";
}

/// A delay, and where it came from.
struct planned_delay {
  duration delay;
  delay_origin origin;
};

/// What a delay that the server asked for does to the delay that was computed.
///
/// | expression, `h` const                  | returns                        | meaning                                   |
/// |----------------------------------------|--------------------------------|-------------------------------------------|
/// | `typename H::role`                     |                                | `roles::hint`                             |
/// | `h.resolve(computed, asked, cap)`      | `std::optional<planned_delay>` | the delay to wait; nothing: asked too much |
///
/// Laws: never shorter than `computed`. Longer than `cap` only when the policy's own parameters say by how much.
/// Models: server_hint.
template <class H>
concept Hint = detail::PlaysRole<H, roles::hint> && requires(H const& h, duration d) {
  { h.resolve(d, d, d) } -> detail::Exactly<std::optional<planned_delay>>;
};

}  // namespace anew

#endif
