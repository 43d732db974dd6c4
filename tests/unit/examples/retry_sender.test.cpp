// SPDX-License-Identifier: BSL-1.0
// The sender adaptor of the examples, by virtual time: what a driver that is written on call_engine has to get right.
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

#include "names.hpp"
#include "support/minimal_sender.hpp"
namespace ex = minimal;
#include "support/retry_sender.hpp"

namespace examples_retry_sender_test {
namespace {

using book = std::vector<std::string>;
auto const refused = std::make_error_code(std::errc::connection_refused);
auto const denied = std::make_error_code(std::errc::permission_denied);
auto const late = std::make_error_code(std::errc::timed_out);

struct answer {
  anew::duration takes{};
  std::variant<int, std::error_code, std::exception_ptr, std::monostate> result;
};

struct stage {
  minimal::virtual_loop loop{};
  book lines{};
  std::vector<answer> answers{};
  std::size_t made = 0;
  std::optional<std::variant<int, std::error_code, std::exception_ptr, std::monostate>> end{};
  std::function<void()> on_end = [] {};
  ex::inplace_stop_source stop{};

  void note(std::string line) {
    lines.push_back(std::move(line.append(" at ").append(std::to_string(loop.clock.peek().time_since_epoch() / 1ms))));
  }
  /// The sender of the next attempt.
  auto next() {
    auto const& one = answers.at(made++);
    note("attempt");
    auto const complete = [this, result = one.result](auto&& to) {
      note("answer");
      if (result.index() == 0) return ex::set_value(std::move(to), std::get<0>(result));
      if (result.index() == 1) return ex::set_error(std::move(to), std::get<1>(result));
      if (result.index() == 2) return ex::set_error(std::move(to), std::get<2>(result));
      ex::set_stopped(std::move(to));
    };
    return minimal::timed_sender<std::remove_const_t<decltype(complete)>, int>{&loop, one.takes, complete};
  }
  [[nodiscard]] auto on() { return minimal::scheduler{&loop}; }
  [[nodiscard]] auto code() const { return end && end->index() == 1 ? std::get<1>(*end) : std::error_code{}; }
};

struct receiver {
  using receiver_concept = ex::receiver_tag;
  struct environment {
    ex::inplace_stop_token token;
    [[nodiscard]] auto query(ex::get_stop_token_t /*query*/) const noexcept { return token; }
  };
  stage* to;
  [[nodiscard]] environment get_env() const noexcept { return {to->stop.get_token()}; }
  template <class T>
  void end(T&& with) const {
    EXPECT_FALSE(to->end) << "completed twice";
    to->end.emplace(std::forward<T>(with));
    to->note("end");
    to->on_end();
  }
  void set_value(int value) && noexcept { end(value); }
  void set_error(std::error_code code) && noexcept { end(code); }
  void set_error(std::exception_ptr thrown) && noexcept { end(thrown); }
  void set_stopped() && noexcept { end(std::monostate{}); }
};

template <class... Ps>
auto strategy_of(stage const& s, Ps&&... policies) {
  return anew::compose(anew::error_code_classifier{}, anew::constant_backoff<100ms>{}, anew::no_jitter{}, s.loop.clock,
                       std::forward<Ps>(policies)...);
}

TEST(RetrySender, AnAttemptIsCutAtItsLimitAndRetried) {
  stage s{.answers = {{10s, 1}, {10ms, refused}, {50ms, 2}}};
  auto const strategy = strategy_of(s, anew::attempt_timeout<60ms>{});
  auto const op = anew::idempotent([&] { return s.next(); });
  auto call = ex::connect(senders::retry{strategy, s.on(), op}, receiver{&s});
  ex::start(call);
  s.loop.run();
  EXPECT_EQ(s.lines,
            (book{"attempt at 0", "attempt at 160", "answer at 170", "attempt at 270", "answer at 320", "end at 320"}));
  EXPECT_EQ(std::get<0>(*s.end), 2);
  EXPECT_EQ(s.loop.waiting(), 0U) << "the timer of the limit ends with the attempt";
}

TEST(RetrySender, AnAttemptThatIsLateAtTheEndIsTimedOut) {
  stage s{.answers = {{10s, 1}}};
  auto const strategy = strategy_of(s, anew::attempt_timeout<60ms>{});
  auto call = ex::connect(senders::retry{strategy, s.on(), [&] { return s.next(); }}, receiver{&s});
  ex::start(call);
  s.loop.run();
  EXPECT_EQ(s.code(), late) << "not idempotent, so it is not retried";
  EXPECT_EQ(s.made, 1U);
}

TEST(RetrySender, AStopInTheWaitDeliversTheKeptErrorAtOnce) {
  stage s{.answers = {{10ms, refused}}};
  auto const strategy = strategy_of(s, anew::token_bucket<500>{});
  auto const op = [&] { return s.next(); };
  auto make = [&] { return ex::connect(senders::retry{strategy, s.on(), op}, receiver{&s}); };
  std::unique_ptr<decltype(make())> call{
      new decltype(make())(make())};  // the heap, so that a sanitizer sees what outlives it
  s.on_end = [&] { call.reset(); };   // as a coroutine's frame would be
  ex::start(*call);
  s.loop.run(s.loop.clock.peek() + 50ms);
  s.stop.request_stop();
  EXPECT_EQ(s.code(), refused);
  EXPECT_EQ(s.loop.waiting(), 0U);
  EXPECT_EQ(strategy.quota().balance(), 500U);
}

TEST(RetrySender, AStopInTheAttempt) {
  stage s{.answers = {{10s, 1}}};
  auto const strategy = strategy_of(s, anew::attempt_timeout<60s>{}, anew::token_bucket<500>{});
  auto const op = anew::idempotent([&] { return s.next(); });
  auto make = [&] { return ex::connect(senders::retry{strategy, s.on(), op}, receiver{&s}); };
  std::unique_ptr<decltype(make())> call{
      new decltype(make())(make())};  // the heap, so that a sanitizer sees what outlives it
  s.on_end = [&] { call.reset(); };
  ex::start(*call);
  s.stop.request_stop();
  ASSERT_TRUE(s.end);
  EXPECT_EQ(s.end->index(), 3U) << "set_stopped";
  EXPECT_EQ(s.loop.waiting(), 0U);
  EXPECT_EQ(strategy.quota().balance(), 500U);
}

TEST(RetrySender, AStopBeforeTheStart) {
  stage s;
  s.stop.request_stop();
  auto const strategy = strategy_of(s);
  auto call = ex::connect(senders::retry{strategy, s.on(), [&] { return s.next(); }}, receiver{&s});
  ex::start(call);
  ASSERT_TRUE(s.end);
  EXPECT_EQ(s.end->index(), 3U);
  EXPECT_EQ(s.made, 0U);
}

TEST(RetrySender, AnAttemptMayAskForTheStop) {
  stage s{.answers = {{10ms, 1}}};
  auto const strategy = strategy_of(s);
  bool seen = false;
  auto const op = [&](anew::attempt& self) {
    EXPECT_FALSE(self.stop_requested());
    s.stop.request_stop();
    seen = self.stop_requested();
    return s.next();
  };
  auto call = ex::connect(senders::retry{strategy, s.on(), op}, receiver{&s});
  ex::start(call);
  s.loop.run();
  EXPECT_TRUE(seen);
  EXPECT_EQ(s.end->index(), 3U);
}

}  // namespace
}  // namespace examples_retry_sender_test
