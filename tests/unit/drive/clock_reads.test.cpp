// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/hedge.hpp"
#include "anew/policies.hpp"
#include "anew/policies/sharing/borrowed.hpp"
#include "anew/policies/sharing/partitioned.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/poll.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/virtual.hpp"

#include "names.hpp"

// How often a call reads the clock, counted. docs/cost.md quotes both tables.
namespace drive_clock_reads_test {
namespace {

namespace roles = anew::roles;

constexpr std::string_view by_driver = R"(
// [drivers]
                                        retry   retry_   hedge_   retry,   retry_     poll  retried  retried
                                               machine  machine  virtual  outcome                    machine
no other policy                             0        0        0        0        2        2        0        0
token_bucket                                0        0        0        0        2        2        0        0
retry_throttle                              0        0        0        0        2        2        0        0
refilling_bucket                            0        0        0        0        2        2        1        1
concurrency_budget                          0        0        0        0        2        2        0        0
circuit_breaker, closed                     0        0        0        0        2        2        1        1
cool_down, idle                             0        0        0        0        2        2        4        4
nesting_guard                               0        -        -        0        2        2        0        -
reset_after                                 1        1        -        1        2        3        3        3
retry_budget                                1        1        1        1        2        2        2        2
rate_breaker, closed                        1        1        1        1        2        2        2        2
client_throttle, nothing to reject          1        1        1        1        2        2        3        3
client_rate_limiter, not throttled          1        1        1        1        2        2        2        2
deadline                                    1        1        1        1        2        2        2        2
the last four together                      2        2        2        2        2        2        3        3
these and reset_after                       2        3        -        3        2        3        4        5
// [/drivers]
)";

constexpr std::string_view by_wrapper = R"(
// [wrappers]
                                     composed   shared   leased     both borrowed adjusted   chosen    other
token_bucket                                0        0        0        0        0        0        0        1
concurrency_budget                          0        0        0        0        0        0        0        1
retry_budget                                1        1        1        1        1        1        1        0
circuit_breaker, closed                     0        0        0        0        0        0        0        0
cool_down, idle                             0        0        0        0        0        0        0        0
rate_breaker, closed                        1        1        1        1        1        1        1        0
client_throttle, nothing to reject          1        1        1        1        1        1        1        0
client_rate_limiter, not throttled          1        1        1        1        1        1        1        0
// [/wrappers]
)";

/// For the gate that draws: it rejects nothing.
struct highest_random {
  using role = roles::random_source;
  std::uint64_t operator()() const noexcept { return ~std::uint64_t{0}; }
};

template <class... Policies>
auto composed(manual_clock const& clock, Policies&&... policies) {
  return anew::compose(anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<3>{}, clock, highest_random{},
                       std::forward<Policies>(policies)...);
}

/// Fails as often as `failures` says, and then succeeds.
auto failing(int failures) {
  return [left = failures]() mutable { return left-- <= 0; };
}

struct by_retry {
  static void call(auto const& strategy, auto const& sleep, int failures) {
    EXPECT_TRUE(anew::retry(strategy, failing(failures), sleep));
  }
};
struct by_outcome {
  static void call(auto const& strategy, auto const& sleep, int failures) {
    EXPECT_TRUE(anew::retry_outcome(strategy, failing(failures), sleep).succeeded());
  }
};
struct by_poll {
  static void call(auto const& strategy, auto const& sleep, int failures) {
    auto const is_true = [](bool looked) { return looked; };
    EXPECT_TRUE(anew::poll(strategy, failing(failures), anew::success_when(is_true), sleep).succeeded());
  }
};
struct by_machine {
  static void call(auto const& strategy, auto const& sleep, int failures) {
    anew::retry_machine machine{strategy, anew::idempotent_call};
    auto step = machine.begin();
    for (int left = failures; step == anew::next_step::attempt; --left) {
      step = machine.on_outcome(left <= 0);
      while (step == anew::next_step::wait) {
        sleep(machine.wait());
        step = machine.on_wait_over();
      }
    }
    EXPECT_EQ(machine.reason(), anew::stop_reason::succeeded);
  }
};
struct by_hedging {
  static void call(auto const& strategy, auto const& /*sleep*/, int /*failures*/) {
    anew::hedge_after<10ms> const hedging;
    anew::hedge_machine machine{strategy, hedging, anew::idempotent_call};
    auto const step = machine.begin();
    EXPECT_TRUE(machine.on_outcome(step.start, true).finished);
  }
};

