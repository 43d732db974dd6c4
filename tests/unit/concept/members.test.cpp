// SPDX-License-Identifier: BSL-1.0
// Which declarations of an optional function are found, and which are mistakes.
#include <chrono>
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

namespace right {

struct silent : hears_the_end {};
struct in_const : hears_the_end {
  void on_retry(retry_event const& /*e*/) const {}
};
struct by_value : hears_the_end {
  void on_retry(retry_event /*e*/) const {}
};
struct in_static : hears_the_end {
  static void on_retry(retry_event const& /*e*/) {}
};
struct in_noexcept : hears_the_end {
  bool on_retry(retry_event const& /*e*/) const noexcept { return true; }
};
struct in_template : hears_the_end {
  template <class Event>
  void on_retry(Event const& /*e*/) const {}
};
struct in_overloads : hears_the_end {
  void on_retry(retry_event const& /*e*/) const {}
  void on_retry(int /*n*/) {}
};
struct in_base : in_const {};
struct in_virtual_base : virtual in_const {};
struct in_virtual : hears_the_end {
  virtual ~in_virtual() = default;
  virtual void on_retry(retry_event const& /*e*/) const {}
};
struct in_final final : hears_the_end {
  void on_retry(retry_event const& /*e*/) const {}
};
struct in_callable : hears_the_end {
  static constexpr auto on_retry = [](retry_event const&) {};
};
struct silent_final final : hears_the_end {};
struct silent_reference : hears_the_end {
  int& count;
};
struct silent_without_destructor : hears_the_end {
  ~silent_without_destructor() = delete;
};
class silent_with_private_destructor : public hears_the_end {
  ~silent_with_private_destructor() = default;
};
struct silent_abstract : hears_the_end {
  virtual ~silent_abstract() = default;
  virtual int other() = 0;
};
struct silent_virtual_base : virtual hears_the_end {};
struct silent_not_copied : hears_the_end {
  silent_not_copied(silent_not_copied const&) = delete;
};
struct silent_constructed : hears_the_end {
  explicit silent_constructed(int /*n*/) {}
};
struct silent_with_a_final_virtual_destructor final : hears_the_end {
  virtual ~silent_with_a_final_virtual_destructor() final = default;
};
struct silent_with_another_name : hears_the_end {
  void on_retry_2(retry_event const& /*e*/) const {}
};

}  // namespace right

template <class... Ps>
constexpr bool all_are_callable = (members_are_callable<Ps> && ...);
template <class... Ps>
constexpr bool none_is_callable = !(members_are_callable<Ps> || ...);

static_assert(all_are_callable<right::silent, right::in_const, right::by_value, right::in_static, right::in_noexcept,
                               right::in_template, right::in_overloads, right::in_base, right::in_virtual_base,
                               right::in_virtual, right::in_final, right::in_callable>);
static_assert(all_are_callable<right::silent_final, right::silent_reference, right::silent_without_destructor,
                               right::silent_with_private_destructor, right::silent_abstract,
                               right::silent_virtual_base, right::silent_not_copied, right::silent_constructed,
                               right::silent_with_a_final_virtual_destructor, right::silent_with_another_name>);

