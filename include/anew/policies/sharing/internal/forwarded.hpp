// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SHARING_INTERNAL_FORWARDED_HPP
#define ANEW_POLICIES_SHARING_INTERNAL_FORWARDED_HPP

#include <optional>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/policies/sharing/internal/grants.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/internal/ask_gate.hpp"
#include "anew/roles/internal/members.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

/// Not in namespace detail: ADL on a strategy considers the base classes of its policies.
namespace anew::inline ANEW_ABI::sharing {

/// The handle of a policy, or the choice among several, that derives from this.
template <class Handle>
class handle_base {
 protected:
  [[nodiscard]] constexpr Handle const& handle() const noexcept { return static_cast<Handle const&>(*this); }
};

/// Forwards to one policy of `Ps`, that of a handle or the one that is chosen: every function of their concept, and each
/// optional function that one of them has. A new optional function of a role is forwarded here, and nowhere else.
template <class Handle, class Role, class... Ps>
class forwarded {
 public:
  // Any other type becomes a quota that does nothing, so that the explanation is the only error.
  using permit_type = no_permit;
  [[nodiscard]] static std::optional<permit_type> try_acquire(failure const& /*f*/) { return std::nullopt; }
  static void on_success(permit_type /*held*/) {}
  static void release(permit_type /*held*/) {}
};

template <class Handle, class... Ps>
class forwarded<Handle, roles::quota, Ps...> : public handle_base<Handle> {
 public:
  using permit_type = detail::held_by_choice<Ps...>;
  static constexpr bool waits_before_refusal = (detail::WaitsBeforeRefusal<Ps> || ...);

  /// Asked of the policy that is there now: a handle may hold a choice, and a choice a quota that does not wait.
  [[nodiscard]] constexpr bool waits_before_refusal_now() const
    requires waits_before_refusal
  {
    return detail::visit_policy(this->handle(), []<class Q>(Q const& quota) {
      if constexpr (detail::WaitsBeforeRefusal<Q>) return detail::waits_before_refusal(quota);
      return false;
    });
  }
  [[nodiscard]] constexpr std::optional<permit_type> try_acquire(failure const& f) const
    requires(detail::AcquiresWithoutTime<Ps> && ...)
  {
    return acquired(f, {});
  }
  [[nodiscard]] constexpr std::optional<permit_type> try_acquire(failure const& f, time_point now) const
    requires(detail::AcquiresWithTime<Ps> || ...)
  {
    return acquired(f, now);
  }
  constexpr void on_success(permit_type const& held) const {
    detail::tell_chosen(this->handle(), held, [](auto const& quota, auto const& own) { quota.on_success(own); });
  }
  constexpr void on_failure(permit_type const& held) const
    requires(detail::HasOnFailure<Ps> || ...)
  {
    detail::tell_chosen(this->handle(), held, []<class Q>(Q const& quota, auto const& own) {
      if constexpr (detail::HasOnFailure<Q>) quota.on_failure(own);
    });
  }
  constexpr void release(permit_type const& held) const {
    detail::tell_chosen(this->handle(), held, [](auto const& quota, auto const& own) { quota.release(own); });
  }
  [[nodiscard]] constexpr duration wait(permit_type const& held, time_point now) const
    requires(detail::LendsRetries<Ps> || ...)
  {
    return detail::visit_policy(this->handle(), [&]<class Q>(Q const& quota) {
      if constexpr (detail::LendsRetries<Q>) return quota.wait(detail::as_own<typename Q::permit_type>(held), now);
      return duration::zero();
    });
  }
  [[nodiscard]] constexpr admission<permit_type> settle(permit_type const& held, time_point now) const
    requires(detail::SettlesPermits<Ps> || ...)
  {
    return detail::visit_policy(this->handle(), [&]<class Q>(Q const& quota) -> admission<permit_type> {
      if constexpr (detail::SettlesPermits<Q>) {
        auto const answer = quota.settle(detail::as_own<typename Q::permit_type>(held), now);
        if (!answer.pass) return {std::nullopt, answer.wait};
        return admission<permit_type>::admit(detail::as_common<permit_type>(*answer.pass));
      } else {
        return admission<permit_type>::admit(held);
      }
    });
  }
  constexpr void on_call(detail::Time auto&& now) const
    requires(detail::CountsCalls<Ps> || ...)
  {
    detail::visit_policy(this->handle(), [&]<class Q>(Q const& quota) {
      if constexpr (detail::CountsCalls<Q>) quota.on_call(now);
    });
  }
  constexpr void on_call_end() const
    requires(detail::CountsCallsUnderWay<Ps> || ...)
  {
    detail::visit_policy(this->handle(), []<class Q>(Q const& quota) {
      if constexpr (detail::CountsCallsUnderWay<Q>) quota.on_call_end();
    });
  }
  constexpr void on_attempt_failed(failure const& f) const
    requires(detail::HasOnAttemptFailed<Ps> || ...)
  {
    detail::visit_policy(this->handle(), [&]<class Q>(Q const& quota) {
      if constexpr (detail::HasOnAttemptFailed<Q>) quota.on_attempt_failed(f);
    });
  }