template <class Driver, class S>
std::uint64_t reads(manual_clock const& clock, S const& strategy, int failures = 0) {
  auto const before = clock.reads();
  Driver::call(strategy, [&clock](anew::duration delay) { clock.advance(delay); }, failures);
  return clock.reads() - before;
}

/// A table of text, in columns.
class printed {
 public:
  explicit printed(std::string_view name) : name_{name} {}
  void row(std::string_view name, std::initializer_list<std::string_view> cells) {
    std::string line{name};
    line.resize(36, ' ');
    for (auto const cell : cells) line.append(9 - cell.size(), ' ').append(cell);
    line.resize(line.find_last_not_of(' ') + 1);
    text_.append(line).append("\n");
  }
  [[nodiscard]] std::string text() const {
    return std::string{"\n// ["}.append(name_).append("]\n").append(text_).append("// [/").append(name_).append("]\n");
  }

 private:
  std::string name_;
  std::string text_;
};

template <class Role, class... Policies>
inline constexpr bool has_role = (std::is_same_v<typename Policies::role, Role> || ...);

template <class... Policies>
void add_drivers(printed& table, std::string_view name) {
  manual_clock const clock;
  auto const cell = [&]<class Driver>(Driver /*driver*/, int failures = 0) -> std::string {
    if constexpr (!std::is_same_v<Driver, by_hedging> || !has_role<roles::reset, Policies...>) {
      return std::to_string(reads<Driver>(clock, composed(clock, Policies{}...), failures));
    } else {
      return "-";
    }
  };
  // A guard detects nested calls on the thread's stack.
  auto const no_guard = [&](auto driver, int failures = 0) -> std::string {
    if constexpr (has_role<roles::nesting, Policies...>) {
      return "-";
    } else {
      return cell(driver, failures);
    }
  };
  anew::virtual_strategy const erased{composed(clock, Policies{}...)};
  auto const by_view = std::to_string(reads<by_retry>(clock, anew::strategy_view{erased}));
  table.row(name, {cell(by_retry{}), no_guard(by_machine{}), no_guard(by_hedging{}), by_view, cell(by_outcome{}),
                   cell(by_poll{}), cell(by_retry{}, 1), no_guard(by_machine{}, 1)});
}

TEST(ClockReads, OfEachPolicyInEachDriver) {
  printed table{"drivers"};
  table.row("", {"retry", "retry_", "hedge_", "retry,", "retry_", "poll", "retried", "retried"});
  table.row("", {"", "machine", "machine", "virtual", "outcome", "", "", "machine"});
  add_drivers<>(table, "no other policy");
  add_drivers<anew::token_bucket<500>>(table, "token_bucket");
  add_drivers<anew::retry_throttle<>>(table, "retry_throttle");
  add_drivers<anew::refilling_bucket<10, 1s>>(table, "refilling_bucket");
  add_drivers<anew::concurrency_budget<>>(table, "concurrency_budget");
  add_drivers<anew::circuit_breaker<>>(table, "circuit_breaker, closed");
  add_drivers<anew::cool_down<>>(table, "cool_down, idle");
  add_drivers<anew::nesting_guard<>>(table, "nesting_guard");
  add_drivers<anew::reset_after<30s>>(table, "reset_after");
  add_drivers<anew::retry_budget<>>(table, "retry_budget");
  add_drivers<anew::rate_breaker<>>(table, "rate_breaker, closed");
  add_drivers<anew::client_throttle<>>(table, "client_throttle, nothing to reject");
  add_drivers<anew::client_rate_limiter<>>(table, "client_rate_limiter, not throttled");
  add_drivers<anew::deadline<10s>>(table, "deadline");
  add_drivers<anew::deadline<10s>, anew::retry_budget<>, anew::rate_breaker<>, anew::client_rate_limiter<>>(
      table, "the last four together");
  add_drivers<anew::deadline<10s>, anew::retry_budget<>, anew::rate_breaker<>, anew::client_rate_limiter<>,
              anew::reset_after<30s>>(table, "these and reset_after");
  EXPECT_EQ(table.text(), by_driver);
}

