// SPDX-License-Identifier: BSL-1.0
// chapter: Policies chosen at run time

#include <string_view>

#include "anew/anew.hpp"
#include "anew/policies/history/history.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/strategy/adjusted.hpp"
#include "anew/text/read_strategy.hpp"
#include "anew/virtual.hpp"

// section: A choice of observers
// An observer may receive any of three events, so no choice forwards to observers; one observer can decide itself.
// expect-error: anew::choice<Role, Policies...> requires a role of a strategy other than observer and history
namespace choice_of_observers {
struct log_all {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& /*event*/) const {}
};
struct log_nothing : log_all {};

#ifdef ANEW_REJECT  // wrong
using told = anew::choice<anew::roles::observer, log_all, log_nothing>;
#else  // right
using told = log_all;
#endif

void run() {
  anew::retry(anew::strategy<told>{}, [] {});
}
}  // namespace choice_of_observers

// section: A choice without policies
// A choice holds one of its policies, so it must have at least one.
// expect-error: anew::choice<Role, Policies...> requires at least one policy, and policies that play this role
namespace choice_of_nothing {
#ifdef ANEW_REJECT  // wrong
using limit = anew::choice<anew::roles::max_attempts>;
#else  // right
using limit = anew::choice<anew::roles::max_attempts, anew::max_attempts<3>, anew::unbounded>;
#endif

void run() {
  anew::retry(anew::strategy<limit>{}, [] {});
}
}  // namespace choice_of_nothing

// section: A given policy out of range
// A policy that you give to `read_strategy()` plays its role where the text does not name it. It is checked as in
// `strategy<>`.
// expect-error: anew::max_attempts<N> requires 1 <= N <= 4294967295
namespace given_policy_out_of_range {
void compose_and_call(std::string_view text) {
#ifdef ANEW_REJECT  // wrong
  auto const read = anew::read_strategy(text, anew::retry_all{}, anew::max_attempts<0>{});
#else  // right
  auto const read = anew::read_strategy(text, anew::retry_all{}, anew::max_attempts<1>{});
#endif
  if (read) anew::retry(*read, [] {});
}

void run() { compose_and_call("no_backoff"); }
}  // namespace given_policy_out_of_range

// section: A policy of another role in a choice
// All policies of a choice play its role.
// expect-error: anew::choice<Role, Policies...> requires at least one policy, and policies that play this role
namespace choice_of_another_role {
#ifdef ANEW_REJECT  // wrong
using limit = anew::choice<anew::roles::max_attempts, anew::max_attempts<3>, anew::full_jitter>;
#else  // right
using limit = anew::choice<anew::roles::max_attempts, anew::max_attempts<3>, anew::unbounded>;
#endif

void run() {
  anew::retry(anew::strategy<limit>{}, [] {});
}
}  // namespace choice_of_another_role

// section: A policy twice in a choice
// A policy is chosen by its type, so two equal types cannot be told apart.
// expect-error: anew::choice<Role, Policies...> requires policies of different types
namespace choice_of_equal_policies {
#ifdef ANEW_REJECT  // wrong
using limit = anew::choice<anew::roles::max_attempts, anew::max_attempts<3>, anew::max_attempts<3>>;
#else  // right
using limit = anew::choice<anew::roles::max_attempts, anew::max_attempts<3>, anew::max_attempts<5>>;
#endif

void run() {
  anew::retry(anew::strategy<limit>{}, [] {});
}
}  // namespace choice_of_equal_policies

// section: A view of a temporary
// A view refers to its strategy, and a temporary is gone at the end of its line. Declare the strategy first.
// expect-error: anew: it refers to a strategy that you keep
namespace view_of_a_temporary {
using composed = anew::virtual_strategy<anew::strategy<anew::retry_all>>;

int run() {
#ifdef ANEW_REJECT  // wrong
  anew::strategy_view const view{composed{}};
#else  // right
  composed const strategy{};
  anew::strategy_view const view{strategy};
#endif
  return anew::retry(view, [] { return true; }) ? 0 : 1;
}
}  // namespace view_of_a_temporary

// section: A history behind the virtual interface
// The entries of a history have the type of the call's errors, which a virtual strategy does not know. A view, made where
// that type is known, keeps one.
// expect-error: anew::virtual_strategy<Strategy> requires a strategy without a history
namespace history_behind_the_interface {
using policies = anew::strategy<anew::retry_all>;

#ifdef ANEW_REJECT  // wrong
using composed = anew::virtual_strategy<anew::with<policies, anew::history<8>>>;
#else  // right
using composed = anew::virtual_strategy<policies>;
#endif

int run() {
  composed const strategy{};
  anew::basic_strategy_view const view{strategy, anew::history<8>{}};
  return anew::retry_outcome(view, [] { return true; }).attempts() == 1 ? 0 : 1;
}
}  // namespace history_behind_the_interface

// section: A jitter that is replaced from outside
// Behind the virtual interface only attempts, delays and times can be replaced for one operation.
// expect-error: anew::adjusted(retry_strategy, policies...) requires policies of the roles max_attempts, backoff, deadline
namespace adjusted_jitter_behind_the_interface {
using composed = anew::virtual_strategy<anew::strategy<anew::retry_all>>;

int run() {
  composed const strategy{};
#ifdef ANEW_REJECT  // wrong
  auto const tuned = anew::adjusted(static_cast<anew::retry_strategy const&>(strategy), anew::equal_jitter{});
#else  // right: the strategy itself takes any policy
  auto const tuned = anew::adjusted(strategy.strategy(), anew::equal_jitter{});
#endif
  static_cast<void>(tuned);
  return 0;
}
}  // namespace adjusted_jitter_behind_the_interface

// section: An adjusted strategy of a temporary
// The adjusted strategy refers to the one that it adjusts. Declare that one first.
// expect-error: anew: the result refers to a strategy that you keep
namespace adjusted_temporary {
using composed = anew::virtual_strategy<anew::strategy<anew::retry_all>>;

int run() {
#ifdef ANEW_REJECT  // wrong
  auto const tuned = anew::adjusted(composed{}, anew::max_attempts<8>{});
#else  // right
  composed const strategy{};
  auto const tuned = anew::adjusted(strategy, anew::max_attempts<8>{});
#endif
  static_cast<void>(tuned);
  return 0;
}
}  // namespace adjusted_temporary
