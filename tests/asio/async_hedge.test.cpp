// SPDX-License-Identifier: BSL-1.0
// Several attempts of one call: who wins, what becomes of the others, and that a call ends once whatever happens to it.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <future>
#include <map>
#include <memory_resource>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/experimental/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/testing/manual_clock.hpp"

#include "asio_names.hpp"
#include "asio_support.hpp"
#include "counted_heap.hpp"
#include "far_side.hpp"
#include "manual_timers.hpp"

namespace {

using namespace anew;
using namespace support;

using numbers = std::vector<std::uint32_t>;

struct outcome {
  int completions = 0;
  error_code error;
  std::uint32_t number = 0;
};

using plain = strategy<support::answers_by_code, constant_backoff<5ms>, no_jitter, max_attempts<4>>;

struct AsyncHedge : ::testing::Test {
  void turn() {
    loop.restart();
    loop.poll();
  }
  void pass(duration by) {
    turn();
    time.advance(by);
    turn();
  }
  [[nodiscard]] auto into(outcome& of) {
    return [&of](error_code error, answer value) {
      ++of.completions;
      of.error = error;
      of.number = value.number();
    };
  }
  void begin(auto const& by, auto const& when) {
    async_hedge(time.timers(), by, when, there.operation(), net::bind_cancellation_slot(signal.slot(), into(end)));
    turn();
  }
  void TearDown() override { EXPECT_EQ(answer::alive, 0); }

