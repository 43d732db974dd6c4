// SPDX-License-Identifier: BSL-1.0
// The driver where there are no exceptions and no RTTI. A program without a test framework, whose exit code is the
// number of what went wrong; it is the same with exceptions switched on, so that the two can be compared.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>
#include <version>
#if defined(__cpp_lib_jthread)
#include <stop_token>
#include <thread>
#endif

#include "anew/anew.hpp"

namespace {

using namespace std::chrono_literals;
using anew::stop_reason;

int failures = 0;

void check(bool holds, char const* what, int line) {
  if (holds) return;
  ++failures;
  std::printf("%s:%d: %s\n", __FILE__, line, what);
}
#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__, __LINE__)

struct busy {
  anew::retry_safety safety = anew::retry_safety::yes;
  std::optional<anew::duration> after{};
  [[nodiscard]] anew::retry_safety is_retry_safe() const noexcept { return safety; }
  [[nodiscard]] std::optional<anew::duration> retry_after() const noexcept { return after; }
};

/// A result by value, which cannot be copied.
class answer {
 public:
  explicit answer(int value) noexcept : value_{value} {}
  explicit answer(busy error) noexcept : error_{error} {}
  answer(answer&&) = default;
  answer& operator=(answer&&) = default;
  ~answer() = default;
  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
  [[nodiscard]] int value() const noexcept { return value_; }
  [[nodiscard]] busy const& error() const noexcept { return *error_; }

 private:
  int value_ = 0;
  std::optional<busy> error_{};
};

struct sleeper {
  std::vector<anew::duration>* delays;
  void operator()(anew::duration d) const { delays->push_back(d); }
};

class manual_clock {
 public:
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  explicit manual_clock(anew::duration& ticks) noexcept : ticks_{&ticks} {}
  [[nodiscard]] anew::time_point now() const noexcept { return anew::time_point{*ticks_}; }

 private:
  anew::duration* ticks_;
};

class flag_stop {
 public:
  explicit flag_stop(bool& requested) noexcept : requested_{&requested} {}
  [[nodiscard]] bool stop_requested() const noexcept { return *requested_; }
  [[nodiscard]] static bool stop_possible() noexcept { return true; }

