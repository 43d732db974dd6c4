// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BOUNDS_INTERNAL_FACTS_HPP
#define ANEW_BOUNDS_INTERNAL_FACTS_HPP

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bounds/bound.hpp"
#include "anew/policies/sharing/internal/forwarded.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/roles/roles.hpp"

/// Asks one policy for its facts, by the optional members that bounds_of() lists. A fact that it does not say is unknown.
namespace anew::inline ANEW_ABI::detail {

/// The closed forms of the quotas' promises. `m` attempts of a call; p the share of attempts that fails.
struct quota_promise {
  static constexpr double any = 1e300;  // attempts without a limit
  static constexpr double as_number(std::uint64_t n) {
    return n == strategy_bounds::any_number ? any : static_cast<double>(n);
  }
  static constexpr bound<double> at_most_attempts(std::uint64_t m) {
    if (m == strategy_bounds::any_number) return {any, certainty::unbounded, "max_attempts"};
    return {static_cast<double>(m), certainty::at_most, "max_attempts"};
  }
  /// No quota limits the retries: every attempt that a call may make is made while everything fails.
  static constexpr quota_bounds of_unlimited(std::uint64_t m) {
    quota_bounds q{};
    q.amplification = at_most_attempts(m);
    if (m != strategy_bounds::any_number) q.amplification.how = certainty::exact;
    return q;
  }

  /// p^from + ... + p^to. Cut after 400 terms: p < 1, and calls without a limit of attempts have no last term.
  static constexpr double powers(double p, std::uint64_t from, std::uint64_t to) {
    if (from > 4096) return 0;
    double term = 1;
    double sum = 0;
    for (std::uint64_t i = 1; i < from; ++i) term *= p;
    for (std::uint64_t i = from; i <= to && i < from + 400; ++i) sum += term *= p;
    return sum;
  }
  /// The share of failures where what calls give back no longer pays for their retries: the zero of a falling function.
  static constexpr double where_zero(auto const& spare) {
    double low = 0;
    double high = 1;
    for (int i = 0; i != 24; ++i) {  // to 6e-8: each step costs the compiler time
      auto const middle = (low + high) / 2;
      (spare(middle) > 0 ? low : high) = middle;
    }
    return low;
  }

  /// A bucket that successes refill. Where failures are independent, calls make 1 + p + ... + p^(m-1) attempts up to the
  /// share where the bucket drains, and fewer above it, so that share is the worst. In any order, the most retries a call
  /// are those that what successes give back pays for.
  static constexpr quota_bounds of_bucket(auto const& terms, std::uint64_t m) {
    quota_bounds q{};
    q.burst = 0;
    q.amplification = {1, certainty::exact, "quota"};
    auto const retries = m == strategy_bounds::any_number ? m : m - 1;
    bool const in_part = terms.how != decltype(terms.how){};  // payment::partial
    std::uint32_t last_price = 0;
    for (auto const kind : every_kind) {
      auto const price = terms.price(kind);
      if (price == 0) {  // retries of this kind are free
        q.burst = quota_bounds::no_limit;
        q.amplification = at_most_attempts(m);
        continue;
      }
      q.burst = larger(q.burst, std::uint64_t{terms.full / price + (in_part && terms.full % price != 0 ? 1U : 0U)});
      if (price == last_price) continue;
      last_price = price;
      double const c = static_cast<double>(price) / terms.given_back.den;
      double const r = static_cast<double>(terms.given_back.num) / terms.given_back.den;
      auto edge = where_zero([&](double p) {
        // A success gives back what its last retry paid, and r when it paid nothing; or r whatever it paid.
        if (terms.given_back.returns_last_cost) return r * (1 - p) - c * p * powers(p, 1, retries);
        return r * (1 - powers(p, m, m)) - c * powers(p, 1, retries);
      });
      q.drains_above = smaller(q.drains_above, edge);
      if (in_part) {  // a retry pays what is there, so each success pays for a retry, however little it gives back
        edge = where_zero([&](double p) { return 1 - powers(p, m, m) - powers(p, 1, retries); });
      }
      q.expected_amplification = larger(q.expected_amplification, 1 + powers(edge, 1, retries));
      q.amplification.value =
          larger(q.amplification.value, 1 + paid_for(c, r, terms.given_back.returns_last_cost || in_part, m));
    }
    if (in_part && q.amplification.how == certainty::exact) q.amplification.how = certainty::at_most;
    return q;
  }

  /// The most retries a call that successes pay for: of calls that make none each gives r. One whose last retry is given
  /// back makes one for nothing, and k of them for (k-1) c.
  static constexpr double paid_for(double c, double r, bool gives_back_last, std::uint64_t m) {
    double const most = as_number(m) - 1;
    if (!gives_back_last) return smaller(most, r / c);
    return smaller(most, larger(1.0, r / (r / most + c * (1 - 1 / most))));
  }

