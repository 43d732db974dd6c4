// SPDX-License-Identifier: BSL-1.0
#include <string>
#include <vector>

#include <boost/hana.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/hana.hpp"
#include "anew/strategy/for_each_policy.hpp"

#include "names.hpp"

namespace hana_strategy_test {

namespace hana = boost::hana;

using plain = anew::strategy<anew::max_attempts<5>>;
using bounded = anew::strategy<anew::max_attempts<5>, anew::deadline<1s>>;

static_assert(hana::Struct<plain>::value && hana::Foldable<plain>::value && hana::Searchable<plain>::value);
static_assert(decltype(hana::size(hana::members(plain{})))::value == 6);
static_assert(decltype(hana::size(hana::members(bounded{})))::value == 7);
static_assert(decltype(hana::contains(hana::keys(bounded{}), anew::role_c<anew::roles::deadline>))::value);
static_assert(!decltype(hana::contains(hana::keys(plain{}), anew::role_c<anew::roles::deadline>))::value);
static_assert(std::is_same_v<decltype(hana::at_key(plain{}, anew::role_c<anew::roles::jitter>)), anew::full_jitter>);
static_assert(decltype(hana::find(plain{}, anew::role_c<anew::roles::gate>) == hana::nothing)::value);
static_assert(!decltype(hana::equal(plain{}, bounded{}))::value);
static_assert(hana::equal(plain{}, plain{}));

TEST(HanaStrategy, ForEachVisitsRoleAndPolicy) {
  std::vector<std::string> seen;
  seen.reserve(7);  // as it grows, g++ 12 warns at -O3 of a copy that does not happen
  hana::for_each(
      bounded{}, hana::fuse([&seen](auto role, auto const& policy) {
        seen.push_back(std::string{anew::role_name<typename decltype(role)::type>} + ' ' + policy.describe());
      }));
  ASSERT_EQ(seen.size(), 7U);
  EXPECT_EQ(seen[0], "backoff exponential(50ms,20s)");
  EXPECT_EQ(seen[4], "max_attempts max_attempts(5)");
  EXPECT_EQ(seen[6], "deadline deadline(1s)");
}

TEST(HanaStrategy, FoldGoesThroughThePolicies) {
  auto const all = hana::fold_left(hana::members(plain{}), std::string{},
                                   [](std::string text, auto const& policy) { return text + policy.describe() + ';'; });
  EXPECT_EQ(all, "exponential(50ms,20s);full_jitter;unlimited_quota;retry_info;max_attempts(5);server_hint(stop);");
}

TEST(HanaStrategy, ValuesOfOneTypeAreCompared) {
  auto const five = anew::compose(anew::max_attempts{5});
  EXPECT_TRUE(hana::equal(five, anew::compose(anew::max_attempts{5})));
  EXPECT_FALSE(hana::equal(five, anew::compose(anew::max_attempts{6})));
  EXPECT_TRUE(hana::not_equal(five, anew::compose(anew::max_attempts{6})));
}

TEST(HanaStrategy, ToMapLooksUpByRole) {
  auto const map = hana::to_map(anew::compose(anew::max_attempts{7}));
  EXPECT_EQ(map[anew::role_c<anew::roles::max_attempts>].describe(), "max_attempts(7)");
}

TEST(HanaStrategy, AQuotaThatCannotBeCopiedIsBorrowed) {
  anew::strategy<anew::token_bucket<60>> const strategy;
  auto const quota = hana::at_key(strategy, anew::role_c<anew::roles::quota>);
  EXPECT_EQ(&quota.policy(), &strategy.quota());
}
}  // namespace hana_strategy_test
