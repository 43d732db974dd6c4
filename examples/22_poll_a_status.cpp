// SPDX-License-Identifier: BSL-1.0
// The pseudo code of "Error retries and exponential backoff in AWS": ask for a status with increasing delay. Written
// out, and with anew::poll(), which must ask at the same moments.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <initializer_list>

#include "anew/poll.hpp"
#include "anew/presets/waiter.hpp"

using namespace std::chrono_literals;

enum class status { success, not_ready, throttled, access_denied };

char const* to_string(status s) {
  switch (s) {
    case status::success: return "SUCCESS";
    case status::not_ready: return "NOT_READY";
    case status::throttled: return "THROTTLED";
    case status::access_denied: return "ACCESS_DENIED";
  }
  return "?";
}

// An operation that was begun elsewhere, in a time that passes when it is told to.
struct service {
  std::initializer_list<status> script;
  anew::duration now{};
  status const* next = script.begin();

  void wait(anew::duration delay) { now += delay; }
  status get_result() {
    auto const answer = *next;
    if (next + 1 != script.end()) ++next;
    std::printf("  %5lld ms  %s\n", static_cast<long long>(now / 1ms), to_string(answer));
    return answer;
  }
};

constexpr int max_retries = 6;

// [written_out]
status poll_written_out(service& it) {
  status last{};
  int retries = 0;
  bool retry = false;
  do {
    it.wait((1 << retries) * 100ms);
    last = it.get_result();
    if (last == status::success) {
      retry = false;
    } else if (last == status::not_ready) {
      retry = true;
    } else if (last == status::throttled) {
      retry = true;
    } else {  // some other error occurred, so stop calling the API
      retry = false;
    }
    retries = retries + 1;
  } while (retry && retries < max_retries);
  return last;
}
// [/written_out]

// [poll]
auto poll_with_anew(service& it) {
  return anew::poll(
      anew::aws::status_polling<max_retries>{}, [&] { return it.get_result(); },
      anew::acceptors{anew::success_when([](status s) { return s == status::success; }),
                      anew::retry_when([](status s) { return s == status::not_ready; }),
                      anew::retry_when([](status s) { return s == status::throttled; }, anew::error_kind::throttling),
                      anew::failure_when([](status) { return true; })},
      [&](anew::duration delay) { it.wait(delay); });
}
// [/poll]

// A waiter as the SDKs generate them: until a bucket exists, at most five minutes. The time is one that can be told to
// pass.
struct not_found {};
struct bucket {
  int answers_until_there;
  int head() {
    if (answers_until_there-- > 0) throw not_found{};
    return 200;
  }
};

anew::time_point virtual_now{};
struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  static anew::time_point now() { return virtual_now; }
};
struct half {  // every draw is the middle
  using role = anew::roles::random_source;
  std::uint64_t operator()() const noexcept { return std::uint64_t{1} << 63U; }
};

void wait_until_it_exists(bucket it) {
  auto const virtual_sleep = [](anew::duration delay) { virtual_now += delay; };
  // [waiter]
  using within_five_minutes = anew::smithy::waiter<300s>;  // 2 s to 120 s between two looks
  auto const strategy = anew::with<within_five_minutes, virtual_clock, half>{};
  auto const told = anew::poll(
      strategy, [&] { return it.head(); },
      anew::acceptors{anew::success_on_result(), anew::retry_on_error<not_found>(),
                      anew::on_progress([](anew::poll_progress const& p) {
                        std::printf("  look %2u: not there, next in %3lld s of %3lld s\n", p.attempt,
                                    static_cast<long long>(p.delay / 1s),
                                    static_cast<long long>(p.remaining.value_or(0s) / 1s));
                      })},
      virtual_sleep);
  // [/waiter]
  std::printf("%s after %u looks and %lld s\n", anew::to_string(told.reason()), told.attempts(),
              static_cast<long long>(told.elapsed() / 1s));
}

int main() {
  using enum status;
  for (auto const script : {std::initializer_list<status>{not_ready, not_ready, throttled, success},
                            {not_ready, access_denied},
                            {not_ready}}) {
    service by_hand{script};
    service with_anew{script};
    std::printf("written out\n");
    auto const last = poll_written_out(by_hand);
    std::printf("with anew\n");
    auto const told = poll_with_anew(with_anew);
    std::printf("%s, %s after %u\n",
                told.result() == last && by_hand.now == with_anew.now ? "the same" : "NOT the same",
                anew::to_string(told.reason()), told.attempts());
  }
  std::printf("a bucket that exists after a while\n");
  wait_until_it_exists({5});
  std::printf("and one that never does\n");
  wait_until_it_exists({1000});
}