/// The other policy of a choice.
template <class P>
struct other {
  using type = anew::detail::absent<typename P::role>;
};
template <class P>
  requires std::is_same_v<typename P::role, roles::quota>
struct other<P> {
  using type = std::conditional_t<std::is_same_v<P, anew::retry_budget<>>, anew::unlimited_quota, anew::retry_budget<>>;
};

template <class P>
void add_wrappers(printed& table, std::string_view name) {
  manual_clock const clock;
  auto const cell = [&](auto const& policy) { return std::to_string(reads<by_retry>(clock, composed(clock, policy))); };
  using choice = anew::choice<typename P::role, P, typename other<P>::type>;
  auto const chosen = std::to_string(reads<by_retry>(clock, composed(clock, choice{std::in_place_type<P>})));
  auto const not_chosen =
      std::to_string(reads<by_retry>(clock, composed(clock, choice{std::in_place_type<typename other<P>::type>})));
  P const kept;
  anew::partitioned<int, P> registry{2};
  auto const composed_with_it = composed(clock, P{});
  auto const adjusted = anew::adjusted(composed_with_it, anew::max_attempts<2>{});
  table.row(name, {std::to_string(reads<by_retry>(clock, composed_with_it)), cell(anew::shared<P>{}),
                   cell(registry.at(1)), cell(anew::shared{registry.at(1)}), cell(anew::borrowed{kept}),
                   std::to_string(reads<by_retry>(clock, adjusted)), chosen, not_chosen});
}

TEST(ClockReads, OfEachPolicyInEachWrapper) {
  printed table{"wrappers"};
  table.row("", {"composed", "shared", "leased", "both", "borrowed", "adjusted", "chosen", "other"});
  add_wrappers<anew::token_bucket<500>>(table, "token_bucket");
  add_wrappers<anew::concurrency_budget<>>(table, "concurrency_budget");
  add_wrappers<anew::retry_budget<>>(table, "retry_budget");
  add_wrappers<anew::circuit_breaker<>>(table, "circuit_breaker, closed");
  add_wrappers<anew::cool_down<>>(table, "cool_down, idle");
  add_wrappers<anew::rate_breaker<>>(table, "rate_breaker, closed");
  add_wrappers<anew::client_throttle<>>(table, "client_throttle, nothing to reject");
  add_wrappers<anew::client_rate_limiter<>>(table, "client_rate_limiter, not throttled");
  EXPECT_EQ(table.text(), by_wrapper);
}

/// Without the attempt's own question what remains of the deadline, that is the table.
TEST(ClockReads, AnAttemptIsToldItsBeginningWithoutAnother) {
  manual_clock const clock;
  auto const all = composed(clock, anew::deadline<10s>{}, anew::retry_budget<>{}, anew::rate_breaker<>{},
                            anew::client_rate_limiter<>{}, anew::reset_after<30s>{});
  auto const asks = [](anew::attempt const& self) { return self.remaining() == 10s; };
  EXPECT_TRUE(anew::retry(all, asks));
  EXPECT_EQ(clock.reads(), 2U);
}

TEST(ClockReads, ACoolDownForgetsAPauseThatIsOver) {
  manual_clock const clock;
  auto const strategy = composed(clock, anew::cool_down<>{});
  EXPECT_GT(reads<by_retry>(clock, strategy, 1), 0U);
  clock.advance(60s);
  EXPECT_GT(reads<by_retry>(clock, strategy), 0U) << "this success ends the recovery: nobody waits any more";
  EXPECT_GT(reads<by_retry>(clock, strategy), 0U) << "this attempt begins after it, and forgets the pause";
  EXPECT_EQ(strategy.gate().cooling_until(), anew::time_point::min());
  EXPECT_EQ(reads<by_retry>(clock, strategy), 0U);
}

}  // namespace
}  // namespace drive_clock_reads_test
