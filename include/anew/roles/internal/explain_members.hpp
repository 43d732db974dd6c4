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

// NOLINTBEGIN(*-macro-*): a message is a literal
// clang-format off: a row is a question of a role, and what the role requires
#define ANEW_SAYS(ROLE, QUESTION, REQUIREMENT)                                                                     \
  if constexpr (std::is_same_v<Role, roles::ROLE> && !QUESTION<P>) {                                               \
    static_assert(QUESTION<P>, "anew::strategy<Policies...> requires " REQUIREMENT "; yours cannot be called like" \
                               " that. Make it public and const, with these types. If the name means something"    \
                               " else, add 'static constexpr bool forwards_members = true'");                      \
  } else  // NOLINT(*-braces-*)

/// Says which member is not callable.
struct explains_members {
  template <class P, class Role = typename P::role>
  static consteval void explain() {
    if constexpr (!describe_is_callable<P>) {
      static_assert(describe_is_callable<P>,
                    "anew::strategy<Policies...> requires a policy's 'describe' to be 'std::string describe() const'; "
                    "yours cannot be called like that. Make it const, and return a std::string");
    } else
    ANEW_SAYS(observer, observer_on_attempt_is_callable,
              "an Observer's 'on_attempt' to be 'void on_attempt(anew::attempt_event const&) const', or with a call_type 'void "
              "on_attempt(call_type&, anew::attempt_event const&) const', where 'anew::time_point now' may follow")
    ANEW_SAYS(observer, observer_on_retry_is_callable,
              "an Observer's 'on_retry' to be 'void on_retry(anew::retry_event const&) const', or with a call_type 'void "
              "on_retry(call_type&, anew::retry_event const&) const', where 'anew::time_point now' may follow")
    ANEW_SAYS(observer, observer_on_end_is_callable,
              "an Observer's 'on_end' to be 'void on_end(anew::end_event const&) const', or with a call_type 'void "
              "on_end(call_type&, anew::end_event const&) const', where 'anew::time_point now' may follow")
    ANEW_SAYS(observer, observer_on_call_is_callable,
              "an Observer with 'on_call' to have a 'call_type', which on_call returns")
    ANEW_SAYS(observer, observer_on_begin_is_callable,
              "an Observer's 'on_begin' to be 'void on_begin(call_type&, std::uint32_t number) const', where "
              "'anew::time_point now' may follow; it needs a call_type, which 'on_call' returns")
    ANEW_SAYS(observer, observer_on_error_is_callable,
              "an Observer's 'on_error' to be 'void on_error(call_type&, E const& error) const' for types of errors E; it "
              "needs a call_type, which 'on_call' returns")
    ANEW_SAYS(observer, observer_on_change_is_callable,
              "an Observer's 'on_change' to be 'void on_change(anew::policy_change const&) const', with a call_type as well, where "
              "'anew::time_point now' may follow")
    ANEW_SAYS(backoff, backoff_cap_is_callable, "a Backoff's 'cap' to be 'anew::duration cap() const'")
    ANEW_SAYS(backoff, backoff_delay_is_callable,
              "a Backoff's 'delay' to be 'anew::duration delay(anew::call_progress const&) const'")
    ANEW_SAYS(max_attempts, max_attempts_permits_another_is_callable,
              "a MaxAttempts's 'permits_another' to be 'bool permits_another(anew::call_progress const&) const'")
    ANEW_SAYS(quota, quota_on_failure_is_callable, "a Quota's 'on_failure' to be 'void on_failure(permit_type) const'")
    ANEW_SAYS(quota, quota_on_attempt_failed_is_callable,
              "a Quota's 'on_attempt_failed' to be 'void on_attempt_failed(anew::failure const&) const'")
    ANEW_SAYS(quota, quota_wait_is_callable,
              "a Quota's 'wait' to be 'anew::duration wait(permit_type, anew::time_point now) const'")
    ANEW_SAYS(quota, quota_settle_is_callable,
              "a Quota's 'settle' to be 'anew::admission<permit_type> settle(permit_type, anew::time_point now) const'")
    ANEW_SAYS(quota, quota_on_call_is_callable,
              "a Quota's 'on_call' to be 'void on_call(anew::time_point now) const'")
    ANEW_SAYS(quota, quota_on_call_end_is_callable, "a Quota's 'on_call_end' to be 'void on_call_end() const'")
    ANEW_SAYS(quota, quota_try_acquire_is_callable,
              "a Quota's 'try_acquire' to be 'std::optional<permit_type> try_acquire(anew::failure const&, "
              "anew::time_point now) const'")
    ANEW_SAYS(gate, gate_would_refuse_is_callable,
              "a Gate's 'would_refuse' to be 'bool would_refuse(anew::time_point then) const'")
    ANEW_SAYS(gate, gate_try_enter_is_callable,
              "a Gate's 'try_enter' with more than the time to be 'anew::admission<pass_type> try_enter(anew::time_point now, "
              "anew::time_point& since, R&& random) const'")
    ANEW_SAYS(gate, gate_on_failure_is_callable,
              "a Gate's 'on_failure' to be 'void on_failure(pass_type, anew::failure const&, anew::time_point now, R&& "
              "random) const'")
    ANEW_SAYS(classifier, classifier_unknown_is_callable,
              "a Classifier's 'classify' of every other exception to be 'anew::directive "
              "classify(anew::unknown_exception) const'")
    ANEW_SAYS(hint, hint_longest_is_callable, "a Hint's 'longest' to be 'anew::duration longest() const'")
    ANEW_SAYS(hint, hint_not_understood_is_callable,
              "a Hint's 'not_understood' to be 'anew::planned_delay not_understood(anew::duration computed, "
              "anew::duration cap) const'")
    if constexpr (std::is_same_v<Role, roles::classifier> && !functions_are_callable<P, Role>) {
      detail::explain_error<typename first_unheard<typename P::catches>::type>();
    } else if constexpr (!names_are_known<P, Role>) {
      static_assert(names_are_known<P, Role>,
                    "anew::strategy<Policies...> calls a policy's functions by their names; your policy has a public "
                    "function with nearly the name of one, such as 'on_failure' or 'on_retries' (an Observer has "
                    "'on_attempt', 'on_retry' and 'on_end'), 'max_delay' (a Backoff has 'cap') or 'classify_value' (a "
                    "Classifier has 'classify_result'). Rename it, or make it private if it is a helper");
    } else {
      static_assert(functions_are_callable<P, Role>,
                    "anew::strategy<Policies...> requires needs_counts, waits_before_refusal, obeys_refusals and "
                    "needs_deadline to be 'static constexpr bool'; your policy declares at least one of them "
                    "otherwise. Make it a public static constexpr bool");
    }
  }
};
#undef ANEW_SAYS
// clang-format on
// NOLINTEND(*-macro-*)

}  // namespace anew::inline ANEW_ABI::detail

#endif
