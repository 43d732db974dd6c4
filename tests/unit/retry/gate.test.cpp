// SPDX-License-Identifier: BSL-1.0
// What a gate does to a call: it refuses the first attempt or a later one, lets it wait, and gets each pass back once.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/gate/circuit_breaker.hpp"
#include "anew/gate/cool_down.hpp"
#include "anew/nesting/nesting_guard.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/lowest_random.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recording_sleeper.hpp"
#include "anew/testing/scripted_random.hpp"

#include "driver_support.hpp"
#include "recording_quota.hpp"

namespace retry_gate_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::stop_reason;
using anew::testing::advancing_sleeper;
using anew::testing::manual_clock;
using anew::testing::recording_sleeper;
using support::recorder;
using story = std::vector<std::string>;

/// Answers as it is told, admits when it is told nothing, and keeps books: every pass comes back once.
class scripted_gate {
 public:
  using role = anew::roles::gate;
  using pass_type = std::uint32_t;
  struct books {
    std::vector<duration> waits;  ///< one for each question: 0 admits, below 0 refuses
    std::size_t asked = 0;
    pass_type last = 0;
    bool foresees_refusal = false;
    std::vector<anew::time_point> asked_at;
    std::vector<anew::time_point> foreseen_at;
    story told;
  };
  explicit scripted_gate(books& in) : books_{&in} {}

  [[nodiscard]] anew::admission<pass_type> try_enter(anew::time_point now) const {
    books_->asked_at.push_back(now);
    auto const index = books_->asked++;
    auto const wait = index < books_->waits.size() ? books_->waits[index] : duration::zero();
    if (wait > 0s) return anew::admission<pass_type>::ask_again_in(wait);
    if (wait < 0s) return anew::admission<pass_type>::refuse();
    return anew::admission<pass_type>::admit(++books_->last);
  }
  void on_success(pass_type pass, anew::time_point) const { tell("success", pass); }
  void on_failure(pass_type pass, anew::failure const& what, anew::time_point) const {
    tell(std::string{to_string(what.kind)}.c_str(), pass);
  }
  void release(pass_type pass) const { tell("release", pass); }
  [[nodiscard]] bool would_refuse(anew::time_point at) const {
    books_->foreseen_at.push_back(at);
    return books_->foresees_refusal;
  }

 private:
  void tell(char const* what, pass_type pass) const {
    books_->told.push_back(std::string{what} + " " + std::to_string(pass));
  }
  books* books_;
};
static_assert(anew::Gate<scripted_gate>);

constexpr duration refuse{-1};

/// A result that carries an error and says what a refused call returns.
struct answer {
  std::string error_text;
  [[nodiscard]] bool has_value() const { return error_text.empty(); }
  [[nodiscard]] std::string const& error() const { return error_text; }
};

}  // namespace
}  // namespace retry_gate_test

template <>
struct anew::refused_result<retry_gate_test::answer> {
  static retry_gate_test::answer make(anew::stop_reason why) { return {std::string{"not tried: "} + to_string(why)}; }
};

