// SPDX-License-Identifier: BSL-1.0
// What a call does on a loop of one thread. Each pair of an operation and a handler compiles a call of its own, hundreds of
// functions: so one type of handler writes everything down, numbers are arguments, and tokens.test.cpp has the tokens.
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/asio/append.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/nesting/retries_above.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/strategy/adjusted.hpp"
#include "anew/testing/recorder.hpp"

#include "asio_names.hpp"
#include "async_script.hpp"
#include "rejection.hpp"

namespace {

using namespace support;

code const refused = net::error::connection_refused;

template <class Classifier = anew::retry_all, class... More>
auto strategy_of(std::uint32_t attempts, anew::duration delay = {}, Classifier classifier = {}, More... more) {
  return anew::compose(std::move(classifier), anew::constant_backoff{delay}, anew::no_jitter{},
                       anew::max_attempts{attempts}, std::move(more)...);
}

/// A result that says whether it is one.
struct expected_like {
  std::optional<int> value;
  [[nodiscard]] bool has_value() const noexcept { return value.has_value(); }
  [[nodiscard]] code error() const noexcept { return net::error::connection_refused; }
};

/// As text, because every type that is compared is compiled for each comparison.
std::string said(code const& error) { return error ? error.category().name() + (" " + error.message()) : "ok"; }
std::string said(int number) { return std::to_string(number); }
std::string said(unsigned number) { return std::to_string(number); }
std::string said(expected_like const& result) { return said(*result.value); }
std::string said(std::string const& text) { return text; }
std::string said(std::exception_ptr const& thrown) {
  if (thrown == nullptr) return "ok";
  try {
    std::rethrow_exception(thrown);
  } catch (anew::net_system_error const& e) {
    return said(e.code());
  } catch (std::exception const& e) {
    return e.what();
  } catch (...) {
    return "something else";
  }
}

/// What the handler of a call was called with, and whoever looks when it is called.
struct heard {
  int calls = 0;
  std::string last{};
  std::function<void()> looks{};
};
template <class... Args>
struct hears {
  std::shared_ptr<heard> to;
  void operator()(Args... args) const {
    if (to->looks) to->looks();
    ++to->calls;
    to->last.clear();
    ((to->last += (to->last.empty() ? "" : ", ") + said(args)), ...);
  }
};

struct AsyncRetry : testing::Test {
  net::io_context context;
  decltype(strategy_of(3)) strategy = strategy_of(3);
  script twice{context.get_executor(), {refused, refused, {}}};
  std::shared_ptr<heard> end = std::make_shared<heard>();
  hears<code, int> handler{end};

