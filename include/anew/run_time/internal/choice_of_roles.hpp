// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_INTERNAL_CHOICE_OF_ROLES_HPP
#define ANEW_RUN_TIME_INTERNAL_CHOICE_OF_ROLES_HPP

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>

#include "anew/base/asked_delay.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/system.hpp"
#include "anew/base/random_source.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/policies/classifier/internal/combine.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/policies/sharing/internal/forwarded.hpp"
#include "anew/policies/sharing/internal/grants.hpp"
#include "anew/policies/sources/std_clock.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/clock.hpp"
#include "anew/roles/deadline.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/roles/nesting.hpp"
#include "anew/roles/reset.hpp"
#include "anew/roles/roles.hpp"
#include "anew/run_time/internal/choice_base.hpp"
#include "anew/strategy/internal/draw.hpp"

/// Choices among policies that share nothing between calls: what classifies, limits or delays, clocks and random sources.
namespace anew::inline ANEW_ABI {

namespace detail {

/// The scope of an attempt; active where a guard was chosen.
class chosen_scope {
 public:
  chosen_scope(auto const& nesting, auto const& quota) {
    nesting.visit([&]<class N>(N const& /*guard*/) {
      if constexpr (!is_absent<N>) scope_.emplace(N::lent_by(quota));
    });
  }

 private:
  std::optional<nesting_scope> scope_;
};

}  // namespace detail

/// Among guards: `nesting_guard` of either kind, or `absent`.
template <class... Ps>
class choice<roles::nesting, Ps...> : public detail::choice_base<roles::nesting, Ps...> {
 public:
  using detail::choice_base<roles::nesting, Ps...>::choice_base;
  using permit_type = detail::held_by_choice<Ps...>;
  static constexpr stop_reason refusal = stop_reason::nested;  // refusal_now() returns the chosen guard's reason

  [[nodiscard]] stop_reason refusal_now() const {
    return this->visit_or(refusal, []<class N>(N const& /*guard*/) { return N::refusal; });
  }
  [[nodiscard]] detail::chosen_scope enter(auto const& quota) const { return {*this, quota}; }
  [[nodiscard]] bool is_nested() const {
    return this->visit_or(false, [](auto const& chosen) { return chosen.is_nested(); });
  }
  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& what) const {
    return this->visit([&]<class N>(N const& guard) -> std::optional<permit_type> {
      if constexpr (!detail::is_absent<N>) {
        if (auto const permit = guard.try_acquire(what)) return detail::as_common<permit_type>(*permit);
      }
      return std::nullopt;
    });
  }
  void on_success(permit_type const& held) const {
    detail::tell_chosen(*this, held, [](auto const& guard, auto const& own) { guard.on_success(own); });
  }
  void on_failure(permit_type const& held) const {
    detail::tell_chosen(*this, held, [](auto const& guard, auto const& own) { guard.on_failure(own); });
  }
  void release(permit_type const& held) const {
    detail::tell_chosen(*this, held, [](auto const& guard, auto const& own) { guard.release(own); });
  }
};

/// A choice among policies that calls share, and that grant an attempt a permit, a pass or a ticket.
template <detail::OneOf<roles::quota, roles::gate, roles::pacer> Role, class... Ps>
class choice<Role, Ps...> : public detail::choice_base<Role, Ps...>,
                            public sharing::forwarded<choice<Role, Ps...>, Role, Ps...> {
 public:
  using detail::choice_base<Role, Ps...>::choice_base;
};

/// The errors and results that all alternatives read, so that no setting selects a classifier that cannot read the
/// operation's result. Exceptions are read as the chosen classifier reads them; what it does not read stays unread.
template <class... Ps>
class choice<roles::classifier, Ps...> : public detail::choice_base<roles::classifier, Ps...> {
 public:
  using detail::choice_base<roles::classifier, Ps...>::choice_base;
  using catches = detail::merged_catches<Ps...>;

