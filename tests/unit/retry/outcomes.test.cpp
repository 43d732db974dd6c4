// SPDX-License-Identifier: BSL-1.0
// What an operation may return, and what it may be. Failures by exceptions: exceptions.test.cpp.
#include <algorithm>
#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>
#include <version>

#include <gtest/gtest.h>
#if defined(__cpp_lib_expected)
#include <expected>
#endif

#if __has_include(<tl/expected.hpp>)
#include <tl/expected.hpp>
#define ANEW_TEST_TL_EXPECTED 1
#endif
#if __has_include(<boost/system/error_code.hpp>)
#include <boost/system/error_code.hpp>
#define ANEW_TEST_BOOST_SYSTEM 1
#endif

#include "anew/anew.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "failed_answer.hpp"
#include "names.hpp"
#include "pinned.hpp"

namespace retry_outcomes_test {
namespace {

/// Every error is retried, at once, twice.
using eager = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>>;

/// Recognised by its shape alone.
using count = support::expected<int, std::string>;

struct status {
  int code;
  [[nodiscard]] bool ok() const noexcept { return code == 0; }
  friend bool operator==(status, status) = default;
};

struct no_deleter {
  void operator()(int*) const noexcept {}
};
using handle = std::unique_ptr<int, no_deleter>;

/// Two results that can be made from anything; only their own move must be used.
struct box : std::any {
  using std::any::any;
};
struct greedy {
  template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, greedy>)
  greedy(T&& /*from*/) : conversions{1} {}  // NOLINT(*-explicit-*)
  greedy(bool ok, int code) : success{ok}, value{code} {}
  int conversions = 0;
  bool success = false;
  int value = 0;
};

enum class weather { fine = 0, rain, storm };
[[maybe_unused]] std::error_code make_error_code(weather w) { return {static_cast<int>(w), std::generic_category()}; }

}  // namespace
}  // namespace retry_outcomes_test

template <>
struct std::is_error_code_enum<retry_outcomes_test::weather> : std::true_type {};
template <>
struct anew::result_traits<retry_outcomes_test::status> {
  static bool is_success(retry_outcomes_test::status const& s) noexcept { return s.ok(); }
  static retry_outcomes_test::status const& error(retry_outcomes_test::status const& s) noexcept { return s; }
};
template <>
struct anew::result_traits<retry_outcomes_test::handle> : anew::plain_result {};
template <>
struct anew::result_traits<retry_outcomes_test::box> {
  static bool is_success(retry_outcomes_test::box const& b) noexcept { return b.has_value(); }
  static retry_outcomes_test::box const& error(retry_outcomes_test::box const& b) noexcept { return b; }
};
template <>
struct anew::result_traits<retry_outcomes_test::greedy> {
  static bool is_success(retry_outcomes_test::greedy const& g) noexcept { return g.success; }
  static int error(retry_outcomes_test::greedy const& g) noexcept { return g.value; }
};

