// SPDX-License-Identifier: BSL-1.0
// What is not composed, or is part of the type, has no size.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "anew/anew.hpp"
#include "anew/base/platform/internal/process_wide.hpp"
#include "anew/policies.hpp"
#include "anew/testing/archetypes.hpp"

namespace {

using namespace std::chrono_literals;

template <class... Ts>
inline constexpr bool all_empty = (std::is_empty_v<Ts> && ...);

struct predicate {
  bool operator()(int value) const { return value == 0; }
};

static_assert(all_empty<anew::no_backoff, anew::constant_backoff<5ms>, anew::exponential_backoff<>,
                        anew::exponential_backoff<20s, 20s>, anew::exponential_backoff<3s, 60s, anew::rational{3, 2}>>);
static_assert(all_empty<anew::no_jitter, anew::full_jitter, anew::equal_jitter, anew::decorrelated_jitter>);
static_assert(all_empty<anew::unlimited_quota, anew::max_attempts<3>, anew::unbounded>);
static_assert(all_empty<anew::retry_info_classifier, anew::retry_all, anew::retry_if<predicate>,
                        anew::retry_on<std::runtime_error>, anew::http_status_classifier<503>>);
static_assert(all_empty<anew::server_hint<>, anew::server_hint<anew::long_hint::clamp, 5s>, anew::deadline<5s>,
                        anew::deadline<5s, anew::at_deadline::clamp, 1s>>);
static_assert(all_empty<anew::std_clock<std::chrono::steady_clock>, anew::thread_random>);

// Values that are known at run time take the room of the values.
static_assert(sizeof(decltype(anew::constant_backoff{1s})) == 8);
static_assert(sizeof(decltype(anew::exponential_backoff{1s, 2s})) == 16);
static_assert(sizeof(decltype(anew::exponential_backoff{1s, 2s, anew::rational{3, 2}})) == 24);
static_assert(sizeof(decltype(anew::max_attempts{3})) == 4);
static_assert(sizeof(decltype(anew::server_hint{anew::long_hint::stop, 1s})) == 16);
static_assert(sizeof(decltype(anew::deadline{1s})) <= 24 && sizeof(decltype(anew::attempt_timeout{1s})) == 8);
static_assert(sizeof(anew::token_bucket<>) == 4 && sizeof(decltype(anew::token_bucket{50})) == 44);

template <class T>
inline constexpr bool is_one_byte = sizeof(T) == 1 && std::is_empty_v<T>;

static_assert(is_one_byte<anew::strategy<>> && is_one_byte<anew::never>);
static_assert(is_one_byte<anew::strategy<anew::constant_backoff<5ms>, anew::decorrelated_jitter, anew::unbounded,
                                         anew::retry_if<predicate>, anew::server_hint<anew::long_hint::clamp, 9s>,
                                         anew::deadline<10s, anew::at_deadline::clamp, 1s>>>);
static_assert(
    is_one_byte<
        anew::strategy<anew::testing::least_backoff, anew::testing::least_jitter, anew::testing::least_quota,
                       anew::testing::least_classifier, anew::testing::least_max_attempts, anew::testing::least_hint,
                       anew::testing::least_deadline, anew::testing::least_attempt_timeout,
                       anew::testing::least_observer, anew::testing::least_clock, anew::testing::least_random_source>>);
// Two empty members of one type may not share an address. So every number is of a type of its own by the policy that it
// belongs to, and an empty policy inside another is not stored: equal numbers and equal policies take no room.
static_assert(
    is_one_byte<anew::strategy<anew::exponential_backoff<20s, 20s>, anew::proportional_jitter<anew::rational{1}>,
                               anew::max_attempts<20>, anew::server_hint<anew::long_hint::clamp, 20s>,
                               anew::deadline<20s, anew::at_deadline::clamp, 1s>, anew::attempt_timeout<20s>,
                               anew::reset_after<20s>>>);
static_assert(
    is_one_byte<anew::strategy<
        anew::linear_backoff<20s, 20s>, anew::scaled_jitter<anew::rational{1}, anew::rational{1}>,
        anew::max_attempts<1>, anew::jittered_hint<anew::rational{1}, anew::clamped_hint<20s>>,
        anew::poll_deadline<20s, 20s>, anew::attempt_timeout_share<anew::rational{1}>, anew::reset_after<20s>>>);
static_assert(is_one_byte<anew::strategy<anew::fibonacci_backoff<20s, 20s>, anew::pushback_hint<20s>,
                                         anew::deadline<20s>, anew::unbounded, anew::attempt_timeout<20s>>>);

using half = anew::raised_cap_backoff<anew::exponential_backoff<20s, 20s>, anew::rational{1, 2}>;
static_assert(is_one_byte<anew::strategy<half, anew::proportional_jitter<anew::rational{1, 2}>>>);
template <class B>
inline constexpr bool takes_no_room_around_two =
    is_one_byte<anew::sum_backoff<B, B>> && is_one_byte<anew::phased_backoff<anew::for_first<3, B>, B>> &&
    is_one_byte<anew::sum_backoff<anew::at_least_backoff<B, 20s>, anew::at_least_backoff<B, 20s>>> &&
    is_one_byte<anew::phased_backoff<anew::for_first<3, B>, anew::for_first<3, B>, anew::immediate_first<B>>>;
static_assert(takes_no_room_around_two<anew::constant_backoff<20s>> && takes_no_room_around_two<half> &&
              takes_no_room_around_two<anew::exponential_backoff<20s, 20s>>);
static_assert(is_one_byte<anew::strategy<anew::sum_backoff<half, half>, anew::deadline<20s>, anew::unbounded>>);

using busy = anew::retry_if<predicate>;
static_assert(is_one_byte<anew::any_of<anew::not_<busy>, busy>> &&
              is_one_byte<anew::any_of<busy, anew::idempotent_only<busy>>> &&
              is_one_byte<anew::any_of<anew::not_<anew::retry_if<predicate, int>>, busy>> &&
              is_one_byte<anew::first_of<anew::caused_by<busy>, anew::not_<anew::not_<busy>>, busy>> &&
              is_one_byte<anew::idempotent_only<anew::idempotent_only<busy>>>);
static_assert(is_one_byte<anew::fan_out<anew::testing::least_observer, anew::testing::least_observer>>);

// A gate has state; the backoff in it may be the strategy's own.
static_assert(
    sizeof(anew::cool_down<anew::exponential_backoff<20s, 20s>>) == sizeof(anew::cool_down<>) &&
    sizeof(anew::strategy<anew::exponential_backoff<20s, 20s>, anew::cool_down<anew::exponential_backoff<20s, 20s>>>) ==
        sizeof(anew::cool_down<>));
static_assert(sizeof(anew::strategy<anew::circuit_breaker<20, 20s, 20>, anew::max_attempts<20>, anew::deadline<20s>>) ==
              sizeof(anew::circuit_breaker<>));
static_assert(sizeof(anew::strategy<anew::refilling_bucket<20, 20s>, anew::max_attempts<20>, anew::deadline<20s>>) ==
              sizeof(anew::refilling_bucket<20, 20s>));

// A bucket is all that a strategy with one consists of.
static_assert(sizeof(anew::strategy<anew::token_bucket<>>) == 4);
static_assert(sizeof(anew::strategy<anew::token_bucket<50>, anew::max_attempts<5>>) == 4);

template <class... Policies>
using token = typename anew::strategy<Policies...>::token_type;

static_assert(sizeof(token<>) == 16);
static_assert(sizeof(token<anew::token_bucket<>>) == 24);
static_assert(sizeof(token<anew::token_bucket<>, anew::decorrelated_jitter>) == 32);
static_assert(sizeof(token<anew::token_bucket<>, anew::deadline<1s>, anew::unbounded>) == 32);
static_assert(sizeof(token<anew::deadline<1s>, anew::unbounded>) == 24);
static_assert(sizeof(token<anew::attempt_timeout<1s>>) == 16);  // a limit is of the attempt, not of the call

static_assert(std::is_nothrow_move_constructible_v<token<anew::token_bucket<>>>);
static_assert(std::is_nothrow_move_assignable_v<token<anew::token_bucket<>>>);
static_assert(!std::is_copy_constructible_v<token<>> && !std::is_copy_assignable_v<token<>>);
static_assert(!std::is_copy_constructible_v<token<anew::token_bucket<>>>);
// Nobody but a strategy makes one.
static_assert(!std::is_default_constructible_v<token<>> &&
              !std::is_default_constructible_v<token<anew::token_bucket<>>>);

// A bucket is one budget: it moves, it is not copied, and neither is a strategy with one.
static_assert(std::is_nothrow_move_constructible_v<anew::token_bucket<>>);
static_assert(!std::is_copy_constructible_v<anew::token_bucket<>> && !std::is_copy_assignable_v<anew::token_bucket<>>);
static_assert(!std::is_move_assignable_v<anew::token_bucket<>>);
static_assert(!std::is_copy_constructible_v<anew::strategy<anew::token_bucket<>>>);
static_assert(std::is_move_constructible_v<anew::strategy<anew::token_bucket<>>>);
static_assert(std::is_copy_constructible_v<anew::strategy<>>);

// What needs values is not made without them, and what has its values takes none.
static_assert(!std::is_default_constructible_v<decltype(anew::exponential_backoff{1s, 2s})>);
static_assert(!std::is_default_constructible_v<decltype(anew::constant_backoff{1s})>);
static_assert(!std::is_default_constructible_v<decltype(anew::max_attempts{3})>);
static_assert(!std::is_default_constructible_v<decltype(anew::token_bucket{30})>);
static_assert(!std::is_default_constructible_v<decltype(anew::deadline{3s})>);
static_assert(!std::is_default_constructible_v<decltype(anew::server_hint{anew::long_hint::stop})>);
static_assert(!std::is_default_constructible_v<decltype(anew::compose(anew::max_attempts{3}))>);
static_assert(std::is_default_constructible_v<anew::strategy<anew::max_attempts<3>>>);
static_assert(!std::is_constructible_v<anew::max_attempts<3>, int>);
static_assert(!std::is_constructible_v<anew::token_bucket<30>, int>);
static_assert(!std::is_constructible_v<anew::constant_backoff<3s>, std::chrono::seconds>);
// A number without a unit is no duration, and one with a fraction no number of attempts.
static_assert(!std::is_constructible_v<anew::constant_backoff<anew::run_time>, int>);
static_assert(!std::is_constructible_v<anew::max_attempts<anew::run_time_count>, double>);

// What units of different versions share keeps its layout as long as it keeps its name: a change takes the next number.
namespace shared = anew_process;
static_assert(std::is_same_v<decltype(shared::test_mode_1), std::uint32_t>);
static_assert(std::is_same_v<decltype(shared::seed_1), std::uint64_t>);
static_assert(std::is_same_v<decltype(shared::streams_1), std::uint64_t>);
static_assert(std::is_same_v<decltype(shared::entropy_requests_1), std::uint64_t>);
static_assert(std::is_same_v<decltype(shared::fork_generation_1), std::uint32_t>);
static_assert(std::is_same_v<decltype(shared::innermost_scope_1), shared::nesting_scope_1 const*>);
static_assert(std::is_same_v<decltype(shared::retries_above_1), std::uint32_t>);
static_assert(offsetof(shared::failure_1, hint) == 0 && sizeof(shared::failure_1::hint) == 8);
static_assert(offsetof(shared::failure_1, kind) == 8 && offsetof(shared::failure_1, safety) == 9);
static_assert(offsetof(shared::failure_1, has_hint) == 10 && sizeof(shared::failure_1::has_hint) == 1);
static_assert(offsetof(shared::lent_quota_1, quota) == 0);
static_assert(offsetof(shared::lent_quota_1, try_acquire) == sizeof(void*));
static_assert(offsetof(shared::lent_quota_1, settle) == 2 * sizeof(void*));
static_assert(offsetof(shared::nesting_scope_1, outer) == 0 &&
              offsetof(shared::nesting_scope_1, pays) == sizeof(void*));
// And so do the numbers that stand for a kind of error, for its safety, and for what becomes of a permit.
using anew::error_kind;
using anew::retry_safety;
template <class... Enums>
constexpr bool count_from_zero(Enums... in_order) {
  int next = 0;
  return ((static_cast<int>(in_order) == next++) && ...);
}
static_assert(count_from_zero(error_kind::transient, error_kind::throttling, error_kind::timeout, error_kind::server,
                              error_kind::client));
static_assert(count_from_zero(retry_safety::no, retry_safety::maybe, retry_safety::yes));
static_assert(count_from_zero(anew::detail::settled_by_success, anew::detail::settled_by_failure,
                              anew::detail::settled_by_release));

}  // namespace
