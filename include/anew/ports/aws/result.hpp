// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_RESULT_HPP
#define ANEW_PORTS_AWS_RESULT_HPP

#include <utility>
#include <variant>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/ports/aws/config_error.hpp"

namespace anew::inline ANEW_ABI::aws_settings {

/// A value, or an error instead: `std::expected<T, config_error>` as far as C++20 permits.
template <class T>
class [[nodiscard]] result {
 public:
  using value_type = T;
  using error_type = config_error;

  result(T value) : state_{std::in_place_index<0>, std::move(value)} {}             // NOLINT(*-explicit-*)
  result(config_error error) : state_{std::in_place_index<1>, std::move(error)} {}  // NOLINT(*-explicit-*)

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// Requires `has_value()`.
  [[nodiscard]] T& operator*() & noexcept { return *std::get_if<0>(&state_); }
  [[nodiscard]] T const& operator*() const& noexcept { return *std::get_if<0>(&state_); }
  [[nodiscard]] T&& operator*() && noexcept { return std::move(*std::get_if<0>(&state_)); }
  [[nodiscard]] T* operator->() noexcept { return std::get_if<0>(&state_); }
  [[nodiscard]] T const* operator->() const noexcept { return std::get_if<0>(&state_); }

  /// The value, or throws the error; without exceptions prints it and ends the program.
  [[nodiscard]] T const& value() const& {
    if (!has_value()) anew::detail::raise(error());
    return **this;
  }
  [[nodiscard]] T value() && {
    if (!has_value()) anew::detail::raise(error());
    return *std::move(*this);
  }

  /// Requires `!has_value()`.
  [[nodiscard]] config_error const& error() const noexcept { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, config_error> state_;
};

}  // namespace anew::inline ANEW_ABI::aws_settings

#endif
