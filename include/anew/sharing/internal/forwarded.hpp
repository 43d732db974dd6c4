// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SHARING_INTERNAL_FORWARDED_HPP
#define ANEW_SHARING_INTERNAL_FORWARDED_HPP

#include <optional>
#include <string>
#include <type_traits>

#include "anew/concept/gate.hpp"
#include "anew/concept/internal/explain_members.hpp"
#include "anew/concept/internal/members.hpp"
#include "anew/concept/pacer.hpp"
#include "anew/concept/quota.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/failure.hpp"
#include "anew/value/internal/text.hpp"

namespace anew::inline ANEW_ABI::detail {

template <class Policy>
struct is_shared_state {
  static constexpr bool value =
      PlaysRole<Policy, roles::quota> || PlaysRole<Policy, roles::gate> || PlaysRole<Policy, roles::pacer>;
};

template <class Policy>
concept IsUnsound = requires { requires !Policy::is_sound; };
template <class Policy>
inline constexpr bool is_sound_to_share = false;
template <class Policy>
  requires is_shared_state<Policy>::value && (!IsUnsound<Policy>)
inline constexpr bool is_sound_to_share<Policy> = members_are_callable<Policy>;

template <class Policy>
consteval void explain_sharing() {
  if constexpr (IsUnsound<Policy>) {
    Policy::template explain<Policy>();
  } else if constexpr (is_shared_state<Policy>::value) {
    explains_members::explain<Policy>();
  } else {
    static_assert(is_shared_state<Policy>::value,
                  "anew::shared<Policy> and anew::partitioned<Key, Policy> require a quota, a gate or a pacer; this "
                  "policy has no state that calls share. Copy it into each strategy instead");
  }
}

}  // namespace anew::inline ANEW_ABI::detail

/// Not among the details: the base of a policy is looked at when a name is looked up with a strategy.
namespace anew::inline ANEW_ABI::sharing {

using detail::AcquiresWithoutTime, detail::AcquiresWithTime, detail::CountsCalls, detail::CountsCallsUnderWay;

/// What `Handle` has of the policy that its `inner()` is: every function of the concept, and of the optional ones those
/// that the policy has. `Handle` is told of what is handed out and of what comes back.
template <class Policy, class Handle, class Role = typename Policy::role>
class forwarded {  // NOLINT(bugprone-crtp-constructor-accessibility)
 public:
  // What is none of the three becomes a quota that does nothing, so that the explanation stays the only error.
  using role = roles::quota;
  using permit_type = no_permit;
  [[nodiscard]] static std::optional<permit_type> try_acquire(failure const& /*f*/) { return std::nullopt; }
  static void on_success(permit_type /*held*/) {}
  static void release(permit_type /*held*/) {}
};

template <class Policy, class Handle>
class forwarded<Policy, Handle, roles::quota> {
 public:
  using role = roles::quota;
  static constexpr bool forwards_members = true;
  using permit_type = typename Policy::permit_type;
  static constexpr bool waits_before_refusal = detail::WaitsBeforeRefusal<Policy>;

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& f) const
      noexcept(noexcept(inner().try_acquire(f)))
    requires AcquiresWithoutTime<Policy>
  {
    return lent(inner().try_acquire(f));
  }
  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& f, time_point now) const
      noexcept(noexcept(inner().try_acquire(f, now)))
    requires AcquiresWithTime<Policy>
  {
    return lent(inner().try_acquire(f, now));
  }
  void on_success(permit_type held) const {
    inner().on_success(held);
    came_back(held);
  }
  void on_failure(permit_type held) const
    requires(Handle::counts || requires(Policy const& p, permit_type permit) { p.on_failure(permit); })
  {
    if constexpr (requires { inner().on_failure(held); }) inner().on_failure(held);
    came_back(held);
  }
  void release(permit_type held) const {
    inner().release(held);
    came_back(held);
  }
  [[nodiscard]] duration wait(permit_type held, time_point now) const
    requires requires(Policy const& p) { p.wait(held, now); }
  {
    return inner().wait(held, now);
  }
  void on_call(time_point now) const
    requires CountsCalls<Policy>
  {
    if constexpr (CountsCallsUnderWay<Policy>) handle().lend();
    inner().on_call(now);
  }
  void on_call_end() const
    requires CountsCallsUnderWay<Policy>
  {
    inner().on_call_end();
    handle().take_back();
  }
  void on_attempt_failed(failure const& f) const
    requires requires(Policy const& p) { p.on_attempt_failed(f); }
  {
    inner().on_attempt_failed(f);
  }

 private:
  [[nodiscard]] Handle const& handle() const noexcept { return static_cast<Handle const&>(*this); }
  [[nodiscard]] decltype(auto) inner() const noexcept { return (handle().policy()); }
  [[nodiscard]] std::optional<permit_type> lent(std::optional<permit_type> permit) const {
    if (permit && *permit != permit_type{}) handle().lend();
    return permit;
  }
  void came_back(permit_type const& permit) const {
    if (permit != permit_type{}) handle().take_back();
  }
};

