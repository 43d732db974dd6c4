// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "anew/anew.hpp"
#include "anew/bounds/limits.hpp"
#include "anew/text/json/strategy_from_json.hpp"

#include "names.hpp"

namespace json_strategy_from_json_within_test {
namespace {

TEST(Bounds, RefuseJsonAtTheMemberToBlame) {
  auto const check = [&](std::string_view text, std::string_view says) {
    auto const read = anew::strategy_from_json_within(nlohmann::json::parse(text), {.attempts = 5, .wait = 10s});
    ASSERT_EQ(read.has_value(), says.empty()) << text;
    EXPECT_EQ(read ? std::string{} : read.error().what, says);
  };
  check(R"j({"max_attempts": "max_attempts(3)", "hint": "server_hint(stop,5s)"})j", "");
  check(R"j({"max_attempts": "max_attempts(7)"})j", "max_attempts: attempts 7 > 5 by max_attempts");
  check(R"j({"hint": "pushback_hint(120s)"})j", "hint: wait 120s > 10s by hint");
  check(R"j({"backoff": "constant(1s)"})j", "wait 60s > 10s by hint");  // a default has no member
  check(R"j({"backoff": "full_jitter"})j", "backoff: 'full_jitter' plays the role jitter");
}

}  // namespace
}  // namespace json_strategy_from_json_within_test
