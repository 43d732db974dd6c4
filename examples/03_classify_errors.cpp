// SPDX-License-Identifier: BSL-1.0
// Who says which errors are worth another attempt: the error itself, a trait, your own rule, a list of exceptions, or
// the HTTP status.
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "anew/anew.hpp"

#include "support/expected.hpp"

using namespace std::chrono_literals;

// [retry_info]
// An error of your own says for itself. Only is_retry_safe() is required.
struct store_error {
  enum class code { busy, lost_connection, no_such_key } what;

  [[nodiscard]] anew::retry_safety is_retry_safe() const {
    switch (what) {
      case code::busy: return anew::retry_safety::yes;               // refused: nothing has happened
      case code::lost_connection: return anew::retry_safety::maybe;  // it may have been executed
      case code::no_such_key: break;
    }
    return anew::retry_safety::no;
  }
  [[nodiscard]] bool is_throttle() const { return what == code::busy; }
  [[nodiscard]] std::optional<anew::duration> retry_after() const {
    return what == code::busy ? std::optional<anew::duration>{2ms} : std::nullopt;
  }
};
// [/retry_info]

namespace vendor {
struct fault {
  int severity;
};
}  // namespace vendor

// [retry_traits]
// For a type that you cannot edit, a trait says the same.
template <>
struct anew::retry_traits<vendor::fault> {
  static anew::retry_safety is_retry_safe(vendor::fault const& fault) {
    return fault.severity < 3 ? anew::retry_safety::yes : anew::retry_safety::no;
  }
};
// [/retry_traits]

// [retry_info_exception]
// An exception derives from anew::retry_info, whatever else it derives from.
struct lease_lost : std::runtime_error, anew::retry_info {
  using runtime_error::runtime_error;
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
};
// [/retry_info_exception]

// [retry_if]
struct is_busy {
  bool operator()(std::error_code error) const { return error == std::errc::device_or_resource_busy; }
};
using when_busy = anew::strategy<anew::no_backoff, anew::retry_if<is_busy>>;
// [/retry_if]

// [retry_on]
using on_lost_lease = anew::strategy<anew::no_backoff, anew::retry_on<lease_lost, std::system_error>>;
// [/retry_on]

// [http_status]
struct response {
  int status;
};
using http = anew::strategy<anew::no_backoff, anew::http_status_classifier<>>;
// [/http_status]

// Runs an operation whose every attempt fails in the same way, and says how often it was called and why no more.
template <class Strategy, class Op>
void show(char const* what, Strategy const& strategy, Op operation) {
  auto const no_sleep = [](anew::duration) {};
  auto const outcome = anew::retry_outcome(strategy, operation, no_sleep);
  std::printf("%-42s %u attempt%s (%s)\n", what, outcome.attempts(), outcome.attempts() == 1 ? "" : "s",
              to_string(outcome.reason()));
}

int main() {
  using stored = expected<std::string, store_error>;
  using vendored = expected<std::string, vendor::fault>;
  using enum store_error::code;
  anew::strategy<> const by_itself{};  // the default classifier asks the error

  show("store_error busy", by_itself, [] { return stored{store_error{busy}}; });
  show("store_error no_such_key", by_itself, [] { return stored{store_error{no_such_key}}; });
  show("store_error lost_connection", by_itself, [] { return stored{store_error{lost_connection}}; });
  // [idempotent]
  auto const read = [] { return stored{store_error{lost_connection}}; };
  show("store_error lost_connection, idempotent", by_itself, anew::idempotent(read));
  // [/idempotent]
  show("vendor::fault 1", by_itself, [] { return vendored{vendor::fault{1}}; });
  show("vendor::fault 5", by_itself, [] { return vendored{vendor::fault{5}}; });
  show("throws lease_lost", by_itself, [] { throw lease_lost{"too late"}; });
  show("throws std::logic_error", by_itself, [] { throw std::logic_error{"a bug"}; });

  show("retry_if, busy", when_busy{}, [] { return make_error_code(std::errc::device_or_resource_busy); });
  show("retry_if, permission denied", when_busy{}, [] { return make_error_code(std::errc::permission_denied); });

  show("retry_on, lease_lost", on_lost_lease{}, [] { throw lease_lost{"too late"}; });
  show("retry_on, std::logic_error", on_lost_lease{}, [] { throw std::logic_error{"a bug"}; });

  show("HTTP 200", http{}, [] { return response{200}; });
  show("HTTP 404", http{}, [] { return response{404}; });
  show("HTTP 503", http{}, [] { return response{503}; });
  show("HTTP 504", http{}, [] { return response{504}; });
  show("HTTP 504, idempotent", http{}, anew::idempotent([] { return response{504}; }));
}
