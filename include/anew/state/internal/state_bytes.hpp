// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_INTERNAL_STATE_BYTES_HPP
#define ANEW_STATE_INTERNAL_STATE_BYTES_HPP

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

/// A saved state as bytes. All numbers are little-endian; docs/reference/saved_state.md has the layout.
namespace anew::inline ANEW_ABI::detail {

constexpr bool is_count(std::int64_t number, std::uint64_t most) noexcept {
  return number >= 0 && static_cast<std::uint64_t>(number) <= most;
}

/// Goes through the numbers of a policy's state, in one order whatever it is for: it writes them down, asks whether a policy
/// may have those that were written down, or gives them to the policy. Each function takes what the policy holds, and
/// returns what counts: that, or what was written down.
class state_walk {
 public:
  state_walk(std::vector<std::int64_t>& to, time_point now) noexcept : to_{&to}, now_{now} {}
  explicit state_walk(std::span<std::int64_t const> from) noexcept : from_{from} {}
  state_walk(std::span<std::int64_t const> from, time_point now) noexcept : from_{from}, takes_{true}, now_{now} {}

  [[nodiscard]] time_point now() const noexcept { return now_; }
  [[nodiscard]] bool writes() const noexcept { return to_ != nullptr; }
  /// The policy is to store what it is given.
  [[nodiscard]] bool takes() const noexcept { return takes_; }
  [[nodiscard]] bool is_good() const noexcept { return is_good_ && at_ == from_.size(); }
  void require(bool holds) noexcept { is_good_ = is_good_ && holds; }

  /// To now. `time_point::min()` means no time, and is not changed.
  [[nodiscard]] std::int64_t relative(time_point time) const noexcept {
    if (time == time_point::min()) return duration::min().count();
    return larger(saturating_subtract(time, now_), duration::min() + duration{1}).count();
  }

  std::int64_t number(std::int64_t held) {
    if (writes()) to_->push_back(held);
    if (!writes()) require(at_ < from_.size());
    return writes() ? held : at_ < from_.size() ? from_[at_++] : 0;
  }
  std::int64_t counted(auto held, std::uint64_t most) {
    auto const count = number(static_cast<std::int64_t>(held));
    require(is_count(count, most));
    return count;
  }
  void count(auto& cell, std::uint64_t most) {
    auto const count = counted(cell.load(), most);
    if (takes_) cell.store_release(static_cast<decltype(cell.load())>(count));
  }
  /// The newest of numbered periods, ahead of `now` by at most `most`.
  std::uint64_t newest(std::uint64_t held, std::uint64_t now, std::uint64_t most) {
    auto const last = larger(held, now);
    auto const ahead = counted(smaller(last - now, most), most);
    return writes() ? last : now + static_cast<std::uint64_t>(ahead);
  }
  /// The bits of a floating-point number, which are the same after a restart to the last one.
  double amount(double& held) {
    auto const amount = std::bit_cast<double>(number(std::bit_cast<std::int64_t>(held)));
    require(amount >= 0 && amount <= 1e300);
    if (takes_) held = amount;
    return amount;
  }
  /// A time that is ahead of now by at most that.
  time_point time(time_point held, duration latest) {
    auto const time = number(smaller(relative(held), std::int64_t{latest.count()}));
    require(time <= latest.count());
    if (time == duration::min().count()) return time_point::min();
    return larger(saturating_add(now_, duration{time}), time_point::min() + duration{1});
  }

 private:
  std::vector<std::int64_t>* to_ = nullptr;
  std::span<std::int64_t const> from_{};
  std::size_t at_ = 0;
  bool takes_ = false;
  bool is_good_ = true;
  time_point now_{};
};

struct state_layout {
  static constexpr std::uint32_t magic = 0x77656e61;  // "anew"
  static constexpr std::uint32_t version = 1;
  static constexpr std::size_t most_bytes = 65'536;
  static constexpr std::size_t header_bytes = 12;
  static constexpr std::size_t checksum_bytes = 8;

