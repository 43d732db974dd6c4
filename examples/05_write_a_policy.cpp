// SPDX-License-Identifier: BSL-1.0
// Policies of your own. There is no base class and nothing to register: a type that says its role and has the role's
// functions is composed exactly as ours are.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [backoff]
// Grows more gently than doubling: 1, 1, 2, 3, 5, 8 times Base, at most Cap.
template <anew::static_duration Base, anew::static_duration Cap>
struct fibonacci {
  using role = anew::roles::backoff;
  static_assert(Base.nanoseconds > 0 && Cap.nanoseconds >= Base.nanoseconds);

  [[nodiscard]] constexpr anew::duration delay(std::uint32_t retry) const {
    anew::duration before{};
    anew::duration now = Base.value();
    for (std::uint32_t n = 1; n < retry && now < cap(); ++n) {
      auto const next = now > cap() - before ? cap() : now + before;  // neither overflows nor passes the cap
      before = now;
      now = next;
    }
    return now;
  }
  [[nodiscard]] constexpr anew::duration cap() const { return Cap.value(); }
  [[nodiscard]] static std::string describe() { return "fibonacci"; }  // may be left out
};
static_assert(anew::Backoff<fibonacci<1ms, 8ms>>);
static_assert(fibonacci<1ms, 1h>{}.delay(~0U) == 1h);
// [/backoff]

// [quota]
// Wraps any quota and says what it does. The permits of the wrapped quota pass through.
template <anew::Quota Inner>
struct logged {
  using role = anew::roles::quota;
  using permit_type = typename Inner::permit_type;

  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const& why) const {
    auto const permit = inner.try_acquire(why);
    std::printf("  quota: %s for a %s error, balance %u\n", permit ? "paid" : "refused", to_string(why.kind),
                inner.balance());
    return permit;
  }
  void on_success(permit_type permit) const {
    inner.on_success(permit);
    std::printf("  quota: success, balance %u\n", inner.balance());
  }
  void release(permit_type permit) const { inner.release(permit); }
  [[nodiscard]] std::string describe() const { return "logged(" + inner.describe() + ")"; }

  Inner inner;
};
// [/quota]

// [observer]
struct reporter {
  using role = anew::roles::observer;
  void on_retry(anew::retry_event const& event) const {
    std::printf("  attempt %u comes after %lld ms\n", event.attempt, static_cast<long long>(event.delay / 1ms));
  }
  void on_end(anew::end_event const& event) const {
    std::printf("  ended after %u attempts: %s\n", event.attempts, to_string(event.reason));
  }
};
// [/observer]

// [compose]
using mine = anew::strategy<fibonacci<10ms, 80ms>, anew::no_jitter, logged<anew::token_bucket<50>>, reporter,
                            anew::retry_all, anew::max_attempts<6>>;
// [/compose]

int main() {
  mine const strategy{};
  auto const no_sleep = [](anew::duration) {};

  std::printf("Succeeds at the third attempt:\n");
  (void)anew::retry(strategy, [](anew::attempt& attempt) { return attempt.number() == 3; }, no_sleep);
  std::printf("Never succeeds:\n");
  (void)anew::retry(strategy, [] { return false; }, no_sleep);
  std::printf("%s\n", anew::describe(strategy).c_str());
}
