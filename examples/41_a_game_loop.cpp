// SPDX-License-Identifier: BSL-1.0
// A driver for a loop that turns anyway, in some 50 lines: the game asks each call once a frame. The operation begins a request
// and returns a handle to look at; the driver ends it at its limit, and keeps the last answer.
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

#include "anew/anew.hpp"
#include "anew/machine.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

using namespace std::chrono_literals;

// [driver]
/// Calls `operation()`, which begins a request and returns it; `request.poll()` returns an optional result.
template <class S, class Op>
class frame_call {
  using request = typename anew::call_engine<S, Op>::result_type;

 public:
  frame_call(S const& strategy, Op operation, anew::time_point now) : call_{strategy, std::move(operation)} {
    go_on(call_.begin(), now);  // a gate or a pacer can make the first step a wait
  }
  /// Once a frame. True when the call is over.
  bool update(anew::time_point now) {
    if (step_ == anew::next_step::wait && now >= due_) go_on(call_.on_wait_over(), now);
    if (step_ == anew::next_step::attempt && !request_) {
      due_ = after(now, call_.attempt_timeout());
      last_.reset();
      request_.emplace(call_.start());
    }
    if (auto answer = request_ ? request_->poll() : std::nullopt) {
      last_ = std::move(answer);
      go_on(call_.on_outcome(*last_), now);
    } else if (request_ && now >= due_) {
      go_on(call_.on_attempt_timeout(), now);
    }
    return step_ == anew::next_step::finished;
  }
  void stop() {
    if (call_.request_stop() == anew::next_step::attempt) call_.on_cancelled();
    go_on(anew::next_step::finished, {});
  }
  /// The answer to the last attempt; empty if that was ended, or if there was none.
  [[nodiscard]] auto const& last() const { return last_; }
  [[nodiscard]] auto reason() const { return call_.reason(); }

 private:
  void go_on(anew::next_step step, anew::time_point now) {
    step_ = step;
    request_.reset();
    if (step == anew::next_step::wait) due_ = after(now, call_.wait());
  }
  static anew::time_point after(anew::time_point now, anew::duration delay) {  // duration::max(): never
    return delay < anew::time_point::max() - now ? now + delay : anew::time_point::max();
  }
  anew::call_engine<S, Op> call_;
  anew::next_step step_{};
  std::optional<request> request_{};
  decltype(std::declval<request&>().poll()) last_{};
  anew::time_point due_{};
};
// [/driver]

/// A request to a service that answers 503 at first, then not at all, then 200.
struct request {
  unsigned number;
  int frames = 0;
  std::optional<int> poll() {
    if (++frames < 3 || number == 2) return std::nullopt;
    return number == 1 ? 503 : 200;
  }
};

int main() {
  anew::testing::manual_clock clock;
  auto const when_busy = anew::retry_while{[](int status) { return status == 503; }};
  auto const strategy = anew::compose(when_busy, anew::constant_backoff<100ms>{}, anew::no_jitter{},
                                      anew::attempt_timeout<200ms>{}, clock);
  // [call]
  frame_call call{strategy, anew::idempotent([](anew::attempt& self) { return request{self.number()}; }), clock.peek()};
  int frame = 0;
  for (; !call.update(clock.peek()); ++frame) clock.advance(16ms);
  // [/call]
  std::printf("frame %d: %s, status %d\n", frame, to_string(call.reason()), call.last().value_or(0));

  for (int const frames : {4, 12}) {  // stopped in the wait, where it has an answer, and in the second attempt
    frame_call other{strategy, anew::idempotent([](anew::attempt& self) { return request{self.number()}; }),
                     clock.peek()};
    for (frame = 0; frame != frames; ++frame) {
      static_cast<void>(other.update(clock.peek()));
      clock.advance(16ms);
    }
    other.stop();
    std::printf("frame %d: %s, status %d\n", frame, to_string(other.reason()), other.last().value_or(0));
  }

  // The gate learns from the first call: the second begins with a wait of 200 ms. Nothing limits its attempt.
  auto const cooling =
      anew::compose(when_busy, anew::max_attempts<1>{}, anew::cool_down<anew::constant_backoff<200ms>>{},
                    anew::attempt_timeout{anew::duration::max()}, anew::testing::lowest_random{}, clock);
  for (unsigned const number : {1U, 3U}) {
    frame_call next{cooling, [number](anew::attempt&) { return request{number}; }, clock.peek()};
    for (frame = 0; !next.update(clock.peek()); ++frame) clock.advance(16ms);
    std::printf("frame %d: %s, status %d\n", frame, to_string(next.reason()), next.last().value_or(0));
  }
}
