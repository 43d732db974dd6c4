// SPDX-License-Identifier: BSL-1.0
// A call that is stopped, or destroyed with its loop, at any moment: a hundred thousand schedules at full length, each
// from its seed.
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/testing/manual_clock.hpp"

#include "asio_support.hpp"
#include "length.hpp"
#include "manual_timers.hpp"
#include "sanitized.hpp"

namespace {

using namespace std::chrono_literals;
namespace net = anew::net;
using error_code = anew::net_error_code;
using support::gate_answer;

constexpr std::uint32_t most_attempts = 4;
error_code const fatal = net::error::access_denied;
error_code const transient = net::error::connection_refused;
error_code const aborted = net::error::operation_aborted;

struct all_but_fatal {
  using role = anew::roles::classifier;
  [[nodiscard]] static anew::directive classify(error_code const& error) {
    if (error == fatal) return anew::directive::fail();
    return anew::directive::retry(anew::failure{});
  }
};

/// One call and everything around it, and what must come of it.
class world {
 public:
  world(std::uint64_t seed, net::io_context& on) : draw{seed}, loop{&on}, time{on.get_executor()} {}

  support::numbers draw;
  net::io_context* loop;
  support::manual_time time;
  std::optional<net::cancellation_signal> signal{std::in_place};  // may go before the call
  support::memory_books memory;
  support::quota_state quota;
  support::gate_state gate;
  bool has_limit = false;

  // What happened.
  std::uint32_t attempts = 0;
  std::uint32_t attempts_after_the_stop = 0;
  std::uint32_t completions = 0;
  bool is_stopped = false;
  bool is_inside_a_function = false;  // of the library's or the signal's, in which nothing may complete
  std::uint32_t completions_inside = 0;
  enum class moment : std::uint8_t { never, before_an_attempt, in_an_attempt, in_a_wait, at_the_end };
  moment stopped = moment::never;
  bool passed_its_limit = false;
  std::string wrong;
  void const* operation = nullptr;

  /// An attempt begins.
  template <class Handler>
  void initiate(Handler handler, void const* self) {
    if (operation == nullptr) operation = self;
    if (operation != self) wrong += "the operation has moved; ";
    ++attempts;
    if (is_stopped) ++attempts_after_the_stop;
    is_in_flight_ = true;
    auto const what = draw.below(10);
    result_ = what < 3 ? error_code{} : what < 4 ? fatal : transient;
    honours_ = net::cancellation_type::none;
    if (draw.percent(60)) {
      honours_ = net::cancellation_type::terminal;
      if (draw.percent(50)) honours_ |= net::cancellation_type::partial;
      if (draw.percent(50)) honours_ |= net::cancellation_type::total;
      auto slot = net::get_associated_cancellation_slot(handler);
      if (slot.is_connected()) {
        slot.assign([this](net::cancellation_type_t type) {
          if (!is_stopped) passed_its_limit = true;
          if ((type & honours_) != net::cancellation_type::none) cancel_attempt();
        });
      }
    }
    auto const how = draw.below(10);
    if (how == 0) return finish(std::move(handler));  // against the rules, and yet it is done
    parked_ = std::make_unique<parked_of<Handler>>(std::move(handler));
    if (how < 5) complete();
  }

  /// The attempt in flight is over, in the next turn of the loop.
  void complete() {
    if (parked_ == nullptr) return;
    net::post(*loop, [this, one = std::move(parked_)]() mutable { std::move(*one).finish(*this); });
  }

  void stop(net::cancellation_type_t type) {
    if (!signal) return;
    note_refusal();
    bool const is_first = !std::exchange(is_stopped, true);
    if (is_first) {
      stopped = expected_       ? moment::at_the_end
                : is_in_flight_ ? moment::in_an_attempt
                : attempts == 0 ? moment::before_an_attempt
                                : moment::in_a_wait;
    }
    if (is_first && !is_in_flight_ && !expected_) expected_ = aborted;
    bool const was_waiting = !is_in_flight_;
    auto const outer = std::exchange(is_inside_a_function, true);
    signal->emit(type);
    is_inside_a_function = outer;
    if (was_waiting) turn();
    if (was_waiting && completions != 1) wrong += "a stopped wait did not end in its turn of the loop; ";
  }

