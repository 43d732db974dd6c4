// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <cstdio>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <boost/asio.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

#include "stepper.hpp"

/// Counts the instructions of an asynchronous call that succeeds at once, from the function that begins it to the
/// caller's handler: the operation alone, and under `async_retry()`.
namespace {

using namespace std::chrono_literals;
namespace net = boost::asio;
using error_code = boost::system::error_code;

net::io_context loop;
auto const keep = net::make_work_guard(loop);
using loop_executor = net::io_context::executor_type;

// Between these two is what is counted. Not empty, or a compiler could take one for the other.
unsigned begun = 0;
unsigned completed = 0;
[[gnu::noinline]] void begin() { ++begun; }
void next();
bool goes_on = false;  // a call that waits ends a second time, with its last attempt
[[gnu::noinline]] void end() {
  ++completed;
  if (!std::exchange(goes_on, false)) next();
}

/// What the caller is called back with: it knows where to put the result.
struct callback {
  bool* is_success;
  void operator()() const { (*this)(error_code{}); }
  void operator()(error_code const& error) const {
    *is_success = !error;
    end();
  }
};
bool succeeded = false;
auto handler() { return net::bind_executor(loop.get_executor(), callback{&succeeded}); }
net::cancellation_signal stop;
auto handler_with_slot() { return net::bind_cancellation_slot(stop.slot(), handler()); }

/// A posted operation: void().
struct posted {
  template <class Token>
  auto operator()(Token&& token) const {
    return net::post(loop.get_executor(), std::forward<Token>(token));
  }
};
/// The same, told of its attempt.
struct posted_attempt {
  template <class Token>
  auto operator()(anew::attempt& /*self*/, Token&& token) const {
    return net::post(loop.get_executor(), std::forward<Token>(token));
  }
};
/// One that has 48 bytes of its own.
struct posted_of_state {
  std::array<char, 40> request;
  net::io_context* where;
  template <class Token>
  auto operator()(Token&& token) const {
    return net::post(where->get_executor(), std::forward<Token>(token));
  }
};
/// One that somebody else keeps.
template <class Op>
struct by_reference {
  Op& operation;
  template <class Token>
  auto operator()(Token&& token) const {
    return operation(std::forward<Token>(token));
  }
};
/// An operation without a socket that completes through the loop: void(error_code).
struct coded {
  template <class Token>
  auto operator()(Token&& token) const {
    return net::async_initiate<Token, void(error_code)>(
        [](auto completion) {
          auto const where = net::get_associated_executor(completion, loop.get_executor());
          net::post(where, net::append(std::move(completion), error_code{}));
        },
        token);
  }
};

/// What keeps a handler until somebody calls it, as an I/O object does: what is left is the cost of the call itself.
void (*resume)() = nullptr;
template <class Completion>
struct parking {
  static inline std::optional<Completion> space;
};
struct parked {
  template <class Token>
  auto operator()(Token&& token) const {
    return net::async_initiate<Token, void(error_code)>(
        []<class Completion>(Completion completion) {
          parking<Completion>::space.emplace(std::move(completion));
          resume = [] {
            auto kept = *std::move(parking<Completion>::space);
            parking<Completion>::space.reset();
            std::move(kept)(error_code{});
          };
        },
        token);
  }
};

/// Timers without a clock: the wait is kept until it is cancelled, so that what a call does with its timer is counted, and
/// not what the system's timers do.
struct timers {
  struct timer {
    void (*cancelled)() = nullptr;
    void expires_after(anew::duration /*by*/) const noexcept {}
    void cancel() const { cancelled(); }
    template <class Wait>
    void async_wait(Wait wait) {
      parking<Wait>::space.emplace(std::move(wait));
      cancelled = [] {
        net::post(loop, net::append(*std::move(parking<Wait>::space), error_code{net::error::operation_aborted}));
        parking<Wait>::space.reset();
      };
    }
  };
  [[nodiscard]] static loop_executor get_executor() noexcept { return loop.get_executor(); }
  [[nodiscard]] static timer make_timer() noexcept { return {}; }
};

using plain =
    anew::strategy<anew::exponential_backoff<50ms, 20s>, anew::full_jitter, anew::retry_all, anew::max_attempts<3>>;
plain const strategy{};
anew::with<plain, anew::token_bucket<500>> const bucket{};
anew::with<plain, anew::attempt_timeout<1s>> const limited{};
// A clock that costs nothing: the system's is none of ours, and takes longer when it is stepped through.
struct stopped_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  static anew::time_point now() noexcept { return {}; }
};
anew::with<plain, anew::deadline<30s>, stopped_clock> const with_deadline{};

