// SPDX-License-Identifier: BSL-1.0
// The memory that calls leave to each other, in each thread its own.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/append.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

#include "asio_names.hpp"

namespace {

error_code const refused = net::error::connection_refused;

using quick = anew::strategy<anew::retry_all, anew::no_backoff, anew::no_jitter, anew::max_attempts<5>>;
quick const strategy{};

/// What is kept outside of an operation that is copied.
struct record {
  net::io_context loop;
  std::uint32_t failures = 0;
  std::uint32_t requests = 0;
};

/// An operation with so much of its own.
template <std::size_t Size>
struct sized {
  record* to;
  std::array<char, Size> own{};
  explicit sized(record* of) : to{of} { own.fill('y'); }
  template <class Token>
  auto operator()(Token&& token) const {
    for (char const c : own) EXPECT_EQ(c, 'y');
    auto const answer = ++to->requests <= to->failures ? refused : error_code{};
    return net::post(to->loop, net::append(std::forward<Token>(token), answer, 7));
  }
};

/// Begins the next call in each handler, of another size, with some of them at the same time.
struct chain {
  record* of;
  int left;
  int* ended;
  void operator()(error_code error, int value) const {
    EXPECT_FALSE(error);
    EXPECT_EQ(value, 7);
    ++*ended;
    go_on();
  }
  void go_on() const {
    if (left == 0) return;
    chain const next{of, left - 1, ended};
    switch (left % 4) {
      case 0: return anew::async_retry(of->loop, strategy, sized<64>{of}, next);
      case 1: return anew::async_retry(of->loop, strategy, sized<640>{of}, next);
      case 2: return anew::async_retry(of->loop, strategy, sized<64>{of}, next);
      default: return anew::async_retry(of->loop, strategy, sized<2000>{of}, next);
    }
  }
};

TEST(KeptBlock, CallsOfEverySizeTakeTheMemoryOfOthersInEveryThread) {
  auto const some_calls = [] {
    record of;
    of.failures = 7;
    int ended = 0;
    for (int i = 0; i != 3; ++i) chain{&of, 40, &ended}.go_on();
    of.loop.run();
    EXPECT_EQ(ended, 120);
  };
  some_calls();
  std::vector<std::thread> threads;
  for (int i = 0; i != 3; ++i) threads.emplace_back(some_calls);
  for (auto& each : threads) each.join();
}

/// Is destroyed at the end of its thread, with a call in it.
struct late_loop {
  std::unique_ptr<record> of = std::make_unique<record>();
  ~late_loop() { of.reset(); }
};

TEST(KeptBlock, ACallMayEndAfterWhatItsThreadKept) {
  std::thread{[] {
    static thread_local late_loop last;
    anew::async_retry(last.of->loop, strategy, sized<64>{last.of.get()}, [](error_code, int) {});
    int ended = 0;
    record of;
    chain{&of, 5, &ended}.go_on();
    of.loop.run();
    EXPECT_EQ(ended, 5);
  }}.join();
}

TEST(KeptBlock, IsTheOneThatCameLast) {
  std::thread{[] {
    net::recycling_allocator<std::byte> memory;
    std::byte* const blocks[] = {memory.allocate(64), memory.allocate(64)};
    for (auto* const each : blocks) {
      anew::detail::kept_block::keep(each, 64);
      EXPECT_EQ(anew::detail::kept_block::take(), each);
    }
    for (auto* const each : blocks) memory.deallocate(each, 64);
  }}.join();
}

// A block that is kept may be taken by any call of its size, which must not need more alignment than it has.
struct alignas(64) over_aligned {
  std::array<char, 64> bytes;
};
struct ordinary {
  std::array<char, 64> bytes;
};
using recycled = net::recycling_allocator<void>;
static_assert(!anew::detail::block_memory<over_aligned, recycled>::is_kept);
#ifndef BOOST_ASIO_DISABLE_SMALL_BLOCK_RECYCLING
static_assert(anew::detail::block_memory<ordinary, recycled>::is_kept);
#endif

}  // namespace
