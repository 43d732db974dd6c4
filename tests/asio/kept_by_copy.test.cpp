// SPDX-License-Identifier: BSL-1.0
// Operations that move with the completion handler.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/append.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/drivers/declarations.hpp"

#include "asio_names.hpp"
#include "asio_support.hpp"

namespace {

error_code const refused = net::error::connection_refused;

/// What is kept outside of an operation that is copied.
struct record {
  net::io_context loop;
  std::uint32_t failures = 0;
  std::vector<std::string> requests;
  std::vector<std::uint32_t> numbers;
  std::vector<void const*> addresses;
};

/// Sends a request of its own, which is longer than what fits into a string.
struct sender {
  record* to;
  std::string request = std::string(100, 'x');

  template <class Token>
  auto operator()(Token&& token) const {
    to->requests.push_back(request);
    to->addresses.push_back(this);
    auto const answer = to->requests.size() <= to->failures ? refused : error_code{};
    return net::post(to->loop, net::append(std::forward<Token>(token), answer, 7));
  }
};
struct told_sender : sender {
  template <class Token>
  auto operator()(anew::attempt& self, Token&& token) const {
    to->numbers.push_back(self.number());
    EXPECT_EQ(self.is_retry(), self.number() > 1);
    EXPECT_FALSE(self.stop_requested());
    return sender::operator()(std::forward<Token>(token));
  }
};

using quick = anew::strategy<anew::retry_all, anew::no_backoff, anew::no_jitter, anew::max_attempts<5>>;
quick const strategy{};

/// How an operation's call ended, and what it took of its handler's allocator.
struct ending {
  error_code error{};
  int value = 0;
  std::uint64_t allocations = 0;
};
template <class Op>
ending run(record& of, Op&& operation) {
  support::memory_books books;
  ending seen;
  int calls = 0;
  anew::async_retry(
      strategy, std::forward<Op>(operation),
      net::bind_executor(of.loop.get_executor(), net::bind_allocator(support::counting_allocator<void>{books},
                                                                     [&](error_code error, int value) {
                                                                       ++calls;
                                                                       seen.error = error;
                                                                       seen.value = value;
                                                                       EXPECT_TRUE(books.is_balanced());
                                                                     })));
  of.loop.run();
  of.loop.restart();
  EXPECT_EQ(calls, 1);
  seen.allocations = books.allocations;
  return seen;
}

TEST(Relocatable, ASuccessAtOnceTakesNoMemoryForItsCall) {
  record of;
  auto const plain = run(of, sender{&of});
  auto const moved = run(of, anew::kept_by_copy(sender{&of}));
  EXPECT_EQ(moved.value, 7);
  EXPECT_FALSE(moved.error);
  EXPECT_EQ(moved.allocations + 1, plain.allocations);
  EXPECT_EQ(of.requests, (std::vector<std::string>(2, std::string(100, 'x'))));
}

TEST(Relocatable, EveryRetryHasWhatTheFirstAttemptHad) {
  record of;
  of.failures = 3;
  auto const seen = run(of, anew::kept_by_copy(told_sender{{&of}}));
  EXPECT_FALSE(seen.error);
  EXPECT_EQ(of.requests, (std::vector<std::string>(4, std::string(100, 'x'))));
  EXPECT_EQ(of.numbers, (std::vector<std::uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(of.addresses[1], of.addresses[3]);  // from the second attempt on it stays
}

TEST(Relocatable, StaysSoInsideAndOutsideOfOtherDeclarations) {
  record of;
  auto const plain = run(of, sender{&of});
  EXPECT_EQ(run(of, anew::idempotent(anew::kept_by_copy(sender{&of}))).allocations + 1, plain.allocations);
  EXPECT_EQ(run(of, anew::kept_by_copy(anew::idempotent(sender{&of}))).allocations + 1, plain.allocations);
}

TEST(Relocatable, IsRewoundBeforeARetry) {
  for (bool const is_outside : {false, true}) {
    record of;
    of.failures = 2;
    int rewound = 0;
    auto const rewind = [&] { ++rewound; };
    auto const seen = is_outside ? run(of, anew::rewinding(anew::kept_by_copy(sender{&of}), rewind))
                                 : run(of, anew::kept_by_copy(anew::rewinding(sender{&of}, rewind)));
    EXPECT_FALSE(seen.error);
    EXPECT_EQ(rewound, 2);
    EXPECT_EQ(of.requests.size(), 3U);
  }
}

TEST(Relocatable, ARewindThatIsNotDeclaredRelocatableKeepsItsAddress) {
  record of;
  auto const plain = run(of, sender{&of});
  auto const seen = run(of, anew::rewinding(anew::kept_by_copy(sender{&of}), [] {}));
  EXPECT_EQ(seen.allocations, plain.allocations);
}

TEST(Relocatable, AnEmptyOperationMayStillChange) {
  record of;
  static record* where;
  where = &of;
  auto const seen = run(of, [](auto&& token) mutable { return sender{where}(std::forward<decltype(token)>(token)); });
  EXPECT_FALSE(seen.error);
}

}  // namespace
