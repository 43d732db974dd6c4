// SPDX-License-Identifier: BSL-1.0
// The loop of the smithy-kotlin retry document, spelled out over the public interfaces; the document's own words are
// doTryLoop, RetryPolicy, RetryTokenBucket and BackoffDelayer. At the end, the class that does all this in one call.
// The clock is the example's own: nothing here waits.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "anew/smithy_kotlin.hpp"

using namespace std::chrono_literals;
namespace kotlin = anew::smithy_kotlin;

anew::time_point virtual_time{};
struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() { return virtual_time; }
};
void virtual_sleep(anew::duration delay) {
  std::printf("  waits %lld ms\n", static_cast<long long>(delay / 1ms));
  virtual_time += delay;
}

struct throttled : std::runtime_error, anew::retry_info {
  throttled() : std::runtime_error{"slow down"} {}
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
  [[nodiscard]] bool is_throttle() const override { return true; }
};

// [policy]
/// Every value but "pending" is a success; exceptions are the standard policy's matter.
class page_policy final : public kotlin::retry_policy<std::string> {
 public:
  [[nodiscard]] kotlin::retry_directive evaluate(kotlin::attempt_result<std::string> const& result) const override {
    if (!result) return exceptions_.evaluate(result);
    if (result.value() == "pending") return kotlin::retry_directive::retry_error(kotlin::retry_error_type::server_side);
    return kotlin::retry_directive::terminate_and_succeed;
  }

 private:
  kotlin::standard_retry_policy exceptions_{};
};
// [/policy]

// [loop]
template <class R, class Block>
R do_try_loop(Block block, kotlin::retry_policy<R> const& policy, std::uint32_t attempt, kotlin::retry_token from_token,
              kotlin::backoff_delayer const& backoff_delayer, kotlin::standard_retry_strategy_options const& options) {
  auto result = kotlin::attempt_result<R>::of(block);
  auto const evaluation = policy.evaluate(result);
  if (evaluation.is_success()) {
    from_token.notify_success();
    return std::move(result).value();
  }
  if (evaluation.is_failure() || attempt >= options.max_attempts) {
    from_token.notify_failure();
    auto const reason = evaluation.is_failure() ? anew::stop_reason::not_retryable : anew::stop_reason::attempts;
    kotlin::throw_retry_failure(reason, attempt, kotlin::kept_result{std::move(result)});
  }
  // Prepare another try. The document of 2021 waits first; the order since 2026 is the other one.
  backoff_delayer.backoff(attempt);
  auto next_token = from_token.schedule_retry(evaluation.reason());
  return do_try_loop(block, policy, attempt + 1, std::move(next_token), backoff_delayer, options);
}
// [/loop]

template <class Call>
void show(char const* what, kotlin::standard_retry_token_bucket const& bucket, Call const& call) {
  std::printf("%s\n", what);
  try {
    std::printf("  returns %s", call().c_str());
  } catch (kotlin::retry_failure const& error) {
    std::printf("  %s, %s", error.what(), to_string(error.reason()));
  } catch (std::exception const& error) {
    std::printf("  throws %s", error.what());
  }
  std::printf("; %u units are left\n", bucket.balance());
}

int main() {
  // [parts]
  auto const time = kotlin::make_time_source(virtual_clock{}, virtual_sleep);
  auto const bucket = std::make_shared<kotlin::standard_retry_token_bucket>();  // one for all calls
  kotlin::exponential_backoff_with_jitter_options backoff{};
  backoff.jitter = {0, 1};  // only so that the output is the same each time
  auto const delayer = std::make_shared<kotlin::exponential_backoff_with_jitter>(backoff, time);
  kotlin::standard_retry_strategy_options const options{.max_attempts = 3, .max_time = 1min};
  // [/parts]

  auto const loop = [&](auto block) {
    return do_try_loop<std::string>(block, page_policy{}, 1, bucket->acquire_token(), *delayer, options);
  };
  int attempts = 0;
  show("pending twice", *bucket,
       [&] { return loop([&] { return std::string{++attempts < 3 ? "pending" : "a page"}; }); });
  show("pending for ever", *bucket, [&] { return loop([] { return std::string{"pending"}; }); });
  show("throttled for ever", *bucket, [&] { return loop([]() -> std::string { throw throttled{}; }); });
  show("a bug", *bucket, [&] { return loop([]() -> std::string { throw std::logic_error{"a bug"}; }); });

  // [class]
  kotlin::standard_retry_strategy const strategy{options, bucket, delayer, time};
  auto const call = [&](auto block) { return strategy.retry(page_policy{}, block); };
  // [/class]
  attempts = 0;
  show("the class: pending twice", *bucket,
       [&] { return call([&] { return std::string{++attempts < 3 ? "pending" : "a page"}; }); });
  show("the class: throttled for ever", *bucket, [&] { return call([]() -> std::string { throw throttled{}; }); });
  show("the class: two slow attempts", *bucket, [&] {
    return call([] {
      virtual_time += 40s;
      return std::string{"pending"};
    });
  });
}
