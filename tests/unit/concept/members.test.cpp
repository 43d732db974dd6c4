// SPDX-License-Identifier: BSL-1.0
// Which declarations of an optional function are found, and which are mistakes.
#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/policies.hpp"
#include "anew/roles/internal/members.hpp"
#include "anew/testing/archetypes.hpp"

#include "names.hpp"

namespace concept_members_test {
namespace {

using anew::call_progress, anew::detail::members_are_callable, anew::end_event, anew::retry_event;

// Forms of one declaration. `hears_the_end` makes each an Observer, so that nothing else is wrong with it.
using hears_the_end = anew::testing::least_observer;

/// A policy of these members, beside those of its base: they are callable, or they are not.
#define RIGHT(Name, Base, ...) \
  struct Name : Base {         \
    __VA_ARGS__                \
  };                           \
  static_assert(members_are_callable<Name>)
#define WRONG(Name, Base, ...) \
  struct Name : Base {         \
    __VA_ARGS__                \
  };                           \
  static_assert(!members_are_callable<Name>)

namespace right {

RIGHT(silent, hears_the_end);
RIGHT(in_const, hears_the_end, void on_retry(retry_event const&) const {});
RIGHT(by_value, hears_the_end, void on_retry(retry_event) const {});
RIGHT(in_static, hears_the_end, static void on_retry(retry_event const&){});
RIGHT(in_noexcept, hears_the_end, bool on_retry(retry_event const&) const noexcept { return true; });
RIGHT(in_template, hears_the_end, void on_retry(auto const&) const {});
RIGHT(in_overloads, hears_the_end, void on_retry(retry_event const&) const {} void on_retry(int){});
RIGHT(in_base, in_const);
struct in_virtual_base : virtual in_const {};
RIGHT(in_virtual, hears_the_end, virtual ~in_virtual() = default; virtual void on_retry(retry_event const&) const {});
struct in_final final : hears_the_end {
  void on_retry(retry_event const& /*e*/) const {}
};
RIGHT(in_callable, hears_the_end, static constexpr auto on_retry = [](retry_event const&) {};);
struct silent_final final : hears_the_end {};
RIGHT(silent_reference, hears_the_end, int& count;);
RIGHT(silent_without_destructor, hears_the_end, ~silent_without_destructor() = delete;);
class silent_with_private_destructor : public hears_the_end {
  ~silent_with_private_destructor() = default;
};
RIGHT(silent_abstract, hears_the_end, virtual ~silent_abstract() = default; virtual int other() = 0;);
struct silent_virtual_base : virtual hears_the_end {};
RIGHT(silent_not_copied, hears_the_end, silent_not_copied(silent_not_copied const&) = delete;);
RIGHT(silent_constructed, hears_the_end, explicit silent_constructed(int){});
struct silent_with_a_final_virtual_destructor final : hears_the_end {
  virtual ~silent_with_a_final_virtual_destructor() final = default;
};
RIGHT(silent_with_another_name, hears_the_end, void on_retry_2(retry_event const&) const {});

}  // namespace right

template <class... Ps>
constexpr bool all_are_callable = (members_are_callable<Ps> && ...);
template <class... Ps>
constexpr bool none_is_callable = !(members_are_callable<Ps> || ...);

static_assert(all_are_callable<right::in_virtual_base, right::in_final, right::silent_final,
                               right::silent_with_private_destructor, right::silent_virtual_base,
                               right::silent_with_a_final_virtual_destructor>);

namespace wrong {

WRONG(not_const, hears_the_end, void on_retry(retry_event const&){});
WRONG(of_another_event, hears_the_end, void on_retry(end_event const&) const {});
WRONG(of_a_changeable_event, hears_the_end, void on_retry(retry_event&) const {});
WRONG(of_nothing, hears_the_end, void on_retry() const {});
WRONG(of_too_much, hears_the_end, void on_retry(retry_event const&, int) const {});
class in_private : public hears_the_end {
  void on_retry(retry_event const& /*e*/) const {}
};
class in_protected : public hears_the_end {
 protected:
  void on_retry(retry_event const& /*e*/) const {}
};
class in_private_base : right::by_value {
 public:
  using right::by_value::on_end, right::by_value::role;
};
WRONG(in_template, hears_the_end, void on_retry(auto const&){});
WRONG(in_template_of_another, hears_the_end, template <class T> void on_retry(std::optional<T> const&) const {});
WRONG(in_overloads, hears_the_end, void on_retry(int) const {} void on_retry(char const*) const {});
WRONG(constrained, hears_the_end, void on_retry(std::same_as<int> auto const&) const {});
WRONG(deleted, hears_the_end, void on_retry(retry_event const&) const = delete;);
WRONG(in_virtual_final, hears_the_end, virtual ~in_virtual_final() = default;
      virtual void on_retry(retry_event const&) final{});
WRONG(abstract, hears_the_end, virtual ~abstract() = default; virtual void on_retry(retry_event const&) = 0;);
WRONG(in_base, not_const);
struct in_virtual_base : virtual not_const {};
WRONG(in_reference, hears_the_end, int& count; void on_retry(retry_event const&) { ++count; });
WRONG(without_destructor, hears_the_end, ~without_destructor() = delete; void on_retry(retry_event const&){});
struct in_final final : hears_the_end {
  void on_retry(retry_event const& /*e*/) {}
};
struct in_final_template final : hears_the_end {
  void on_retry(auto const& /*e*/) {}
};
WRONG(in_static, hears_the_end, static void on_retry(end_event const&){});
WRONG(of_data, hears_the_end, int on_retry = 0;);
WRONG(of_static_data, hears_the_end, static constexpr int on_retry = 0;);
WRONG(of_a_type, hears_the_end, struct on_retry{};);
WRONG(of_an_alias, hears_the_end, using on_retry = int;);
WRONG(of_an_enumerator, hears_the_end, enum {on_retry};);

}  // namespace wrong

// A class may have a name of its role; a class inherits its bases' names.
struct on_retry {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& /*event*/) const {}
};
RIGHT(derived_from_on_retry, on_retry);
static_assert(members_are_callable<on_retry>);

static_assert(none_is_callable<wrong::in_private, wrong::in_protected, wrong::in_private_base, wrong::in_virtual_base,
                               wrong::in_final, wrong::in_final_template>);

// A policy that says that it has its functions under constraints is believed.
RIGHT(forwarding, wrong::not_const, static constexpr bool forwards_members = true;);
WRONG(not_forwarding, wrong::not_const, static constexpr bool forwards_members = false;);

// What cannot be seen: overloads and private functions of a class that cannot be derived from.
struct overloaded_and_final final : hears_the_end {
  void on_retry(int /*n*/) const {}
  void on_retry(char const* /*s*/) const {}
};
static_assert(members_are_callable<overloaded_and_final>);

// Each row, wrong in the way that is easiest to write; the policy without the row is right.
using plain_backoff = anew::testing::least_backoff;
WRONG(cap_not_const, plain_backoff, duration cap() { return {}; });
RIGHT(cap_of_milliseconds, plain_backoff, std::chrono::milliseconds cap() const { return {}; });
WRONG(cap_of_a_number, plain_backoff, int cap() const { return 0; });
WRONG(cap_of_data, plain_backoff, duration cap{};);
RIGHT(delay_by_kind, plain_backoff, using plain_backoff::delay; duration delay(call_progress const&) const;);
WRONG(delay_by_kind_not_const, plain_backoff, using plain_backoff::delay; duration delay(call_progress const&););
WRONG(delay_by_kind_changes, plain_backoff, using plain_backoff::delay; duration delay(call_progress&) const;);
WRONG(delay_by_kind_of_milliseconds, plain_backoff, using plain_backoff::delay;
      std::chrono::milliseconds delay(call_progress const&) const;);
WRONG(counts_by_a_member, plain_backoff, bool needs_counts = false;);
WRONG(capped_by_another_name, plain_backoff, duration max_delay() const { return {}; });
RIGHT(capped_by_both, capped_by_another_name, duration cap() const { return {}; });
RIGHT(with_max_delay_as_data, plain_backoff, duration max_delay{};);
static_assert(members_are_callable<plain_backoff>);

using plain_attempts = anew::testing::least_max_attempts;
WRONG(attempts_by_kind_not_const, plain_attempts, using plain_attempts::permits_another;
      bool permits_another(call_progress const&););
WRONG(attempts_described_by_a_view, plain_attempts, std::string_view describe() const { return "plain"; });
RIGHT(attempts_described_by_a_literal, plain_attempts, static char const* describe() { return "plain"; });
WRONG(attempts_described_once, plain_attempts, std::string describe() { return "plain"; });
static_assert(members_are_callable<plain_attempts>);

using plain_quota = anew::testing::least_quota;
struct full_quota : plain_quota {
  using plain_quota::try_acquire;
  static constexpr bool waits_before_refusal = true;
  std::optional<int> try_acquire(failure const& /*f*/, time_point /*now*/) const { return 1; }
  void on_failure(int /*permit*/) const {}
  void on_attempt_failed(failure const& /*f*/) const {}
  duration wait(int /*permit*/, time_point /*now*/) const { return {}; }
  anew::admission<int> settle(int permit, time_point /*now*/) const { return anew::admission<int>::admit(permit); }
  void on_call(time_point /*now*/) const {}
  void on_call_end() const {}
};
WRONG(settles_by_a_bool, plain_quota, bool settle(int, time_point) const { return true; });
struct settles_for_itself : plain_quota {
 private:
  void settle() const {}
};
WRONG(refilled_not_const, plain_quota, using plain_quota::try_acquire;
      std::optional<int> try_acquire(failure const&, time_point););
WRONG(on_failure_told_why, plain_quota, void on_failure(int, failure const&) const {});
WRONG(on_attempt_failed_told_nothing, plain_quota, void on_attempt_failed() const {});
WRONG(wait_as_a_number, plain_quota, int wait(int, time_point) const { return 0; });
RIGHT(counts_at_any_time, plain_quota, void on_call(auto&&) const {});
WRONG(on_call_told_nothing, plain_quota, void on_call() const {});
WRONG(on_call_end_not_const, plain_quota, void on_call(time_point) const {} void on_call_end(){});
WRONG(waits_by_a_member, plain_quota, bool waits_before_refusal = true;);
static_assert(members_are_callable<plain_quota> && members_are_callable<full_quota>);
static_assert(none_is_callable<settles_for_itself>);

using plain_gate = anew::testing::least_gate;
struct full_gate : plain_gate {
  using plain_gate::on_failure, plain_gate::try_enter;
  anew::admission<int> try_enter(time_point /*now*/, time_point& /*since*/, auto&& /*random*/) const { return {}; }
  void on_failure(int /*pass*/, failure const& /*f*/, time_point /*now*/, auto&& /*random*/) const {}
  bool would_refuse(time_point /*then*/) const { return false; }
};
RIGHT(
    enters_at_any_time, plain_gate,
    anew::admission<int> try_enter(auto&&) const { return {}; } void on_success(int, auto&&) const {});
WRONG(keeps_order_only, plain_gate, using plain_gate::try_enter;
      anew::admission<int> try_enter(time_point, time_point&) const;);
WRONG(draws_not_const, plain_gate, using plain_gate::on_failure;
      void on_failure(int, failure const&, time_point, auto&&){});
WRONG(draws_only, plain_gate, using plain_gate::try_enter;
      anew::admission<int> try_enter(time_point, anew::RandomSource auto&&) const;);
WRONG(draws_on_entry_not_const, plain_gate, using plain_gate::try_enter;
      anew::admission<int> try_enter(time_point, time_point&, auto&&););
WRONG(keeps_order_and_draws_by_value, plain_gate, using plain_gate::try_enter;
      bool try_enter(time_point, time_point&, auto&&) const;);
RIGHT(keeps_order_and_draws, plain_gate, using plain_gate::try_enter;
      anew::admission<int> try_enter(time_point, time_point&, auto&&) const;);
WRONG(foresees_by_duration, plain_gate, bool would_refuse(duration) const { return false; });
static_assert(members_are_callable<plain_gate> && members_are_callable<full_gate>);

// Near names: public functions only, and only where the right name is not there.
WRONG(calls_it_retries, hears_the_end, void on_retries(retry_event const&) const {});
WRONG(calls_it_max_delay, anew::testing::least_backoff, static duration max_delay() { return {}; });
WRONG(calls_it_error, hears_the_end, static void on_error(anew::attempt_event const&){});
struct follows_calls {
  using role = anew::roles::observer;
  using call_type = int;
  int on_call(anew::call_event const& /*event*/) const { return 0; }
};
RIGHT(hears_a_copy, follows_calls, void on_error(int, std::string) const {});
WRONG(changes_an_error, follows_calls, void on_error(int&, std::string&) const {});
RIGHT(has_both, right::in_const, void on_retries(int) const {});
class has_a_private_helper : public hears_the_end {
  void on_retries(int /*n*/) const {}
};
// Near a name of an observer's, not of a gate's.
RIGHT(gate_with_on_error, plain_gate, void on_error(int) const {});
using reads_results = anew::testing::least_classifier;
WRONG(reads_results_by_another_name, reads_results, anew::directive classify_value(int) const;);
WRONG(reads_unknown_once, reads_results, using reads_results::classify;
      anew::directive classify(anew::unknown_exception););
using plain_hint = anew::testing::least_hint;
WRONG(longest_not_const, plain_hint, duration longest(););
WRONG(not_understood_by_half, plain_hint, anew::planned_delay not_understood(duration) const;);
static_assert(all_are_callable<has_a_private_helper, reads_results, plain_hint>);

// A strategy is composed of what is callable alone, also where it stands inside something else.
static_assert(anew::Composable<right::in_const> && !anew::Composable<wrong::not_const>);
static_assert(anew::Composable<anew::fan_out<right::in_const, right::silent>> &&
              !anew::Composable<anew::fan_out<right::in_const, wrong::not_const>>);
static_assert(anew::Composable<anew::shared<full_quota>> && !anew::Composable<anew::shared<on_failure_told_why>> &&
              anew::Composable<anew::borrowed<full_gate>>);
static_assert(!anew::Composable<anew::long_poll<on_call_told_nothing>>);

#undef RIGHT
#undef WRONG

TEST(Members, AreAskedOfShippedPoliciesToo) {
  EXPECT_TRUE((all_are_callable<anew::token_bucket<>, anew::retry_budget<>, anew::concurrency_budget<>,
                                anew::circuit_breaker<>, anew::exponential_backoff<>>));
}

}  // namespace
}  // namespace concept_members_test
