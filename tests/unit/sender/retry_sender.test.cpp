// SPDX-License-Identifier: BSL-1.0
// Retries of senders, by virtual time.
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/grpc_status.hpp"
#include "anew/policies/classifier/retry_on.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

#include "support/minimal_sender.hpp"
#define ANEW_SENDERS minimal
#include "anew/sender.hpp"

namespace ex = minimal;

namespace sender_retry_sender_test {
struct page {
  anew::stop_reason refused = anew::stop_reason::succeeded;
};
}  // namespace sender_retry_sender_test
template <>
struct anew::refused_result<sender_retry_sender_test::page> {
  static sender_retry_sender_test::page make(stop_reason why) { return {why}; }
};

namespace sender_retry_sender_test {
namespace {

using namespace std::chrono_literals;
using anew::stop_reason;
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
    return minimal::timed_sender<std::remove_const_t<decltype(complete)>, ex::set_value_t(int),
                                 ex::set_error_t(std::error_code), ex::set_error_t(std::exception_ptr)>{
        &loop, one.takes, complete};
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

void run(stage& s, auto const& strategy, auto const& op) {
  auto call = ex::connect(anew::retry_sender{strategy, s.on(), op}, receiver{&s});
  ex::start(call);
  s.loop.run();
}
/// The call goes at its end, as a coroutine's frame would; from the heap, so that a sanitizer sees what outlives it.
void start_on_the_heap(stage& s, auto const& strategy, auto const& op) {
  auto const make = [&] { return ex::connect(anew::retry_sender{strategy, s.on(), op}, receiver{&s}); };
  std::unique_ptr<decltype(make())> call{new decltype(make())(make())};
  auto& begun = *call;
  s.on_end = [kept = std::make_shared<decltype(call)>(std::move(call))] { kept->reset(); };
  ex::start(begun);
}

struct receiver_of_a_page {
  using receiver_concept = ex::receiver_tag;
  std::optional<stop_reason>* why;
  [[nodiscard]] receiver::environment get_env() const noexcept { return {}; }
  void set_value(page with) && noexcept { *why = with.refused; }
  void set_error(std::exception_ptr /*thrown*/) && noexcept { ADD_FAILURE(); }
  void set_stopped() && noexcept { ADD_FAILURE(); }
};

TEST(RetrySender, ARefusedCallHasTheResultThatItsTypeNames) {
  stage s;
  auto const strategy = strategy_of(s, anew::circuit_breaker<1, 30s>{});
  ASSERT_FALSE(anew::retry(strategy, [] { return refused; }, [](anew::duration) {}) == std::error_code{});
  auto const complete = [](auto&& to) { ex::set_value(std::move(to), page{}); };
  auto const send = [&] {
    return minimal::timed_sender<std::remove_const_t<decltype(complete)>, ex::set_value_t(page)>{&s.loop, 1ms,
                                                                                                 complete};
  };
  std::optional<stop_reason> why;
  auto call = ex::connect(anew::retry_sender{strategy, s.on(), anew::throws_only(send)}, receiver_of_a_page{&why});
  ex::start(call);
  EXPECT_EQ(why, stop_reason::gate_closed);
}

TEST(RetrySender, AnAttemptIsCutAtItsLimitAndRetried) {
  stage s{.answers = {{10s, 1}, {10ms, refused}, {50ms, 2}}};
  auto const strategy = strategy_of(s, anew::attempt_timeout<60ms>{});
  auto const op = anew::idempotent([&] { return s.next(); });
  run(s, strategy, op);
  EXPECT_EQ(s.lines,
            (book{"attempt at 0", "attempt at 160", "answer at 170", "attempt at 270", "answer at 320", "end at 320"}));
  EXPECT_EQ(std::get<0>(*s.end), 2);
  EXPECT_EQ(s.loop.waiting(), 0U) << "the timer of the limit ends with the attempt";
}

TEST(RetrySender, AnAttemptThatIsLateAtTheEndIsTimedOut) {
  stage s{.answers = {{10s, 1}}};
  auto const strategy = strategy_of(s, anew::attempt_timeout<60ms>{});
  run(s, strategy, [&] { return s.next(); });
  EXPECT_EQ(s.code(), late) << "not idempotent, so it is not retried";
  EXPECT_EQ(s.made, 1U);
}

TEST(RetrySender, AStopInTheWaitDeliversTheKeptErrorAtOnce) {
  stage s{.answers = {{10ms, refused}}};
  auto const strategy = strategy_of(s, anew::token_bucket<500>{});
  auto const op = [&] { return s.next(); };
  start_on_the_heap(s, strategy, op);
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
  start_on_the_heap(s, strategy, op);
  s.stop.request_stop();
  ASSERT_TRUE(s.end);
  EXPECT_EQ(s.end->index(), 3U) << "set_stopped";
  EXPECT_EQ(s.loop.waiting(), 0U);
  EXPECT_EQ(strategy.quota().balance(), 500U);
}

TEST(RetrySender, AStopInTheMomentInWhichAWaitEndsStopsTheAttemptAtOnce) {
  stage s{.answers = {{10ms, refused}, {10s, 1}}};
  auto const strategy = strategy_of(s, anew::token_bucket<500>{});
  auto const op = anew::idempotent([&] {
    if (s.made == 1) s.stop.request_stop();  // it is decided that the second attempt begins
    return s.next();
  });
  run(s, strategy, op);
  EXPECT_EQ(s.lines, (book{"attempt at 0", "answer at 10", "attempt at 110", "end at 110"}));
  EXPECT_EQ(s.end->index(), 3U) << "as each stop in an attempt";
  EXPECT_EQ(strategy.quota().balance(), 500U);
}

TEST(RetrySender, AStopBeforeTheStart) {
  stage s;
  s.stop.request_stop();
  auto const strategy = strategy_of(s);
  run(s, strategy, [&] { return s.next(); });
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
  run(s, strategy, op);
  EXPECT_TRUE(seen);
  EXPECT_EQ(s.end->index(), 3U);
}

struct breaks {
  using role = anew::roles::classifier;
  static anew::directive classify(std::error_code const& /*code*/) { throw 5; }
};
TEST(RetrySender, WhatAClassifierThrowsIsDelivered) {
  stage s{.answers = {{10ms, refused}}};
  anew::strategy<breaks> const strategy;
  run(s, strategy, anew::throws_only([&] { return s.next(); }));
  EXPECT_THROW(std::rethrow_exception(std::get<2>(*s.end)), int);
}

/// The end of a call: how many values, or the error.
template <class... Vs>
struct anything {
  using receiver_concept = ex::receiver_tag;
  using environment = receiver::environment;
  std::variant<std::monostate, std::tuple<Vs...>, std::error_code, std::exception_ptr, std::string>* to;
  ex::inplace_stop_token token{};
  [[nodiscard]] environment get_env() const noexcept { return {token}; }
  void set_value(Vs... values) && noexcept { to->template emplace<1>(std::move(values)...); }
  void set_error(auto&& error) && noexcept { *to = std::forward<decltype(error)>(error); }
  void set_stopped() && noexcept { ADD_FAILURE(); }
};
struct failed_by_name {
  using role = anew::roles::classifier;
  static anew::directive classify(std::string const& name) {
    return name == "again" ? anew::directive::retry({}) : anew::directive::fail();
  }
};

/// A call whose attempts fail once, with `error`, and then have these values.
template <class E, class... Vs>
auto after_one_failure(auto const& strategy, stage& s, E const& error, Vs const&... values) {
  auto const op = anew::idempotent(anew::throws_only([&] {
    auto const complete = [&, is_first = s.made++ == 0](auto&& to) {
      if (is_first) return ex::set_error(std::move(to), E{error});
      ex::set_value(std::move(to), Vs{values}...);
    };
    return minimal::timed_sender<std::remove_const_t<decltype(complete)>, ex::set_value_t(Vs...), ex::set_error_t(E)>{
        &s.loop, 10ms, complete};
  }));
  std::variant<std::monostate, std::tuple<Vs...>, std::error_code, std::exception_ptr, std::string> end;
  auto call = ex::connect(anew::retry_sender{strategy, s.on(), op}, anything<Vs...>{&end});
  ex::start(call);
  s.loop.run();
  return end;
}

TEST(RetrySender, NoValueSeveralValuesAndAnyTypeOfError) {
  stage s;
  auto const by_code = strategy_of(s);
  EXPECT_EQ(after_one_failure(by_code, s, refused).index(), 1U);
  EXPECT_EQ(s.made, 2U);
  s.made = 0;
  EXPECT_EQ(std::get<1>(after_one_failure(by_code, s, refused, 1, std::string{"two"}, 3.0)),
            std::tuple(1, std::string{"two"}, 3.0));
  s.made = 0;
  anew::strategy<failed_by_name, anew::constant_backoff<100ms>> const by_name;
  EXPECT_EQ(std::get<1>(after_one_failure(by_name, s, std::string{"again"}, 7)), std::tuple(7));
  s.made = 0;
  EXPECT_EQ(std::get<4>(after_one_failure(by_name, s, std::string{"denied"}, 7)), "denied");
  EXPECT_EQ(s.made, 1U);
}

TEST(RetrySender, ATimeOutIsACodeOnlyWhereTheSenderHasCodes) {
  stage s;
  auto const strategy = strategy_of(s, anew::attempt_timeout<5ms>{}, anew::max_attempts<1>{});
  EXPECT_EQ(std::get<2>(after_one_failure(strategy, s, refused)), late);
  anew::strategy<anew::any_of<anew::error_code_classifier, failed_by_name>, anew::attempt_timeout<5ms>> const by_name;
  try {
    std::rethrow_exception(std::get<3>(after_one_failure(by_name, s, std::string{"denied"})));
  } catch (std::system_error const& error) {
    EXPECT_EQ(error.code(), late);
  }
}

/// Tells a stop by a value or an error of its own, as many libraries do.
template <class Inner, class Tell>
struct tells_its_stop {
  using sender_concept = ex::sender_tag;
  using completion_signatures = typename Inner::completion_signatures;
  Inner inner;
  Tell tell;
  template <class R>
  struct told {
    using receiver_concept = ex::receiver_tag;
    R to;
    Tell tell;
    [[nodiscard]] auto get_env() const noexcept { return ex::get_env(to); }
    void set_value(auto&&... values) && noexcept { ex::set_value(std::move(to), values...); }
    void set_error(auto&& error) && noexcept { ex::set_error(std::move(to), error); }
    void set_stopped() && noexcept { tell(std::move(to)); }
  };
  template <class R>
  auto connect(R to) const {
    return inner.connect(told<R>{std::move(to), tell});
  }
};

/// What a call ends with whose two attempts hang, and tell their end so; at 30 ms a stop may come.
template <class V, class... Errors>
auto after_two_that_hang(auto const& strategy, stage& s, bool stops, auto const& tell) {
  auto const never = [](auto&&) { ADD_FAILURE(); };
  auto const op = anew::idempotent([&] {
    ++s.made;
    using sender = minimal::timed_sender<std::remove_const_t<decltype(never)>, ex::set_value_t(V), Errors...>;
    return tells_its_stop<sender, std::remove_cvref_t<decltype(tell)>>{{&s.loop, 10s, never}, tell};
  });
  std::variant<std::monostate, std::tuple<V>, std::error_code, std::exception_ptr, std::string> end;
  auto call = ex::connect(anew::retry_sender{strategy, s.on(), op}, anything<V>{&end, s.stop.get_token()});
  ex::start(call);
  s.loop.run(s.loop.clock.peek() + 30ms);
  if (stops) s.stop.request_stop();
  s.loop.run();
  EXPECT_EQ(s.made, stops ? 1U : 2U);
  return end;
}

TEST(RetrySender, AnAttemptThatTellsItsEndItselfIsLateOrStopped) {
  using anew::grpc::status_code;
  auto const aborted = std::make_error_code(std::errc::operation_canceled);
  auto const by_code = [&](auto&& to) { ex::set_error(std::move(to), std::error_code{aborted}); };
  auto const by_value = [](auto&& to) { ex::set_value(std::move(to), status_code::cancelled); };
  for (bool const stops : {false, true}) {
    stage s;
    auto const strategy = strategy_of(s, anew::attempt_timeout<60ms>{}, anew::max_attempts<2>{});
    using by_error = ex::set_error_t(std::error_code);
    EXPECT_EQ(std::get<2>(after_two_that_hang<int, by_error>(strategy, s, stops, by_code)), stops ? aborted : late);
    stage t;
    anew::strategy<anew::grpc::status_classifier<>, anew::attempt_timeout<60ms>, anew::max_attempts<2>> const of_grpc;
    EXPECT_EQ(std::get<1>(after_two_that_hang<status_code>(of_grpc, t, stops, by_value)),
              std::tuple(stops ? status_code::cancelled : status_code::deadline_exceeded));
  }
}

struct asks_for_a_number {};
template <class Env>
concept AnswersWithANumber = requires(Env const& env) { env.query(asks_for_a_number{}); };
struct numbered {
  [[nodiscard]] static int query(asks_for_a_number /*query*/) noexcept { return 7; }
};
static_assert(AnswersWithANumber<anew::detail::attempt_environment<numbered>>);
static_assert(!AnswersWithANumber<anew::detail::attempt_environment<anything<>::environment>>);

}  // namespace
}  // namespace sender_retry_sender_test