namespace retry_outcomes_test {
namespace {

/// Makes a call whose attempts return the given results one after the other, and then the last one again.
template <class R, class Strategy = eager>
std::pair<R, std::size_t> run(std::vector<R> const& results, Strategy const& strategy = {}) {
  std::size_t calls = 0;
  recording_sleeper sleep;
  auto last = anew::retry(strategy, [&]() -> R { return results[std::min(calls++, results.size() - 1)]; }, sleep);
  static_assert(std::is_same_v<decltype(last), R>);
  EXPECT_EQ(sleep.delays.size(), calls - 1);
  return {std::move(last), calls};
}

template <class R>
void expect_success_and_failure(R const& good, R const& bad) {
  EXPECT_EQ(run<R>({good}), (std::pair{good, std::size_t{1}}));
  EXPECT_EQ(run<R>({bad, bad, good}), (std::pair{good, std::size_t{3}}));
  EXPECT_EQ(run<R>({bad}), (std::pair{bad, std::size_t{3}}));
}

TEST(RetryOutcomes, SucceedOrFailByTheirType) {
  expect_success_and_failure(std::error_code{}, std::make_error_code(std::errc::broken_pipe));
  expect_success_and_failure(std::errc{}, std::errc::timed_out);
  expect_success_and_failure(weather::fine, weather::storm);
  expect_success_and_failure(std::optional{0}, std::optional<int>{});
  expect_success_and_failure(std::optional{false}, std::optional<bool>{});
  expect_success_and_failure(true, false);
  expect_success_and_failure(status{0}, status{14});
#if defined(ANEW_TEST_TL_EXPECTED)
  expect_success_and_failure<tl::expected<int, std::string>>(3, tl::unexpected<std::string>{"a"});
#endif
#if defined(__cpp_lib_expected)
  expect_success_and_failure<std::expected<int, std::string>>(3, std::unexpected<std::string>{"a"});
#endif
#if defined(ANEW_TEST_BOOST_SYSTEM)
  expect_success_and_failure(boost::system::error_code{},
                             boost::system::errc::make_error_code(boost::system::errc::broken_pipe));
#endif
}

TEST(RetryOutcomes, PlainResultIsASuccessWhateverItsValue) {
  auto const null_is_fine = anew::strategy<anew::retry_while<decltype([](handle const&) { return false; })>>{};
  int calls = 0;
  handle const end = anew::retry(null_is_fine, [&]() -> handle { return ++calls, handle{}; });
  EXPECT_EQ(end, nullptr);
  EXPECT_EQ(calls, 1);
}

TEST(RetryOutcomes, MoveOnlyPlainValueIsReadInPlace) {
  auto const null_is_bad =
      anew::strategy<anew::retry_while<decltype([](handle const& h) { return !h; })>, anew::no_backoff>{};
  int calls = 0;
  int resource = 0;
  handle const end = anew::retry(null_is_bad, [&] { return handle{++calls == 3 ? &resource : nullptr}; });
  EXPECT_EQ(end.get(), &resource);
  EXPECT_EQ(calls, 3);
}

TEST(RetryOutcomes, ResultThatConvertsFromAnythingIsNotWrappedInItself) {
  int calls = 0;
  box const end = anew::retry(eager{}, [&] { return ++calls < 3 ? box{} : box{calls}; }, no_sleep);
  ASSERT_NE(std::any_cast<int>(&end), nullptr);
  EXPECT_EQ(std::any_cast<int>(end), 3);

  support::flag_stop::state never;
  for (bool kept : {false, true}) {
    never.possible = kept;
    calls = 0;
    greedy const last = anew::retry(
        eager{}, [&] { return ++calls < 3 ? greedy{false, calls} : greedy{true, calls}; }, no_sleep,
        support::flag_stop{never});
    EXPECT_EQ(last.conversions, 0);
    EXPECT_EQ(last.value, 3);
    auto told = anew::retry_outcome(eager{}, [] { return greedy{false, 9}; }, no_sleep, support::flag_stop{never});
    EXPECT_EQ(told.result().conversions, 0);
    EXPECT_EQ(std::move(told).result().value, 9);
  }
}

TEST(RetryOutcomes, ConstResult) {
  int calls = 0;
  auto const operation = [&]() -> count const { return ++calls < 3 ? count{std::string{"a"}} : count{1}; };
  auto end = anew::retry(eager{}, operation, no_sleep);
  static_assert(std::is_same_v<decltype(end), count>);
  EXPECT_EQ(*end, 1);
  EXPECT_EQ(calls, 3);
}

TEST(RetryOutcomes, ReferenceComesBackAsTheSameObject) {
  count values[] = {count{std::string{"a"}}, count{std::string{"b"}}, count{3}};
  int calls = 0;
  decltype(auto) end = anew::retry(eager{}, [&]() -> count& { return values[calls++]; }, no_sleep);
  static_assert(std::is_same_v<decltype(end), count&>);
  EXPECT_EQ(&end, &values[2]);

  calls = 0;
  decltype(auto) read = anew::retry(eager{}, [&]() -> count const& { return values[calls++ % 2]; }, no_sleep);
  static_assert(std::is_same_v<decltype(read), count const&>);
  EXPECT_EQ(&read, &values[0]);  // the third call failed: its object is the result
  EXPECT_EQ(values[0].error(), "a");
}

TEST(RetryOutcomes, ReferenceIsNotTouchedByAStopThatKeepsIt) {
  count values[] = {count{std::string{"a string that is long enough to be moved from"}}, count{3}};
  support::flag_stop::state stop;
  recording_sleeper sleep{[&] { stop.requested = true; }};
  int calls = 0;
  decltype(auto) end =
      anew::retry(eager{}, [&]() -> count& { return values[calls++]; }, sleep, support::flag_stop{stop});
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(&end, &values[0]);
  EXPECT_EQ(values[0].error(), "a string that is long enough to be moved from");
}

// What an operation may be.

bool turns_true_at_3(int& calls) { return ++calls == 3; }
int free_calls = 0;
bool free_function() { return turns_true_at_3(free_calls); }
bool free_noexcept(anew::attempt& a) noexcept { return a.number() == 3; }

struct pinned : support::pinned {
  bool operator()() { return turns_true_at_3(calls); }
  int calls = 0;
};

struct by_const {
  bool operator()() const { return turns_true_at_3(*calls); }
  bool operator()() { return false; }
  int* calls;
};

TEST(RetryOperations, AreWhatCanBeCalled) {
  int calls = 0;
  struct client {
    bool get() { return turns_true_at_3(calls); }
    int calls = 0;
  } it;
  pinned operation;
  std::function<bool()> const erased = [&] { return turns_true_at_3(free_calls); };
  auto const succeeds = [&](auto&& op) {
    calls = free_calls = 0;
    recording_sleeper sleep;
    EXPECT_TRUE(anew::retry(eager{}, std::forward<decltype(op)>(op), sleep));
    EXPECT_EQ(sleep.delays.size(), 2U);
  };
  succeeds(free_function);
  succeeds(&free_function);
  succeeds(free_noexcept);
  succeeds(&free_noexcept);
  succeeds(erased);
  succeeds(std::bind_front(&client::get, &it));
  succeeds([&]() noexcept { return turns_true_at_3(calls); });
  succeeds([](anew::attempt const& a) { return a.number() == 3; });
  succeeds([](auto& a) { return a.number() == 3; });
  succeeds([](auto&&... a) { return ((a.number() == 3) || ...); });
  succeeds(operation);
  succeeds(pinned{});
  by_const const only_const{&calls};
  succeeds(only_const);
  auto stateful = [n = 0]() mutable { return turns_true_at_3(n); };
  succeeds(stateful);
  EXPECT_FALSE(anew::retry(eager{}, stateful)) << "the state of an lvalue stays: calls 4 to 6";
  EXPECT_EQ(anew::retry_outcome(eager{}, pinned{}).attempts(), 3U);
}

struct both {
  bool operator()() { return ++without > 0; }
  bool operator()(anew::attempt& /*a*/) { return ++with > 0; }
  int with = 0;
  int without = 0;
};

TEST(RetryOperations, TheOneWithAnAttemptIsPreferred) {
  both operation;
  EXPECT_TRUE(anew::retry(eager{}, operation));
  EXPECT_EQ(operation.with, 1);
  EXPECT_EQ(operation.without, 0);
}

}  // namespace
}  // namespace retry_outcomes_test
