// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/ports/aws/resolve.hpp"

#include "config_support.hpp"

namespace aws_settings_resolve_test {
namespace {

using anew::aws::generation, anew::aws::retry_mode, anew::aws_settings::code_settings, anew::aws_settings::config_error,
    anew::aws_settings::config_error_kind, anew::aws_settings::file_text, anew::aws_settings::origin,
    anew::aws_settings::service, anew::aws_settings::settings;

settings resolved(fake_machine const& machine, code_settings const& code = {}) {
  auto const result = anew::aws_settings::try_resolve(code, machine.environment(), machine.files());
  EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().what());
  return result ? *result : settings{};
}

config_error refused(fake_machine const& machine, code_settings const& code = {}) {
  auto const result = anew::aws_settings::try_resolve(code, machine.environment(), machine.files());
  EXPECT_FALSE(result.has_value());
  return result ? config_error{config_error_kind::unreadable, {}, 0, {}, {}, "no error"} : result.error();
}

std::uint32_t attempts(fake_machine const& machine, code_settings const& code = {}) {
  return resolved(machine, code).max_attempts.value;
}
config_error_kind fault(fake_machine const& machine, code_settings const& code = {}) {
  return refused(machine, code).kind();
}

fake_machine with_file(std::string text) { return fake_machine{}.config(std::move(text)); }
fake_machine with_variable(std::string const& name, std::string value) {
  return fake_machine{}.set(name, std::move(value));
}

TEST(Resolve, WithoutHomeThereAreNoFiles) {
  auto machine = with_file("broken");
  machine.variables.clear();
  EXPECT_EQ(resolved(machine), settings{});
  EXPECT_TRUE(machine.read.empty());
  EXPECT_EQ(resolved(fake_machine{}), settings{});
}

TEST(Resolve, SaysWhereASettingCameFrom) {
  auto machine = with_file("[default]\nregion = x\nretry_mode = adaptive\n").set("AWS_MAX_ATTEMPTS", "9");
  auto const s = resolved(machine);
  EXPECT_EQ(s.mode.value, retry_mode::adaptive);
  EXPECT_EQ(s.mode.from, origin::file("/home/me/.aws/config", 3));
  EXPECT_EQ(s.max_attempts.value, 9U);
  EXPECT_EQ(s.max_attempts.from, origin::variable("AWS_MAX_ATTEMPTS"));
  EXPECT_EQ(s.describe(),
            "retry_mode = adaptive (/home/me/.aws/config:3), max_attempts = 9 (AWS_MAX_ATTEMPTS), generation = v2026 "
            "(default), profile = default (default)");
  auto const coded = resolved(machine, {.mode = retry_mode::legacy, .generation = generation::v2020});
  EXPECT_EQ(coded.describe(),
            "retry_mode = legacy (code), max_attempts = 9 (AWS_MAX_ATTEMPTS), generation = v2020 (code), profile = "
            "default (default)");
}

TEST(Resolve, EachSettingByItself) {
  auto const file = "[default]\nretry_mode = adaptive\nmax_attempts = 4\n";
  for (unsigned sources = 0; sources != 16; ++sources) {
    bool const mode_in_env = (sources & 1U) != 0, attempts_in_env = (sources & 2U) != 0;
    bool const mode_in_code = (sources & 4U) != 0, attempts_in_code = (sources & 8U) != 0;
    auto machine = with_file(file);
    code_settings code;
    if (mode_in_env) machine.set("AWS_RETRY_MODE", "legacy");
    if (attempts_in_env) machine.set("AWS_MAX_ATTEMPTS", "5");
    if (mode_in_code) code.mode = retry_mode::standard;
    if (attempts_in_code) code.max_attempts = 6;
    auto const s = resolved(machine, code);
    EXPECT_EQ(s.mode.value, mode_in_code  ? retry_mode::standard
                            : mode_in_env ? retry_mode::legacy
                                          : retry_mode::adaptive)
        << sources;
    EXPECT_EQ(s.max_attempts.value, attempts_in_code ? 6U : attempts_in_env ? 5U : 4U) << sources;
  }
}

TEST(Resolve, CredentialsBeatConfigKeyByKey) {
  auto machine =
      with_file("[default]\nretry_mode = adaptive\nmax_attempts = 9\n").credentials("[default]\nmax_attempts = 4\n");
  auto const s = resolved(machine);
  EXPECT_EQ(s.mode.value, retry_mode::adaptive);
  EXPECT_EQ(s.max_attempts.value, 4U);
  EXPECT_EQ(s.max_attempts.from, origin::file("/home/me/.aws/credentials", 2));
}

TEST(Resolve, DefaultOfCredentialsStaysWhereProfileDefaultReplacesThatOfConfig) {
  auto machine =
      with_file(
          "[profile default]\nretry_mode = standard\n[default]\nmax_attempts = 9\n[profile default]\nregion = r\n")
          .credentials("[default]\nmax_attempts = 4\n");
  EXPECT_EQ(attempts(machine), 4U);
  machine.texts.erase(fake_machine::credentials_path);
  EXPECT_TRUE(resolved(machine).max_attempts.is_default());
}

TEST(Resolve, ChoosesTheProfile) {
  auto const* const text =
      "[default]\nmax_attempts = 2\nretry_mode = legacy\n[profile foo]\nmax_attempts = 6\n[profile bar]\nmax_attempts "
      "= 7\n";
  EXPECT_EQ(attempts(with_file(text)), 2U);
  auto const foo = resolved(with_file(text).set("AWS_PROFILE", "foo"));
  EXPECT_EQ(foo.max_attempts.value, 6U);
  EXPECT_TRUE(foo.mode.is_default()) << "nothing is inherited from the default profile";
  EXPECT_EQ(foo.profile.from, origin::variable("AWS_PROFILE"));
  auto const bar = resolved(with_file(text).set("AWS_PROFILE", "foo"), {.profile = "bar"});
  EXPECT_EQ(bar.max_attempts.value, 7U);
  EXPECT_EQ(bar.profile.from, origin::code());
  auto const by_default_profile = resolved(with_file(text).set("AWS_DEFAULT_PROFILE", "foo"));
  EXPECT_EQ(by_default_profile.max_attempts.value, 6U);
  EXPECT_EQ(by_default_profile.profile.from, origin::variable("AWS_DEFAULT_PROFILE"));
  EXPECT_EQ(attempts(with_file(text).set("AWS_DEFAULT_PROFILE", "foo").set("AWS_PROFILE", "bar")), 7U);
}

// Whoever names something means it: what is not there is an error, wherever it was named.
TEST(Resolve, AProfileThatWasNamedAndIsNotThereIsAnError) {
  auto const* const file = "[default]\nmax_attempts = 2\n[profile dev]\nmax_attempts = 7\n[prod]\nmax_attempts = 5\n";
  for (auto const* const name : {"prdo", "DEV", "my dev", "\"dev\"", "'dev'", "prod", " dev", "profile dev"}) {
    for (auto const* const variable : {"AWS_PROFILE", "AWS_DEFAULT_PROFILE"}) {
      auto const error = refused(with_file(file).set(variable, name));
      EXPECT_EQ(error.kind(), config_error_kind::profile_not_found) << name;
      EXPECT_EQ(error.setting(), variable);
      EXPECT_EQ(error.value(), name);
    }
    EXPECT_EQ(fault(with_file(file), {.profile = name}), config_error_kind::profile_not_found) << name;
  }
  for (auto const* const section : {"[profile \"dev\"]", "[profile 'my dev']", "[profile my dev]", "[Profile dev]"}) {
    auto machine = with_file(std::string{section} + "\nmax_attempts = 7\n").set("AWS_PROFILE", "dev");
    EXPECT_EQ(fault(machine), config_error_kind::profile_not_found) << section;
  }
  EXPECT_EQ(fault(fake_machine{}.set("AWS_PROFILE", "dev")), config_error_kind::profile_not_found) << "no files at all";
  EXPECT_STREQ(
      refused(with_file(file).set("AWS_PROFILE", "prdo")).what(),
      "environment: AWS_PROFILE = prdo: is no profile of /home/me/.aws/config or /home/me/.aws/credentials (in the "
      "config file it is [profile NAME], without quotes and blanks in the name); valid are default, dev");
  EXPECT_TRUE(resolved(fake_machine{}.set("AWS_PROFILE", "default")).max_attempts.is_default()) << "it is always there";
  EXPECT_EQ(attempts(fake_machine{}.credentials("[dev]\nmax_attempts = 4\n").set("AWS_PROFILE", "dev")), 4U);
  auto complete = with_file(file).set("AWS_PROFILE", "prdo").set("AWS_RETRY_MODE", "standard");
  EXPECT_EQ(attempts(complete.set("AWS_MAX_ATTEMPTS", "4")), 4U) << "no file is needed";
}

TEST(Resolve, AVariableThatIsSetAndEmptyIsAnError) {
  using row = std::pair<char const*, config_error_kind>;
  using enum config_error_kind;
  for (auto const& [variable, kind] :
       {row{"AWS_PROFILE", empty_variable}, row{"AWS_DEFAULT_PROFILE", empty_variable},
        row{"AWS_CONFIG_FILE", empty_variable}, row{"AWS_SHARED_CREDENTIALS_FILE", empty_variable},
        row{"AWS_RETRY_MODE", invalid_mode}, row{"AWS_MAX_ATTEMPTS", invalid_attempts},
        row{"AWS_NEW_RETRIES_2026", invalid_generation}}) {
    auto const error = refused(with_file("[default]\nmax_attempts = 7\n").set(variable, ""));
    EXPECT_EQ(error.kind(), kind) << variable;
    EXPECT_EQ(error.setting(), variable);
    EXPECT_THAT(error.what(), testing::HasSubstr("is empty; valid "));
  }
}

TEST(Resolve, ReadsTheFilesThatVariablesName) {
  fake_machine machine;
  machine.set("AWS_CONFIG_FILE", "/other/config").set("AWS_SHARED_CREDENTIALS_FILE", "/other/credentials");
  machine.texts["/other/config"] = file_text::of("[default]\nretry_mode = adaptive\n");
  machine.texts["/other/credentials"] = file_text::of("[default]\nmax_attempts = 4\n");
  EXPECT_EQ(resolved(machine).mode.from, origin::file("/other/config", 2));
  EXPECT_EQ(resolved(machine).max_attempts.from, origin::file("/other/credentials", 2));
}

TEST(Resolve, AMissingFileSaysNothing) {
  EXPECT_EQ(resolved(with_file("[default]\nretry_mode = adaptive\n").set("AWS_CONFIG_FILE", "/nosuch")), settings{});
}

TEST(Resolve, FilesAreReadWhenTheyAreNeeded) {
  auto machine = with_file("[default\n").set("AWS_RETRY_MODE", "standard").set("AWS_MAX_ATTEMPTS", "4");
  EXPECT_EQ(attempts(machine), 4U);
  EXPECT_TRUE(machine.read.empty());
  machine.variables.erase("AWS_MAX_ATTEMPTS");
  EXPECT_EQ(resolved(machine, {.max_attempts = 4}).mode.value, retry_mode::standard);
  EXPECT_TRUE(machine.read.empty());
  EXPECT_EQ(fault(machine), config_error_kind::config_file);
  machine.read.clear();
  machine.config("[default]\n").variables.erase("AWS_RETRY_MODE");
  EXPECT_EQ(resolved(machine), settings{});
  EXPECT_THAT(machine.read, testing::UnorderedElementsAre("/home/me/.aws/config", "/home/me/.aws/credentials"))
      << "each once, whatever is asked of them";
}

TEST(Resolve, AValidVariableHidesAnInvalidProperty) {
  EXPECT_EQ(resolved(with_file("[default]\nretry_mode = bogus\n").set("AWS_RETRY_MODE", "standard")).mode.value,
            retry_mode::standard);
  EXPECT_EQ(attempts(with_file("[default]\nmax_attempts = bogus\n").set("AWS_MAX_ATTEMPTS", "4")), 4U);
  EXPECT_EQ(attempts(with_file("[default]\nmax_attempts = bogus\n"), {.max_attempts = 4}), 4U);
  EXPECT_EQ(resolved(with_variable("AWS_RETRY_MODE", "bogus"), {.mode = retry_mode::adaptive}).mode.value,
            retry_mode::adaptive);
}

TEST(Resolve, ModesHaveNoCaseAndMayHaveBlanksAround) {
  for (auto const* const word : {"adaptive", "ADAPTIVE", "aDaPtIvE", " adaptive\t"})
    EXPECT_EQ(resolved(with_variable("AWS_RETRY_MODE", word)).mode.value, retry_mode::adaptive) << word;
  for (auto const* const word :
       {"", " ", "adaptive ,", "adaptiv", "adaptives", "adaptive\n", "\"adaptive\"", "0", "standard adaptive"})
    EXPECT_EQ(fault(with_variable("AWS_RETRY_MODE", word)), config_error_kind::invalid_mode) << word;
}

TEST(Resolve, Attempts) {
  using row = std::pair<char const*, std::uint32_t>;
  for (auto const& [text, number] : {row{"1", 1}, row{"4", 4}, row{"+4", 4}, row{"007", 7}, row{"10", 10},
                                     row{"2147483647", 2147483647}, row{"00000000000000000000000000000000005", 5}})
    EXPECT_EQ(attempts(with_variable("AWS_MAX_ATTEMPTS", text)), number) << text;
  for (auto const* const text : {"",    " ",  "+",  "-",   "0",   "00",  "+0",  "-0",  "-5",   " 4",  "4 ", "  4 ",
                                 "3.0", "4x", "x4", "0x4", "1_0", "1e3", "++4", "+-4", "four", "4\n", "/",  ":"})
    EXPECT_EQ(fault(with_variable("AWS_MAX_ATTEMPTS", text)), config_error_kind::invalid_attempts) << text;
  for (auto const* const text :
       {"2147483648", "4294967297", "18446744073709551617", "99999999999999999999999", "-99999999999999999999999"})
    EXPECT_EQ(fault(with_variable("AWS_MAX_ATTEMPTS", text)), config_error_kind::invalid_attempts) << text;
  for (std::int64_t const number : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN, std::int64_t{2147483648}, INT64_MAX})
    EXPECT_EQ(fault(fake_machine{}, {.max_attempts = number}), config_error_kind::invalid_attempts) << number;
  EXPECT_EQ(attempts(fake_machine{}, {.max_attempts = 2147483647}), 2147483647U);
}

