// SPDX-License-Identifier: BSL-1.0
#include <concepts>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "anew/value/result_traits.hpp"

namespace value_result_traits_test {
namespace {

using anew::detail::error_of;
using anew::detail::is_success;
using anew::detail::shape;
using anew::detail::shape_of;

/// As much of `std::expected` as is read.
template <class T, class E>
class expected_like {
 public:
  explicit expected_like(T value) : content_{std::in_place_index<0>, std::move(value)} {}
  expected_like(std::in_place_t /*error*/, E error) : content_{std::in_place_index<1>, std::move(error)} {}
  [[nodiscard]] bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] E const& error() const { return *std::get_if<1>(&content_); }

 private:
  std::variant<T, E> content_;
};

/// As much of Boost.Outcome's result as is read: what has a value may lack an error, and `error()` returns a copy.
struct result_like {
  bool good;
  [[nodiscard]] int has_value() const { return good ? 1 : 0; }
  [[nodiscard]] std::string error() const { return "boost"; }
};

struct status {
  int code;
  [[nodiscard]] bool ok() const { return code == 0; }
};
struct undescribed_status {
  [[nodiscard]] bool ok() const { return true; }
};
struct only_error {
  [[nodiscard]] int error() const { return 1; }
};
struct only_has_value {
  [[nodiscard]] bool has_value() const { return true; }
};
struct testable {
  explicit operator bool() const { return false; }
};
/// Has the shape of an expected, but its traits say otherwise.
struct contrary {
  [[nodiscard]] bool has_value() const { return true; }
  [[nodiscard]] int error() const { return 1; }
};
/// Without its traits in doubt, as smart pointers are.
template <class T>
struct handle {
  T content{};
  explicit operator bool() const { return false; }
};
enum class colour { red, green };
enum class my_errc { fine, broken };
union either {
  int number;
  float real;
};

}  // namespace
}  // namespace value_result_traits_test

template <>
struct std::is_error_code_enum<value_result_traits_test::my_errc> : std::true_type {};

template <>
struct anew::result_traits<value_result_traits_test::status> {
  static bool is_success(value_result_traits_test::status const& s) noexcept { return s.ok(); }
  static value_result_traits_test::status const& error(value_result_traits_test::status const& s) noexcept { return s; }
};
template <>
struct anew::result_traits<value_result_traits_test::contrary> {
  static bool is_success(value_result_traits_test::contrary const& /*c*/) noexcept { return false; }
  static char error(value_result_traits_test::contrary const& /*c*/) noexcept { return 'c'; }
};

template <class T>
struct anew::result_traits<value_result_traits_test::handle<T>> : anew::plain_result {};