  net::io_context loop;
  support::manual_time time{loop.get_executor()};
  far_side there{loop};
  net::cancellation_signal signal;
  outcome end;
  plain const strategy{};
  hedge_after<10ms> const hedging{};
};

// What happens to a call: a script moves the time and ends attempts, the books say what the driver did at each word.

struct setting {
  std::uint32_t attempts = 4;
  bool is_limited = false;  // each attempt to 25 ms
  bool refuses = false;     // the quota
  when_pushed_back then = when_pushed_back::wait;
};
/// `begin` the call, and run the loop; `+N` run it, N ms pass, run it; `~N` they pass alone; `turn` run it. `N:word`
/// ends attempt N with that code, `N.gone` throws it away, and `:` runs the loop then; names of types of cancellation are
/// emitted. `deaf`, `inside` and `leaves` are manners of the attempts.
struct row {
  char const* name;
  std::uint32_t hedges;
  char const* script;
  char const* books;
  setting with{};
  friend void PrintTo(row const& self, std::ostream* to) { *to << self.name; }
};

std::map<std::string, error_code> const codes{{"ok", {}},
                                              {"transient", transient},
                                              {"fatal", fatal},
                                              {"other", other},
                                              {"pushed_back", pushed_back},
                                              {"aborted", aborted},
                                              {"timed_out", net::error::timed_out}};
std::map<std::string, net::cancellation_type_t> const signals{{"none", net::cancellation_type::none},
                                                              {"partial", net::cancellation_type::partial},
                                                              {"total", net::cancellation_type::total},
                                                              {"terminal", net::cancellation_type::terminal}};

struct AsyncHedgeStories : AsyncHedge {
  void play(row const& of, auto const& by) {
    hedge_after const when{10ms, of.hedges, of.with.then};
    std::istringstream words{of.script};
    for (std::string word; words >> word;) {
      tell(word, by, when);
      note(word);
    }
    turn();
    EXPECT_TRUE(loop.stopped());
    EXPECT_EQ(there.in_flight(), 0U);
    EXPECT_EQ(time.pending(), 0U);
    EXPECT_LE(end.completions, 1);
  }
  void tell(std::string const& word, auto const& by, auto const& when) {
    if (word.starts_with("begin")) {
      async_hedge(time.timers(), by, when, there.operation(), net::bind_cancellation_slot(signal.slot(), into(end)));
    }
    there.is_deaf = there.is_deaf || word == "deaf";
    there.ends_inside_its_cancellation = there.ends_inside_its_cancellation || word == "inside";
    there.leaves_its_slot = there.leaves_its_slot || word == "leaves";
    if (auto const type = signals.find(word); type != signals.end()) signal.emit(type->second);
    if (word[0] == '+') pass(1ms * std::stoi(word));
    if (word[0] == '~') time.advance(1ms * std::stoi(word.substr(1)));
    if (word[0] >= '0' && word[0] <= '9') {
      auto const number = static_cast<std::uint32_t>(word[0] - '0');
      word.substr(2) == "gone" ? there.forget(number) : there.complete(number, codes.at(word.substr(2)));
    }
    if (word == "begin" || word == "turn" || word[1] == ':') turn();
  }
  /// What has happened since the last word.
  void note(std::string const& word) {
    std::string line;
    for (; started != there.started.size(); ++started) line += " start " + std::to_string(there.started[started]);
    for (; cancelled != there.cancelled.size(); ++cancelled)
      line += " cancel " + std::to_string(there.cancelled[cancelled]);
    if (end.completions != std::exchange(ended, end.completions)) {
      auto const is_it = [&](auto const& code) { return code.second == end.error; };
      line += " end " + std::to_string(end.number) + " " + std::find_if(codes.begin(), codes.end(), is_it)->first;
    }
    if (!line.empty()) books.append(books.empty() ? "" : "; ").append(word).append(" =>").append(line);
  }
  std::size_t started = 0, cancelled = 0;
  int ended = 0;
  std::string books;
};

// clang-format off: it would put each word of a row on a line of its own
row const rows[]{
    {"a first answer in time is alone", 1, "begin +9 1:ok", "begin => start 1; 1:ok => end 1 ok"},
    {"the winner is delivered when the loser has come back", 1, "begin +10 deaf 2:ok 1:ok",
     "begin => start 1; +10 => start 2; 2:ok => cancel 1; 1:ok => end 2 ok"},
    {"a refused hedge leaves the first alone", 1, "begin +1000 1:ok",
     "begin => start 1; 1:ok => end 1 ok", {.refuses = true}},
    {"a retryable error starts the next at once", 1, "begin 1:transient 2:ok",
     "begin => start 1; 1:transient => start 2; 2:ok => end 2 ok"},
    {"a fatal error ends the call", 1, "begin +10 1:fatal",
     "begin => start 1; +10 => start 2; 1:fatal => cancel 2 end 1 fatal"},
    {"pushback stops hedges where it is told to", 2, "begin +10 1:pushed_back +1000 2:ok",
     "begin => start 1; +10 => start 2; 2:ok => end 2 ok", {.then = when_pushed_back::stop}},
    {"the last of all failures is the call's", 1, "begin +10 2:transient 1:other",
     "begin => start 1; +10 => start 2; 1:other => end 1 other", {.attempts = 2}},
    {"a second round comes after the backoff, and is hedged too", 1,
     "begin +10 1:transient 2:transient +4 +1 +10 4:ok",
     "begin => start 1; +10 => start 2; +1 => start 3; +10 => start 4; 4:ok => cancel 3 end 4 ok"},
    {"each attempt has its limit", 1, "begin +10 +14 +1 +10",
     "begin => start 1; +10 => start 2; +1 => cancel 1; +10 => cancel 2 end 2 timed_out",
     {.attempts = 2, .is_limited = true}},
    {"a winner takes its limits back", 1, "begin +10 2:ok",
     "begin => start 1; +10 => start 2; 2:ok => cancel 1 end 2 ok", {.is_limited = true}},
    {"a stopped call cancels all attempts", 1, "begin +10 partial turn",
     "begin => start 1; +10 => start 2; partial => cancel 1 cancel 2; turn => end 2 aborted"},
    {"a success after a stop is still one", 1, "begin +10 1.ok terminal turn",
     "begin => start 1; +10 => start 2; terminal => cancel 1 cancel 2; turn => cancel 2 end 1 ok"},
    {"a stopped call tells the end of its last attempt", 1, "deaf begin terminal 1:other",
     "begin => start 1; terminal => cancel 1; 1:other => end 1 other"},
    {"a stop between rounds ends in its turn", 0, "begin 1:transient terminal turn",
     "begin => start 1; turn => end 1 aborted"},
    {"a stop before the first turn makes no attempt", 1, "begin. terminal turn", "turn => end 0 aborted"},
    {"a signal that asks for nothing does nothing", 1, "begin none +10 1:ok",
     "begin => start 1; +10 => start 2; 1:ok => cancel 2 end 1 ok"},
    {"whoever cancels one attempt cancels the call", 1, "begin +10 1:aborted",
     "begin => start 1; +10 => start 2; 1:aborted => cancel 2 end 2 aborted"},
    {"what an attempt that is over left in its slot is not called", 1, "leaves begin +10 1:transient total turn",
     "begin => start 1; +10 => start 2; total => cancel 2; turn => end 2 aborted"},
    {"a timer that had fired when it was set again is stale", 2, "begin 1.transient ~10 turn +9 +1 3:ok",
     "begin => start 1; turn => start 2; +1 => start 3; 3:ok => cancel 2 end 3 ok"},
    {"attempts that end inside their cancellation", 3, "inside begin +10 +10 terminal turn",
     "begin => start 1; +10 => start 2; +10 => start 3; terminal => cancel 1 cancel 2 cancel 3; "
     "turn => end 3 aborted"},
    {"an attempt that goes away ends the call and cancels the others", 1, "begin +10 1.gone +3600000",
     "begin => start 1; +10 => start 2; 1.gone => cancel 2"},
    {"a loser that goes away holds nothing up", 1, "begin +10 deaf 2:ok 1.gone turn",
     "begin => start 1; +10 => start 2; 2:ok => cancel 1; turn => end 2 ok"},
    {"a loser that goes away takes its limit back", 1, "begin +10 deaf 2:ok 1.gone turn",
     "begin => start 1; +10 => start 2; 2:ok => cancel 1; turn => end 2 ok", {.is_limited = true}},
};
// clang-format on

struct AsyncHedgeStory : AsyncHedgeStories, ::testing::WithParamInterface<row> {};
INSTANTIATE_TEST_SUITE_P(Rows, AsyncHedgeStory, ::testing::ValuesIn(rows));
TEST_P(AsyncHedgeStory, IsToldInItsBooks) {
  auto const& of = GetParam();
  support::quota_state quota{.refuses = of.with.refuses};
  auto const strategy_with = [&](auto... more) {
    return compose(support::answers_by_code{}, constant_backoff<5ms>{}, no_jitter{}, max_attempts{of.with.attempts},
                   support::counted_quota{quota}, more...);
  };
  if (of.with.is_limited) {
    play(of, strategy_with(attempt_timeout<25ms>{}, anew::testing::manual_clock{}));
  } else {
    play(of, strategy_with());
    EXPECT_LE(time.timers_made(), 1U);
  }
  EXPECT_EQ(books, of.books) << of.name;
  EXPECT_EQ(quota.out, 0);
}

TEST_F(AsyncHedge, AnAttemptThatIsAtItIsNotToldToStop) {
  begin(strategy, hedging);
  pass(10ms);
  EXPECT_FALSE(there.attempts[1]->stop_requested());
  EXPECT_FALSE(there.attempts[2]->stop_requested());
  there.is_deaf = true;
  there.complete(2);
  turn();
  EXPECT_TRUE(there.attempts[1]->stop_requested());
  there.complete(1);
  turn();
  EXPECT_EQ(end.number, 2U);
}

/// A coroutine that returns the code with which its limit cancelled it: the other attempt goes on.
TEST_F(AsyncHedge, ALateCoroutineThatReturnsItsErrorEndsNoOther) {
  using named = with<plain, retry_on_codes<std::errc::timed_out>>;
  with<named, attempt_timeout<25ms>, max_attempts<2>, anew::testing::manual_clock> const s{};
  net::steady_timer first{loop, net::steady_timer::time_point::max()};
  net::steady_timer second{loop, net::steady_timer::time_point::max()};
  bool is_answered = false;
  std::optional<std::error_code> result;
  auto const operation = [&](attempt& self) -> net::awaitable<std::error_code> {
    auto& work = self.number() == 1 ? first : second;
    auto const [code] = co_await work.async_wait(net::experimental::as_tuple(net::use_awaitable));
    co_return self.number() == 2 && is_answered ? std::error_code{} : static_cast<std::error_code>(code);
  };
  async_hedge(time.timers(), s, hedging, idempotent(operation),
              [&](std::exception_ptr const& /*thrown*/, std::error_code code) { result = code; });
  turn();
  pass(10ms);  // the second begins
  pass(15ms);  // the first is late
  EXPECT_FALSE(result.has_value()) << "the second is under way";
  is_answered = true;
  second.cancel();
  turn();
  EXPECT_EQ(result, std::error_code{});
}

TEST_F(AsyncHedge, TimersThatAreClosedSendNoHedgeAndEndAWait) {
  async_hedge(support::closed_timers{loop.get_executor()}, strategy, hedging, there.operation(), into(end));
  turn();
  EXPECT_EQ(there.started, numbers{1});
  EXPECT_TRUE(there.cancelled.empty());
  there.complete(1, transient);  // and no other attempt
  turn();
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, transient);
  there.started.clear();
  async_hedge(support::closed_timers{loop.get_executor()}, strategy, hedge_at_once<0>{}, there.operation(), into(end));
  turn();
  there.complete(1, transient);
  turn();
  EXPECT_EQ(there.started, numbers{1});
  EXPECT_EQ(end.completions, 2);
  EXPECT_EQ(end.error, aborted);
}

