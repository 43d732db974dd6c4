// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_SUBJECT_HPP
#define ANEW_TESTING_LAWS_SUBJECT_HPP

#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"

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

/// Runs `work(number)` on some threads at once, and waits for them.
template <class Work>
void on_threads(Work const& work) {
  std::vector<std::thread> workers;
  workers.reserve(threads);
  for (unsigned number = 0; number < threads; ++number) workers.emplace_back([&work, number] { work(number); });
  for (auto& worker : workers) worker.join();
}

}  // namespace laws
}  // namespace anew::inline ANEW_ABI::testing

#endif
