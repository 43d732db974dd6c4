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
#include "anew/bounds/internal/quota_promise.hpp"
#include "anew/policies/sharing/internal/forwarded.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/roles/roles.hpp"

/// Asks one policy for its facts, by the optional members that bounds_of() lists. A fact that it does not say is unknown.
namespace anew::inline ANEW_ABI::detail {

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
template <class J>
concept MeanIsMiddle = requires { requires J::mean_is_middle; };
struct jitter_facts {
  bool is_monotone;     // its draws grow with each random word, so the extreme words give its bounds
  bool mean_is_middle;  // of the least and the greatest draw
};
constexpr jitter_facts facts_of_jitter(auto const& jitter) {
  return detail::ask_chosen(
      jitter, []<class P>(P const& /*chosen*/) { return jitter_facts{DrawsBetweenExtremes<P>, MeanIsMiddle<P>}; });
}

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
/// Each random word is the same.
struct same_word {
  std::uint64_t word;
  constexpr std::uint64_t operator()() const noexcept { return word; }
};
template <class H>
concept PlansOneHint =
    ResolvesHints<H> || requires(H const& hint, duration d, same_word& r) { hint.resolve(d, d, d, r); };
/// Whether it makes a wait of two nanoseconds shorter where the server asks for one.
template <PlansOneHint H>
constexpr bool shortens_at(H const& hint, [[maybe_unused]] same_word random) {
  auto const planned = [&] {
    if constexpr (ResolvesHints<H>) return hint.resolve(duration{2}, duration{1}, duration{2});
    if constexpr (!ResolvesHints<H>) return hint.resolve(duration{2}, duration{1}, duration{2}, random);
  }();
  return planned && planned->delay < duration{2};
}
template <class H>
concept ResolvesInConstants =
    PlansOneHint<H> && requires { typename std::bool_constant<(detail::shortens_at(H{}, same_word{0}), true)>; };
/// Whether it may make a wait shorter than the backoff's; also where it cannot be asked.
constexpr bool hint_shortens(auto const& hint) {
  return detail::ask_chosen(hint, []<class P>(P const& chosen) {
    if constexpr (is_absent<P>) return false;
    if constexpr (!ResolvesInConstants<P>) {
      if (std::is_constant_evaluated()) return true;
    }
    if constexpr (PlansOneHint<P>)
      return detail::shortens_at(chosen, {0}) || detail::shortens_at(chosen, {~std::uint64_t{0}});
    return true;
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
