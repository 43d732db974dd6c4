// SPDX-License-Identifier: BSL-1.0
// What retry_outcome tells beside the operation's own result.
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "names.hpp"

namespace retry_outcome_report_test {
namespace {

using namespace anew;
using three = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>>;

struct text_result {
  std::string text;
  bool good = false;
  [[nodiscard]] bool has_value() const noexcept { return good; }
  [[nodiscard]] int error() const noexcept { return 1; }
};

TEST(RetryOutcomeReport, ResultByConstLvalue) {
  auto const told = retry_outcome(three{}, [] { return text_result{"inside", true}; });
  static_assert(std::is_same_v<decltype(told.result()), text_result const&>);
  EXPECT_EQ(told.result().text, "inside");
}

TEST(RetryOutcomeReport, ResultByRvalueIsMovedOut) {
  auto told = retry_outcome(three{}, [] { return std::optional<std::unique_ptr<int>>{std::make_unique<int>(5)}; });
  static_assert(std::is_same_v<decltype(std::move(told).result()), std::optional<std::unique_ptr<int>>>);
  auto const out = std::move(told).result();
  ASSERT_TRUE(out.has_value());
  EXPECT_EQ(**out, 5);
  EXPECT_EQ(**retry_outcome(three{}, [] { return std::optional{std::make_unique<int>(6)}; }).result(), 6);
}

TEST(RetryOutcomeReport, ReferenceStaysAReference) {
  text_result object{"here", true};
  auto told = retry_outcome(three{}, [&]() -> text_result& { return object; });
  static_assert(std::is_same_v<decltype(told.result()), text_result&>);
  EXPECT_EQ(&told.result(), &object);
  EXPECT_EQ(&std::move(told).result(), &object);
  auto const fixed = retry_outcome(three{}, [&]() -> text_result const& { return object; });
  static_assert(std::is_same_v<decltype(fixed.result()), text_result const&>);
  EXPECT_EQ(&fixed.result(), &object);
}

TEST(RetryOutcomeReport, MovedOutcomeTellsTheSame) {
  auto const negative = [](std::error_code const& /*e*/) { return directive::retry(error_kind::timeout, 0ms); };
  manual_clock clock;
  auto const strategy = compose(retry_if{negative}, constant_backoff{3s}, no_jitter{}, clock);
  advancing_sleeper sleep{clock};
  auto first = retry_outcome(strategy, [] { return std::make_error_code(std::errc::timed_out); }, sleep);
  auto const second = std::move(first);
  EXPECT_EQ(second.reason(), stop_reason::attempts);
  EXPECT_EQ(second.attempts(), 3U);
  EXPECT_EQ(second.elapsed(), duration{6s});
  EXPECT_EQ(second.last_hint(), duration{0});
  EXPECT_TRUE(second.has_result());
  EXPECT_EQ(second.result(), std::make_error_code(std::errc::timed_out));
  static_assert(!std::is_copy_constructible_v<decltype(first)>);
}

TEST(RetryOutcomeReport, FallbacksAreAskedAfterAFailureAlone) {
  auto const told = [](bool good) { return retry_outcome(three{}, [good] { return text_result{"its own", good}; }); };
  EXPECT_EQ(told(true).result_or(text_result{"another"}).text, "its own");
  EXPECT_EQ(told(false).result_or(text_result{"another"}).text, "another");
  auto const says_why = [](auto const& end) {
    return text_result{end.result().text + ", " + to_string(end.reason()) + " " + std::to_string(end.attempts())};
  };
  auto const kept = told(true);
  auto const lost = told(false);
  EXPECT_EQ(kept.result_or(says_why).text + lost.result_or(text_result{", another"}).text, "its own, another");
  EXPECT_EQ(told(true).result_or(says_why).text, "its own");
  EXPECT_EQ(told(false).result_or(says_why).text, "its own, attempts 3");

  text_result object{"here", false}, another{"there", true};
  auto const by_reference = [&] { return retry_outcome(three{}, [&]() -> text_result& { return object; }); };
  EXPECT_EQ(&by_reference().result_or(another), &another);
  EXPECT_EQ(&by_reference().result_or([&](auto const&) -> text_result& { return another; }), &another);
  using owned = std::optional<std::unique_ptr<int>>;
  auto const is_moved = retry_outcome(three{}, [] { return owned{}; }).result_or(std::make_unique<int>(7));
  EXPECT_EQ(**is_moved, 7);
}

#if ANEW_EXCEPTIONS
TEST(RetryOutcomeReport, FallbacksOfOperationsThatThrow) {
  auto const fails = [](bool yes) {
    return retry_outcome(three{}, [yes] {
      if (yes) throw 1;
      return std::string{"its own"};
    });
  };
  EXPECT_EQ(fails(false).result_or("another"), "its own");
  EXPECT_EQ(fails(true).result_or("another"), "another");
  EXPECT_THROW(fails(true).result_or([](auto const& end) -> std::string { std::rethrow_exception(end.exception()); }),
               int);
  int why = 0;
  retry_outcome(three{}, [] { throw 1; }).result_or([&](auto const& end) { why = static_cast<int>(end.attempts()); });
  EXPECT_EQ(why, 3);
  retry_outcome(three{}, [] {}).result_or([&](auto const&) { why = 0; });
  EXPECT_EQ(why, 3);
}

TEST(RetryOutcomeReport, VoidOperation) {
  int calls = 0;
  auto const told = retry_outcome(three{}, [&] {
    if (++calls < 3) throw 1;
  });
  EXPECT_TRUE(told.succeeded());
  EXPECT_TRUE(told.has_result());
  EXPECT_EQ(told.attempts(), 3U);
  auto failed = retry_outcome(three{}, [&] { throw 1; });
  EXPECT_FALSE(failed.has_result());
  EXPECT_THROW(static_cast<void>(failed.result()), int);
}
#endif

TEST(RetryOutcomeReport, TakesWhatRetryTakes) {
  support::flag_stop::state state;
  recording_sleeper sleep;
  auto const no = [] { return false; };
  EXPECT_EQ(retry_outcome(three{}, no).attempts(), 3U);
  EXPECT_EQ(retry_outcome(three{}, no, sleep).attempts(), 3U);
  EXPECT_EQ(retry_outcome(three{}, no, support::flag_stop{state}).attempts(), 3U);
  EXPECT_EQ(retry_outcome(three{}, no, sleep, support::flag_stop{state}).attempts(), 3U);
  EXPECT_EQ(sleep.delays.size(), 4U);
  EXPECT_EQ(retry_outcome(three{}, [](attempt& a) noexcept { return a.number() == 2; }, sleep).attempts(), 2U);
}

}  // namespace
}  // namespace retry_outcome_report_test