  /// A failed attempt takes a token, a call that succeeds gives `thousandths / 1000` of one; retries above half.
  static constexpr quota_bounds of_throttle(std::uint32_t capacity, std::uint32_t thousandths, std::uint64_t m) {
    quota_bounds q{};
    std::uint64_t const failures = (capacity + 1) / 2 - 1;
    q.burst = failures - failures / m;  // no retry follows the last attempt of a call
    auto const ratio = thousandths / 1000.0;
    q.drains_above = where_zero([&](double p) { return ratio * (1 - powers(p, m, m)) - powers(p, 1, m); });
    q.expected_amplification = 1 + powers(q.drains_above, 1, m - 1);
    q.amplification = {1 + smaller(as_number(m) - 1, ratio), certainty::exact, "quota"};
    return q;
  }

  /// Calls allow retries whether they succeed or not; the floor is granted to a process of however few calls.
  static constexpr quota_bounds of_budget(std::uint32_t percent, std::uint32_t per_second, std::uint64_t capacity,
                                          std::uint64_t m) {
    quota_bounds q{};
    q.burst = percent == 0 ? capacity : quota_bounds::no_limit;
    if (per_second > 0) {
      q.amplification = at_most_attempts(m);
    } else {
      q.amplification = {1 + percent / 100.0, certainty::exact, "quota"};
    }
    return q;
  }

  /// A share of the calls under way says nothing about retries a second.
  static constexpr quota_bounds of_concurrency(std::uint64_t m) {
    quota_bounds q{};
    q.amplification = at_most_attempts(m);
    return q;
  }

