// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SHARING_INTERNAL_FORWARDED_HPP
#define ANEW_POLICIES_SHARING_INTERNAL_FORWARDED_HPP

#include <optional>
#include <string>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/internal/explain_members.hpp"
#include "anew/roles/internal/members.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

template <class Policy>
inline constexpr bool is_shared_state =
    PlaysRole<Policy, roles::quota> || PlaysRole<Policy, roles::gate> || PlaysRole<Policy, roles::pacer>;

/// A handle of another policy: `shared`, `borrowed`, a lease, `long_poll`, `striped`.
template <class P>
concept HoldsAnother = requires(P const& handle) { handle.policy(); };
/// A policy that is chosen at run time.
template <class P>
concept IsChoice = requires(P const& chosen) { chosen.visit([](auto const& /*policy*/) {}); };

template <class Policy>
concept IsUnsound = requires { requires !Policy::is_sound; };
template <class Policy>
inline constexpr bool is_sound_to_share = false;
template <class Policy>
  requires is_shared_state<Policy> && (!IsUnsound<Policy>)
inline constexpr bool is_sound_to_share<Policy> = members_are_callable<Policy>;

template <class Policy>
consteval void explain_sharing() {
  if constexpr (IsUnsound<Policy>) {
    Policy::template explain<Policy>();
  } else if constexpr (is_shared_state<Policy>) {
    explains_members::explain<Policy>();
  } else {
    static_assert(is_shared_state<Policy>,
                  "anew::shared<Policy> and anew::partitioned<Key, Policy> require a quota, a gate or a pacer; this "
                  "policy has no state that calls share. Copy it into each strategy instead");
  }
}

}  // namespace anew::inline ANEW_ABI::detail

/// Not in namespace detail: ADL on a strategy considers the base classes of its policies.
namespace anew::inline ANEW_ABI::sharing {

using detail::AcquiresWithoutTime, detail::AcquiresWithTime, detail::CountsCallsUnderWay;

/// The part of a handle that does not depend on the role of its `policy()`. A `Handle` that counts permits and calls
/// hides `counts`, `lend()` and `take_back()`.
template <class Policy, class Handle>
class handle_of {
 public:
  using handle_type = Handle;
  static constexpr bool is_sound = detail::is_sound_to_share<Policy>;
  template <class Self>
  static consteval void explain() {
    detail::explain_sharing<Policy>();
  }

 protected:
  static constexpr bool counts = false;
  static constexpr void lend() noexcept {}
  static constexpr void take_back() noexcept {}

  [[nodiscard]] std::string describe_as(char const* name) const
    requires detail::DescribesItself<Policy>
  {
    return std::string{name}.append("(").append(inner().describe()).append(")");
  }

  [[nodiscard]] constexpr Handle const& handle() const noexcept { return static_cast<Handle const&>(*this); }
  [[nodiscard]] constexpr decltype(auto) inner() const noexcept { return (handle().policy()); }