namespace wrong {

struct not_const : hears_the_end {
  void on_retry(retry_event const& /*e*/) {}
};
struct of_another_event : hears_the_end {
  void on_retry(end_event const& /*e*/) const {}
};
struct of_a_changeable_event : hears_the_end {
  void on_retry(retry_event& /*e*/) const {}
};
struct of_nothing : hears_the_end {
  void on_retry() const {}
};
struct of_too_much : hears_the_end {
  void on_retry(retry_event const& /*e*/, int /*n*/) const {}
};
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
struct in_template : hears_the_end {
  template <class Event>
  void on_retry(Event const& /*e*/) {}
};
struct in_template_of_another : hears_the_end {
  template <class T>
  void on_retry(std::optional<T> const& /*e*/) const {}
};
struct in_overloads : hears_the_end {
  void on_retry(int /*n*/) const {}
  void on_retry(char const* /*s*/) const {}
};
struct constrained : hears_the_end {
  template <class Event>
    requires std::is_same_v<Event, int>
  void on_retry(Event const& /*e*/) const {}
};
struct deleted : hears_the_end {
  void on_retry(retry_event const& /*e*/) const = delete;
};
struct in_virtual_final : hears_the_end {
  virtual ~in_virtual_final() = default;
  virtual void on_retry(retry_event const& /*e*/) final {}
};
struct abstract : hears_the_end {
  virtual ~abstract() = default;
  virtual void on_retry(retry_event const& /*e*/) = 0;
};
struct in_base : not_const {};
struct in_virtual_base : virtual not_const {};
struct in_reference : hears_the_end {
  int& count;
  void on_retry(retry_event const& /*e*/) { ++count; }
};
struct without_destructor : hears_the_end {
  ~without_destructor() = delete;
  void on_retry(retry_event const& /*e*/) {}
};
struct in_final final : hears_the_end {
  void on_retry(retry_event const& /*e*/) {}
};
struct in_final_template final : hears_the_end {
  template <class Event>
  void on_retry(Event const& /*e*/) {}
};
struct in_static : hears_the_end {
  static void on_retry(end_event const& /*e*/) {}
};
struct of_data : hears_the_end {
  int on_retry = 0;
};
struct of_static_data : hears_the_end {
  static constexpr int on_retry = 0;
};
struct of_a_type : hears_the_end {
  struct on_retry {};
};
struct of_an_alias : hears_the_end {
  using on_retry = int;
};
struct of_an_enumerator : hears_the_end {
  enum { on_retry };
};

}  // namespace wrong

// A class may have a name of its role; a class inherits its bases' names.
struct on_retry {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& /*event*/) const {}
};
struct derived_from_on_retry : on_retry {};
static_assert(members_are_callable<on_retry> && members_are_callable<derived_from_on_retry>);

static_assert(none_is_callable<wrong::not_const, wrong::of_another_event, wrong::of_a_changeable_event,
                               wrong::of_nothing, wrong::of_too_much, wrong::in_private, wrong::in_protected>);
static_assert(none_is_callable<wrong::in_private_base, wrong::in_template, wrong::in_template_of_another,
                               wrong::in_overloads, wrong::constrained, wrong::deleted>);
static_assert(none_is_callable<wrong::in_virtual_final, wrong::abstract, wrong::in_base, wrong::in_virtual_base,
                               wrong::in_reference, wrong::without_destructor>);
static_assert(none_is_callable<wrong::in_final, wrong::in_final_template, wrong::in_static, wrong::of_data,
                               wrong::of_static_data, wrong::of_a_type, wrong::of_an_alias, wrong::of_an_enumerator>);

// A policy that says that it has its functions under constraints is believed.
struct forwarding : wrong::not_const {
  static constexpr bool forwards_members = true;
};
struct not_forwarding : wrong::not_const {
  static constexpr bool forwards_members = false;
};
static_assert(members_are_callable<forwarding> && !members_are_callable<not_forwarding>);

// What cannot be seen: overloads and private functions of a class that cannot be derived from.
struct overloaded_and_final final : hears_the_end {
  void on_retry(int /*n*/) const {}
  void on_retry(char const* /*s*/) const {}
};
static_assert(members_are_callable<overloaded_and_final>);

// Each row, wrong in the way that is easiest to write; the policy without the row is right.
using plain_backoff = anew::testing::least_backoff;
struct cap_not_const : plain_backoff {
  duration cap() { return {}; }
};
struct cap_of_milliseconds : plain_backoff {
  std::chrono::milliseconds cap() const { return {}; }
};
struct cap_of_a_number : plain_backoff {
  int cap() const { return 0; }
};
struct cap_of_data : plain_backoff {
  duration cap{};
};
struct delay_by_kind : plain_backoff {
  using plain_backoff::delay;
  duration delay(call_progress const& /*p*/) const { return {}; }
};
struct delay_by_kind_not_const : plain_backoff {
  using plain_backoff::delay;
  duration delay(call_progress const& /*p*/) { return {}; }
};
struct delay_by_kind_changes : plain_backoff {
  using plain_backoff::delay;
  duration delay(call_progress& /*p*/) const { return {}; }
};
struct delay_by_kind_of_milliseconds : plain_backoff {
  using plain_backoff::delay;
  std::chrono::milliseconds delay(call_progress const& /*p*/) const { return {}; }
};
struct counts_by_a_member : plain_backoff {
  bool needs_counts = false;
};
struct capped_by_another_name : plain_backoff {
  duration max_delay() const { return {}; }
};
struct capped_by_both : capped_by_another_name {
  duration cap() const { return {}; }
};
struct with_max_delay_as_data : plain_backoff {
  duration max_delay{};
};
static_assert(members_are_callable<plain_backoff> && members_are_callable<cap_of_milliseconds> &&
              members_are_callable<delay_by_kind> && members_are_callable<capped_by_both> &&
              members_are_callable<with_max_delay_as_data>);
