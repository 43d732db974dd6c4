// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_SUBJECT_HPP
#define ANEW_TESTING_LAWS_SUBJECT_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"

/// The laws of the concepts, over any model. A law is a function that takes a policy and returns an AssertionResult which
/// says what is wrong; a suite of typed tests runs all laws of a role:
///
///     #include "anew/testing/laws/delays.hpp"
///     using namespace anew::testing;
///     INSTANTIATE_TYPED_TEST_SUITE_P(Mine, BackoffLaws, testing::Types<my_backoff>);
///
/// Example: examples/14_test_your_own_policy.cpp
namespace anew::inline ANEW_ABI::testing {

/// The policy under test: `T{}`, or, for a policy that needs values, the result of `T::make()`:
/// `struct slow { static auto make() { return my_backoff{1s, 20s}; } };`. You can list one policy with many values.
template <class T>
[[nodiscard]] auto subject() {
  if constexpr (requires { T::make(); }) {
    return T::make();
  } else {
    return T{};
  }
}
template <class T>
using subject_type = decltype(testing::subject<T>());

namespace laws {

/// The fixture of every suite.
template <class T, bool IsOfTheRole>
class suite_of : public ::testing::Test {
  static_assert(IsOfTheRole,
                "anew::testing's laws require a policy that models the concept of the suite; this type does not. Check "
                "the names, the types and const");

 protected:
  [[nodiscard]] static auto subject() { return testing::subject<T>(); }
};

// NOLINTBEGIN(*-macro-*): GoogleTest makes names of the suite's
#define ANEW_LAWS(SUITE, ROLE)                            \
  template <class T>                                      \
  using SUITE = laws::suite_of<T, ROLE<subject_type<T>>>; \
  TYPED_TEST_SUITE_P(SUITE);                              \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SUITE);

// And of the test's; the rest is the law, with its policy.
#define ANEW_LAW(SUITE, NAME, ...) \
  TYPED_TEST_P(SUITE, NAME) { EXPECT_TRUE(laws::__VA_ARGS__); }
// NOLINTEND(*-macro-*)

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

inline std::string text(duration d) { return detail::to_text(d); }

/// 1 to 200, and every power of two up to 2^32 - 1 with its neighbours; in ascending order.
inline std::vector<std::uint32_t> const& retry_numbers() {
  static std::vector<std::uint32_t> const all = [] {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t n = 1; n <= 200; ++n) numbers.push_back(n);
    for (unsigned bit = 8; bit < 32; ++bit) {
      for (std::uint32_t const n : {(1U << bit) - 1, 1U << bit, (1U << bit) + 1}) numbers.push_back(n);
    }
    numbers.push_back(std::numeric_limits<std::uint32_t>::max() - 1);
    numbers.push_back(std::numeric_limits<std::uint32_t>::max());
    return numbers;
  }();
  return all;
}

