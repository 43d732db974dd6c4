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

using namespace anew;
using namespace anew::testing;
using namespace std::chrono_literals;

template <class... Ts>
inline constexpr bool all_empty = (std::is_empty_v<Ts> && ...);

using predicate = decltype([](int value) { return value == 0; });

static_assert(all_empty<no_backoff, constant_backoff<5ms>, exponential_backoff<>, exponential_backoff<20s, 20s>,
                        exponential_backoff<3s, 60s, rational{3, 2}>>);
static_assert(all_empty<no_jitter, full_jitter, equal_jitter, decorrelated_jitter>);
static_assert(all_empty<unlimited_quota, max_attempts<3>, unbounded>);
static_assert(all_empty<retry_info_classifier, retry_all, retry_if<predicate>, retry_on<std::runtime_error>,
                        http_status_classifier<503>>);
static_assert(
    all_empty<server_hint<>, server_hint<long_hint::clamp, 5s>, deadline<5s>, deadline<5s, at_deadline::clamp, 1s>>);
static_assert(all_empty<std_clock<std::chrono::steady_clock>, thread_random>);

// Values that are known at run time take the room of the values.
static_assert(sizeof(decltype(constant_backoff{1s})) == 8);
static_assert(sizeof(decltype(exponential_backoff{1s, 2s})) == 16);
static_assert(sizeof(decltype(exponential_backoff{1s, 2s, rational{3, 2}})) == 24);
static_assert(sizeof(decltype(max_attempts{3})) == 4);
static_assert(sizeof(decltype(server_hint{long_hint::stop, 1s})) == 16);
static_assert(sizeof(decltype(deadline{1s})) <= 24 && sizeof(decltype(attempt_timeout{1s})) == 8);
static_assert(sizeof(token_bucket<>) == 4 && sizeof(decltype(token_bucket{50})) == 44);

template <class T>
inline constexpr bool is_one_byte = sizeof(T) == 1 && std::is_empty_v<T>;

static_assert(is_one_byte<strategy<>> && is_one_byte<never>);
static_assert(is_one_byte<strategy<constant_backoff<5ms>, decorrelated_jitter, unbounded, retry_if<predicate>,
                                   server_hint<long_hint::clamp, 9s>, deadline<10s, at_deadline::clamp, 1s>>>);
static_assert(
    is_one_byte<strategy<least_backoff, least_jitter, least_quota, least_classifier, least_max_attempts, least_hint,
                         least_deadline, least_attempt_timeout, least_observer, least_clock, least_random_source>>);
// Two empty members of one type may not share an address. So every number is of a type of its own by the policy that it
// belongs to, and an empty policy inside another is not stored: equal numbers and equal policies take no room.
static_assert(is_one_byte<strategy<exponential_backoff<20s, 20s>, proportional_jitter<rational{1}>, max_attempts<20>,
                                   server_hint<long_hint::clamp, 20s>, deadline<20s, at_deadline::clamp, 1s>,
                                   attempt_timeout<20s>, reset_after<20s>>>);
static_assert(is_one_byte<strategy<linear_backoff<20s, 20s>, scaled_jitter<rational{1}, rational{1}>, max_attempts<1>,
                                   jittered_hint<rational{1}, clamped_hint<20s>>, poll_deadline<20s, 20s>,
                                   attempt_timeout_share<rational{1}>, reset_after<20s>>>);
static_assert(is_one_byte<strategy<fibonacci_backoff<20s, 20s>, pushback_hint<20s>, deadline<20s>, unbounded,
                                   attempt_timeout<20s>>>);

using half = raised_cap_backoff<exponential_backoff<20s, 20s>, rational{1, 2}>;
static_assert(is_one_byte<strategy<half, proportional_jitter<rational{1, 2}>>>);
template <class B>
inline constexpr bool takes_no_room_around_two =
    is_one_byte<sum_backoff<B, B>> && is_one_byte<phased_backoff<for_first<3, B>, B>> &&
    is_one_byte<sum_backoff<at_least_backoff<B, 20s>, at_least_backoff<B, 20s>>> &&
    is_one_byte<phased_backoff<for_first<3, B>, for_first<3, B>, immediate_first<B>>>;
static_assert(takes_no_room_around_two<constant_backoff<20s>> && takes_no_room_around_two<half> &&
              takes_no_room_around_two<exponential_backoff<20s, 20s>>);
static_assert(is_one_byte<strategy<sum_backoff<half, half>, deadline<20s>, unbounded>>);

