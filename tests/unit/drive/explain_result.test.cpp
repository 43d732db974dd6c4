// SPDX-License-Identifier: BSL-1.0
// The table of docs/concepts.md, row by row: what a result means to a classifier, or that it is refused, and why.
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <boost/system/error_code.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/retry_all.hpp"
#include "anew/policies/classifier/retry_if.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/policies/classifier/retry_on.hpp"
#include "anew/run_time/virtual/strategy_view.hpp"

namespace drive_explain_result_test {
namespace {

using anew::detail::classifier_reads_the_errors_of, anew::detail::leaves_unread, anew::detail::read_result_of,
    anew::detail::shape, anew::detail::shape_of, anew::detail::telling, anew::detail::telling_member;
using ::testing::Each;

template <class T>
struct is_bad {
  anew::directive operator()(T const& /*result*/) const { return anew::directive::succeed(); }
};
template <>
struct is_bad<void> {
  bool operator()(std::nullopt_t /*error*/) const { return false; }
};
/// A predicate over the error that a result carries, or over the result.
template <class R>
struct read_by_predicate : std::type_identity<std::remove_cvref_t<R>> {};
template <class R>
  requires anew::detail::carries_error<std::remove_cvref_t<R>>
struct read_by_predicate<R> : std::type_identity<anew::detail::error_type<std::remove_cvref_t<R>>> {};

using D = anew::retry_info_classifier;
using N = anew::retry_on<std::runtime_error>;
template <class R>
using P = anew::retry_if<is_bad<typename read_by_predicate<R>::type>>;
using A = anew::retry_all;

/// A predicate that says only what to retry.
template <class T>
struct is_busy {
  bool operator()(T const& /*result*/) const { return false; }
};
template <class R>
using Q = anew::retry_if<is_busy<R>>;

/// A cell of the table: what follows, or the sentence that is said.
enum class cell { value, error, read, says, reads, no_way, number, enumeration, to_bool, member, holds, pending, call };
using enum cell;
/// Without exceptions a plain value is no way to fail.
constexpr cell plain = bool{ANEW_EXCEPTIONS} ? value : no_way;

template <class C, class R, class Op = R (*)()>
consteval cell cell_of() {
  using read_as = read_result_of<Op>;
  if constexpr (shape_of<std::remove_cvref_t<R>>() == shape::pending) {
    return pending;
  } else if constexpr (shape_of<read_as>() == shape::callable) {
    return call;
  } else if constexpr (leaves_unread<C, read_as>) {
    switch (shape_of<read_as>()) {
      case shape::number: return number;
      case shape::enumeration: return enumeration;
      case shape::member: return member;
      case shape::unreadable: return to_bool;
      default: return holds;
    }
  } else if constexpr (anew::detail::carries_error<read_as>) {
    if constexpr (classifier_reads_the_errors_of<C, read_as>) return error;
    return std::is_same_v<C, D> ? says : reads;
  } else if constexpr (!classifier_reads_the_errors_of<C, read_as>) {
    return no_way;
  } else {
    return !std::is_same_v<read_as, anew::detail::void_result> && anew::detail::ReadsResult<C, read_as> ? read : plain;
  }
}

template <class R>
consteval bool row(cell d, cell n, cell p, cell a) {
  return cell_of<D, R>() == d && cell_of<N, R>() == n && cell_of<P<R>, R>() == p && cell_of<A, R>() == a;
}

/// These types have the same row.
template <class... Rs>
struct each {
  static consteval bool is(cell d, cell n, cell p, cell a) { return (row<Rs>(d, n, p, a) && ...); }
};
template <class... Rs>
inline constexpr bool are_values = each<Rs...>::is(plain, plain, read, plain);

/// A class of these members, and its row of the table.
#define IS_VALUE(Name, ...) \
  struct Name {             \
    __VA_ARGS__             \
  };                        \
  static_assert(are_values<Name>)
#define IS_PENDING(Name, ...) \
  struct Name {               \
    __VA_ARGS__               \
  };                          \
  static_assert(row<Name>(pending, pending, pending, pending))

template <class T, class E>
struct expected_like {
  using value_type = T;
  [[nodiscard]] bool has_value() const { return true; }
  [[nodiscard]] E error() const { return E{}; }
};
struct speaking_error {
  [[nodiscard]] anew::retry_safety is_retry_safe() const { return anew::retry_safety::yes; }
};
enum class scoped { good, bad };
enum unscoped { c_good, c_bad };
enum class my_errc { fine, broken };
}  // namespace
}  // namespace drive_explain_result_test

