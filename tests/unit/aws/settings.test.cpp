// SPDX-License-Identifier: BSL-1.0
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/retry.hpp"
#include "anew/drivers/retry_outcome.hpp"
#include "anew/policies/classifier/retry_all.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/ports/aws/file_source.hpp"
#include "anew/ports/aws/make_strategy.hpp"
#include "anew/ports/aws/profile_file.hpp"
#include "anew/ports/aws/resolve.hpp"
#include "anew/ports/aws/settings.hpp"
#include "anew/ports/aws/strategy_store.hpp"
#include "anew/presets/aws/error.hpp"
#include "anew/run_time/virtual/strategy_view.hpp"
#include "anew/strategy/describe.hpp"

#include "config_support.hpp"
#include "failed_answer.hpp"
#include "length.hpp"
#include "together.hpp"

namespace aws_settings_test {
namespace {

using namespace anew;
using namespace aws_settings;
using anew::detail::shown;
using namespace std::string_literals;
using aws::generation, aws::retry_mode;
using support::failed_answer;

static_assert(std::is_base_of_v<std::runtime_error, config_error>);
static_assert(std::is_nothrow_copy_constructible_v<config_error> && std::is_copy_assignable_v<config_error>);

// What it says of a place, a setting and a value: settings/resolve.test.cpp.
TEST(ConfigError, IsCopiedWithAllThatItSays) {
  config_error const in_file{config_error_kind::invalid_mode, "f", 7, "retry_mode", "x", "is wrong; valid is y"};
  config_error copy{config_error_kind::config_file, "", 0, "", "", ""};
  config_error from{in_file};
  copy = std::move(from);
  EXPECT_EQ(from.line(), 7U);  // NOLINT(bugprone-use-after-move)
  EXPECT_STREQ(copy.what(), in_file.what());
  EXPECT_EQ(copy.value(), "x");
}

TEST(ConfigError, AMessageIsOneLine) {
  EXPECT_EQ(shown("plain"), "plain");
  EXPECT_EQ(shown("in ner"), "in ner");
  EXPECT_EQ(shown(""), "\"\"");
  EXPECT_EQ(shown(" x"), "\" x\"");
  EXPECT_EQ(shown("x "), "\"x \"");
  EXPECT_EQ(shown("a\nb\r\t\x1B[31m\x7F\x01\x1F\x00z"s), "a\\nb\\x0d\\x09\\x1b[31m\\x7f\\x01\\x1f\\x00z");
  EXPECT_EQ(shown("\xC3\xA4 ~"), "\xC3\xA4 ~");
}

TEST(ConfigError, LongValuesAreCutBetweenCharacters) {
  EXPECT_EQ(shown(std::string(80, 'x')), std::string(80, 'x'));
  EXPECT_EQ(shown(std::string(81, 'x')), std::string(80, 'x') + "...");
  auto const at_the_edge = std::string(79, 'x') + "\xE2\x82\xAC";  // three bytes, from the 80th to the 82nd
  EXPECT_EQ(shown(at_the_edge), at_the_edge);
  EXPECT_EQ(shown(at_the_edge + "y"), at_the_edge + "...");
  EXPECT_EQ(shown(std::string(500, '\x80')), std::string(84, '\x80') + "...") << "no text in UTF-8, and still cut";
}

TEST(ConfigResult, HoldsOneOfTwo) {
  result<std::string> good{"value"};
  ASSERT_TRUE(good);
  EXPECT_TRUE(good.has_value());
  EXPECT_EQ(*good, "value");
  EXPECT_EQ(good->size(), 5U);
  EXPECT_EQ(good.value(), "value");
  EXPECT_EQ(std::move(good).value(), "value");

  result<std::string> const bad{config_error{config_error_kind::config_file, "f", 1, "", "", "is wrong"}};
  ASSERT_FALSE(bad);
  EXPECT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().file(), "f");
  EXPECT_THROW((void)bad.value(), config_error);
  EXPECT_THROW((void)result<std::string>{bad}.value(), config_error);
}

class RealFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    auto pattern = (std::filesystem::temp_directory_path() / "anew-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string write(std::string const& text) const {
    auto const path = (directory_ / "file").string();
    std::ofstream{path, std::ios::binary} << text;
    return path;
  }
  std::filesystem::path directory_;
};

