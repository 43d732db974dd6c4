// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_INTERNAL_EXPLAIN_MEMBERS_HPP
#define ANEW_ROLES_INTERNAL_EXPLAIN_MEMBERS_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/roles/internal/error_members.hpp"
#include "anew/roles/internal/members.hpp"
#include "anew/roles/roles.hpp"

/// Explains which member of a policy has a name that its role calls, but is not callable: one sentence for each name.
namespace anew::inline ANEW_ABI::detail {

template <class P, class Name, class Meant>
inline constexpr bool no_member_is_misspelled = std::is_same_v<Name, names::none>;

/// Says which member is not callable.
struct explains_members {
  template <class P, class Role = typename P::role>
  static consteval void explain() {
    if constexpr (!describe_is_callable<P>) {
      static_assert(describe_is_callable<P>,
                    "anew::strategy<Policies...> requires a policy's 'describe' to be 'std::string describe() "
                    "const'; yours cannot be called like that. Make it const, and return a std::string");
    } else if constexpr (std::is_same_v<Role, roles::observer> && !observer_on_attempt_is_callable<P>) {
      static_assert(observer_on_attempt_is_callable<P>,
                    "anew::strategy<Policies...> requires an Observer's 'on_attempt' to be 'void "
                    "on_attempt(anew::attempt_event const&) const'; yours cannot be called like that. Make it "
                    "public and const, with these types. If the name means something else, add 'static constexpr "
                    "bool forwards_members = true'");
    } else if constexpr (std::is_same_v<Role, roles::observer> && !observer_on_retry_is_callable<P>) {
      static_assert(observer_on_retry_is_callable<P>,
                    "anew::strategy<Policies...> requires an Observer's 'on_retry' to be 'void "
                    "on_retry(anew::retry_event const&) const'; yours cannot be called like that. Make it public "
                    "and const, with these types. If the name means something else, add 'static constexpr bool "
                    "forwards_members = true'");
    } else if constexpr (std::is_same_v<Role, roles::observer> && !observer_on_end_is_callable<P>) {
      static_assert(observer_on_end_is_callable<P>,
                    "anew::strategy<Policies...> requires an Observer's 'on_end' to be 'void "
                    "on_end(anew::end_event const&) const'; yours cannot be called like that. Make it public and "
                    "const, with these types. If the name means something else, add 'static constexpr bool "
                    "forwards_members = true'");
    } else if constexpr (std::is_same_v<Role, roles::backoff> && !backoff_cap_is_callable<P>) {
      static_assert(backoff_cap_is_callable<P>,
                    "anew::strategy<Policies...> requires a Backoff's 'cap' to be 'anew::duration cap() const'; "
                    "yours cannot be called like that. Make it public and const, with these types. If the name "
                    "means something else, add 'static constexpr bool forwards_members = true'");
    } else if constexpr (std::is_same_v<Role, roles::backoff> && !backoff_delay_is_callable<P>) {
      static_assert(backoff_delay_is_callable<P>,
                    "anew::strategy<Policies...> requires a Backoff's 'delay' to be 'anew::duration "
                    "delay(anew::call_progress const&) const'; yours cannot be called like that. Make it const, "
                    "with these types");
    } else if constexpr (std::is_same_v<Role, roles::max_attempts> && !max_attempts_permits_another_is_callable<P>) {
      static_assert(max_attempts_permits_another_is_callable<P>,
                    "anew::strategy<Policies...> requires a MaxAttempts's 'permits_another' to be 'bool "
                    "permits_another(anew::call_progress const&) const'; yours cannot be called like that. Make it "
                    "const, with these types");
    } else if constexpr (std::is_same_v<Role, roles::quota> && !quota_on_failure_is_callable<P>) {
      static_assert(quota_on_failure_is_callable<P>,
                    "anew::strategy<Policies...> requires a Quota's 'on_failure' to be 'void "
                    "on_failure(permit_type) const'; yours cannot be called like that. Make it public and const, "
                    "with these types. If the name means something else, add 'static constexpr bool "
                    "forwards_members = true'");
    } else if constexpr (std::is_same_v<Role, roles::quota> && !quota_on_attempt_failed_is_callable<P>) {
      static_assert(quota_on_attempt_failed_is_callable<P>,
                    "anew::strategy<Policies...> requires a Quota's 'on_attempt_failed' to be 'void "
                    "on_attempt_failed(anew::failure const&) const'; yours cannot be called like that. Make it "
                    "public and const, with these types. If the name means something else, add 'static constexpr "
                    "bool forwards_members = true'");
    } else if constexpr (std::is_same_v<Role, roles::quota> && !quota_wait_is_callable<P>) {
      static_assert(quota_wait_is_callable<P>,
                    "anew::strategy<Policies...> requires a Quota's 'wait' to be 'anew::duration wait(permit_type, "
                    "anew::time_point now) const'; yours cannot be called like that. Make it public and const, "
                    "with these types. If the name means something else, add 'static constexpr bool "
                    "forwards_members = true'");
    } else if constexpr (std::is_same_v<Role, roles::quota> && !quota_settle_is_callable<P>) {
      static_assert(quota_settle_is_callable<P>,
                    "anew::strategy<Policies...> requires a Quota's 'settle' to be 'anew::admission<permit_type> "
                    "settle(permit_type, anew::time_point now) const'; yours cannot be called like that. Make it "
                    "public and const, with these types. If the name means something else, add 'static constexpr "
                    "bool forwards_members = true'");
    } else if constexpr (std::is_same_v<Role, roles::quota> && !quota_on_call_is_callable<P>) {
      static_assert(quota_on_call_is_callable<P>,
                    "anew::strategy<Policies...> requires a Quota's 'on_call' to be 'void on_call(anew::time_point "
                    "now) const'; yours cannot be called like that. Make it public and const, with these types. If "
                    "the name means something else, add 'static constexpr bool forwards_members = true'");
    } else if constexpr (std::is_same_v<Role, roles::quota> && !quota_on_call_end_is_callable<P>) {
      static_assert(quota_on_call_end_is_callable<P>,
                    "anew::strategy<Policies...> requires a Quota's 'on_call_end' to be 'void on_call_end() "
                    "const'; yours cannot be called like that. Make it public and const, with these types. If the "
                    "name means something else, add 'static constexpr bool forwards_members = true'");
    } else if constexpr (std::is_same_v<Role, roles::quota> && !quota_try_acquire_is_callable<P>) {
      static_assert(quota_try_acquire_is_callable<P>,
                    "anew::strategy<Policies...> requires a Quota's 'try_acquire' to be "
                    "'std::optional<permit_type> try_acquire(anew::failure const&, anew::time_point now) const'; "
                    "yours cannot be called like that. Make it const, with these types");
    } else if constexpr (std::is_same_v<Role, roles::gate> && !gate_would_refuse_is_callable<P>) {
      static_assert(gate_would_refuse_is_callable<P>,
                    "anew::strategy<Policies...> requires a Gate's 'would_refuse' to be 'bool "
                    "would_refuse(anew::time_point then) const'; yours cannot be called like that. Make it public "
                    "and const, with these types. If the name means something else, add 'static constexpr bool "
                    "forwards_members = true'");
    } else if constexpr (std::is_same_v<Role, roles::gate> && !gate_try_enter_is_callable<P>) {
      static_assert(gate_try_enter_is_callable<P>,
                    "anew::strategy<Policies...> requires a Gate's 'try_enter' to be 'anew::admission<pass_type> "
                    "try_enter(anew::time_point now, anew::time_point& since) const'; yours cannot be called like "
                    "that. Make it const, with these types");
    } else if constexpr (std::is_same_v<Role, roles::gate> &&
                         !(gate_drawing_try_enter_is_callable<P> && gate_full_try_enter_is_callable<P>)) {
      static_assert(gate_drawing_try_enter_is_callable<P> && gate_full_try_enter_is_callable<P>,
                    "anew::strategy<Policies...> requires a Gate's 'try_enter' that draws to be "
                    "'anew::admission<pass_type> try_enter(anew::time_point now, R&& random) const', with 'since' as "
                    "the second of three if it keeps the time; yours cannot be called like that. Make it const, with "
                    "these types");
    } else if constexpr (std::is_same_v<Role, roles::hint> && !hint_not_understood_is_callable<P>) {
      static_assert(hint_not_understood_is_callable<P>,
                    "anew::strategy<Policies...> requires a Hint's 'not_understood' to be 'anew::planned_delay "
                    "not_understood(anew::duration computed, anew::duration cap) const'; yours cannot be called like "
                    "that. Make it public and const, with these types");
    } else if constexpr (std::is_same_v<Role, roles::gate> && !gate_on_failure_is_callable<P>) {
      static_assert(gate_on_failure_is_callable<P>,
                    "anew::strategy<Policies...> requires a Gate's 'on_failure' to be 'void on_failure(pass_type, "
                    "anew::failure const&, anew::time_point now, R&& random) const'; yours cannot be called like "
                    "that. Make it const, with these types");
    } else if constexpr (std::is_same_v<Role, roles::classifier> && !functions_are_callable<P, Role>) {
      detail::explain_error<typename first_unheard<typename P::catches>::type>();
    } else if constexpr (!calls_near_names<P, Role>) {
      using found = decltype(detail::first_near_name<P>(static_cast<Role const*>(nullptr)));
      static_assert(
          no_member_is_misspelled<P, typename found::name, typename found::right>,
          "anew::strategy<Policies...> calls a policy's functions by their names; your policy has a public function "
          "whose name is nearly right, and nothing calls it. The arguments of no_member_is_misspelled are both names. "
          "Rename your function, or make it private if it is a helper");
    } else {
      static_assert(members_are_constants<P, Role>,
                    "anew::strategy<Policies...> requires needs_counts, waits_before_refusal, obeys_refusals and "
                    "needs_deadline to be 'static constexpr bool'; your policy declares at least one of them "
                    "otherwise. Make it a public static constexpr bool");
    }
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
