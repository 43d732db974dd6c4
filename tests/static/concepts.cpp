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
#include "anew/testing/seeded_random.hpp"

namespace {

using namespace std::chrono_literals;
namespace roles = anew::roles;
using anew::duration;
using anew::failure;

// Backoff

static_assert(anew::Backoff<anew::testing::least_backoff>);

struct backoff_without_role {
  [[nodiscard]] duration delay(std::uint32_t /*retry*/) const { return {}; }
};
struct backoff_of_another_role : backoff_without_role {
  using role = roles::jitter;
};
struct backoff_not_const : anew::testing::least_backoff {
  duration delay(std::uint32_t /*retry*/) { return {}; }
};
struct backoff_in_milliseconds : anew::testing::least_backoff {
  [[nodiscard]] std::chrono::milliseconds delay(std::uint32_t /*retry*/) const { return {}; }
};
struct backoff_of_nothing : anew::testing::least_backoff {
  [[nodiscard]] duration delay() const { return {}; }
};
static_assert(!anew::Backoff<backoff_without_role> && !anew::Backoff<backoff_of_another_role>);
static_assert(!anew::Backoff<backoff_not_const> && !anew::Backoff<backoff_in_milliseconds>);
static_assert(!anew::Backoff<backoff_of_nothing> && !anew::Backoff<int> && !anew::Backoff<anew::no_jitter>);

// Jitter

static_assert(anew::Jitter<anew::testing::least_jitter> && anew::Jitter<anew::testing::least_remembering_jitter>);

struct jitter_not_const : anew::testing::least_jitter {
  template <class R>
  duration apply(duration ceiling, R& /*random*/) {
    return ceiling;
  }
};
struct jitter_as_double : anew::testing::least_jitter {
  template <class R>
  double apply(duration /*ceiling*/, R& /*random*/) const {
    return 0;
  }
};
struct jitter_without_random : anew::testing::least_jitter {
  [[nodiscard]] duration apply(duration ceiling) const { return ceiling; }
};
struct jitter_without_its_state : anew::testing::least_jitter {
  template <class R>
  duration apply(anew::delay_bounds const& bounds, duration& /*state*/, R& /*random*/) const {
    return bounds.first;
  }
};
struct jitter_without_role {
  template <class R>
  duration apply(duration ceiling, R& /*random*/) const {
    return ceiling;
  }
};
static_assert(!anew::Jitter<jitter_not_const> && !anew::Jitter<jitter_as_double>);
static_assert(!anew::Jitter<jitter_without_random> && !anew::Jitter<jitter_without_its_state>);
static_assert(!anew::Jitter<jitter_without_role> && !anew::Jitter<anew::no_backoff>);

// Quota

static_assert(anew::Quota<anew::testing::least_quota>);

struct quota_without_permit_type {
  using role = roles::quota;
  std::optional<int> try_acquire(failure const& /*f*/) const { return 1; }
  void on_success(int /*permit*/) const {}
  void release(int /*permit*/) const {}
};
struct quota_that_says_yes : anew::testing::least_quota {
  bool try_acquire(failure const& /*f*/) const { return true; }
};
struct quota_not_const : anew::testing::least_quota {
  std::optional<int> try_acquire(failure const& /*f*/) { return 1; }
};
struct quota_of_move_only_permits {
  using role = roles::quota;
  struct permit_type {
    permit_type(permit_type&&) = default;
    permit_type& operator=(permit_type&&) = default;
  };
  std::optional<permit_type> try_acquire(failure const& /*f*/) const { return std::nullopt; }
  void on_success(permit_type /*permit*/) const {}
  void release(permit_type /*permit*/) const {}
};
struct quota_without_release : anew::testing::least_quota {
  void release() const {}
};
struct quota_without_success : anew::testing::least_quota {
  void on_success() const {}
};
static_assert(!anew::Quota<quota_without_permit_type> && !anew::Quota<quota_that_says_yes>);
static_assert(!anew::Quota<quota_not_const> && !anew::Quota<quota_of_move_only_permits>);
static_assert(!anew::Quota<quota_without_release> && !anew::Quota<quota_without_success>);

// MaxAttempts

static_assert(anew::MaxAttempts<anew::testing::least_max_attempts>);

struct limit_as_int : anew::testing::least_max_attempts {
  [[nodiscard]] int permits_another(std::uint32_t made) const { return made < 3; }
};
struct limit_not_const : anew::testing::least_max_attempts {
  bool permits_another(std::uint32_t made) { return made < 3; }
};
struct limit_without_role {
  [[nodiscard]] bool permits_another(std::uint32_t made) const { return made < 3; }
};
static_assert(!anew::MaxAttempts<limit_as_int> && !anew::MaxAttempts<limit_not_const>);
static_assert(!anew::MaxAttempts<limit_without_role> && !anew::MaxAttempts<anew::deadline<1s>>);

// RandomSource

static_assert(anew::RandomSource<anew::thread_random> && anew::RandomSource<anew::generator>);
static_assert(anew::RandomSource<std::mt19937_64> && anew::RandomSource<std::mt19937_64&>);
static_assert(anew::RandomSourcePolicy<anew::testing::scripted_random> &&
              anew::RandomSourcePolicy<anew::testing::seeded_random>);
static_assert(anew::RandomSourcePolicy<anew::testing::least_random_source>);

struct random_not_const : anew::testing::least_random_source {
  std::uint64_t operator()() { return 0; }
};
struct random_of_32_bits : anew::testing::least_random_source {
  std::uint32_t operator()() const { return 0; }
};
static_assert(anew::RandomSource<random_not_const> && !anew::RandomSourcePolicy<random_not_const>);
static_assert(!anew::RandomSource<random_of_32_bits> && !anew::RandomSourcePolicy<random_of_32_bits>);
static_assert(!anew::RandomSourcePolicy<anew::thread_random> && !anew::RandomSource<int> && !anew::RandomSource<void>);

}  // namespace
