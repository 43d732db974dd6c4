// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COMPOSE_INTERNAL_CHOICE_OF_SHARED_HPP
#define ANEW_COMPOSE_INTERNAL_CHOICE_OF_SHARED_HPP

#include <optional>

#include "anew/compose/internal/choice_base.hpp"
#include "anew/compose/internal/choice_held.hpp"
#include "anew/concept/gate.hpp"
#include "anew/concept/internal/members.hpp"
#include "anew/concept/pacer.hpp"
#include "anew/concept/quota.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/failure.hpp"

/// Choices among policies that calls share, and that grant an attempt a permit, a pass or a ticket.
namespace anew::inline ANEW_ABI {

template <class Role, class... Policies>
class choice;

template <class... Ps>
class choice<roles::quota, Ps...> : public detail::choice_base<roles::quota, Ps...> {
 public:
  using detail::choice_base<roles::quota, Ps...>::choice_base;
  constexpr choice() = default;
  using permit_type = detail::held_by_choice<typename Ps::permit_type...>;
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
    this->visit([&]<class Q>(Q const& quota) { quota.on_success(own<Q>(held)); });
  }
  constexpr void on_failure(permit_type const& held) const
    requires(detail::HasOnFailure<Ps> || ...)
  {
    this->visit([&]<class Q>(Q const& quota) {
      if constexpr (detail::HasOnFailure<Q>) quota.on_failure(own<Q>(held));
    });
  }
  constexpr void release(permit_type const& held) const {
    this->visit([&]<class Q>(Q const& quota) { quota.release(own<Q>(held)); });
  }
  [[nodiscard]] constexpr duration wait(permit_type const& held, time_point now) const
    requires(detail::LendsRetries<Ps> || ...)
  {
    return this->visit([&]<class Q>(Q const& quota) {
      if constexpr (detail::LendsRetries<Q>) {
        return quota.wait(own<Q>(held), now);
      } else {
        return duration::zero();
      }
    });
  }
  constexpr void on_call(time_point now) const
    requires(detail::CountsCalls<Ps> || ...)
  {
    this->visit([now]<class Q>(Q const& quota) {
      if constexpr (detail::CountsCalls<Q>) quota.on_call(now);
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
  template <class Q>
  static constexpr typename Q::permit_type own(permit_type const& held) {
    return detail::as_own<typename Q::permit_type>(held);
  }
  [[nodiscard]] constexpr std::optional<permit_type> acquired(failure const& what, time_point now) const {
    return this->visit([&](auto const& quota) -> std::optional<permit_type> {
      auto const permit = detail::try_acquire(quota, what, now);
      if (!permit) return std::nullopt;
      return detail::as_common<permit_type>(*permit);
    });
  }
};

template <class... Ps>
class choice<roles::gate, Ps...> : public detail::choice_base<roles::gate, Ps...> {
 public:
  using detail::choice_base<roles::gate, Ps...>::choice_base;
  constexpr choice() = default;
  using pass_type = detail::held_by_choice<typename detail::pass_of<Ps>::type...>;

  [[nodiscard]] constexpr admission<pass_type> try_enter(time_point now) const {
    auto since = time_point::min();
    return entered(now, since);
  }
  [[nodiscard]] constexpr admission<pass_type> try_enter(time_point now, time_point& since) const
    requires(detail::KeepsOrder<Ps> || ...)
  {
    return entered(now, since);
  }
  constexpr void on_success(pass_type const& pass, time_point now) const {
    tell(pass, [now](auto const& gate, auto const& own) { gate.on_success(own, now); });
  }
  constexpr void on_failure(pass_type const& pass, failure const& what, time_point now) const {
    tell(pass, [&](auto const& gate, auto const& own) { gate.on_failure(own, what, now); });
  }
  template <class Random>
  constexpr void on_failure(pass_type const& pass, failure const& what, time_point now, Random&& random) const
    requires(detail::DrawsOnFailure<Ps> || ...)
  {
    tell(pass, [&]<class G>(G const& gate, auto const& own) {
      if constexpr (detail::DrawsOnFailure<G>) {
        gate.on_failure(own, what, now, random);
      } else {
        gate.on_failure(own, what, now);
      }
    });
  }
  constexpr void release(pass_type const& pass) const {
    tell(pass, [](auto const& gate, auto const& own) { gate.release(own); });
  }
  [[nodiscard]] constexpr bool would_refuse(time_point then) const
    requires(detail::ForeseesRefusals<Ps> || ...)
  {
    return this->visit([then]<class G>(G const& gate) {
      if constexpr (detail::ForeseesRefusals<G>) {
        return gate.would_refuse(then);
      } else {
        return false;
      }
    });
  }

 private:
  template <class Tell>
  constexpr void tell(pass_type const& pass, Tell const& tell) const {
    this->visit([&]<class G>(G const& gate) {
      if constexpr (!detail::is_absent<G>) tell(gate, detail::as_own<typename G::pass_type>(pass));
    });
  }
  [[nodiscard]] constexpr admission<pass_type> entered(time_point now, [[maybe_unused]] time_point& since) const {
    return this->visit([&]<class G>(G const& gate) -> admission<pass_type> {
      if constexpr (detail::is_absent<G>) {
        return admission<pass_type>::admit({});
      } else {
        auto const answer = [&] {
          if constexpr (detail::KeepsOrder<G>) {
            return gate.try_enter(now, since);
          } else {
            return gate.try_enter(now);
          }
        }();
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
  constexpr choice() = default;
  using ticket_type = detail::held_by_choice<typename detail::ticket_of<Ps>::type...>;

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
  constexpr void on_success(time_point now) const {
    this->visit([now]<class P>(P const& pacer) {
      if constexpr (!detail::is_absent<P>) pacer.on_success(now);
    });
  }
  constexpr void on_failure(failure const& what, time_point now) const {
    this->visit([&]<class P>(P const& pacer) {
      if constexpr (!detail::is_absent<P>) pacer.on_failure(what, now);
    });
  }
  constexpr void release(ticket_type const& ticket) const {
    this->visit([&]<class P>(P const& pacer) {
      if constexpr (!detail::is_absent<P>) pacer.release(detail::as_own<typename P::ticket_type>(ticket));
    });
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
