// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_INTERNAL_CHOICE_OF_SHARED_HPP
#define ANEW_RUN_TIME_INTERNAL_CHOICE_OF_SHARED_HPP

#include <optional>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/internal/members.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"
#include "anew/run_time/internal/choice_base.hpp"
#include "anew/run_time/internal/choice_held.hpp"
#include "anew/strategy/internal/ask_gate.hpp"

/// Choices among policies that calls share, and that grant an attempt a permit, a pass or a ticket.
namespace anew::inline ANEW_ABI {

template <class... Ps>
class choice<roles::quota, Ps...> : public detail::choice_base<roles::quota, Ps...> {
 public:
  using detail::choice_base<roles::quota, Ps...>::choice_base;
  using permit_type = detail::held_by_choice<Ps...>;
  static constexpr bool waits_before_refusal = (detail::WaitsBeforeRefusal<Ps> || ...);

  [[nodiscard]] constexpr bool waits_before_refusal_now() const {
    return this->visit([]<class Q>(Q const& /*quota*/) { return detail::WaitsBeforeRefusal<Q>; });
  }
  [[nodiscard]] constexpr std::optional<permit_type> try_acquire(failure const& what) const
    requires(!(detail::AcquiresWithTime<Ps> || ...))
  {
    return acquired(what, {});
  }
  [[nodiscard]] constexpr std::optional<permit_type> try_acquire(failure const& what, time_point now) const
    requires(detail::AcquiresWithTime<Ps> || ...)
  {
    return acquired(what, now);
  }
  constexpr void on_success(permit_type const& held) const {
    detail::tell_chosen(*this, held, [](auto const& quota, auto const& own) { quota.on_success(own); });
  }
  constexpr void on_failure(permit_type const& held) const
    requires(detail::HasOnFailure<Ps> || ...)
  {
    detail::tell_chosen(*this, held, []<class Q>(Q const& quota, auto const& own) {
      if constexpr (detail::HasOnFailure<Q>) quota.on_failure(own);
    });
  }
  constexpr void release(permit_type const& held) const {
    detail::tell_chosen(*this, held, [](auto const& quota, auto const& own) { quota.release(own); });
  }
  [[nodiscard]] constexpr duration wait(permit_type const& held, time_point now) const
    requires(detail::LendsRetries<Ps> || ...)
  {
    return this->visit([&]<class Q>(Q const& quota) {
      if constexpr (detail::LendsRetries<Q>) return quota.wait(detail::as_own<typename Q::permit_type>(held), now);
      return duration::zero();
    });
  }
  [[nodiscard]] constexpr admission<permit_type> settle(permit_type const& held, time_point now) const
    requires(detail::SettlesPermits<Ps> || ...)
  {
    return this->visit([&]<class Q>(Q const& quota) -> admission<permit_type> {
      if constexpr (detail::SettlesPermits<Q>) {
        auto const answer = quota.settle(detail::as_own<typename Q::permit_type>(held), now);
        if (!answer.pass) return {std::nullopt, answer.wait};
        return admission<permit_type>::admit(detail::as_common<permit_type>(*answer.pass));
      } else {
        return admission<permit_type>::admit(held);
      }
    });
  }
  constexpr void on_call(time_point now) const
    requires(detail::CountsCallsWithTime<Ps> || ...)
  {
    this->visit([now]<class Q>(Q const& quota) {
      if constexpr (detail::CountsCallsWithTime<Q>) quota.on_call(now);
    });
  }
  constexpr bool on_call() const
    requires(detail::CountsCalls<Ps> || ...)
  {
    return this->visit([]<class Q>(Q const& quota) {
      if constexpr (detail::CountsCallsAtOnce<Q>) return quota.on_call();
      return !detail::CountsCallsWithTime<Q>;
    });
  }
  constexpr void on_call_end() const
    requires(detail::CountsCallsUnderWay<Ps> || ...)
  {
    this->visit([]<class Q>(Q const& quota) {
      if constexpr (detail::CountsCallsUnderWay<Q>) quota.on_call_end();
    });
  }
  constexpr void on_attempt_failed(failure const& what) const
    requires(detail::HasOnAttemptFailed<Ps> || ...)
  {
    this->visit([&]<class Q>(Q const& quota) {
      if constexpr (detail::HasOnAttemptFailed<Q>) quota.on_attempt_failed(what);
    });
  }

 private:
  [[nodiscard]] constexpr std::optional<permit_type> acquired(failure const& what, time_point now) const {
    return this->visit([&](auto const& chosen) -> std::optional<permit_type> {
      auto const permit = detail::try_acquire(chosen, what, now);
      if (!permit) return std::nullopt;
      return detail::as_common<permit_type>(*permit);
    });
  }
};

template <class... Ps>
class choice<roles::gate, Ps...> : public detail::choice_base<roles::gate, Ps...> {
 public:
  using detail::choice_base<roles::gate, Ps...>::choice_base;
  using pass_type = detail::held_by_choice<Ps...>;

 private:
  static constexpr bool keeps_place = (detail::KeepsPlace<Ps> || ...);
  static constexpr bool draws = ((detail::DrawsOnEntry<Ps> || detail::KeepsOrderAndDraws<Ps>) || ...);