  /// Counts a granted permit or pass, unless it is empty.
  template <class Held>
  [[nodiscard]] std::optional<Held> lent(std::optional<Held> held) const {
    if (held && *held != Held{}) handle().lend();
    return held;
  }
  template <class Held>
  void came_back(Held const& held) const {
    if (held != Held{}) handle().take_back();
  }
};

/// Forwards to the `policy()` of a `Handle`: every function of its concept, and each optional function that the policy
/// has. A new optional function of a role is forwarded here, and nowhere else.
template <class Policy, class Handle, class Role = typename Policy::role>
class forwarded : public handle_of<Policy, Handle> {
 public:
  // Any other type becomes a quota that does nothing, so that the explanation is the only error.
  using role = roles::quota;
  using permit_type = no_permit;
  [[nodiscard]] static std::optional<permit_type> try_acquire(failure const& /*f*/) { return std::nullopt; }
  static void on_success(permit_type /*held*/) {}
  static void release(permit_type /*held*/) {}
};

template <class Policy, class Handle>
class forwarded<Policy, Handle, roles::quota> : public handle_of<Policy, Handle> {
  using base = handle_of<Policy, Handle>;
  using base::handle, base::inner, base::lent, base::came_back;

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
  [[nodiscard]] admission<permit_type> settle(permit_type held, time_point now) const
    requires detail::SettlesPermits<Policy>
  {
    return inner().settle(held, now);
  }
  void on_call(time_point now) const
    requires detail::CountsCallsWithTime<Policy>
  {
    if constexpr (CountsCallsUnderWay<Policy>) handle().lend();
    inner().on_call(now);
  }
  bool on_call() const
    requires detail::CountsCallsAtOnce<Policy>
  {
    bool const counted = inner().on_call();
    if constexpr (CountsCallsUnderWay<Policy>) {
      if (counted) handle().lend();
    }
    return counted;
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
};

template <class Policy, class Handle>
class forwarded<Policy, Handle, roles::gate> : public handle_of<Policy, Handle> {
  using base = handle_of<Policy, Handle>;
  using base::handle, base::inner, base::lent, base::came_back;

 public:
  using role = roles::gate;
  static constexpr bool forwards_members = true;
  using pass_type = typename Policy::pass_type;

  [[nodiscard]] admission<pass_type> try_enter(time_point now) const { return entered(inner().try_enter(now)); }
  [[nodiscard]] admission<pass_type> try_enter(time_point now, time_point& since) const
    requires detail::KeepsOrder<Policy>
  {
    return entered(inner().try_enter(now, since));
  }
  template <RandomSource Random>
  [[nodiscard]] admission<pass_type> try_enter(time_point now, Random&& random) const
    requires detail::DrawsOnEntry<Policy>
  {
    return entered(inner().try_enter(now, random));
  }
  template <RandomSource Random>
  [[nodiscard]] admission<pass_type> try_enter(time_point now, time_point& since, Random&& random) const
    requires detail::KeepsOrderAndDraws<Policy>
  {
    return entered(inner().try_enter(now, since, random));
  }
  [[nodiscard]] std::optional<pass_type> enter_at_once() const
    requires detail::EntersAtOnce<Policy>
  {
    return lent(inner().enter_at_once());
  }
  void on_success(pass_type pass, time_point now) const {
    inner().on_success(pass, now);
    came_back(pass);
  }
  bool on_success(pass_type pass) const
    requires detail::SucceedsAtOnce<Policy>
  {
    bool const settled = inner().on_success(pass);
    if (settled) came_back(pass);
    return settled;
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
  [[nodiscard]] admission<pass_type> entered(admission<pass_type> answer) const {
    answer.pass = lent(answer.pass);
    return answer;
  }
};

template <class Policy, class Handle>
class forwarded<Policy, Handle, roles::pacer> : public handle_of<Policy, Handle> {
  using base = handle_of<Policy, Handle>;
  using base::handle, base::inner, base::lent, base::came_back;

 public:
  using role = roles::pacer;
  static constexpr bool forwards_members = true;
  using ticket_type = typename Policy::ticket_type;

  [[nodiscard]] pace ask(ticket_type& ticket, time_point now) const {
    bool const held = ticket != ticket_type{};
    auto const answer = inner().ask(ticket, now);
    bool const holds = ticket != ticket_type{};
    if (holds && !held) handle().lend();
    if (held && !holds) handle().take_back();
    return answer;
  }
  [[nodiscard]] bool admits_at_once() const
    requires detail::AdmitsAtOnce<Policy>
  {
    return inner().admits_at_once();
  }
  void on_success(time_point now) const { inner().on_success(now); }
  void on_failure(failure const& f, time_point now) const { inner().on_failure(f, now); }
  void release(ticket_type ticket) const {
    inner().release(ticket);
    came_back(ticket);
  }
};

}  // namespace anew::inline ANEW_ABI::sharing

#endif
