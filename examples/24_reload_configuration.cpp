// SPDX-License-Identifier: BSL-1.0
// The configuration of the AWS tools, read again while the program runs: environment, shared config file, and what is
// in force after a good change and after a bad one.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "anew/anew.hpp"
#include "anew/ports/aws.hpp"
#include "anew/presets/aws/error.hpp"
#include "anew/run_time/virtual/strategy_view.hpp"

namespace config = anew::aws_settings;

namespace {

void write_config(char const* text) { std::ofstream{"config"} << text; }

void call(anew::retry_strategy const& strategy) {
  int attempts = 0;
  try {
    anew::retry(
        anew::strategy_view{strategy},
        [&] {
          ++attempts;
          throw anew::aws::service_exception{{.status = 503, .code = "ServiceUnavailable"}};
        },
        [](anew::duration) {});
  } catch (anew::aws::service_exception const& error) {
    std::printf("  attempts: %d, then %s\n", attempts, error.what());
  }
}

}  // namespace

int main() {
  // A directory of its own for the file, and an environment that says nothing else.
  auto directory = (std::filesystem::temp_directory_path() / "anew-example-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) return EXIT_FAILURE;
  std::filesystem::current_path(directory);
  for (auto const* const name : {"HOME", "AWS_PROFILE", "AWS_RETRY_MODE", "AWS_MAX_ATTEMPTS", "AWS_NEW_RETRIES_2026",
                                 "AWS_SHARED_CREDENTIALS_FILE"})
    ::unsetenv(name);
  ::setenv("AWS_CONFIG_FILE", "config", 1);
  write_config("[default]\nretry_mode = standard\nmax_attempts = 2\n");

  // [once]
  config::settings const settings = config::resolve();  // throws config::config_error
  std::printf("%s\n", settings.describe().c_str());
  call(*config::make_strategy(settings));
  // [/once]

  // [store]
  config::strategy_store store{[] { return config::try_resolve(); },
                               [](config::settings const& s) { return config::make_strategy(s); }};

  auto const reload = [&store] {
    auto const result = store.reload();
    if (!result) {
      std::printf("refused: %s\n", result.error().what());
    } else if (*result == config::reload_status::unchanged) {
      std::printf("unchanged\n");
    } else {
      std::printf("%s\n", store.current().describe().c_str());
    }
  };
  // [/store]

  // [call]
  auto const strategy = store.snapshot();  // what this call began with, it keeps
  // [/call]

  write_config("[default]\nretry_mode = adaptive\nmax_attempts = 4\n");
  reload();
  call(*store.snapshot());
  std::printf("  the one that was under way:\n");
  call(*strategy);

  write_config("[default]\nretry_mode = legacy\nmax_attempts = many\n");
  reload();
  call(*store.snapshot());

  write_config("[default\nretry_mode = legacy\n");
  reload();

  write_config("# the same settings, said in another way\n[default]\nmax_attempts = +4\nretry_mode = ADAPTIVE\n");
  reload();

  ::setenv("AWS_MAX_ATTEMPTS", "1", 1);
  reload();
  call(*store.snapshot());

  // [no_throw]
  auto const result = config::try_resolve({.max_attempts = 0});
  if (!result) {
    auto const& error = result.error();
    std::printf("%s of %s is wrong: %s\n", error.setting().c_str(), error.file().c_str(), error.what());
  }
  // [/no_throw]

  std::filesystem::current_path("/");
  std::filesystem::remove_all(directory);
}
