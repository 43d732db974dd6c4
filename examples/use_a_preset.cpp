// SPDX-License-Identifier: BSL-1.0
// Presets: taken as they are, with one policy changed, and read from a gRPC service config. Nothing here waits.
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "anew/anew.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/ports/grpc_service_config.hpp"
#include "anew/presets/azure.hpp"
#include "anew/presets/google_cloud.hpp"
#include "anew/presets/grpc.hpp"
#include "anew/strategy/adjusted.hpp"

using namespace std::chrono_literals;

// As grpc++ has it.
namespace grpc {
enum StatusCode { OK = 0, UNAVAILABLE = 14 };
class Status {
 public:
  explicit Status(StatusCode code) : code_{code} {}
  [[nodiscard]] bool ok() const { return code_ == OK; }
  [[nodiscard]] StatusCode error_code() const { return code_; }

 private:
  StatusCode code_;
};
}  // namespace grpc

// [status]
template <>
struct anew::result_traits<grpc::Status> : anew::grpc::status_result {};
// [/status]

// [with]
using storage = anew::with<anew::google_cloud::storage, anew::deadline<30s>, anew::token_bucket<500>>;
using patient = anew::with<anew::azure::retry_policy, anew::server_hint<anew::long_hint::stop, 5min>>;
// [/with]

constexpr std::string_view text = R"({
  "methodConfig": [{
    "name": [{"service": "shop.Cart"}],
    "retryPolicy": {"maxAttempts": 9, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2,
                    "retryableStatusCodes": ["UNAVAILABLE"]}
  }],
  "retryThrottling": {"maxTokens": 100, "tokenRatio": 0.1}
})";

int main() {
  std::puts(anew::describe<storage>().c_str());
  std::puts(anew::describe<patient>().c_str());

  auto const stub = [] { return grpc::Status{grpc::UNAVAILABLE}; };
  auto const no_sleep = [](anew::duration) {};
  // [service_config]
  auto const config = anew::grpc::service_config::read(text);
  anew::shared const throttle{anew::grpc::make_throttle(*config.throttling())};  // one for each server
  if (auto const* method = config.find("shop.Cart", "Add"); method != nullptr && method->retry_policy) {
    auto const policy = anew::grpc::make_retry_policy(*method->retry_policy, throttle);
    auto const strategy = anew::adjusted(policy, anew::deadline{method->timeout.value_or(1min)});  // of the whole call
    auto const outcome = anew::retry_outcome(strategy, stub, no_sleep);
    std::printf("%s\n%u attempts\n", anew::describe(strategy).c_str(), outcome.attempts());
  }
  // [/service_config]
  try {
    static_cast<void>(
        anew::grpc::service_config::read(R"({"retryThrottling": {"maxTokens": 5000, "tokenRatio": 0.1}})"));
  } catch (anew::invalid_setting const& error) {
    std::puts(error.what());
  }

  std::map<std::string, std::string, std::less<>> const fields{{"retry-after", "7"}};
  // [azure]
  auto const header = [&fields](std::string_view name) {
    auto const found = fields.find(name);
    return found == fields.end() ? std::nullopt : std::optional<std::string_view>{found->second};
  };
  auto const hint = anew::azure::retry_after(header, std::chrono::system_clock::now());
  // [/azure]
  std::printf("the server asks for %lld s\n", static_cast<long long>(hint.value_or(0s) / 1s));
}
