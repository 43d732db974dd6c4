// SPDX-License-Identifier: BSL-1.0
// What happens when a part that is not the operation throws: that exception escapes, it is never taken for the
// operation's, the quota is settled, and nothing stays behind.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "anew/anew.hpp"

#include "driver_support.hpp"
#include "names.hpp"

namespace retry_throwing_parts_test {
namespace {

using support::audited_quota, support::flag_stop, support::tracked;

/// What a part throws. Not an error of the operation's, so nobody may retry it.
struct part_error {
  int at;
};

TEST(RetryThrowingParts, ExceptionOfASleeperThatLooksLikeTheOperationsIsNotRetried) {
  // The same type as the operation throws, and the classifier would retry it.
  anew::strategy<anew::retry_on<part_error>, anew::no_backoff, anew::max_attempts<5>, anew::token_bucket<100>> const s;
  int calls = 0;
  auto const operation = [&]() -> int { throw part_error{++calls}; };
  auto const sleep = [&](anew::duration /*d*/) {
    if (calls == 2) throw part_error{99};
  };
  try {
    anew::retry(s, operation, sleep);
    ADD_FAILURE() << "nothing was thrown";
  } catch (part_error const& e) {
    EXPECT_EQ(e.at, 99);
  }
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(s.quota().balance(), 86U);
  calls = 0;
  EXPECT_THROW(static_cast<void>(anew::retry_outcome(s, operation, sleep)), part_error) << "it is no outcome";
}

/// A result whose move throws when it is told to. No copy, so that nothing else can be tried.
struct heavy : tracked {
  static inline int throw_at_move = 0;
  static inline int heavy_moves = 0;
  explicit heavy(int v) : tracked{v} {}
  heavy(heavy&& other) : tracked{check(other)} {}
  [[nodiscard]] bool has_value() const noexcept { return value > 0; }
  [[nodiscard]] int error() const noexcept { return value; }

 private:
  static tracked check(heavy& other) {
    if (++heavy_moves == throw_at_move) throw part_error{heavy_moves};
    return tracked{other.value};
  }
};

TEST(RetryThrowingParts, ResultWhoseMoveThrows) {
  flag_stop::state state;
  for (bool with_stop : {false, true}) {
    for (bool with_outcome : {false, true}) {
      for (int good : {1, 2, 3, 4}) {
        // However often the result is moved: whichever of the moves throws, the books are right and nothing leaks.
        for (int bad_move = 1; bad_move <= 12; ++bad_move) {
          SCOPED_TRACE("stop " + std::to_string(with_stop) + ", outcome " + std::to_string(with_outcome) + ", good " +
                       std::to_string(good) + ", move " + std::to_string(bad_move));
          tracked::reset();
          heavy::heavy_moves = 0;
          heavy::throw_at_move = bad_move;
          audited_quota::books books;
          int calls = 0;
          auto const strategy =
              anew::compose(anew::retry_all{}, audited_quota{books}, anew::no_backoff{}, anew::max_attempts<3>{});
          auto const operation = [&] { return heavy{++calls >= good ? 1 : -1}; };
          bool threw = false;
          try {
            auto const call = [&](auto const&... stop) {
              if (with_outcome) static_cast<void>(anew::retry_outcome(strategy, operation, no_sleep, stop...));
              if (!with_outcome) static_cast<void>(anew::retry(strategy, operation, no_sleep, stop...));
            };
            with_stop ? call(flag_stop{state}) : call();
          } catch (part_error const&) {
            threw = true;
          }
          EXPECT_EQ(threw, heavy::heavy_moves >= bad_move) << "an exception of the result's own is lost";
          EXPECT_EQ(books.outstanding(), 0U) << "a permit is lost, or came back twice";
          EXPECT_EQ(tracked::alive, 0);
          EXPECT_LE(calls, 3);
        }
      }
    }
  }
}

}  // namespace
}  // namespace retry_throwing_parts_test
