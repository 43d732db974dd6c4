// SPDX-License-Identifier: BSL-1.0
// Every driver asks a classifier in the same way: what a combination says of an outcome, each driver does. The classifiers are
// one type, which knows its combination at run time, so that a driver is compiled once for all of them.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/coroutine.hpp"
#include "anew/drive/call_engine.hpp"
#include "anew/drive/guarded_by.hpp"
#include "anew/drive/retry_machine.hpp"
#include "anew/drive/retry_outcome.hpp"
#include "anew/virtual/strategy_view.hpp"
#include "anew/virtual/virtual_strategy.hpp"

#include "combinations.hpp"
#include "coroutine_support.hpp"

namespace laws_combinations_test {
namespace {

using anew::duration;
using anew::next_step;
using anew::stop_reason;

template <class E>
concept Value = std::is_same_v<E, reply> || std::is_same_v<E, int> || std::is_same_v<E, anew::grpc::status_code>;
template <class E>
concept Code = std::is_same_v<E, std::error_code> || std::is_same_v<E, boost_code>;

/// The one combination that is asked.
struct by_table {
  using role = anew::roles::classifier;
  using catches =
      anew::catch_list<std::system_error, boost_error, anew::retry_info, std::runtime_error, std::logic_error>;
  combination const* is;

  template <class E>
    requires Value<E> || Code<E>
  [[nodiscard]] directive classify(E const& error) const {
    return said({type_of<E>, &error, nullptr}, asked_as::error);
  }
  [[nodiscard]] directive classify(std::system_error const& error) const { return thrown(error); }
  [[nodiscard]] directive classify(boost_error const& error) const { return thrown(error); }
  [[nodiscard]] directive classify(anew::retry_info const& error) const {
    return thrown(dynamic_cast<busy const&>(error));
  }
  [[nodiscard]] directive classify(std::runtime_error const& error) const { return thrown(error); }
  [[nodiscard]] directive classify(std::logic_error const& error) const { return thrown(error); }
  template <Value R>
  [[nodiscard]] directive classify_result(R const& result) const {
    return said({type_of<R>, &result, nullptr}, asked_as::result);
  }

