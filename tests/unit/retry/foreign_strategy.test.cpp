// SPDX-License-Identifier: BSL-1.0
// Strategies that are not composed of policies: the three functions, and nothing more, are what the driver needs.
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recording_sleeper.hpp"

#include "driver_support.hpp"

namespace retry_foreign_strategy_test {
namespace {

using namespace std::chrono_literals;
using anew::stop_reason;
using anew::testing::recording_sleeper;
using durations = std::vector<anew::duration>;

/// What a strategy was asked, and which of its tokens are about.
struct ledger {
  int acquired = 0;
  int refreshed = 0;
  int succeeded = 0;
  int alive = 0;
  std::vector<anew::failure> failures{};
};

/// A token that knows whether it was used already.
class token {
 public:
  token(ledger& in, anew::duration delay, int attempt) : ledger_{&in}, delay_{delay}, attempt_{attempt} { ++in.alive; }
  token(token&& other) noexcept
      : ledger_{std::exchange(other.ledger_, nullptr)}, delay_{other.delay_}, attempt_{other.attempt_} {}
  token& operator=(token&& other) noexcept {
    drop();
    ledger_ = std::exchange(other.ledger_, nullptr);
    delay_ = other.delay_;
    attempt_ = other.attempt_;
    return *this;
  }
  ~token() { drop(); }

  [[nodiscard]] anew::duration delay() const noexcept { return delay_; }
  [[nodiscard]] int attempt() const noexcept { return attempt_; }

  /// Once; what is taken is gone.
  bool use() noexcept {
    if (ledger_ == nullptr) return false;
    drop();
    return true;
  }

 private:
  void drop() noexcept {
    if (ledger_ != nullptr) --std::exchange(ledger_, nullptr)->alive;
  }
  ledger* ledger_;
  anew::duration delay_;
  int attempt_;
};

/// The least that a strategy is: three attempts, a delay before each of them, the first one too.
struct minimal {
  using token_type = token;
  ledger* in;
  anew::duration initial = 0ns;

  token_type acquire_initial_token() const { return ++in->acquired, token{*in, initial, 1}; }
  anew::refreshed<token_type> refresh_retry_token(token_type&& t, anew::failure const& what) const {
    ++in->refreshed;
    in->failures.push_back(what);
    EXPECT_TRUE(t.use()) << "a token is used once";
    if (t.attempt() >= 3) return stop_reason::attempts;
    return token{*in, t.attempt() * 10ms, t.attempt() + 1};
  }
  void record_success(token_type&& t) const {
    ++in->succeeded;
    EXPECT_TRUE(t.use()) << "a token is used once";
  }
};
static_assert(anew::RetryStrategy<minimal>);

/// The same with a classifier.
struct classifying : minimal {
  [[nodiscard]] anew::retry_all classifier() const { return {}; }
};
static_assert(anew::RetryStrategy<classifying>);

struct busy {
  anew::retry_safety safety = anew::retry_safety::yes;
  [[nodiscard]] anew::retry_safety is_retry_safe() const noexcept { return safety; }
};
struct answer {
  std::optional<busy> failed{};
  [[nodiscard]] bool has_value() const noexcept { return !failed.has_value(); }
  [[nodiscard]] busy const& error() const noexcept { return *failed; }
};

TEST(RetryForeignStrategy, WithoutAClassifierTheDefaultOneReads) {
  ledger in;
  auto const told = anew::retry_outcome(minimal{&in}, [] { return answer{busy{anew::retry_safety::no}}; });
  EXPECT_EQ(told.attempts(), 1U) << "what may not be retried is not, whatever the strategy answers";
  EXPECT_EQ(told.reason(), stop_reason::not_retryable);
  EXPECT_EQ(in.alive, 0);
}

TEST(RetryForeignStrategy, UndeclaredMaybeIsNotRetriedWhateverTheStrategyAnswers) {
  ledger in;
  auto const maybe = [] { return answer{busy{anew::retry_safety::maybe}}; };
  auto const told = anew::retry_outcome(minimal{&in}, maybe);
  EXPECT_EQ(told.attempts(), 1U);
  EXPECT_EQ(told.reason(), stop_reason::not_idempotent);
  EXPECT_EQ(in.alive, 0);
  recording_sleeper sleep;
  EXPECT_EQ(anew::retry_outcome(minimal{&in}, anew::idempotent(maybe), sleep).attempts(), 3U);
}

TEST(RetryForeignStrategy, WithAClassifierThatOneReads) {
  ledger in;
  recording_sleeper sleep;
  auto const told = anew::retry_outcome(classifying{{&in}}, [] { return answer{busy{anew::retry_safety::no}}; }, sleep);
  EXPECT_EQ(told.attempts(), 3U);
  ASSERT_EQ(in.failures.size(), 3U);
  EXPECT_EQ(in.failures[0].kind, anew::error_kind::transient);
  EXPECT_EQ(in.failures[0].safety, anew::retry_safety::yes);
}

/// A strategy around another one, with a deadline and a clock of its own, and a token that must not be taken twice.
struct bounded {
  static constexpr bool has_deadline = true;
  class token_type : public token {
   public:
    token_type(token t, anew::time_point until) : token{std::move(t)}, until_{until} {}
    [[nodiscard]] anew::time_point deadline() const noexcept { return until_; }

   private:
    anew::time_point until_;
  };
  ledger* in;
  anew::testing::manual_clock clock;