TEST(Resolve, TheFlagOf2026) {
  for (auto const* const text : {"true", "TRUE", "True"})
    EXPECT_EQ(resolved(with_variable("AWS_NEW_RETRIES_2026", text)).generation,
              (anew::aws_settings::setting<generation>{generation::v2026, origin::variable("AWS_NEW_RETRIES_2026")}));
  for (auto const* const text : {"false", "FALSE", "False"})
    EXPECT_EQ(resolved(with_variable("AWS_NEW_RETRIES_2026", text)).generation.value, generation::v2020) << text;
  for (auto const* const text : {"", "1", "0", "yes", "no", "on", "off", " true", "true ", "truefalse", "t"})
    EXPECT_EQ(fault(with_variable("AWS_NEW_RETRIES_2026", text)), config_error_kind::invalid_generation) << text;
  EXPECT_EQ(resolved(with_variable("AWS_NEW_RETRIES_2026", "1"), {.generation = generation::v2020}).generation.value,
            generation::v2020);
}

TEST(Resolve, WhatIsConfiguredIsNotTheServices) {
  EXPECT_EQ(attempts(with_variable("AWS_MAX_ATTEMPTS", "3"), {.for_service = service::dynamodb}), 3U);
  EXPECT_EQ(attempts(with_file("[default]\nmax_attempts = 2\n"), {.for_service = service::dynamodb}), 2U);
  EXPECT_EQ(attempts(fake_machine{}, {.max_attempts = 3, .for_service = service::dynamodb}), 3U);
  EXPECT_EQ(attempts(fake_machine{}, {.for_service = service::dynamodb}), 4U);
  auto const before_2026 = resolved(with_variable("AWS_NEW_RETRIES_2026", "false"));
  EXPECT_EQ(before_2026.mode.value, retry_mode::legacy);
  EXPECT_EQ(before_2026.max_attempts.value, 11U);
}

