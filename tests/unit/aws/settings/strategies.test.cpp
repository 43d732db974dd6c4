// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/aws/preset/error.hpp"
#include "anew/aws/settings/make_strategy.hpp"
#include "anew/aws/settings/resolve.hpp"
#include "anew/aws/settings/strategy_store.hpp"
#include "anew/aws/settings/visit_strategy.hpp"
#include "anew/classifier/retry_all.hpp"
#include "anew/compose/describe.hpp"
#include "anew/drive/retry.hpp"
#include "anew/drive/retry_outcome.hpp"
#include "anew/quota/token_bucket.hpp"
#include "anew/sharing/shared.hpp"
#include "anew/virtual/strategy_view.hpp"

#include "config_support.hpp"

namespace aws_settings_strategies_test {
namespace {

using anew::aws::generation;
using anew::aws::retry_mode;
using anew::aws_settings::make_strategy;
using anew::aws_settings::service;
using anew::aws_settings::settings;
using anew::aws_settings::visit_strategy;

settings of(retry_mode mode, generation revision, service for_service = service::any) {
  return anew::aws_settings::resolve({.mode = mode, .generation = revision, .for_service = for_service},
                                     anew::aws_settings::no_environment{}, anew::aws_settings::no_files{});
}

TEST(MakeStrategy, IsThePresetOfTheSettings) {
  auto const expect = [](settings const& s, std::string const& preset) {
    EXPECT_EQ(make_strategy(s)->describe(), preset) << s.describe();
  };
  for (auto const revision : {generation::v2020, generation::v2026})
    for (auto const kind : {service::any, service::dynamodb, service::long_polling})
      expect(of(retry_mode::legacy, revision, kind), anew::describe<anew::aws::legacy>());
  for (auto const kind : {service::any, service::dynamodb, service::long_polling}) {
    expect(of(retry_mode::standard, generation::v2020, kind), anew::describe<anew::aws::standard_2020>());
    expect(of(retry_mode::adaptive, generation::v2020, kind), anew::describe<anew::aws::adaptive_2020>());
  }
  expect(of(retry_mode::standard, generation::v2026), anew::describe<anew::aws::standard>());
  expect(of(retry_mode::adaptive, generation::v2026), anew::describe<anew::aws::adaptive>());
  expect(of(retry_mode::standard, generation::v2026, service::dynamodb), anew::describe<anew::aws::dynamodb>());
  expect(of(retry_mode::standard, generation::v2026, service::long_polling), anew::describe<anew::aws::long_polling>());

  using limiter = anew::aws::adaptive::pacer_type;
  expect(of(retry_mode::adaptive, generation::v2026, service::dynamodb),
         anew::describe<anew::with<anew::aws::dynamodb, limiter>>());
  expect(of(retry_mode::adaptive, generation::v2026, service::long_polling),
         anew::describe<anew::with<anew::aws::long_polling, limiter>>());
}

TEST(MakeStrategy, HasTheAttemptsOfTheSettings) {
  auto s = of(retry_mode::standard, generation::v2026, service::dynamodb);
  s.max_attempts.value = 7;
  EXPECT_THAT(make_strategy(s)->describe(), testing::HasSubstr(" max_attempts(7) "));
  EXPECT_THAT(make_strategy(s)->describe(), testing::HasSubstr("exponential(25ms,20s)"))
      << "of a service's own defaults only the one that was configured goes";
  s.max_attempts.value = 2147483647;
  EXPECT_THAT(make_strategy(s)->describe(), testing::HasSubstr(" max_attempts(2147483647) "));
}

/// As std::expected<int, aws::error>.
struct answer {
  anew::aws::error why;
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] anew::aws::error const& error() const { return why; }
};

// A bare 429 is throttling for v2020 and final for v2026, in every call and in every form of the error.
TEST(MakeStrategy, ReadsReturnedErrorsByTheSettings) {
  anew::aws::error const error{.status = 429};
  auto const sleep = [](anew::duration /*d*/) {};
  auto const returned = [&] { return answer{error}; };
  auto const thrown = [&]() -> int { throw anew::aws::service_exception{error}; };
  for (auto const& [revision, expected] : {std::pair{generation::v2020, 3U}, std::pair{generation::v2026, 1U}}) {
    auto const s = of(retry_mode::standard, revision);
    auto const strategy = make_strategy(s);
    EXPECT_EQ(visit_strategy(s, [&](auto fixed) { return anew::retry_outcome(fixed, returned, sleep).attempts(); }),
              expected);
    EXPECT_EQ(anew::retry_outcome(anew::strategy_view{*strategy}, thrown, sleep).attempts(), expected);
    EXPECT_EQ(anew::retry_outcome(anew::strategy_view{*strategy}, returned, sleep).attempts(), expected);
  }
}

TEST(MakeStrategy, ReadsErrorsThatAreNamed) {
  struct my_error {
    int status_ = 0;
    [[nodiscard]] int status() const { return status_; }
  };
  struct result {
    my_error why;
    [[nodiscard]] static bool has_value() { return false; }
    [[nodiscard]] my_error const& error() const { return why; }
  };
  auto const attempts = [](anew::retry_strategy const& strategy) {
    return anew::retry_outcome(
               anew::strategy_view{strategy}, [] { return result{{503}}; }, [](anew::duration /*d*/) {})
        .attempts();
  };
  auto const s = of(retry_mode::standard, generation::v2026);
  EXPECT_EQ(attempts(*make_strategy<my_error>(s)), 3U);
  EXPECT_EQ(attempts(*make_strategy<my_error>(s, anew::token_bucket<1000>{})), 3U);
  EXPECT_THROW(attempts(*make_strategy(s)), std::invalid_argument);
}

TEST(MakeStrategy, DrivesCalls) {
  auto const strategy = make_strategy(of(retry_mode::standard, generation::v2026));
  int calls = 0;
  std::vector<anew::duration> delays;
  EXPECT_THROW((void)anew::retry(
                   anew::strategy_view{*strategy},
                   [&] {
                     ++calls;
                     throw anew::aws::service_exception{{.status = 503}};
                   },
                   [&](anew::duration d) { delays.push_back(d); }),
               anew::aws::service_exception);
  EXPECT_EQ(calls, 3);
  ASSERT_EQ(delays.size(), 2U);
  EXPECT_LE(delays[0], std::chrono::milliseconds{50});
  EXPECT_LE(delays[1], std::chrono::milliseconds{100});
}

TEST(VisitStrategy, GivesAStaticStrategyAway) {
  auto s = of(retry_mode::standard, generation::v2026);
  s.max_attempts.value = 5;
  auto const attempts = visit_strategy(
      s,
      []<class Strategy>(Strategy&& strategy) -> std::uint32_t {
        static_assert(std::is_rvalue_reference_v<Strategy&&>);
        auto const own = std::move(strategy);
        return anew::retry_outcome(own, [] { return false; }, [](anew::duration) {}).attempts();
      },
      anew::retry_all{}, anew::token_bucket<500>{});
  EXPECT_EQ(attempts, 5U);
}

TEST(VisitStrategy, MayReturnNothing) {
  std::string seen;
  visit_strategy(of(retry_mode::legacy, generation::v2026),
                 [&](auto const& strategy) { seen = anew::describe(strategy); });
  EXPECT_EQ(seen, anew::describe<anew::aws::legacy>());
}

TEST(VisitStrategy, TakesPoliciesInThePlaceOfThePresets) {
  anew::shared<anew::token_bucket<500>> const budget{};
  auto const first = make_strategy(of(retry_mode::standard, generation::v2026), budget);
  EXPECT_THAT(first->describe(), testing::HasSubstr("shared(token_bucket(500))"));
  EXPECT_THROW((void)anew::retry(
                   anew::strategy_view{*first}, [] { throw anew::aws::service_exception{{.status = 503}}; },
                   [](anew::duration) {}),
               anew::aws::service_exception);
  EXPECT_LT(budget.policy().balance(), 500U);
}

TEST(VisitStrategy, OfAStore) {
  fake_machine machine;
  machine.config("[default]\nretry_mode = adaptive\n");
  anew::aws_settings::strategy_store store{
      [&] { return anew::aws_settings::try_resolve({}, machine.environment(), machine.files()); },
      [](settings const& s) { return make_strategy(s); }};
  EXPECT_EQ(store.snapshot()->describe(), anew::describe<anew::aws::adaptive>());
  auto const before = store.snapshot();
  machine.config("[default]\nretry_mode = legacy\n");
  EXPECT_EQ(store.reload().status(), anew::aws_settings::reload_status::changed);
  EXPECT_EQ(store.snapshot()->describe(), anew::describe<anew::aws::legacy>());
  EXPECT_EQ(before->describe(), anew::describe<anew::aws::adaptive>());
  auto const strategy = store.snapshot();
  EXPECT_EQ(anew::retry(anew::strategy_view{*strategy}, [] { return 42U; }), 42U);
}

}  // namespace
}  // namespace aws_settings_strategies_test
