// SPDX-License-Identifier: BSL-1.0
// The loop after a failure is compiled once for all strategies of one shape, whatever their numbers, predicates and
// operations; and each call still has its own.
#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/internal/drive.hpp"
#include "anew/policies/classifier/any_of.hpp"

#include "names.hpp"

namespace drive_shared_loop_test {

struct answer {
  int value;
  int code;
  [[nodiscard]] bool has_value() const noexcept { return code == 0; }
  [[nodiscard]] int error() const noexcept { return code; }
};

template <int Code>
struct is {
  constexpr bool operator()(int code) const noexcept { return code == Code; }
};
template <int Base, unsigned Attempts, int Code>
using retries = anew::strategy<anew::constant_backoff<duration{Base}>, anew::no_jitter, anew::retry_if<is<Code>>,
                               anew::max_attempts<Attempts>>;

struct sleeper {
  std::vector<duration>* waits;
  void operator()(duration delay) const { waits->push_back(delay); }
};

template <class S, class Op>
using again = anew::detail::again_of<Op, anew::detail::PureInitialToken<S>>;
template <class S, class Op>
using loop_of = typename anew::detail::loop_of<S, typename again<S, Op>::type, sleeper, anew::never_stop,
                                               anew::detail::no_report>::type::loop;

using first = decltype([] { return answer{}; });
using second = decltype([] { return answer{}; });
using quiet = decltype([]() noexcept { return answer{}; });
using counts = decltype([](anew::attempt&) { return answer{}; });

static_assert(std::is_same_v<loop_of<retries<1, 3, 4>, first>, loop_of<retries<2, 5, 6>, second>>);
#if defined(__cpp_exceptions)
static_assert(!std::is_same_v<loop_of<retries<1, 3, 4>, first>, loop_of<retries<1, 3, 4>, quiet>>);
#endif
static_assert(
    !std::is_same_v<loop_of<retries<1, 3, 4>, first>, loop_of<retries<1, 3, 4>, anew::idempotent_operation<first>>>);
static_assert(std::is_same_v<loop_of<retries<1, 3, 4>, anew::idempotent_operation<first>>,
                             loop_of<retries<1, 3, 4>, anew::idempotent_operation<second>>>);
static_assert(!std::is_same_v<loop_of<retries<1, 3, 4>, first>, loop_of<retries<1, 3, 4>, counts>>);

struct told {
  unsigned calls = 0;
  std::vector<duration> waits;
  answer last{};
};

/// Each call fails `failures` times with `code`.
told call(auto const& strategy, int code, unsigned failures) {
  told found;
  auto const operation = [&]() -> answer {
    return ++found.calls <= failures ? answer{0, code} : answer{static_cast<int>(found.calls), 0};
  };
  found.last = anew::retry(strategy, operation, sleeper{&found.waits});
  return found;
}

struct row {
  std::function<told(int, unsigned)> call;
  int retried;
  unsigned attempts;
  duration delay;
};
template <int Base, unsigned Attempts, int Code>
row of() {
  return {[](int code, unsigned failures) { return call(retries<Base, Attempts, Code>{}, code, failures); }, Code,
          Attempts, duration{Base}};
}

TEST(SharedLoop, EachCallHasItsNumbersItsPredicateAndItsOperation) {
  for (auto const& one : {of<1, 3, 4>(), of<20, 5, 6>(), of<300, 2, 7>()}) {
    for (int const code : {4, 6, 7}) {
      for (unsigned const failures : {1U, 2U, 4U, 9U}) {
        auto const found = one.call(code, failures);
        unsigned const may = code == one.retried ? one.attempts : 1;
        unsigned const made = std::min(failures + 1, may);
        EXPECT_EQ(found.calls, made) << code << " " << failures;
        EXPECT_EQ(found.waits, std::vector<duration>(made - 1, one.delay)) << code << " " << failures;
        EXPECT_EQ(found.last.code, made == failures + 1 ? 0 : code);
        EXPECT_EQ(found.last.value, made == failures + 1 ? static_cast<int>(made) : 0);
      }
    }
  }
}

TEST(SharedLoop, AnOperationKeepsWhatItDeclares) {
  struct careful {
    constexpr anew::directive operator()(int /*code*/) const noexcept {
      return anew::directive::retry({anew::error_kind::transient, anew::retry_safety::maybe, std::nullopt});
    }
  };
  anew::with<retries<1, 3, 4>, anew::retry_if<careful>> const strategy{};
  unsigned calls = 0;
  auto const fails = [&]() -> answer { return {0, static_cast<int>(++calls)}; };
  std::vector<duration> waits;
  EXPECT_EQ(anew::retry(strategy, fails, sleeper{&waits}).code, 1);
  calls = 0;
  EXPECT_EQ(anew::retry(strategy, anew::idempotent(fails), sleeper{&waits}).code, 3);
}

#if defined(__cpp_exceptions)
TEST(SharedLoop, AnExceptionOfALaterAttemptLeavesTheCall) {
  unsigned calls = 0;
  std::vector<duration> waits;
  auto const op = [&]() -> answer {
    if (++calls == 2) throw std::runtime_error{"second"};
    return {0, 4};
  };
  EXPECT_THROW(static_cast<void>(anew::retry(retries<1, 3, 4>{}, op, sleeper{&waits})), std::runtime_error);
  EXPECT_EQ(calls, 2U);

  calls = 0;
  auto const counts_down = [&] {
    if (++calls < 2) throw std::runtime_error{"again"};
    return std::optional<int>{};  // a success, because the operation says so
  };
  anew::with<retries<1, 3, 4>, anew::retry_all> const strategy{};
  EXPECT_FALSE(anew::retry(strategy, anew::throws_only(counts_down), sleeper{&waits}).has_value());
  EXPECT_EQ(calls, 2U);
}

TEST(SharedLoop, AClassifierThatReadsExceptionsTooReadsThemInTheLoop) {
  using both = anew::any_of<anew::retry_on<std::runtime_error>, anew::retry_if<is<4>>>;
  unsigned calls = 0;
  std::vector<duration> waits;
  auto const op = [&]() -> answer {
    if (++calls == 2) throw std::runtime_error{"second"};
    return {0, calls == 3 ? 0 : 4};
  };
  EXPECT_EQ(anew::retry(anew::with<retries<1, 3, 4>, both>{}, op, sleeper{&waits}).code, 0);
  EXPECT_EQ(calls, 3U);
}
#endif

}  // namespace drive_shared_loop_test