template <>
struct std::is_error_code_enum<drive_explain_result_test::my_errc> : std::true_type {};

namespace drive_explain_result_test {
namespace {

// void, and what says by its shape whether it failed.
static_assert(row<void>(plain, plain, no_way, plain));
static_assert(each<bool, std::optional<int>, expected_like<int, std::string>, std::error_code, std::error_condition,
                   std::errc, my_errc, boost::system::error_code>::is(says, reads, error, error));
static_assert(row<expected_like<int, speaking_error>>(error, reads, error, error));

// Numbers.
static_assert(are_values<unsigned, std::size_t, double, std::uint8_t, char, wchar_t, char8_t, std::byte>);
static_assert(each<int, std::int8_t, long long, std::ptrdiff_t>::is(number, plain, read, number) &&
              each<scoped, unscoped>::is(enumeration, enumeration, read, enumeration));

// What converts to bool.
struct testable {
  explicit operator bool() const { return true; }
};
static_assert(
    each<int*, char const*, std::nullptr_t, std::FILE*, std::unique_ptr<int>, void (*)(), std::shared_ptr<int>,
         testable, std::ifstream, std::unique_lock<std::mutex>, std::exception_ptr>::is(to_bool, to_bool, read,
                                                                                        to_bool));

// What says nothing of failure.
IS_VALUE(domain_object, std::string name; double price = 0;);
class hides_its_status {
 public:
  [[nodiscard]] int number() const { return status; }

