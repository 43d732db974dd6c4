// SPDX-License-Identifier: BSL-1.0
// Delays that grow by a factor are those of exact arithmetic, rounded to the nearest nanosecond. Beside it an integer of
// any length: the delay v is nearest to base * (num/den)^n where |2 v den^n - 2 base num^n| <= den^n.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "anew/base/internal/scale.hpp"

namespace {

using anew::duration;

/// A natural number of any length, the low words first.
class natural {
 public:
  explicit natural(std::uint64_t value) : words_{value} {}

  natural& operator*=(std::uint64_t factor) {
    anew::detail::uint128 carry = 0;
    for (auto& word : words_) {
      carry += static_cast<anew::detail::uint128>(word) * factor;
      word = static_cast<std::uint64_t>(carry);
      carry >>= 64U;
    }
    if (carry != 0) words_.push_back(static_cast<std::uint64_t>(carry));
    return *this;
  }
  [[nodiscard]] natural minus(natural const& smaller) const {
    natural result{*this};
    bool borrowed = false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      auto const other = i < smaller.words_.size() ? smaller.words_[i] : 0;
      result.words_[i] = words_[i] - other - (borrowed ? 1U : 0U);
      borrowed = words_[i] < other || (borrowed && words_[i] == other);
    }
    return result;
  }
  [[nodiscard]] bool is_below(natural const& other) const {
    for (auto i = std::max(words_.size(), other.words_.size()); i-- > 0;) {
      auto const mine = i < words_.size() ? words_[i] : 0;
      auto const theirs = i < other.words_.size() ? other.words_[i] : 0;
      if (mine != theirs) return mine < theirs;
    }
    return false;
  }

 private:
  std::vector<std::uint64_t> words_;
};

bool is_nearest(std::uint64_t delay, std::uint64_t base, std::uint64_t num, std::uint64_t den, std::uint32_t power) {
  natural exact{base};
  natural unit{1};
  for (std::uint32_t i = 0; i < power; ++i) {
    exact *= num;
    unit *= den;
  }
  exact *= 2;
  natural twice{unit};
  (twice *= delay) *= 2;
  return !unit.is_below(twice.is_below(exact) ? exact.minus(twice) : twice.minus(exact));
}

TEST(Rounding, TheJudgeKnowsTheNearest) {
  EXPECT_TRUE(is_nearest(3, 2, 3, 2, 1));
  EXPECT_FALSE(is_nearest(4, 2, 3, 2, 1));
  EXPECT_TRUE(is_nearest(4, 3, 3, 2, 1) && is_nearest(5, 3, 3, 2, 1)) << "4.5 is as near to both";
  EXPECT_FALSE(is_nearest(3, 3, 3, 2, 1) || is_nearest(6, 3, 3, 2, 1));
}

/// The delay, looked at where it is below the longest there is.
std::uint64_t compared = 0;
void compare(std::uint64_t base, std::uint64_t num, std::uint64_t den, std::uint32_t power) {
  auto const delay =
      anew::detail::scale_by_power(duration{static_cast<std::int64_t>(base)}, duration::max(), num, den, power);
  if (delay == duration::max()) return;
  ASSERT_GE(delay.count(), static_cast<std::int64_t>(base));
  ASSERT_TRUE(is_nearest(static_cast<std::uint64_t>(delay.count()), base, num, den, power))
      << base << " ns * (" << num << "/" << den << ")^" << power << " is not " << delay.count() << " ns";
  ++compared;
}

TEST(Rounding, OfADelayIsToTheNearestNanosecond) {
  std::mt19937_64 random{20261122};
  auto const of_any_length = [&](unsigned most) { return (random() >> (64U - most + random() % most)) + 1; };
  compared = 0;
  for (int i = 0; i < 300'000 && !HasFailure(); ++i) {
    auto const base = of_any_length(62);
    auto const den = of_any_length(i % 2 == 0 ? 10 : 61);
    auto const num = den + (i % 3 == 0 ? of_any_length(61) % (3 * den) : den / (1 + random() % 64));
    compare(base, num, den, 1 + static_cast<std::uint32_t>(random() % (i % 4 == 0 ? 200 : 40)));
  }
  EXPECT_GT(compared, 100'000U);
}

TEST(Rounding, OfADelayThatGrowsForLong) {
  std::mt19937_64 random{20261122};
  compared = 0;
  for (int i = 0; i < 30 && !HasFailure(); ++i) {
    auto const den = 200 + random() % 1800;
    auto const power = static_cast<std::uint32_t>(den * (10 + random() % 30) / 2);
    compare(1 + random() % 1000, den + 1, den, power);
  }
  EXPECT_GT(compared, 10U);
}

}  // namespace
