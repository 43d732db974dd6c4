// SPDX-License-Identifier: BSL-1.0
// DoRetriesWithBackOff of "Retry with backoff pattern" in the AWS Prescriptive Guidance: 429 and 504 are retried after
// (2^n - 1) * 100 ms. Written out, and with anew::retry(), which must send at the same moments.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <initializer_list>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

enum class http_status : int { ok = 200, not_found = 404, too_many_requests = 429, gateway_timeout = 504 };

struct response {
  http_status status;
};

// A server and a time that passes when it is told to.
struct client {
  std::initializer_list<http_status> script;
  anew::duration now{};
  http_status const* next = script.begin();

  void sleep(anew::duration delay) { now += delay; }
  response post() {
    auto const answer = *next;
    if (next + 1 != script.end()) ++next;
    std::printf("  %5lld ms  %d\n", static_cast<long long>(now / 1ms), static_cast<int>(answer));
    return {answer};
  }
};

constexpr int max_retries = 5;

// [written_out]
response do_retries_with_backoff(client& http) {
  response answer{};
  int retries = 0;
  bool retry = false;
  do {
    http.sleep(((1 << retries) - 1) * 100ms);
    answer = http.post();
    switch (answer.status) {
      case http_status::ok:  // success
        retry = false;
        break;
      case http_status::too_many_requests:  // throttling, timeouts
      case http_status::gateway_timeout: retry = true; break;
      default:  // some other error occurred, so stop calling the API
        retry = false;
        break;
    }
    retries++;
  } while (retry && retries < max_retries);
  return answer;
}
// [/written_out]

// [retry]
// (2^n - 1) * 100 ms: no backoff that anew ships, so one of five lines.
struct power_less_one {
  using role = anew::roles::backoff;
  static constexpr anew::duration delay(std::uint32_t retry) { return retry < 9 ? ((1 << retry) - 1) * 100ms : cap(); }
  static constexpr anew::duration cap() { return 60s; }
};

struct throttling_and_timeouts {
  anew::directive operator()(response const& answer) const {
    switch (answer.status) {
      case http_status::ok: return anew::directive::succeed();
      case http_status::too_many_requests: return anew::directive::retry(anew::error_kind::throttling);
      case http_status::gateway_timeout: return anew::directive::retry(anew::error_kind::timeout);
      default: return anew::directive::fail();
    }
  }
};

using loop = anew::strategy<power_less_one, anew::no_jitter, anew::max_attempts<max_retries>,
                            anew::retry_if<throttling_and_timeouts>>;

auto with_anew(client& http) {
  return anew::retry_outcome(loop{}, [&] { return http.post(); }, [&](anew::duration delay) { http.sleep(delay); });
}
// [/retry]

int main() {
  using enum http_status;
  for (auto const script : {std::initializer_list<http_status>{ok},
                            {too_many_requests, gateway_timeout, too_many_requests, ok},
                            {gateway_timeout, not_found},
                            {too_many_requests}}) {
    client by_hand{script};
    client same{script};
    std::printf("written out\n");
    auto const last = do_retries_with_backoff(by_hand);
    std::printf("with anew\n");
    auto const told = with_anew(same);
    std::printf("%s, %s after %u\n",
                told.result().status == last.status && by_hand.now == same.now ? "the same" : "NOT the same",
                to_string(told.reason()), told.attempts());
  }
}
