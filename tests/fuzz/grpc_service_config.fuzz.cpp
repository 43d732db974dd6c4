// SPDX-License-Identifier: BSL-1.0

// What must hold of gRPC service configs, for every input. The whole input is the text, read on a small stack.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "anew/ports/grpc_service_config.hpp"

#include "law.hpp"
#include "small_stack.hpp"

namespace {

using anew::grpc::service_config;
using fuzz::require;

void check_method(anew::grpc::method_settings const* method) {
  if (method == nullptr) return;
  if (method->timeout) require(*method->timeout > anew::duration::zero(), "a timeout is above zero");
  if (method->retry_policy) static_cast<void>(anew::grpc::make_retry_policy(*method->retry_policy));
}

void check(std::string_view text) try {
  auto const config = service_config::read(text);
  if (config.throttling()) static_cast<void>(anew::grpc::make_throttle(*config.throttling()));
  check_method(config.find("", ""));
  check_method(config.find("a", ""));
  check_method(config.find("a", "b"));
} catch (anew::invalid_setting const& refused) {
  std::string_view const message{refused.what()};
  require(message.find('\n') == std::string_view::npos && message.size() < 600, "a refusal is one short line");
  require(message == (refused.path().empty() ? "the document" : refused.path()) + " " + refused.requirement() +
                         ", but is " + refused.value(),
          "a refusal says where, what it must be, and what it is");
} catch (std::exception const& other) {
  std::fprintf(stderr, "law broken: nothing but invalid_setting is thrown: %s\n", other.what());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // Not copied to a string: its terminator would hide a read past the end.
  auto const work = [text = std::string_view{reinterpret_cast<char const*>(data), size}] { check(text); };
  support::on_small_stack(work);
  return 0;
}