TEST(Resolve, ErrorsSayWhereWhatAndWhy) {
  auto const check = [](config_error const& error, std::string const& file, std::size_t line,
                        std::string const& setting, std::string const& value, std::string const& why) {
    EXPECT_EQ(error.file(), file);
    EXPECT_EQ(error.line(), line);
    EXPECT_EQ(error.setting(), setting);
    EXPECT_EQ(error.value(), value);
    auto const place = line == 0 ? file : file + ":" + std::to_string(line);
    EXPECT_EQ(error.what(), place + ": " + setting + " = " + (value.empty() ? "\"\"" : value) + ": " + why);
  };
  std::string const modes = "; valid are legacy, standard and adaptive";
  std::string const numbers = "; valid are 1 (no retries) to 2147483647";
  std::string const flags = "; valid are true (the rules of 2026, the default) and false (those before)";
  check(refused(with_file("[default]\n\nretry_mode = standrad\n")), "/home/me/.aws/config", 3, "retry_mode", "standrad",
        "is no retry mode" + modes);
  check(refused(fake_machine{}.credentials("[default]\nMAX_ATTEMPTS = 3.0\n")), "/home/me/.aws/credentials", 2,
        "max_attempts", "3.0", "is not a whole number in digits" + numbers);
  check(refused(fake_machine{}, {.max_attempts = 0}), "code", 0, "max_attempts", "0",
        "is below 1, and the first attempt counts" + numbers);
  auto const check_variable = [&](char const* name, char const* value, std::string const& why) {
    check(refused(with_variable(name, value)), "environment", 0, name, value, why);
  };
  check_variable("AWS_RETRY_MODE", "x", "is no retry mode" + modes);
  check_variable("AWS_MAX_ATTEMPTS", "", "is empty" + numbers);
  check_variable("AWS_MAX_ATTEMPTS", "-99999999999", "is below 1, and the first attempt counts" + numbers);
  check_variable("AWS_MAX_ATTEMPTS", "2147483648", "is too many" + numbers);
  check_variable("AWS_NEW_RETRIES_2026", "1", "is neither true nor false" + flags);
  check_variable("AWS_NEW_RETRIES_2026", "", "is empty" + flags);
  EXPECT_STREQ(refused(with_file("[default\n")).what(),
               "/home/me/.aws/config:1: a section does not end with ]; valid are [default] and [profile NAME]");
}

