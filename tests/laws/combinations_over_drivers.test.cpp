// SPDX-License-Identifier: BSL-1.0
// Drivers ask a classifier in the same way: what a combination says of an outcome, the blocking loop, a loop of steps and
// one over the virtual interface do, each with functions of its own for it; the others read as the blocking loop does. The
// classifiers are one type, which knows its combination at run time, so that a driver is compiled once for all of them.
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
#include "anew/drivers/call_engine.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/run_time/virtual/strategy_view.hpp"
#include "anew/run_time/virtual/virtual_strategy.hpp"

#include "combinations_by_table.hpp"

namespace laws_combinations_test {
namespace {

using anew::duration;
using anew::next_step;

// Operations. A result of `failed<E>` carries an error, a result of E is one by its value, and the last one throws.

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
struct behind_a_view {
  template <class How, class S>
  static void call(S const& strategy, outcome const& about) {
    anew::virtual_strategy<S, reply, int, anew::grpc::status_code> const behind{strategy};
    blocking::call<How>(anew::strategy_view{behind}, about);
  }
};
void by_steps(auto& call, auto const& attempt) {
  for (auto next = call.begin(); next != next_step::finished;) {
    next = next == next_step::attempt ? attempt() : call.on_wait_over();
  }
}
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
TEST(CombinationsOverDrivers, View) { ask_all<behind_a_view>("strategy_view"); }
TEST(CombinationsOverDrivers, Machine) { ask_all<machine>("retry_machine"); }

}  // namespace
}  // namespace laws_combinations_test
