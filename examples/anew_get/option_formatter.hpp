// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_OPTION_FORMATTER_HPP
#define ANEW_GET_OPTION_FORMATTER_HPP

#include <cstddef>
#include <string>

#include <CLI/CLI.hpp>

#include "text.hpp"

namespace anew_get {

/// Writes the name of a value without the dots of CLI11, which would say that there may be several.
class option_formatter final : public CLI::Formatter {
  [[nodiscard]] std::string make_option_opts(CLI::Option const* option) const override {
    auto const type = option->get_type_name();
    return type.empty() ? type : " " + type;
  }
  /// In lines that fit beside the names.
  [[nodiscard]] std::string make_option_desc(CLI::Option const* option) const override {
    constexpr std::size_t widest = 100;
    return wrapped(CLI::Formatter::make_option_desc(option), widest - get_column_width(), 0);
  }
};

}  // namespace anew_get

#endif