  /// FNV-1a with 64 bits.
  static constexpr std::uint64_t checksum(std::span<std::byte const> bytes) noexcept {
    std::uint64_t sum = 0xcbf2'9ce4'8422'2325U;
    for (auto const byte : bytes) sum = (sum ^ std::to_integer<std::uint64_t>(byte)) * 0x100'0000'01b3U;
    return sum;
  }
};

class state_writer {
 public:
  explicit state_writer(std::size_t parts) {
    put(state_layout::magic, 4);
    put(state_layout::version, 2);
    put(parts, 2);
    put(0, 4);  // the size, when it is known
  }
  void write_part(std::string_view policy, std::span<std::int64_t const> numbers) {
    put(policy.size(), 2);
    put(numbers.size(), 2);
    for (char const c : policy) put(static_cast<unsigned char>(c), 1);
    for (auto const number : numbers) put(static_cast<std::uint64_t>(number), 8);
  }
  [[nodiscard]] std::vector<std::byte> end() {
    auto const size = bytes_.size() + state_layout::checksum_bytes;
    for (unsigned i = 0; i != 4; ++i) bytes_[8 + i] = static_cast<std::byte>(size >> (8 * i));
    put(state_layout::checksum(bytes_), state_layout::checksum_bytes);
    return std::move(bytes_);
  }

 private:
  void put(std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i != size; ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
  }

  std::vector<std::byte> bytes_;
};

class state_reader {
 public:
  explicit state_reader(std::span<std::byte const> bytes) noexcept : bytes_{bytes} {}

  /// Checks what stands around the parts, and returns how many there are.
  std::uint32_t begin() {
    using layout = state_layout;
    if (bytes_.size() > layout::most_bytes) return refuse("there must be at most 65536 bytes");
    if (bytes_.size() < layout::header_bytes + layout::checksum_bytes) return refuse("the bytes are cut off");
    if (take(4) != layout::magic) return refuse("the bytes are not a saved state of anew");
    if (auto const version = take(2); version != layout::version) {
      return refuse(
          std::string{"the bytes are of version "}.append(std::to_string(version)).append("; version 1 is read"));
    }
    auto const parts = static_cast<std::uint32_t>(take(2));
    auto const size = take(4);
    if (size > bytes_.size()) return refuse("the bytes are cut off");
    if (size < bytes_.size()) return refuse("more bytes follow the saved state");
    auto const before_the_sum = bytes_.size() - layout::checksum_bytes;
    end_ = bytes_.size();
    auto const begun = at_;
    at_ = before_the_sum;
    if (take(layout::checksum_bytes) != layout::checksum(bytes_.first(before_the_sum))) return refuse(damaged);
    at_ = begun;
    end_ = before_the_sum;
    return parts;
  }
  void read_part(std::string& policy, std::vector<std::int64_t>& numbers) {
    if (left() < 4) return static_cast<void>(refuse(damaged));
    auto const length = static_cast<std::size_t>(take(2));
    auto const count = static_cast<std::size_t>(take(2));
    if (left() < length + count * 8) return static_cast<void>(refuse(damaged));
    for (std::size_t i = 0; i != length; ++i) policy += static_cast<char>(take(1));
    for (std::size_t i = 0; i != count; ++i) numbers.push_back(static_cast<std::int64_t>(take(8)));
  }
  /// The error, or an empty text.
  [[nodiscard]] std::string end() {
    if (is_good() && left() != 0) refuse(damaged);
    return error_;
  }
  [[nodiscard]] bool is_good() const noexcept { return error_.empty(); }

 private:
  static constexpr char const* damaged = "the bytes are damaged";

  std::uint32_t refuse(std::string const& why) {
    error_ = why;
    return 0;
  }
  [[nodiscard]] std::size_t left() const noexcept { return end_ - at_; }
  /// Requires that so many bytes are left.
  std::uint64_t take(std::size_t size) noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i != size; ++i) value |= std::to_integer<std::uint64_t>(bytes_[at_++]) << (8 * i);
    return value;
  }

  std::span<std::byte const> bytes_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::string error_;
};

inline std::string hex_of(std::span<std::byte const> bytes) {
  std::string text;
  for (auto const byte : bytes) {
    auto const value = std::to_integer<unsigned>(byte);
    text += "0123456789abcdef"[value >> 4U];
    text += "0123456789abcdef"[value & 15U];
  }
  return text;
}

/// False where the text has anything but pairs of digits, or is longer than any saved state.
inline bool read_hex(std::string_view text, std::vector<std::byte>& bytes) {
  if (text.size() % 2 != 0) return false;
  for (; !text.empty() && bytes.size() <= state_layout::most_bytes; text.remove_prefix(2)) {
    std::uint8_t byte = 0;
    auto const read = std::from_chars(text.data(), text.data() + 2, byte, 16);
    if (read.ec != std::errc{} || read.ptr != text.data() + 2) return false;
    bytes.push_back(std::byte{byte});
  }
  return true;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