namespace value_result_traits_test {
namespace {

static_assert(shape_of<void>() == shape::plain);
static_assert(shape_of<int>() == shape::number && shape_of<double>() == shape::plain);
static_assert(shape_of<char>() == shape::plain && shape_of<unsigned>() == shape::plain);
static_assert(shape_of<colour>() == shape::enumeration && shape_of<either>() == shape::plain);
static_assert(shape_of<std::string>() == shape::plain && shape_of<std::pair<int, int>>() == shape::plain);
static_assert(shape_of<bool>() == shape::boolean);
static_assert(shape_of<std::optional<int>>() == shape::optional);
static_assert(shape_of<std::error_code>() == shape::error_code);
static_assert(shape_of<std::error_condition>() == shape::error_code);
static_assert(shape_of<std::errc>() == shape::error_enum && shape_of<my_errc>() == shape::error_enum);
static_assert(shape_of<expected_like<int, std::string>>() == shape::expected);
static_assert(shape_of<result_like>() == shape::expected);
static_assert(shape_of<status>() == shape::traited && shape_of<contrary>() == shape::traited);
static_assert(shape_of<handle<int>>() == shape::plain);

// What a careless reader would take for a success.
static_assert(shape_of<int*>() == shape::unreadable && shape_of<char const*>() == shape::unreadable);
static_assert(shape_of<std::shared_ptr<int>>() == shape::unreadable && shape_of<handle<int>*>() == shape::unreadable);
static_assert(shape_of<std::nullptr_t>() == shape::unreadable);
static_assert(shape_of<undescribed_status>() == shape::member && shape_of<only_error>() == shape::member);
static_assert(shape_of<only_has_value>() == shape::member && shape_of<testable>() == shape::unreadable);

static_assert(!anew::ReadableResult<int> && anew::ReadableResult<void> && anew::ReadableResult<std::error_code const&>);
static_assert(anew::ReadableResult<expected_like<int, int>&&> && !anew::ReadableResult<int*>);
static_assert(!anew::ReadableResult<undescribed_status const&>);

static_assert(!anew::detail::carries_error<int> && !anew::detail::carries_error<handle<int>>);
static_assert(anew::detail::carries_error<bool> && anew::detail::carries_error<std::optional<int>>);
static_assert(std::is_same_v<anew::detail::error_type<std::optional<int>>, std::nullopt_t>);
static_assert(std::is_same_v<anew::detail::error_type<bool>, std::false_type>);
static_assert(std::is_same_v<anew::detail::error_type<expected_like<int, std::string>>, std::string>);
static_assert(std::is_same_v<anew::detail::error_type<std::error_code>, std::error_code>);
static_assert(std::is_same_v<anew::detail::error_type<contrary>, char>);

// What is not there yet, by its members.
struct awaiter {
  [[nodiscard]] bool await_ready() const { return true; }
  [[nodiscard]] int await_resume() const { return 0; }
};
struct awaitable_by_a_member {
  [[nodiscard]] awaiter operator co_await() const { return {}; }
};
struct awaitable_by_a_function {};
[[maybe_unused]] awaiter operator co_await(awaitable_by_a_function const& /*awaited*/) { return {}; }
struct coroutine_task {
  struct promise_type {};
};
struct sender {
  using sender_concept = void;
};
struct older_sender {
  static constexpr bool sends_done = true;
};
struct unlike_any_other_future {
  void wait() {}
  int get() { return 0; }
};
static_assert(shape_of<awaiter>() == shape::pending && shape_of<awaitable_by_a_member>() == shape::pending);
static_assert(shape_of<awaitable_by_a_function>() == shape::pending && shape_of<coroutine_task>() == shape::pending);
static_assert(shape_of<sender>() == shape::pending && shape_of<older_sender>() == shape::pending);
static_assert(shape_of<std::future<int>>() == shape::pending && shape_of<std::future<void>>() == shape::pending);
static_assert(shape_of<std::shared_future<int>>() == shape::pending);
static_assert(shape_of<unlike_any_other_future>() == shape::pending);
static_assert(!anew::ReadableResult<std::future<int>> && !anew::detail::carries_error<std::future<int>>);

/// As Asio's deferred operations are: called with a handler of any type, on an rvalue; the signature is in the type.
template <class Signature>
struct started_by_a_handler {
  template <std::invocable<int> Handler>
  void operator()(Handler handler) && {
    handler(0);
  }
};
static_assert(shape_of<std::function<void()>>() == shape::callable && shape_of<decltype([] {})>() == shape::callable);
static_assert(shape_of<started_by_a_handler<void(int)>>() == shape::callable);
static_assert(!anew::ReadableResult<std::function<void()>>);

// What looks like it and is there.
struct awaitable_expected : awaitable_by_a_member {
  [[nodiscard]] bool has_value() const { return true; }
  [[nodiscard]] int error() const { return 1; }
};
struct matrix {
  [[nodiscard]] double operator()(int row, int column) const { return row * column; }
  double& operator()(int row, int column);
};
struct comparison {
  template <class A, class B>
  bool operator()(A const& a, B const& b) const {
    return a < b;
  }
};
struct process {
  void wait() {}
};
struct box {
  [[nodiscard]] int get() const { return 0; }
};
static_assert(shape_of<awaitable_expected>() == shape::expected);
static_assert(shape_of<matrix>() == shape::plain && shape_of<comparison>() == shape::plain);
static_assert(shape_of<process>() == shape::plain && shape_of<box>() == shape::plain);
static_assert(shape_of<std::thread>() == shape::plain && shape_of<std::vector<int>>() == shape::plain);

TEST(Outcome, PlainValuesAreSuccesses) {
  EXPECT_TRUE(is_success(0));
  EXPECT_TRUE(is_success(-1));
  EXPECT_TRUE(is_success(colour::red));
  EXPECT_TRUE(is_success(std::string{}));
  EXPECT_TRUE(is_success(anew::detail::void_result{}));
  EXPECT_TRUE(is_success(handle<int>{}));
}

TEST(Outcome, ExpectedLikeIsReadByItsValue) {
  using result = expected_like<bool, std::string>;
  EXPECT_TRUE(is_success(result{false}));
  result const failed{std::in_place, "no"};
  EXPECT_FALSE(is_success(failed));
  EXPECT_EQ(error_of(failed), "no");
  EXPECT_EQ(&error_of(failed), &failed.error());
  EXPECT_TRUE(is_success(result_like{true}));
  EXPECT_FALSE(is_success(result_like{false}));
  EXPECT_EQ(error_of(result_like{false}), "boost");
}

TEST(Outcome, ErrorCodesSucceedWhenZero) {
  EXPECT_TRUE(is_success(std::error_code{}));
  std::error_code const busy = std::make_error_code(std::errc::device_or_resource_busy);
  EXPECT_FALSE(is_success(busy));
  EXPECT_EQ(&error_of(busy), &busy);
  EXPECT_TRUE(is_success(std::errc{}));
  EXPECT_FALSE(is_success(std::errc::timed_out));
  EXPECT_EQ(error_of(std::errc::timed_out), std::errc::timed_out);
  EXPECT_TRUE(is_success(my_errc::fine));
  EXPECT_FALSE(is_success(my_errc::broken));
}

TEST(Outcome, OptionalAndBool) {
  EXPECT_TRUE(is_success(std::optional<bool>{false}));
  EXPECT_FALSE(is_success(std::optional<int>{}));
  EXPECT_TRUE(is_success(true));
  EXPECT_FALSE(is_success(false));
  EXPECT_FALSE(error_of(false));
}

TEST(Outcome, TraitsWinOverTheShape) {
  EXPECT_TRUE(is_success(status{0}));
  status const bad{7};
  EXPECT_FALSE(is_success(bad));
  EXPECT_EQ(&error_of(bad), &bad);
  EXPECT_FALSE(is_success(contrary{}));
  EXPECT_EQ(error_of(contrary{}), 'c');
}

}  // namespace
}  // namespace value_result_traits_test
