// SPDX-License-Identifier: BSL-1.0
#ifndef PLAYGROUND_REQUEST_HPP
#define PLAYGROUND_REQUEST_HPP

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "anew/base/duration.hpp"

namespace playground {

/// What the page asks: a line "NAME VALUE" for each value, then "text ", and the strategy to the end.
class request {
 public:
  explicit request(std::string_view all) : all_{all} {}

  [[nodiscard]] std::string_view what() const { return all_.substr(0, all_.find('\n')); }
  [[nodiscard]] std::string_view word(std::string_view name) const {
    auto const found = after(name);
    return found.substr(0, found.find('\n'));
  }
  [[nodiscard]] std::string text() const { return std::string{after("text")}; }
  /// The number, at least `least` and at most `most`; `otherwise` without one.
  [[nodiscard]] std::int64_t number(std::string_view name, std::int64_t otherwise, std::int64_t least,
                                    std::int64_t most) const {
    auto const digits = word(name);
    std::int64_t value = otherwise;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return std::clamp(value, least, most);
  }
  [[nodiscard]] anew::duration milliseconds(std::string_view name, std::int64_t otherwise) const {
    return std::chrono::milliseconds{number(name, otherwise, 0, 3'600'000)};
  }

 private:
  [[nodiscard]] std::string_view after(std::string_view name) const {
    for (auto rest = all_; !rest.empty();) {
      auto const end = std::min(rest.find('\n'), rest.size());
      if (rest.starts_with(name) && name.size() < end && rest[name.size()] == ' ') return rest.substr(name.size() + 1);
      if (rest.starts_with("text ")) break;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
  }

  std::string_view all_;
};

}  // namespace playground

#endif