static_assert(
    none_is_callable<cap_not_const, cap_of_a_number, cap_of_data, delay_by_kind_not_const, delay_by_kind_changes,
                     delay_by_kind_of_milliseconds, counts_by_a_member, capped_by_another_name>);

using plain_attempts = anew::testing::least_max_attempts;
struct attempts_by_kind_not_const : plain_attempts {
  using plain_attempts::permits_another;
  bool permits_another(call_progress const& /*p*/) { return false; }
};
struct attempts_described_by_a_view : plain_attempts {
  std::string_view describe() const { return "plain"; }
};
struct attempts_described_by_a_literal : plain_attempts {
  static char const* describe() { return "plain"; }
};
struct attempts_described_once : plain_attempts {
  std::string describe() { return "plain"; }
};
static_assert(members_are_callable<plain_attempts> && members_are_callable<attempts_described_by_a_literal>);
static_assert(none_is_callable<attempts_by_kind_not_const, attempts_described_by_a_view, attempts_described_once>);

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
struct settles_by_a_bool : plain_quota {
  bool settle(int /*permit*/, time_point /*now*/) const { return true; }
};
struct settles_for_itself : plain_quota {
 private:
  void settle() const {}
};
struct refilled_not_const : plain_quota {
  using plain_quota::try_acquire;
  std::optional<int> try_acquire(failure const& /*f*/, time_point /*now*/) { return 1; }
};
struct on_failure_told_why : plain_quota {
  void on_failure(int /*permit*/, failure const& /*f*/) const {}
};
struct on_attempt_failed_told_nothing : plain_quota {
  void on_attempt_failed() const {}
};
struct wait_as_a_number : plain_quota {
  int wait(int /*permit*/, time_point /*now*/) const { return 0; }
};
struct counts_at_any_time : plain_quota {
  void on_call(auto&& /*now*/) const {}
};
struct on_call_told_nothing : plain_quota {
  void on_call() const {}
};
struct on_call_end_not_const : plain_quota {
  void on_call(time_point /*now*/) const {}
  void on_call_end() {}
};
struct waits_by_a_member : plain_quota {
  bool waits_before_refusal = true;
};
static_assert(members_are_callable<plain_quota> && members_are_callable<full_quota> &&
              members_are_callable<counts_at_any_time>);
static_assert(none_is_callable<refilled_not_const, on_failure_told_why, on_attempt_failed_told_nothing,
                               wait_as_a_number, on_call_told_nothing, on_call_end_not_const, waits_by_a_member,
                               settles_by_a_bool, settles_for_itself>);

