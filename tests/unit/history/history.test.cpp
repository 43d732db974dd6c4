// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/history/history.hpp"

#include "counted_heap.hpp"
#include "driver_support.hpp"
#include "failed_answer.hpp"
#include "names.hpp"
#include "rejection.hpp"
#include "sanitized.hpp"

namespace history_history_test {
namespace {

using namespace anew;

constexpr auto no_sleep = [](duration) {};

struct coded {
  int code;
  [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::yes; }
};
struct result {
  coded what;
  [[nodiscard]] bool has_value() const { return what.code == 0; }
  [[nodiscard]] coded const& error() const { return what; }
};

template <class History, class... More>
using keeps = anew::strategy<History, no_backoff, max_attempts<5>, More...>;

std::vector<std::uint32_t> attempts_in(auto const& log) {
  std::vector<std::uint32_t> all;
  for (auto const& entry : log) all.push_back(entry.attempt);
  return all;
}
using numbers = std::vector<std::uint32_t>;

TEST(History, KeepsWhatFailedOldestFirst) {
  int calls = 0;
  auto const outcome =
      retry_outcome(keeps<history<8>>{}, [&] { return result{{++calls == 4 ? 0 : calls * 10}}; }, no_sleep);
  auto const& log = outcome.history();
  ASSERT_EQ(log.size(), 3U);
  EXPECT_FALSE(log.empty());
  EXPECT_EQ(log.dropped(), 0U);
  EXPECT_EQ(attempts_in(log), (numbers{1, 2, 3}));
  EXPECT_EQ(log[0].error->code, 10);
  EXPECT_EQ(log[2].error->code, 30);
  EXPECT_EQ(log.front().attempt, 1U);
  EXPECT_EQ(log.back().attempt, 3U);
  EXPECT_EQ(log[0].what.kind, error_kind::transient);
}

/// The attempts that it keeps of five, and how many it has dropped.
template <int N>
std::pair<numbers, std::uint32_t> of_five() {
  int calls = 0;
  auto outcome = retry_outcome(keeps<history<N>>{}, [&] { return result{{++calls}}; }, no_sleep);
  auto const moved = std::move(outcome);
  for (auto const& entry : moved.history()) EXPECT_EQ(entry.error->code, static_cast<int>(entry.attempt));
  return {attempts_in(moved.history()), static_cast<std::uint32_t>(moved.history().dropped())};
}

TEST(History, ForgetsTheOldest) {
  EXPECT_EQ(of_five<1>(), (std::pair{numbers{5}, 4U}));
  EXPECT_EQ(of_five<2>(), (std::pair{numbers{4, 5}, 3U}));
  EXPECT_EQ(of_five<5>(), (std::pair{numbers{1, 2, 3, 4, 5}, 0U}));
  auto const at_once = retry_outcome(keeps<history<3>>{}, [] { return result{{0}}; }, no_sleep);
  EXPECT_TRUE(at_once.history().empty());
  EXPECT_EQ(at_once.history().size(), 0U);
  EXPECT_EQ(at_once.history().begin(), at_once.history().end());
}

TEST(History, AFinalFailureIsKeptToo) {
  auto const only_the_first = [](coded const& e) { return e.code < 2; };
  using final_error = keeps<history<3>, retry_if<decltype(only_the_first)>>;
  int calls = 0;
  auto const outcome = retry_outcome(final_error{}, [&] { return result{{++calls}}; }, no_sleep);
  EXPECT_EQ(outcome.reason(), stop_reason::not_retryable);
  ASSERT_EQ(attempts_in(outcome.history()), (numbers{1, 2}));
  EXPECT_EQ(outcome.history()[1].what.safety, retry_safety::no);
  EXPECT_EQ(outcome.history()[1].error->code, 2);
}

TEST(History, OneThatIsOnlyMovedIsNotKept) {
  struct moved_only {
    std::unique_ptr<int> cause;
    [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::yes; }
  };
  auto const fails = [] { return support::failed_answer<moved_only>{}; };
  auto const outcome = retry_outcome(keeps<history<3>>{}, fails, no_sleep);
  EXPECT_EQ(attempts_in(outcome.history()), (numbers{3, 4, 5}));
}

TEST(History, ResultsThatSayLittleAreCounted) {
  using all = keeps<history<3>, retry_all>;
  EXPECT_EQ(retry_outcome(all{}, [] { return false; }, no_sleep).history().size(), 3U);
  EXPECT_EQ(retry_outcome(all{}, [] { return std::optional<int>{}; }, no_sleep).history().size(), 3U);
}

TEST(History, IteratesForward) {
  using iterator = history<2>::log<int>::iterator;
  static_assert(std::forward_iterator<iterator>);
  history<2>::log<int> log;
  log.add(1, failure{}, 7);
  log.add(2, failure{}, 8);
  log.add(3, failure{}, 9);
  auto it = log.begin();
  EXPECT_EQ(it++->attempt, 2U);
  EXPECT_EQ((*it).error, 9);
  EXPECT_EQ(++it, log.end());
}

TEST(History, AnEntryIsMadeAnew) {
  history<1>::log<int> log;
  log.add(1, failure{}, 7);
  log.add(2, failure{.kind = error_kind::server});
  EXPECT_EQ(log[0].attempt, 2U);
  EXPECT_EQ(log[0].what.kind, error_kind::server);
  EXPECT_FALSE(log[0].error.has_value());
}

#if !ANEW_TEST_UNDER_TSAN
TEST(History, AsksNothingOfTheHeap) {
  int calls = 0;
  std::size_t kept = 0;
  auto const call = [&] {
    kept = retry_outcome(keeps<history<3>>{}, [&] { return result{{++calls}}; }, no_sleep).history().size();
  };
  EXPECT_EQ(support::allocations_of(call), 0);
  EXPECT_EQ(kept, 3U);
}
#endif

#if ANEW_EXCEPTIONS
std::string message_of(std::exception_ptr const& thrown) {
  return thrown ? support::rejection_of<std::exception>([&] { std::rethrow_exception(thrown); }) : "none";
}

TEST(History, KeepsExceptions) {
  using all = keeps<history<3>, retry_all>;
  int calls = 0;
  auto const outcome = retry_outcome(all{}, [&] { throw std::runtime_error{std::to_string(++calls)}; }, no_sleep);
  ASSERT_EQ(attempts_in(outcome.history()), (numbers{3, 4, 5}));
  EXPECT_EQ(message_of(outcome.history()[0].exception), "3");
  EXPECT_EQ(message_of(outcome.history()[2].exception), "5");
  EXPECT_FALSE(outcome.has_result());
}

template <int N>
void keeps_both() {
  int calls = 0;
  auto const outcome = retry_outcome(
      keeps<history<N>, retry_all>{},
      [&]() -> result {
        if (++calls % 2 == 0) throw std::runtime_error{"thrown"};
        return {{calls}};
      },
      no_sleep);
  ASSERT_EQ(outcome.history().size(), std::size_t{N});
  EXPECT_EQ(outcome.history().back().attempt, 5U);
  for (auto const& entry : outcome.history()) {
    EXPECT_EQ(entry.error.has_value(), entry.attempt % 2 == 1);
    EXPECT_EQ(message_of(entry.exception), entry.attempt % 2 == 0 ? "thrown" : "none");
  }
}

TEST(History, KeepsBothSideBySideAndForgetsAnExceptionWithItsEntry) {
  keeps_both<5>();
  keeps_both<1>();
}

// A call that is made while the caller handles an exception of its own.
TEST(History, TheCallersOwnExceptionIsNotTheOperations) {
  struct judge {
    using role = roles::classifier;
    [[nodiscard]] static directive classify_result(int) { return directive::retry(error_kind::server); }
  };
  try {
    throw std::runtime_error{"the caller's"};
  } catch (std::exception const&) {
    auto const values = retry_outcome(keeps<history<3>>{}, [] { return result{{1}}; }, no_sleep);
    EXPECT_EQ(message_of(values.history()[0].exception), "none");
    auto const plain = retry_outcome(keeps<history<3>, judge>{}, [] { return 1; }, no_sleep);
    ASSERT_EQ(plain.history().size(), 3U);
    EXPECT_EQ(message_of(plain.history()[0].exception), "none");
  }
}

struct throws_when_copied {
  bool armed = false;
  throws_when_copied() = default;
  throws_when_copied(throws_when_copied const& other) : armed{other.armed} {
    if (armed) throw std::logic_error{"copied"};
  }
  throws_when_copied& operator=(throws_when_copied const&) = default;
  ~throws_when_copied() = default;
  [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::yes; }
};
struct hard_to_copy {
  std::unique_ptr<throws_when_copied> what;
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] throws_when_copied const& error() const { return *what; }
};
TEST(History, ACopyThatThrowsEndsTheCall) {
  auto const fails = [] {
    auto error = std::make_unique<throws_when_copied>();
    error->armed = true;
    return hard_to_copy{std::move(error)};
  };
  support::audited_quota::books books;
  auto const strategy = compose(history<3>{}, no_backoff{}, max_attempts<5>{}, support::audited_quota{books});
  EXPECT_THROW(static_cast<void>(retry_outcome(strategy, fails, no_sleep)), std::logic_error);
  EXPECT_EQ(books.outstanding(), 0U);
}
#endif

}  // namespace
}  // namespace history_history_test
