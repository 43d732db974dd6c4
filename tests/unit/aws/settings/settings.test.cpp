// SPDX-License-Identifier: BSL-1.0
#include <string>

#include <gtest/gtest.h>

#include "anew/aws/settings/settings.hpp"

namespace aws_settings_settings_test {
namespace {

using anew::aws::generation;
using anew::aws::retry_mode;
using anew::aws_settings::default_attempts;
using anew::aws_settings::default_mode;
using anew::aws_settings::origin;
using anew::aws_settings::origin_kind;
using anew::aws_settings::service;
using anew::aws_settings::settings;

static_assert(default_mode(generation::v2020) == retry_mode::legacy);
static_assert(default_mode(generation::v2026) == retry_mode::standard);
static_assert(default_attempts(retry_mode::legacy, generation::v2020, service::any) == 11);
static_assert(default_attempts(retry_mode::legacy, generation::v2026, service::dynamodb) == 11);
static_assert(default_attempts(retry_mode::standard, generation::v2020, service::dynamodb) == 3);
static_assert(default_attempts(retry_mode::standard, generation::v2026, service::dynamodb) == 4);
static_assert(default_attempts(retry_mode::adaptive, generation::v2026, service::dynamodb) == 4);
static_assert(default_attempts(retry_mode::adaptive, generation::v2026, service::long_polling) == 3);
static_assert(default_attempts(retry_mode::standard, generation::v2026, service::any) == 3);

TEST(Origin, SaysWhere) {
  EXPECT_EQ(origin{}.describe(), "default");
  EXPECT_EQ(origin::code().describe(), "code");
  EXPECT_EQ(origin::variable("AWS_RETRY_MODE").describe(), "AWS_RETRY_MODE");
  EXPECT_EQ(origin::file("/f", 12).describe(), "/f:12");
  EXPECT_EQ(origin::file("/f", 12).kind, origin_kind::file);
  EXPECT_NE(origin::file("/f", 12), origin::file("/f", 13));
}

TEST(Settings, AreTheDefaults) {
  EXPECT_EQ(settings{}.describe(),
            "retry_mode = standard (default), max_attempts = 3 (default), generation = v2026 (default), profile = "
            "default (default)");
  EXPECT_TRUE(settings{}.mode.is_default());
}

TEST(Settings, HaveTheSameValuesWhereverTheseCameFrom) {
  settings other;
  other.mode.from = origin::code();
  other.max_attempts.from = origin::variable("AWS_MAX_ATTEMPTS");
  other.generation.from = origin::code();
  other.profile = {"other", origin::code()};
  EXPECT_NE(other, settings{});
  EXPECT_TRUE(other.same_values(settings{}));
  EXPECT_FALSE(other.mode.is_default());

  auto const differs = [](auto change) {
    settings changed;
    change(changed);
    return !changed.same_values(settings{}) && changed != settings{};
  };
  EXPECT_TRUE(differs([](settings& s) { s.mode.value = retry_mode::adaptive; }));
  EXPECT_TRUE(differs([](settings& s) { s.max_attempts.value = 4; }));
  EXPECT_TRUE(differs([](settings& s) { s.generation.value = generation::v2020; }));
  EXPECT_TRUE(differs([](settings& s) { s.for_service = service::long_polling; }));
}

}  // namespace
}  // namespace aws_settings_settings_test
