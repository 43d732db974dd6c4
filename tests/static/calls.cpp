// SPDX-License-Identifier: BSL-1.0
// Overloads that explain a wrong call win no right one: functions, references and pointers to them, const and not, in every
// form of the call; and a strategy is copied, moved and passed as before.
#include <type_traits>
#include <utility>

#include "anew/anew.hpp"
#include "anew/policies.hpp"

namespace {

using namespace std::chrono_literals;

struct stop {
  [[nodiscard]] static bool stop_requested() noexcept { return false; }
  [[nodiscard]] static bool stop_possible() noexcept { return false; }
};

using patient = anew::strategy<anew::retry_all>;

/// No call is compiled further than to its result, which says that the right overload wins: the others explain a mistake.
template <class... Args>
constexpr bool is_right = std::is_same_v<decltype(anew::retry(std::declval<Args>()...)), bool>;

template <class Op>
constexpr bool every_form() {
  using pause = decltype([](anew::duration) {});
  using sleeper = void(anew::duration);
  return is_right<patient&, Op> && is_right<patient, Op> && is_right<patient const&, Op, sleeper&> &&
         is_right<patient&, Op, pause&> && is_right<patient&, Op, pause const&> && is_right<patient&, Op, sleeper*> &&
         is_right<patient&, Op, stop&> && is_right<patient&, Op, stop const&> && is_right<patient&, Op, stop> &&
         is_right<patient&, Op, pause&, stop&> && is_right<patient&, Op, sleeper&, stop const&> &&
         std::is_same_v<decltype(anew::retry<patient>(std::declval<patient&>(), std::declval<Op>())), bool> &&
         std::is_same_v<decltype(anew::retry_outcome(std::declval<patient&>(), std::declval<Op>()).succeeded()), bool>;
}
using pointer = bool (*)();
using lambda = decltype([] { return true; });
static_assert(every_form<bool (&)()>());
static_assert(every_form<bool (&)(anew::attempt&)>());
static_assert(every_form<pointer>());
static_assert(every_form<pointer&>());
static_assert(every_form<pointer const&>());
static_assert(every_form<lambda const&>());

// One of each is compiled as a whole.
bool ask() { return true; }
bool ask_with(anew::attempt& self) { return self.number() > 0; }
bool ask_often() { return true; }
[[maybe_unused]] bool ask_often(anew::attempt& self) { return self.number() > 0; }
void sleep(anew::duration /*delay*/) {}

[[maybe_unused]] bool some_calls() {
  patient strategy;
  auto const firm = [] { return true; };
  return anew::retry(strategy, ask) && anew::retry(patient{}, ask_with, sleep) && anew::retry(strategy, firm, stop{}) &&
         anew::retry(std::as_const(strategy), static_cast<bool (&)()>(ask_often), &sleep, stop{});
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

// An operation that returns nothing cannot fail where there are no exceptions, and a call of it is refused there.
using anew::detail::classifier_reads_the_errors_of;
static_assert(classifier_reads_the_errors_of<anew::retry_all, void> == (ANEW_EXCEPTIONS == 1));
static_assert(classifier_reads_the_errors_of<anew::retry_on<int>, void> == (ANEW_EXCEPTIONS == 1));
static_assert(!classifier_reads_the_errors_of<anew::http_status_classifier<>, void>);
static_assert(classifier_reads_the_errors_of<anew::http_status_classifier<>, int>);

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
static_assert(std::is_same_v<anew::poll_deadline<1s>, anew::poll_deadline<1s, 0s>>);

}  // namespace
