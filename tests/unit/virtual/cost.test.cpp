// SPDX-License-Identifier: BSL-1.0
// What a call through the virtual interface may not cost: memory from the heap.
#include <chrono>
#include <system_error>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/limits/reset_after.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/poll.hpp"
#include "anew/virtual.hpp"

#include "counted_heap.hpp"
#include "failed_answer.hpp"
#include "names.hpp"

namespace virtual_cost_test {
#if !ANEW_TEST_UNDER_TSAN
namespace {

using support::allocations_of, support::answer, support::problem;

/// Calls that succeed at once, are retried, are final, run out of attempts and out of quota, with and without a report.
void every_kind_of_call(anew::retry_strategy const& strategy) {
  anew::strategy_view const view{strategy};
  for (int round = 0; round < 20; ++round) {
    int calls = 0;
    static_cast<void>(anew::retry(view, [] { return answer{}; }, no_sleep));
    static_cast<void>(anew::retry(view, [&] { return ++calls < 3 ? answer{problem{}} : answer{}; }, no_sleep));
    static_cast<void>(anew::retry(view, [] { return answer{problem{true}}; }, no_sleep));
    static_cast<void>(anew::retry(view, [] { return answer{problem{}}; }, no_sleep));
    static_cast<void>(anew::retry_outcome(view, [](anew::attempt& /*a*/) { return answer{problem{}}; }, no_sleep));
  }
}

TEST(VirtualCost, TheHeapIsWatched) {
  EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(1)); }), 1);
}

TEST(VirtualCost, NoAllocationWhereTheTokenStays) {
  anew::virtual_strategy<anew::strategy<anew::token_bucket<100>, anew::decorrelated_jitter>> const strategy;
  EXPECT_EQ(allocations_of([&] { every_kind_of_call(strategy); }), 0) << "from the first call on";
}

TEST(VirtualCost, OneAllocationPerCallWhereItDoesNot) {
  using everything = anew::strategy<anew::token_bucket<100>, anew::decorrelated_jitter, anew::deadline<1h>,
                                    anew::max_attempts<3>, anew::circuit_breaker<1000000, 1s>, anew::reset_after<1h>,
                                    anew::nesting_guard<anew::when_nested::share_quota>>;
  static_assert(!anew::detail::stays_in_token<everything::token_type>);
  anew::virtual_strategy<everything> const strategy;
  EXPECT_EQ(allocations_of([&] { every_kind_of_call(strategy); }), 20 * 5) << "a retry keeps the call's state in place";
}

/// Errors of every sort that are returned, results, looks of poll(), a view of a view.
void what_is_read(anew::retry_strategy const& strategy) {
  anew::virtual_strategy<anew::strategy_view> const nested{anew::strategy_view{strategy}};
  for (int round = 0; round < 20; ++round) {
    for (anew::strategy_view const view : {anew::strategy_view{strategy}, anew::strategy_view{nested}}) {
      static_cast<void>(anew::retry(view, [] { return answer{problem{}}; }, no_sleep));
      static_cast<void>(anew::retry(view, [] { return false; }, no_sleep));
      static_cast<void>(anew::retry(view, [] { return std::make_error_code(std::errc::timed_out); }, no_sleep));
      static_cast<void>(anew::retry(view, [] { return 503; }, no_sleep));
      static_cast<void>(
          anew::poll(view, [] { return false; }, anew::success_when([](bool ready) { return ready; }), no_sleep));
    }
  }
}

TEST(VirtualCost, NoAllocationInWhatIsRead) {
  using reader = anew::first_of<anew::http_status_classifier<>, anew::error_code_classifier, anew::retry_all>;
  anew::virtual_strategy<anew::strategy<anew::token_bucket<100>, anew::decorrelated_jitter, reader>, problem> const
      strategy;
  EXPECT_EQ(allocations_of([&] { what_is_read(strategy); }), 20 * 5) << "the token around a token of each nested call";
}

}  // namespace
#endif
}  // namespace virtual_cost_test
