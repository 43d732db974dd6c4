// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_FAILED_ANSWER_HPP
#define ANEW_TESTS_SUPPORT_FAILED_ANSWER_HPP

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

}  // namespace support

#endif
