// SPDX-License-Identifier: BSL-1.0
#include <dlfcn.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/poll.hpp"
#include "anew/virtual.hpp"

#include "far_error.hpp"

namespace {

using namespace std::chrono_literals;
using anew::stop_reason;

using made = std::unique_ptr<anew::retry_strategy, void (*)(anew::retry_strategy*)>;

class Plugin : public ::testing::Test {
 protected:
  void SetUp() override {
    library_ = ::dlopen(ANEW_TEST_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << ::dlerror();
  }
  void TearDown() override {
    if (library_ != nullptr) ::dlclose(library_);
  }
  [[nodiscard]] made make(char const* function = "make_strategy") const {
    auto const create = reinterpret_cast<anew::retry_strategy* (*)()>(::dlsym(library_, function));
    auto const destroy = reinterpret_cast<void (*)(anew::retry_strategy*)>(::dlsym(library_, "destroy_strategy"));
    if (create == nullptr || destroy == nullptr) throw std::runtime_error{"a function of the plug-in is missing"};
    return made{create(), destroy};
  }

 private:
  void* library_ = nullptr;
};

struct busy : std::runtime_error, anew::retry_info {
  busy() : std::runtime_error{"busy"} {}
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
};

TEST_F(Plugin, IsDrivenByTheHost) {
  auto const strategy = make();
  std::vector<anew::duration> delays;
  auto const sleep = [&](anew::duration delay) { delays.push_back(delay); };
  int calls = 0;
  auto const told =
      anew::retry_outcome(anew::strategy_view{*strategy}, [&] { return ++calls < 3 ? throw busy{} : calls; }, sleep);
  EXPECT_EQ(told.reason(), stop_reason::succeeded);
  EXPECT_EQ(told.attempts(), 3U) << "an exception of the host's is classified in the plug-in";
  EXPECT_EQ(delays, (std::vector<anew::duration>{10ms, 20ms}));
  EXPECT_EQ(strategy->describe(), "balance 14");
}

TEST_F(Plugin, ItsRefusalIsCaughtByItsTypeInTheHost) {
  auto const strategy = make();
  auto token = strategy->acquire_initial_token();
  token = strategy->refresh_retry_token(std::move(token), busy{});
  token = strategy->refresh_retry_token(std::move(token), busy{});
  try {
    token = strategy->refresh_retry_token(std::move(token), busy{});
    FAIL() << "nothing was thrown";
  } catch (anew::token_acquisition_failed const& e) {
    EXPECT_EQ(e.reason(), stop_reason::attempts);
  }
  token = strategy->acquire_initial_token();
  EXPECT_THROW(static_cast<void>(strategy->refresh_retry_token(std::move(token), busy{})),
               anew::token_acquisition_failed)
      << "the bucket is empty";
}

TEST_F(Plugin, ATokenMadeInThePluginIsDestroyedInTheHost) {
  auto const strategy = make();
  {
    auto const token = strategy->refresh_retry_token(strategy->acquire_initial_token(), busy{});
    EXPECT_EQ(token.delay(), 10ms);
    EXPECT_EQ(strategy->describe(), "balance 14");
  }
  EXPECT_EQ(strategy->describe(), "balance 28");
}

TEST_F(Plugin, SoIsOneWithAStateOfItsOwn) {
  auto const strategy = make("make_verbose_strategy");
  for (int round = 0; round < 3; ++round) {
    auto token = strategy->acquire_initial_token();
    auto next = strategy->try_refresh_retry_token(std::move(token), anew::failure{});
    ASSERT_TRUE(next.has_value());
    next = strategy->try_refresh_retry_token(*std::move(next), anew::failure{});
    ASSERT_TRUE(next.has_value());
    EXPECT_EQ(next->attempt(), 3U);
    if (round == 1) continue;  // destroyed unused
    EXPECT_FALSE(strategy->try_refresh_retry_token(*std::move(next), anew::failure{}).has_value());
  }
}

template <class E>
struct answer {
  E why{};
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] E const& error() const { return why; }
};

TEST_F(Plugin, ReadsAnErrorThatTheHostReturns) {
  auto const strategy = make("make_reading_strategy");
  auto const attempts = [&](auto const& error) {
    auto const sleep = [](anew::duration /*d*/) {};
    return anew::retry_outcome(anew::strategy_view{*strategy}, [&] { return answer{error}; }, sleep).attempts();
  };
  EXPECT_EQ(attempts(far_error{1}), 3U);
  EXPECT_EQ(attempts(far_error{2}), 1U);
  struct another {
    int number = 1;
  };
  EXPECT_THROW(attempts(another{}), std::invalid_argument) << "said, not mistaken for the other one";
}

TEST_F(Plugin, IsToldWhatALookFound) {
  auto const strategy = make();
  auto const told = anew::poll(
      anew::strategy_view{*strategy}, [] { return false; }, anew::success_when([](bool ready) { return ready; }),
      [](anew::duration /*d*/) {});
  EXPECT_EQ(told.reason(), stop_reason::attempts);
  EXPECT_EQ(strategy->describe(), "balance 28") << "not ready is free";
}

TEST_F(Plugin, AForeignTokenIsAnInvalidArgument) {
  auto const one = make();
  auto const other = make();
  auto token = one->acquire_initial_token();
  EXPECT_THROW(other->record_success(std::move(token)), std::invalid_argument);
  anew::virtual_strategy<anew::strategy<>> const in_the_host;
  EXPECT_THROW(in_the_host.record_success(std::move(token)), std::invalid_argument);
  EXPECT_TRUE(token.is_live());
}

}  // namespace
