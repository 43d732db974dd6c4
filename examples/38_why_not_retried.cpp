// SPDX-License-Identifier: BSL-1.0
// A call that was not retried, and why.
#include <chrono>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "anew/anew.hpp"
#include "anew/drivers/why_not_retried.hpp"

namespace {

struct busy : std::runtime_error, private anew::retry_info {  // of a class, what names no access is private
  busy() : std::runtime_error{"busy"} {}
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
};

// [why]
template <class Strategy, class Operation>
void call(Strategy const& strategy, Operation operation) {
  auto const told = anew::retry_outcome(strategy, operation);
  if (!told.succeeded()) std::printf("%s: %s\n", to_string(told.reason()), why_not_retried(strategy, told).c_str());
}
// [/why]

struct too_busy {
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::yes; }
  [[nodiscard]] static std::optional<anew::duration> retry_after() { return std::chrono::hours{1}; }
};
struct answer {
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] static too_busy error() { return {}; }
};

}  // namespace

int main() {
  using by_default = anew::strategy<anew::no_backoff>;
  using all = anew::strategy<anew::no_backoff, anew::retry_all>;
  call(by_default{}, [] { throw std::runtime_error{"reset"}; });
  call(by_default{}, [] { throw busy{}; });
  call(all{}, [] { throw std::out_of_range{"index"}; });
  call(all{}, [] { throw busy{}; });
  call(by_default{}, [] { return answer{}; });
}
