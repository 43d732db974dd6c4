// SPDX-License-Identifier: BSL-1.0
// What a gate does to a call: it refuses the first attempt or a later one, lets it wait, and gets each pass back once.
#include <chrono>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/manual_clock.hpp"

#include "names.hpp"
#include "stories/parts.hpp"

namespace retry_gate_test {
namespace {

struct closed {
  using role = anew::roles::gate;
  using pass_type = anew::no_permit;
  [[nodiscard]] static anew::admission<pass_type> try_enter(anew::time_point /*now*/) {
    return anew::admission<pass_type>::refuse();
  }
  static void on_success(pass_type /*pass*/, anew::time_point /*now*/) {}
  static void on_failure(pass_type /*pass*/, anew::failure const& /*what*/, anew::time_point /*now*/) {}
  static void release(pass_type /*pass*/) {}
};
using refusing = anew::strategy<closed, anew::retry_all>;

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

TEST(Gate, ARefusedCallReturnsWhatTheResultSays) {
  auto const never = []() -> answer {
    ADD_FAILURE();
    return {};
  };
  EXPECT_EQ(anew::retry(refusing{}, never).error_text, "not tried: gate_closed");
  auto const outcome = anew::retry_outcome(refusing{}, never);
  EXPECT_EQ(outcome.reason(), stop_reason::gate_closed);
  EXPECT_EQ(outcome.attempts(), 0U);
  EXPECT_FALSE(outcome.succeeded());
  ASSERT_TRUE(outcome.has_result());
  EXPECT_EQ(outcome.result().error_text, "not tried: gate_closed");
  EXPECT_THROW(anew::retry(refusing{}, [] {}), anew::call_refused) << "there is no result";
}

TEST(Gate, ATokenThatIsThrownAwayGivesItsPassAndItsTicketBack) {
  namespace s = support::stories;
  s::story const told{"", s::in::gated, {.gate = "0 0 0 -1 7", .pacer = "0 3 0"}, "ok", ""};
  s::world w{told};
  auto const strategy = anew::compose(s::gate{w}, s::pacer{w}, anew::retry_all{}, anew::no_jitter{},
                                      anew::constant_backoff<1s>{}, w.clock);
  auto const admit = [&](auto& token) { return strategy.admit(token, strategy.now()); };
  {
    auto token = strategy.acquire_initial_token();
    EXPECT_EQ(w.books(), "");
    EXPECT_TRUE(admit(token).begins());
    auto moved = std::move(token);
    EXPECT_EQ(w.held, 1);
  }
  EXPECT_EQ(w.books(), "gate 0 @0; pace 0 @0; left 1");
  {
    auto token = strategy.acquire_initial_token();
    EXPECT_EQ(admit(token).wait, 3ms);
    auto const moved = std::move(token);
    EXPECT_EQ(w.held, 2);
  }
  EXPECT_EQ(w.held, 0);
  auto token = strategy.acquire_initial_token();
  EXPECT_TRUE(admit(token).begins());
  auto next = strategy.refresh_retry_token(std::move(token), anew::failure{});
  ASSERT_TRUE(next.has_value());
  EXPECT_EQ(admit(*next).refusal, stop_reason::gate_closed);
  EXPECT_EQ(admit(*next).wait, 7ms);
  EXPECT_EQ(w.held, 0) << "an attempt that was not admitted holds nothing";
}

}  // namespace
}  // namespace retry_gate_test
