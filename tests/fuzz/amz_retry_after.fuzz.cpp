// SPDX-License-Identifier: BSL-1.0

// What must hold of `x-amz-retry-after` and `grpc-retry-pushback-ms`, for every input. The whole input is the field value.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "anew/policies/classifier/grpc_status.hpp"
#include "anew/policies/hint/retry_after.hpp"
#include "anew/presets/aws/error.hpp"

#include "law.hpp"

namespace {

using fuzz::require;

void check_amz(std::string_view text) {
  auto const delay = anew::parse_amz_retry_after(text);
  require(!delay || *delay >= anew::duration::zero(), "a delay is never negative");
  require(delay == anew::parse_milliseconds(text), "what AWS reads is a count of milliseconds");
  std::string const padded = " \t" + std::string{text} + "\t ";
  require(delay == anew::parse_amz_retry_after(padded), "blanks around the value change nothing");
  require(!anew::parse_amz_retry_after("x" + padded), "junk before the value is an error");
}

void check_pushback(std::string_view text) {
  auto const asked = anew::grpc::parse_pushback(text);
  require(asked.forbids() != asked.has_value(), "a pushback delays or forbids");
  if (asked.forbids()) return;
  require(asked.value_or({}).count() % 1'000'000 == 0, "a pushback counts milliseconds");
  require(std::to_string(asked.value_or({}).count() / 1'000'000) == text, "a pushback is written in one way");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // Not copied to a string: its terminator would hide a read past the end.
  std::string_view const text{reinterpret_cast<char const*>(data), size};
  check_amz(text);
  check_pushback(text);
  return 0;
}