 private:
  int status = 0;
};
union either {
  int number;
  float real;
};
static_assert(are_values<std::string, std::vector<int>, std::span<int>, std::filesystem::path, std::thread,
                         std::chrono::milliseconds, hides_its_status, either, std::map<int, bool>>);

struct json_like {
  template <class T>
    requires(std::is_same_v<T, bool> || std::is_same_v<T, std::string> || std::is_arithmetic_v<T>)
  operator T() const {  // NOLINT(*-explicit-*)
    return T{};
  }
};
static_assert(are_values<json_like>);

// Members that tell of failure: data or functions, by name and by type.
template <class R>
consteval bool is_member(telling by) {
  return row<R>(member, member, read, member) && telling_member<R>() == by;
}
#define IS_MEMBER(By, Name, ...) \
  struct Name {                  \
    __VA_ARGS__                  \
  };                             \
  static_assert(is_member<Name>(telling::By))
IS_MEMBER(status, with_status, int status = 200;);
IS_MEMBER(status_code, with_status_function, [[nodiscard]] unsigned status_code() const { return 200; });
IS_MEMBER(code, with_code_of_enum, scoped code = scoped::good;);
IS_MEMBER(ec, with_error_code, std::error_code ec; int bytes = 0;);
IS_MEMBER(ok, with_ok, [[nodiscard]] bool ok() const { return true; });
IS_MEMBER(
    ok, with_ok_that_may_change,
    [[nodiscard]] bool ok() { return true; } [[nodiscard]] bool ok() const { return true; });
struct with_final_verdict final {
  bool success = true;
};
IS_MEMBER(error_message, with_message, std::string error_message;);
IS_MEMBER(error, with_error_function, [[nodiscard]] std::string error() const& { return {}; });
struct polymorphic {
  virtual ~polymorphic() = default;
  [[nodiscard]] virtual bool IsSuccess() const { return true; }
  polymorphic() = default;
  polymorphic(polymorphic const&) = default;
  polymorphic& operator=(polymorphic const&) = default;
};
struct inherits : with_status {};
static_assert(is_member<std::from_chars_result>(telling::ec) && is_member<with_final_verdict>(telling::success));
static_assert(is_member<polymorphic>(telling::IsSuccess) && is_member<inherits>(telling::status));
static_assert(is_member<std::runtime_error>(telling::is_an_exception) &&
              is_member<std::exception>(telling::is_an_exception));

// The same names, and nothing about failure.
IS_VALUE(currency, std::string code;);
IS_VALUE(counters, std::uint64_t ok = 0, failed = 0;);
IS_VALUE(
    has_a_factory,
    static has_a_factory error() { return {}; } static has_a_factory error_message(std::string const&) { return {}; });
struct nested_type {
  struct ok {};
  enum class status { on, off };
};
IS_VALUE(takes_arguments, [[nodiscard]] bool ok(int) const { return true; });
IS_VALUE(logger, void error(){});
static_assert(are_values<nested_type>);

// What holds an error or a bool.
static_assert(each<std::variant<int, std::error_code>, std::variant<std::string, std::exception_ptr>,
                   std::variant<int, speaking_error>, std::variant<int, std::runtime_error>, std::pair<bool, int>,
                   std::pair<int, bool>, std::pair<std::error_code, int>, std::tuple<bool, int, int>,
                   std::tuple<int, int, std::errc>>::is(holds, holds, read, holds));
static_assert(are_values<std::variant<int, std::string>, std::pair<int, int>, std::tuple<int, bool, int>, std::tuple<>,
                         std::array<bool, 2>>);

// What is not there yet.
IS_PENDING(
    awaiter,
    [[nodiscard]] bool await_ready() const { return true; } [[nodiscard]] int await_resume() const { return 0; });
IS_PENDING(awaited_by_member, [[nodiscard]] awaiter operator co_await() const { return {}; });
struct awaited_by_function {};
[[maybe_unused]] awaiter operator co_await(awaited_by_function const& /*awaited*/) { return {}; }
IS_PENDING(coroutine_task, struct promise_type{};);
IS_PENDING(sender, using sender_concept = void;);
IS_PENDING(older_sender, static constexpr bool sends_done = true;);
IS_PENDING(unlike_any_other_future, void wait() {} int get() { return 0; });
template <class Signature>
struct deferred {
  template <class Handler>
  void operator()(Handler&& /*handler*/) && {}
};
static_assert(each<std::future<int>, std::shared_future<void>, std::optional<std::future<int>>,
                   expected_like<std::future<int>, int>, awaited_by_function>::is(pending, pending, pending, pending));
static_assert(each<std::function<int()>, decltype([] {}), deferred<void(std::error_code)>>::is(call, call, call, call));

// What looks like that and is there.
struct awaited_result : awaited_by_member {
  [[nodiscard]] bool has_value() const { return true; }
  [[nodiscard]] int error() const { return 1; }
};
IS_VALUE(process, void wait(){});
IS_VALUE(box, [[nodiscard]] int get() const { return 0; });
static_assert(each<awaited_result>::is(says, reads, error, error));

// Function objects that are values.
IS_VALUE(polynomial, double operator()(double x = 0) const { return x * x; });
struct any_arguments {
  template <class... Args>
  auto operator()(Args... args) const {
    return (args + ...);
  }
};
struct matrix {
  [[nodiscard]] double operator()(int row, int column) const { return row * column; }
  double& operator()(int row, int column);
};
struct deduced {
  template <class T>
  auto operator()(T x) const {
    return x * x;
  }
};
static_assert(are_values<any_arguments, matrix, deduced, std::less<>, std::mt19937, std::random_device,
                         std::normal_distribution<>, std::uniform_int_distribution<>>);

#undef IS_MEMBER
#undef IS_PENDING
#undef IS_VALUE

// A reference as what it refers to.
static_assert(each<int&>::is(number, plain, read, number) && row<with_status const&>(member, member, read, member));

// Which classifiers name exceptions: a combination does by its parts, the default one and a strategy behind a virtual
// interface do not.
using anew::detail::NamesExceptions;
static_assert(NamesExceptions<N> && NamesExceptions<anew::retry_if<is_bad<std::runtime_error>, std::runtime_error>>);
static_assert(!NamesExceptions<D> && !NamesExceptions<A> && !NamesExceptions<P<int>>);
#if ANEW_EXCEPTIONS
static_assert(!NamesExceptions<anew::detail::classifier_type_of<anew::strategy_view>>);
#endif

// A predicate that says only what to retry leaves a mute result undecided, unless another classifier decides on it, or
// failures are thrown; of any other result the shape says what is well.
template <class... Rs>
inline constexpr bool all_undecided =
    (leaves_unread<Q<Rs>, Rs> && ...) && (leaves_unread<anew::not_<Q<Rs>>, Rs> && ...) &&
    (leaves_unread<anew::any_of<anew::retry_all, Q<Rs>>, Rs> && ...) && (!leaves_unread<P<Rs>, Rs> && ...) &&
    (!leaves_unread<anew::first_of<Q<Rs>, P<Rs>>, Rs> && ...) &&
    (!leaves_unread<anew::any_of<Q<Rs>, anew::retry_while<is_busy<Rs>>>, Rs> && ...);
static_assert(all_undecided<int, long long, scoped, int*, with_status, std::pair<int, bool>>);
static_assert(!leaves_unread<Q<unsigned>, unsigned> && !leaves_unread<Q<std::string>, std::string>);
static_assert(!leaves_unread<anew::any_of<N, Q<int>>, int> && leaves_unread<anew::any_of<N, Q<scoped>>, scoped>);
static_assert(!leaves_unread<anew::first_of<Q<with_status>, anew::http_status_classifier<>>, with_status>);

// throws_only(): every cell is that of void, but for what is not there.
template <class R>
using thrower = anew::throws_only_operation<R (*)()>;
template <class... Rs>
inline constexpr bool are_thrower_rows =
    ((cell_of<D, Rs, thrower<Rs>>() == plain && cell_of<N, Rs, thrower<Rs>>() == plain &&
      cell_of<P<Rs>, Rs, thrower<Rs>>() == no_way && cell_of<A, Rs, thrower<Rs>>() == plain) &&
     ...);
static_assert(are_thrower_rows<int, bool, std::optional<int>, scoped, int*, with_status, std::pair<int, bool>,
                               std::error_code, std::variant<int, std::error_code>, std::function<int()>>);
static_assert(cell_of<N, std::future<int>, thrower<std::future<int>>>() == pending);
static_assert(cell_of<N, bool, anew::idempotent_operation<thrower<bool>>>() == plain);
static_assert(cell_of<N, bool, anew::throws_only_operation<anew::one_shot_operation<bool (*)()>>>() == plain);

template <class C>
using twice = anew::strategy<C, anew::max_attempts<2>, anew::no_backoff>;

/// Every cell that is accepted is called: how often, and how it ends.
template <class C, class Op>
std::pair<anew::stop_reason, std::uint32_t> end_of(Op operation) {
  auto const told = anew::retry_outcome(twice<C>{}, operation);
  return {told.reason(), told.attempts()};
}
std::pair<anew::stop_reason, std::uint32_t> const success{anew::stop_reason::succeeded, 1U};
std::pair<anew::stop_reason, std::uint32_t> const failure{anew::stop_reason::attempts, 2U};

#if ANEW_EXCEPTIONS
TEST(ResultShapes, AcceptedValuesAreSuccessesWhateverTheyAre) {
  EXPECT_THAT((std::vector{end_of<D>([] {}), end_of<N>([] { return -1; }), end_of<D>([] { return 0U; }),
                           end_of<A>([] { return std::string{}; }), end_of<N>([] { return std::pair{0, 0}; }),
                           end_of<A>([] { return currency{}; }), end_of<D>([] { return polynomial{}; }),
                           end_of<N>([] { return json_like{}; }), end_of<A>([] { return std::mt19937{}; })}),
              Each(success));
}
#endif

TEST(ResultShapes, ErrorsAreReadByShape) {
  EXPECT_EQ(end_of<A>([] { return false; }), failure);
  EXPECT_EQ(end_of<A>([] { return std::optional<int>{}; }), failure);
  EXPECT_EQ(end_of<A>([] { return std::errc::timed_out; }), failure);
  EXPECT_EQ(end_of<A>([] { return make_error_code(boost::system::errc::timed_out); }), failure);
}

TEST(ResultShapes, MuteResultsAreReadByTheClassifier) {
  using negative = anew::retry_while<decltype([](int n) { return n < 0; })>;
  EXPECT_EQ(end_of<negative>([] { return -1; }), failure);
  EXPECT_EQ(end_of<negative>([] { return 1; }), success);
  using bad = anew::retry_while<decltype([](scoped s) { return s == scoped::bad; })>;
  EXPECT_EQ(end_of<bad>([] { return scoped::bad; }), failure);
  using null = anew::retry_while<decltype([](int const* p) { return p == nullptr; })>;
  EXPECT_EQ(end_of<null>([]() -> int const* { return nullptr; }), failure);
  using server_error = anew::retry_while<decltype([](with_status const& r) { return r.status >= 500; })>;
  EXPECT_EQ(end_of<server_error>([] { return with_status{503}; }), failure);
  EXPECT_EQ(end_of<server_error>([] { return with_status{404}; }), success);
  using either_of = std::variant<int, std::error_code>;
  using holds_error = anew::retry_while<decltype([](either_of const& v) { return v.index() == 1; })>;
  EXPECT_EQ(end_of<holds_error>([] { return either_of{std::error_code{}}; }), failure);
  using unsure = anew::retry_while<decltype([](std::pair<int, bool> const& p) { return !p.second; })>;
  EXPECT_EQ(end_of<unsure>([] { return std::pair{1, false}; }), failure);
}

#if ANEW_EXCEPTIONS
TEST(ResultShapes, ThrowsOnlyMakesEveryValueASuccess) {
  auto const end = []<class C>(C const& /*by*/, auto op) { return end_of<C>(anew::throws_only(op)); };
  EXPECT_THAT(
      (std::vector{end(A{}, [] { return -1; }), end(A{}, [] { return false; }),
                   end(D{}, [] { return std::optional<int>{}; }), end(N{}, []() -> int* { return nullptr; }),
                   end(N{}, [] { return scoped::bad; }), end(N{}, [] { return with_status{503}; }),
                   end(N{}, [] { return std::pair{false, 1}; }), end(A{}, [] { return std::errc::timed_out; })}),
      Each(success));
  EXPECT_EQ(anew::retry(twice<N>{}, anew::throws_only([] { return [] { return 7; }; }))(), 7);
}

TEST(ResultShapes, ThrowsOnlyNestsWithTheOtherWords) {
  int calls = 0;
  auto const fails = [&]() -> bool {
    ++calls;
    throw std::runtime_error{"down"};
  };
  EXPECT_EQ(end_of<N>(anew::throws_only(anew::idempotent(fails))), failure);
  EXPECT_EQ(end_of<N>(anew::idempotent(anew::throws_only(fails))), failure);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(end_of<N>(anew::throws_only(anew::one_shot(fails))).first, anew::stop_reason::not_replayable);
  EXPECT_EQ(end_of<N>(anew::one_shot(anew::throws_only(fails))).first, anew::stop_reason::not_replayable);
  int rewound = 0;
  EXPECT_EQ(end_of<N>(anew::throws_only(anew::rewinding(fails, [&] { ++rewound; }))), failure);
  EXPECT_EQ(rewound, 1);
  int number = 0;
  auto const takes_its_attempt = [&](anew::attempt& self) {
    number = static_cast<int>(self.number());
    if (number == 1) throw std::runtime_error{"down"};
    return false;
  };
  EXPECT_FALSE(anew::retry(twice<N>{}, anew::throws_only(takes_its_attempt)));
  EXPECT_EQ(number, 2);
}
#endif

TEST(ResultShapes, AMachineReadsWhatACallReads) {
  using server_error = anew::retry_while<decltype([](with_status const& r) { return r.status >= 500; })>;
  twice<server_error> const strategy;
  anew::retry_machine call_of_it{strategy};
  ASSERT_EQ(call_of_it.begin(), anew::next_step::attempt);
  EXPECT_EQ(call_of_it.on_outcome(with_status{503}), anew::next_step::wait);
}

}  // namespace
}  // namespace drive_explain_result_test
