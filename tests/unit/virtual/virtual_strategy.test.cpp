// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/limits/reset_after.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/run_time/virtual/strategy_view.hpp"
#include "anew/run_time/virtual/virtual_strategy.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recorder.hpp"
#include "anew/testing/scripted_random.hpp"

#include "names.hpp"
#include "together.hpp"

namespace virtual_virtual_strategy_test {
namespace {

using namespace anew;

using plain = anew::strategy<constant_backoff<10ms>, no_jitter, token_bucket<100>>;
static_assert(std::is_base_of_v<retry_strategy, virtual_strategy<plain>>);
static_assert(std::has_virtual_destructor_v<retry_strategy> && RetryStrategy<strategy_view>);

// Usual tokens lie in the virtual one.
template <class... Policies>
inline constexpr bool token_stays = detail::stays_in_token<typename anew::strategy<Policies...>::token_type>;
static_assert(token_stays<> && token_stays<token_bucket<>> && token_stays<deadline<1s>, unbounded>);
static_assert(token_stays<token_bucket<>, circuit_breaker<5, 30s>, decorrelated_jitter, deadline<5s>, unbounded,
                          reset_after<30s>>);
static_assert(token_stays<concurrency_budget<>, circuit_breaker<5, 30s>, deadline<5s>, unbounded>);
static_assert(sizeof(void*) != 8 ||
                  !token_stays<token_bucket<>, circuit_breaker<5, 30s>, decorrelated_jitter, deadline<5s>, unbounded,
                               reset_after<30s>, nesting_guard<when_nested::share_quota>>,
              "too large");

/// A permit that points into itself must not be moved by its bytes.
struct stringy_quota {
  using role = roles::quota;
  using permit_type = std::string;
  static inline int settled = 0;
  [[nodiscard]] static std::optional<std::string> try_acquire(failure const& /*what*/) { return "permit"; }
  static void on_success(std::string const& permit) { settled += permit == "permit" ? 1 : 0; }
  static void release(std::string const& permit) { settled += permit == "permit" ? 1 : 0; }
};
static_assert(!token_stays<stringy_quota>);

TEST(VirtualStrategy, APermitThatMustNotBeMovedByItsBytes) {
  virtual_strategy<anew::strategy<stringy_quota, max_attempts<4>>> const strategy;
  stringy_quota::settled = 0;
  {
    auto token = strategy.refresh_retry_token(strategy.acquire_initial_token(), failure{});
    auto moved = std::move(token);
    strategy.record_success(std::move(moved));
  }
  EXPECT_EQ(stringy_quota::settled, 1);
  (void)strategy.refresh_retry_token(strategy.acquire_initial_token(), failure{});
  EXPECT_EQ(stringy_quota::settled, 2) << "destroyed unused, it is given back";
}

TEST(VirtualStrategy, IsMadeOfNothingOfAStrategyOrOfPolicies) {
  virtual_strategy<plain> const of_nothing;
  virtual_strategy const of_a_strategy{compose(constant_backoff{7ms}, no_jitter{})};
  virtual_strategy const of_policies{constant_backoff{8ms}, no_jitter{}, token_bucket<50>{}};
  auto const delay = [](retry_strategy const& s) {
    return s.refresh_retry_token(s.acquire_initial_token(), failure{}).delay();
  };
  EXPECT_EQ(delay(of_nothing), 10ms);
  EXPECT_EQ(delay(of_a_strategy), 7ms);
  EXPECT_EQ(delay(of_policies), 8ms);
  EXPECT_EQ(of_policies.strategy().quota().balance(), 50U);
  EXPECT_EQ(of_nothing.describe(), describe(plain{}));
}

TEST(VirtualStrategy, WishesForWhatWasComposed) {
  auto const wishes = [](retry_strategy const& s) {
    auto const w = s.wishes();
    return std::vector{w.admission, w.events, w.scopes};
  };
  EXPECT_EQ(wishes(virtual_strategy<plain>{}), (std::vector{false, false, false}));
  EXPECT_EQ(wishes(virtual_strategy<anew::strategy<circuit_breaker<1, 1s>>>{}), (std::vector{true, false, false}));
  EXPECT_EQ(wishes(virtual_strategy<anew::strategy<anew::testing::recorder>>{}), (std::vector{false, true, false}));
  EXPECT_EQ(wishes(virtual_strategy<anew::strategy<nesting_guard<>>>{}), (std::vector{false, false, true}));
}

TEST(VirtualStrategy, ThreadsShareItAndTheBalanceReturns) {
  virtual_strategy<with<plain, token_bucket<1000>>> const strategy;
  retry_strategy const& shared = strategy;
  support::together(2, [&](unsigned /*index*/) {
    for (int call = 0; call < 5000; ++call) {
      auto next = shared.try_refresh_retry_token(shared.acquire_initial_token(), failure{});
      if (next && call % 2 == 0) shared.record_success(*std::move(next));
    }
  });
  EXPECT_EQ(strategy.strategy().quota().balance(), 1000U);
}

/// Refuses, and makes those wait that it refuses.
struct slowing_quota {
  using role = roles::quota;
  using permit_type = no_permit;
  static constexpr bool waits_before_refusal = true;
  [[nodiscard]] static std::optional<permit_type> try_acquire(failure const& /*what*/) { return std::nullopt; }
  static void on_success(permit_type /*permit*/) {}
  static void release(permit_type /*permit*/) {}
};

TEST(VirtualStrategy, TellsHowLongToWaitBeforeTheEnd) {
  virtual_strategy<with<plain, slowing_quota>> const strategy;
  auto const refused = strategy.try_refresh_retry_token(strategy.acquire_initial_token(), failure{});
  EXPECT_EQ(refused.reason(), stop_reason::quota);
  EXPECT_EQ(refused.wait_before_end(), 10ms);
}

// Exceptions are read by the strategy's own classifier.

struct busy : std::runtime_error, retry_info {
  busy() : std::runtime_error{"busy"} {}
  retry_safety is_retry_safe() const override { return retry_safety::yes; }
};
struct derived_busy : busy {};
struct no_std {};
struct server_fault : std::runtime_error, error_info {
  server_fault() : std::runtime_error{"fault"} {}
  error_fault fault() const override { return error_fault::server; }
};

template <class Classifier>
std::optional<directive> by(std::exception const& error) {
  return virtual_strategy<anew::strategy<Classifier>>{}.classify(error);
}
template <class Classifier, class E>
std::optional<directive> by_pointer(E const& error) {
  return virtual_strategy<anew::strategy<Classifier>>{}.classify(std::make_exception_ptr(error));
}
auto const transient = directive::retry(error_kind::transient);
auto const final_one = directive::fail();

TEST(VirtualStrategyClassifies, ByTheClausesOfItsClassifier) {
  using info = retry_info_classifier;
  EXPECT_EQ(by<info>(busy{}), transient);
  EXPECT_EQ(by<info>(derived_busy{}), transient);
  EXPECT_EQ(by<info>(std::runtime_error{"x"}), std::nullopt);
  EXPECT_EQ(by<retry_all>(std::runtime_error{"x"}), transient);
  EXPECT_EQ(by<retry_all>(std::invalid_argument{"x"}), final_one);
  using ranges = retry_on<std::range_error, std::runtime_error>;
  EXPECT_EQ(by<ranges>(derived_busy{}), transient);
  EXPECT_EQ(by<ranges>(std::bad_alloc{}), std::nullopt);
  EXPECT_EQ(by<retry_on<std::exception>>(std::bad_alloc{}), transient);
  EXPECT_EQ(by<retry_on<std::exception>>(std::logic_error{"x"}), final_one);
  EXPECT_EQ((by<first_of<retry_on<std::logic_error>, retry_all>>(std::logic_error{"x"})), transient);
}

TEST(VirtualStrategyClassifies, AnExceptionPointerLikewise) {
  using info = retry_info_classifier;
  EXPECT_EQ(by_pointer<info>(derived_busy{}), transient);
  EXPECT_EQ(by_pointer<info>(no_std{}), std::nullopt);
  EXPECT_EQ(by_pointer<retry_all>(no_std{}), transient);
  EXPECT_EQ(by_pointer<retry_all>(std::invalid_argument{"x"}), final_one);
  EXPECT_EQ(by_pointer<retry_on<no_std>>(no_std{}), transient);
  EXPECT_EQ(by_pointer<retry_on<int>>(1), transient);
  EXPECT_EQ(by_pointer<retry_on<int>>(1L), std::nullopt);
  EXPECT_EQ(by_pointer<retry_on<no_std>>(busy{}), std::nullopt);
}

/// The guide's example: what is the server's fault is retried.
struct guides_classifier {
  using role = roles::classifier;
  using catches = catch_list<retry_info, error_info>;
  [[nodiscard]] static directive classify(retry_info const& e) { return directive::retry(read_failure(e)); }
  [[nodiscard]] static directive classify(error_info const& e) {
    return e.fault() == error_fault::server ? directive::retry(error_kind::server) : directive::fail();
  }
};

TEST(VirtualStrategyClassifies, AFaultWhereTheClassifierKnowsIt) {
  EXPECT_EQ(by<guides_classifier>(server_fault{}), directive::retry(error_kind::server));
  EXPECT_EQ(by<guides_classifier>(busy{}), transient);
  virtual_strategy<anew::strategy<guides_classifier>> const strategy;
  EXPECT_TRUE(strategy.try_refresh_retry_token(strategy.acquire_initial_token(), server_fault{}).has_value());
  virtual_strategy<anew::strategy<>> const careful;
  EXPECT_FALSE(careful.try_refresh_retry_token(careful.acquire_initial_token(), server_fault{}).has_value());
}

/// Whatever its clauses find counts as success: an exception leaves none.
struct pleased {
  using role = roles::classifier;
  using catches = catch_list<std::exception>;
  [[nodiscard]] static directive classify(std::exception const& /*e*/) { return directive::succeed(); }
};
TEST(VirtualStrategyClassifies, AnExceptionIsNoSuccess) { EXPECT_EQ(by<pleased>(busy{}), final_one); }

}  // namespace
}  // namespace virtual_virtual_strategy_test
