// SPDX-License-Identifier: BSL-1.0
// Hedged calls that are stopped, or destroyed with their loop, at any moment: each schedule from its seed. And what a call
// takes from the heap.
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/append.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/testing/manual_clock.hpp"

#include "asio_support.hpp"
#include "counted_heap.hpp"
#include "far_side.hpp"
#include "manual_timers.hpp"

namespace {

using namespace std::chrono_literals;
namespace net = anew::net;
using error_code = anew::net_error_code;
using support::answer;
using support::far_side;
using support::gate_answer;

/// One call and everything around it.
struct world {
  world(std::uint64_t seed, net::io_context& on) : draw{seed}, loop{&on}, time{on.get_executor()}, there{on} {
    there.on_start = [this](std::uint32_t number) {
      if (is_stopped) wrong += "attempt " + std::to_string(number) + " after the stop; ";
      draw_manners();
    };
    draw_manners();
  }

  support::numbers draw;
  net::io_context* loop;
  support::manual_time time;
  far_side there;
  net::cancellation_signal signal;
  support::memory_books memory;
  support::quota_state quota;
  support::gate_state gate;
  std::uint32_t completions = 0;
  bool is_stopped = false;
  bool is_inside = false;  // a function of the library's, in which nothing may complete
  bool was_between = false;
  bool was_hedged = false;
  std::string wrong;

  void draw_manners() {
    auto const how = draw.below(12);
    there.at_once.reset();
    if (how == 0) there.at_once = draw_answer();
    there.is_deaf = how == 1 || how == 2;
    there.ends_inside_its_cancellation = how == 3 || how == 4;
  }
  error_code draw_answer() {
    auto const which = draw.below(12);
    return which < 3    ? error_code{}
           : which == 3 ? support::fatal
           : which == 4 ? support::pushed_back
           : which == 5 ? support::aborted
                        : support::transient;
  }
  gate_answer draw_gate() {
    auto const which = draw.below(8);
    return which == 0 ? gate_answer::refuse : which < 3 ? gate_answer::ask_again : gate_answer::admit;
  }
  net::cancellation_type_t draw_type() {
    auto const which = draw.below(3);
    return which == 0   ? net::cancellation_type::terminal
           : which == 1 ? net::cancellation_type::partial
                        : net::cancellation_type::total;
  }

