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
  struct row {
    std::string_view text;
    std::string_view says;  // empty where it is accepted
  };
  row const rows[] = {
      {R"j({"max_attempts": "max_attempts(3)", "hint": "server_hint(stop,5s)"})j", ""},
      {R"j({"max_attempts": "max_attempts(7)"})j", "max_attempts: attempts 7 > 5 by max_attempts"},
      {R"j({"hint": "pushback_hint(120s)"})j", "hint: wait 120s > 10s by hint"},
      {R"j({"backoff": "constant(1s)"})j", "wait 60s > 10s by hint"},  // a default has no member
      {R"j({"backoff": "full_jitter"})j", "backoff: 'full_jitter' plays the role jitter"},
  };
  for (auto const& r : rows) {
    auto const read = anew::strategy_from_json_within(nlohmann::json::parse(r.text), {.attempts = 5, .wait = 10s});
    ASSERT_EQ(read.has_value(), r.says.empty()) << r.text;
    EXPECT_EQ(read ? std::string{} : read.error().what, r.says);
  }
}

}  // namespace
}  // namespace json_strategy_from_json_within_test