using busy = retry_if<predicate>;
static_assert(is_one_byte<any_of<not_<busy>, busy>> && is_one_byte<any_of<busy, idempotent_only<busy>>> &&
              is_one_byte<any_of<not_<retry_if<predicate, int>>, busy>> &&
              is_one_byte<first_of<caused_by<busy>, not_<not_<busy>>, busy>> &&
              is_one_byte<idempotent_only<idempotent_only<busy>>>);
static_assert(is_one_byte<fan_out<least_observer, least_observer>>);

// A gate has state; the backoff in it may be the strategy's own.
static_assert(sizeof(cool_down<exponential_backoff<20s, 20s>>) == sizeof(cool_down<>) &&
              sizeof(strategy<exponential_backoff<20s, 20s>, cool_down<exponential_backoff<20s, 20s>>>) ==
                  sizeof(cool_down<>));
static_assert(sizeof(strategy<circuit_breaker<20, 20s, 20>, max_attempts<20>, deadline<20s>>) ==
              sizeof(circuit_breaker<>));
static_assert(sizeof(strategy<refilling_bucket<20, 20s>, max_attempts<20>, deadline<20s>>) ==
              sizeof(refilling_bucket<20, 20s>));

// A bucket is all that a strategy with one consists of.
static_assert(sizeof(strategy<token_bucket<>>) == 4);
static_assert(sizeof(strategy<token_bucket<50>, max_attempts<5>>) == 4);

template <class... Policies>
using token = typename strategy<Policies...>::token_type;

static_assert(sizeof(token<>) == 16);
static_assert(sizeof(token<token_bucket<>>) == 24);
static_assert(sizeof(token<token_bucket<>, decorrelated_jitter>) == 32);
static_assert(sizeof(token<token_bucket<>, deadline<1s>, unbounded>) == 32);
static_assert(sizeof(token<deadline<1s>, unbounded>) == 24);
static_assert(sizeof(token<attempt_timeout<1s>>) == 16);  // a limit is of the attempt, not of the call

static_assert(std::is_nothrow_move_constructible_v<token<token_bucket<>>>);
static_assert(std::is_nothrow_move_assignable_v<token<token_bucket<>>>);
static_assert(!std::is_copy_constructible_v<token<>> && !std::is_copy_assignable_v<token<>>);
static_assert(!std::is_copy_constructible_v<token<token_bucket<>>>);
// Nobody but a strategy makes one.
static_assert(!std::is_default_constructible_v<token<>> && !std::is_default_constructible_v<token<token_bucket<>>>);

// A bucket is one budget: it moves, it is not copied, and neither is a strategy with one.
static_assert(std::is_nothrow_move_constructible_v<token_bucket<>>);
static_assert(!std::is_copy_constructible_v<token_bucket<>> && !std::is_copy_assignable_v<token_bucket<>>);
static_assert(!std::is_move_assignable_v<token_bucket<>>);

// What needs values is not made without them, and what has its values takes none.
static_assert(!std::is_default_constructible_v<decltype(exponential_backoff{1s, 2s})>);
static_assert(!std::is_default_constructible_v<decltype(token_bucket{30})>);
static_assert(!std::is_default_constructible_v<decltype(server_hint{long_hint::stop})>);
static_assert(!std::is_default_constructible_v<decltype(compose(max_attempts{3}))>);
static_assert(std::is_default_constructible_v<strategy<max_attempts<3>>>);
static_assert(!std::is_constructible_v<max_attempts<3>, int>);
static_assert(!std::is_constructible_v<token_bucket<30>, int>);
static_assert(!std::is_constructible_v<constant_backoff<3s>, std::chrono::seconds>);
// A number without a unit is no duration, and one with a fraction no number of attempts.
static_assert(!std::is_constructible_v<constant_backoff<run_time>, int>);
static_assert(!std::is_constructible_v<max_attempts<run_time_count>, double>);

// What units of different versions share keeps its layout as long as it keeps its name: a change takes the next number.
namespace shared = anew_process;
static_assert(std::is_same_v<decltype(shared::test_mode_1), std::uint32_t>);
static_assert(std::is_same_v<decltype(shared::seed_1), std::uint64_t>);
static_assert(std::is_same_v<decltype(shared::streams_1), std::uint64_t>);
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
template <class... Enums>
constexpr bool count_from_zero(Enums... in_order) {
  int next = 0;
  return ((static_cast<int>(in_order) == next++) && ...);
}
static_assert(count_from_zero(error_kind::transient, error_kind::throttling, error_kind::timeout, error_kind::server,
                              error_kind::client));
static_assert(count_from_zero(retry_safety::no, retry_safety::maybe, retry_safety::yes));
static_assert(count_from_zero(detail::settled_by_success, detail::settled_by_failure, detail::settled_by_release));

}  // namespace