/// From zero to the longest duration, in ascending order.
inline std::vector<duration> const& durations() {
  static std::vector<duration> const all{duration{0},           duration{1},
                                         duration{2},           duration{3},
                                         duration{999'999'937}, duration{50'000'000'000},
                                         duration::max() / 3,   duration::max() - duration{1},
                                         duration::max()};
  return all;
}

using detail::every_kind;

inline constexpr unsigned threads = 4;

/// Runs `work(number)` on some threads, which begin when all are there, and waits for them.
void on_threads(auto const& work) {
  std::atomic<unsigned> there{0};
  std::vector<std::thread> workers;
  workers.reserve(threads);
  for (unsigned number = 0; number < threads; ++number) {
    workers.emplace_back([&work, &there, number] {
      there.fetch_add(1);
      while (there.load() != threads) std::this_thread::yield();
      work(number);
    });
  }
  for (auto& worker : workers) worker.join();
}

/// The common part of the laws "it gets through years of use" of quotas, gates, pacers and resets: times with pauses of
/// any length, and a watchdog that turns a hanging call into a failed test.
/// How long a single call of a policy may take before a law calls it hung. Only a hang waits so long.
inline std::chrono::seconds patience{10};

/// The current call of a law. The law writes it, the watchdog reads it.
class call_log {
 public:
  /// `function` must be a string literal.
  void calls(char const* function, time_point now) noexcept {
    now_.store(now.time_since_epoch().count());
    function_.store(function);
    number_.fetch_add(1);
  }
  [[nodiscard]] std::uint64_t number() const noexcept { return number_.load(); }
  [[nodiscard]] char const* function() const noexcept { return function_.load(); }
  [[nodiscard]] duration since_epoch() const noexcept { return duration{now_.load()}; }

 private:
  std::atomic<std::uint64_t> number_{0};
  std::atomic<char const*> function_{"its constructor"};
  std::atomic<std::int64_t> now_{0};
};

/// Runs `law(call_log&)`, which returns an AssertionResult, in a thread of its own, and fails when one call of the
/// policy does not return within `patience`. The thread of a call that hangs is left behind, so whatever `law` uses
/// must be its own.
template <class Law>
AssertionResult every_call_returns(Law law) {
  auto const log = std::make_shared<call_log>();
  std::packaged_task<AssertionResult()> task{[law = std::move(law), log]() mutable { return law(*log); }};
  auto result = task.get_future();
  std::thread worker{std::move(task)};
  for (auto seen = log->number();; seen = log->number()) {
    if (result.wait_for(patience) == std::future_status::ready) {
      worker.join();
      return result.get();
    }
    if (log->number() != seen) continue;
    worker.detach();
    return AssertionFailure() << log->function() << " does not return (call " << seen << ", "
                              << text(log->since_epoch()) << " after the clock's epoch)";
  }
}

/// The times at which a law calls a policy. It goes through bursts of calls, rows of calls that are equally far apart,
/// and single pauses; a pause is log-uniform from a nanosecond to a year. Now and then a time stamp is late, as of a
/// thread that read the clock and then was not run for a while.
class years_of_use {
 public:
  explicit years_of_use(std::uint64_t seed, time_point start = time_point{duration{1'000'000'000'000}}) noexcept
      : dice_{seed, 1}, now_{start}, newest_{start} {}

  /// The time of the next call.
  time_point next() noexcept {
    if (left_ == 0) {
      left_ = 1 + dice_() % 64;
      pace_ = dice_() % 4 == 0 ? duration::zero() : any_pause();
    }
    --left_;
    auto const step = dice_() % 32 == 0 ? any_pause() : pace_;
    newest_ = detail::smaller(detail::saturating_add(newest_, step), the_end);
    now_ = dice_() % 16 == 0 ? stamped_late() : newest_;
    return now_;
  }
  /// A pause before the next call, in full even where it passes the end.
  time_point pause(duration length) noexcept {
    newest_ = now_ = detail::saturating_add(newest_, length);
    return now_;
  }
  [[nodiscard]] time_point now() const noexcept { return now_; }
  /// 200 years after the clock's epoch. Times no longer move then; begin with another seed.
  [[nodiscard]] bool is_over() const noexcept { return newest_ >= the_end; }
  std::uint64_t roll() noexcept { return dice_(); }

  /// From a nanosecond to a year, each order of magnitude as often as another.
  duration any_pause() noexcept {
    auto const shortest = std::uint64_t{1} << dice_() % 55;
    auto const length = shortest + dice_() % shortest;
    return duration{detail::smaller(static_cast<std::int64_t>(length), a_year)};
  }

  static constexpr std::int64_t a_year = std::int64_t{365} * 86'400 * 1'000'000'000;

 private:
  [[nodiscard]] time_point stamped_late() noexcept {
    return time_point{detail::saturating_subtract(newest_.time_since_epoch(), any_pause() / 1'000)};
  }

  static constexpr time_point the_end{duration{std::int64_t{200} * a_year}};

  generator dice_;
  time_point now_;
  time_point newest_;
  duration pace_{};
  std::uint64_t left_ = 0;
};

}  // namespace laws

}  // namespace anew::inline ANEW_ABI::testing

#endif
