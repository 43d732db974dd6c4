// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_HINT_MODEL_HPP
#define ANEW_TESTS_SUPPORT_HINT_MODEL_HPP

#include <algorithm>
#include <cstdint>
#include <optional>

#if !defined(__SIZEOF_INT128__)
#include <boost/multiprecision/cpp_int.hpp>
#endif

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/stop_reason.hpp"

/// A naive model of what a call makes of a server's hints, in numbers that cannot overflow, and the errors that carry them.
namespace support {

using anew::stop_reason;
#if defined(__SIZEOF_INT128__)
__extension__ using wide = __int128;
#else
using wide = boost::multiprecision::int128_t;
#endif

struct dice {
  explicit dice(std::uint64_t seed) : state_{seed} {}
  std::uint64_t operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>((*this)() % static_cast<std::uint64_t>(n)); }
  bool one_in(std::int64_t n) { return below(n) == 0; }
  /// Of every magnitude up to 2^bits.
  std::int64_t of_any_size(int bits) { return static_cast<std::int64_t>((*this)() >> (64 - 1 - below(bits))); }

 private:
  std::uint64_t state_;
};

enum class hint_policy { pushback, stop, clamp, ignore, clamped, jittered, jittered_clamp, jittered_pushback };
struct hint_rules {
  hint_policy hint = hint_policy::stop;
  std::int64_t longest = 0;  ///< of pushback; of the others where `has_longest`; the overshoot of `clamped`
  bool has_longest = true;
  std::int64_t base = 1;
  std::int64_t cap = 1;
  std::uint32_t attempts = 1;
};

/// What a policy makes of a hint: a wait in [least, most], or the end of the call.
struct wait {
  wide least = 0;
  wide most = 0;
  stop_reason ends = stop_reason::succeeded;
};

inline wide computed_by(hint_rules const& by, std::uint32_t failures) {
  wide delay = by.base;
  for (std::uint32_t i = 1; i < failures && delay < by.cap; ++i) delay *= 2;
  return std::min<wide>(delay, by.cap);
}

inline wait heard_by(hint_rules const& by, std::optional<std::int64_t> asked, wide computed) {
  wait const unheard{computed, computed};
  bool const is_pushback = by.hint == hint_policy::pushback || by.hint == hint_policy::jittered_pushback;
  if (!asked) return unheard;
  if (*asked < 0) return is_pushback ? wait{0, 0, stop_reason::not_retryable} : unheard;
  wide const hint = *asked;
  wide const longest = is_pushback || by.has_longest ? by.longest : 60'000'000'000;
  wait const refused{0, 0, stop_reason::hint_too_long};
  auto const spread = std::min(hint + hint / 2, longest);
  switch (by.hint) {
    case hint_policy::pushback: return hint > longest ? refused : wait{hint, hint};
    case hint_policy::jittered_pushback: return hint > longest ? refused : wait{hint, spread};
    case hint_policy::clamped: {
      auto const delay = std::min(std::max(hint, computed), computed + by.longest);
      return {delay, delay};
    }
    default: break;
  }
  if (hint <= computed) return unheard;
  bool const spreads = by.hint == hint_policy::jittered || by.hint == hint_policy::jittered_clamp;
  if (hint <= longest) return spreads ? wait{hint, spread} : wait{hint, hint};
  if (by.hint == hint_policy::stop || by.hint == hint_policy::jittered) return refused;
  if (by.hint == hint_policy::ignore) return unheard;
  auto const delay = std::max(computed, longest);
  return {delay, delay};
}

struct told {
  std::optional<anew::duration> asked;
  [[nodiscard]] static anew::retry_safety is_retry_safe() noexcept { return anew::retry_safety::yes; }
  [[nodiscard]] std::optional<anew::duration> retry_after() const noexcept { return asked; }
};
struct answer {
  std::optional<told> failed{};
  [[nodiscard]] bool has_value() const noexcept { return !failed; }
  [[nodiscard]] told const& error() const { return *failed; }
};

}  // namespace support

#endif
