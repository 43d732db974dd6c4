// SPDX-License-Identifier: BSL-1.0
// What a call costs while it waits, and what its attempts and its handler see of each other.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include <boost/asio/append.hpp>
#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

#include "asio_names.hpp"
#include "asio_support.hpp"
#include "manual_timers.hpp"

namespace {

constexpr std::size_t many = 10'000;
error_code const refused = net::error::connection_refused;

/// Completes in a later turn of the loop.
struct failing_operation {
  net::io_context* loop;
  std::uint64_t* attempts;

  template <class Token>
  auto operator()(anew::attempt& /*self*/, Token&& token) {
    return net::async_initiate<Token, void(error_code, std::size_t)>(
        [](auto handler, failing_operation& of) {
          ++*of.attempts;
          net::post(*of.loop, net::append(std::move(handler), refused, std::size_t{7}));
        },
        token, *this);
  }
};

using plain = anew::strategy<anew::retry_all, anew::constant_backoff<10ms>, anew::no_jitter, anew::max_attempts<50>>;

/// Bytes from the handler's allocator of one of many calls that wait after their first attempt, without the operation's.
template <class Strategy, class Op, class Where, class Bind>
std::int64_t bytes_of_a_waiting_call(net::io_context& loop, Where const& where, Strategy const& strategy, Op const& op,
                                     support::memory_books& memory, Bind bind) {
  std::size_t completed = 0;
  for (std::size_t i = 0; i < many; ++i) {
    anew::async_retry(where, strategy, op,
                      bind(net::bind_allocator(support::counting_allocator<void>{memory},
                                               [&completed](error_code, std::size_t) { ++completed; })));
  }
  loop.poll();
  EXPECT_EQ(completed, 0U);
  return memory.bytes / static_cast<std::int64_t>(many) - static_cast<std::int64_t>(sizeof(Op));
}

constexpr std::int64_t most_bytes = 512;
constexpr auto as_it_is = [](auto handler) { return handler; };

TEST(Memory, AWaitingCallTakesAtMost512BytesBesideItsOperation) {
  using strategy = anew::with<plain, anew::token_bucket<1'000'000>, anew::constant_backoff<1h>>;
  support::memory_books memory;
  std::uint64_t attempts = 0;
  {
    strategy const s{};
    net::io_context loop;
    auto const bytes =
        bytes_of_a_waiting_call(loop, loop.get_executor(), s, failing_operation{&loop, &attempts}, memory, as_it_is);
    EXPECT_EQ(attempts, many);
    EXPECT_GT(bytes, 0);
    EXPECT_LE(bytes, most_bytes);
    RecordProperty("bytes_of_a_call_that_waits_by_asios_timer", static_cast<int>(bytes));
  }
  EXPECT_TRUE(memory.is_balanced());
  {
    strategy const s{};
    net::io_context loop;
    net::cancellation_signal signal;  // of the last of them
    auto const bytes = bytes_of_a_waiting_call(
        loop, loop.get_executor(), s, failing_operation{&loop, &attempts}, memory,
        [&signal](auto handler) { return net::bind_cancellation_slot(signal.slot(), std::move(handler)); });
    EXPECT_LE(bytes, most_bytes);
    RecordProperty("bytes_of_one_that_can_be_stopped", static_cast<int>(bytes));
  }
  EXPECT_TRUE(memory.is_balanced());
  {
    anew::with<strategy, anew::deadline<10h>> const s{};
    net::io_context loop;
    support::manual_time time{loop.get_executor()};
    auto const bytes =
        bytes_of_a_waiting_call(loop, time.timers(), s, failing_operation{&loop, &attempts}, memory, as_it_is);
    EXPECT_LE(bytes, most_bytes);
    EXPECT_EQ(time.pending(), many);
    EXPECT_EQ(time.timers_made(), many);
    RecordProperty("bytes_of_one_with_a_deadline", static_cast<int>(bytes));
  }
  EXPECT_TRUE(memory.is_balanced());
}

/// What an operation finds in the handler that it is given.
struct looking_operation {
  net::io_context* loop;
  net::strand<net::io_context::executor_type> expected;
  support::memory_books* memory;
  bool expects_a_slot;
  std::uint32_t* looked;
  std::unique_ptr<int> moves_only = std::make_unique<int>(0);