  template <class E>
    requires(detail::ReadableByOneOf<E, catches, Ps> && ...) ||
            (std::same_as<E, unknown_exception> && (ClassifierOf<Ps, E> || ...))
  [[nodiscard]] constexpr directive classify(E const& error) const {
    return this->visit([&](auto const& chosen) {
      return detail::consult<catches>(chosen, error).value_or(directive::unclassified());
    });
  }
  template <class R>
    requires(detail::ReadsResult<Ps, R> && ...)
  [[nodiscard]] constexpr directive classify_result(R const& result) const {
    return this->visit([&](auto const& chosen) { return chosen.classify_result(result); });
  }
  template <class R>
  static constexpr bool reads_whole = (detail::ReadsWhole<Ps, R> && ...);
  template <class R>
  static constexpr bool leaves_undecided = (detail::LeavesUndecided<Ps, R> || ...);
};

template <class... Ps>
class choice<roles::max_attempts, Ps...> : public detail::choice_base<roles::max_attempts, Ps...> {
 public:
  using detail::choice_base<roles::max_attempts, Ps...>::choice_base;

  [[nodiscard]] constexpr bool permits_another(std::uint32_t made) const {
    return this->visit([made](auto const& chosen) { return chosen.permits_another(made); });
  }
  [[nodiscard]] constexpr bool permits_another(call_progress const& progress) const
    requires(detail::LimitsByKind<Ps> || ...)
  {
    return this->visit([&]<class M>(M const& chosen) {
      if constexpr (detail::LimitsByKind<M>) return chosen.permits_another(progress);
      return chosen.permits_another(progress.attempts);
    });
  }
};

template <class... Ps>
class choice<roles::deadline, Ps...> : public detail::choice_base<roles::deadline, Ps...> {
 public:
  using detail::choice_base<roles::deadline, Ps...>::choice_base;

  [[nodiscard]] constexpr duration total() const {
    return this->visit_or(duration::max(), [](auto const& chosen) { return chosen.total(); });
  }
  [[nodiscard]] constexpr std::optional<duration> fit(duration delay, duration remaining) const {
    return this->visit_or(std::optional{delay}, [&](auto const& chosen) { return chosen.fit(delay, remaining); });
  }
};

template <class... Ps>
class choice<roles::attempt_timeout, Ps...> : public detail::choice_base<roles::attempt_timeout, Ps...> {
 public:
  using detail::choice_base<roles::attempt_timeout, Ps...>::choice_base;
  static constexpr bool needs_deadline = (detail::NeedsDeadline<Ps> || ...);

  [[nodiscard]] constexpr duration of(duration remaining) const {
    return this->visit_or(duration::max(), [remaining](auto const& chosen) { return chosen.of(remaining); });
  }
};

template <class... Ps>
class choice<roles::reset, Ps...> : public detail::choice_base<roles::reset, Ps...> {
 public:
  using detail::choice_base<roles::reset, Ps...>::choice_base;

  [[nodiscard]] constexpr bool starts_over(duration ran) const {
    return this->visit_or(false, [ran](auto const& chosen) { return chosen.starts_over(ran); });
  }
};

/// Returns the steady clock's time where no clock is chosen.
template <class... Ps>
class choice<roles::clock, Ps...> : public detail::choice_base<roles::clock, Ps...> {
 public:
  using detail::choice_base<roles::clock, Ps...>::choice_base;
  static constexpr bool is_steady = ((detail::is_absent<Ps> || detail::SteadyClock<Ps>) && ...);

  [[nodiscard]] constexpr time_point now() const {
    return this->visit([]<class C>(C const& clock) {
      if constexpr (!detail::is_absent<C>) {
        return clock.now();
      } else {
        return detail::platform::now();
      }
    });
  }
};

/// Uses the thread's own generator where no source is chosen.
template <class... Ps>
class choice<roles::random_source, Ps...> : public detail::choice_base<roles::random_source, Ps...> {
 public:
  using detail::choice_base<roles::random_source, Ps...>::choice_base;

  constexpr std::uint64_t operator()() const {
    return this->visit([]<class R>(R const& source) -> std::uint64_t {
      if constexpr (!detail::is_absent<R>) return source();
      return thread_random{}();
    });
  }
};

