// SPDX-License-Identifier: BSL-1.0
// A call with a strategy, a token or an outcome finds the functions of anew and its user's own, and none of the details:
// two functions called `draw` or `call` would be ambiguous, or worse, an error inside ours.
#include <chrono>

#include "anew/anew.hpp"
#include "anew/policies.hpp"
#include "anew/poll.hpp"
#include "anew/virtual.hpp"

namespace anew::detail {
template <class T>
void one_of_the_details(T const&) {}
}  // namespace anew::detail

namespace anew {
template <class T>
void one_of_the_public(T const&) {}
}  // namespace anew

namespace {

using namespace std::chrono_literals;

template <class T>
concept FindsDetails = requires(T const& value) { one_of_the_details(value); };
template <class T>
concept FindsThePublic = requires(T const& value) { one_of_the_public(value); };

template <class... Ts>
inline constexpr bool all_are_clean = ((FindsThePublic<Ts> && !FindsDetails<Ts>) && ...);

using short_one = anew::strategy<anew::exponential_backoff<5ms, 250ms>>;
using long_one =
    anew::strategy<anew::equal_jitter, anew::token_bucket<50>, anew::max_attempts<4>, anew::circuit_breaker<5, 1s>,
                   anew::history<3>, anew::nesting_guard<>, anew::deadline<10s>>;

static_assert(all_are_clean<anew::strategy<>, short_one, long_one,
                            anew::strategy<anew::shared<anew::token_bucket<50>>, anew::equal_jitter>,
                            anew::strategy<anew::long_poll<anew::token_bucket<50>>>,
                            anew::strategy<anew::retry_on<int>, anew::exponential_backoff<>, anew::server_hint<>>,
                            short_one::token_type, long_one::token_type, anew::outcome<int>, anew::poll_outcome<int>,
                            anew::attempt, anew::strategy_view, anew::virtual_strategy<short_one>>);

}  // namespace
