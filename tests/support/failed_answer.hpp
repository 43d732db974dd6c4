// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_FAILED_ANSWER_HPP
#define ANEW_TESTS_SUPPORT_FAILED_ANSWER_HPP

#include <optional>
#include <utility>
#include <variant>

#include "anew/base/failure.hpp"

namespace support {

/// As a std::expected<int, E> that holds an error.
template <class E>
struct failed_answer {
  E why{};
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] E const& error() const { return why; }
};
template <class E>
failed_answer(E) -> failed_answer<E>;

/// An error that says whether it may be retried.
struct problem {
  bool is_final = false;
  [[nodiscard]] anew::retry_safety is_retry_safe() const {
    return is_final ? anew::retry_safety::no : anew::retry_safety::yes;
  }
};
/// An error that is as safe to retry as it says.
struct fault {
  anew::retry_safety safety = anew::retry_safety::yes;
  [[nodiscard]] anew::retry_safety is_retry_safe() const noexcept { return safety; }
};

/// The result of an attempt, and the error of one that failed.
template <class E>
struct answer_of {
  std::optional<E> failed{};
  [[nodiscard]] bool has_value() const noexcept { return !failed.has_value(); }
  [[nodiscard]] E const& error() const noexcept { return *failed; }
};
using answer = answer_of<problem>;

/// The part of std::expected that classifiers read, for two different types.
template <class T, class E>
class expected {
 public:
  expected(T value) : content_{std::in_place_index<0>, std::move(value)} {}  // NOLINT(*-explicit-*)
  expected(E error) : content_{std::in_place_index<1>, std::move(error)} {}  // NOLINT(*-explicit-*)
  [[nodiscard]] bool has_value() const noexcept { return content_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  [[nodiscard]] T const& operator*() const { return std::get<0>(content_); }
  [[nodiscard]] E const& error() const { return std::get<1>(content_); }

 private:
  std::variant<T, E> content_;
};

}  // namespace support

#endif
