// SPDX-License-Identifier: BSL-1.0
// A call by steps takes nothing from the heap, whatever comes of it.
#include <chrono>
#include <exception>
#include <optional>
#include <system_error>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/quota/long_poll.hpp"

#include "counted_heap.hpp"

namespace machine_cost_test {
#if !ANEW_TEST_UNDER_TSAN
namespace {

using namespace std::chrono_literals;
using anew::next_step;

using support::allocations_of;

/// Leads a call to its end by telling one outcome after each attempt.
anew::stop_reason drive(auto const& strategy, auto const& tell) {
  anew::retry_machine call{strategy, anew::idempotent_call};
  auto step = call.begin();
  while (step != next_step::finished) {
    if (step == next_step::attempt) {
      anew::attempt const self{call.current()};
      step = tell(call, self);
    } else {
      static_cast<void>(call.wait_ends_at());
      step = call.on_wait_over();
    }
  }
  return call.reason();
}

TEST(MachineCost, TheHeapIsWatched) {
  EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(1)); }), 1);
}

TEST(MachineCost, NothingIsAllocated) {
  anew::strategy<anew::retry_all, anew::exponential_backoff<1ms, 8ms>, anew::decorrelated_jitter,
                 anew::token_bucket<1000>, anew::deadline<1h>, anew::cool_down<anew::constant_backoff<1ms>>,
                 anew::max_attempts<5>> const strategy;
  anew::strategy<anew::retry_all, anew::long_poll<anew::token_bucket<0>>> const refused;
  anew::stop_reason reasons[6]{};
  EXPECT_EQ(allocations_of([&] {
              reasons[0] = drive(strategy, [](auto& call, anew::attempt const&) { return call.on_outcome(true); });
              reasons[1] = drive(strategy, [](auto& call, anew::attempt const&) { return call.on_outcome(false); });
              reasons[2] = drive(strategy, [](auto& call, anew::attempt const& self) {
                return self.is_retry() ? call.on_success() : call.on_error(std::errc::timed_out);
              });
              reasons[3] = drive(strategy, [](auto& call, anew::attempt const&) { return call.on_attempt_timeout(); });
              reasons[4] = drive(strategy, [](auto& call, anew::attempt const&) {
                static_cast<void>(call.request_stop());
                return call.on_verdict(anew::directive::fail());
              });
              reasons[5] = drive(refused, [](auto& call, anew::attempt const&) { return call.on_outcome(false); });
            }),
            0);
  EXPECT_EQ(reasons[0], anew::stop_reason::succeeded);
  EXPECT_EQ(reasons[1], anew::stop_reason::attempts);
  EXPECT_EQ(reasons[2], anew::stop_reason::succeeded);
  EXPECT_EQ(reasons[3], anew::stop_reason::attempts);
  EXPECT_EQ(reasons[4], anew::stop_reason::cancelled);
  EXPECT_EQ(reasons[5], anew::stop_reason::quota);
}

#if ANEW_EXCEPTIONS
TEST(MachineCost, NothingIsAllocatedForAnExceptionThatIsThere) {
  anew::strategy<anew::retry_on<int>, anew::no_backoff, anew::max_attempts<3>> const strategy;
  auto const thrown = std::make_exception_ptr(1);
  EXPECT_EQ(allocations_of(
                [&] { drive(strategy, [&](auto& call, anew::attempt const&) { return call.on_exception(thrown); }); }),
            0);
}
#endif

}  // namespace
#endif
}  // namespace machine_cost_test