  void on_end(error_code error, int value) {
    ++completions;
    if (value != static_cast<int>(attempts)) wrong += "completed with what is not of the last attempt; ";
    if (is_inside_a_function) ++completions_inside;
    note_refusal();
    if (expected_ == error) return;
    // The limit's timer comes back after the attempt: a stop in between finds no attempt and no wait.
    if (has_limit && (error == result_ || (is_stopped && error == aborted))) return;
    if (has_limit && result_ == aborted && error == net::error::timed_out) return;
    wrong += "completed with " + error.message() + ", expected " + (expected_ ? expected_->message() : "no end") + "; ";
  }

  void turn() {
    loop->restart();
    loop->poll();
  }
  void step() {
    loop->restart();
    loop->poll_one();
  }
  void forget_attempt() { parked_.reset(); }

 private:
  struct parked {
    parked() = default;
    parked(parked const&) = delete;
    parked& operator=(parked const&) = delete;
    virtual ~parked() = default;
    virtual void finish(world& in) && = 0;
  };
  template <class Handler>
  struct parked_of final : parked {
    explicit parked_of(Handler&& h) : handler{std::move(h)} {}
    void finish(world& in) && override { in.finish(std::move(handler)); }
    Handler handler;
  };

  // A gate that refuses has ended the call, whatever comes after it.
  void note_refusal() {
    if (gate.refusals > 0 && !expected_) expected_ = attempts == 0 ? error_code{net::error::try_again} : result_;
  }

  void cancel_attempt() {
    if (parked_ == nullptr) return;
    result_ = aborted;
    if (!is_stopped &&
        draw.one_in(4)) {  // at once, which Asio does not allow: the limit's own emission must survive it
      auto const one = std::move(parked_);
      return std::move(*one).finish(*this);
    }
    complete();
  }

  template <class Handler>
  void finish(Handler handler) {
    auto slot = net::get_associated_cancellation_slot(handler);
    if (slot.is_connected()) slot.clear();
    is_in_flight_ = false;
    bool const is_last = !result_ || result_ == fatal || attempts == most_attempts || quota.refuses ||
                         (result_ == aborted && !has_limit);
    if (is_stopped || is_last) expected_ = result_;
    std::move(handler)(result_, static_cast<int>(attempts));
  }

  std::unique_ptr<parked> parked_;
  std::optional<error_code> expected_;
  error_code result_;
  net::cancellation_type_t honours_ = net::cancellation_type::none;
  bool is_in_flight_ = false;
};

/// An operation that cannot be copied, and is told apart by its address.
struct operation {
  world* in;
  std::unique_ptr<int> only_one = std::make_unique<int>(0);

