// SPDX-License-Identifier: BSL-1.0
// The request loop of the Smithy guide, with its three functions and its names, over a strategy whose type is found out
// at run time. The second strategy is written by hand. The clock is the example's own: nothing here waits.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "anew/virtual.hpp"

using namespace std::chrono_literals;

long long in_ms(anew::duration delay) { return static_cast<long long>(delay / 1ms); }
void virtual_sleep(anew::duration delay) { std::printf("  wait %lld ms\n", in_ms(delay)); }

/// Half of what it may be, each time.
struct middle_of_the_range {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const { return std::uint64_t{1} << 63U; }
};

// [errors]
// What a code generator makes of `@error("client") @httpError(429) @retryable(throttling: true)`.
class throttling_error : public std::runtime_error, public anew::retry_info, public anew::error_info {
 public:
  explicit throttling_error(std::optional<anew::duration> retry_after)
      : std::runtime_error{"slow down"}, retry_after_{retry_after} {}
  anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
  bool is_throttle() const override { return true; }
  std::optional<anew::duration> retry_after() const override { return retry_after_; }
  anew::error_fault fault() const override { return anew::error_fault::client; }

 private:
  std::optional<anew::duration> retry_after_;
};

// Without `@retryable` a client error is not safe to retry.
class validation_error : public std::runtime_error, public anew::retry_info, public anew::error_info {
 public:
  validation_error() : std::runtime_error{"no such field"} {}
  anew::retry_safety is_retry_safe() const override { return anew::retry_safety::no; }
  anew::error_fault fault() const override { return anew::error_fault::client; }
};
// [/errors]

/// A service that answers with what it is told to, and then well.
class service {
 public:
  explicit service(std::vector<char> answers) : answers_{std::move(answers)} {}
  std::string send() {
    auto const answer = next_ < answers_.size() ? answers_[next_++] : 's';
    if (answer == 't') throw throttling_error{std::nullopt};
    if (answer == 'l') throw throttling_error{2s};
    if (answer == 'v') throw validation_error{};
    return "hello";
  }

 private:
  std::vector<char> answers_;
  std::size_t next_ = 0;
};

// [loop]
std::string request(anew::retry_strategy const& strategy, service& far_side) {
  // First acquire the initial token. Without one, make only one attempt and no retries.
  anew::retry_token token;
  try {
    token = strategy.acquire_initial_token();
  } catch (anew::token_acquisition_failed const&) {
    return far_side.send();
  }

  for (;;) {
    // Even the initial token may include a delay.
    if (token.delay() > 0s) virtual_sleep(token.delay());

    std::optional<std::string> result;
    try {
      result = far_side.send();
    } catch (std::exception const& e) {
      // If the token cannot be refreshed, the request fails: the original exception goes on its way.
      auto const original = std::current_exception();
      try {
        token = strategy.refresh_retry_token(std::move(token), e);
      } catch (anew::token_acquisition_failed const& retry_error) {
        std::printf("  %s\n", retry_error.what());
        std::rethrow_exception(original);
      }
    }

    if (result) {
      strategy.record_success(std::move(token));
      return *result;
    }
  }
}
// [/loop]

// [own]
// Three attempts, a second apart, and ten retries for all calls together.
class ten_retries final : public anew::retry_strategy {
  anew::retry_token on_acquire() const override { return issue({}); }

  anew::retry_token on_refresh(anew::retry_token&& token, anew::failure const& what) const override {
    if (what.safety == anew::retry_safety::no) return refuse(anew::stop_reason::not_retryable);
    if (token.attempt() == 3) return refuse(anew::stop_reason::attempts);
    std::lock_guard const lock{mutex_};
    if (left_ == 0) return refuse(anew::stop_reason::quota);
    --left_;
    return issue({.delay = std::max<anew::duration>(1s, what.hint.value_or(0s)), .attempt = token.attempt() + 1});
  }

  void on_success(anew::retry_token&& token) const override {
    std::lock_guard const lock{mutex_};
    if (token.attempt() > 1) left_ = std::min(10, left_ + 1);
  }

  mutable std::mutex mutex_;
  mutable int left_ = 10;
};
// [/own]

void show(char const* what, anew::retry_strategy const& strategy, std::vector<char> answers) {
  std::printf("%s\n", what);
  service far_side{std::move(answers)};
  try {
    std::printf("  %s\n", request(strategy, far_side).c_str());
  } catch (std::exception const& e) {
    std::printf("  failed: %s\n", e.what());
  }
}

int main() {
  // [composed]
  using composed = anew::strategy<anew::exponential_backoff<1s, 20s>, anew::full_jitter, anew::token_bucket<28>,
                                  anew::max_attempts<4>, middle_of_the_range>;
  std::vector<std::unique_ptr<anew::retry_strategy>> strategies;
  strategies.push_back(std::make_unique<anew::virtual_strategy<composed>>());
  strategies.push_back(std::make_unique<ten_retries>());
  // [/composed]

  for (auto const& strategy : strategies) {
    show("at once", *strategy, {});
    show("throttled once", *strategy, {'t'});
    show("the service asks for two seconds", *strategy, {'t', 'l'});
    show("a mistake of the caller's", *strategy, {'v'});
    show("down", *strategy, {'t', 't', 't', 't', 't'});
  }

  // [driven]
  // The same loop, with a stop token, deadlines and gates too, is anew::retry().
  service far_side{{'t'}};
  auto const hello =
      anew::retry(anew::strategy_view{*strategies.back()}, [&] { return far_side.send(); }, virtual_sleep);
  // [/driven]
  std::printf("%s\n", hello.c_str());
}
