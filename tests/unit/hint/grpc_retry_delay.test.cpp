// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "anew/policies/classifier/grpc_status.hpp"
#include "anew/policies/hint/grpc_retry_delay.hpp"

#include "names.hpp"

namespace hint_grpc_retry_delay_test {
namespace {

using anew::asked_delay, anew::grpc::parse_retry_delay;

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value > 127; value >>= 7U) out += static_cast<char>(value | 0x80U);
  return out += static_cast<char>(value);
}
std::string number(unsigned field, std::uint64_t value) { return varint(field << 3U) + varint(value); }
std::string bytes(unsigned field, std::string const& value) {
  return varint(field << 3U | 2U) + varint(value.size()) + value;
}
std::string any(std::string const& type, std::string const& value) {
  return bytes(3, bytes(1, type) + bytes(2, value));
}
std::string retry_info(std::string const& delay) {
  return any("type.googleapis.com/google.rpc.RetryInfo", bytes(1, delay));
}
std::string delay_of(std::int64_t seconds, std::int64_t nanos = 0) {
  return number(1, static_cast<std::uint64_t>(seconds)) + number(2, static_cast<std::uint64_t>(nanos));
}

// As protoc --encode writes it: code 8, message "slow", and a RetryInfo of 1.5 s.
constexpr std::string_view published{
    "\x08\x08\x12\x04slow\x1a\x36\x0a\x28type.googleapis.com/"
    "google.rpc.RetryInfo\x12\x0a\x0a\x08\x08\x01\x10\x80\xca\xb5"
    "\xee\x01",
    64};

TEST(GrpcRetryDelay, IsReadFromTheDetailsOfAStatus) {
  auto const head = number(1, 8) + bytes(2, "slow");
  auto const other = any("type.googleapis.com/google.rpc.DebugInfo", bytes(1, "x"));
  auto const unread = asked_delay::not_understood();
  auto const check = [&](char const* what, std::string const& status, asked_delay asked) {
    EXPECT_EQ(parse_retry_delay(status), asked) << what;
  };
  check("nothing", "", {});
  check("no details", head, {});
  check("another detail", head + other, {});
  check("of another name", any("x/google.rpc.RetryInfos", bytes(1, delay_of(3))), {});
  check("without a host", any("google.rpc.RetryInfo", bytes(1, delay_of(3))), {});
  check("without a delay", any("/google.rpc.RetryInfo", ""), {});
  check("a delay", head + retry_info(delay_of(3)), 3s);
  check("zero, which is written as nothing", head + retry_info(""), 0s);
  check("nanoseconds", retry_info(number(2, 999'999'999)), 999'999'999ns);
  check("both", retry_info(delay_of(2, 5)), 2s + 5ns);
  check("behind another", head + other + retry_info(delay_of(3)) + other, 3s);
  check("two: the longest", retry_info(delay_of(3)) + retry_info(delay_of(2)), 3s);
  check("two: the longest, last", retry_info(delay_of(2)) + retry_info(delay_of(3)), 3s);
  check("fields that are not known",
        number(9, 1) + bytes(8, "x") +
            "\x4d"
            "1234"
            "\x49"
            "12345678" +
            retry_info(delay_of(3)),
        3s);
  check("known numbers of other types", bytes(1, "x") + number(3, 4) + retry_info(delay_of(3)), 3s);
  check("more than a duration holds", retry_info(delay_of(315'576'000'000)), anew::duration::max());
  check("negative", retry_info(delay_of(-3)), unread);
  check("negative nanoseconds", retry_info(delay_of(0, -1)), unread);
  check("too many nanoseconds", retry_info(delay_of(0, 1'000'000'000)), unread);
  check("a group", head + "\x0b\x0c", unread);
  check("a field without its value", std::string{"\x08"}, unread);
  check("a number that does not end", "\x08" + std::string(11, '\xff'), unread);
  check("longer than the message",
        "\x12\x7f"
        "slow",
        unread);
  check("a length that overflows", "\x12" + varint(~std::uint64_t{0}), unread);
  check("a detail that is cut off", bytes(3, "\x0a\x7f"), unread);
  check("a RetryInfo that is cut off", any("/google.rpc.RetryInfo", "\x0a\x7f"), unread);
  check("a duration that is cut off", retry_info("\x08"), unread);
  EXPECT_EQ(parse_retry_delay(published), 1500ms);
  // Cut off anywhere it is no delay, and never another one.
  for (std::size_t length = 1; length != published.size(); ++length) {
    auto const cut = parse_retry_delay(published.substr(0, length));
    EXPECT_TRUE(cut == asked_delay{} || cut.is_not_understood()) << length;
  }
}

struct status {
  int number;
  std::string details;
};

}  // namespace
}  // namespace hint_grpc_retry_delay_test

template <>
struct anew::grpc::status_traits<hint_grpc_retry_delay_test::status> {
  static int code(hint_grpc_retry_delay_test::status const& s) { return s.number; }
  static pushback pushback_of(hint_grpc_retry_delay_test::status const& s) { return parse_retry_delay(s.details); }
};

namespace hint_grpc_retry_delay_test {

TEST(GrpcRetryDelay, IsHeardByTheClassifier) {
  anew::grpc::status_classifier<> const reads;
  EXPECT_EQ(reads.classify(status{14, retry_info(delay_of(3))}).what().hint, 3s);
  EXPECT_TRUE(reads.classify(status{14, "\x08"}).what().hint.is_not_understood());
  EXPECT_FALSE(reads.classify(status{5, retry_info(delay_of(3))}).is_retry());
}

}  // namespace hint_grpc_retry_delay_test
