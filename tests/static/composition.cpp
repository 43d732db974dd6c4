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

using namespace std::chrono_literals;
using anew::Composable;
using anew::strategy;
using anew::with;
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

using five = std::tuple<anew::exponential_backoff<5ms, 250ms>, anew::equal_jitter, anew::token_bucket<50>,
                        anew::retry_all, anew::max_attempts<4>>;

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
static_assert(is_same_v<canonical::backoff_type, anew::exponential_backoff<5ms, 250ms>>);
static_assert(is_same_v<canonical::jitter_type, anew::equal_jitter>);
static_assert(is_same_v<canonical::quota_type, anew::token_bucket<50>>);
static_assert(is_same_v<canonical::classifier_type, anew::retry_all>);
static_assert(is_same_v<canonical::max_attempts_type, anew::max_attempts<4>>);
static_assert(!canonical::has_deadline && !canonical::has_observer);

// What is absent plays its default, and naming the default changes nothing.

static_assert(is_same_v<strategy<>, strategy<anew::exponential_backoff<50ms, 20s>>>);
static_assert(is_same_v<strategy<>, strategy<anew::full_jitter, anew::unlimited_quota, anew::server_hint<>>>);
static_assert(is_same_v<strategy<>, strategy<anew::retry_info_classifier, anew::max_attempts<3>>>);
static_assert(!is_same_v<strategy<>, strategy<anew::max_attempts<4>>>);
static_assert(is_same_v<strategy<anew::constant_backoff<1000ms>>, strategy<anew::constant_backoff<1s>>>);
static_assert(strategy<anew::deadline<1s>, anew::unbounded>::has_deadline);
static_assert(strategy<anew::testing::least_observer>::has_observer);
static_assert(strategy<anew::testing::least_attempt_timeout>::has_attempt_timeout && !strategy<>::has_attempt_timeout);

// with<>

using fast = strategy<anew::constant_backoff<1ms>, anew::no_jitter, anew::max_attempts<5>>;
static_assert(is_same_v<with<fast, anew::max_attempts<8>>,
                        strategy<anew::constant_backoff<1ms>, anew::no_jitter, anew::max_attempts<8>>>);
static_assert(is_same_v<with<fast, anew::full_jitter, anew::no_backoff>,
                        strategy<anew::no_backoff, anew::full_jitter, anew::max_attempts<5>>>);
static_assert(
    is_same_v<with<fast, anew::no_backoff, anew::full_jitter>, with<fast, anew::full_jitter, anew::no_backoff>>);
static_assert(is_same_v<with<fast>, fast> && is_same_v<with<fast, anew::max_attempts<5>>, fast>);
static_assert(is_same_v<with<with<fast, anew::no_backoff>, anew::constant_backoff<1ms>>, fast>);
// The limit of attempts that a deadline needs is there already.
static_assert(
    is_same_v<with<fast, anew::deadline<1s>>,
              strategy<anew::constant_backoff<1ms>, anew::no_jitter, anew::max_attempts<5>, anew::deadline<1s>>>);

// compose() is of the same types.

static_assert(is_same_v<decltype(anew::compose(anew::no_jitter{}, anew::no_backoff{})),
                        strategy<anew::no_backoff, anew::no_jitter>>);
static_assert(
    is_same_v<decltype(anew::compose(anew::max_attempts{3})), strategy<anew::max_attempts<anew::run_time_count>>>);

// Which sets may stand together.

