// SPDX-License-Identifier: BSL-1.0
// One canonical type for a set of policies, which sets may stand together, and how one policy is replaced.
#include <array>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/anew.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/poll_deadline.hpp"
#include "anew/policies/sharing/borrowed.hpp"
#include "anew/policies/sharing/partitioned.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/testing/archetypes.hpp"

namespace {

using namespace anew;
using namespace anew::testing;
using namespace std::chrono_literals;
using std::is_same_v;

// All 120 orders of five policies.

constexpr std::array<std::size_t, 5> permutation(std::size_t number) {
  std::array<std::size_t, 5> result{0, 1, 2, 3, 4};
  for (std::size_t left = 5; left > 1; --left) {
    std::swap(result[number % left], result[left - 1]);
    number /= left;
  }
  return result;
}

using five = std::tuple<exponential_backoff<5ms, 250ms>, equal_jitter, token_bucket<50>, retry_all, max_attempts<4>>;

template <std::size_t Number, class = std::make_index_sequence<5>>
struct in_order;
template <std::size_t Number, std::size_t... I>
struct in_order<Number, std::index_sequence<I...>> {
  using type = strategy<std::tuple_element_t<permutation(Number)[I], five>...>;
};

template <std::size_t... Numbers>
constexpr bool all_orders_are_one_type(std::index_sequence<Numbers...> /*numbers*/) {
  return (is_same_v<typename in_order<Numbers>::type, typename in_order<0>::type> && ...);
}
constexpr bool permutations_differ() {
  bool seen[5 * 5 * 5 * 5 * 5] = {};
  for (std::size_t number = 0; number < 120; ++number) {
    std::size_t code = 0;
    for (std::size_t const digit : permutation(number)) code = code * 5 + digit;
    if (seen[code]) return false;
    seen[code] = true;
  }
  return true;
}
static_assert(permutations_differ());
static_assert(all_orders_are_one_type(std::make_index_sequence<120>{}));

using canonical = in_order<0>::type;
static_assert(is_same_v<canonical::backoff_type, exponential_backoff<5ms, 250ms>>);
static_assert(is_same_v<canonical::jitter_type, equal_jitter>);
static_assert(is_same_v<canonical::quota_type, token_bucket<50>>);
static_assert(is_same_v<canonical::classifier_type, retry_all>);
static_assert(is_same_v<canonical::max_attempts_type, max_attempts<4>>);
static_assert(!canonical::has_deadline && !canonical::has_observer);

// What is absent plays its default, and naming the default changes nothing.

static_assert(is_same_v<strategy<>, strategy<exponential_backoff<50ms, 20s>>>);
static_assert(is_same_v<strategy<>, strategy<full_jitter, unlimited_quota, server_hint<>>>);
static_assert(is_same_v<strategy<>, strategy<retry_info_classifier, max_attempts<3>>>);
static_assert(!is_same_v<strategy<>, strategy<max_attempts<4>>>);
static_assert(is_same_v<strategy<constant_backoff<1000ms>>, strategy<constant_backoff<1s>>>);
static_assert(strategy<deadline<1s>, unbounded>::has_deadline);
static_assert(strategy<least_observer>::has_observer);
static_assert(strategy<least_attempt_timeout>::has_attempt_timeout && !strategy<>::has_attempt_timeout);

// with<>

using fast = strategy<constant_backoff<1ms>, no_jitter, max_attempts<5>>;
static_assert(is_same_v<with<fast, max_attempts<8>>, strategy<constant_backoff<1ms>, no_jitter, max_attempts<8>>>);
static_assert(is_same_v<with<fast, full_jitter, no_backoff>, strategy<no_backoff, full_jitter, max_attempts<5>>>);
static_assert(is_same_v<with<fast, no_backoff, full_jitter>, with<fast, full_jitter, no_backoff>>);
static_assert(is_same_v<with<fast>, fast> && is_same_v<with<fast, max_attempts<5>>, fast>);
static_assert(is_same_v<with<with<fast, no_backoff>, constant_backoff<1ms>>, fast>);
// The limit of attempts that a deadline needs is there already.
static_assert(
    is_same_v<with<fast, deadline<1s>>, strategy<constant_backoff<1ms>, no_jitter, max_attempts<5>, deadline<1s>>>);

// compose() is of the same types.

static_assert(is_same_v<decltype(compose(no_jitter{}, no_backoff{})), strategy<no_backoff, no_jitter>>);
static_assert(is_same_v<decltype(compose(max_attempts{3})), strategy<max_attempts<run_time_count>>>);

// Which sets may stand together.

static_assert(Composable<> && Composable<no_backoff> && Composable<deadline<1s>, unbounded>);
static_assert(Composable<deadline<1s>, max_attempts<3>>);
static_assert(!Composable<deadline<1s>>);                               // and how many attempts?
static_assert(!Composable<no_backoff, constant_backoff<1s>>);           // two of a role
static_assert(!Composable<no_backoff, no_backoff>);                     // even of one type
static_assert(!Composable<int> && !Composable<no_backoff, int>);        // no policy
static_assert(!Composable<void> && !Composable<no_backoff const&>);     // no plain type
static_assert(!Composable<strategy<>> && !Composable<roles::backoff>);  // no policies either
struct unknown_role {
  using role = int;
};
struct role_without_shape {
  using role = roles::backoff;
};
static_assert(!Composable<unknown_role> && !Composable<role_without_shape>);
static_assert(!Composable<std_clock<std::chrono::system_clock>>);
/// Runs on while the machine sleeps, say.
struct boot_clock {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<boot_clock, duration>;
  static constexpr bool is_steady = true;
  static time_point now() noexcept { return time_point{}; }
};
static_assert(Composable<std_clock<boot_clock>> && Composable<std_clock<std::chrono::steady_clock>>);

// Numbers that make no sense; more of them are in numbers.test.cpp.

static_assert(!Composable<token_bucket<13>> && Composable<token_bucket<14>>);
static_assert(!Composable<shared<token_bucket<13>>> && !Composable<borrowed<token_bucket<13>>>);
static_assert(!Composable<leased<token_bucket<13>>>);
static_assert(Composable<token_bucket<500, retry_costs{.throttling = 0}>>);
template <int>
struct exception {};
static_assert(Composable<retry_on<exception<1>>> && !Composable<retry_on<>>);
static_assert(!Composable<retry_on<exception<1>, exception<2>, exception<3>, exception<4>, exception<5>, exception<6>,
                                   exception<7>, exception<8>, exception<9>>>);
static_assert(Composable<retry_on<std::runtime_error, std::exception>>);
static_assert(!Composable<retry_on<std::exception, std::runtime_error>>);  // the base would catch both
static_assert(!Composable<retry_on<exception<1>, exception<1>>>);

// A user's own policies compose exactly as ours do.

using own = strategy<least_random_source, least_clock, least_history, least_observer, least_nesting, least_reset,
                     least_pacer, least_gate, least_attempt_timeout, least_deadline, least_hint, least_max_attempts,
                     least_classifier, least_quota, least_jitter, least_backoff>;
static_assert(RetryStrategy<own>);
// The concept believes what is composed, and asks what derives from it.
template <class S>
struct asked_in_full : S {};
static_assert(RetryStrategy<asked_in_full<own>>);
static_assert(
    is_same_v<own,
              basic_strategy<least_backoff, least_jitter, least_quota, least_classifier, least_max_attempts, least_hint,
                             least_deadline, least_attempt_timeout, least_gate, least_pacer, least_reset, least_nesting,
                             least_observer, least_history, least_clock, least_random_source>>);
static_assert(is_same_v<strategy<least_remembering_jitter>::jitter_state_type, duration>);

// A strategy is made of nothing only when each of its policies is.
template <class Policy>
struct needs_a_value : Policy {
  explicit needs_a_value(int /*value*/) {}
};
template <class... Policies>
inline constexpr bool each_needs_its_value =
    (!std::is_default_constructible_v<strategy<needs_a_value<Policies>, unbounded>> && ...);
static_assert(std::is_default_constructible_v<own>);
static_assert(each_needs_its_value<least_backoff, least_jitter, least_quota, least_classifier, least_hint,
                                   least_deadline, least_attempt_timeout, least_gate, least_pacer, least_reset,
                                   least_nesting, least_observer, least_history, least_clock, least_random_source>);
static_assert(!std::is_default_constructible_v<strategy<needs_a_value<least_max_attempts>>>);
// And of values only when each is a policy.
static_assert(std::is_constructible_v<strategy<>, full_jitter>);
static_assert(!std::is_constructible_v<strategy<>, full_jitter, int>);
static_assert(!std::is_constructible_v<strategy<>, int>);
template <class... Policies>
inline constexpr bool each_composes_alone = (RetryStrategy<asked_in_full<strategy<Policies>>> && ...);
static_assert(each_composes_alone<least_backoff, least_jitter, least_remembering_jitter, least_quota, least_classifier,
                                  least_max_attempts, least_hint, least_attempt_timeout, least_observer, least_clock,
                                  least_random_source>);

// A share of a deadline comes with one, whoever has the deadline, and in whatever order.

using half_of_the_rest = attempt_timeout_share<rational{1, 2}>;
using chosen_share = decltype(attempt_timeout_share{rational{1, 2}});

static_assert(AttemptTimeout<half_of_the_rest> && AttemptTimeout<chosen_share>);
static_assert(std::is_empty_v<half_of_the_rest> && sizeof(chosen_share) == 8);
static_assert(is_same_v<half_of_the_rest, attempt_timeout_share<rational{50, 100}>>);

static_assert(!Composable<half_of_the_rest> && !Composable<chosen_share> && !Composable<half_of_the_rest, unbounded>);
static_assert(Composable<half_of_the_rest, deadline<1s>, unbounded> &&
              Composable<unbounded, deadline<1s>, half_of_the_rest>);
static_assert(Composable<half_of_the_rest, poll_deadline<1s>, unbounded>);
static_assert(!Composable<half_of_the_rest, deadline<1s>>);                    // and how many attempts?
static_assert(!Composable<half_of_the_rest, half_of_the_rest, deadline<1s>>);  // two of a role
static_assert(!Composable<half_of_the_rest, roles::absent<roles::deadline>, unbounded>);

using with_deadline = strategy<deadline<1s>, unbounded>;
static_assert(is_same_v<with<with_deadline, half_of_the_rest>, strategy<half_of_the_rest, deadline<1s>, unbounded>>);
static_assert(is_same_v<with<strategy<>, half_of_the_rest, deadline<1s>, unbounded>,
                        strategy<half_of_the_rest, deadline<1s>, unbounded>>);
static_assert(is_same_v<with<with<with_deadline, half_of_the_rest>, deadline<2s>>,
                        strategy<half_of_the_rest, deadline<2s>, unbounded>>);

/// A limit of one's own may say that it needs a deadline too, or that it does not.
struct share_of_ones_own {
  using role = roles::attempt_timeout;
  static constexpr bool needs_deadline = true;
  [[nodiscard]] static duration of(duration remaining) { return remaining; }
};
struct share_without_need : share_of_ones_own {
  static constexpr bool needs_deadline = false;
};
static_assert(!Composable<share_of_ones_own> && Composable<share_of_ones_own, deadline<1s>, unbounded>);
static_assert(Composable<share_without_need>);

}  // namespace