 public:
  [[nodiscard]] constexpr admission<pass_type> try_enter(time_point now) const {
    auto since = time_point::min();
    return entered(now, since, roles::absent<roles::random_source>{});
  }
  [[nodiscard]] constexpr admission<pass_type> try_enter(time_point now, time_point& since) const
    requires(keeps_place && !draws)
  {
    return entered(now, since, roles::absent<roles::random_source>{});
  }
  template <RandomSource Random>
  [[nodiscard]] constexpr admission<pass_type> try_enter(time_point now, Random&& random) const
    requires(draws && !keeps_place)
  {
    auto since = time_point::min();
    return entered(now, since, random);
  }
  template <RandomSource Random>
  [[nodiscard]] constexpr admission<pass_type> try_enter(time_point now, time_point& since, Random&& random) const
    requires(draws && keeps_place)
  {
    return entered(now, since, random);
  }
  [[nodiscard]] constexpr std::optional<pass_type> enter_at_once() const
    requires((detail::is_absent<Ps> || detail::EntersAtOnce<Ps>) || ...)
  {
    return this->visit([]<class G>(G const& gate) -> std::optional<pass_type> {
      if constexpr (detail::is_absent<G>) return pass_type{};
      if constexpr (detail::EntersAtOnce<G>) {
        if (auto const own = gate.enter_at_once()) return detail::as_common<pass_type>(*own);
      }
      return std::nullopt;
    });
  }
  constexpr bool on_success(pass_type const& pass) const
    requires((detail::is_absent<Ps> || detail::SucceedsAtOnce<Ps>) || ...)
  {
    return this->visit([&pass]<class G>(G const& gate) {
      if constexpr (detail::SucceedsAtOnce<G>) return gate.on_success(detail::as_own<typename G::pass_type>(pass));
      return detail::is_absent<G>;
    });
  }
  constexpr void on_success(pass_type const& pass, time_point now) const {
    detail::tell_chosen(*this, pass, [now](auto const& gate, auto const& own) { gate.on_success(own, now); });
  }
  constexpr void on_failure(pass_type const& pass, failure const& what, time_point now) const {
    detail::tell_chosen(*this, pass, [&](auto const& gate, auto const& own) { gate.on_failure(own, what, now); });
  }
  template <class Random>
  constexpr void on_failure(pass_type const& pass, failure const& what, time_point now, Random&& random) const
    requires(detail::DrawsOnFailure<Ps> || ...)
  {
    detail::tell_chosen(*this, pass, [&]<class G>(G const& gate, auto const& own) {
      if constexpr (detail::DrawsOnFailure<G>) {
        gate.on_failure(own, what, now, random);
      } else {
        gate.on_failure(own, what, now);
      }
    });
  }
  constexpr void release(pass_type const& pass) const {
    detail::tell_chosen(*this, pass, [](auto const& gate, auto const& own) { gate.release(own); });
  }
  [[nodiscard]] constexpr bool would_refuse(time_point then) const
    requires(detail::ForeseesRefusals<Ps> || ...)
  {
    return this->visit([then]<class G>(G const& gate) {
      if constexpr (detail::ForeseesRefusals<G>) return gate.would_refuse(then);
      return false;
    });
  }

 private:
  struct place {
    time_point& value;
  };
  template <class Random>
  [[nodiscard]] constexpr admission<pass_type> entered(time_point now, time_point& since, Random const& random) const {
    return this->visit([&]<class G>(G const& gate) -> admission<pass_type> {
      if constexpr (detail::is_absent<G>) {
        return admission<pass_type>::admit({});
      } else {
        place own{since};
        auto const answer = detail::ask_gate(gate, own, now, random);
        if (!answer.pass) return {std::nullopt, answer.wait};
        return admission<pass_type>::admit(detail::as_common<pass_type>(*answer.pass));
      }
    });
  }
};

template <class... Ps>
class choice<roles::pacer, Ps...> : public detail::choice_base<roles::pacer, Ps...> {
 public:
  using detail::choice_base<roles::pacer, Ps...>::choice_base;
  using ticket_type = detail::held_by_choice<Ps...>;

  [[nodiscard]] constexpr pace ask(ticket_type& ticket, time_point now) const {
    return this->visit([&]<class P>(P const& pacer) {
      if constexpr (detail::is_absent<P>) {
        return pace{};
      } else {
        auto own = detail::as_own<typename P::ticket_type>(ticket);
        auto const answer = pacer.ask(own, now);
        ticket = detail::as_common<ticket_type>(own);
        return answer;
      }
    });
  }
  [[nodiscard]] constexpr bool admits_at_once() const
    requires((detail::is_absent<Ps> || detail::AdmitsAtOnce<Ps>) || ...)
  {
    return this->visit([]<class P>(P const& pacer) {
      if constexpr (detail::AdmitsAtOnce<P>) return pacer.admits_at_once();
      return detail::is_absent<P>;
    });
  }
  constexpr void on_success(time_point now) const {
    detail::tell_chosen(*this, ticket_type{}, [now](auto const& pacer, auto const& /*own*/) { pacer.on_success(now); });
  }
  constexpr void on_failure(failure const& what, time_point now) const {
    detail::tell_chosen(*this, ticket_type{},
                        [&](auto const& pacer, auto const& /*own*/) { pacer.on_failure(what, now); });
  }
  constexpr void release(ticket_type const& ticket) const {
    detail::tell_chosen(*this, ticket, [](auto const& pacer, auto const& own) { pacer.release(own); });
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