  template <class Token>
  auto operator()(anew::attempt& /*self*/, Token&& token) {
    return net::async_initiate<Token, void(error_code, int)>(
        [](auto handler, world* where, void const* self) { where->initiate(std::move(handler), self); }, token, in,
        static_cast<void const*>(this));
  }
};

/// A handler that cannot be copied, and can be called once.
struct ending {
  world* in;
  std::unique_ptr<int> only_one = std::make_unique<int>(0);
  void operator()(error_code error, int value) { in->on_end(error, value); }
};

using plain =
    anew::strategy<all_but_fatal, anew::constant_backoff<5ms>, anew::no_jitter, anew::max_attempts<most_attempts>>;

template <class Strategy>
void begin(world& w, Strategy const& strategy) {
  auto const outer = std::exchange(w.is_inside_a_function, true);
  anew::async_retry(w.time.timers(), strategy, operation{&w},
                    net::bind_cancellation_slot(
                        w.signal->slot(), net::bind_allocator(support::counting_allocator<void>{w.memory},
                                                              net::bind_executor(w.loop->get_executor(), ending{&w}))));
  w.is_inside_a_function = outer;
}

net::cancellation_type_t draw_type(world& w) {
  auto const which = w.draw.below(3);
  return which == 0   ? net::cancellation_type::terminal
         : which == 1 ? net::cancellation_type::partial
                      : net::cancellation_type::total;
}

gate_answer draw_answer(world& w) {
  auto const which = w.draw.below(8);
  return which == 0 ? gate_answer::refuse : which < 3 ? gate_answer::ask_again : gate_answer::admit;
}

/// Something happens: in about one of `rarity` steps a stop.
void happen(world& w, std::uint64_t rarity) {
  if (w.draw.one_in(rarity)) return w.stop(draw_type(w));
  if (w.draw.one_in(100)) w.signal.reset();
  if (w.draw.one_in(50) && w.signal) w.signal->emit(net::cancellation_type::none);
  switch (w.draw.below(8)) {
    case 0: w.gate.answer = draw_answer(w); break;
    case 1: w.quota.refuses = w.draw.one_in(3); break;
    case 2: w.time.advance(std::chrono::milliseconds{w.draw.below(8)}); break;
    case 3: w.complete(); break;
    case 4: w.turn(); break;
    default: w.step(); break;
  }
}

/// The strategies: with a gate, with a limit for each attempt, and without a real wait.
template <class Run>
void with_gate(world& w, Run run) {
  using strategy = anew::with<plain, support::counted_quota, support::counted_gate, anew::testing::manual_clock>;
  strategy const s{support::counted_quota{w.quota}, support::counted_gate{w.gate}};
  run(s);
}
template <class Run>
void with_limit(world& w, Run run) {
  w.has_limit = true;
  using strategy = anew::with<plain, support::counted_quota, anew::attempt_timeout<7ms>, anew::testing::manual_clock>;
  strategy const s{support::counted_quota{w.quota}};
  run(s);
}

template <class Run>
void with_no_delay(world& w, Run run) {
  using strategy = anew::with<plain, support::counted_quota, anew::no_backoff>;
  strategy const s{support::counted_quota{w.quota}};
  run(s);
  EXPECT_EQ(w.time.timers_made(), 0U);
}

std::string story_of(world const& w) {
  std::string text = w.wrong;
  if (w.attempts_after_the_stop != 0) text += "an attempt after the stop; ";
  if (w.attempts > most_attempts) text += "too many attempts; ";
  if (w.completions_inside != 0) text += "completed inside a function; ";
  if (w.quota.out != 0) text += "quota not given back; ";
  if (w.gate.out != 0) text += "gate not given back; ";
  if (!w.memory.is_balanced()) text += "memory not given back; ";
  return text;
}

/// What was seen, so that schedules which meet nothing do not pass for ones that meet everything.
struct seen {
  std::array<std::uint64_t, 5> stopped{};
  std::uint64_t refused = 0;
  std::uint64_t late = 0;
  std::uint64_t attempts = 0;
  [[nodiscard]] std::uint64_t operator[](world::moment when) const { return stopped[static_cast<std::size_t>(when)]; }
};

template <class With>
seen run_schedules(std::uint64_t first_seed, std::uint64_t how_many, With with) {
  seen all;
  net::io_context loop;
  for (auto seed = first_seed; seed < first_seed + how_many; ++seed) {
    world w{seed, loop};
    with(w, [&](auto const& strategy) {
      auto const rarity = 3 + w.draw.below(40);
      w.gate.answer = draw_answer(w);
      begin(w, strategy);
      for (int i = 0; i < 60 && w.completions == 0; ++i) happen(w, rarity);
      if (w.completions != 0 && w.signal && w.draw.percent(20)) w.signal->emit(draw_type(w));  // after the end: nothing
      w.gate.answer = gate_answer::admit;
      for (int i = 0; i < 100 && w.completions == 0; ++i) {
        w.complete();
        w.turn();
        w.time.advance(1s);
      }
      w.turn();
    });
    auto text = story_of(w);
    if (w.completions != 1) text += "completed " + std::to_string(w.completions) + " times; ";
    if (w.time.pending() != 0) text += "a wait is left; ";
    all.attempts += w.attempts;
    all.refused += w.gate.refusals;
    all.late += w.passed_its_limit ? 1U : 0U;
    ++all.stopped[static_cast<std::size_t>(w.stopped)];
    EXPECT_EQ(text, "") << "seed " << seed;
    if (!text.empty()) break;
  }
  return all;
}

template <class With>
void run_destructions(std::uint64_t first_seed, std::uint64_t how_many, With with) {
  for (auto seed = first_seed; seed < first_seed + how_many; ++seed) {
    auto loop = std::make_unique<net::io_context>();
    auto around = std::make_unique<world>(seed, *loop);
    auto& w = *around;
    std::string text;
    with(w, [&](auto const& strategy) {
      w.gate.answer = draw_answer(w);
      begin(w, strategy);
      auto const steps = w.draw.below(20);
      for (std::uint64_t i = 0; i < steps; ++i) happen(w, 12);
      if (w.draw.one_in(2)) w.signal.reset();
      // What holds the call: the operation, the loop or a wait. Whichever it is, the call goes with it.
      if (w.draw.one_in(2)) {
        w.forget_attempt();
        loop.reset();
        w.time.close();
      } else {
        loop.reset();
        w.time.close();  // as the timers of a loop go with it
        w.forget_attempt();
      }
    });
    text += story_of(w);
    if (w.completions > 1) text += "completed twice; ";
    EXPECT_EQ(text, "") << "seed " << seed;
    if (!text.empty()) break;
  }
}

/// What is used after its end is seen by the sanitizer: all of them there.
std::uint64_t of_all(std::uint64_t schedules) {
  return support::watches_memory ? schedules : support::length_of(schedules);
}

TEST(CancellationSchedule, EveryCallEndsOnceAndNoAttemptFollowsAStop) {
  auto const schedules = of_all(60'000);
  auto const all = run_schedules(1, schedules, [](world& w, auto run) { with_gate(w, run); });
  EXPECT_GT(all[world::moment::never], schedules / 6);
  EXPECT_GT(all[world::moment::before_an_attempt], schedules / 60);
  EXPECT_GT(all[world::moment::in_an_attempt], schedules / 12);
  EXPECT_GT(all[world::moment::in_a_wait], schedules / 30);
  EXPECT_GT(all[world::moment::at_the_end], schedules / 120);
  EXPECT_GT(all.refused, schedules / 60);
  EXPECT_GT(all.attempts, schedules * 2 / 3);
}

TEST(CancellationSchedule, AttemptsWithALimitToo) {
  auto const schedules = of_all(20'000);
  auto const all = run_schedules(1'000'000, schedules, [](world& w, auto run) { with_limit(w, run); });
  EXPECT_GT(all[world::moment::in_an_attempt], schedules / 10);
  EXPECT_GT(all[world::moment::in_a_wait], schedules / 40);
  EXPECT_GT(all.late, schedules / 40);
}

TEST(CancellationSchedule, WaitsOfNoTimeToo) {
  auto const schedules = of_all(20'000);
  auto const all = run_schedules(2'000'000, schedules, [](world& w, auto run) { with_no_delay(w, run); });
  EXPECT_GT(all[world::moment::in_an_attempt], schedules / 10);
  EXPECT_GT(all[world::moment::in_a_wait], schedules / 100);
  EXPECT_GT(all.attempts, schedules);
}

TEST(Destruction, ALoopTakesItsCallsWithItInEveryState) {
  run_destructions(3'000'000, of_all(4'000), [](world& w, auto run) { with_gate(w, run); });
  run_destructions(4'000'000, of_all(4'000), [](world& w, auto run) { with_limit(w, run); });
  run_destructions(5'000'000, of_all(2'000), [](world& w, auto run) { with_no_delay(w, run); });
}

}  // namespace