 private:
  [[nodiscard]] constexpr std::optional<permit_type> acquired(failure const& f, time_point now) const {
    return detail::visit_policy(this->handle(), [&](auto const& quota) -> std::optional<permit_type> {
      auto const permit = detail::try_acquire(quota, f, now);
      if (!permit) return std::nullopt;
      return detail::as_common<permit_type>(*permit);
    });
  }
};

template <class Handle, class... Ps>
class forwarded<Handle, roles::gate, Ps...> : public handle_base<Handle> {
 public:
  using pass_type = detail::held_by_choice<Ps...>;

  [[nodiscard]] constexpr admission<pass_type> try_enter(detail::Time auto&& now) const {
    auto since = time_point::min();
    return entered(now, since, roles::absent<roles::random_source>{});
  }
  [[nodiscard]] constexpr admission<pass_type> try_enter(detail::Time auto&& now, time_point& since,
                                                         RandomSource auto&& random) const
    requires(detail::IsAskedWithMore<Ps> || ...)
  {
    return entered(now, since, random);
  }
  constexpr gate_change on_success(pass_type const& pass, detail::Time auto&& now) const {
    return changed_by(pass, [&](auto const& gate, auto const& own) { return gate.on_success(own, now); });
  }
  constexpr gate_change on_failure(pass_type const& pass, failure const& f, time_point now) const {
    return changed_by(pass, [&](auto const& gate, auto const& own) { return gate.on_failure(own, f, now); });
  }
  constexpr gate_change on_failure(pass_type const& pass, failure const& f, time_point now, auto&& random) const
    requires(detail::DrawsOnFailure<Ps> || ...)
  {
    return changed_by(pass, [&]<class G>(G const& gate, auto const& own) {
      if constexpr (detail::DrawsOnFailure<G>) {
        return gate.on_failure(own, f, now, random);
      } else {
        return gate.on_failure(own, f, now);
      }
    });
  }
  constexpr void release(pass_type const& pass) const {
    detail::tell_chosen(this->handle(), pass, [](auto const& gate, auto const& own) { gate.release(own); });
  }
  [[nodiscard]] constexpr bool would_refuse(time_point then) const
    requires(detail::ForeseesRefusals<Ps> || ...)
  {
    return detail::visit_policy(this->handle(), [then]<class G>(G const& gate) {
      if constexpr (detail::ForeseesRefusals<G>) return gate.would_refuse(then);
      return false;
    });
  }

 private:
  constexpr gate_change changed_by(pass_type const& pass, auto const& tell) const {
    gate_change change;
    detail::tell_chosen(this->handle(), pass, [&](auto const& gate, auto const& own) {
      change = detail::change_by([&] { return tell(gate, own); });
    });
    return change;
  }
  struct place {
    time_point& value;
  };
  [[nodiscard]] constexpr admission<pass_type> entered(auto& now, time_point& since, auto const& random) const {
    return detail::visit_policy(this->handle(), [&]<class G>(G const& gate) -> admission<pass_type> {
      if constexpr (detail::is_absent<G>) {
        return admission<pass_type>::admit({});
      } else {
        place own{since};
        auto const told = detail::ask_gate(gate, own, now, random);
        if (!told.pass) return {std::nullopt, told.wait, told.change};
        return {detail::as_common<pass_type>(*told.pass), {}, told.change};
      }
    });
  }
};

template <class Handle, class... Ps>
class forwarded<Handle, roles::pacer, Ps...> : public handle_base<Handle> {
 public:
  using ticket_type = detail::held_by_choice<Ps...>;

  [[nodiscard]] constexpr pace ask(ticket_type& ticket, detail::Time auto&& now) const {
    return detail::visit_policy(this->handle(), [&]<class P>(P const& pacer) {
      if constexpr (detail::is_absent<P>) {
        return pace{};
      } else {
        auto own = detail::as_own<typename P::ticket_type>(ticket);
        auto const told = pacer.ask(own, now);
        ticket = detail::as_common<ticket_type>(own);
        return told;
      }
    });
  }
  constexpr void on_success(time_point now) const {
    detail::tell_chosen(this->handle(), ticket_type{},
                        [now](auto const& pacer, auto const& /*own*/) { pacer.on_success(now); });
  }
  constexpr void on_failure(failure const& f, time_point now) const {
    detail::tell_chosen(this->handle(), ticket_type{},
                        [&](auto const& pacer, auto const& /*own*/) { pacer.on_failure(f, now); });
  }
  constexpr void release(ticket_type const& ticket) const {
    detail::tell_chosen(this->handle(), ticket, [](auto const& pacer, auto const& own) { pacer.release(own); });
  }
};

}  // namespace anew::inline ANEW_ABI::sharing

#endif
