// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_INTERNAL_EXPLAIN_MEMBERS_HPP
#define ANEW_CONCEPT_INTERNAL_EXPLAIN_MEMBERS_HPP

#include <type_traits>

#include "anew/concept/internal/error_members.hpp"
#include "anew/concept/internal/members.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"

/// Which member of a policy has a name that its role calls, and cannot be called: a sentence for each.
namespace anew::inline ANEW_ABI::detail {

template <class P, class Name, class Meant>
struct no_name_is_nearly_right {
  static constexpr bool value = std::is_same_v<Name, names::none>;
};

/// True when `members_are_callable`; otherwise says which member is not.
template <class P, class Role = typename P::role>
consteval bool explain_members() {
  if constexpr (members_are_callable<P>) {
    return true;
  } else if constexpr (!describe_is_callable<P>) {
    static_assert(describe_is_callable<P>,
                  "anew::strategy<Policies...> requires 'std::string describe() const' of this policy; its 'describe' "
                  "cannot be called so. Is it const, and does it return a std::string?");
  } else if constexpr (std::is_same_v<Role, roles::observer> && !observer_on_attempt_is_callable<P>) {
    static_assert(observer_on_attempt_is_callable<P>,
                  "anew::strategy<Policies...> requires 'void on_attempt(anew::attempt_event const&) const' of this "
                  "Observer; its 'on_attempt' cannot be called so. Is it public and const, and are its types these? A "
                  "name that means something else needs 'static constexpr bool forwards_members = true'");
  } else if constexpr (std::is_same_v<Role, roles::observer> && !observer_on_retry_is_callable<P>) {
    static_assert(observer_on_retry_is_callable<P>,
                  "anew::strategy<Policies...> requires 'void on_retry(anew::retry_event const&) const' of this "
                  "Observer; its 'on_retry' cannot be called so. Is it public and const, and are its types these? A "
                  "name that means something else needs 'static constexpr bool forwards_members = true'");
  } else if constexpr (std::is_same_v<Role, roles::observer> && !observer_on_end_is_callable<P>) {
    static_assert(observer_on_end_is_callable<P>,
                  "anew::strategy<Policies...> requires 'void on_end(anew::end_event const&) const' of this Observer; "
                  "its 'on_end' cannot be called so. Is it public and const, and are its types these? A name that "
                  "means something else needs 'static constexpr bool forwards_members = true'");
  } else if constexpr (std::is_same_v<Role, roles::backoff> && !backoff_cap_is_callable<P>) {
    static_assert(backoff_cap_is_callable<P>,
                  "anew::strategy<Policies...> requires 'anew::duration cap() const' of this Backoff; its 'cap' cannot "
                  "be called so. Is it public and const, and are its types these? A name that means something else "
                  "needs 'static constexpr bool forwards_members = true'");
  } else if constexpr (std::is_same_v<Role, roles::backoff> && !backoff_delay_is_callable<P>) {
    static_assert(backoff_delay_is_callable<P>,
                  "anew::strategy<Policies...> requires 'anew::duration delay(anew::call_progress const&) const' of "
                  "this Backoff; its 'delay' cannot be called so. Is it const, and are its types these?");
  } else if constexpr (std::is_same_v<Role, roles::max_attempts> && !max_attempts_permits_another_is_callable<P>) {
    static_assert(max_attempts_permits_another_is_callable<P>,
                  "anew::strategy<Policies...> requires 'bool permits_another(anew::call_progress const&) const' of "
                  "this MaxAttempts; its 'permits_another' cannot be called so. Is it const, and are its types these?");
  } else if constexpr (std::is_same_v<Role, roles::quota> && !quota_on_failure_is_callable<P>) {
    static_assert(quota_on_failure_is_callable<P>,
                  "anew::strategy<Policies...> requires 'void on_failure(permit_type) const' of this Quota; its "
                  "'on_failure' cannot be called so. Is it public and const, and are its types these? A name that "
                  "means something else needs 'static constexpr bool forwards_members = true'");
  } else if constexpr (std::is_same_v<Role, roles::quota> && !quota_on_attempt_failed_is_callable<P>) {
    static_assert(quota_on_attempt_failed_is_callable<P>,
                  "anew::strategy<Policies...> requires 'void on_attempt_failed(anew::failure const&) const' of this "
                  "Quota; its 'on_attempt_failed' cannot be called so. Is it public and const, and are its types "
                  "these? A name that means something else needs 'static constexpr bool forwards_members = true'");
  } else if constexpr (std::is_same_v<Role, roles::quota> && !quota_wait_is_callable<P>) {
    static_assert(quota_wait_is_callable<P>,
                  "anew::strategy<Policies...> requires 'anew::duration wait(permit_type, anew::time_point now) const' "
                  "of this Quota; its 'wait' cannot be called so. Is it public and const, and are its types these? A "
                  "name that means something else needs 'static constexpr bool forwards_members = true'");
  } else if constexpr (std::is_same_v<Role, roles::quota> && !quota_on_call_is_callable<P>) {
    static_assert(quota_on_call_is_callable<P>,
                  "anew::strategy<Policies...> requires 'void on_call(anew::time_point now) const' of this Quota; its "
                  "'on_call' cannot be called so. Is it public and const, and are its types these? A name that means "
                  "something else needs 'static constexpr bool forwards_members = true'");
  } else if constexpr (std::is_same_v<Role, roles::quota> && !quota_on_call_end_is_callable<P>) {
    static_assert(quota_on_call_end_is_callable<P>,
                  "anew::strategy<Policies...> requires 'void on_call_end() const' of this Quota; its 'on_call_end' "
                  "cannot be called so. Is it public and const, and are its types these? A name that means something "
                  "else needs 'static constexpr bool forwards_members = true'");
  } else if constexpr (std::is_same_v<Role, roles::quota> && !quota_try_acquire_is_callable<P>) {
    static_assert(quota_try_acquire_is_callable<P>,
                  "anew::strategy<Policies...> requires 'std::optional<permit_type> try_acquire(anew::failure const&, "
                  "anew::time_point now) const' of this Quota; its 'try_acquire' cannot be called so. Is it const, and "
                  "are its types these?");
  } else if constexpr (std::is_same_v<Role, roles::gate> && !gate_would_refuse_is_callable<P>) {
    static_assert(gate_would_refuse_is_callable<P>,
                  "anew::strategy<Policies...> requires 'bool would_refuse(anew::time_point then) const' of this Gate; "
                  "its 'would_refuse' cannot be called so. Is it public and const, and are its types these? A name "
                  "that means something else needs 'static constexpr bool forwards_members = true'");
  } else if constexpr (std::is_same_v<Role, roles::gate> && !gate_try_enter_is_callable<P>) {
    static_assert(gate_try_enter_is_callable<P>,
                  "anew::strategy<Policies...> requires 'anew::admission<pass_type> try_enter(anew::time_point now, "
                  "anew::time_point& since) const' of this Gate; its 'try_enter' cannot be called so. Is it const, and "
                  "are its types these?");
  } else if constexpr (std::is_same_v<Role, roles::gate> && !gate_on_failure_is_callable<P>) {
    static_assert(
        gate_on_failure_is_callable<P>,
        "anew::strategy<Policies...> requires 'void on_failure(pass_type, anew::failure const&, anew::time_point now, "
        "R&& random) const' of this Gate; its 'on_failure' cannot be called so. Is it const, and are its types these?");
  } else if constexpr (std::is_same_v<Role, roles::classifier> && !functions_are_callable<P, Role>) {
    return detail::explain_error<typename first_unheard<typename P::catches>::type>();
  } else if constexpr (!calls_near_names<P, Role>) {
    using found = decltype(detail::first_near_name<P>(static_cast<Role const*>(nullptr)));
    static_assert(no_name_is_nearly_right<P, typename found::name, typename found::right>::value,
                  "anew::strategy<Policies...> calls the functions of a policy by their names; this one has a public "
                  "function whose name is nearly the right one, and which nothing calls. Both names are among the "
                  "arguments of no_name_is_nearly_right. Rename it, or make it private if it is a helper of yours");
  } else {
    static_assert(constants_are_constant<P, Role>,
                  "anew::strategy<Policies...> requires 'static constexpr bool' of what a policy says by a constant: "
                  "needs_counts, waits_before_refusal, obeys_refusals, needs_deadline; this one's is something else, "
                  "or is private");
  }
  return members_are_callable<P>;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
