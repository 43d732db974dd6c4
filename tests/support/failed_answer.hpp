// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_FAILED_ANSWER_HPP
#define ANEW_TESTS_SUPPORT_FAILED_ANSWER_HPP

#include <optional>

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
/// The result of an attempt, and the problem of one that failed.
struct answer {
  std::optional<problem> failed{};
  [[nodiscard]] bool has_value() const { return !failed.has_value(); }
  [[nodiscard]] problem const& error() const { return *failed; }
};

}  // namespace support

#endif