namespace detail {

template <class B>
concept CountsByKind = DelaysByKind<B> && !CountsNothingByKind<B>;

/// The chosen jitter's state of a call: empty before its first draw.
template <class... Ps>
struct chosen_state {};
template <class... Ps>
  requires(AppliesWithState<Ps> || ...)
struct chosen_state<Ps...> {
  template <class States>
  struct variant_of;
  template <class... States>
  struct variant_of<type_list<States...>> {
    using type = std::variant<no_state, States...>;
  };
  using state_type =
      typename variant_of<typename unique_types<no_state, type_list<>, typename jitter_state<Ps>::type...>::type>::type;
};

}  // namespace detail

template <class... Ps>
class choice<roles::backoff, Ps...> : public detail::choice_base<roles::backoff, Ps...> {
 public:
  using detail::choice_base<roles::backoff, Ps...>::choice_base;
  static constexpr bool needs_counts = (detail::CountsByKind<Ps> || ...);

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const {
    return this->visit([retry](auto const& chosen) { return chosen.delay(retry); });
  }
  [[nodiscard]] constexpr duration delay(call_progress const& progress) const
    requires(detail::DelaysByKind<Ps> || ...)
  {
    return this->visit([&](auto const& chosen) { return detail::backoff_delay(chosen, progress.attempts, progress); });
  }
  [[nodiscard]] constexpr duration cap() const {
    return this->visit([](auto const& chosen) { return detail::cap_of(chosen); });
  }
};

template <class... Ps>
class choice<roles::jitter, Ps...> : public detail::choice_base<roles::jitter, Ps...>,
                                     public detail::chosen_state<Ps...> {
 public:
  using detail::choice_base<roles::jitter, Ps...>::choice_base;

  [[nodiscard]] constexpr duration apply(duration ceiling, RandomSource auto& random) const
    requires(!(detail::AppliesWithState<Ps> || ...))
  {
    return this->visit([&](auto const& chosen) { return chosen.apply(ceiling, random); });
  }
  template <RandomSource R, class Own = detail::chosen_state<Ps...>>
  [[nodiscard]] constexpr duration apply(delay_bounds const& bounds, typename Own::state_type& state, R& random) const {
    return this->visit([&]<class J>(J const& jitter) {
      if constexpr (detail::AppliesWithState<J>) {
        using remembered = typename J::state_type;
        if (!std::holds_alternative<remembered>(state)) state.template emplace<remembered>();
        return jitter.apply(bounds, *std::get_if<remembered>(&state), random);
      } else {
        return jitter.apply(bounds.ceiling, random);
      }
    });
  }
};

template <class... Ps>
class choice<roles::hint, Ps...> : public detail::choice_base<roles::hint, Ps...> {
 public:
  using detail::choice_base<roles::hint, Ps...>::choice_base;
  static constexpr bool obeys_refusals = (detail::ObeysRefusals<Ps> || ...);

  [[nodiscard]] constexpr bool obeys_refusals_now() const {
    return this->visit([]<class H>(H const& /*hint*/) { return detail::ObeysRefusals<H>; });
  }
  [[nodiscard]] constexpr std::optional<planned_delay> resolve(duration computed, duration asked, duration cap) const
    requires(!(detail::ResolvesHintsByDrawing<Ps> || ...))
  {
    return this->visit([&](auto const& chosen) { return chosen.resolve(computed, asked, cap); });
  }
  [[nodiscard]] constexpr std::optional<planned_delay> resolve(duration computed, duration asked, duration cap,
                                                               RandomSource auto& random) const
    requires(detail::ResolvesHintsByDrawing<Ps> || ...)
  {
    return this->visit([&](auto const& chosen) { return detail::resolve(chosen, computed, asked, cap, random); });
  }
  [[nodiscard]] constexpr planned_delay not_understood(duration computed, duration cap) const
    requires(detail::PlansForUnread<Ps> || ...)
  {
    return this->visit([&]<class H>(H const& hint) {
      if constexpr (detail::PlansForUnread<H>) return hint.not_understood(computed, cap);
      return planned_delay{computed, delay_origin::backoff};
    });
  }
  [[nodiscard]] constexpr duration longest() const
    requires(detail::NamesItsLongest<Ps> || ...)
  {
    return this->visit([]<class H>(H const& hint) {
      if constexpr (detail::NamesItsLongest<H>) return hint.longest();
      return duration::max();
    });
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
