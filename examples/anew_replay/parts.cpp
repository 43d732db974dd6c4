// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "parts.hpp"
#include "read.hpp"

namespace replay {

namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view why) {
  throw malformed{std::string{"'"}.append(name).append("' ").append(why)};
}

std::uint64_t word_of(double share) {
  if (!(share >= 0 && share <= 1)) refuse("jitter", "is not from 0 to 1");
  double const word = std::ldexp(share, 64);
  constexpr double beyond = 18446744073709551616.0;  // 2^64
  return word >= beyond ? ~std::uint64_t{0} : static_cast<std::uint64_t>(word);
}

}  // namespace

anew::duration from_ms(double ms, std::string_view name) {
  if (!(ms >= 0)) refuse(name, "is negative");
  constexpr double beyond = 9223372036854775808.0;  // 2^63
  double const ns = std::round(ms * 1e6);
  return ns >= beyond ? anew::duration::max() : anew::duration{static_cast<std::int64_t>(ns)};
}

double to_ms(anew::duration value) noexcept { return static_cast<double>(value.count()) / 1e6; }

bool is_same_delay(double got_ms, double expected_ms) noexcept {
  constexpr double two_nanoseconds = 2e-6;
  return std::abs(got_ms - expected_ms) <= std::max(two_nanoseconds, std::abs(expected_ms) * 1e-12);
}

// The convergents of the continued fraction, up to the first that is the number itself.
anew::rational to_factor(double value, std::string_view name) {
  constexpr double most = std::numeric_limits<std::uint32_t>::max();
  if (!(value > 0 && value <= most)) refuse(name, "is not above 0, or above 4294967295");
  double num = 1;
  double den = 0;
  double last_num = 0;
  double last_den = 1;
  double rest = value;
  while (true) {
    double const whole = std::floor(rest);
    double const next_num = whole * num + last_num;
    double const next_den = whole * den + last_den;
    if (next_num > most || next_den > most) break;
    last_num = num;
    last_den = den;
    num = next_num;
    den = next_den;
    if (num / den == value || rest == whole) break;
    rest = 1 / (rest - whole);
  }
  return {static_cast<std::uint32_t>(num), static_cast<std::uint32_t>(den)};
}

fixed_random::fixed_random(double share) : word_{word_of(share)} {}

any_backoff::any_backoff(anew::duration base, anew::duration cap, anew::rational by) : policy_{choose(base, cap, by)} {}

any_backoff::chosen any_backoff::choose(anew::duration base, anew::duration cap, anew::rational by) {
  if (base == anew::duration::zero() || cap == anew::duration::zero()) return anew::no_backoff{};
  if (base >= cap) return constant{cap};
  return growing{base, cap, by};
}

}  // namespace replay
