// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_HINT_GRPC_RETRY_DELAY_HPP
#define ANEW_POLICIES_HINT_GRPC_RETRY_DELAY_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "anew/base/asked_delay.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::grpc {

namespace detail {

/// The fields of a message of protobuf, one after the other. Groups are an error.
class wire_reader {
 public:
  constexpr explicit wire_reader(std::string_view message) noexcept : rest_{message} {}

  std::uint64_t field = 0;   ///< its number
  bool is_bytes = false;     ///< a text, bytes or a message
  std::uint64_t number = 0;  ///< of a varint
  std::string_view bytes{};

  /// False at the end, and after an error.
  constexpr bool next() noexcept {
    if (rest_.empty() || is_bad_) return false;
    auto const key = varint();
    field = key >> 3U;
    is_bytes = (key & 7U) == 2;
    switch (key & 7U) {
      case 0: number = varint(); break;
      case 1: static_cast<void>(take(8)); break;
      case 2: bytes = take(varint()); break;
      case 5: static_cast<void>(take(4)); break;
      default: is_bad_ = true;
    }
    return !is_bad_;
  }
  [[nodiscard]] constexpr bool is_bad() const noexcept { return is_bad_; }

 private:
  constexpr std::uint64_t varint() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      auto const byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80U) return value;
    }
    is_bad_ = true;
    return 0;
  }
  constexpr std::string_view take(std::uint64_t length) noexcept {
    is_bad_ = is_bad_ || length > rest_.size();
    auto const taken = rest_.substr(0, is_bad_ ? 0 : static_cast<std::size_t>(length));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
  bool is_bad_ = false;
};

/// google.rpc.RetryInfo: `google.protobuf.Duration retry_delay = 1`, with `int64 seconds = 1` and `int32 nanos = 2`.
constexpr asked_delay delay_of_retry_info(std::string_view message) noexcept {
  std::int64_t seconds = 0;
  std::int64_t nanos = 0;
  bool is_set = false;
  wire_reader info{message};
  while (info.next()) {
    if (info.field != 1 || !info.is_bytes) continue;
    is_set = true;
    wire_reader delay{info.bytes};
    while (delay.next()) {
      if (delay.field == 1 && !delay.is_bytes) seconds = static_cast<std::int64_t>(delay.number);
      if (delay.field == 2 && !delay.is_bytes) nanos = static_cast<std::int64_t>(delay.number);
    }
    if (delay.is_bad()) return asked_delay::not_understood();
  }
  if (info.is_bad() || seconds < 0 || nanos < 0 || nanos > 999'999'999) return asked_delay::not_understood();
  if (!is_set) return {};
  return anew::detail::saturating_add(anew::detail::saturate(std::chrono::seconds{seconds}), duration{nanos});
}

}  // namespace detail

/// Reads the delay of a google.rpc.RetryInfo among the details of a google.rpc.Status: how long the server wants no request.
///
/// Accepts:  the serialized Status: `grpc::Status::error_details()`, the decoded metadata `grpc-status-details-bin`.
/// Returns:  the delay, of several the longest; nothing where there is no RetryInfo; an `asked_delay::not_understood()` for
///           bytes that are no such message, and for a negative delay. Never throws.
/// Cost:     linear in the bytes; no allocation, and no protobuf
/// Choose it in `grpc::status_traits<E>::pushback_of` for services that send it, such as Google Cloud's, with server_hint: it is
/// a least wait. Not for gRPC's own pushback, which says the wait itself: parse_pushback.
/// Source:   googleapis, google/rpc/status.proto and error_details.proto; protobuf.dev, "Encoding"
[[nodiscard]] constexpr asked_delay parse_retry_delay(std::string_view status) noexcept {
  asked_delay longest;
  detail::wire_reader message{status};
  while (message.next()) {
    if (message.field != 3 || !message.is_bytes) continue;  // a google.protobuf.Any: type_url = 1, value = 2
    detail::wire_reader any{message.bytes};
    std::string_view type;
    std::string_view value;
    while (any.next()) {
      if (any.field == 1 && any.is_bytes) type = any.bytes;
      if (any.field == 2 && any.is_bytes) value = any.bytes;
    }
    if (any.is_bad()) return asked_delay::not_understood();
    if (!type.ends_with("/google.rpc.RetryInfo")) continue;
    auto const asked = detail::delay_of_retry_info(value);
    if (asked.is_not_understood()) return asked;
    if (asked) longest = anew::detail::larger(*asked, longest.value_or(*asked));
  }
  return message.is_bad() ? asked_delay::not_understood() : longest;
}

}  // namespace anew::inline ANEW_ABI::grpc

#endif