static_assert(Composable<> && Composable<anew::no_backoff> && Composable<anew::deadline<1s>, anew::unbounded>);
static_assert(Composable<anew::deadline<1s>, anew::max_attempts<3>>);
static_assert(!Composable<anew::deadline<1s>>);                               // and how many attempts?
static_assert(!Composable<anew::no_backoff, anew::constant_backoff<1s>>);     // two of a role
static_assert(!Composable<anew::no_backoff, anew::no_backoff>);               // even of one type
static_assert(!Composable<int> && !Composable<anew::no_backoff, int>);        // no policy
static_assert(!Composable<void> && !Composable<anew::no_backoff const&>);     // no plain type
static_assert(!Composable<strategy<>> && !Composable<anew::roles::backoff>);  // no policies either
struct unknown_role {
  using role = int;
};
struct role_without_shape {
  using role = anew::roles::backoff;
};
static_assert(!Composable<unknown_role> && !Composable<role_without_shape>);
static_assert(!Composable<anew::std_clock<std::chrono::system_clock>>);
/// Runs on while the machine sleeps, say.
struct boot_clock {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<boot_clock, duration>;
  static constexpr bool is_steady = true;
  static time_point now() noexcept { return time_point{}; }
};
static_assert(Composable<anew::std_clock<boot_clock>> && Composable<anew::std_clock<std::chrono::steady_clock>>);

// Numbers that make no sense; more of them are in numbers.test.cpp.

static_assert(Composable<anew::token_bucket<0>> && Composable<anew::token_bucket<4294967295>>);
static_assert(!Composable<anew::token_bucket<-1>> && !Composable<anew::token_bucket<4294967296>>);
static_assert(!Composable<anew::token_bucket<13>> && Composable<anew::token_bucket<14>>);
static_assert(!Composable<anew::shared<anew::token_bucket<13>>> && !Composable<anew::borrowed<anew::token_bucket<13>>>);
static_assert(!Composable<anew::leased<anew::token_bucket<13>>>);
static_assert(!Composable<anew::token_bucket<500, anew::retry_costs::all(0)>>);
static_assert(Composable<anew::token_bucket<500, anew::retry_costs{.throttling = 0}>>);
template <int>
struct exception {};
static_assert(Composable<anew::retry_on<exception<1>>> && !Composable<anew::retry_on<>>);
static_assert(Composable<anew::retry_on<exception<1>, exception<2>, exception<3>, exception<4>, exception<5>,
                                        exception<6>, exception<7>, exception<8>>>);
static_assert(!Composable<anew::retry_on<exception<1>, exception<2>, exception<3>, exception<4>, exception<5>,
                                         exception<6>, exception<7>, exception<8>, exception<9>>>);
static_assert(Composable<anew::retry_on<std::runtime_error, std::exception>>);
static_assert(!Composable<anew::retry_on<std::exception, std::runtime_error>>);  // the base would catch both
static_assert(!Composable<anew::retry_on<exception<1>, exception<1>>>);

// A user's own policies compose exactly as ours do.

using own = strategy<anew::testing::least_random_source, anew::testing::least_clock, anew::testing::least_history,
                     anew::testing::least_observer, anew::testing::least_nesting, anew::testing::least_reset,
                     anew::testing::least_pacer, anew::testing::least_gate, anew::testing::least_attempt_timeout,
                     anew::testing::least_deadline, anew::testing::least_hint, anew::testing::least_max_attempts,
                     anew::testing::least_classifier, anew::testing::least_quota, anew::testing::least_jitter,
                     anew::testing::least_backoff>;
static_assert(anew::RetryStrategy<own>);
static_assert(
    is_same_v<own, anew::basic_strategy<
                       anew::testing::least_backoff, anew::testing::least_jitter, anew::testing::least_quota,
                       anew::testing::least_classifier, anew::testing::least_max_attempts, anew::testing::least_hint,
                       anew::testing::least_deadline, anew::testing::least_attempt_timeout, anew::testing::least_gate,
                       anew::testing::least_pacer, anew::testing::least_reset, anew::testing::least_nesting,
                       anew::testing::least_observer, anew::testing::least_history, anew::testing::least_clock,
                       anew::testing::least_random_source>>);
static_assert(is_same_v<strategy<anew::testing::least_remembering_jitter>::jitter_state_type, anew::duration>);

// A strategy is made of nothing only when each of its policies is.
template <class Policy>
struct needs_a_value : Policy {
  explicit needs_a_value(int /*value*/) {}
};
template <class... Policies>
inline constexpr bool each_needs_its_value =
    (!std::is_default_constructible_v<strategy<needs_a_value<Policies>, anew::unbounded>> && ...);
