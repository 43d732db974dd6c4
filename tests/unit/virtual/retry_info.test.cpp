// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>

#include "anew/run_time/virtual/retry_info.hpp"

#include "names.hpp"

namespace virtual_retry_info_test {
namespace {

static_assert(anew::RetryInfo<anew::retry_info> && anew::ErrorInfo<anew::error_info>);

struct told : std::runtime_error, anew::retry_info, anew::error_info {
  retry_safety safety = retry_safety::yes;
  bool throttle = false;
  error_fault whose = error_fault::other;
  told() : std::runtime_error{"told"} {}
  retry_safety is_retry_safe() const override { return safety; }
  bool is_throttle() const override { return throttle; }
  std::optional<anew::duration> retry_after() const override { return 2s; }
  error_fault fault() const override { return whose; }
};
struct only_fault : std::runtime_error, anew::error_info {
  only_fault() : std::runtime_error{"fault"} {}
  error_fault fault() const override { return error_fault::server; }
};

TEST(VirtualRetryInfo, BothAreFoundWhateverTheStaticTypeIs) {
  told const error;
  for (auto const found : {anew::info_of(static_cast<std::exception const&>(error)), anew::info_of(error),
                           anew::info_of(static_cast<anew::retry_info const&>(error)),
                           anew::info_of(static_cast<anew::error_info const&>(error))}) {
    EXPECT_EQ(found.retry, static_cast<anew::retry_info const*>(&error));
    EXPECT_EQ(found.fault, static_cast<anew::error_info const*>(&error));
    EXPECT_TRUE(found);
  }
  only_fault const fault;
  auto const found = anew::info_of(static_cast<std::exception const&>(fault));
  EXPECT_EQ(found.retry, nullptr);
  EXPECT_EQ(found.fault, static_cast<anew::error_info const*>(&fault));
  EXPECT_TRUE(found);
  EXPECT_FALSE(anew::info_of(std::exception{}));
}

anew::failure what_follows(told const& error) { return anew::directive_of(anew::info_of(error)).what(); }

TEST(VirtualRetryInfo, TheFaultNamesTheKindWhereNothingElseDoes) {
  told error;
  EXPECT_EQ(what_follows(error), (anew::failure{error_kind::transient, retry_safety::yes, 2s}));
  error.whose = error_fault::server;
  EXPECT_EQ(what_follows(error).kind, error_kind::server);
  error.whose = error_fault::client;
  EXPECT_EQ(what_follows(error).kind, error_kind::client);
  error.throttle = true;
  EXPECT_EQ(what_follows(error).kind, error_kind::throttling);
  error.safety = retry_safety::maybe;
  EXPECT_EQ(what_follows(error).safety, retry_safety::maybe);
  error.safety = retry_safety::no;
  EXPECT_TRUE(anew::directive_of(anew::info_of(error)).is_failure());
}

}  // namespace
}  // namespace virtual_retry_info_test