posted kept;
posted_of_state const stateful{{}, &loop};

/// Fails at first.
bool fails = false;
struct failing {
  template <class Token>
  auto operator()(Token&& token) const {
    return net::async_initiate<Token, void(error_code)>(
        [](auto completion) {
          auto const where = net::get_associated_executor(completion, loop.get_executor());
          error_code const answer = std::exchange(fails, false) ? net::error::connection_refused : error_code{};
          net::post(where, net::append(std::move(completion), answer));
        },
        token);
  }
};
struct failing_of_state : failing {
  std::array<char, 48> request;
};
/// Stands still while it is counted: the system's clock takes longer when it is stepped through.
struct our_clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<our_clock>;
  static constexpr bool is_steady = true;
  static inline time_point time{};
  static time_point now() noexcept { return time; }
};
/// Asio's timer, which says when a wait has begun.
struct counted_timer : net::basic_waitable_timer<our_clock> {
  using basic_waitable_timer::basic_waitable_timer;
  template <class Wait>
  void async_wait(Wait&& wait) {
    basic_waitable_timer::async_wait(std::forward<Wait>(wait));
    goes_on = true;
    end();
    our_clock::time += 1s;
  }
};
struct counted_timers {
  [[nodiscard]] static loop_executor get_executor() noexcept { return loop.get_executor(); }
  [[nodiscard]] static counted_timer make_timer() { return counted_timer{loop.get_executor()}; }
};
anew::with<plain, anew::constant_backoff<1ms>, anew::no_jitter> const soon{};

/// The same loop as a composed operation, as Asio's documentation writes them.
template <class Op, class Policy, class Timer = net::steady_timer>
struct composed_loop {
  Policy const& policy;
  Op operation{};
  typename Policy::token_type token = policy.acquire_initial_token();
  std::unique_ptr<Timer> timer{};
  enum class state { first, attempt, waited } at = state::first;

  template <class Self>
  void operator()(Self& self) {
    if (at == state::attempt) {
      policy.record_success(std::move(token));
      return self.complete(error_code{});
    }
    at = state::attempt;
    Op{operation}(std::move(self));
  }
  template <class Self>
  void operator()(Self& self, error_code error) {
    if (at == state::attempt && error) {
      auto next = policy.refresh_retry_token(std::move(token), anew::failure{});
      if (!next.has_value()) return self.complete(error);
      token = *std::move(next);
      if (!timer) timer = std::make_unique<Timer>(loop.get_executor());
      timer->expires_after(token.delay());
      at = state::waited;
      auto& its = *timer;
      return its.async_wait(std::move(self));
    }
    if (at == state::attempt) {
      policy.record_success(std::move(token));
      return self.complete(error_code{});
    }
    (*this)(self);
  }
};
template <class Timer = net::steady_timer, class Op, class Policy>
void begin_composed(Op operation, Policy const& policy) {
  auto own = handler();
  net::async_compose<decltype(own), void(error_code)>(composed_loop<Op, Policy, Timer>{policy, operation}, own, loop);
}

/// What somebody writes who needs a time limit once: a timer beside the operation, and the end when both are over.
timers::timer by_hand;
void begin_limited() {
  by_hand = timers::make_timer();
  by_hand.async_wait(net::bind_executor(loop.get_executor(), [](error_code const& /*error*/) { handler()(); }));
  coded{}(net::bind_executor(loop.get_executor(), [](error_code const& /*error*/) { by_hand.cancel(); }));
}