template <class Policy, class Handle>
class forwarded<Policy, Handle, roles::gate> {
 public:
  using role = roles::gate;
  static constexpr bool forwards_members = true;
  using pass_type = typename Policy::pass_type;

  [[nodiscard]] admission<pass_type> try_enter(time_point now) const { return lent(inner().try_enter(now)); }
  [[nodiscard]] admission<pass_type> try_enter(time_point now, time_point& since) const
    requires detail::KeepsOrder<Policy>
  {
    return lent(inner().try_enter(now, since));
  }
  void on_success(pass_type pass, time_point now) const {
    inner().on_success(pass, now);
    came_back(pass);
  }
  void on_failure(pass_type pass, failure const& f, time_point now) const {
    inner().on_failure(pass, f, now);
    came_back(pass);
  }
  template <class Random>
  void on_failure(pass_type pass, failure const& f, time_point now, Random&& random) const
    requires requires(Policy const& p) { p.on_failure(pass, f, now, random); }
  {
    inner().on_failure(pass, f, now, random);
    came_back(pass);
  }
  void release(pass_type pass) const {
    inner().release(pass);
    came_back(pass);
  }
  [[nodiscard]] bool would_refuse(time_point then) const
    requires requires(Policy const& p) { p.would_refuse(then); }
  {
    return inner().would_refuse(then);
  }

 private:
  [[nodiscard]] Handle const& handle() const noexcept { return static_cast<Handle const&>(*this); }
  [[nodiscard]] decltype(auto) inner() const noexcept { return (handle().policy()); }
  [[nodiscard]] admission<pass_type> lent(admission<pass_type> answer) const {
    if (answer.pass && *answer.pass != pass_type{}) handle().lend();
    return answer;
  }
  void came_back(pass_type const& pass) const {
    if (pass != pass_type{}) handle().take_back();
  }
};

template <class Policy, class Handle>
class forwarded<Policy, Handle, roles::pacer> {
 public:
  using role = roles::pacer;
  using ticket_type = typename Policy::ticket_type;

  [[nodiscard]] pace ask(ticket_type& ticket, time_point now) const {
    bool const held = ticket != ticket_type{};
    auto const answer = inner().ask(ticket, now);
    bool const holds = ticket != ticket_type{};
    if (holds && !held) handle().lend();
    if (held && !holds) handle().take_back();
    return answer;
  }
  void on_success(time_point now) const { inner().on_success(now); }
  void on_failure(failure const& f, time_point now) const { inner().on_failure(f, now); }
  void release(ticket_type ticket) const {
    inner().release(ticket);
    if (ticket != ticket_type{}) handle().take_back();
  }

 private:
  [[nodiscard]] Handle const& handle() const noexcept { return static_cast<Handle const&>(*this); }
  [[nodiscard]] decltype(auto) inner() const noexcept { return (handle().policy()); }
};

}  // namespace anew::inline ANEW_ABI::sharing

#endif
