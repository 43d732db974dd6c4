// SPDX-License-Identifier: BSL-1.0
// Overloads that explain a wrong call win no right one: functions, references and pointers to them, const and not, in every
// form of the call; and a strategy is copied, moved and passed as before.
#include <type_traits>
#include <utility>

#include "anew/anew.hpp"
#include "anew/policies.hpp"

namespace {

using namespace std::chrono_literals;

bool ask() { return true; }
bool ask_with(anew::attempt& self) { return self.number() > 0; }
bool ask_often() { return true; }
[[maybe_unused]] bool ask_often(anew::attempt& self) { return self.number() > 0; }
void sleep(anew::duration /*delay*/) {}

struct stop {
  [[nodiscard]] static bool stop_requested() noexcept { return false; }
  [[nodiscard]] static bool stop_possible() noexcept { return false; }
};

using patient = anew::strategy<anew::retry_all>;

template <class Op>
[[maybe_unused]] bool call(patient& strategy, Op&& operation) {
  auto pause = [](anew::duration) {};
  auto const firm_pause = pause;
  stop token;
  stop const firm_token;
  bool all = anew::retry(strategy, operation);
  all = anew::retry(patient{}, operation) && all;
  all = anew::retry(std::as_const(strategy), operation, sleep) && all;
  all = anew::retry(strategy, operation, pause) && all;
  all = anew::retry(strategy, operation, firm_pause) && all;
  all = anew::retry(strategy, operation, &sleep) && all;
  all = anew::retry(strategy, operation, token) && all;
  all = anew::retry(strategy, operation, firm_token) && all;
  all = anew::retry(strategy, operation, stop{}) && all;
  all = anew::retry(strategy, operation, pause, token) && all;
  all = anew::retry(strategy, operation, sleep, firm_token) && all;
  all = anew::retry<patient>(strategy, operation) && all;
  return all && anew::retry_outcome(strategy, operation).succeeded();
}

[[maybe_unused]] bool every_call() {
  patient strategy;
  bool (*const pointer)() = ask;
  bool (*loose_pointer)() = ask;
  auto const lambda = [] { return true; };
  return call(strategy, ask) && call(strategy, ask_with) && call(strategy, &ask) && call(strategy, pointer) &&
         call(strategy, loose_pointer) && call(strategy, lambda) &&
         call(strategy, static_cast<bool (&)()>(ask_often)) && call(strategy, +lambda);
}

// A user's own function of the name is preferred to what only explains, whatever it is given of anew's.
namespace mine {
struct context {};
template <class S, class Op>
constexpr int async_retry(context const& /*where*/, S const& /*strategy*/, Op const& /*operation*/) {
  return 1;
}
}  // namespace mine
static_assert(async_retry(mine::context{}, anew::retry_all{}, anew::no_backoff{}) == 1);

template <class S>
inline constexpr bool is_copied = std::is_copy_constructible_v<S> && std::is_copy_assignable_v<S>;
static_assert(is_copied<patient> && std::is_trivially_copyable_v<patient> && std::is_empty_v<patient>);
static_assert(is_copied<anew::strategy<anew::shared<anew::token_bucket<500>>>>);
static_assert(!is_copied<anew::strategy<anew::token_bucket<500>>>);
static_assert(std::is_move_constructible_v<anew::strategy<anew::token_bucket<500>>>);
static_assert(!std::is_move_assignable_v<anew::strategy<anew::token_bucket<500>>>);
static_assert(std::is_nothrow_move_constructible_v<anew::strategy<anew::token_bucket<500>>>);
static_assert(std::is_convertible_v<patient const&, patient>);

// Of a policy that is declared in the core and defined in its header, the defaults are the ones of its table.
static_assert(std::is_same_v<anew::circuit_breaker<>, anew::circuit_breaker<5, 30s, 1>>);
static_assert(std::is_same_v<anew::rate_breaker<>, anew::rate_breaker<50, 10s, 20, 30s, 1>>);
static_assert(std::is_same_v<anew::retry_budget<>, anew::retry_budget<20, 10, 10s>>);
static_assert(std::is_same_v<anew::concurrency_budget<>, anew::concurrency_budget<20, 3>>);
static_assert(std::is_same_v<anew::linear_backoff<50ms, 1s>, anew::linear_backoff<50ms, 1s, 50ms>>);
static_assert(std::is_same_v<anew::max_wait<1s>, anew::max_wait<1s, 0s>>);

}  // namespace
