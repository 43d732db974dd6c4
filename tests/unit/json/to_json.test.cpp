// SPDX-License-Identifier: BSL-1.0
#include <chrono>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "anew/anew.hpp"
#include "anew/json/to_json.hpp"

namespace json_to_json_test {

using namespace std::chrono_literals;

TEST(ToJson, HasAMemberForEachRoleThatIsPlayed) {
  nlohmann::ordered_json const object = anew::compose(anew::max_attempts{5}, anew::deadline<2s>{});
  EXPECT_EQ(object.dump(),
            R"json({"backoff":"exponential(50ms,20s)","jitter":"full_jitter","quota":"unlimited_quota",)json"
            R"json("classifier":"retry_info","max_attempts":"max_attempts(5)","hint":"server_hint(stop)",)json"
            R"json("deadline":"deadline(2s)"})json");
}

TEST(ToJson, TakesAStrategyThatCannotBeCopied) {
  anew::strategy<anew::token_bucket<60>> const strategy;
  nlohmann::json const object = strategy;
  EXPECT_EQ(object.at("quota"), strategy.quota().describe());
}
}  // namespace json_to_json_test
