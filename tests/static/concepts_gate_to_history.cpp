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

using namespace anew;
using namespace anew::testing;

// clang-format off: it would put each model on three lines

// Gate

static_assert(Gate<least_gate>);

struct gate_without_role {
  using pass_type = int;
  admission<int> try_enter(time_point) const { return {}; }
  void on_success(int, time_point) const {}
  void on_failure(int, failure const&, time_point) const {}
  void release(int) const {}
};
struct gate_of_another_pass : least_gate { admission<long> try_enter(time_point) const { return {}; } };
struct gate_as_bool : least_gate { bool try_enter(time_point) const { return true; } };
struct gate_not_const : least_gate { admission<int> try_enter(time_point) { return {}; } };
struct gate_blind_to_failures : least_gate { void on_failure(int, time_point) const {} };
struct gate_that_keeps_its_passes : least_gate { void release() const {} };
struct gate_of_moved_passes : least_gate {
  struct pass_type {
    pass_type() = default;
    pass_type(pass_type&&) = default;
  };
};
// What a report returns would not be heard.
struct gate_of_another_change : least_gate { bool on_success(int, time_point) const { return true; } };
struct gate_that_draws_a_bool : least_gate {
  using least_gate::on_failure;
  bool on_failure(int, failure const&, time_point, auto const& /*random*/) const { return true; }
};
struct gate_that_draws_a_change : least_gate {
  using least_gate::on_failure;
  gate_change on_failure(int, failure const&, time_point, auto const& /*random*/) const { return {}; }
};
struct gate_of_told_releases : least_gate { gate_change release(int) const { return {}; } };
static_assert(!Gate<gate_of_another_change> && !Gate<gate_that_draws_a_bool> && !Gate<gate_of_told_releases>);
static_assert(Gate<gate_that_draws_a_change>);
static_assert(!Gate<gate_without_role> && !Gate<gate_of_another_pass> && !Gate<gate_as_bool>);
static_assert(!Gate<gate_not_const> && !Gate<gate_blind_to_failures>);
static_assert(!Gate<gate_that_keeps_its_passes> && !Gate<gate_of_moved_passes>);

using gated = strategy<least_gate>;
static_assert(gated::has_gate && gated::has_admission && !gated::initial_token_is_pure);
static_assert(!strategy<>::has_gate && !strategy<>::has_admission && strategy<>::initial_token_is_pure);

// Pacer

static_assert(Pacer<least_pacer>);

struct pacer_of_another_ticket : least_pacer { using ticket_type = std::string; };
struct pacer_as_bool : least_pacer { bool ask(int&, time_point) const { return true; } };
struct pacer_not_const : least_pacer { pace ask(int&, time_point) { return {}; } };
struct pacer_blind_to_failures : least_pacer { void on_failure(time_point) const {} };
struct pacer_without_a_clock : least_pacer { void on_success() const {} };
struct pacer_that_keeps_its_tickets : least_pacer { void release() const {} };
static_assert(!Pacer<pacer_of_another_ticket> && !Pacer<pacer_as_bool> && !Pacer<pacer_not_const>);
static_assert(!Pacer<pacer_blind_to_failures> && !Pacer<pacer_without_a_clock> &&
              !Pacer<pacer_that_keeps_its_tickets> && !Pacer<least_gate>);

using paced = strategy<least_pacer>;
static_assert(paced::has_pacer && paced::has_admission && !paced::has_gate && !paced::initial_token_is_pure);
static_assert(!strategy<>::has_pacer && !strategy<>::waits_before_refusal);
static_assert(strategy<long_poll<token_bucket<500>>>::waits_before_refusal);
static_assert(!strategy<token_bucket<500>>::waits_before_refusal);

// Reset

struct reset_as_int : least_reset { int starts_over(duration) const { return 1; } };
struct reset_not_const : least_reset { bool starts_over(duration) { return true; } };
static_assert(Reset<least_reset> && !Reset<reset_as_int> && !Reset<reset_not_const>);
static_assert(strategy<least_reset>::has_reset && strategy<least_reset>::has_admission);

// Nesting

struct nesting_for_an_unknown_reason : least_nesting { static constexpr int refusal = 0; };
struct nesting_that_keeps_its_permits : least_nesting { void release() const {} };
static_assert(Nesting<least_nesting> && !Nesting<nesting_for_an_unknown_reason>);
static_assert(!Nesting<nesting_that_keeps_its_permits>);
static_assert(strategy<least_nesting>::has_nesting && strategy<least_nesting>::initial_token_is_pure);

// History

struct history_without_errors {
  using role = roles::history;
  template <class Error>
  struct log {
    void add(std::uint32_t, failure const&) {}
  };
};
struct history_of_errors_alone {
  using role = roles::history;
  template <class Error>
  struct log {
    void add(std::uint32_t, failure const&, Error const&) {}
  };
};
static_assert(History<least_history> && !History<history_without_errors>);
static_assert(!History<history_of_errors_alone>);
static_assert(strategy<least_history>::has_history && !strategy<>::has_history);

// Quotas that time refills, and such as count calls

struct quota_with_time : least_quota { std::optional<int> try_acquire(failure const&, time_point) const { return 1; } };
struct quota_of_calls : quota_with_time { void on_call(time_point) const {} };
struct quota_of_calls_under_way : quota_of_calls { void on_call_end() const {} };
struct quota_that_cannot_be_asked : least_quota { void try_acquire() const {} };
static_assert(Quota<quota_with_time> && !Quota<quota_that_cannot_be_asked>);
static_assert(strategy<quota_with_time>::initial_token_is_pure);
static_assert(!strategy<quota_of_calls>::initial_token_is_pure);
static_assert(sizeof(strategy<quota_of_calls>::token_type) < sizeof(strategy<quota_of_calls_under_way>::token_type));

// By kind of error

struct backoff_by_kind {
  using role = roles::backoff;
  duration delay(std::uint32_t) const { return {}; }
  duration delay(call_progress const& progress) const { return duration{progress.attempts}; }
};
struct max_attempts_by_kind_at_run_time {
  using role = roles::max_attempts;
  bool permits_another(std::uint32_t made) const { return made < 3; }
  bool permits_another(call_progress const& progress) const { return progress.counts.of(progress.kind) < 3; }
};
static_assert(Backoff<backoff_by_kind> && MaxAttempts<max_attempts_by_kind_at_run_time>);
static_assert(std::same_as<strategy<backoff_by_kind>::counts_type, kind_counts>);
static_assert(std::same_as<strategy<max_attempts_by_kind_at_run_time>::counts_type, kind_counts>);
static_assert(!std::same_as<strategy<>::counts_type, kind_counts>);

// Hints that are drawn

struct drawn_hint {
  using role = roles::hint;
  template <RandomSource R>
  std::optional<planned_delay> resolve(duration computed, duration, duration, R&) const {
    return planned_delay{computed, delay_origin::hint};
  }
};
static_assert(Hint<drawn_hint> && Composable<drawn_hint, least_gate, least_reset, least_nesting, least_history>);
static_assert(!Composable<least_gate, least_gate>);

// clang-format on

}  // namespace