TEST(Resolve, ErrorsRemarkOnWhatTheGrammarMadeOfIt) {
  EXPECT_STREQ(refused(with_file("[default]\nretry_mode = standard\n  # note\n")).what(),
               "/home/me/.aws/config:2: retry_mode = standard\\n# note: is no retry mode (a line that begins with a "
               "blank belongs to the value above it); valid are legacy, standard and adaptive");
  using row = std::pair<fake_machine, char const*>;
  for (auto const& [machine, remark] :
       {row{with_file("[default]\nretry_mode = standard#note\n"), "mode (a comment begins after a blank);"},
        row{with_file("[default]\nmax_attempts = 4;5\n"), "digits (a comment begins after a blank);"},
        row{with_file("[default]\nretry_mode = \"standard\"\n"), "mode (quotes are part of a value);"},
        row{with_file("[default]\nretry_mode = standard?\n"), "mode; valid"},
        row{with_variable("AWS_RETRY_MODE", "'standard'"), "mode (quotes are part of a value);"}}) {
    EXPECT_THAT(refused(machine).what(), testing::HasSubstr(remark));
  }
  for (auto const* const plain : {"\"standard", "\"", "'standard\"", "standard # x", "standard\nx"})
    EXPECT_THAT(refused(with_variable("AWS_RETRY_MODE", plain)).what(), testing::HasSubstr("is no retry mode; valid"))
        << plain;
}

