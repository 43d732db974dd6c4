// SPDX-License-Identifier: BSL-1.0
// The rate limiter in front of a simulated server that answers so many requests a second, and throttles the others.
// Callers that call without a pause, in simulated time: events in a queue, no threads.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <queue>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/pacer/client_rate_limiter.hpp"

namespace pacer_simulated_server_test {
namespace {

using namespace std::chrono_literals;
using anew::client_rate_limiter;
using anew::duration;
using anew::error_kind;
using anew::failure;
using anew::time_point;
using anew::when_limited;

constexpr duration answers_after = 10ms;
constexpr duration settled = 30s;
constexpr duration the_end = 90s;

struct seeded {
  using role = anew::roles::random_source;
  explicit seeded(std::uint64_t seed) : dice{std::make_shared<anew::generator>(seed, std::uint64_t{116})} {}
  std::uint64_t operator()() const { return (*dice)(); }
  std::shared_ptr<anew::generator> dice;
};

/// A bucket of the server's: `rate` requests a second, and at most `burst` at once.
class server {
 public:
  server(double rate, double burst) : rate_{rate}, burst_{burst}, tokens_{burst} {}

  bool accepts(time_point now) {
    tokens_ = std::min(burst_, tokens_ + std::chrono::duration<double>(now - last_).count() * rate_);
    last_ = now;
    bool const accepted = tokens_ >= 1;
    if (accepted) tokens_ -= 1;
    if (now >= time_point{settled}) ++(accepted ? accepted_ : throttled_);
    return accepted;
  }
  [[nodiscard]] double accepted_per_second() const {
    return static_cast<double>(accepted_) / std::chrono::duration<double>(the_end - settled).count();
  }
  [[nodiscard]] double throttled_share() const {
    return static_cast<double>(throttled_) / static_cast<double>(std::max<std::uint64_t>(1, accepted_ + throttled_));
  }

 private:
  double rate_;
  double burst_;
  double tokens_;
  time_point last_{};
  std::uint64_t accepted_ = 0;
  std::uint64_t throttled_ = 0;
};

struct setting {
  double rate;
  double burst;
  std::size_t callers;
  friend std::ostream& operator<<(std::ostream& out, setting const& s) {
    return out << s.rate << "/s, bursts of " << s.burst << ", " << s.callers << " callers";
  }
};

template <when_limited Then>
auto strategy_of(std::uint64_t seed) {
  return anew::compose(client_rate_limiter<Then>{time_point{}}, anew::exponential_backoff<50ms, 20s>{},
                       anew::full_jitter{}, anew::max_attempts<3>{}, anew::retry_all{}, seeded{seed});
}

template <when_limited Then>
server simulate(setting const& given, std::uint64_t seed = 1) {
  auto const s = strategy_of<Then>(seed);
  using token_type = typename decltype(s)::token_type;
  struct event {
    time_point at;
    std::uint64_t order;
    std::size_t caller;
    bool is_response;
    bool accepted;
    bool operator<(event const& other) const { return at != other.at ? at > other.at : order > other.order; }
  };
  std::priority_queue<event> events;
  std::uint64_t order = 0;
  auto const later = [&](time_point at, std::size_t caller) { events.push({at, order++, caller, false, false}); };
  std::vector<std::optional<token_type>> calls(given.callers);
  for (std::size_t caller = 0; caller < given.callers; ++caller) {
    later(time_point{static_cast<std::int64_t>(caller) * 1ms}, caller);
  }
  server far_side{given.rate, given.burst};
  for (; events.top().at < time_point{the_end};) {
    auto const [now, number, caller, is_response, accepted] = events.top();
    events.pop();
    auto& call = calls[caller];
    if (is_response && accepted) {
      s.record_success(*std::move(call), now);
      call.reset();
    } else if (is_response) {
      auto next = s.refresh_retry_token(*std::move(call), failure{.kind = error_kind::throttling}, now);
      call.reset();
      if (next) {
        call.emplace(*std::move(next));
        later(now + call->delay(), caller);
        continue;
      }
    }
    if (!call) call.emplace(s.acquire_initial_token(now));
    auto const answer = s.admit(*call, now);
    if (answer.refusal != anew::stop_reason::succeeded) {
      call.reset();
      later(now + 100ms, caller);
    } else if (answer.wait > 0ns) {
      later(now + answer.wait, caller);
    } else {
      bool const ok = far_side.accepts(now);
      events.push({now + answers_after, order++, caller, true, ok});
    }
  }
  return far_side;
}

void expect_settles(server const& far_side, setting const& given, double least, double most_throttled) {
  EXPECT_GE(far_side.accepted_per_second(), least * given.rate)
      << given << ": accepted " << far_side.accepted_per_second() << "/s, throttled " << far_side.throttled_share();
  EXPECT_LE(far_side.accepted_per_second(), 1.25 * given.rate) << given;
  EXPECT_LT(far_side.throttled_share(), most_throttled)
      << given << ": accepted " << far_side.accepted_per_second() << "/s, throttled " << far_side.throttled_share();
}

template <when_limited Then>
void settles(double rate, double burst, double least = 0.75, std::uint64_t seed = 1) {
  for (std::size_t const callers : {1U, 10U, 50U}) {
    setting const given{rate, burst, callers};
    expect_settles(simulate<Then>(given, seed), given, least, 0.10);
  }
}

// A server that keeps a second's worth, as DynamoDB and most others do. What was measured: 98 % of the rate accepted, and
// of what is sent 9 %, 2 % and 0.2 % throttled at 5, 20 and 100 a second.
TEST(SimulatedServer, CallersFindItsRateWhetherTheyWaitOrFailFast) {
  for (double const rate : {5.0, 20.0, 100.0}) {
    for (std::uint64_t const seed : {1U, 2U}) settles<when_limited::wait>(rate, rate, 0.75, seed);
    settles<when_limited::fail_fast>(rate, rate);
  }
}

// One that keeps a tenth of a second's worth: 93 % and 95 %. One that permits no burst at all: any two requests closer
// than 1/rate are one too many. At 20 and 100 a second 90 % are accepted. At 5 a second it is 71 %: the rate has a window
// of 1.6 s, so it probes every few seconds and falls to 0.7 of the rate each time, and the bucket's own second's worth
// comes as a burst.
TEST(SimulatedServer, ShortBurstsCostLittle) {
  for (double const rate : {20.0, 100.0}) {
    settles<when_limited::wait>(rate, rate / 10);
    settles<when_limited::wait>(rate, 1);
  }
  settles<when_limited::wait>(5, 1, 0.65);
}

}  // namespace
}  // namespace pacer_simulated_server_test
