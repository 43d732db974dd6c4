// SPDX-License-Identifier: BSL-1.0
// The pseudo code of "Retry behavior" in the AWS SDKs and Tools reference, with anew's parts in the places of its
// functions: a loop over the three functions of a strategy and `admit()`. The parts say when they are asked.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <optional>
#include <utility>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

long long in_ms(anew::duration time) { return static_cast<long long>(time / 1ms); }

struct response {
  int status;
};

// [parts]
// GetSendToken: a pacer, which is asked before every request. After a throttled one it lets one request go per second.
struct send_tokens {
  using role = anew::roles::pacer;
  using ticket_type = int;
  struct state {
    bool throttled = false;
    anew::time_point next{};
  };
  state* shared;

  anew::pace ask(ticket_type& /*nothing is reserved*/, anew::time_point now) const noexcept {
    if (shared->throttled && now < shared->next) {
      std::printf("    GetSendToken        not yet: %lld ms\n", in_ms(shared->next - now));
      return {shared->next - now};
    }
    std::printf("    GetSendToken        yes\n");
    shared->next = now + 1s;
    return {};
  }
  static void on_success(anew::time_point /*now*/) noexcept { std::printf("    RequestBookkeeping  it succeeded\n"); }
  void on_failure(anew::failure const& what, anew::time_point /*now*/) const noexcept {
    std::printf("    RequestBookkeeping  %s\n", to_string(what.kind));
    if (what.kind == anew::error_kind::throttling) shared->throttled = true;
  }
  static void release(ticket_type /*nothing*/) noexcept {}
};

// MAX_ATTEMPTS: asked about what is Retryable only.
struct three_attempts {
  using role = anew::roles::max_attempts;
  static bool permits_another(std::uint32_t attempts) {
    std::printf("    Retryable           yes\n    MAX_ATTEMPTS        %u of 3\n", attempts);
    return anew::max_attempts<3>{}.permits_another(attempts);
  }
};

// HasRetryQuota: the token bucket, and who asks it.
struct retry_quota {
  using role = anew::roles::quota;
  using bucket = anew::token_bucket<30>;
  using permit_type = bucket::permit_type;
  bucket const* shared;

  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const& what) const {
    auto const permit = shared->try_acquire(what);
    std::printf("    HasRetryQuota       %s, %u left\n", permit ? "yes" : "no", shared->balance());
    return permit;
  }
  void on_success(permit_type permit) const { shared->on_success(permit); }
  void release(permit_type permit) const { shared->release(permit); }
};

// ExponentialBackoff: b * 2^i seconds, at most 20.
struct truncated_backoff : anew::exponential_backoff<1s, 20s> {
  [[nodiscard]] anew::duration delay(std::uint32_t attempts) const {
    auto const delay = anew::exponential_backoff<1s, 20s>::delay(attempts);
    std::printf("    ExponentialBackoff  at most %lld ms\n", in_ms(delay));
    return delay;
  }
};

// b, here always a half.
struct half {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const noexcept { return std::uint64_t{1} << 63U; }
};

// [/parts]

anew::failure read(response answer) {
  switch (answer.status) {
    case 429: return {anew::error_kind::throttling};
    case 500:
    case 503: return {anew::error_kind::transient};
    default: return {anew::error_kind::client, anew::retry_safety::no};
  }
}

// [loop]
template <class Strategy, class Send>
response make_sdk_request(Strategy const& strategy, Send send_http_request, anew::time_point& now) {
  auto const sleep = [&now](anew::duration delay) { now += delay; };
  auto token = strategy.acquire_initial_token(now);
  for (;;) {
    for (;;) {  // GetSendToken()
      auto const answer = strategy.admit(token, now);
      if (answer.refusal != anew::stop_reason::succeeded) return {0};
      if (answer.begins()) break;
      sleep(answer.wait);
    }
    response const answer = send_http_request();
    if (answer.status < 400) {
      strategy.record_success(std::move(token), now);  // RequestBookkeeping(response)
      return answer;
    }
    // RequestBookkeeping(response), Retryable(response), MAX_ATTEMPTS, HasRetryQuota(response),
    // ExponentialBackoff(attempts)
    auto next = strategy.refresh_retry_token(std::move(token), read(answer), now);
    if (!next) {
      std::printf("    return response     %s\n", to_string(next.reason()));
      return answer;
    }
    std::printf("    sleep               %lld ms\n", in_ms(next->delay()));
    sleep(next->delay());
    token = *std::move(next);
  }
}
// [/loop]

int main() {
  send_tokens::state sent;
  anew::token_bucket<30> const bucket;
  auto const strategy = anew::compose(send_tokens{&sent}, three_attempts{}, retry_quota{&bucket}, truncated_backoff{},
                                      anew::full_jitter{}, half{}, anew::retry_all{});
  anew::time_point now{};
  auto const request = [&](std::initializer_list<int> statuses) {
    auto const* next = statuses.begin();
    std::printf("MakeSDKRequest\n");
    auto const answer = make_sdk_request(
        strategy,
        [&next] {
          std::printf("  SendHTTPRequest       %d\n", *next);
          return response{*next++};
        },
        now);
    std::printf("it returns %d\n", answer.status);
  };
  request({503, 200});       // a transient error, then well: the quota is given back
  request({404});            // not retryable
  request({429, 429, 429});  // throttled: MAX_ATTEMPTS, and the send tokens come slowly from here on
  request({503, 503});       // the quota is spent
}