TEST_F(RealFiles, AreReadAsTheyAre) {
  for (auto const& text : {std::string{}, std::string{"[default]\r\na = b\n"}, std::string(4095, 'x'),
                           std::string(4096, 'x'), std::string(4097, 'x'), std::string{"\0\x1A\xFF", 3}}) {
    auto const read = real_files{}(write(text));
    EXPECT_EQ(read.status, file_status::read);
    EXPECT_EQ(read.text, text);
  }
}

TEST_F(RealFiles, MayBeMissing) {
  EXPECT_EQ(real_files{}((directory_ / "nosuch").string()).status, file_status::not_found);
  EXPECT_EQ(real_files{}((directory_ / "nosuch" / "config").string()).status, file_status::not_found);
  EXPECT_EQ(real_files{}(write("x") + "/config").status, file_status::not_found)
      << "a file where a directory should be";
  EXPECT_EQ(real_files{}("").status, file_status::not_found);
}

TEST_F(RealFiles, MayBeUnreadable) {
  auto const read = real_files{}(directory_.string());
  EXPECT_EQ(read.status, file_status::unreadable);
  EXPECT_EQ(read.text, "is a directory");
  auto const loop = (directory_ / "loop").string();
  std::filesystem::create_symlink(loop, loop);
  EXPECT_EQ(real_files{}(loop).status, file_status::unreadable);
  EXPECT_FALSE(real_files{}(loop).text.empty());
}

TEST_F(RealFiles, HaveALimit) {
  EXPECT_EQ(real_files{}(write(std::string(real_files::longest, '\n'))).status, file_status::read);
  auto const read = real_files{}(write(std::string(real_files::longest + 1, '\n')));
  EXPECT_EQ(read.status, file_status::unreadable);
  EXPECT_EQ(read.text, "it is longer than 4 MiB");
}

TEST(NoFiles, AreMissing) {
  EXPECT_EQ(no_files{}("/etc/passwd").status, file_status::not_found);
  static_assert(FileSource<real_files> && FileSource<no_files>);
}

using variables = std::map<std::string, std::string, std::less<>>;

locations locate(variables const& set, platform on = platform::posix) {
  return aws_settings::locate(
      [&set](std::string_view name) -> std::optional<std::string> {
        auto const found = set.find(name);
        return found == set.end() ? std::nullopt : std::optional{found->second};
      },
      on);
}