  [[nodiscard]] anew::time_point now() const { return clock.now(); }
  token_type acquire_initial_token() const { return ++in->acquired, token_type{token{*in, 0ns, 1}, now() + 10s}; }
  anew::refreshed<token_type> refresh_retry_token(token_type&& t, anew::failure const& what) const {
    return refresh_retry_token(std::move(t), what, now());
  }
  anew::refreshed<token_type> refresh_retry_token(token_type&& t, anew::failure const& /*what*/,
                                                  anew::time_point now) const {
    ++in->refreshed;
    auto const until = t.deadline();
    EXPECT_TRUE(t.use()) << "a token is used once";
    if (now + 1s >= until) return stop_reason::deadline;
    return token_type{token{*in, 1s, t.attempt() + 1}, until};
  }
  void record_success(token_type&& t) const {
    ++in->succeeded;
    EXPECT_TRUE(t.use()) << "a token is used once";
  }
};
static_assert(anew::RetryStrategy<bounded>);

TEST(RetryForeignStrategy, DeadlineOfItsOwnReachesTheAttempt) {
  ledger in;
  anew::testing::manual_clock clock;
  auto const until = clock.peek() + 10s;
  durations remaining;
  anew::testing::advancing_sleeper sleep{clock};
  auto const told = anew::retry_outcome(
      bounded{&in, clock},
      [&](anew::attempt& a) {
        EXPECT_EQ(a.deadline(), until);
        remaining.push_back(a.remaining());
        clock.advance(3s);
        return answer{busy{}};
      },
      sleep);
  EXPECT_EQ(remaining, (durations{10s, 6s, 2s}));
  EXPECT_EQ(told.reason(), stop_reason::deadline);
  EXPECT_EQ(in.acquired, 1);
  EXPECT_EQ(in.alive, 0);
  EXPECT_TRUE(anew::retry(bounded{&in, clock}, [](anew::attempt& /*a*/) { return answer{}; }).has_value());
  EXPECT_EQ(in.alive, 0);
}

/// A strategy around a composed one, which forwards.
template <class Inner>
struct forwarding {
  using token_type = typename Inner::token_type;
  Inner inner{};
  token_type acquire_initial_token() const { return inner.acquire_initial_token(); }
  anew::refreshed<token_type> refresh_retry_token(token_type&& t, anew::failure const& what) const {
    return inner.refresh_retry_token(std::move(t), what);
  }
  void record_success(token_type&& t) const { inner.record_success(std::move(t)); }
};

TEST(RetryForeignStrategy, AroundAComposedOne) {
  forwarding<anew::strategy<anew::no_backoff, anew::token_bucket<100>, anew::max_attempts<4>>> const strategy;
  recording_sleeper sleep;
  EXPECT_FALSE(anew::retry(strategy, [] { return answer{busy{}}; }, sleep).has_value());
  EXPECT_EQ(sleep.delays.size(), 3U);
  EXPECT_EQ(strategy.inner.quota().balance(), 100U - 42U);
  EXPECT_TRUE(anew::retry(strategy, [] { return answer{}; }, sleep).has_value());
  EXPECT_EQ(strategy.inner.quota().balance(), 100U - 41U);
}

#if ANEW_EXCEPTIONS
struct refused {
  std::string by;
};

/// Throws from whichever of its functions it is told to.
struct throwing {
  using token_type = token;
  ledger* in;
  std::string who;
  void pass(std::string const& self) const {
    if (who == self) throw refused{self};
  }
  token_type acquire_initial_token() const {
    pass("acquire");
    return token{*in, who == "initial sleep" ? 1ms : 0ms, 1};
  }
  anew::refreshed<token_type> refresh_retry_token(token_type&& t, anew::failure const& /*what*/) const {
    if (t.attempt() == 1) pass("refresh 1");
    if (t.attempt() == 2) pass("refresh 2");
    return token{*in, 0ns, t.attempt() + 1};
  }
  void record_success(token_type&& /*t*/) const { pass("success"); }
  [[nodiscard]] anew::retry_all classifier() const { return {}; }
};

TEST(RetryForeignStrategy, WhoseFunctionsThrow) {
  for (std::string const who : {"acquire", "refresh 1", "refresh 2", "success", "initial sleep"}) {
    for (bool by_exception : {false, true}) {
      for (bool with_outcome : {false, true}) {
        SCOPED_TRACE(who + (by_exception ? ", by exception" : "") + (with_outcome ? ", outcome" : ""));
        ledger in;
        support::tracked::reset();
        int calls = 0;
        auto const operation = [&]() -> std::optional<support::tracked> {
          if (++calls == 3) return support::tracked{1};
          if (by_exception) throw support::tracked{0};
          return std::nullopt;
        };
        auto const sleep = [&](anew::duration d) {
          if (d > 0ns) throw refused{"initial sleep"};
        };
        throwing const strategy{&in, who};
        try {
          if (with_outcome) {
            static_cast<void>(anew::retry_outcome(strategy, operation, sleep));
          } else {
            (void)anew::retry(strategy, operation, sleep);
          }
          ADD_FAILURE() << "nothing was thrown";
        } catch (refused const& e) {
          EXPECT_EQ(e.by, who);
        }
        EXPECT_EQ(in.alive, 0) << "a token is lost";
        EXPECT_EQ(support::tracked::alive, 0);
      }
    }
  }
}
#endif

}  // namespace
}  // namespace retry_foreign_strategy_test
