// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "anew/compose/describe.hpp"
#include "anew/preset/azure.hpp"
#include "anew/testing/scripted_random.hpp"

namespace preset_azure_test {
namespace {

using namespace std::chrono_literals;
using anew::failure;
using anew::stop_reason;
using durations = std::vector<anew::duration>;
namespace azure = anew::azure;

TEST(AzurePreset, ReadsTheFieldsInTheirOrder) {
  auto const now = std::chrono::system_clock::from_time_t(1'700'000'000);
  std::map<std::string, std::string, std::less<>> fields;
  auto const read = [&] {
    return azure::retry_after(
        [&](std::string_view name) {
          auto const found = fields.find(name);
          return found == fields.end() ? std::nullopt : std::optional<std::string_view>{found->second};
        },
        now);
  };
  EXPECT_EQ(read(), std::nullopt);
  fields["retry-after"] = "7";
  EXPECT_EQ(read(), 7s);
  fields["x-ms-retry-after-ms"] = "1500";
  EXPECT_EQ(read(), 1500ms);
  fields["retry-after-ms"] = "250";
  EXPECT_EQ(read(), 250ms);
  fields["retry-after-ms"] = "soon";
  EXPECT_EQ(read(), 1500ms);
  fields["x-ms-retry-after-ms"] = "-1";
  EXPECT_EQ(read(), 7s);
  fields["retry-after"] = "Tue, 14 Nov 2023 22:14:00 GMT";
  EXPECT_EQ(read(), 40s);
  fields["retry-after"] = "whenever";
  EXPECT_EQ(read(), std::nullopt);
}

}  // namespace
}  // namespace preset_azure_test
