// SPDX-License-Identifier: BSL-1.0
// One of many builds of the same text: check_builds.py compiles it under different switches and links all into one
// program. The names are the same in each on purpose, so that a linker keeps one copy of what has the same mangled name.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "anew/anew.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/history/history.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/testing/test_mode.hpp"

#define NAMED_2(a, b) a##b
#define NAMED(a, b) NAMED_2(a, b)
#define IN_UNIT(name) NAMED(name##_, UNIT)
#define EXPORTED [[gnu::visibility("default")]]

using namespace std::chrono_literals;

// What units of different builds say to each other is C.
extern "C" {
EXPORTED int IN_UNIT(check)();
EXPORTED int IN_UNIT(call_guarded)(int (*inner)(void*), void* context);
EXPORTED int IN_UNIT(call_lending)(int (*inner)(void*), void* context, int tokens);
EXPORTED int IN_UNIT(call_sharing)(int (*inner)(void*), void* context);
EXPORTED int IN_UNIT(attempts_in_test_mode_of)(int (*call)(int (*)(void*), void*), int (*inner)(void*), void*);
EXPORTED unsigned long long IN_UNIT(draw)();
}

struct operation {
  int calls = 0;
  std::optional<int> operator()() { return ++calls < 2 ? std::nullopt : std::optional{calls}; }
};
struct no_sleep {
  void operator()(anew::duration /*delay*/) const {}
};
using remembers = anew::strategy<anew::retry_all, anew::history<2>, anew::token_bucket<>>;

int IN_UNIT(check)() {
  remembers const strategy;
  operation succeeds_at_last;
  auto const told = anew::retry_outcome(strategy, succeeds_at_last, no_sleep{});
  if (told.attempts() != 2 || told.reason() != anew::stop_reason::succeeded) return 1;
  if (!told.has_result() || *told.result() != 2) return 2;
  if (told.history().size() != 1 || told.history().front().attempt != 1) return 3;
  if (strategy.quota().balance() != 500) return 4;
  anew::circuit_breaker<> const breaker;
  if (breaker.describe() != "circuit_breaker(5,30s)" || !breaker.try_enter(anew::time_point{}).pass) return 5;
#if ANEW_EXCEPTIONS
  try {
    static_cast<void>(anew::max_attempts{0});
    return 6;
  } catch (std::invalid_argument const&) {
  }
  int calls = 0;
  try {
    anew::retry(strategy, [&calls] { ++calls < 9 ? throw std::runtime_error{"busy"} : void(); }, no_sleep{});
    return 7;
  } catch (std::runtime_error const&) {
    if (calls != 3) return 8;
  }
#endif
  return anew::describe(strategy).find("token_bucket") == std::string::npos ? 9 : 0;
}

namespace {

struct inner_call {
  int (*inner)(void*);
  void* context;
  std::optional<int> operator()() const {
    int const got = inner(context);
    return got < 0 ? std::nullopt : std::optional{got};
  }
};

template <class Strategy>
int result_of(Strategy const& strategy, int (*inner)(void*), void* context) {
  return anew::retry(strategy, inner_call{inner, context}, no_sleep{}).value_or(-1);
}

}  // namespace

// Layers: each makes three attempts, and nested ones multiply unless the guard knows of them.
int IN_UNIT(call_guarded)(int (*inner)(void*), void* context) {
  return result_of(anew::strategy<anew::retry_all, anew::max_attempts<3>, anew::nesting_guard<>>{}, inner, context);
}
// A layer whose quota pays for those in it, and one that has it pay.
int IN_UNIT(call_lending)(int (*inner)(void*), void* context, int tokens) {
  return result_of(
      anew::compose(anew::retry_all{}, anew::max_attempts<1>{},
                    anew::token_bucket{tokens, anew::retry_costs{.transient = 1}}, anew::nesting_guard<>{}),
      inner, context);
}
int IN_UNIT(call_sharing)(int (*inner)(void*), void* context) {
  using guard = anew::nesting_guard<anew::when_nested::share_quota>;
  return result_of(anew::strategy<anew::retry_all, anew::max_attempts<9>, guard>{}, inner, context);
}
int IN_UNIT(attempts_in_test_mode_of)(int (*call)(int (*)(void*), void*), int (*inner)(void*), void* context) {
  anew::testing::test_mode const fast{2};
  return call(inner, context);
}
unsigned long long IN_UNIT(draw)() { return anew::thread_random{}(); }
