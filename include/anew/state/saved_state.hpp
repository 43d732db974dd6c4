// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_SAVED_STATE_HPP
#define ANEW_STATE_SAVED_STATE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/base/platform/compiler.hpp"
#include "anew/state/internal/state_bytes.hpp"

namespace anew::inline ANEW_ABI {

/// The counts of policies, as a value: `anew::snapshot()` makes it, `anew::restore()` takes it, and you keep its
/// bytes, in a file or elsewhere.
///
/// A state that was read from bytes may be wrong; then `error()` says how, it has no parts, and every policy refuses it.
/// The bytes are the same on every machine and end in a checksum, which finds damage but no forgery: keep the bytes where
/// only your program writes.
/// Cost: allocates
class saved_state {
 public:
  /// The state of one policy: the policy with its numbers as `describe()` prints it, and what it has counted.
  struct part {
    std::string policy;
    std::vector<std::int64_t> numbers;
    friend bool operator==(part const&, part const&) = default;
  };

  /// The state of nothing, which every policy refuses.
  saved_state() = default;
  explicit saved_state(std::vector<part> parts) : parts_{std::move(parts)} {}

  /// Never throws for what the bytes are: `error()` tells.
  [[nodiscard]] static saved_state from_bytes(std::span<std::byte const> bytes) {
    detail::state_reader reader{bytes};
    saved_state read;
    auto const parts = reader.begin();
    for (std::uint32_t i = 0; i != parts && reader.is_good(); ++i) {
      part one;
      reader.read_part(one.policy, one.numbers);
      read.parts_.push_back(std::move(one));
    }
    read.error_ = reader.end();
    if (!read.error_.empty()) read.parts_.clear();
    return read;
  }
  /// The same of the text of `to_hex()`; a line end behind it is ignored.
  [[nodiscard]] static saved_state from_hex(std::string_view text) {
    while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
    std::vector<std::byte> bytes;
    if (detail::read_hex(text, bytes)) return from_bytes(bytes);
    saved_state wrong;
    wrong.error_ = "the text must be hexadecimal digits, two for each byte";
    return wrong;
  }

  [[nodiscard]] std::vector<std::byte> to_bytes() const {
    detail::state_writer writer{parts_.size()};
    for (auto const& one : parts_) writer.write_part(one.policy, one.numbers);
    return writer.end();
  }
  /// The bytes as text, for a place that takes text: two digits for each byte.
  [[nodiscard]] std::string to_hex() const { return detail::hex_of(to_bytes()); }

  /// The state of each policy, in the order of a strategy's roles.
  [[nodiscard]] std::vector<part> const& parts() const noexcept { return parts_; }
  /// The error in the bytes that it was read from; an empty text if they are good.
  [[nodiscard]] std::string const& error() const noexcept { return error_; }

  friend bool operator==(saved_state const&, saved_state const&) = default;

 private:
  std::vector<part> parts_;
  std::string error_;
};

}  // namespace anew::inline ANEW_ABI

#endif