struct a_case {
  char const* name;
  void (*run)();
};
a_case const all[] = {
    {"bare_posted", [] { posted{}(handler()); }},
    {"anew_posted", [] { anew::async_retry(strategy, posted{}, handler()); }},
    {"anew_posted_bucket", [] { anew::async_retry(bucket, posted{}, handler()); }},
    {"anew_posted_attempt", [] { anew::async_retry(strategy, posted_attempt{}, handler()); }},
    {"anew_posted_kept_strategy", [] { anew::async_retry(plain{}, posted{}, handler()); }},
    {"anew_posted_deadline", [] { anew::async_retry(with_deadline, posted{}, handler()); }},
    {"bare_posted_slot", [] { posted{}(handler_with_slot()); }},
    {"anew_posted_slot", [] { anew::async_retry(strategy, posted{}, handler_with_slot()); }},
    {"bare_posted_by_reference", [] { std::ref(kept)(handler()); }},
    {"anew_posted_by_reference", [] { anew::async_retry(strategy, std::ref(kept), handler()); }},
    {"anew_posted_capturing_reference", [] { anew::async_retry(strategy, by_reference<posted>{kept}, handler()); }},
    {"bare_posted_of_state", [] { posted_of_state{stateful}(handler()); }},
    {"anew_posted_of_state", [] { anew::async_retry(strategy, stateful, handler()); }},
    {"anew_posted_kept_by_copy_reference",
     [] { anew::async_retry(strategy, anew::kept_by_copy(by_reference<posted>{kept}), handler()); }},
    {"anew_posted_kept_by_copy_state", [] { anew::async_retry(strategy, anew::kept_by_copy(stateful), handler()); }},
    {"anew_posted_kept_by_copy_attempt",
     [] { anew::async_retry(strategy, anew::kept_by_copy(posted_attempt{}), handler()); }},
    {"bare_coded", [] { coded{}(handler()); }},
    {"anew_coded", [] { anew::async_retry(strategy, coded{}, handler()); }},
    {"anew_coded_bucket", [] { anew::async_retry(bucket, coded{}, handler()); }},
    {"bare_coded_slot", [] { coded{}(handler_with_slot()); }},
    {"anew_coded_slot", [] { anew::async_retry(bucket, coded{}, handler_with_slot()); }},
    {"composed_posted", [] { begin_composed(posted{}, strategy); }},
    {"bare_limited", [] { begin_limited(); }},
    {"anew_limited", [] { anew::async_retry(timers{}, limited, coded{}, handler()); }},
    {"bare_parked",
     [] {
       parked{}(handler());
       resume();
     }},
    {"anew_parked",
     [] {
       anew::async_retry(strategy, parked{}, handler());
       resume();
     }},
    {"anew_parked_bucket",
     [] {
       anew::async_retry(bucket, parked{}, handler());
       resume();
     }},
    {"composed_waits",
     [] {
       fails = true;
       begin_composed<counted_timer>(failing{}, soon);
     }},
    {"anew_waits",
     [] {
       fails = true;
       anew::async_retry(counted_timers{}, soon, failing{}, handler());
     }},
    {"composed_waits_of_state",
     [] {
       fails = true;
       begin_composed<counted_timer>(failing_of_state{}, soon);
     }},
    {"anew_waits_of_state",
     [] {
       fails = true;
       anew::async_retry(counted_timers{}, soon, failing_of_state{}, handler());
     }},
};

/// Every case runs in one turn of the loop after the other, as calls do that handlers begin: Asio keeps memory for the next
/// operation inside a thread that runs the loop, and nowhere else. What a case allocates once is there in its last round.
constexpr unsigned rounds = 4;
unsigned turn = 0;
void next() {
  if (turn == rounds * std::size(all)) return loop.stop();
  net::post(loop, [] {
    auto const& what = all[turn / rounds];
    if (++turn % rounds == 0) begin();
    what.run();
  });
}

}  // namespace

int main() {
  auto const child = stepper::start([] {
    next();
    loop.run();
  });
  if (!child) return 77;
  for (auto const& what : all) {
    std::printf("%s %u\n", what.name,
                stepper::count_between(*child, stepper::address_of(&begin), stepper::address_of(&end)));
  }
  stepper::stop(*child);
  return 0;
}
