// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFIG_SUPPORT_HPP
#define ANEW_TESTS_CONFIG_SUPPORT_HPP

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "anew/ports/aws/file_source.hpp"

/// A machine of maps: variables, files, and which files were asked for.
struct fake_machine {
  static constexpr char const* config_path = "/home/me/.aws/config";
  static constexpr char const* credentials_path = "/home/me/.aws/credentials";

  std::map<std::string, std::string, std::less<>> variables{{"HOME", "/home/me"}};
  std::map<std::string, anew::aws_settings::file_text, std::less<>> texts{};
  std::vector<std::string> mutable read{};

  fake_machine& set(std::string const& name, std::string value) {
    variables[name] = std::move(value);
    return *this;
  }
  fake_machine& config(std::string text) {
    texts[config_path] = anew::aws_settings::file_text::of(std::move(text));
    return *this;
  }
  fake_machine& credentials(std::string text) {
    texts[credentials_path] = anew::aws_settings::file_text::of(std::move(text));
    return *this;
  }

  [[nodiscard]] auto environment() const {
    return [this](std::string_view name) -> std::optional<std::string> {
      auto const found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional{found->second};
    };
  }
  [[nodiscard]] auto files() const {
    return [this](std::string const& path) -> anew::aws_settings::file_text {
      read.push_back(path);
      auto const found = texts.find(path);
      return found == texts.end() ? anew::aws_settings::file_text::missing() : found->second;
    };
  }
};

#endif
