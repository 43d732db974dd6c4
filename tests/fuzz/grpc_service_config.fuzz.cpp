// SPDX-License-Identifier: BSL-1.0

// What must hold of gRPC service configs, for every input. The whole input is the text, read on a small stack.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "anew/ports/grpc_service_config.hpp"

#include "document.hpp"

namespace {

using anew::grpc::service_config;
using fuzz::require;

void check_method(anew::grpc::method_settings const* method) {
  if (method == nullptr) return;
  if (method->timeout) require(*method->timeout > anew::duration::zero(), "a timeout is above zero");
  if (method->retry_policy) static_cast<void>(anew::grpc::make_retry_policy(*method->retry_policy));
}

void check(std::string_view text) {
  auto const config = service_config::read(text);
  if (config.throttling()) static_cast<void>(anew::grpc::make_throttle(*config.throttling()));
  check_method(config.find("", ""));
  check_method(config.find("a", ""));
  check_method(config.find("a", "b"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  return fuzz::check_document(data, size, check);
}