  void run() {
    context.restart();
    context.run();
  }
  /// The arguments at the end of a call on the context.
  template <class... Args, class S, class Op>
  std::string end_of(S&& of, Op&& operation) {
    auto const to = std::make_shared<heard>();
    anew::async_retry(context, std::forward<S>(of), std::forward<Op>(operation), hears<Args...>{to});
    run();
    EXPECT_EQ(to->calls, 1);
    return to->last;
  }
};

TEST_F(AsyncRetry, ARealWaitOnTheOperationsIoObjectStaysInItsThread) {
  auto const waits = strategy_of(3, 1ms);
  auto const before = support::thread_count();
  auto const me = std::this_thread::get_id();
  end->looks = [&] { EXPECT_EQ(std::this_thread::get_id(), me); };
  anew::async_retry(waits, scripted(twice), handler);
  context.run();
  EXPECT_EQ(end->calls, 1);
  EXPECT_EQ(end->last, "ok, 3");
  EXPECT_EQ(support::thread_count(), before);
}

TEST_F(AsyncRetry, ACoroutineWithItsAttempt) {
  int made = 0;
  auto const with = [&](anew::attempt& self) -> net::awaitable<std::string> {
    co_await net::post(context, net::use_awaitable);
    if (++made < 3) throw std::runtime_error{"not yet"};
    co_return std::to_string(self.number());
  };
  EXPECT_EQ((end_of<std::exception_ptr, std::string>(strategy, with)), "ok, 3");
}

TEST_F(AsyncRetry, ACoroutineOnAStrandRunsThereAllTheTime) {
  auto const strand = net::make_strand(context);
  int made = 0;
  int fails_until = 3;
  bool is_bug = false;
  bool was_there = true;
  auto const to = std::make_shared<heard>();
  to->looks = [&] { was_there = was_there && strand.running_in_this_thread(); };
  auto const work = [&]() -> net::awaitable<void> {
    was_there = was_there && strand.running_in_this_thread();
    co_await net::post(net::use_awaitable);
    was_there = was_there && strand.running_in_this_thread();
    if (++made < fails_until && is_bug) throw std::logic_error{"bug"};
    if (made < fails_until) throw std::runtime_error{"not yet"};
  };
  auto const begin = [&] {
    made = 0;
    anew::async_retry(strategy, work, net::bind_executor(strand, hears<std::exception_ptr>{to}));
    run();
    return to->last;
  };
  EXPECT_EQ(begin(), "ok");
  EXPECT_EQ(made, 3);
  fails_until = 10;
  EXPECT_EQ(begin(), "not yet");
  EXPECT_EQ(made, 3);
  is_bug = true;
  EXPECT_EQ(begin(), "bug");
  EXPECT_EQ(made, 1);
  EXPECT_EQ(to->calls, 3);
  EXPECT_TRUE(was_there);
}

/// An operation that has nothing to do with executors: it hides what it is given from Asio.
TEST_F(AsyncRetry, WithoutAnExecutorTheFirstWaitIsRefusedAndNoThreadStarts) {
  auto const before = support::thread_count();
  auto const waits = strategy_of(3, 1ms, anew::retry_all{}, anew::token_bucket<500>{});
  script once{context.get_executor(), {refused, {}}};
  auto const hidden = [&](auto&& token) {
    return net::async_initiate<decltype(token), void(code, int)>(
        [&](auto given) {
          auto const answer = once.next();
          net::post(context,
                    [&once, given = std::move(given), answer]() mutable { std::move(given)(answer, once.made); });
        },
        token);
  };
  anew::async_retry(waits, hidden, handler);
  try {
    context.run();
    FAIL() << "waited somewhere";
  } catch (std::logic_error const& refusal) {
    EXPECT_NE(std::string{refusal.what()}.find("Say where"), std::string::npos);
  }
  EXPECT_EQ(support::thread_count(), before);
  EXPECT_EQ(waits.quota().balance(), 500U);
  EXPECT_EQ(end.use_count(), 2) << "the call's own handler is gone";
  EXPECT_EQ(end->calls, 0);
  anew::async_retry(waits, hidden, handler);  // it is the wait that needs one
  run();
  EXPECT_EQ(end->last, "ok, 2");
}

TEST_F(AsyncRetry, ACallIsToldByItselfWhetherItIsNested) {
  script nested{context.get_executor(), {refused, refused, {}}};
  auto const above = anew::adjusted(strategy, anew::nested_in{});
  auto const below = anew::adjusted(strategy, anew::nested_in{anew::retries_above{2}});
  anew::async_retry(above, scripted(twice), handler);  // both on one thread
  anew::async_retry(below, scripted(nested), handler);
  run();
  EXPECT_EQ(twice.made, 3);
  EXPECT_EQ(nested.made, 1);
}

using is_eof = decltype([](code const& error) { return error == net::error::eof; });

// One part reads Asio's codes, the other the standard's. Each is asked in the type that it reads, in either order: of a
// completion, and of what a coroutine throws.
TEST_F(AsyncRetry, EachPartOfACombinationIsAsked) {
  using codes = anew::error_code_classifier;
  using eof = anew::retry_if<is_eof>;
  auto const attempts_by = [&](auto classifier) {
    auto const combined = strategy_of(4, {}, classifier);
    script posted{context.get_executor(), {net::error::eof, refused, {}}};
    (void)end_of<code, int>(combined, anew::idempotent(scripted(posted)));
    script awaited{context.get_executor(), {net::error::eof, refused, {}}};
    auto const coroutine = [&](anew::attempt& self) -> net::awaitable<std::string> {
      co_return std::to_string(co_await scripted(awaited)(self, net::use_awaitable));
    };
    (void)end_of<std::exception_ptr, std::string>(combined, anew::idempotent(coroutine));
    return std::pair{posted.made, awaited.made};
  };
  std::pair const all{3, 3};
  EXPECT_EQ(attempts_by(anew::any_of<codes, eof>{}), all);
  EXPECT_EQ(attempts_by(anew::any_of<eof, codes>{}), all);
  EXPECT_EQ(attempts_by(anew::first_of<eof, codes>{}), all);
  EXPECT_EQ(attempts_by(codes{}), (std::pair{1, 1}));
  EXPECT_EQ(attempts_by(eof{}), (std::pair{2, 2}));
}

struct is_server_error {
  bool operator()(int status) const { return status >= 500; }
  bool operator()(code const& error) const { return error == net::error::connection_refused; }
};

struct AsyncRetrySignatures : AsyncRetry {
  /// Completes with what it is told to, by the number of the attempt.
  template <class... Args>
  std::tuple<Args...> next_of(std::vector<std::tuple<Args...>> const& all) {
    auto const at = static_cast<std::size_t>(attempts++);
    return all[at < all.size() ? at : all.size() - 1];
  }
  template <class... Args>
  auto completing(std::vector<std::tuple<Args...>> with) {
    attempts = 0;
    return [this, with = std::move(with)](anew::attempt&, auto&& token) {
      return std::apply(
          [&](auto... value) {
            return net::post(context, net::append(std::forward<decltype(token)>(token), std::move(value)...));
          },
          next_of(with));
    };
  }
  int attempts = 0;
};

/// Before anything is posted.
TEST_F(AsyncRetry, AnEmptyOperationIsRefusedWhereTheCallBegins) {
  std::string const refusal = "anew::async_retry: the operation must be callable, but is empty";
  std::function<net::awaitable<std::string>()> const coroutine;
  std::function<void(std::function<void(code)>)> const callback;
  EXPECT_REJECTED(anew::async_retry(context, strategy, coroutine, net::detached), refusal);
  EXPECT_REJECTED(anew::async_retry(context, strategy, std::ref(coroutine), net::detached), refusal);
  EXPECT_REJECTED(anew::async_retry(context, strategy, anew::idempotent(coroutine), net::detached), refusal);
  EXPECT_REJECTED(anew::async_retry(context, strategy, anew::initiates<void(code)>(callback), net::detached), refusal);
  EXPECT_EQ(context.run(), 0U);
}

TEST_F(AsyncRetrySignatures, NothingIsASuccess) {
  end_of<>(strategy,
           [&](auto&& token) { return ++attempts, net::post(context, std::forward<decltype(token)>(token)); });
  EXPECT_EQ(attempts, 1);
}

TEST_F(AsyncRetrySignatures, AnErrorCodeAloneOfAnOperationWithoutItsAttempt) {
  auto const operation = [&](auto&& token) {
    return ++attempts, net::post(context, net::append(std::forward<decltype(token)>(token), twice.next()));
  };
  EXPECT_EQ(end_of<code>(strategy, operation), "ok");
  EXPECT_EQ(attempts, 3);
}

TEST_F(AsyncRetrySignatures, AnExceptionAndAValueAndOneThatNobodyReads) {
  anew::testing::recorder::heard seen;
  auto const by_int = strategy_of(3, {}, anew::retry_on<int>{}, anew::testing::recorder{seen});
  auto const busy = std::make_exception_ptr(7);
  auto const bug = std::make_exception_ptr(std::logic_error{"bug"});
  auto const begin = [&](std::exception_ptr const& thrown) {
    return end_of<std::exception_ptr, unsigned>(
        by_int, completing<std::exception_ptr, unsigned>({{thrown, 0U}, {nullptr, 7U}}));
  };
  EXPECT_EQ(begin(busy), "ok, 7");
  EXPECT_EQ(attempts, 2);
  EXPECT_EQ(begin(bug), "bug, 0");
  EXPECT_EQ(attempts, 1);
  ASSERT_EQ(seen.ends.size(), 2U);
  EXPECT_EQ(seen.ends[1].reason, anew::stop_reason::unclassified);
}

TEST_F(AsyncRetrySignatures, WhatACoroutineReturnsIsReadAsRetryReadsIt) {
  auto const client = [&]() -> net::awaitable<bool> { co_return ++attempts == 3; };
  EXPECT_EQ((end_of<std::exception_ptr, bool>(strategy, client)), "ok, 1");
  EXPECT_EQ(attempts, 3);
}

TEST_F(AsyncRetrySignatures, ABoolAndAStrategyThatTheCallKeeps) {
  EXPECT_EQ(end_of<bool>(strategy_of(3), completing<bool>({{false}, {true}})), "1");
  EXPECT_EQ(attempts, 2);
  EXPECT_EQ(end_of<bool>(strategy_of(4), completing<bool>({{false}})), "0");
  EXPECT_EQ(attempts, 4);
}

TEST_F(AsyncRetrySignatures, AValueOrAnError) {
  EXPECT_EQ(end_of<expected_like>(strategy, completing<expected_like>({{expected_like{}}, {expected_like{5}}})), "5");
  EXPECT_EQ(attempts, 2);
}

TEST_F(AsyncRetrySignatures, AValueThatTheClassifierReads) {
  auto const reads = strategy_of(3, {}, anew::retry_while<is_server_error>{});
  EXPECT_EQ(end_of<int>(reads, completing<int>({{503}, {200}})), "200");
  EXPECT_EQ(attempts, 2);
}

TEST_F(AsyncRetrySignatures, AnErrorCodeAndAValueThatTheClassifierReads) {
  auto const reads =
      strategy_of(3, {}, anew::any_of<anew::retry_while<is_server_error>, anew::retry_if<is_server_error>>{});
  auto const end_after = [&](std::vector<std::tuple<code, int>> answers) {
    return end_of<code, int>(reads, completing<code, int>(std::move(answers)));
  };
  EXPECT_EQ(end_after({{refused, 0}, {code{}, 503}, {code{}, 404}}), "ok, 404");
  EXPECT_EQ(attempts, 3);
  EXPECT_EQ(end_after({{code{}, 500}}), "ok, 500");
  EXPECT_EQ(attempts, 3);
}

}  // namespace
