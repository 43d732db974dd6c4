// SPDX-License-Identifier: BSL-1.0
// The same for gates, resets, nesting guards and histories, and for what quotas, backoffs and limits may have beside.
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

#include "anew/anew.hpp"
#include "anew/policies/quota/long_poll.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/history.hpp"
#include "anew/roles/nesting.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/roles/reset.hpp"
#include "anew/testing/archetypes.hpp"

namespace {

namespace roles = anew::roles;
using anew::duration;
using anew::failure;
using anew::time_point;

// Gate

using anew::testing::least_gate;
static_assert(anew::Gate<least_gate>);

struct gate_without_role {
  using pass_type = int;
  [[nodiscard]] anew::admission<int> try_enter(time_point /*now*/) const { return {}; }
  void on_success(int /*pass*/, time_point /*now*/) const {}
  void on_failure(int /*pass*/, failure const& /*what*/, time_point /*now*/) const {}
  void release(int /*pass*/) const {}
};
struct gate_of_another_pass : least_gate {
  [[nodiscard]] anew::admission<long> try_enter(time_point /*now*/) const { return {}; }
};
struct gate_as_bool : least_gate {
  [[nodiscard]] bool try_enter(time_point /*now*/) const { return true; }
};
struct gate_not_const : least_gate {
  [[nodiscard]] anew::admission<int> try_enter(time_point /*now*/) { return {}; }
};
struct gate_blind_to_failures : least_gate {
  void on_failure(int /*pass*/, time_point /*now*/) const {}
};
struct gate_that_keeps_its_passes : least_gate {
  void release() const {}
};
struct gate_of_moved_passes : least_gate {
  struct pass_type {
    pass_type() = default;
    pass_type(pass_type&&) = default;
  };
};
static_assert(!anew::Gate<gate_without_role> && !anew::Gate<gate_of_another_pass> && !anew::Gate<gate_as_bool>);
static_assert(!anew::Gate<gate_not_const> && !anew::Gate<gate_blind_to_failures>);
static_assert(!anew::Gate<gate_that_keeps_its_passes> && !anew::Gate<gate_of_moved_passes>);

using gated = anew::strategy<least_gate>;
static_assert(gated::has_gate && gated::has_admission && !gated::initial_token_is_pure);
static_assert(!anew::strategy<>::has_gate && !anew::strategy<>::has_admission &&
              anew::strategy<>::initial_token_is_pure);

// Pacer

using anew::testing::least_pacer;
static_assert(anew::Pacer<least_pacer>);

struct pacer_of_another_ticket : least_pacer {
  using ticket_type = std::string;
};
struct pacer_as_bool : least_pacer {
  [[nodiscard]] bool ask(int& /*ticket*/, time_point /*now*/) const { return true; }
};
struct pacer_not_const : least_pacer {
  [[nodiscard]] anew::pace ask(int& /*ticket*/, time_point /*now*/) { return {}; }
};
struct pacer_blind_to_failures : least_pacer {
  void on_failure(time_point /*now*/) const {}
};
struct pacer_without_a_clock : least_pacer {
  void on_success() const {}
};
struct pacer_that_keeps_its_tickets : least_pacer {
  void release() const {}
};
static_assert(!anew::Pacer<pacer_of_another_ticket> && !anew::Pacer<pacer_as_bool> && !anew::Pacer<pacer_not_const>);
static_assert(!anew::Pacer<pacer_blind_to_failures> && !anew::Pacer<pacer_without_a_clock> &&
              !anew::Pacer<pacer_that_keeps_its_tickets> && !anew::Pacer<least_gate>);

using paced = anew::strategy<least_pacer>;
static_assert(paced::has_pacer && paced::has_admission && !paced::has_gate && !paced::initial_token_is_pure);
static_assert(!anew::strategy<>::has_pacer && !anew::strategy<>::waits_before_refusal);
static_assert(anew::strategy<anew::long_poll<anew::token_bucket<500>>>::waits_before_refusal);
static_assert(!anew::strategy<anew::token_bucket<500>>::waits_before_refusal);

// Reset

using anew::testing::least_reset;
struct reset_as_int : least_reset {
  [[nodiscard]] int starts_over(duration /*ran*/) const { return 1; }
};
struct reset_not_const : least_reset {
  [[nodiscard]] bool starts_over(duration /*ran*/) { return true; }
};
static_assert(anew::Reset<least_reset> && !anew::Reset<reset_as_int> && !anew::Reset<reset_not_const>);
static_assert(anew::strategy<least_reset>::has_reset && anew::strategy<least_reset>::has_admission);

// Nesting

using anew::testing::least_nesting;
struct nesting_for_an_unknown_reason : least_nesting {
  static constexpr int refusal = 0;
};
struct nesting_that_keeps_its_permits : least_nesting {
  void release() const {}
};
static_assert(anew::Nesting<least_nesting> && !anew::Nesting<nesting_for_an_unknown_reason>);
static_assert(!anew::Nesting<nesting_that_keeps_its_permits>);
static_assert(anew::strategy<least_nesting>::has_nesting && anew::strategy<least_nesting>::initial_token_is_pure);

// History

using anew::testing::least_history;
struct history_without_errors {
  using role = roles::history;
  template <class Error>
  struct log {
    void add(std::uint32_t /*attempt*/, failure const& /*what*/) {}
  };
};
struct history_of_errors_alone {
  using role = roles::history;
  template <class Error>
  struct log {
    void add(std::uint32_t /*attempt*/, failure const& /*what*/, Error const& /*error*/) {}
  };
};
static_assert(anew::History<least_history> && !anew::History<history_without_errors>);
static_assert(!anew::History<history_of_errors_alone>);
static_assert(anew::strategy<least_history>::has_history && !anew::strategy<>::has_history);

// Quotas that time refills, and such as count calls

struct quota_with_time : anew::testing::least_quota {
  [[nodiscard]] std::optional<int> try_acquire(failure const& /*what*/, time_point /*now*/) const { return 1; }
};
struct quota_of_calls : quota_with_time {
  void on_call(time_point /*now*/) const {}
};
struct quota_of_calls_under_way : quota_of_calls {
  void on_call_end() const {}
};
struct quota_that_cannot_be_asked : anew::testing::least_quota {
  void try_acquire() const {}
};
static_assert(anew::Quota<quota_with_time> && !anew::Quota<quota_that_cannot_be_asked>);
static_assert(anew::strategy<quota_with_time>::initial_token_is_pure);
static_assert(!anew::strategy<quota_of_calls>::initial_token_is_pure);
static_assert(sizeof(anew::strategy<quota_of_calls>::token_type) <
              sizeof(anew::strategy<quota_of_calls_under_way>::token_type));

// By kind of error

struct backoff_by_kind {
  using role = roles::backoff;
  [[nodiscard]] duration delay(std::uint32_t /*retry*/) const { return {}; }
  [[nodiscard]] duration delay(anew::call_progress const& progress) const { return duration{progress.attempts}; }
};
struct max_attempts_by_kind_at_run_time {
  using role = roles::max_attempts;
  [[nodiscard]] bool permits_another(std::uint32_t made) const { return made < 3; }
  [[nodiscard]] bool permits_another(anew::call_progress const& progress) const {
    return progress.counts.of(progress.kind) < 3;
  }
};
static_assert(anew::Backoff<backoff_by_kind> && anew::MaxAttempts<max_attempts_by_kind_at_run_time>);
static_assert(std::same_as<anew::strategy<backoff_by_kind>::counts_type, anew::kind_counts>);
static_assert(std::same_as<anew::strategy<max_attempts_by_kind_at_run_time>::counts_type, anew::kind_counts>);
static_assert(!std::same_as<anew::strategy<>::counts_type, anew::kind_counts>);

// Hints that are drawn

struct drawn_hint {
  using role = roles::hint;
  template <anew::RandomSource R>
  [[nodiscard]] std::optional<anew::planned_delay> resolve(duration computed, duration /*asked*/, duration /*cap*/,
                                                           R& /*random*/) const {
    return anew::planned_delay{computed, anew::delay_origin::hint};
  }
};
static_assert(anew::Hint<drawn_hint> &&
              anew::Composable<drawn_hint, least_gate, least_reset, least_nesting, least_history>);
static_assert(!anew::Composable<least_gate, least_gate>);

}  // namespace