TEST_F(AsyncHedge, CompletionsInsideTheInitiationAreLookedAtLater) {
  there.at_once = transient;
  with<plain, no_backoff, max_attempts<5000>> const s{};
  begin(s, hedging);
  pass(1s);
  EXPECT_EQ(there.started.size(), 5000U);  // one after another, and not one inside another
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, transient);
  EXPECT_EQ(end.number, 5000U);
}

TEST_F(AsyncHedge, AnAttemptThatIsDroppedInsideTheInitiationOfAnotherCancelsThatOne) {
  there.on_start = [&](std::uint32_t number) {
    if (number == 2) there.forget(1);
  };
  begin(strategy, hedging);
  pass(10ms);
  EXPECT_EQ(there.cancelled, numbers{2});
  EXPECT_EQ(there.in_flight(), 0U);
  EXPECT_EQ(end.completions, 0);
}

TEST_F(AsyncHedge, DeferredAndFuture) {
  auto later = async_hedge(time.timers(), strategy, hedging, there.operation(), net::deferred);
  turn();
  EXPECT_TRUE(there.started.empty());
  std::move(later)(into(end));
  turn();
  there.complete(1);
  turn();
  EXPECT_EQ(end.number, 1U);
  auto future = async_hedge(loop, strategy, hedging, there.operation(), net::use_future);
  turn();
  there.complete(1);
  turn();
  ASSERT_EQ(future.wait_for(0s), std::future_status::ready);
  EXPECT_EQ(future.get().number(), 1U);
}

