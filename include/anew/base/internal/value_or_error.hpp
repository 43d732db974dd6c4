// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_VALUE_OR_ERROR_HPP
#define ANEW_BASE_INTERNAL_VALUE_OR_ERROR_HPP

#include <utility>
#include <variant>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A value, or an error instead: `std::expected<T, E>` as far as C++20 permits. The functions that return the value call
/// `raise(error)` if it holds an error, which throws; without exceptions it prints the error and ends the program.
template <class T, class E>
class [[nodiscard]] value_or_error {
 public:
  using value_type = T;
  using error_type = E;

  value_or_error(T value) : held_{std::in_place_index<0>, std::move(value)} {}  // NOLINT(*-explicit-*)
  value_or_error(E error) : held_{std::in_place_index<1>, std::move(error)} {}  // NOLINT(*-explicit-*)

  [[nodiscard]] bool has_value() const noexcept { return held_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] T& operator*() & { return value_in(*this); }
  [[nodiscard]] T const& operator*() const& { return value_in(*this); }
  [[nodiscard]] T&& operator*() && { return std::move(value_in(*this)); }
  [[nodiscard]] T* operator->() { return &value_in(*this); }
  [[nodiscard]] T const* operator->() const { return &value_in(*this); }
  [[nodiscard]] T const& value() const& { return value_in(*this); }
  [[nodiscard]] T value() && { return std::move(value_in(*this)); }

  /// Requires: `!has_value()`
  [[nodiscard]] E const& error() const noexcept { return *std::get_if<1>(&held_); }

 private:
  static auto& value_in(auto& self) {
    auto* const value = std::get_if<0>(&self.held_);
    if (value == nullptr) raise(self.error());
    return *value;
  }

  std::variant<T, E> held_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
