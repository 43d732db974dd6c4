// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BACKOFF_FLOOR_HPP
#define ANEW_BACKOFF_FLOOR_HPP

#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/backoff/internal/explain_inner.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/internal/inner.hpp"
#include "anew/value/internal/parameter.hpp"
#include "anew/value/internal/text.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <static_duration Min>
struct floor_is_not_negative {
  static constexpr bool value = is_not_negative<Min>;
};

}  // namespace detail

/// Waits as long as another backoff says, but at least `Min`.
///
/// `floor_backoff<exponential_backoff<50ms, 20s>, 400ms>`; `floor_backoff{policy, min}` takes values known at run time and
/// throws `std::invalid_argument` when `min` is negative. It raises the envelope: full_jitter still draws from zero.
///
/// Models: Backoff (pure)      Cost: that of the inner one, and a comparison
/// Formula: max(Min, B.delay(n)); the cap is max(Min, B.cap())
/// Requires: a Backoff, Min >= 0
/// Choose it where an earlier retry never helps. Not for a least wait after jitter: equal_jitter.
/// Source: none
template <class B, static_duration Min>
class floor_backoff {
 public:
  using role = roles::backoff;

  floor_backoff()
    requires(Min != run_time && std::is_default_constructible_v<B>)
  = default;

  constexpr explicit floor_backoff(B policy)
    requires(Min != run_time)
      : inner_{std::move(policy)} {}

  template <class Rep, class Period>
    requires(Min == run_time)
  constexpr floor_backoff(B policy, std::chrono::duration<Rep, Period> min)
      : inner_{std::move(policy)}, min_{detail::saturate(min)} {
    if (min_.get() < duration::zero()) {
      detail::invalid_argument("floor_backoff", "min must not be negative", detail::to_text(min_.get()));
    }
  }

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const {
    return detail::larger(min_.get(), inner_.get().delay(retry));
  }
  [[nodiscard]] constexpr duration cap() const { return detail::larger(min_.get(), detail::cap_of(inner_.get())); }
  [[nodiscard]] std::string describe() const
    requires detail::DescribesItself<B>
  {
    std::string text{"floor("};
    return text.append(inner_.get().describe()).append(",").append(detail::to_text(min_.get())).append(")");
  }

  static constexpr bool is_sound = detail::is_sound_backoff<B> && detail::floor_is_not_negative<Min>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (detail::explain_inner_backoff<B>()) {
      static_assert(detail::floor_is_not_negative<Min>::value,
                    "anew::floor_backoff<B, Min> requires Min >= 0; Min is negative, so it has no effect. Remove it or "
                    "make it positive");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::inner<B, floor_backoff> inner_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Min, floor_backoff> min_;
};

template <class B, class Rep, class Period>
floor_backoff(B, std::chrono::duration<Rep, Period>) -> floor_backoff<B, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
