// SPDX-License-Identifier: BSL-1.0
// The file of trace events, read back as a viewer reads it.
#include <chrono>
#include <sstream>
#include <string>
#include <system_error>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "anew/anew.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/text/json/json_lines.hpp"

namespace json_trace_events_test {
namespace {

using namespace std::chrono_literals;

TEST(TraceEvents, AreOneArrayOfBarsThatLieInEachOther) {
  std::ostringstream out;
  anew::testing::manual_clock clock;
  {
    anew::trace_file file{out};
    auto const s = anew::compose(anew::error_code_classifier{}, anew::constant_backoff{2ms}, anew::no_jitter{},
                                 anew::max_attempts<2>{}, anew::trace_events{file}, clock);
    int made = 0;
    auto const operation = [&] {
      clock.advance(3ms);
      return ++made == 1 ? std::make_error_code(std::errc::connection_refused) : std::error_code{};
    };
    EXPECT_FALSE(anew::retry(s, anew::named(anew::idempotent(operation), "read \"it\""),
                             anew::testing::advancing_sleeper{clock}));
  }
  auto const events = nlohmann::json::parse(out.str());
  struct row {
    char const* name;
    double after, took;  // milliseconds
    nlohmann::json args;
  };
  auto const refused = std::make_error_code(std::errc::connection_refused).message();
  row const rows[]{{"attempt 1", 0, 3, {{"verdict", "transient"}, {"error", refused}}},
                   {"wait", 3, 2, {{"origin", "backoff"}}},
                   {"attempt 2", 5, 3, {{"verdict", "success"}}},
                   {"read \"it\"", 0, 8, {{"reason", "succeeded"}, {"attempts", 2}}}};
  ASSERT_EQ(events.size(), std::size(rows));
  for (std::size_t i = 0; i != std::size(rows); ++i) {
    auto const& event = events[i];
    EXPECT_EQ(event.at("name"), rows[i].name);
    EXPECT_EQ(event.at("ph"), "X");
    EXPECT_EQ(event.at("ts").get<double>() - events[3].at("ts").get<double>(), rows[i].after * 1e3) << event;
    EXPECT_EQ(event.at("dur"), rows[i].took * 1e3) << event;
    EXPECT_EQ(event.at("tid"), events[3].at("tid"));
    EXPECT_EQ(event.at("args"), rows[i].args);
  }
}

TEST(TraceEvents, OfNoCallAreAnEmptyArray) {
  std::ostringstream out;
  {
    anew::trace_file const file{out};
  }
  EXPECT_TRUE(nlohmann::json::parse(out.str()).empty());
}

}  // namespace
}  // namespace json_trace_events_test
