// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BOUNDS_INTERNAL_GATHERED_HPP
#define ANEW_BOUNDS_INTERNAL_GATHERED_HPP

#include <chrono>
#include <cstdint>
#include <optional>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bounds/bound.hpp"
#include "anew/bounds/internal/facts.hpp"
#include "anew/bounds/internal/waits.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The facts of each policy of a strategy, and what follows from them for a call.
struct gathered {
  bound<std::uint64_t> attempts;
  duration total = duration::max();  // of the deadline
  duration overrun{};                // of an attempt that begins at the deadline
  duration margin{};                 // by which a deadline lengthens a wait
  duration lent{};                   // by the quota
  bound<duration> gate, pacer;
  duration attempt = duration::max();
  certainty hint_how = certainty::exact;
  bool has_reset = false;
  bool shortens = false;  // a hint or a deadline may shorten a wait
  bool has_nesting = false;

  [[nodiscard]] constexpr bool has_deadline() const noexcept { return total != duration::max(); }
  [[nodiscard]] constexpr bool is_without_end() const noexcept { return attempts.value == strategy_bounds::any_number; }

  constexpr strategy_bounds put_together(waiting& asked) {
    if (has_reset) attempts = {strategy_bounds::any_number, certainty::unbounded, "reset"};
    auto const retries = is_without_end() ? attempts.value : attempts.value - 1;
    auto const w = asked.all(retries, total);
    auto const how = w.is_exact && asked.facts.is_monotone ? certainty::exact : certainty::at_most;
    char const* by = "backoff";
    if (w.longest > w.own) by = lent > w.own && lent >= w.longest ? "quota" : "hint";

    strategy_bounds b{};
    b.attempts = attempts_in_time(w, retries, asked.facts.is_monotone);
    auto const without_end = [&](char const* otherwise) { return is_without_end() ? b.attempts.by : otherwise; };
    b.admission = admission();
    auto const known_if = [](certainty least, certainty of) { return of == certainty::unknown ? of : least; };
    auto const how_hinted = known_if(how, hint_how);
    b.own_wait = in_time(saturating_add(w.own, margin), how, "backoff");
    b.own_waiting = in_time(w.own_sum, known_if(how, attempts.how), without_end("backoff"));
    // The gate and the pacer let an attempt wait in addition.
    auto const with_admission = [&](duration sum, duration admitted, certainty of, char const* of_what) {
      return in_time(saturating_add(sum, admitted), larger(of, b.admission.how),
                     admitted > sum || b.admission.how == certainty::unknown ? b.admission.by : of_what);
    };
    b.wait = with_admission(saturating_add(w.longest, margin), b.admission.value, how_hinted, by);
    b.waiting = with_admission(w.sum, repeated(b.admission.value, b.attempts.value), known_if(how_hinted, attempts.how),
                               without_end(by));
    if (!shortens && !is_without_end()) b.least_waiting = w.least_sum;
    b.expected_waiting = mean(w);
    b.attempt = {attempt, attempt == duration::max() ? certainty::unbounded : certainty::at_most, "attempt_timeout"};
    b.call = call(b);
    b.is_single_when_nested = has_nesting;
    return b;
  }

 private:
  [[nodiscard]] constexpr bound<duration> in_time(duration value, certainty how, char const* by) const {
    if (has_deadline() && value >= total) return {total, certainty::at_most, "deadline"};
    return {value, value == duration::max() ? larger(how, certainty::unbounded) : how, by};
  }
  [[nodiscard]] constexpr bound<std::uint64_t> attempts_in_time(waits const& w, std::uint64_t retries,
                                                                bool is_monotone) const {
    auto most = attempts;
    if (!has_deadline()) return most;
    if (!shortens && !has_reset && w.within_time < retries) return {w.within_time + 1, certainty::at_most, "deadline"};
    bool const may_be_too_short = !is_monotone || w.least_sum >= total;
    if (most.how == certainty::exact && may_be_too_short) most.how = certainty::at_most;
    return most;
  }
  [[nodiscard]] constexpr bound<duration> admission() const {
    bound<duration> sum{};
    for (auto const* part : {&gate, &pacer}) {
      sum.value = saturating_add(sum.value, part->value);
      sum.how = larger(sum.how, part->how);
      if (part->value > duration::zero()) sum.by = part->by;
    }
    return sum;
  }
  [[nodiscard]] constexpr bound<duration> mean(waits const& w) const {
    bound<duration> expected{saturate(std::chrono::duration<double, std::nano>{w.mean}),
                             w.mean_is_exact ? certainty::exact : certainty::at_most, "jitter"};
    bool const others_decide = has_deadline() || lent > duration::zero() || admission().value > duration::zero() ||
                               admission().how != certainty::exact;
    if (!w.has_mean || others_decide || is_without_end()) expected.how = certainty::unknown;
    return expected;
  }
  /// An attempt takes at most what remains of the deadline; a last try takes its own limit.
  [[nodiscard]] constexpr bound<duration> call(strategy_bounds const& b) const {
    if (!b.attempt.is_known()) return b.attempt;
    auto const in_attempts = repeated(b.attempt.value, b.attempts.value);
    auto const sum = saturating_add(in_attempts, b.waiting.value);
    char const* const by = b.waiting.value > in_attempts ? b.waiting.by : "attempt_timeout";
    auto const latest = saturating_add(total, overrun);
    if (smaller(sum, latest) == duration::max()) return {sum, b.waiting.how, b.waiting.by};
    return {smaller(sum, latest), certainty::at_most, sum <= latest ? by : "deadline"};
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
