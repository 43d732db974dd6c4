// SPDX-License-Identifier: BSL-1.0
// Prints which policy is asked what in a call of two attempts. The site draws it.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "anew/anew.hpp"

#include "support/expected.hpp"

using namespace std::chrono_literals;

namespace {

void asked(char const* role, char const* answer) { std::printf("retry() -> policies: %s: %s\n", role, answer); }
long long ms(anew::duration d) { return d / 1ms; }

struct busy {};

struct gate {
  using role = anew::roles::gate;
  using pass_type = bool;
  [[nodiscard]] anew::admission<bool> try_enter(anew::time_point) const {
    asked("gate", "it may begin");
    return anew::admission<bool>::admit(true);
  }
  void on_success(bool, anew::time_point) const { asked("gate", "told the success"); }
  void on_failure(bool, anew::failure const&, anew::time_point) const { asked("gate", "told the failure"); }
  void release(bool) const {}
  [[nodiscard]] bool would_refuse(anew::time_point) const {
    asked("gate", "will be open");
    return false;
  }
};
struct pacer {
  using role = anew::roles::pacer;
  using ticket_type = bool;
  [[nodiscard]] anew::pace ask(bool&, anew::time_point) const {
    asked("pacer", "at once");
    return {};
  }
  void on_success(anew::time_point) const { asked("pacer", "told the success"); }
  void on_failure(anew::failure const&, anew::time_point) const { asked("pacer", "told the failure"); }
  void release(bool) const {}
};
struct classifier {
  using role = anew::roles::classifier;
  [[nodiscard]] anew::directive classify(busy const&) const {
    asked("classifier", "throttling, 1 s");
    return anew::directive::retry(anew::error_kind::throttling, 1s);
  }
};
struct max_attempts {
  using role = anew::roles::max_attempts;
  [[nodiscard]] bool permits_another(std::uint32_t) const {
    asked("max_attempts", "one more");
    return true;
  }
};
struct quota {
  using role = anew::roles::quota;
  using permit_type = bool;
  [[nodiscard]] std::optional<bool> try_acquire(anew::failure const&) const {
    asked("quota", "pays the retry");
    return true;
  }
  void on_success(bool) const { asked("quota", "told the success"); }
  void release(bool) const {}
};
struct backoff {
  using role = anew::roles::backoff;
  [[nodiscard]] anew::duration delay(std::uint32_t) const {
    asked("backoff", "50 ms");
    return 50ms;
  }
};
struct jitter {
  using role = anew::roles::jitter;
  template <anew::RandomSource Random>
  [[nodiscard]] anew::duration apply(anew::duration, Random&) const {
    asked("jitter", "20 ms");
    return 20ms;
  }
};
struct hint {
  using role = anew::roles::hint;
  [[nodiscard]] std::optional<anew::planned_delay> resolve(anew::duration, anew::duration asked_for,
                                                           anew::duration) const {
    asked("hint", "1 s, as asked");
    return anew::planned_delay{asked_for, anew::delay_origin::hint};
  }
};
struct deadline {
  using role = anew::roles::deadline;
  [[nodiscard]] anew::duration total() const { return 10s; }
  [[nodiscard]] std::optional<anew::duration> fit(anew::duration delay, anew::duration) const {
    asked("deadline", "1 s fits");
    return delay;
  }
};
struct observer {
  using role = anew::roles::observer;
  void on_attempt(anew::attempt_event const&) const { asked("observer", "told the attempt"); }
  void on_retry(anew::retry_event const&) const { asked("observer", "told the retry"); }
  void on_end(anew::end_event const&) const { asked("observer", "told the end"); }
};

using strategy =
    anew::strategy<gate, pacer, classifier, max_attempts, quota, backoff, jitter, hint, deadline, observer>;

}  // namespace

int main() {
  auto const operation = [](anew::attempt& attempt) -> expected<int, busy> {
    std::printf("retry() -> your code: attempt %u\n", attempt.number());
    std::printf("your code -> retry(): %s\n", attempt.number() == 1 ? "503, in 1 s" : "200");
    if (attempt.number() == 1) return busy{};
    return 200;
  };
  auto const sleep = [](anew::duration delay) { std::printf("retry(): sleeps %lld ms\n", ms(delay)); };

  std::printf("your code -> retry(): a call\n");
  auto const result = anew::retry(strategy{}, operation, sleep);
  std::printf("retry() -> your code: %d\n", result.value());
}