using plain_gate = anew::testing::least_gate;
struct full_gate : plain_gate {
  using plain_gate::on_failure, plain_gate::try_enter;
  anew::admission<int> try_enter(time_point /*now*/, time_point& /*since*/) const { return {}; }
  template <class R>
  void on_failure(int /*pass*/, failure const& /*f*/, time_point /*now*/, R&& /*random*/) const {}
  bool would_refuse(time_point /*then*/) const { return false; }
};
struct enters_at_any_time : plain_gate {
  anew::admission<int> try_enter(auto&& /*now*/) const { return {}; }
  void on_success(int /*pass*/, auto&& /*now*/) const {}
};
struct orders_by_value : plain_gate {
  using plain_gate::try_enter;
  bool try_enter(time_point /*now*/, time_point& /*since*/) const { return true; }
};
struct draws_not_const : plain_gate {
  using plain_gate::on_failure;
  template <class R>
  void on_failure(int /*pass*/, failure const& /*f*/, time_point /*now*/, R&& /*random*/) {}
};
struct draws_on_entry_not_const : plain_gate {
  using plain_gate::try_enter;
  template <class R>
  anew::admission<int> try_enter(time_point /*now*/, R&& /*random*/) {
    return {};
  }
};
struct draws_on_entry_by_value : plain_gate {
  using plain_gate::try_enter;
  template <anew::RandomSource R>
  bool try_enter(time_point /*now*/, R&& /*random*/) const {
    return true;
  }
};
struct keeps_order_and_draws_by_value : plain_gate {
  using plain_gate::try_enter;
  template <class R>
  bool try_enter(time_point /*now*/, time_point& /*since*/, R&& /*random*/) const {
    return true;
  }
};
struct draws_on_entry : plain_gate {
  using plain_gate::try_enter;
  template <class R>
  anew::admission<int> try_enter(time_point /*now*/, R&& /*random*/) const {
    return {};
  }
};
struct keeps_order_and_draws : plain_gate {
  using plain_gate::try_enter;
  template <class R>
  anew::admission<int> try_enter(time_point /*now*/, time_point& /*since*/, R&& /*random*/) const {
    return {};
  }
};
struct foresees_by_duration : plain_gate {
  bool would_refuse(duration /*then*/) const { return false; }
};
static_assert(members_are_callable<plain_gate> && members_are_callable<full_gate> &&
              members_are_callable<enters_at_any_time>);
static_assert(members_are_callable<draws_on_entry> && members_are_callable<keeps_order_and_draws>);
static_assert(none_is_callable<draws_on_entry_not_const, draws_on_entry_by_value, keeps_order_and_draws_by_value>);
static_assert(none_is_callable<orders_by_value, draws_not_const, foresees_by_duration>);

// Near names: public functions only, and only where the right name is not there.
struct calls_it_retries : hears_the_end {
  void on_retries(retry_event const& /*e*/) const {}
};
struct calls_it_max_delay : anew::testing::least_backoff {
  static duration max_delay() { return {}; }
};
struct calls_it_error : hears_the_end {
  static void on_error(anew::attempt_event const& /*e*/) {}
};
struct has_both : right::in_const {
  void on_retries(int /*n*/) const {}
};
class has_a_private_helper : public hears_the_end {
  void on_retries(int /*n*/) const {}
};
struct gate_with_on_error : plain_gate {
  void on_error(int /*n*/) const {}  // near a name of an observer's, not of a gate's
};
using reads_results = anew::testing::least_classifier;
struct reads_results_by_another_name : reads_results {
  anew::directive classify_value(int /*r*/) const { return anew::directive::fail(); }
};
static_assert(members_are_callable<has_both> && members_are_callable<has_a_private_helper> &&
              members_are_callable<gate_with_on_error> && members_are_callable<reads_results>);
static_assert(none_is_callable<calls_it_retries, calls_it_error, calls_it_max_delay, reads_results_by_another_name>);

// A strategy is composed of what is callable alone, also where it stands inside something else.
static_assert(anew::Composable<right::in_const> && !anew::Composable<wrong::not_const>);
static_assert(anew::Composable<anew::fan_out<right::in_const, right::silent>> &&
              !anew::Composable<anew::fan_out<right::in_const, wrong::not_const>>);
static_assert(anew::Composable<anew::shared<full_quota>> && !anew::Composable<anew::shared<on_failure_told_why>> &&
              anew::Composable<anew::borrowed<full_gate>>);
static_assert(!anew::Composable<anew::long_poll<on_call_told_nothing>>);

TEST(Members, AreAskedOfShippedPoliciesToo) {
  EXPECT_TRUE(anew::detail::describe_is_callable<anew::token_bucket<>>);
  EXPECT_TRUE(members_are_callable<anew::token_bucket<>>);
  EXPECT_TRUE(members_are_callable<anew::retry_budget<>>);
  EXPECT_TRUE(members_are_callable<anew::concurrency_budget<>>);
  EXPECT_TRUE(members_are_callable<anew::circuit_breaker<>>);
  EXPECT_TRUE(members_are_callable<anew::exponential_backoff<>>);
}

}  // namespace
}  // namespace concept_members_test
