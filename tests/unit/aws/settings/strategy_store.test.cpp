// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/aws/settings/strategy_store.hpp"
#include "anew/sharing/shared.hpp"

#include "config_support.hpp"
#include "length.hpp"

namespace aws_settings_strategy_store_test {
namespace {

using anew::aws::retry_mode;
using anew::aws_settings::config_error_kind;
using anew::aws_settings::file_text;
using anew::aws_settings::origin_kind;
using anew::aws_settings::reload_status;
using anew::aws_settings::settings;
using anew::aws_settings::strategy_store;

/// A strategy of run-time attempts, with a quota that can be looked at.
auto strategy_of(settings const& s) {
  return anew::compose(anew::no_backoff{}, anew::token_bucket<100>{}, anew::retry_all{},
                       anew::max_attempts{s.max_attempts.value});
}

auto load_from(fake_machine const& machine) {
  return [&machine] { return anew::aws_settings::try_resolve({}, machine.environment(), machine.files()); };
}

std::uint32_t attempts_made(auto const& strategy) {
  return anew::retry_outcome(strategy, [] { return false; }, [](anew::duration) {}).attempts();
}

TEST(Reloadable, ASnapshotStaysWhatItIs) {
  anew::aws_settings::reloadable<int> value{std::make_shared<int const>(1)};
  auto const before = value.snapshot();
  value.replace(std::make_shared<int const>(2));
  EXPECT_EQ(*before, 1);
  EXPECT_EQ(*value.snapshot(), 2);
  EXPECT_EQ(before.use_count(), 1) << "the old value lives for its snapshots alone";
}

TEST(StrategyStore, OtherValuesMakeAnotherStrategyForCallsThatBegin) {
  fake_machine machine;
  machine.config("[default]\nmax_attempts = 4\n");
  strategy_store store{load_from(machine), strategy_of};
  auto const before = store.snapshot();
  machine.config("[default]\nmax_attempts = 5\n");
  auto const result = store.reload();
  EXPECT_TRUE(result);
  EXPECT_EQ(result.status(), reload_status::changed);
  EXPECT_EQ(attempts_made(*before), 4U) << "a call under way keeps what it began with";
  EXPECT_EQ(store.snapshot()->quota().balance(), 100U) << "a new one begins with a full quota";
  EXPECT_EQ(attempts_made(*store.snapshot()), 5U);
  EXPECT_EQ(store.current().max_attempts.value, 5U);
}

TEST(StrategyStore, EachValueCounts) {
  fake_machine machine;
  machine.config("[profile other]\nregion = r\n");
  strategy_store store{load_from(machine), strategy_of};
  auto const changes = [&](std::string const& name, std::string const& value) {
    machine.set(name, value);
    return store.reload().status() == reload_status::changed;
  };
  EXPECT_TRUE(changes("AWS_RETRY_MODE", "adaptive"));
  EXPECT_FALSE(changes("AWS_MAX_ATTEMPTS", "3")) << "the default";
  EXPECT_TRUE(changes("AWS_MAX_ATTEMPTS", "4"));
  EXPECT_FALSE(changes("AWS_NEW_RETRIES_2026", "true")) << "the default";
  EXPECT_TRUE(changes("AWS_NEW_RETRIES_2026", "false"));
  EXPECT_FALSE(changes("AWS_PROFILE", "other")) << "where values come from is none";
  EXPECT_EQ(store.current().profile.value, "other");
  auto other = store.current();
  other.for_service = anew::aws_settings::service::dynamodb;
  EXPECT_FALSE(other.same_values(store.current()));
}

TEST(StrategyStore, TheSameValuesChangeNothing) {
  fake_machine machine;
  machine.config("[default]\nmax_attempts = 4\n");
  strategy_store store{load_from(machine), strategy_of};
  static_cast<void>(attempts_made(*store.snapshot()));
  auto const balance = store.snapshot()->quota().balance();
  EXPECT_LT(balance, 100U);
  auto const before = store.snapshot();

  machine.config("# a comment\n[default]\nmax_attempts = 4\n");
  EXPECT_EQ(store.reload().status(), reload_status::unchanged);
  EXPECT_EQ(store.snapshot(), before) << "the very strategy, with its quota";
  EXPECT_EQ(store.snapshot()->quota().balance(), balance);
  EXPECT_EQ(store.current().max_attempts.from.line, 3U) << "and still the truth about where it stands";

  machine.set("AWS_MAX_ATTEMPTS", "4");
  EXPECT_EQ(store.reload().status(), reload_status::unchanged);
  EXPECT_EQ(store.current().max_attempts.from.kind, origin_kind::environment);
  EXPECT_EQ(store.snapshot(), before);
}

TEST(StrategyStore, AQuotaThatIsSharedOutlivesTheChange) {
  fake_machine machine;
  anew::shared<anew::token_bucket<100>> const budget{};
  strategy_store store{load_from(machine), [budget](settings const& s) {
                         return anew::compose(anew::no_backoff{}, budget, anew::retry_all{},
                                              anew::max_attempts{s.max_attempts.value});
                       }};
  static_cast<void>(attempts_made(*store.snapshot()));
  auto const spent = budget.policy().balance();
  EXPECT_LT(spent, 100U);
  machine.set("AWS_MAX_ATTEMPTS", "9");
  EXPECT_EQ(store.reload().status(), reload_status::changed);
  EXPECT_EQ(budget.policy().balance(), spent);
  EXPECT_EQ(&store.snapshot()->quota().policy(), &budget.policy());
}

TEST(StrategyStore, WhatCannotBeUsedLeavesAllAsItWas) {
  fake_machine machine;
  machine.config("[default]\nmax_attempts = 4\nretry_mode = adaptive\n");
  strategy_store store{load_from(machine), strategy_of};
  auto const before = store.snapshot();
  auto const settings_before = store.current();
  // The mode of the new file is good and its number is not: nothing of it is taken over.
  for (auto const* const text : {"[default]\nretry_mode = legacy\nmax_attempts = four\n", "[default\n",
                                 "[default]\nretry_mode = x\nmax_attempts = 9\n"}) {
    machine.config(text);
    auto const result = store.reload();
    EXPECT_FALSE(result);
    EXPECT_EQ(result.status(), reload_status::refused);
    EXPECT_EQ(result.error().file(), fake_machine::config_path);
    EXPECT_EQ(store.snapshot(), before);
    EXPECT_EQ(store.current(), settings_before);
  }
  machine.texts[fake_machine::config_path] = file_text::unreadable("gone");
  EXPECT_EQ(store.reload().error().kind(), config_error_kind::unreadable);
  EXPECT_EQ(store.snapshot(), before);
  machine.config("[default]\nmax_attempts = 5\n");
  EXPECT_EQ(store.reload().status(), reload_status::changed) << "and the next good one counts";
}

TEST(StrategyStore, WhatThrowsLeavesAllAsItWas) {
  fake_machine machine;
  bool loading_fails = false, making_fails = false;
  strategy_store store{[&] {
                         if (loading_fails) throw std::runtime_error{"load"};
                         return load_from(machine)();
                       },
                       [&](settings const& s) {
                         if (making_fails) throw std::runtime_error{"make"};
                         return strategy_of(s);
                       }};
  auto const before = store.snapshot();
  machine.set("AWS_MAX_ATTEMPTS", "9");
  loading_fails = true;
  EXPECT_THROW(static_cast<void>(store.reload()), std::runtime_error);
  loading_fails = false;
  making_fails = true;
  EXPECT_THROW(static_cast<void>(store.reload()), std::runtime_error);
  EXPECT_EQ(store.snapshot(), before);
  EXPECT_EQ(store.current().max_attempts.value, 3U);
  making_fails = false;
  EXPECT_EQ(store.reload().status(), reload_status::changed);
}

TEST(StrategyStore, BeginsWithSettingsThatCanBeUsed) {
  fake_machine machine;
  machine.config("[default\n");
  EXPECT_THROW((strategy_store{load_from(machine), strategy_of}), anew::aws_settings::config_error);
  settings first;
  first.max_attempts.value = 2;
  strategy_store store{first, load_from(machine), strategy_of};
  EXPECT_EQ(store.snapshot()->max_attempts().value(), 2U);
  EXPECT_FALSE(store.reload());
  EXPECT_EQ(store.snapshot()->max_attempts().value(), 2U);
}

TEST(StrategyStore, KeepsWhatASmartPointerPointsTo) {
  fake_machine machine;
  strategy_store unique{load_from(machine), [](settings const& s) { return std::make_unique<settings>(s); }};
  strategy_store shared{load_from(machine), [](settings const& s) { return std::make_shared<settings const>(s); }};
  static_assert(std::is_same_v<decltype(unique.snapshot()), std::shared_ptr<settings const>>);
  static_assert(std::is_same_v<decltype(shared.snapshot()), std::shared_ptr<settings const>>);
  EXPECT_EQ(*unique.snapshot(), *shared.snapshot());
}

TEST(StrategyStore, EditsAreTakenWholeOrNotAtAll) {
  // Each edit is judged by reading the same text afresh: the store has that, or what it had.
  std::array<std::string, 12> const pieces{
      "[default]\n", "[default", "retry_mode = ", "max_attempts = ", "standard\n", "adaptive\n", "x\n",
      "4\n",         "+7\n",     "0\n",           "  a = b\n",       "\n"};
  fake_machine machine;
  std::string text = "[default]\nmax_attempts = 4\n";
  machine.config(text);
  strategy_store store{load_from(machine), strategy_of};
  std::mt19937_64 random{20261121};
  auto const below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  int taken = 0, refused = 0;
  for (int edit = 0; edit != 4000; ++edit) {
    if (edit % 3 == 0) text = "[default]\nretry_mode = standard\nmax_attempts = 5\n";
    auto const at = below(text.size() + 1);
    auto const erased = below(12);
    auto const& piece = pieces[below(pieces.size())];
    text.replace(at, erased < 6 ? erased : 0, piece);
    machine.config(text);
    auto const before = store.snapshot();
    auto const settings_before = store.current();
    auto const afresh = load_from(machine)();
    auto const result = store.reload();
    ASSERT_EQ(static_cast<bool>(result), afresh.has_value()) << text;
    if (result) {
      ++taken;
      EXPECT_EQ(store.current(), *afresh) << text;
      EXPECT_EQ(store.snapshot()->max_attempts().value(), afresh->max_attempts.value) << text;
      EXPECT_EQ(store.snapshot() == before, afresh->same_values(settings_before)) << text;
    } else {
      ++refused;
      EXPECT_EQ(store.current(), settings_before) << text;
      EXPECT_EQ(store.snapshot(), before) << text;
      EXPECT_STREQ(result.error().what(), afresh.error().what());
      EXPECT_GE(result.error().line(), 1U);
    }
  }
  EXPECT_GT(taken, 200);
  EXPECT_GT(refused, 200);
}

TEST(StrategyStore, IsSafeToUseFromManyThreads) {
  // Mode and attempts change together; a reader that saw half of a change would see another pair.
  std::atomic<std::uint32_t> next{1};
  std::atomic<int> loading{0}, together{0};
  auto const load = [&]() -> anew::aws_settings::result<settings> {
    if (++loading != 1) ++together;
    for (int i = 0; i != 10; ++i) std::this_thread::yield();
    --loading;
    auto const n = next.load();
    if (n % 5 == 0) return anew::aws_settings::config_error{config_error_kind::config_file, "f", n, "", "", "bad"};
    settings s;
    s.max_attempts.value = n;
    s.mode.value = n % 2 == 0 ? retry_mode::standard : retry_mode::adaptive;
    return s;
  };
  struct pair {
    retry_mode mode;
    std::uint32_t attempts;
  };
  strategy_store store{load, [](settings const& s) { return pair{s.mode.value, s.max_attempts.value}; }};
  std::atomic<bool> done{false};
  std::atomic<int> halves{0};
  std::vector<std::thread> threads;
  for (int reader = 0; reader != 3; ++reader) {
    threads.emplace_back([&] {
      while (!done) {
        auto const seen = store.snapshot();
        auto const from = store.current();
        if ((seen->mode == retry_mode::standard) != (seen->attempts % 2 == 0)) ++halves;
        if ((from.mode.value == retry_mode::standard) != (from.max_attempts.value % 2 == 0)) ++halves;
        if (seen->attempts % 5 == 0) ++halves;
      }
    });
  }
  std::vector<std::thread> reloaders;
  for (int reloader = 0; reloader != 2; ++reloader) {
    reloaders.emplace_back([&] {
      for (int i = 0; i != support::length_of(300); ++i) {
        ++next;
        static_cast<void>(store.reload());
      }
    });
  }
  for (auto& thread : reloaders) thread.join();
  done = true;
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(halves, 0);
  EXPECT_EQ(together, 0) << "reloads come one at a time";
  next = 1001;
  EXPECT_EQ(store.reload().status(), reload_status::changed);
  EXPECT_EQ(store.snapshot()->attempts, 1001U);
}

}  // namespace
}  // namespace aws_settings_strategy_store_test