  static constexpr quota_bounds of_refilling(std::uint32_t capacity, duration per, duration longest, auto const& costs,
                                             std::uint64_t m) {
    quota_bounds q{};
    auto cheapest = costs.transient;
    for (auto const kind : every_kind) cheapest = smaller(cheapest, costs.of(kind));
    auto const most = capacity + static_cast<std::uint64_t>(longest / per);
    if (cheapest != 0) q.burst = most / cheapest;  // at one moment; more come with time
    q.amplification = at_most_attempts(m);
    return q;
  }
};

/// Asks the chosen policy, whichever it is: one role at a time, because all together would be their product.
template <class P, class Question>
constexpr auto ask_chosen(P const& policy, Question const& question) {
  if constexpr (IsChoice<P>) {
    return policy.visit([&](auto const& chosen) { return question(chosen); });
  } else {
    return question(policy);
  }
}

// Jitters ------------------------------------------------------------------------------------------------------------

template <class J>
concept DrawsBetweenExtremes = requires { requires J::draws_between_extremes; };

// Kinds of errors ------------------------------------------------------------------------------------------------------

/// The kinds to ask about: those that are told apart, and one for all others.
struct asked_kinds {
  error_kind kinds[5]{};
  unsigned size = 0;
};
template <class P>
concept TellsKindsApart = requires(P const& p, error_kind kind) { p.tells_apart(kind); };
/// A bit for each kind that the policy tells apart; all of them where it does not say which.
constexpr unsigned kinds_apart(auto const& policy) {
  return detail::ask_chosen(policy, []<class Chosen>(Chosen const& chosen) {
    unsigned apart = 0;
    if constexpr (TellsKindsApart<Chosen>) {
      for (auto const kind : every_kind) apart |= chosen.tells_apart(kind) ? 1U << static_cast<unsigned>(kind) : 0U;
    } else if constexpr (DelaysByKind<Chosen> || LimitsByKind<Chosen>) {
      apart = 0x1f;
    }
    return apart;
  });
}
constexpr asked_kinds kinds_to_ask(unsigned apart) {
  asked_kinds asked{};
  bool others = false;
  for (auto const kind : every_kind) {
    bool const named = (apart >> static_cast<unsigned>(kind) & 1U) != 0;
    if (!named && others) continue;
    others = others || !named;
    asked.kinds[asked.size++] = kind;
  }
  return asked;
}

// Limits of attempts ---------------------------------------------------------------------------------------------------

inline constexpr std::uint32_t most_asked_attempts = 4096;

/// How many retries are permitted when all failures are of one kind; `most_asked_attempts` for all that it was asked.
constexpr std::uint32_t retries_permitted(error_kind kind, auto const& permits) {
  call_progress progress{1, kind, {}};
  std::uint32_t permitted = 0;
  for (; permitted != most_asked_attempts; ++permitted) {
    progress.counts.add(kind);
    if (!permits(progress)) break;
    ++progress.attempts;
  }
  return permitted;
}

/// Limits of several kinds add up: after the retries of one kind, those of the next.
constexpr bound<std::uint64_t> attempts_of(auto const& limit, asked_kinds const& asked) {
  return detail::ask_chosen(limit, [&]<class P>(P const& chosen) -> bound<std::uint64_t> {
    constexpr bound<std::uint64_t> none{strategy_bounds::any_number, certainty::unbounded, "max_attempts"};
    if constexpr (requires { chosen.value(); }) {
      return {chosen.value(), certainty::exact, "max_attempts"};
    } else if constexpr (LimitsByKind<P> && !TellsKindsApart<P>) {  // what adds up to what is not known
      return {strategy_bounds::any_number, certainty::unknown, "max_attempts"};
    } else if constexpr (LimitsByKind<P>) {
      std::uint64_t retries = 0;
      for (unsigned i = 0; i != asked.size; ++i) {
        auto const permitted = detail::retries_permitted(
            asked.kinds[i], [&](call_progress const& progress) { return chosen.permits_another(progress); });
        if (permitted == most_asked_attempts) return none;
        retries += permitted;
      }
      return {retries + 1, certainty::exact, "max_attempts"};
    } else {
      auto const permitted = detail::retries_permitted(error_kind::transient, [&](call_progress const& progress) {
        return chosen.permits_another(progress.attempts);
      });
      if (permitted == most_asked_attempts) return none;
      return {permitted + 1, certainty::exact, "max_attempts"};
    }
  });
}

// Hints ----------------------------------------------------------------------------------------------------------------

/// The longest wait after the computed delay `own`, whatever the server asks for.
constexpr bound<duration> hinted(auto const& hint, duration own) {
  return detail::ask_chosen(hint, [own](auto const& chosen) -> bound<duration> {
    if constexpr (requires {
                    { chosen.longest_after(own) } -> std::convertible_to<duration>;
                  }) {
      return {chosen.longest_after(own), certainty::at_most, "hint"};
    } else if constexpr (requires { chosen.overshoot(); }) {
      return {saturating_add(own, chosen.overshoot()), certainty::exact, "hint"};
    } else if constexpr (requires { chosen.longest(); }) {
      return {larger(own, chosen.longest()), certainty::exact, chosen.longest() > own ? "hint" : "backoff"};
    } else {
      return {duration::max(), certainty::unknown, "hint"};
    }
  });
}
template <class H>
concept ResolvesInConstants =
    requires { typename std::bool_constant<(H{}.resolve(duration{2}, duration{1}, duration{2}), true)>; };
/// Whether it may make a wait shorter than the backoff's; also where it cannot be asked.
constexpr bool hint_shortens(auto const& hint) {
  return detail::ask_chosen(hint, []<class P>(P const& chosen) {
    if constexpr (ResolvesHints<P>) {
      if constexpr (!ResolvesInConstants<P>) {
        if (std::is_constant_evaluated()) return true;
      }
      auto const planned = chosen.resolve(duration{2}, duration{1}, duration{2});
      return planned && planned->delay < duration{2};
    }
    return false;  // those that draw begin at what their inner policy, which does not draw, resolves
  });
}

// Quotas, gates and pacers ---------------------------------------------------------------------------------------------

/// Of a handle (`shared`, `borrowed`, `striped`, `long_poll`, a choice), what the policy inside says.
template <class P, class Question>
constexpr auto ask_inside(P const& policy, Question const& question) {
  if constexpr (IsChoice<P>) {
    return policy.visit([&](auto const& chosen) { return detail::ask_inside(chosen, question); });
  } else if constexpr (HoldsAnother<P>) {
    return detail::ask_inside(policy.policy(), question);
  } else {
    return question(policy);
  }
}

constexpr quota_bounds bounds_of_quota(auto const& quota, std::uint64_t attempts) {
  return detail::ask_inside(quota, [attempts](auto const& asked) {
    if constexpr (requires {
                    { asked.promises(attempts) } -> std::same_as<quota_bounds>;
                  }) {
      return asked.promises(attempts);
    } else {
      quota_bounds q{};
      q.amplification = {quota_promise::as_number(attempts), certainty::unknown, "quota"};
      return q;
    }
  });
}
/// How long a quota that lends may let a retry wait.
constexpr duration lent_by(auto const& quota) {
  return detail::ask_inside(quota, []<class P>(P const& asked) {
    if constexpr (requires(typename P::permit_type held, time_point now) { asked.wait(held, now); }) {
      if constexpr (requires { asked.longest_wait(); }) return asked.longest_wait();
      return duration::max();
    }
    return duration::zero();
  });
}

template <class D>
concept FitsInConstants = requires { typename std::bool_constant<(D{}.fit(duration{1}, duration{2}), true)>; };

template <class G>
concept NeverWaits = is_absent<G> || requires { requires G::never_waits; };
/// How long a gate or a pacer may let one attempt wait in all.
constexpr bound<duration> admission_of(auto const& policy, char const* role) {
  return detail::ask_inside(policy, [role]<class Asked>(Asked const& asked) -> bound<duration> {
    if constexpr (NeverWaits<Asked>) {
      return {};
    } else if constexpr (requires {
                           { asked.longest_wait() } -> std::convertible_to<duration>;
                         }) {
      duration const longest = asked.longest_wait();
      return {longest, longest == duration::max() ? certainty::unbounded : certainty::at_most, role};
    } else {
      return {duration::max(), certainty::unknown, role};
    }
  });
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
