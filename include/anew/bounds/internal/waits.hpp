// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BOUNDS_INTERNAL_WAITS_HPP
#define ANEW_BOUNDS_INTERNAL_WAITS_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bounds/bound.hpp"
#include "anew/bounds/internal/facts.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/strategy/internal/draw.hpp"

namespace anew::inline ANEW_ABI::detail {

constexpr duration repeated(duration one, std::uint64_t times) noexcept {
  if (one <= duration::zero() || times == 0) return duration::zero();
  auto const most = static_cast<std::uint64_t>(duration::max().count()) / static_cast<std::uint64_t>(one.count());
  return times > most ? duration::max() : one * static_cast<std::int64_t>(times);
}

/// The waits of one call, added up.
struct waits {
  duration own{}, longest{};  // before one attempt: by backoff and jitter; with hints
  duration own_sum{}, sum{}, least_sum{};
  double mean = 0;
  bool has_mean = true, mean_is_exact = true, is_exact = true;
  std::uint64_t within_time = 0;  // retries whose least waits fit into the deadline

  /// A retry that comes before these.
  constexpr void prepend(duration low, duration high, duration with_hint) {
    own = larger(own, high);
    longest = larger(longest, with_hint);
    own_sum = saturating_add(own_sum, high);
    sum = saturating_add(sum, with_hint);
    least_sum = saturating_add(least_sum, low);
  }
};

/// A strategy's waits, asked of its policies as a call asks them: with a random source whose words are all zeros for
/// the least draws, and all ones for the greatest. Code that depends on the policies' types is in `asks_policies`;
/// everything else is compiled once.
class waiting {
 public:
  static constexpr std::uint32_t most_steps = 256;   // asked one by one; beyond that the last delay or the cap repeats
  static constexpr std::uint64_t most_paths = 4096;  // orders of kinds of errors
  static constexpr unsigned most_depth = 16;

  jitter_facts facts{};
  duration cap{};
  asked_kinds asked{};
  bool limits_by_kind = false;

  struct step {
    duration low, high, hinted, ceiling;
  };
  virtual constexpr void begin() = 0;
  /// The next retry of the call whose draws so far are kept at `depth`; they are kept one deeper afterwards, or there.
  virtual constexpr step next(call_progress const& progress, unsigned depth, bool deeper) = 0;
  [[nodiscard]] virtual constexpr duration with_hint(duration own) const = 0;
  [[nodiscard]] virtual constexpr bool permits(call_progress const& progress) const = 0;
  /// The mean of the next draw, where it is not the middle; negative where no closed form is known.
  [[nodiscard]] virtual constexpr double mean_after(double first, double previous) const = 0;

  constexpr waits all(std::uint64_t retries, duration total) {
    auto w = of_kind(error_kind::transient, retries, total);
    if (asked.size < 2) return w;
    std::uint64_t paths = 1;
    for (std::uint64_t i = 0; i < retries && paths <= most_paths; ++i) paths *= asked.size;
    auto const transient = w;
    if (paths <= most_paths && retries < most_depth) {
      begin();
      w = over_kinds({0, error_kind::transient, {}}, 0);
    } else {
      w = each_of_the_worst_kind(w, retries, total);
    }
    w.within_time = strategy_bounds::any_number;
    w.mean = transient.mean;
    w.has_mean = transient.has_mean;
    w.mean_is_exact = transient.mean_is_exact;
    return w;
  }

 protected:
  constexpr waiting() = default;
  constexpr ~waiting() = default;

 private:
  /// Retries that all follow the same kind of error.
  constexpr waits of_kind(error_kind kind, std::uint64_t retries, duration total) {
    begin();
    waits w{};
    call_progress progress{0, kind, {}};
    step last{};
    duration first{};
    double mean = 0;
    std::uint64_t n = 0;
    for (; n != retries && n != most_steps; ++n) {
      ++progress.attempts;
      progress.counts.add(kind);
      if (limits_by_kind && !permits(progress)) return w;
      last = next(progress, 0, false);
      if (w.least_sum < total) ++w.within_time;
      w.prepend(last.low, last.high, last.hinted);
      if (last.ceiling <= duration::zero()) continue;  // an immediate retry: the jitter is not asked
      bool const is_first = first == duration::zero();
      if (is_first) first = last.ceiling;
      mean = mean_of(last, smaller(first, cap), is_first ? static_cast<double>(smaller(first, cap).count()) : mean, w);
      if (last.high >= cap && !is_first && !facts.mean_is_middle) w.mean_is_exact = false;
      w.mean += mean;
    }
    if (n != retries) repeat(last, progress, retries - n, total, w);
    return w;
  }
  constexpr double mean_of(step const& at, duration first, double previous, waits& w) const {
    if (facts.mean_is_middle) return static_cast<double>(at.low.count()) / 2 + static_cast<double>(at.high.count()) / 2;
    auto const mean = mean_after(static_cast<double>(first.count()), previous);
    if (mean < 0) w.has_mean = false;
    return mean < 0 ? 0 : mean;
  }
  /// The retries after those that were asked one by one: as the last one where it has settled, else up to the cap.
  constexpr void repeat(step const& last, call_progress const& progress, std::uint64_t rest, duration total, waits& w) {
    bool const settled = last.high == cap && last.low == next(progress, 0, false).low;
    auto const each = settled ? last.high : cap;
    w.own = larger(w.own, each);
    w.longest = larger(w.longest, with_hint(each));
    w.own_sum = saturating_add(w.own_sum, repeated(each, rest));
    w.sum = saturating_add(w.sum, repeated(with_hint(each), rest));
    w.is_exact = false;
    w.has_mean = false;
    if (w.least_sum < total) {
      w.within_time = last.low > duration::zero() && settled
                          ? w.within_time + static_cast<std::uint64_t>((total - w.least_sum) / last.low) + 1
                          : strategy_bounds::any_number;
    }
    if (settled) w.least_sum = saturating_add(w.least_sum, repeated(last.low, rest));
  }

