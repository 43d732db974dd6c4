// SPDX-License-Identifier: BSL-1.0
// For each role: the least model is one, and what differs from it in one point is not. The laws of the kit ask the shipped
// models.
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>

#include "anew/anew.hpp"
#include "anew/testing/archetypes.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

namespace {

using namespace anew;
using namespace anew::testing;
using namespace std::chrono_literals;

// clang-format off: it would put each model on three lines

// Backoff

static_assert(Backoff<least_backoff>);

struct backoff_without_role { duration delay(std::uint32_t) const { return {}; } };
struct backoff_of_another_role : backoff_without_role { using role = roles::jitter; };
struct backoff_not_const : least_backoff { duration delay(std::uint32_t) { return {}; } };
struct backoff_in_milliseconds : least_backoff { std::chrono::milliseconds delay(std::uint32_t) const { return {}; } };
struct backoff_of_nothing : least_backoff { duration delay() const { return {}; } };
static_assert(!Backoff<backoff_without_role> && !Backoff<backoff_of_another_role>);
static_assert(!Backoff<backoff_not_const> && !Backoff<backoff_in_milliseconds>);
static_assert(!Backoff<backoff_of_nothing> && !Backoff<int> && !Backoff<no_jitter>);

// Jitter

static_assert(Jitter<least_jitter> && Jitter<least_remembering_jitter>);

struct jitter_not_const : least_jitter { template <class R> duration apply(duration ceiling, R&) { return ceiling; } };
struct jitter_as_double : least_jitter { template <class R> double apply(duration, R&) const { return 0; } };
struct jitter_without_random : least_jitter { duration apply(duration ceiling) const { return ceiling; } };
struct jitter_without_its_state : least_jitter {
  template <class R>
  duration apply(delay_bounds const& bounds, duration&, R&) const {
    return bounds.first;
  }
};
struct jitter_without_role { template <class R> duration apply(duration ceiling, R&) const { return ceiling; } };
static_assert(!Jitter<jitter_not_const> && !Jitter<jitter_as_double>);
static_assert(!Jitter<jitter_without_random> && !Jitter<jitter_without_its_state>);
static_assert(!Jitter<jitter_without_role> && !Jitter<no_backoff>);

// Quota

static_assert(Quota<least_quota>);

struct quota_without_permit_type {
  using role = roles::quota;
  std::optional<int> try_acquire(failure const&) const { return 1; }
  void on_success(int) const {}
  void release(int) const {}
};
struct quota_that_says_yes : least_quota { bool try_acquire(failure const&) const { return true; } };
struct quota_not_const : least_quota { std::optional<int> try_acquire(failure const&) { return 1; } };
struct quota_of_move_only_permits {
  using role = roles::quota;
  struct permit_type {
    permit_type(permit_type&&) = default;
    permit_type& operator=(permit_type&&) = default;
  };
  std::optional<permit_type> try_acquire(failure const&) const { return std::nullopt; }
  void on_success(permit_type) const {}
  void release(permit_type) const {}
};
struct quota_without_release : least_quota { void release() const {} };
struct quota_without_success : least_quota { void on_success() const {} };
static_assert(!Quota<quota_without_permit_type> && !Quota<quota_that_says_yes>);
static_assert(!Quota<quota_not_const> && !Quota<quota_of_move_only_permits>);
static_assert(!Quota<quota_without_release> && !Quota<quota_without_success>);

// MaxAttempts

static_assert(MaxAttempts<least_max_attempts>);

struct limit_as_int : least_max_attempts { int permits_another(std::uint32_t made) const { return made < 3; } };
struct limit_not_const : least_max_attempts { bool permits_another(std::uint32_t made) { return made < 3; } };
struct limit_without_role { bool permits_another(std::uint32_t made) const { return made < 3; } };
static_assert(!MaxAttempts<limit_as_int> && !MaxAttempts<limit_not_const>);
static_assert(!MaxAttempts<limit_without_role> && !MaxAttempts<deadline<1s>>);

// RandomSource

static_assert(RandomSource<thread_random> && RandomSource<generator>);
static_assert(RandomSource<std::mt19937_64> && RandomSource<std::mt19937_64&>);
static_assert(RandomSourcePolicy<scripted_random> && RandomSourcePolicy<seeded_random>);
static_assert(RandomSourcePolicy<least_random_source>);

struct random_not_const : least_random_source { std::uint64_t operator()() { return 0; } };
struct random_of_32_bits : least_random_source { std::uint32_t operator()() const { return 0; } };
static_assert(RandomSource<random_not_const> && !RandomSourcePolicy<random_not_const>);
static_assert(!RandomSource<random_of_32_bits> && !RandomSourcePolicy<random_of_32_bits>);
static_assert(!RandomSourcePolicy<thread_random> && !RandomSource<int> && !RandomSource<void>);

// clang-format on

}  // namespace
