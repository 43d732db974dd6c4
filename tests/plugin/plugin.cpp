// SPDX-License-Identifier: BSL-1.0
// A strategy in a shared library of its own, of which its host knows the abstract class.
#include <chrono>
#include <string>

#include "anew/virtual.hpp"

#include "far_error.hpp"

using namespace std::chrono_literals;

namespace {

using strategy =
    anew::strategy<anew::exponential_backoff<10ms, 1s>, anew::no_jitter, anew::token_bucket<28>, anew::max_attempts<3>>;

/// So that the host sees what comes back.
class in_a_plugin final : public anew::virtual_strategy<strategy> {
 public:
  [[nodiscard]] std::string describe() const override {
    return std::string{"balance "}.append(std::to_string(this->strategy().quota().balance()));
  }
};

/// Its tokens carry a state that they cannot carry in themselves.
class verbose final : public anew::retry_strategy {
  anew::retry_token on_acquire() const override { return issue({}, std::string(100, 'a')); }
  anew::retry_token on_refresh(anew::retry_token&& token, anew::failure const& /*what*/) const override {
    auto story = state_of<std::string>(token).append("b");
    if (story.size() > 102) return refuse(anew::stop_reason::attempts);
    return issue({.delay = 1ms, .attempt = token.attempt() + 1}, std::move(story));
  }
};

/// Reads what the host returns.
struct odd_numbers {
  [[nodiscard]] bool operator()(far_error const& e) const { return e.number % 2 == 1; }
};
using reading = anew::with<strategy, anew::retry_if<odd_numbers>>;

}  // namespace

extern "C" {
[[gnu::visibility("default")]] anew::retry_strategy* make_strategy() { return new in_a_plugin; }
[[gnu::visibility("default")]] anew::retry_strategy* make_verbose_strategy() { return new verbose; }
[[gnu::visibility("default")]] anew::retry_strategy* make_reading_strategy() {
  return new anew::virtual_strategy<reading>;
}
[[gnu::visibility("default")]] void destroy_strategy(anew::retry_strategy* strategy) { delete strategy; }
}