  /// Every order of the kinds of errors that are told apart.
  constexpr waits over_kinds(call_progress const& before, unsigned depth) {
    waits worst{};
    for (unsigned i = 0; i != asked.size; ++i) {
      auto progress = before;
      ++progress.attempts;
      progress.kind = asked.kinds[i];
      progress.counts.add(progress.kind);
      waits w{};
      if (permits(progress)) {
        auto const at = next(progress, depth, true);
        w = over_kinds(progress, depth + 1);
        w.prepend(at.low, at.high, at.hinted);
      }
      worst.own = larger(worst.own, w.own);
      worst.longest = larger(worst.longest, w.longest);
      worst.own_sum = larger(worst.own_sum, w.own_sum);
      worst.sum = larger(worst.sum, w.sum);
      worst.least_sum = i == 0 ? w.least_sum : smaller(worst.least_sum, w.least_sum);
    }
    return worst;
  }
  constexpr waits each_of_the_worst_kind(waits w, std::uint64_t retries, duration total) {
    for (unsigned i = 1; i < asked.size; ++i) {
      auto const other = of_kind(asked.kinds[i], retries, total);
      w.own = larger(w.own, other.own);
      w.longest = larger(w.longest, other.longest);
    }
    w.own = larger(w.own, cap);
    w.longest = larger(w.longest, with_hint(cap));
    w.own_sum = repeated(w.own, retries);
    w.sum = repeated(w.longest, retries);
    w.least_sum = duration::zero();
    w.is_exact = false;
    return w;
  }
};

template <class Backoff, class Jitter, class Hint, class Limit>
class asks_policies final : public waiting {
 public:
  constexpr asks_policies(Backoff const& backoff, Jitter const& jitter, Hint const& hint, Limit const& limit,
                          duration lent)
      : backoff_{backoff}, jitter_{jitter}, hint_{hint}, limit_{limit}, lent_{lent} {
    facts = facts_of_jitter(jitter);
    cap = larger(cap_of(backoff), duration::zero());
    asked = kinds_to_ask(detail::kinds_apart(backoff) | detail::kinds_apart(limit));
    limits_by_kind = LimitsByKind<Limit> && detail::kinds_apart(limit) != 0;
  }
  constexpr void begin() override { drawn_[0] = {}; }
  constexpr step next(call_progress const& progress, unsigned depth, bool deeper) override {
    auto const ceiling = backoff_delay(backoff_, progress.attempts, progress);
    // Any draw in [0, cap] is possible, which the decision enforces.
    if (!facts.is_monotone) return {duration::zero(), cap, with_hint(cap), ceiling};
    auto& at = drawn_[deeper ? depth + 1 : depth];
    at = drawn_[depth];
    same_word zeros{0};
    same_word ones{~std::uint64_t{0}};
    auto const low = draw(backoff_, jitter_, at.least, progress.attempts, progress, zeros);
    auto const high = draw(backoff_, jitter_, at.most, progress.attempts, progress, ones);
    return {low, high, with_hint(high), ceiling};
  }
  [[nodiscard]] constexpr duration with_hint(duration own) const override {
    auto const most = detail::hinted(hint_, own);
    return larger(most.how == certainty::unknown ? duration::max() : most.value, lent_);
  }
  [[nodiscard]] constexpr bool permits(call_progress const& progress) const override {
    if constexpr (LimitsByKind<Limit>) return limit_.permits_another(progress);
    return limit_.permits_another(progress.attempts);
  }
  [[nodiscard]] constexpr double mean_after(double first, double previous) const override {
    return detail::ask_chosen(jitter_, [&]<class P>(P const& /*jitter*/) {
      if constexpr (requires { P::mean_after(first, previous, first); })
        return P::mean_after(first, previous, static_cast<double>(cap.count()));
      return -1.0;
    });
  }

 private:
  static constexpr bool branches = DelaysByKind<Backoff> || LimitsByKind<Limit>;
  struct drawn {
    typename jitter_state<Jitter>::type least{}, most{};
  };

  Backoff const& backoff_;
  Jitter const& jitter_;
  Hint const& hint_;
  Limit const& limit_;
  duration lent_;
  drawn drawn_[branches ? most_depth + 1 : 1]{};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