namespace retry_gate_test {
namespace {

struct fixture {
  scripted_gate::books gate{};
  manual_clock clock{};
  recorder::heard heard{};
  template <class... More>
  auto strategy(More... more) {
    return anew::compose(scripted_gate{gate}, manual_clock{clock}, anew::retry_all{}, anew::no_jitter{},
                         anew::constant_backoff<1s>{}, recorder{heard}, std::move(more)...);
  }
};

TEST(Gate, ARefusedFirstAttemptReturnsWhatTheResultSays) {
  fixture f;
  f.gate.waits = {refuse};
  auto const strategy = f.strategy();
  int calls = 0;
  auto const result = anew::retry(strategy, [&] {
    ++calls;
    return answer{};
  });
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(result.error_text, "not tried: gate_closed");
  EXPECT_EQ(f.heard.story, story{"end gate_closed after 0"});
  EXPECT_TRUE(f.gate.told.empty());
}

TEST(Gate, TheOutcomeOfARefusedCall) {
  fixture f;
  f.gate.waits = {refuse};
  auto const strategy = f.strategy();
  auto const outcome = anew::retry_outcome(strategy, [] { return answer{}; });
  EXPECT_EQ(outcome.reason(), stop_reason::gate_closed);
  EXPECT_EQ(outcome.attempts(), 0U);
  EXPECT_FALSE(outcome.succeeded());
  ASSERT_TRUE(outcome.has_result());
  EXPECT_EQ(outcome.result().error_text, "not tried: gate_closed");
}

TEST(Gate, ARefusedCallOfAnOperationWithoutAResultThrows) {
  fixture f;
  f.gate.waits = {refuse};
  auto const strategy = f.strategy();
  EXPECT_THROW((void)anew::retry(strategy, [] {}), anew::call_refused);
}

TEST(Gate, ATokenThatIsThrownAwayReleasesItsPass) {
  scripted_gate::books books;
  auto const strategy = anew::compose(scripted_gate{books}, anew::retry_all{});
  {
    auto token = strategy.acquire_initial_token();
    EXPECT_TRUE(books.told.empty());
    EXPECT_TRUE(strategy.admit(token, strategy.now()).begins());
    auto moved = std::move(token);
    EXPECT_TRUE(books.told.empty());
  }
  EXPECT_EQ(books.told, story{"release 1"});
  {
    auto token = strategy.acquire_initial_token();
    EXPECT_TRUE(strategy.admit(token, strategy.now()).begins());
    auto next = strategy.refresh_retry_token(std::move(token), anew::failure{});
    ASSERT_TRUE(next.has_value());
    EXPECT_EQ(books.told, (story{"release 1", "transient 2"}));
    books.waits = {0s, 0s, refuse, 7s};
    EXPECT_EQ(strategy.admit(*next, strategy.now()).refusal, anew::stop_reason::gate_closed);
    EXPECT_EQ(strategy.admit(*next, strategy.now()).wait, 7s);
  }
  EXPECT_EQ(books.told, (story{"release 1", "transient 2"}));  // an attempt that was not admitted holds nothing
}

// The whole of it, with the shipped gate: one caller finds out, the others are told at once.
TEST(Gate, ABrokenCircuitAnswersAtOnceAndHeals) {
  manual_clock const clock;
  auto const strategy = anew::compose(anew::circuit_breaker<3, 30s>{}, manual_clock{clock}, anew::retry_all{},
                                      anew::constant_backoff<1s>{}, anew::no_jitter{}, anew::max_attempts<5>{});
  advancing_sleeper sleeper{clock};
  int calls = 0;
  bool is_up = false;
  auto const request = [&] {
    ++calls;
    return answer{is_up ? "" : "down"};
  };
  auto const first = anew::retry_outcome(strategy, request, sleeper);
  EXPECT_EQ(first.reason(), stop_reason::gate_closed);
  EXPECT_EQ(first.attempts(), 3U);
  EXPECT_EQ(first.result().error_text, "down");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(anew::retry(strategy, request, sleeper).error_text, "not tried: gate_closed");
  EXPECT_EQ(calls, 3);
  clock.advance(30s);
  EXPECT_EQ(anew::retry_outcome(strategy, request, sleeper).attempts(), 1U);  // the probe fails
  EXPECT_EQ(calls, 4);
  clock.advance(30s);
  is_up = true;
  EXPECT_TRUE(anew::retry(strategy, request, sleeper).has_value());
  EXPECT_EQ(strategy.gate().state(), anew::breaker_state::closed);
}

TEST(Gate, CallersOfACoolingDestinationWait) {
  manual_clock const clock;
  auto const strategy = anew::compose(anew::cool_down<anew::exponential_backoff<10s, 60s>>{}, manual_clock{clock},
                                      anew::retry_all{}, anew::constant_backoff<1s>{}, anew::no_jitter{},
                                      anew::max_attempts<2>{}, anew::testing::lowest_random{});
  advancing_sleeper sleeper{clock};
  (void)anew::retry(strategy, [] { return false; }, sleeper);
  EXPECT_EQ(sleeper.delays, (std::vector<duration>{1s, 9s}));
  sleeper.delays.clear();
  EXPECT_TRUE(anew::retry(strategy, [] { return true; }, sleeper));  // another call, which failed in nothing
  EXPECT_EQ(sleeper.delays, std::vector<duration>{20s});
  EXPECT_EQ(strategy.gate().failures(), 0U);
}

}  // namespace
}  // namespace retry_gate_test