TEST(Resolve, AFileThatCannotBeReadIsNoMissingFile) {
  fake_machine machine;
  machine.texts[fake_machine::config_path] = file_text::unreadable("permission denied");
  auto const error = refused(machine);
  EXPECT_EQ(error.kind(), config_error_kind::unreadable);
  EXPECT_EQ(error.file(), fake_machine::config_path);
  EXPECT_EQ(error.line(), 0U);
  EXPECT_STREQ(error.what(), "/home/me/.aws/config: cannot be read: permission denied");
  EXPECT_EQ(attempts(machine.set("AWS_RETRY_MODE", "standard").set("AWS_MAX_ATTEMPTS", "2")), 2U);
  fake_machine other;
  other.texts[fake_machine::credentials_path] = file_text::unreadable("is a directory");
  EXPECT_EQ(refused(other).file(), fake_machine::credentials_path);
}

TEST(Resolve, ThrowsOrReturns) {
  using namespace anew::aws_settings;
  auto const machine = with_variable("AWS_MAX_ATTEMPTS", "x");
  auto const by = [&](code_settings const& code) { return resolve(code, machine.environment(), machine.files()); };
  EXPECT_THROW(static_cast<void>(by({})), config_error);
  EXPECT_EQ(by({.max_attempts = 2}).max_attempts.value, 2U);
  EXPECT_EQ(try_resolve({}, no_environment{}, no_files{}).value(), settings{});
}

TEST(Resolve, OfTheProcess) {
  // Both settings, so that the test does not depend on whose machine it runs on.
  ::setenv("AWS_RETRY_MODE", "adaptive", 1);
  ::setenv("AWS_MAX_ATTEMPTS", "7", 1);
  ::setenv("AWS_NEW_RETRIES_2026", "false", 1);
  auto const s = anew::aws_settings::resolve();
  EXPECT_EQ(s.mode.value, retry_mode::adaptive);
  EXPECT_EQ(s.max_attempts.value, 7U);
  EXPECT_EQ(s.generation.value, generation::v2020);
  ::setenv("AWS_MAX_ATTEMPTS", "", 1);
  EXPECT_EQ(anew::aws_settings::try_resolve().error().kind(), config_error_kind::invalid_attempts);
  for (auto const* const name : {"AWS_RETRY_MODE", "AWS_MAX_ATTEMPTS", "AWS_NEW_RETRIES_2026"}) ::unsetenv(name);
  EXPECT_EQ(anew::aws_settings::process_environment{}("AWS_MAX_ATTEMPTS"), std::nullopt);
}

}  // namespace
}  // namespace aws_settings_resolve_test
