// SPDX-License-Identifier: BSL-1.0
#ifndef EXAMPLES_SUPPORT_EXPECTED_HPP
#define EXAMPLES_SUPPORT_EXPECTED_HPP

#include <utility>
#include <variant>

/// As much of C++23's `std::expected` as the examples need. anew reads both by their shape.
template <class Value, class Error>
class expected {
 public:
  expected(Value value) : held_{std::in_place_index<0>, std::move(value)} {}
  expected(Error error) : held_{std::in_place_index<1>, std::move(error)} {}

  [[nodiscard]] bool has_value() const noexcept { return held_.index() == 0; }
  [[nodiscard]] Value const& value() const { return std::get<0>(held_); }
  [[nodiscard]] Error const& error() const { return std::get<1>(held_); }

 private:
  std::variant<Value, Error> held_;
};

#endif