static_assert(std::is_default_constructible_v<own>);
static_assert(
    each_needs_its_value<anew::testing::least_backoff, anew::testing::least_jitter, anew::testing::least_quota,
                         anew::testing::least_classifier, anew::testing::least_hint, anew::testing::least_deadline,
                         anew::testing::least_attempt_timeout, anew::testing::least_gate, anew::testing::least_pacer,
                         anew::testing::least_reset, anew::testing::least_nesting, anew::testing::least_observer,
                         anew::testing::least_history, anew::testing::least_clock, anew::testing::least_random_source>);
static_assert(!std::is_default_constructible_v<strategy<needs_a_value<anew::testing::least_max_attempts>>>);
// And of values only when each is a policy.
static_assert(std::is_constructible_v<strategy<>, anew::full_jitter>);
static_assert(!std::is_constructible_v<strategy<>, anew::full_jitter, int>);
static_assert(!std::is_constructible_v<strategy<>, int>);
template <class... Policies>
inline constexpr bool each_composes_alone = (anew::RetryStrategy<strategy<Policies>> && ...);
static_assert(each_composes_alone<
              anew::testing::least_backoff, anew::testing::least_jitter, anew::testing::least_remembering_jitter,
              anew::testing::least_quota, anew::testing::least_classifier, anew::testing::least_max_attempts,
              anew::testing::least_hint, anew::testing::least_attempt_timeout, anew::testing::least_observer,
              anew::testing::least_clock, anew::testing::least_random_source>);

// A share of a deadline comes with one, whoever has the deadline, and in whatever order.

using half_of_the_rest = anew::attempt_timeout_share<anew::rational{1, 2}>;
using chosen_share = decltype(anew::attempt_timeout_share{anew::rational{1, 2}});

static_assert(anew::AttemptTimeout<half_of_the_rest> && anew::AttemptTimeout<chosen_share>);
static_assert(std::is_empty_v<half_of_the_rest> && sizeof(chosen_share) == 8);
static_assert(is_same_v<half_of_the_rest, anew::attempt_timeout_share<anew::rational{50, 100}>>);

static_assert(!Composable<half_of_the_rest> && !Composable<chosen_share> &&
              !Composable<half_of_the_rest, anew::unbounded>);
static_assert(Composable<half_of_the_rest, anew::deadline<1s>, anew::unbounded> &&
              Composable<anew::unbounded, anew::deadline<1s>, half_of_the_rest>);
static_assert(Composable<half_of_the_rest, anew::poll_deadline<1s>, anew::unbounded>);
static_assert(!Composable<half_of_the_rest, anew::deadline<1s>>);                    // and how many attempts?
static_assert(!Composable<half_of_the_rest, half_of_the_rest, anew::deadline<1s>>);  // two of a role
static_assert(!Composable<half_of_the_rest, anew::roles::absent<anew::roles::deadline>, anew::unbounded>);

using with_deadline = strategy<anew::deadline<1s>, anew::unbounded>;
static_assert(
    is_same_v<with<with_deadline, half_of_the_rest>, strategy<half_of_the_rest, anew::deadline<1s>, anew::unbounded>>);
static_assert(is_same_v<with<strategy<>, half_of_the_rest, anew::deadline<1s>, anew::unbounded>,
                        strategy<half_of_the_rest, anew::deadline<1s>, anew::unbounded>>);
static_assert(is_same_v<with<with<with_deadline, half_of_the_rest>, anew::deadline<2s>>,
                        strategy<half_of_the_rest, anew::deadline<2s>, anew::unbounded>>);

/// A limit of one's own may say that it needs a deadline too, or that it does not.
struct share_of_ones_own {
  using role = anew::roles::attempt_timeout;
  static constexpr bool needs_deadline = true;
  [[nodiscard]] static anew::duration of(anew::duration remaining) { return remaining; }
};
struct share_without_need : share_of_ones_own {
  static constexpr bool needs_deadline = false;
};
static_assert(!Composable<share_of_ones_own> && Composable<share_of_ones_own, anew::deadline<1s>, anew::unbounded>);
static_assert(Composable<share_without_need>);

}  // namespace
