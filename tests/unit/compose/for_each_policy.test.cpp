// SPDX-License-Identifier: BSL-1.0
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/compose/for_each_policy.hpp"

namespace compose_for_each_policy_test {

using namespace std::chrono_literals;

struct seen_policy {
  std::string role;
  std::string words;
  friend bool operator==(seen_policy const&, seen_policy const&) = default;
};

template <class Strategy>
std::vector<seen_policy> seen_of(Strategy const& strategy) {
  std::vector<seen_policy> seen;
  anew::for_each_policy(strategy, [&seen](std::string_view role, auto const& policy) {
    seen.push_back({std::string{role}, anew::detail::describe_policy(policy)});
  });
  return seen;
}

TEST(ForEachPolicy, VisitsTheRolesThatArePlayedInTheirOrder) {
  std::vector<seen_policy> const wanted{{"backoff", "exponential(50ms,20s)"}, {"jitter", "full_jitter"},
                                        {"quota", "unlimited_quota"},         {"classifier", "retry_info"},
                                        {"max_attempts", "max_attempts(3)"},  {"hint", "server_hint(stop)"}};
  EXPECT_EQ(seen_of(anew::strategy<>{}), wanted);
}

TEST(ForEachPolicy, VisitsAnOptionalRoleWhereItIsComposed) {
  auto const seen = seen_of(anew::strategy<anew::deadline<30s>, anew::max_attempts<4>>{});
  ASSERT_EQ(seen.size(), 7U);
  EXPECT_EQ(seen[6], (seen_policy{"deadline", "deadline(30s)"}));
}

TEST(ForEachPolicy, HandsOutThePoliciesThemselves) {
  anew::strategy<anew::token_bucket<60>> const strategy;
  void const* found = nullptr;
  anew::for_each_policy(strategy, [&found](std::string_view role, auto const& policy) {
    if (role == "quota") found = &policy;
  });
  EXPECT_EQ(found, &strategy.quota());
}

static_assert(anew::role_name<anew::roles::backoff> == "backoff");
static_assert(anew::role_name<anew::roles::random_source> == "random_source");
static_assert([] {
  int played = 0;
  anew::for_each_policy(anew::never{}, [&played](auto, auto const&) { ++played; });
  return played;
}() == 6);
}  // namespace compose_for_each_policy_test
