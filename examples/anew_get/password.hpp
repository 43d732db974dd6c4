// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_PASSWORD_HPP
#define ANEW_GET_PASSWORD_HPP

#include <optional>
#include <string>

namespace anew_get {

/// Asks the terminal, which does not show it. Nothing if there is no terminal, or Ctrl-C or Ctrl-D was the answer.
[[nodiscard]] std::optional<std::string> asked_password(std::string const& question);

}  // namespace anew_get

#endif
