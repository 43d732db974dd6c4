// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_REPLY_BOUNDS_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_REPLY_BOUNDS_HPP

#include <cstddef>
#include <cstdint>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Reads the heads of replies before hiredis does, which allocates as many elements as a head announces: 16 GiB for
/// `*2147483647`. A reply to a bucket is one value, or one array of at most 8 values that are not arrays; a line or a
/// text has at most 4 KiB. Everything else is out of bounds.
class reply_bounds {
 public:
  static constexpr std::uint32_t most_elements = 8;
  static constexpr std::uint32_t most_bytes = 4'096;

  void reset() noexcept { *this = reply_bounds{}; }

  /// False when a head or a line is out of bounds: none of these bytes may be read further.
  [[nodiscard]] bool hold(char const* bytes, std::size_t size) noexcept {
    for (std::size_t i = 0; i != size;) {
      if (skip_ != 0) {
        auto const some = skip_ < size - i ? skip_ : size - i;
        skip_ -= some;
        i += some;
      } else if (!take(bytes[i++])) {
        return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] bool take(char byte) noexcept {
    if (length_++ == 0) {
      type_ = byte;
      return is_head() || byte == '+' || byte == '-' || byte == ':';
    }
    if (length_ > most_bytes) return false;
    if (ends_) return byte == '\n' && end_line();
    if (byte == '\r') {
      ends_ = true;
      return true;
    }
    if (byte == '\n') return false;
    return !is_head() || take_digit(byte);
  }
  [[nodiscard]] bool take_digit(char byte) noexcept {
    if (byte == '-' && length_ == 2) {
      is_negative_ = true;
      return true;
    }
    if (byte < '0' || byte > '9') return false;
    ++digits_;
    number_ = number_ * 10 + static_cast<std::uint32_t>(byte - '0');
    return number_ <= most_bytes;
  }
  [[nodiscard]] bool end_line() noexcept {
    bool const is_array = type_ == '*';
    bool const is_text = type_ == '$';
    auto const number = number_;
    bool const is_null = is_negative_;
    bool const is_counted = digits_ != 0 && (!is_null || number == 1);
    bool const is_inside = elements_ != 0;
    length_ = 0;
    digits_ = 0;
    number_ = 0;
    is_negative_ = false;
    ends_ = false;
    if ((is_array || is_text) && !is_counted) return false;
    if (is_inside) --elements_;
    if (is_text && !is_null) skip_ = std::size_t{number} + 2;
    if (!is_array) return true;
    if (is_inside || (!is_null && number > most_elements)) return false;
    if (!is_null) elements_ = number;
    return true;
  }
  [[nodiscard]] bool is_head() const noexcept { return type_ == '*' || type_ == '$'; }

  std::size_t skip_ = 0;        ///< bytes of a text that are still to come, with the end of its line
  std::uint32_t elements_ = 0;  ///< of the array that is being read
  std::uint32_t length_ = 0;    ///< of the line that is being read
  std::uint32_t number_ = 0;
  std::uint32_t digits_ = 0;
  char type_ = 0;
  bool is_negative_ = false;
  bool ends_ = false;  ///< a carriage return was read
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