  template <class Token>
  auto operator()(anew::attempt& self, Token&& token) {
    return net::async_initiate<Token, void(error_code, std::size_t)>(
        [](auto handler, looking_operation& of, std::uint32_t number) {
          auto const executor = net::get_associated_executor(handler, of.loop->get_executor());
          static_assert(
              std::is_same_v<std::remove_const_t<decltype(executor)>, net::strand<net::io_context::executor_type>>);
          EXPECT_TRUE(executor == of.expected);
          auto const allocator = net::get_associated_allocator(handler);
          EXPECT_EQ(support::counting_allocator<void>{allocator}.books(), of.memory);
          EXPECT_EQ(net::get_associated_cancellation_slot(handler).is_connected(), of.expects_a_slot);
          ++*of.looked;
          net::post(executor, net::append(std::move(handler), number < 3 ? refused : error_code{}, std::size_t{1}));
        },
        token, *this, self.number());
  }
};

TEST(Association, EveryAttemptSeesExecutorAllocatorAndSlotOfTheFinalHandler) {
  for (bool const has_slot : {false, true}) {
    net::io_context loop;
    support::manual_time time{loop.get_executor()};
    support::memory_books memory;
    net::cancellation_signal signal;
    auto const strand = net::make_strand(loop);
    std::uint32_t looked = 0;
    std::uint32_t completed = 0;
    plain const strategy{};
    bool is_inside = true;
    anew::async_retry(time.timers(), strategy, looking_operation{&loop, strand, &memory, has_slot, &looked},
                      net::bind_cancellation_slot(
                          has_slot ? signal.slot() : net::cancellation_slot{},
                          net::bind_allocator(support::counting_allocator<void>{memory},
                                              net::bind_executor(strand, [&, moves_only = std::make_unique<int>(0)](
                                                                             error_code error, std::size_t) {
                                                EXPECT_FALSE(error);
                                                EXPECT_FALSE(is_inside);
                                                EXPECT_TRUE(strand.running_in_this_thread());
                                                EXPECT_TRUE(memory.is_balanced()) << "before the handler";
                                                ++completed;
                                              }))));
    is_inside = false;
    for (int i = 0; i < 10; ++i) {
      loop.restart();
      loop.poll();
      time.advance(10ms);
    }
    EXPECT_EQ(looked, 3U);
    EXPECT_EQ(completed, 1U);
    EXPECT_EQ(time.timers_made(), 1U);
    EXPECT_GT(memory.allocations, 0U);
    EXPECT_TRUE(memory.is_balanced());
  }
}

/// Completes inside its initiating function, against Asio's rules.
struct hasty {
  std::uint64_t last;
  std::uint64_t attempts = 0;
  char const* lowest = nullptr;
  char const* highest = nullptr;

  template <class Token>
  auto operator()(Token&& token) {
    return net::async_initiate<Token, void(error_code)>(
        [](auto handler, hasty& of) {
          // Of the real stack: a sanitizer keeps locals elsewhere.
          auto const* const where = static_cast<char const*>(__builtin_frame_address(0));
          if (of.lowest == nullptr || std::less<>{}(where, of.lowest)) of.lowest = where;
          if (of.highest == nullptr || std::less<>{}(of.highest, where)) of.highest = where;
          std::move(handler)(++of.attempts < of.last ? refused : error_code{});
        },
        token, *this);
  }
};

void expect_bounded_stack(hasty const& operation, auto begin) {
  net::io_context loop;
  std::uint32_t completed = 0;
  bool is_inside = true;
  begin(loop, [&](error_code error) {
    EXPECT_FALSE(error);
    EXPECT_FALSE(is_inside);
    ++completed;
  });
  is_inside = false;
  loop.run();
  EXPECT_EQ(completed, 1U);
  EXPECT_EQ(operation.attempts, operation.last);
  EXPECT_LT(operation.highest - operation.lowest, 65'536);  // as many frames take a hundred times as much
}

using at_once = anew::strategy<anew::retry_all, anew::no_backoff, anew::no_jitter, anew::max_attempts<10'000'000>>;

TEST(Stack, ManyRetriesOfWhatCompletesAtOnce) {
  at_once const strategy{};
  hasty operation{100'000};
  expect_bounded_stack(operation, [&](net::io_context& loop, auto handler) {
    anew::async_retry(loop, strategy, std::ref(operation), std::move(handler));
  });
}

TEST(Stack, ASuccessAtOnceDoesNotCallTheHandlerInsideTheCall) {
  at_once const strategy{};
  for (std::uint64_t const last : {1U, 2U}) {
    hasty by_reference{last};
    expect_bounded_stack(by_reference, [&](net::io_context& loop, auto handler) {
      anew::async_retry(loop, strategy, std::ref(by_reference), std::move(handler));
    });
    hasty called{last};
    expect_bounded_stack(called, [&](net::io_context& loop, auto handler) {
      anew::async_retry(
          loop, strategy,
          [&called](anew::attempt&, auto&& token) { return called(std::forward<decltype(token)>(token)); },
          std::move(handler));
    });
  }
}

}  // namespace