TEST_F(AsyncHedge, CoroutinesAsOperationAndAsCaller) {
  int begun = 0;
  int ended = 0;
  struct at_end {
    int* count;
    ~at_end() { ++*count; }
  };
  auto const read = [&](attempt& self) -> net::awaitable<std::uint32_t> {
    ++begun;
    at_end const guard{&ended};
    auto const number = self.number();
    net::steady_timer never{co_await net::this_coro::executor, number == 1 ? std::chrono::hours{1} : 0h};
    co_await never.async_wait(net::use_awaitable);
    co_return number;
  };
  std::uint32_t winner = 0;
  net::co_spawn(
      loop,
      [&]() -> net::awaitable<void> {
        winner = co_await async_hedge(time.timers(), strategy, hedging, idempotent(read), net::use_awaitable);
      },
      [](std::exception_ptr const& thrown) { EXPECT_EQ(thrown, nullptr); });
  pass(10ms);
  loop.restart();
  loop.run_for(5s);  // ends at once, unless something is left
  EXPECT_EQ(winner, 2U);
  EXPECT_EQ(begun, 2);
  EXPECT_EQ(ended, 2);
}

/// Two attempts each: a first that fails, and a hedge that succeeds.
struct two_attempts {
  net::io_context* loop;
  template <class Token>
  auto operator()(attempt& self, Token&& token) const {
    auto const error = self.number() == 1 ? support::transient : error_code{};
    return net::post(*loop, net::append(std::forward<Token>(token), error, 1));
  }
};

struct next_call {
  net::io_context* loop;
  std::pmr::memory_resource* memory;
  plain const* strategy;
  hedge_after<1h> const* hedging;
  int* left;
  using allocator_type = std::pmr::polymorphic_allocator<>;
  [[nodiscard]] allocator_type get_allocator() const noexcept { return memory; }
  void operator()(error_code error, int /*value*/) const {
    EXPECT_FALSE(error);
    if (--*left > 0) begin();
  }
  void begin() const { async_hedge(*loop, *strategy, *hedging, idempotent(two_attempts{loop}), *this); }
};

TEST(HedgeMemory, NothingIsTakenFromTheHeapOnceItIsWarm) {
  plain const strategy{};
  hedge_after<1h> const hedging{};
  std::pmr::unsynchronized_pool_resource memory;
  net::io_context loop{1};
  int left = 50;
  next_call const first{&loop, &memory, &strategy, &hedging, &left};
  first.begin();
  while (left > 40) loop.run_one();
  auto const the_rest = [&] {
    while (left > 0) loop.run_one();
  };
#if ANEW_TEST_UNDER_TSAN
  the_rest();
#else
  EXPECT_EQ(support::allocations_of(the_rest), 0);
#endif
}

}  // namespace