TEST(Locations, AreInTheHomeDirectoryOrWhereVariablesSay) {
  std::string const me = "C:\\users\\me\\.aws\\config";
  constexpr auto windows = platform::windows;
  auto const check = [&](variables const& set, std::string const& config, platform on = platform::posix) {
    EXPECT_EQ(locate(set, on).config, config);
  };
  check({{"HOME", "/home/me"}}, "/home/me/.aws/config");
  check({{"AWS_CONFIG_FILE", "c"}}, "c");
  check({{"HOME", "/home/me"}, {"AWS_CONFIG_FILE", ""}}, "");  // no file
  check({}, "");
  check({{"HOME", ""}}, "");
  check({{"USERPROFILE", "C:\\users\\me"}}, "");  // that is another system's
  check({{"AWS_CONFIG_FILE", "~/c"}}, "~/c");
  check({{"HOME", "C:\\users\\me"}}, me, windows);
  check({{"USERPROFILE", "C:\\users\\me"}}, me, windows);
  check({{"HOMEDRIVE", "C:"}, {"HOMEPATH", "\\users\\me"}}, me, windows);
  check({{"HOMEDRIVE", "C:"}}, "", windows);
  check({{"HOMEPATH", "\\users\\me"}}, "", windows);
  check({{"HOME", "H:"}, {"USERPROFILE", "U:"}, {"HOMEDRIVE", "D:"}, {"HOMEPATH", "\\p"}}, "H:\\.aws\\config", windows);
  check({{"USERPROFILE", "U:"}, {"HOMEDRIVE", "D:"}, {"HOMEPATH", "\\p"}}, "U:\\.aws\\config", windows);
  check({{"HOME", "H:"}, {"AWS_CONFIG_FILE", "~\\c"}}, "H:\\c", windows);
  check({{"HOME", "H:"}, {"AWS_CONFIG_FILE", "~/c"}}, "H:/c", windows);
  // A tilde is the home as the whole first segment.
  using text = std::pair<char const*, char const*>;
  for (auto const& [path, config] :
       {text{"~/c", "/home/me/c"}, text{"~", "/home/me"}, text{"~/a/~/c", "/home/me/a/~/c"}, text{"/a/~/c", "/a/~/c"},
        text{"a/~", "a/~"}, text{"~you/c", "~you/c"}, text{"~\\c", "~\\c"}, text{"./~", "./~"}}) {
    EXPECT_EQ(locate({{"HOME", "/home/me"}, {"AWS_CONFIG_FILE", path}}).config, config);
  }
  EXPECT_EQ(locate({{"HOME", "/home/me"}, {"AWS_CONFIG_FILE", "/other"}}).credentials, "/home/me/.aws/credentials");
  EXPECT_EQ(locate({{"HOME", "H:"}}, windows).credentials, "H:\\.aws\\credentials");
  auto const others = locate({{"HOME", "/home/me"}, {"AWS_SHARED_CREDENTIALS_FILE", "/other/path/credentials"}});
  EXPECT_EQ(others.config, "/home/me/.aws/config");
  EXPECT_EQ(others.credentials, "/other/path/credentials");
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

settings of(retry_mode mode, generation revision, service for_service = service::any) {
  return resolve({.mode = mode, .generation = revision, .for_service = for_service}, no_environment{}, no_files{});
}

TEST(MakeStrategy, IsThePresetOfTheSettings) {
  auto const expect = [](settings const& s, std::string const& preset) {
    EXPECT_EQ(make_strategy(s)->describe(), preset) << s.describe();
  };
  for (auto const revision : {generation::v2020, generation::v2026})
    for (auto const kind : {service::any, service::dynamodb, service::long_polling})
      expect(of(retry_mode::legacy, revision, kind), describe<aws::legacy>());
  for (auto const kind : {service::any, service::dynamodb, service::long_polling}) {
    expect(of(retry_mode::standard, generation::v2020, kind), describe<aws::standard_2020>());
    expect(of(retry_mode::adaptive, generation::v2020, kind), describe<aws::adaptive_2020>());
  }
  expect(of(retry_mode::standard, generation::v2026), describe<aws::standard>());
  expect(of(retry_mode::adaptive, generation::v2026), describe<aws::adaptive>());
  expect(of(retry_mode::standard, generation::v2026, service::dynamodb), describe<aws::dynamodb>());
  expect(of(retry_mode::standard, generation::v2026, service::long_polling), describe<aws::long_polling>());

  using limiter = aws::adaptive::pacer_type;
  expect(of(retry_mode::adaptive, generation::v2026, service::dynamodb), describe<with<aws::dynamodb, limiter>>());
  expect(of(retry_mode::adaptive, generation::v2026, service::long_polling),
         describe<with<aws::long_polling, limiter>>());
}

TEST(MakeStrategy, HasTheAttemptsOfTheSettings) {
  auto s = of(retry_mode::standard, generation::v2026, service::dynamodb);
  s.max_attempts.value = 7;
  EXPECT_THAT(make_strategy(s)->describe(), ::testing::HasSubstr(" max_attempts(7) "));
  EXPECT_THAT(make_strategy(s)->describe(), ::testing::HasSubstr("exponential(25ms,20s)"))
      << "of a service's own defaults only the one that was configured goes";
  s.max_attempts.value = 2147483647;
  EXPECT_THAT(make_strategy(s)->describe(), ::testing::HasSubstr(" max_attempts(2147483647) "));
}

// A bare 429 is throttling for v2020 and final for v2026, in every call and in every form of the error.
TEST(MakeStrategy, ReadsReturnedErrorsByTheSettings) {
  aws::error const error{.status = 429};
  auto const sleep = [](duration /*d*/) {};
  auto const returned = [&] { return failed_answer{error}; };
  auto const thrown = [&]() -> int { throw aws::service_exception{error}; };
  for (auto const& [revision, expected] : {std::pair{generation::v2020, 3U}, std::pair{generation::v2026, 1U}}) {
    auto const s = of(retry_mode::standard, revision);
    auto const strategy = make_strategy(s);
    EXPECT_EQ(visit_strategy(s, [&](auto fixed) { return retry_outcome(fixed, returned, sleep).attempts(); }),
              expected);
    EXPECT_EQ(retry_outcome(strategy_view{*strategy}, thrown, sleep).attempts(), expected);
    EXPECT_EQ(retry_outcome(strategy_view{*strategy}, returned, sleep).attempts(), expected);
  }
}

TEST(MakeStrategy, ReadsErrorsThatAreNamed) {
  struct my_error {
    int status_ = 0;
    [[nodiscard]] int status() const { return status_; }
  };
  auto const attempts = [](retry_strategy const& strategy) {
    return retry_outcome(
               strategy_view{strategy}, [] { return failed_answer{my_error{503}}; }, [](duration /*d*/) {})
        .attempts();
  };
  auto const s = of(retry_mode::standard, generation::v2026);
  EXPECT_EQ(attempts(*make_strategy<my_error>(s)), 3U);
  EXPECT_EQ(attempts(*make_strategy<my_error>(s, token_bucket<1000>{})), 3U);
  EXPECT_THROW(attempts(*make_strategy(s)), std::invalid_argument);
}

TEST(VisitStrategy, GivesAStaticStrategyAway) {
  auto s = of(retry_mode::standard, generation::v2026);
  s.max_attempts.value = 5;
  auto const attempts = visit_strategy(
      s,
      []<class Strategy>(Strategy&& strategy) -> std::uint32_t {
        static_assert(std::is_rvalue_reference_v<Strategy&&>);
        auto const own = std::move(strategy);
        return retry_outcome(own, [] { return false; }, [](duration) {}).attempts();
      },
      retry_all{}, token_bucket<500>{});
  EXPECT_EQ(attempts, 5U);
}

TEST(VisitStrategy, MayReturnNothing) {
  std::string seen;
  visit_strategy(of(retry_mode::legacy, generation::v2026), [&](auto const& strategy) { seen = describe(strategy); });
  EXPECT_EQ(seen, describe<aws::legacy>());
}

TEST(VisitStrategy, TakesPoliciesInThePlaceOfThePresets) {
  anew::shared<token_bucket<500>> const budget{};
  auto const first = make_strategy(of(retry_mode::standard, generation::v2026), budget);
  EXPECT_THAT(first->describe(), ::testing::HasSubstr("shared(token_bucket(500))"));
  EXPECT_THROW((void)retry(
                   strategy_view{*first}, [] { throw aws::service_exception{{.status = 503}}; }, [](duration) {}),
               aws::service_exception);
  EXPECT_LT(budget.policy().balance(), 500U);
}

/// A strategy of run-time attempts, with a quota that can be looked at.
auto strategy_of(settings const& s) {
  return compose(no_backoff{}, token_bucket<100>{}, retry_all{}, max_attempts{s.max_attempts.value});
}

auto load_from(fake_machine const& machine) {
  return [&machine] { return try_resolve({}, machine.environment(), machine.files()); };
}

std::uint32_t attempts_made(auto const& strategy) {
  return retry_outcome(strategy, [] { return false; }, [](duration) {}).attempts();
}

TEST(Reloadable, ASnapshotStaysWhatItIs) {
  reloadable<int> value{std::make_shared<int const>(1)};
  auto const before = value.snapshot();
  value.replace(std::make_shared<int const>(2));
  EXPECT_EQ(*before, 1);
  EXPECT_EQ(*value.snapshot(), 2);
  EXPECT_EQ(before.use_count(), 1) << "the old value lives for its snapshots alone";
}

struct StoreOfAMachine : ::testing::Test {
  fake_machine machine;
};

TEST_F(StoreOfAMachine, OtherValuesMakeAnotherStrategyForCallsThatBegin) {
  machine.config("[default]\nmax_attempts = 4\n");
  strategy_store store{load_from(machine), strategy_of};
  auto const before = store.snapshot();
  machine.config("[default]\nmax_attempts = 5\n");
  auto const result = store.reload();
  EXPECT_TRUE(result);
  EXPECT_EQ(*result, reload_status::changed);
  EXPECT_EQ(attempts_made(*before), 4U) << "a call under way keeps what it began with";
  EXPECT_EQ(store.snapshot()->quota().balance(), 100U) << "a new one begins with a full quota";
  EXPECT_EQ(attempts_made(*store.snapshot()), 5U);
  EXPECT_EQ(store.current().max_attempts.value, 5U);
}

TEST_F(StoreOfAMachine, TheSameValuesChangeNothing) {
  machine.config("[default]\nmax_attempts = 4\n");
  strategy_store store{load_from(machine), strategy_of};
  (void)attempts_made(*store.snapshot());
  auto const balance = store.snapshot()->quota().balance();
  EXPECT_LT(balance, 100U);
  auto const before = store.snapshot();

  machine.config("# a comment\n[default]\nmax_attempts = 4\n");
  EXPECT_EQ(store.reload().value(), reload_status::unchanged);
  EXPECT_EQ(store.snapshot(), before) << "the very strategy, with its quota";
  EXPECT_EQ(store.snapshot()->quota().balance(), balance);
  EXPECT_EQ(store.current().max_attempts.from.line, 3U) << "and still the truth about where it stands";

  machine.set("AWS_MAX_ATTEMPTS", "4");
  EXPECT_EQ(store.reload().value(), reload_status::unchanged);
  EXPECT_EQ(store.current().max_attempts.from.kind, origin_kind::environment);
  EXPECT_EQ(store.snapshot(), before);
}

TEST_F(StoreOfAMachine, AQuotaThatIsSharedOutlivesTheChange) {
  anew::shared<token_bucket<100>> const budget{};
  strategy_store store{load_from(machine), [budget](settings const& s) {
                         return compose(no_backoff{}, budget, retry_all{}, max_attempts{s.max_attempts.value});
                       }};
  (void)attempts_made(*store.snapshot());
  auto const spent = budget.policy().balance();
  EXPECT_LT(spent, 100U);
  machine.set("AWS_MAX_ATTEMPTS", "9");
  EXPECT_EQ(store.reload().value(), reload_status::changed);
  EXPECT_EQ(budget.policy().balance(), spent);
  EXPECT_EQ(&store.snapshot()->quota().policy(), &budget.policy());
}

TEST_F(StoreOfAMachine, WhatThrowsLeavesAllAsItWas) {
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
  EXPECT_THROW((void)store.reload(), std::runtime_error);
  loading_fails = false;
  making_fails = true;
  EXPECT_THROW((void)store.reload(), std::runtime_error);
  EXPECT_EQ(store.snapshot(), before);
  EXPECT_EQ(store.current().max_attempts.value, 3U);
  making_fails = false;
  EXPECT_EQ(store.reload().value(), reload_status::changed);
}

TEST_F(StoreOfAMachine, BeginsWithSettingsThatCanBeUsed) {
  machine.config("[default\n");
  EXPECT_THROW((strategy_store{load_from(machine), strategy_of}), config_error);
  settings first;
  first.max_attempts.value = 2;
  strategy_store store{first, load_from(machine), strategy_of};
  EXPECT_EQ(store.snapshot()->max_attempts().value(), 2U);
  EXPECT_EQ(store.reload().error().line(), 1U);
  EXPECT_EQ(store.snapshot()->max_attempts().value(), 2U);
  EXPECT_EQ(store.current(), first);
}

TEST_F(StoreOfAMachine, KeepsWhatASmartPointerPointsTo) {
  strategy_store unique{load_from(machine), [](settings const& s) { return std::make_unique<settings>(s); }};
  strategy_store shared{load_from(machine), [](settings const& s) { return std::make_shared<settings const>(s); }};
  static_assert(std::is_same_v<decltype(unique.snapshot()), std::shared_ptr<settings const>>);
  static_assert(std::is_same_v<decltype(shared.snapshot()), std::shared_ptr<settings const>>);
  EXPECT_EQ(*unique.snapshot(), *shared.snapshot());
}

TEST(StrategyStore, IsSafeToUseFromManyThreads) {
  // Mode and attempts change together; a reader that saw half of a change would see another pair.
  std::atomic<std::uint32_t> next{1};
  std::atomic<int> loading{0}, together{0};
  auto const load = [&]() -> result<settings> {
    if (++loading != 1) ++together;
    for (int i = 0; i != 10; ++i) std::this_thread::yield();
    --loading;
    auto const n = next.load();
    if (n % 5 == 0) return config_error{config_error_kind::config_file, "f", n, "", "", "bad"};
    settings s;
    s.max_attempts.value = n;
    s.mode.value = n % 2 == 0 ? retry_mode::standard : retry_mode::adaptive;
    return s;
  };
  strategy_store store{load, [](settings const& s) { return std::pair{s.mode.value, s.max_attempts.value}; }};
  std::atomic<int> reloading{2}, halves{0};
  support::together(5, [&](unsigned index) {
    if (index < 2) {
      for (int i = 0; i != support::length_of(300); ++i) ++next, (void)store.reload();
      --reloading;
    }
    while (reloading != 0) {
      auto const [mode, attempts] = *store.snapshot();
      auto const from = store.current();
      if ((mode == retry_mode::standard) != (attempts % 2 == 0)) ++halves;
      if ((from.mode.value == retry_mode::standard) != (from.max_attempts.value % 2 == 0)) ++halves;
      if (attempts % 5 == 0) ++halves;
    }
  });
  EXPECT_EQ(halves, 0);
  EXPECT_EQ(together, 0) << "reloads come one at a time";
  next = 1001;
  EXPECT_EQ(store.reload().value(), reload_status::changed);
  EXPECT_EQ(store.snapshot()->second, 1001U);
}

}  // namespace
}  // namespace aws_settings_test
