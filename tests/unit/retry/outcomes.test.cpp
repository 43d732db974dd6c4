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
#include <variant>
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
#include "anew/testing/recording_sleeper.hpp"

#include "driver_support.hpp"

namespace retry_outcomes_test {
namespace {

using anew::testing::recording_sleeper;

/// Every error is retried, at once, twice.
using eager = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>>;

/// An expected of a user's own: recognised by its shape alone.
template <class T, class E>
class result {
 public:
  static result of(T value) { return result{std::in_place_index<0>, std::move(value)}; }
  static result failed(E error) { return result{std::in_place_index<1>, std::move(error)}; }
  result() = delete;

  [[nodiscard]] bool has_value() const noexcept { return held_.index() == 0; }
  [[nodiscard]] T const& value() const { return std::get<0>(held_); }
  [[nodiscard]] T&& take() { return std::get<0>(std::move(held_)); }
  [[nodiscard]] E const& error() const { return std::get<1>(held_); }

 private:
  template <std::size_t I, class V>
  result(std::in_place_index_t<I> i, V&& value) : held_{i, std::forward<V>(value)} {}
  std::variant<T, E> held_;
};
using count = result<int, std::string>;

struct status {
  int code;
  [[nodiscard]] bool ok() const noexcept { return code == 0; }
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

/// Makes an operation that returns the given results one after the other, and then the last one again.
template <class R>
auto scripted(int& calls, std::vector<R> results) {
  return [&calls, results = std::move(results)]() -> R {
    auto const i = std::min(static_cast<std::size_t>(calls++), results.size() - 1);
    return results[i];
  };
}

template <class R>
struct seen {
  R result;
  int calls;
};
template <class R, class Strategy = eager>
seen<R> run(std::vector<R> results, Strategy const& strategy = Strategy{}) {
  int calls = 0;
  recording_sleeper sleep;
  auto last = anew::retry(strategy, scripted(calls, std::move(results)), sleep);
  static_assert(std::is_same_v<decltype(last), R>);
  EXPECT_EQ(sleep.delays.size(), static_cast<std::size_t>(calls - 1));
  return {std::move(last), calls};
}

TEST(RetryOutcomes, OwnExpectedIsRetriedUntilItHasAValue) {
  auto const end = run<count>({count::failed("a"), count::failed("b"), count::of(7)});
  EXPECT_EQ(end.calls, 3);
  ASSERT_TRUE(end.result.has_value());
  EXPECT_EQ(end.result.value(), 7);
}

TEST(RetryOutcomes, LastErrorOfAnExpectedComesBackUntouched) {
  auto const end =
      run<count>({count::failed("a"), count::failed("b"), count::failed("a long enough string, the third")});
  EXPECT_EQ(end.calls, 3);
  ASSERT_FALSE(end.result.has_value());
  EXPECT_EQ(end.result.error(), "a long enough string, the third");
}

TEST(RetryOutcomes, FinalErrorOfAnExpectedEndsTheCall) {
  auto const only_busy = [](std::string const& e) { return e == "busy"; };
  auto const strategy = anew::compose(anew::retry_if{only_busy}, anew::no_backoff{}, anew::max_attempts<5>{});
  auto const end = run<count>({count::failed("busy"), count::failed("broken"), count::of(1)}, strategy);
  EXPECT_EQ(end.calls, 2);
  EXPECT_EQ(end.result.error(), "broken");
}

#if defined(ANEW_TEST_TL_EXPECTED)
TEST(RetryOutcomes, TlExpected) {
  using R = tl::expected<int, std::string>;
  auto const end = run<R>({tl::unexpected<std::string>{"a"}, R{3}});
  EXPECT_EQ(end.calls, 2);
  EXPECT_EQ(end.result, R{3});
  auto const bad = run<R>(
      {tl::unexpected<std::string>{"a"}, tl::unexpected<std::string>{"b"}, tl::unexpected<std::string>{"c"}, R{3}});
  EXPECT_EQ(bad.calls, 3);
  EXPECT_EQ(bad.result.error(), "c");
}

TEST(RetryOutcomes, TlExpectedOfVoid) {
  using R = tl::expected<void, int>;
  auto const end = run<R>({tl::unexpected<int>{1}, R{}});
  EXPECT_EQ(end.calls, 2);
  EXPECT_TRUE(end.result.has_value());
}

TEST(RetryOutcomes, TlExpectedOfAMoveOnlyValue) {
  using R = tl::expected<std::unique_ptr<int>, int>;
  int calls = 0;
  recording_sleeper sleep;
  R const end = anew::retry(
      eager{},
      [&calls]() -> R {
        if (++calls < 3) return tl::unexpected<int>{calls};
        return std::make_unique<int>(calls);
      },
      sleep);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(**end, 3);
}
#endif

#if defined(__cpp_lib_expected)
TEST(RetryOutcomes, StdExpected) {
  using R = std::expected<int, std::string>;
  auto const end = run<R>({std::unexpected<std::string>{"a"}, R{3}});
  EXPECT_EQ(end.calls, 2);
  EXPECT_EQ(end.result, R{3});
  EXPECT_EQ(run<R>({std::unexpected<std::string>{"a"}}).result.error(), "a");
}
#endif

TEST(RetryOutcomes, ErrorCodeIsASuccessWhenItIsZero) {
  auto const broken = std::make_error_code(std::errc::broken_pipe);
  auto const end = run<std::error_code>({broken, std::error_code{}});
  EXPECT_EQ(end.calls, 2);
  EXPECT_FALSE(end.result);
  auto const bad = run<std::error_code>({broken});
  EXPECT_EQ(bad.calls, 3);
  EXPECT_EQ(bad.result, broken);
}

TEST(RetryOutcomes, ErrorCodeIsReadByTheClassifier) {
  auto const transient = [](std::error_code const& e) { return e == std::errc::timed_out; };
  auto const strategy = anew::compose(anew::retry_if{transient}, anew::no_backoff{}, anew::max_attempts<5>{});
  auto const timed_out = std::make_error_code(std::errc::timed_out);
  auto const denied = std::make_error_code(std::errc::permission_denied);
  auto const end = run<std::error_code>({timed_out, denied, std::error_code{}}, strategy);
  EXPECT_EQ(end.calls, 2);
  EXPECT_EQ(end.result, denied);
}

#if defined(ANEW_TEST_BOOST_SYSTEM)
TEST(RetryOutcomes, BoostErrorCode) {
  using R = boost::system::error_code;
  auto const broken = boost::system::errc::make_error_code(boost::system::errc::broken_pipe);
  EXPECT_EQ(run<R>({broken, broken, R{}}).calls, 3);
  EXPECT_EQ(run<R>({broken}).result, broken);
  EXPECT_EQ(run<R>({R{}}).calls, 1);
}
#endif

TEST(RetryOutcomes, Errc) {
  auto const end = run<std::errc>({std::errc::timed_out, std::errc{}});
  EXPECT_EQ(end.calls, 2);
  EXPECT_EQ(end.result, std::errc{});
  EXPECT_EQ(run<std::errc>({std::errc::timed_out}).result, std::errc::timed_out);
}

TEST(RetryOutcomes, ErrorCodeEnum) {
  EXPECT_EQ(run<weather>({weather::rain, weather::storm, weather::fine}).calls, 3);
  EXPECT_EQ(run<weather>({weather::storm}).result, weather::storm);
  EXPECT_EQ(run<weather>({weather::fine}).calls, 1);
}

TEST(RetryOutcomes, OptionalIsASuccessWhenItHasAValue) {
  using R = std::optional<int>;
  auto const end = run<R>({std::nullopt, R{0}});
  EXPECT_EQ(end.calls, 2);
  EXPECT_EQ(end.result, R{0});
  EXPECT_EQ(run<R>({std::nullopt}).result, std::nullopt);
  EXPECT_EQ(run<std::optional<bool>>({std::optional<bool>{false}}).calls, 1);
}

TEST(RetryOutcomes, BoolIsASuccessWhenItIsTrue) {
  auto calls = 0;
  recording_sleeper sleep;
  EXPECT_TRUE(anew::retry(eager{}, [&] { return ++calls == 3; }, sleep));
  EXPECT_EQ(calls, 3);
  EXPECT_FALSE(anew::retry(eager{}, [] { return false; }, sleep));
}

TEST(RetryOutcomes, TraitedStatus) {
  auto const end = run<status>({status{14}, status{0}});
  EXPECT_EQ(end.calls, 2);
  EXPECT_TRUE(end.result.ok());
  EXPECT_EQ(run<status>({status{1}, status{2}, status{3}, status{4}}).result.code, 3);
}

TEST(RetryOutcomes, PlainIntIsReadByHttpStatus) {
  using http = anew::strategy<anew::http_status_classifier<>, anew::no_backoff, anew::max_attempts<4>>;
  EXPECT_EQ(run<int>({503, 429, 200}, http{}).calls, 3);
  EXPECT_EQ(run<int>({503, 429, 200}, http{}).result, 200);
  EXPECT_EQ(run<int>({503, 404, 200}, http{}).calls, 2);
  EXPECT_EQ(run<int>({503, 404, 200}, http{}).result, 404);
  EXPECT_EQ(run<int>({302}, http{}).calls, 1);
  EXPECT_EQ(run<int>({503, 503, 503, 503, 200}, http{}).result, 503);
}

TEST(RetryOutcomes, PlainIntIsReadByAPredicate) {
  auto const negative = [](int value) { return value < 0; };
  auto const strategy = anew::compose(anew::retry_while{negative}, anew::no_backoff{}, anew::max_attempts<4>{});
  EXPECT_EQ(run<int>({-1, -2, 0}, strategy).calls, 3);
  EXPECT_EQ(run<int>({-1, -2, -3, -4, 5}, strategy).result, -4);
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
  recording_sleeper sleep;
  box const end = anew::retry(eager{}, [&] { return ++calls < 3 ? box{} : box{calls}; }, sleep);
  ASSERT_NE(std::any_cast<int>(&end), nullptr);
  EXPECT_EQ(std::any_cast<int>(end), 3);

  support::flag_stop::state never;
  for (bool kept : {false, true}) {
    never.possible = kept;
    calls = 0;
    greedy const last = anew::retry(
        eager{}, [&] { return ++calls < 3 ? greedy{false, calls} : greedy{true, calls}; }, sleep,
        support::flag_stop{never});
    EXPECT_EQ(last.conversions, 0);
    EXPECT_EQ(last.value, 3);
    auto told = anew::retry_outcome(eager{}, [] { return greedy{false, 9}; }, sleep, support::flag_stop{never});
    EXPECT_EQ(told.result().conversions, 0);
    EXPECT_EQ(std::move(told).result().value, 9);
  }
}

TEST(RetryOutcomes, ConstResult) {
  int calls = 0;
  recording_sleeper sleep;
  auto const operation = [&]() -> count const { return ++calls < 3 ? count::failed("a") : count::of(1); };
  auto end = anew::retry(eager{}, operation, sleep);
  static_assert(std::is_same_v<decltype(end), count>);
  EXPECT_EQ(end.value(), 1);
  EXPECT_EQ(calls, 3);
}

TEST(RetryOutcomes, ReferenceComesBackAsTheSameObject) {
  count values[] = {count::failed("a"), count::failed("b"), count::of(3)};
  int calls = 0;
  recording_sleeper sleep;
  decltype(auto) end = anew::retry(eager{}, [&]() -> count& { return values[calls++]; }, sleep);
  static_assert(std::is_same_v<decltype(end), count&>);
  EXPECT_EQ(&end, &values[2]);

  calls = 0;
  decltype(auto) read = anew::retry(eager{}, [&]() -> count const& { return values[calls++ % 2]; }, sleep);
  static_assert(std::is_same_v<decltype(read), count const&>);
  EXPECT_EQ(&read, &values[0]);  // the third call failed: its object is the result
  EXPECT_EQ(values[0].error(), "a");
}

TEST(RetryOutcomes, ReferenceIsNotTouchedByAStopThatKeepsIt) {
  count values[] = {count::failed("a string that is long enough to be moved from"), count::of(3)};
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

TEST(RetryOperations, FunctionAndFunctionPointer) {
  recording_sleeper sleep;
  free_calls = 0;
  EXPECT_TRUE(anew::retry(eager{}, free_function, sleep));
  free_calls = 0;
  EXPECT_TRUE(anew::retry(eager{}, &free_function, sleep));
  free_calls = 0;
  bool (*const pointer)() = free_function;
  EXPECT_TRUE(anew::retry(eager{}, pointer, sleep));
  EXPECT_TRUE(anew::retry(eager{}, free_noexcept, sleep));
  EXPECT_TRUE(anew::retry(eager{}, &free_noexcept, sleep));
}

TEST(RetryOperations, MutableLambdaKeepsItsState) {
  recording_sleeper sleep;
  auto operation = [calls = 0]() mutable { return turns_true_at_3(calls); };
  EXPECT_TRUE(anew::retry(eager{}, operation, sleep));
  EXPECT_FALSE(anew::retry(eager{}, operation, sleep)) << "the state of an lvalue stays: calls 4 to 6";
}

TEST(RetryOperations, NoexceptLambda) {
  recording_sleeper sleep;
  int calls = 0;
  EXPECT_TRUE(anew::retry(eager{}, [&]() noexcept { return turns_true_at_3(calls); }, sleep));
  EXPECT_TRUE(anew::retry(eager{}, [](anew::attempt& a) noexcept { return a.number() == 2; }, sleep));
}

TEST(RetryOperations, AttemptInEveryWayThatItCanBeTaken) {
  recording_sleeper sleep;
  EXPECT_TRUE(anew::retry(eager{}, [](anew::attempt& a) { return a.number() == 3; }, sleep));
  EXPECT_TRUE(anew::retry(eager{}, [](anew::attempt const& a) { return a.number() == 3; }, sleep));
  EXPECT_TRUE(anew::retry(eager{}, [](auto& a) { return a.number() == 3; }, sleep));
  EXPECT_TRUE(anew::retry(eager{}, [](auto&&... a) { return ((a.number() == 3) || ...); }, sleep));
}

struct pinned {
  pinned() = default;
  pinned(pinned const&) = delete;
  pinned& operator=(pinned const&) = delete;
  ~pinned() = default;
  bool operator()() { return turns_true_at_3(calls); }
  int calls = 0;
};

TEST(RetryOperations, OperationIsNeitherCopiedNorMoved) {
  recording_sleeper sleep;
  pinned operation;
  EXPECT_TRUE(anew::retry(eager{}, operation, sleep));
  EXPECT_EQ(operation.calls, 3);
  EXPECT_TRUE(anew::retry(eager{}, pinned{}, sleep));
  EXPECT_EQ(anew::retry_outcome(eager{}, pinned{}, sleep).attempts(), 3U);
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

struct by_const {
  bool operator()() const { return turns_true_at_3(*calls); }
  bool operator()() { return false; }
  int* calls;
};

TEST(RetryOperations, ConstOperationIsCalledConst) {
  recording_sleeper sleep;
  int calls = 0;
  by_const const operation{&calls};
  EXPECT_TRUE(anew::retry(eager{}, operation, sleep));
  EXPECT_EQ(calls, 3);
}

TEST(RetryOperations, BoundMember) {
  struct client {
    bool get() { return turns_true_at_3(calls); }
    int calls = 0;
  } it;
  recording_sleeper sleep;
  EXPECT_TRUE(anew::retry(eager{}, std::bind_front(&client::get, &it), sleep));
  EXPECT_EQ(it.calls, 3);
  it.calls = 0;
  std::function<bool()> const erased = [&it] { return it.get(); };
  EXPECT_TRUE(anew::retry(eager{}, erased, sleep));
}

TEST(RetryOperations, OneOperationInsideAnother) {
  recording_sleeper sleep;
  int inner = 0;
  int outer = 0;
  EXPECT_FALSE(anew::retry(
      eager{}, [&] { return ++outer, anew::retry(eager{}, [&] { return ++inner, false; }, sleep); }, sleep));
  EXPECT_EQ(outer, 3);
  EXPECT_EQ(inner, 9);
}

// How many times, and how often the sleeper is called.

TEST(RetryCounts, SleeperIsCalledBetweenTheAttempts) {
  std::string order;
  auto const strategy = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<4>>{};
  recording_sleeper sleep{[&] { order += 's'; }};
  EXPECT_FALSE(anew::retry(strategy, [&] { return order += 'a', false; }, sleep));
  EXPECT_EQ(order, "asasasa");
  EXPECT_EQ(sleep.delays, std::vector<anew::duration>(3, anew::duration::zero())) << "also for a delay of zero";
}

}  // namespace
}  // namespace retry_outcomes_test