 private:
  template <class E>
  [[nodiscard]] directive thrown(E const& error) const {
    return said({type_of<E>, &error, [](void const* object) { throw *static_cast<E const*>(object); }},
                asked_as::error);
  }
  [[nodiscard]] directive said(outcome const& about, asked_as how) const {
    return is->ask(about, how).value_or(directive::no_opinion());
  }
};

/// How a call ended.
struct ending {
  stop_reason reason{};
  std::uint32_t attempts = 0;
};
struct remembers {
  using role = anew::roles::observer;
  ending* end;
  void on_end(anew::end_event const& e) const { *end = {e.reason, e.attempts}; }
};
auto strategy_of(combination const& one, ending& end) {
  return anew::compose(by_table{&one}, anew::no_backoff{}, anew::no_jitter{}, anew::max_attempts<2>{}, remembers{&end});
}

// Operations. A result of `failed<E>` carries an error, a result of E is one by its value, and the last one throws.

template <class E>
struct failed {
  using result_type = failed;
  E const* what;
  [[nodiscard]] bool has_value() const { return false; }
  [[nodiscard]] E const& error() const { return *what; }
  static failed of(outcome const& about) { return {static_cast<E const*>(about.object)}; }
};
template <class E>
struct returned {
  using result_type = E;
  static E of(outcome const& about) { return *static_cast<E const*>(about.object); }
};
struct thrown {
  using result_type = void;
  static void of(outcome const& about) { about.throw_it(about.object); }
};

// The drivers. Each makes a call of an operation that ends as `How::of(about)` says.

constexpr auto sleeps = [](duration /*delay*/) {};

struct blocking {
  template <class How, class S>
  static void call(S const& strategy, outcome const& about) {
    static_cast<void>(anew::retry(strategy, anew::idempotent([&] { return How::of(about); }), sleeps));
  }
};
struct outcome_of_a_call {
  template <class How, class S>
  static void call(S const& strategy, outcome const& about) {
    static_cast<void>(anew::retry_outcome(strategy, anew::idempotent([&] { return How::of(about); }), sleeps));
  }
};
struct behind_a_view {
  template <class How, class S>
  static void call(S const& strategy, outcome const& about) {
    anew::virtual_strategy<S, reply, int, anew::grpc::status_code> const behind{strategy};
    blocking::call<How>(anew::strategy_view{behind}, about);
  }
};
struct awaited {
  template <class How, class S>
  static void call(S const& strategy, outcome const& about) {
    auto const op = [&]() -> support::eager<typename How::result_type> { co_return How::of(about); };
    auto call = anew::retry(strategy, anew::idempotent(op), [](duration /*delay*/) -> support::eager<> { co_return; });
    static_cast<void>(call.get());
  }
};
template <class Call, class Attempt>
void by_steps(Call& call, Attempt const& attempt) {
  for (auto next = call.begin(); next != next_step::finished;) {
    next = next == next_step::attempt ? attempt() : call.on_wait_over();
  }
}
struct engine {
  template <class How, class S>
  static void call(S const& strategy, outcome const& about) {
    anew::call_engine call{strategy, anew::idempotent([&] { return How::of(about); })};
    by_steps(call, [&] {
      auto next = next_step::finished;
      try {
        if constexpr (std::is_void_v<typename How::result_type>) {
          call.start({});
          ADD_FAILURE() << "nothing was thrown";
        } else {
          next = call.on_outcome(call.start({}));
        }
      } catch (...) {
        next = call.on_exception(std::current_exception());
      }
      return next;
    });
  }
};
/// It is told errors and exceptions, not results.
struct machine {
  template <class How, class S>
  static void call(S const& strategy, outcome const& about) {
    anew::retry_machine call{strategy, anew::call_declaration<anew::declared::idempotent>{}};
    by_steps(call, [&] {
      try {
        if constexpr (std::is_void_v<typename How::result_type>) {
          How::of(about);
        } else {
          return call.on_error(How::of(about).error());
        }
      } catch (...) {
        return call.on_exception(std::current_exception());
      }
      return call.on_success();
    });
  }
};

bool is_exception(outcome const& about) {
  return about.type >= type_of<std::system_error> && about.type < type_of<reply>;
}

/// The ending that the verdict means, of an outcome that cannot be a success unless the classifier says so.
bool is_right(ending const& end, std::optional<directive> const& verdict, bool is_thrown) {
  if (verdict && verdict->is_retry()) return end.attempts == 2 && end.reason == stop_reason::attempts;
  if (verdict && verdict->is_success() && !is_thrown) return end.attempts == 1 && end.reason == stop_reason::succeeded;
  return end.attempts == 1 && (end.reason == stop_reason::not_retryable || end.reason == stop_reason::unclassified);
}

struct tally {
  std::size_t calls = 0;
  std::size_t wrong = 0;
};

template <class Driver, class How>
void ask_one(tally& count, char const* driver, combination const& one, outcome const& about, asked_as how) {
  ending end;
  auto const strategy = strategy_of(one, end);
  try {
    Driver::template call<How>(strategy, about);
  } catch (std::exception const& /*left*/) {
    EXPECT_TRUE(is_exception(about) || (std::is_same_v<Driver, awaited>)) << driver;
  }
  ++count.calls;
  auto const verdict = one.ask(about, how);
  if (is_right(end, verdict, is_exception(about)) || ++count.wrong > 10) return;
  ADD_FAILURE() << driver << ", " << one.name << ", outcome of type " << about.type
                << (how == asked_as::error ? " as an error: " : " as a result: ") << end.attempts << " attempts, "
                << to_string(end.reason) << ", with the verdict "
                << (!verdict                ? "nothing"
                    : verdict->is_retry()   ? "retry"
                    : verdict->is_success() ? "success"
                                            : "final");
}

template <class Driver>
void ask_all(char const* driver) {
  constexpr bool reads_results = !std::is_same_v<Driver, machine>;
  tally count;
  for (auto const& one : combinations()) {
    for (auto const& about : outcomes()) {
      if (is_exception(about)) {
        ask_one<Driver, thrown>(count, driver, one, about, asked_as::error);
        continue;
      }
      in_its_type(about, [&]<class E>(E const& /*what*/) {
        if constexpr (Value<E> || Code<E>) ask_one<Driver, failed<E>>(count, driver, one, about, asked_as::error);
        if constexpr (Value<E> && reads_results) {
          // Where no part reads it, the shape of the result decides, which other tests ask.
          if (!one.ask(about, asked_as::result)) return;
          ask_one<Driver, returned<E>>(count, driver, one, about, asked_as::result);
        }
      });
    }
  }
  EXPECT_EQ(count.wrong, 0U);
  std::printf("%s: %zu calls\n", driver, count.calls);
}

TEST(CombinationsOverDrivers, BlockingLoop) { ask_all<blocking>("retry"); }
TEST(CombinationsOverDrivers, Outcome) { ask_all<outcome_of_a_call>("retry_outcome"); }
TEST(CombinationsOverDrivers, View) { ask_all<behind_a_view>("strategy_view"); }
TEST(CombinationsOverDrivers, Coroutine) { ask_all<awaited>("co_await retry"); }
TEST(CombinationsOverDrivers, Engine) { ask_all<engine>("call_engine"); }
TEST(CombinationsOverDrivers, Machine) { ask_all<machine>("retry_machine"); }

}  // namespace
}  // namespace laws_combinations_test
