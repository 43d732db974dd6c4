// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_ENVIRONMENT_HPP
#define ANEW_PORTS_AWS_ENVIRONMENT_HPP

#include <concepts>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::aws_settings {

/// Where variables come from: `env(name)` is the value, or nothing if it is not set. An empty value is a value.
template <class E>
concept Environment = requires(E const& env, std::string_view name) {
  { env(name) } -> std::convertible_to<std::optional<std::string>>;
};

/// The environment of the process. Do not read it while another thread changes it: `std::getenv` does not permit that.
struct process_environment {
  [[nodiscard]] std::optional<std::string> operator()(std::string_view name) const {
    if (char const* const value = std::getenv(std::string{name}.c_str())) return std::string{value};
    return std::nullopt;
  }
};

/// A process without variables, and so without a home and its files.
struct no_environment {
  [[nodiscard]] std::optional<std::string> operator()(std::string_view /*name*/) const { return std::nullopt; }
};

}  // namespace anew::inline ANEW_ABI::aws_settings

#endif
