// SPDX-License-Identifier: BSL-1.0
// The retry modes of the AWS SDKs, the errors that they read, and what their requests say of retries. Nothing here waits:
// delays are printed at their longest.
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "anew/anew.hpp"
#include "anew/presets/aws.hpp"
#include "anew/presets/smithy.hpp"
#include "anew/testing/scripted_random.hpp"

#include "support/expected.hpp"

using namespace std::chrono_literals;

// A client of your own has errors of its own.
struct http_error {
  int status_code;
  std::string type;         // "com.amazonaws.dynamodb#ThrottlingException"
  std::string retry_after;  // x-amz-retry-after, or nothing
};

// [traits]
// How anew reads it; aws::error is a type that needs none of this.
template <>
struct anew::aws::error_traits<http_error> {
  static int status(http_error const& e) { return e.status_code; }
  static std::string_view code(http_error const& e) { return e.type; }
  static std::optional<anew::duration> retry_after(http_error const& e) {
    return anew::parse_amz_retry_after(e.retry_after);
  }
};
// [/traits]

using response = expected<std::string, http_error>;

// [modeled]
// @error("client") @httpError(429) @retryable(throttling: true)
class throttling_error
    : public anew::smithy::modeled_error<anew::error_fault::client, anew::smithy::retryable_trait::throttling> {
 public:
  using modeled_error::modeled_error;
};
// [/modeled]

void print_delay(anew::duration delay) { std::printf("  waits %lld ms\n", static_cast<long long>(delay / 1ms)); }

struct request {
  static void set(std::string_view name, std::string_view value) {
    if (name != anew::aws::invocation_id_field) {  // which is another one in each call
      std::printf("  %.*s: %.*s\n", static_cast<int>(name.size()), name.data(), static_cast<int>(value.size()),
                  value.data());
    }
  }
};

template <class Preset>
void show(char const* what, http_error const& error) {
  using longest = anew::with<Preset, anew::testing::scripted_random>;
  longest const strategy{anew::testing::scripted_random{anew::testing::highest_word}};
  std::printf("%s\n", what);
  auto const outcome = anew::retry_outcome(strategy, [&] { return response{error}; }, print_delay);
  std::printf("  %s after %u\n", to_string(outcome.reason()), outcome.attempts());
}

int main() {
  http_error const broken{503, "", ""};
  http_error const throttled{400, "com.amazonaws.dynamodb#ThrottlingException", ""};
  http_error const hinted{503, "", "1500"};

  show<anew::aws::standard>("standard, 503", broken);
  show<anew::aws::standard>("standard, throttled", throttled);
  show<anew::aws::standard>("standard, x-amz-retry-after: 1500", hinted);
  show<anew::aws::dynamodb>("dynamodb, 503", broken);
  show<anew::aws::standard_2020>("standard_2020, 503", broken);
  show<anew::aws::legacy_botocore>("legacy_botocore, 503", broken);

  // [change]
  using patient = anew::with<anew::aws::standard, anew::max_attempts<5>>;
  using careful = anew::with<anew::aws::standard, anew::aws::careful_classifier>;
  using gateway = anew::with<anew::aws::standard, anew::aws::classifier_2020>;  // retries a bare 429
  // [/change]
  show<patient>("patient, 503", broken);
  show<careful>("careful, 503", broken);
  show<gateway>("gateway, 429", {429, "", ""});

  std::printf("request headers\n");
  // [call]
  static anew::aws::standard const strategy{};  // one for the client: it owns the retry quota

  anew::aws::invocation const call{};  // one for the call
  auto const send = [&](anew::attempt& attempt) -> response {
    request::set(anew::aws::invocation_id_field, call.id());
    request::set(anew::aws::sdk_request_field, call.sdk_request(attempt, strategy.max_attempts().value()));
    return std::string{"hello"};
  };
  response const answer = anew::retry(strategy, send);
  // [/call]
  std::printf("  %s\n", answer.value().c_str());

  throttling_error error{"too many"};
  error.set_retry_after(2s);
  auto const what = anew::read_failure(error);
  std::printf("modeled error: %s, hint %lld s\n", to_string(what.kind), static_cast<long long>(*what.hint / 1s));
  return 0;
}