  template <class S, class H>
  void begin(S const& strategy, H const& hedging) {
    is_inside = true;
    anew::async_hedge(
        time.timers(), strategy, hedging, there.operation(),
        net::bind_cancellation_slot(
            signal.slot(), net::bind_allocator(support::counting_allocator<void>{memory}, [this](error_code, answer) {
              ++completions;
              if (is_inside) wrong += "ended inside; ";
              if (there.in_flight() != 0) wrong += "a loser was left; ";
            })));
    is_inside = false;
  }
  void stop() {
    if (completions == 0 && !is_stopped && there.in_flight() == 0 && !there.started.empty()) was_between = true;
    is_stopped = true;
    is_inside = true;
    signal.emit(draw_type());
    is_inside = false;
  }
  void turn() {
    loop->restart();
    loop->poll();
  }
  void happen(std::uint64_t rarity) {
    if (draw.one_in(rarity)) return stop();
    if (there.in_flight() > 1) was_hedged = true;
    switch (draw.below(8)) {
      case 0: gate.answer = draw_gate(); break;
      case 1: quota.refuses = draw.one_in(3); break;
      case 2:
      case 3: time.advance(std::chrono::milliseconds{draw.below(12)}); break;
      case 4: {
        auto const which = draw.below(8);  // before the answer, whichever compiler it is
        there.complete(there.any(which), draw_answer());
        break;
      }
      case 5: turn(); break;
      default: loop->restart(); loop->poll_one();
    }
  }
};

using plain = anew::strategy<support::answers_by_code, anew::constant_backoff<5ms>, anew::no_jitter,
                             anew::max_attempts<6>, anew::testing::manual_clock>;

template <class Run>
void with_gate(world& w, Run run) {
  using strategy = anew::with<plain, support::counted_quota, support::counted_gate>;
  strategy const s{support::counted_quota{w.quota}, support::counted_gate{w.gate}};
  w.gate.answer = w.draw_gate();
  run(s, anew::hedge_after<4ms, 2>{});
}
template <class Run>
void with_limit(world& w, Run run) {
  using strategy = anew::with<plain, support::counted_quota, anew::attempt_timeout<7ms>>;
  strategy const s{support::counted_quota{w.quota}};
  run(s, anew::hedge_after<4ms, 2>{});
}
template <class Run>
void with_no_delay(world& w, Run run) {
  using strategy = anew::with<plain, support::counted_quota, anew::no_backoff>;
  strategy const s{support::counted_quota{w.quota}};
  run(s, anew::hedge_at_once<2>{});
}

std::string story_of(world const& w) {
  std::string text = w.wrong;
  if (w.there.started.size() > 6) text += "too many attempts; ";
  if (w.quota.out != 0) text += "quota not given back; ";
  if (w.gate.out != 0) text += "gate not given back; ";
  if (!w.memory.is_balanced()) text += "memory not given back; ";
  if (answer::alive != 0) text += "a result is left; ";
  return text;
}

struct seen {
  std::uint64_t stopped = 0;
  std::uint64_t between = 0;
  std::uint64_t hedged = 0;
  std::uint64_t attempts = 0;
};

template <class With>
seen run_schedules(std::uint64_t first_seed, std::uint64_t how_many, With with) {
  seen all;
  net::io_context loop;
  for (auto seed = first_seed; seed < first_seed + how_many; ++seed) {
    world w{seed, loop};
    with(w, [&](auto const& strategy, auto const& hedging) {
      auto const rarity = 5 + w.draw.below(60);
      w.begin(strategy, hedging);
      for (int i = 0; i < 80 && w.completions == 0; ++i) w.happen(rarity);
      if (w.completions != 0 && w.draw.percent(20)) w.signal.emit(w.draw_type());  // after the end: nothing
      w.gate.answer = gate_answer::admit;
      for (int i = 0; i < 100 && w.completions == 0; ++i) {
        w.there.complete(w.there.any(0), w.draw_answer());
        w.turn();
        w.time.advance(1s);
      }
      w.turn();
      w.there.last.reset();
    });
    auto text = story_of(w);
    if (w.completions != 1) text += "completed " + std::to_string(w.completions) + " times; ";
    if (w.time.pending() != 0) text += "a wait is left; ";
    all.attempts += w.there.started.size();
    all.stopped += w.is_stopped ? 1U : 0U;
    all.between += w.was_between ? 1U : 0U;
    all.hedged += w.was_hedged ? 1U : 0U;
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
    with(w, [&](auto const& strategy, auto const& hedging) {
      w.begin(strategy, hedging);
      auto const steps = w.draw.below(30);
      for (std::uint64_t i = 0; i < steps; ++i) w.happen(15);
      // Whatever keeps attempts goes before the loop that these are to end on.
      if (w.draw.one_in(2)) w.time.close();
      w.there.forget();
      loop.reset();
      w.time.close();
      w.there.last.reset();
    });
    auto text = story_of(w);
    if (w.completions > 1) text += "completed twice; ";
    EXPECT_EQ(text, "") << "seed " << seed;
    if (!text.empty()) break;
  }
}

TEST(HedgeSchedule, EveryCallEndsOnceAndNoAttemptFollowsAStop) {
  auto const all = run_schedules(1, 12'000, [](world& w, auto run) { with_gate(w, run); });
  EXPECT_GT(all.stopped, 2'000U);
  EXPECT_GT(all.between, 100U);
  EXPECT_GT(all.hedged, 1'500U);
  EXPECT_GT(all.attempts, 10'000U);
}

TEST(HedgeSchedule, AttemptsWithALimitToo) {
  auto const all = run_schedules(1'000'000, 4'000, [](world& w, auto run) { with_limit(w, run); });
  EXPECT_GT(all.stopped, 500U);
  EXPECT_GT(all.hedged, 1'000U);
}

TEST(HedgeSchedule, AllAtOnceToo) {
  auto const all = run_schedules(2'000'000, 4'000, [](world& w, auto run) { with_no_delay(w, run); });
  EXPECT_GT(all.stopped, 500U);
  EXPECT_GT(all.hedged, 1'000U);
}

TEST(HedgeDestruction, ALoopTakesItsCallsWithItInEveryState) {
  run_destructions(3'000'000, 2'000, [](world& w, auto run) { with_gate(w, run); });
  run_destructions(4'000'000, 2'000, [](world& w, auto run) { with_limit(w, run); });
  run_destructions(5'000'000, 1'000, [](world& w, auto run) { with_no_delay(w, run); });
}

/// Blocks that are used again, for one thread.
class pool {
 public:
  pool() = default;
  pool(pool const&) = delete;
  pool& operator=(pool const&) = delete;
  ~pool() {
    for (auto& list : free_) {
      while (list != nullptr) std::free(std::exchange(list, *static_cast<void**>(list)));
    }
  }
  void* take(std::size_t bytes) {
    auto& list = free_[(bytes + 63) / 64];
    if (list != nullptr) return std::exchange(list, *static_cast<void**>(list));
    ++made;
    return std::malloc((bytes + 63) / 64 * 64);
  }
  void put(void* block, std::size_t bytes) {
    *static_cast<void**>(block) = std::exchange(free_[(bytes + 63) / 64], block);
  }
  int made = 0;

 private:
  std::array<void*, 64> free_{};
};
template <class T>
struct pooled {
  using value_type = T;
  pool* of;
  explicit pooled(pool& from) noexcept : of{&from} {}
  template <class U>
  pooled(pooled<U> const& other) noexcept : of{other.of} {}
  [[nodiscard]] T* allocate(std::size_t n) { return static_cast<T*>(of->take(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) noexcept { of->put(p, n * sizeof(T)); }
  template <class U>
  friend bool operator==(pooled const& a, pooled<U> const& b) noexcept {
    return a.of == b.of;
  }
};

/// Two attempts each: a first that fails, and a hedge that succeeds.
struct two_attempts {
  net::io_context* loop;
  template <class Token>
  auto operator()(anew::attempt& self, Token&& token) const {
    auto const error = self.number() == 1 ? support::transient : error_code{};
    return net::post(*loop, net::append(std::forward<Token>(token), error, 1));
  }
};

struct next_call {
  net::io_context* loop;
  pool* memory;
  plain const* strategy;
  anew::hedge_after<1h> const* hedging;
  int* left;
  using allocator_type = pooled<void>;
  [[nodiscard]] allocator_type get_allocator() const noexcept { return allocator_type{*memory}; }
  void operator()(error_code error, int /*value*/) const {
    EXPECT_FALSE(error);
    if (--*left > 0) begin();
  }
  void begin() const { anew::async_hedge(*loop, *strategy, *hedging, anew::idempotent(two_attempts{loop}), *this); }
};

TEST(HedgeMemory, NothingIsTakenFromTheHeapOnceItIsWarm) {
  plain const strategy{};
  anew::hedge_after<1h> const hedging{};
  pool memory;
  net::io_context loop{1};
  int left = 50;
  next_call const first{&loop, &memory, &strategy, &hedging, &left};
  first.begin();
  while (left > 40) loop.run_one();
  int const made = memory.made;
  auto const the_rest = [&] {
    while (left > 0) loop.run_one();
  };
#if ANEW_TEST_UNDER_TSAN
  the_rest();
#else
  EXPECT_EQ(support::allocations_of(the_rest), 0);
#endif
  EXPECT_EQ(memory.made, made);
  EXPECT_LE(made, 6);
}

}  // namespace