 private:
  bool* requested_;
};

using three = anew::strategy<anew::no_backoff, anew::max_attempts<3>, anew::token_bucket<100>>;

void error_values() {
  three const strategy;
  std::vector<anew::duration> delays;
  int calls = 0;
  auto const end = anew::retry(strategy, [&] { return ++calls < 3 ? answer{busy{}} : answer{7}; }, sleeper{&delays});
  CHECK(end.has_value() && end.value() == 7);
  CHECK(calls == 3);
  CHECK(delays.size() == 2);
  CHECK(strategy.quota().balance() == 86);

  calls = 0;
  auto const failed = anew::retry(strategy, [&] { return ++calls, answer{busy{anew::retry_safety::no}}; });
  CHECK(!failed.has_value());
  CHECK(calls == 1);

  using eager = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>>;
  calls = 0;
  CHECK(anew::retry(eager{}, [&](anew::attempt& a) { return ++calls, a.number() == 3; }));
  CHECK(calls == 3);
  CHECK(anew::retry(eager{}, [&] { return std::make_error_code(std::errc::timed_out); }) == std::errc::timed_out);
  CHECK(!anew::retry(eager{}, [] { return std::optional<int>{}; }).has_value());
  using http = anew::strategy<anew::http_status_classifier<>, anew::no_backoff>;
  calls = 0;
  CHECK(anew::retry(http{}, [&] { return ++calls < 3 ? 503 : 200; }) == 200);
  int object = 503;
  CHECK(&anew::retry(http{}, [&]() -> int& { return object; }) == &object);
}

// An operation that returns nothing cannot fail here, so a call of it makes no sense and is refused; with exceptions it
// depends on the classifier.
using anew::detail::classifier_reads_the_errors_of;
static_assert(classifier_reads_the_errors_of<anew::retry_all, void> == (ANEW_EXCEPTIONS == 1));
static_assert(classifier_reads_the_errors_of<anew::retry_on<int>, void> == (ANEW_EXCEPTIONS == 1));
static_assert(!classifier_reads_the_errors_of<anew::http_status_classifier<>, void>);
static_assert(classifier_reads_the_errors_of<anew::http_status_classifier<>, int>);
static_assert(classifier_reads_the_errors_of<anew::retry_info_classifier, answer>);

void quota() {
  anew::strategy<anew::no_backoff, anew::max_attempts<5>, anew::token_bucket<30>> const strategy;
  auto told = anew::retry_outcome(strategy, [] { return answer{busy{}}; });
  CHECK(told.reason() == stop_reason::quota);
  CHECK(told.attempts() == 3);
  CHECK(!told.result().has_value());
  CHECK(strategy.quota().balance() == 2);
  anew::strategy<anew::no_backoff, anew::token_bucket<0>> const empty;
  CHECK(anew::retry_outcome(empty, [] { return answer{busy{}}; }).attempts() == 1);
}

void idempotence() {
  three const strategy;
  auto const maybe = [] { return answer{busy{anew::retry_safety::maybe}}; };
  CHECK(anew::retry_outcome(strategy, maybe).reason() == stop_reason::not_idempotent);
  CHECK(anew::retry_outcome(strategy, anew::idempotent(maybe)).attempts() == 3);
}

void stop() {
  anew::strategy<anew::constant_backoff<1ms>, anew::max_attempts<5>, anew::token_bucket<100>> const strategy;
  bool requested = false;
  int calls = 0;
  int stop_at = 2;
  // Each failure is another one, so that it shows which of them comes back.
  auto const operation = [&](anew::attempt const& a) {
    CHECK(a.stop_requested() == requested);
    return answer{busy{anew::retry_safety::yes, anew::duration{++calls}}};
  };
  auto const sleep = [&](anew::duration) { requested = calls == stop_at; };
  auto const in_the_sleep = anew::retry(strategy, operation, sleep, flag_stop{requested});
  CHECK(calls == 2);
  CHECK(in_the_sleep.error().after == anew::duration{2});
  CHECK(strategy.quota().balance() == 86);

  // It is still requested: one attempt is made, and no more.
  auto told = anew::retry_outcome(strategy, operation, sleep, flag_stop{requested});
  CHECK(calls == 3);
  CHECK(told.reason() == stop_reason::cancelled);
  CHECK(told.attempts() == 1);
  CHECK(told.result().error().after == anew::duration{3});
  CHECK(strategy.quota().balance() == 86);
#if defined(__cpp_lib_jthread)
  std::stop_source source;
  std::thread stopper;  // a jthread has a stop source of its own, about which g++ 12 warns for nothing
  anew::strategy<anew::retry_all, anew::constant_backoff<1h>, anew::no_jitter> const slow;
  CHECK(!anew::retry(
      slow,
      [&](anew::attempt& a) {
        stopper = std::thread{[&] { source.request_stop(); }};
        return !a.stop_token().stop_possible();
      },
      source.get_token()));
  stopper.join();
#endif
}

void deadline() {
  anew::duration ticks = 1h;
  auto const strategy = anew::compose(anew::retry_all{}, anew::constant_backoff{3s}, anew::no_jitter{},
                                      anew::deadline{10s}, anew::unbounded{}, manual_clock{ticks});
  auto const told = anew::retry_outcome(
      strategy,
      [&](anew::attempt& a) {
        CHECK(a.remaining() > 0s && a.remaining() <= 10s);
        ticks += 1s;
        return false;
      },
      [&](anew::duration d) { ticks += d; });
  CHECK(told.reason() == stop_reason::deadline);
  CHECK(told.attempts() == 3);
  CHECK(told.elapsed() == 9s);
}

void outcome() {
  three const strategy;
  auto told = anew::retry_outcome(strategy, [] { return answer{busy{anew::retry_safety::yes, 100h}}; });
  CHECK(told.reason() == stop_reason::hint_too_long);
  CHECK(told.last_hint() == anew::duration{100h});
  CHECK(told.has_result());
  CHECK(!told.succeeded());
  auto moved = std::move(told);
  CHECK(!moved.result().has_value());
  CHECK(std::move(moved).result().error().after == anew::duration{100h});
  CHECK(anew::retry_outcome(strategy, [] { return answer{3}; }).result().value() == 3);
}

}  // namespace

int main() {
  error_values();
  quota();
  idempotence();
  stop();
  deadline();
  outcome();
  if (failures == 0) std::puts("no exceptions: ok");
  return failures == 0 ? 0 : 1;
}
