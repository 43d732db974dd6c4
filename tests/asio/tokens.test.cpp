// SPDX-License-Identifier: BSL-1.0
// Every completion token and every composition that the documents promise, and what is read of Asio's codes: with each
// Asio that is promised. `sh tests/asio/run_on.sh` compiles this file against any of them; the suite does so with the
// Asio of its Boost.
#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/bridges/asio/internal/net.hpp"

#ifdef ANEW_STANDALONE_ASIO
#include <asio.hpp>

#include <asio/experimental/awaitable_operators.hpp>
#include <asio/experimental/channel.hpp>
#include <asio/experimental/parallel_group.hpp>
#else
#include <boost/asio.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#endif

#if ANEW_ASIO_VERSION >= 102600
#ifdef ANEW_STANDALONE_ASIO
#include <asio/experimental/promise.hpp>
#include <asio/experimental/use_promise.hpp>
#else
#include <boost/asio/experimental/promise.hpp>
#include <boost/asio/experimental/use_promise.hpp>
#endif
#endif

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/bridges/asio/async_hedge.hpp"
#include "anew/bridges/asio/initiates.hpp"
#include "anew/coroutine.hpp"
#include "anew/drivers/hedge/hedging.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/retry_if.hpp"
#include "anew/policies/classifier/retry_on.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

#include "asio_codes.hpp"
#include "async_script.hpp"
#include "manual_timers.hpp"

namespace tokens {

/// A completion token of a user's own: it writes the arguments down.
template <class... Args>
struct write_down {
  std::optional<std::tuple<Args...>>* into;
};
/// Finds out which executor the initiation of an operation is associated with.
struct ask_executor {};

}  // namespace tokens

#ifdef ANEW_STANDALONE_ASIO
namespace asio {
#else
namespace boost::asio {
#endif

template <class... Args>
class async_result<::tokens::write_down<Args...>, void(Args...)> {
 public:
  template <class Initiation, class... Rest>
  static void initiate(Initiation&& initiation, ::tokens::write_down<Args...> token, Rest&&... rest) {
    std::forward<Initiation>(initiation)([token](Args... args) { token.into->emplace(std::move(args)...); },
                                         std::forward<Rest>(rest)...);
  }
};

template <class Signature>
class async_result<::tokens::ask_executor, Signature> {
 public:
  static auto initiate(auto&& initiation, ::tokens::ask_executor /*token*/, auto&&... /*rest*/) {
    return get_associated_executor(initiation);
  }
};

#ifdef ANEW_STANDALONE_ASIO
}  // namespace asio
#else
}  // namespace boost::asio
#endif

namespace {

using namespace std::chrono_literals;
namespace net = anew::net;
using net::experimental::awaitable_operators::operator||;
using net::experimental::awaitable_operators::operator&&;
using support::code;
using support::script;
using support::scripted;

code const refused = net::error::connection_refused;
code const reset = net::error::connection_reset;
code const aborted = net::error::operation_aborted;

using at_once = anew::strategy<anew::retry_all, anew::no_backoff, anew::no_jitter, anew::max_attempts<3>>;
using by_code = anew::with<at_once, anew::error_code_classifier>;
using patient = anew::with<at_once, anew::constant_backoff<1h>>;  // nobody waits that long: time is moved by hand

/// One operation that succeeds at its third attempt, another that never does, and one that waits to be cancelled.
struct AsioTokens : testing::Test {
  net::io_context context;
  support::manual_time time{context.get_executor()};
  at_once strategy{};
  script twice{context.get_executor(), {refused, refused, {}}};
  script always{context.get_executor(), {refused, reset, refused}};
  net::steady_timer never{context, net::steady_timer::time_point::max()};
  int attempts = 0;
  std::optional<code> end;
  int value = 0;

  /// A handler that keeps what it is called with.
  auto keeping() {
    return [this](code error, int number) {
      end = error;
      value = number;
    };
  }
  auto keeping_code() {
    return [this](code error) { end = error; };
  }
  void run_on() {
    context.restart();
    context.run();
  }
  /// Runs the loop, and expects that the call succeeded at its third attempt.
  void expect_third() {
    run_on();
    EXPECT_EQ(end, code{});
    EXPECT_EQ(value, 3);
  }
  auto waiting() {
    return [this](auto&& token) { return ++attempts, never.async_wait(std::forward<decltype(token)>(token)); };
  }
  /// Runs a coroutine to its end.
  void run(auto body) {
    bool is_over = false;
    net::co_spawn(context, std::move(body), [&](std::exception_ptr thrown) {
      is_over = true;
      if (thrown) std::rethrow_exception(thrown);
    });
    run_on();
    EXPECT_TRUE(is_over);
  }
};
using AsioCompositions = AsioTokens;
using AsioCodes = AsioTokens;

TEST_F(AsioTokens, AMoveOnlyHandlerAndResult) {
  auto const operation = [&](anew::attempt& self, auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token), self.is_retry() ? code{} : refused,
                                          std::make_unique<unsigned>(self.number())));
  };
  std::unique_ptr<unsigned> result;
  anew::async_retry(strategy, operation,
                    [&result, held = std::make_unique<int>(1)](code error, std::unique_ptr<unsigned> number) {
                      EXPECT_FALSE(error);
                      EXPECT_EQ(*held, 1);
                      result = std::move(number);
                    });
  context.run();
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(*result, 2U);
}

TEST_F(AsioTokens, UseFuture) {
  auto good = anew::async_retry(strategy, scripted(twice), net::use_future);
  auto bad = anew::async_retry(context, strategy, scripted(always), net::use_future);
  context.run();
  ASSERT_EQ(good.wait_for(0s), std::future_status::ready);
  EXPECT_EQ(good.get(), 3);
  ASSERT_EQ(bad.wait_for(0s), std::future_status::ready);
  EXPECT_THROW(bad.get(), anew::net_system_error);
}

TEST_F(AsioTokens, UseAwaitableAsTupleAndRedirectError) {
  run([&]() -> net::awaitable<void> {
    EXPECT_EQ(co_await anew::async_retry(strategy, scripted(twice), net::use_awaitable), 3);
    try {
      co_await anew::async_retry(strategy, scripted(always), net::use_awaitable);
      ADD_FAILURE() << "the error was not thrown";
    } catch (anew::net_system_error const& e) {
      EXPECT_EQ(e.code(), refused);
    }
    always.made = 0;
    EXPECT_EQ(co_await anew::async_retry(strategy, scripted(always), net::as_tuple(net::use_awaitable)),
              std::tuple(refused, 3));
    always.made = 0;
    code error;
    EXPECT_EQ(co_await anew::async_retry(strategy, scripted(always), net::redirect_error(net::use_awaitable, error)),
              3);
    EXPECT_EQ(error, refused);
  });
}

TEST_F(AsioTokens, DeferredTwiceAndThenMoved) {
  auto call = anew::async_retry(context, strategy, scripted(twice), net::deferred);
  EXPECT_EQ(twice.made, 0);
  for (int i = 0; i < 3; ++i) {
    twice.made = value = 0;
    i < 2 ? call(keeping()) : std::move(call)(keeping());
    expect_third();
  }
}

TEST_F(AsioTokens, Detached) {
  anew::async_retry(strategy, scripted(twice), net::detached);
  context.run();
  EXPECT_EQ(twice.made, 3);
}

TEST_F(AsioTokens, BindExecutorOfAStrand) {
  auto strand = net::make_strand(context);
  anew::async_retry(strategy, scripted(twice), net::bind_executor(strand, [&](code error, int made) {
                      EXPECT_TRUE(strand.running_in_this_thread());
                      keeping()(error, made);
                    }));
  expect_third();
}

TEST_F(AsioTokens, BindCancellationSlot) {
  net::cancellation_signal stop;
  anew::async_retry(time.timers(), patient{}, scripted(twice), net::bind_cancellation_slot(stop.slot(), keeping()));
  context.run();
  EXPECT_FALSE(end);
  stop.emit(net::cancellation_type::terminal);
  run_on();
  EXPECT_EQ(end, aborted);
  EXPECT_EQ(twice.made, 1);
}

TEST_F(AsioTokens, AppendAndPrepend) {
  anew::async_retry(strategy, scripted(twice),
                    net::append([&](code error, int m, int added) { keeping()(error, m - added); }, -10));
  context.run();
  EXPECT_EQ(value, 13);
  twice.made = 0;
  anew::async_retry(strategy, scripted(twice),
                    net::prepend([&](int added, code error, int m) { keeping()(error, m - added); }, 0));
  expect_third();
}

TEST_F(AsioTokens, OneOfAUsersOwn) {
  std::optional<std::tuple<code, int>> written;
  anew::async_retry(context, strategy, scripted(twice), tokens::write_down<code, int>{&written});
  context.run();
  EXPECT_EQ(written, std::tuple(code{}, 3));
}

#if ANEW_ASIO_VERSION >= 102600  // which has use_promise
TEST_F(AsioTokens, UsePromise) {
  auto promise = anew::async_retry(context, strategy, scripted(twice), net::experimental::use_promise);
  promise(net::bind_executor(context, keeping()));  // since Asio 1.38 a handler of a promise has to say where it runs
  expect_third();
}
#endif

template <class Found, class Expected>
bool is_executor(Found const& found, Expected const& expected) {
  if constexpr (std::is_same_v<Found, Expected>) return found == expected;
  return false;
}
TEST_F(AsioTokens, TheInitiationHasTheExecutorThatWasSaid) {
  auto const own = context.get_executor();
  EXPECT_TRUE(is_executor(anew::async_retry(context, strategy, scripted(twice), tokens::ask_executor{}), own));
  EXPECT_TRUE(is_executor(anew::async_retry(time.timers(), strategy, scripted(twice), tokens::ask_executor{}),
                          net::any_io_executor{own}));
  EXPECT_TRUE(is_executor(anew::async_hedge(context, strategy, anew::hedge_after<1h>{},
                                            anew::idempotent(scripted(twice)), tokens::ask_executor{}),
                          own));
}

TEST_F(AsioCompositions, OrAndAnd) {
  script other{context.get_executor(), {refused, {}}};
  run([&]() -> net::awaitable<void> {
    auto const first = co_await (anew::async_retry(strategy, scripted(twice), net::use_awaitable) ||
                                 anew::async_retry(context, strategy, waiting(), net::use_awaitable));
    EXPECT_EQ(first.index(), 0U);
    EXPECT_EQ(attempts, 1);
    twice.made = 0;
    auto const [one, two] = co_await (anew::async_retry(strategy, scripted(twice), net::use_awaitable) &&
                                      anew::async_retry(strategy, scripted(other), net::use_awaitable));
    EXPECT_EQ(one, 3);
    EXPECT_EQ(two, 2);
  });
}

TEST_F(AsioCompositions, AParallelGroupOfCalls) {
  script other{context.get_executor(), {refused, {}}};
  net::experimental::make_parallel_group(anew::async_retry(context, strategy, scripted(twice), net::deferred),
                                         anew::async_retry(context, strategy, scripted(other), net::deferred))
      .async_wait(net::experimental::wait_for_all{},
                  [&](std::array<std::size_t, 2> /*order*/, code one, int made, code two, int made_too) {
                    keeping()(one, made);
                    EXPECT_FALSE(two);
                    EXPECT_EQ(made_too, 2);
                  });
  expect_third();
}

TEST_F(AsioCompositions, ACallOfAParallelGroup) {
  run([&]() -> net::awaitable<void> {
    auto const both = [&]() -> net::awaitable<int> {
      auto answer = [&](script& of) {
        auto const error = of.next();
        return net::post(context, net::append(net::deferred, error, of.made));
      };
      auto first = answer(twice);
      auto [order, one, made, two] =
          co_await net::experimental::make_parallel_group(std::move(first), never.async_wait(net::deferred))
              .async_wait(net::experimental::wait_for_one{}, net::use_awaitable);
      EXPECT_EQ(two, aborted);
      if (one) throw anew::net_system_error{one};
      co_return made;
    };
    EXPECT_EQ(co_await anew::async_retry(strategy, anew::throws_only(both), net::use_awaitable), 3);
  });
}

TEST_F(AsioCompositions, AChannelIsReadAgain) {
  net::experimental::channel<void(code, int)> channel{context, 3};
  channel.try_send(refused, 1);
  channel.try_send(refused, 2);
  channel.try_send(code{}, 3);
  anew::async_retry(
      strategy, [&](auto&& token) { return channel.async_receive(std::forward<decltype(token)>(token)); }, keeping());
  expect_third();
}

TEST_F(AsioCompositions, ADeferredOperationIsCalledAgain) {
  auto const always_refused = net::post(context, net::append(net::deferred, refused, 7));
  anew::async_retry(context, strategy, always_refused, keeping());
  context.run();
  EXPECT_EQ(end, refused);
  EXPECT_EQ(value, 7);
  anew::async_retry(
      context, strategy,
      [&](auto&& token) {
        auto begun = net::post(context, net::append(net::deferred, refused, ++attempts));
        return std::move(begun)(std::forward<decltype(token)>(token));
      },
      keeping());
  run_on();
  EXPECT_EQ(end, refused);
  EXPECT_EQ(value, 3);
}

TEST_F(AsioCompositions, CoSpawnIsCalledAgain) {
  auto const once = [&]() -> net::awaitable<int> {
    if (++attempts < 3) throw anew::net_system_error{refused};
    co_return attempts;
  };
  anew::async_retry(
      context, by_code{},
      [&](auto&& token) { return net::co_spawn(context, once(), std::forward<decltype(token)>(token)); },
      [&](std::exception_ptr const& thrown, int number) { keeping()(thrown ? refused : code{}, number); });
  expect_third();
}

TEST_F(AsioCompositions, ACoroutineThatIsRetriedByRetry) {
  auto const sleep = [&](anew::duration delay) -> net::awaitable<void> {
    EXPECT_EQ(delay, anew::duration::zero());
    co_return;
  };
  auto const fail = [&](code error) -> net::awaitable<void> {
    ++attempts;
    throw anew::net_system_error{error};
    co_return;
  };
  using any = anew::with<at_once, anew::retry_on<anew::net_system_error>>;
  run([&]() -> net::awaitable<void> {
    any const plain{};
    for (auto const& [error, expected] : {std::pair{refused, 3}, std::pair{aborted, 1}}) {
      attempts = 0;
      try {
        co_await anew::retry(plain, [&] { return fail(error); }, sleep);
      } catch (anew::net_system_error const& e) {
        EXPECT_EQ(e.code(), error);
      }
      EXPECT_EQ(attempts, expected);
    }
  });
}

TEST_F(AsioCompositions, TheSystemExecutorWhereItWasSaid) {
  script on_system{net::system_executor{}, {refused, refused, {}}};
  auto future = anew::async_retry(net::system_executor{}, strategy, scripted(on_system), net::use_future);
  ASSERT_EQ(future.wait_for(60s), std::future_status::ready);
  EXPECT_EQ(future.get(), 3);
}

TEST_F(AsioCompositions, AHedgedCall) {
  std::array<net::steady_timer, 2> timers{net::steady_timer{context, net::steady_timer::time_point::max()},
                                          net::steady_timer{context, net::steady_timer::time_point::min()}};
  // The first one waits to be cancelled, as it is when the second has answered.
  auto const pair = [&](anew::attempt& /*self*/, auto&& token) {
    auto const at = static_cast<std::size_t>(attempts++);
    return timers[at].async_wait(std::forward<decltype(token)>(token));
  };
  anew::async_hedge(time.timers(), strategy, anew::hedge_after<5ms>{}, anew::idempotent(pair), keeping_code());
  context.run_one();
  EXPECT_EQ(attempts, 1);
  time.advance(5ms);
  context.run();
  EXPECT_EQ(attempts, 2);
  EXPECT_EQ(end, code{});
}

TEST_F(AsioCompositions, AnAttemptTimeoutEndsWithTimedOut) {
  using limited = anew::with<by_code, anew::attempt_timeout<5ms>>;
  anew::async_retry(time.timers(), limited{}, anew::idempotent(waiting()), keeping_code());
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(end);
    context.restart();
    context.poll();
    time.advance(5ms);
  }
  context.restart();
  context.poll();
  EXPECT_EQ(end, code{net::error::timed_out});
  EXPECT_EQ(attempts, 3);
}

#if ANEW_ASIO_VERSION >= 103100  // which has cancel_after and cancel_at

TEST_F(AsioTokens, CancelAfter) {
  auto const expect_cancelled = [&](auto const& begin) {
    end.reset();
    attempts = 0;
    begin();
    run_on();
    EXPECT_EQ(end, aborted);
    EXPECT_EQ(attempts, 1);  // what was cancelled is not retried
  };
  auto const of_an_attempt = [&](auto&& token) {
    return ++attempts, never.async_wait(net::cancel_after(0ms, std::forward<decltype(token)>(token)));
  };
  net::steady_timer timer{context};
  expect_cancelled([&] { anew::async_retry(context, strategy, of_an_attempt, keeping_code()); });
  expect_cancelled([&] { anew::async_retry(context, strategy, waiting(), net::cancel_after(0ms, keeping_code())); });
  expect_cancelled([&] { anew::async_retry(strategy, waiting(), net::cancel_after(timer, 0ms, keeping_code())); });
  expect_cancelled(
      [&] { anew::async_retry(context, strategy, waiting(), net::deferred)(net::cancel_after(0ms, keeping_code())); });
  expect_cancelled([&] {
    anew::async_hedge(context, strategy, anew::hedge_after<1h>{}, anew::idempotent(waiting()),
                      net::cancel_after(0ms, keeping_code()));
  });
  expect_cancelled([&] {
    anew::async_retry(context, strategy, waiting(), net::cancel_at(std::chrono::steady_clock::now(), keeping_code()));
  });
  run([&]() -> net::awaitable<void> {
    auto const [error] = co_await anew::async_retry(context, strategy, waiting(),
                                                    net::cancel_after(0ms, net::as_tuple(net::use_awaitable)));
    EXPECT_EQ(error, aborted);
  });
  twice.made = 0;
  anew::async_retry(context, strategy, scripted(twice), net::cancel_after(1h, keeping()));
  expect_third();  // what comes too late changes nothing
}
#endif

#if ANEW_ASIO_VERSION >= 103700  // which has inline_executor
TEST_F(AsioTokens, BindExecutorOfTheInlineExecutor) {
  anew::async_retry(strategy, scripted(twice), net::bind_executor(net::inline_executor{}, keeping()));
  expect_third();
}
#endif

#if ANEW_ASIO_VERSION >= 102800  // which has immediate executors
/// The caller allows its handler to be called inside the function that begins the call. The call makes no use of that: what
/// completes at once is looked at outside, as with any other handler.
TEST_F(AsioTokens, BindImmediateExecutor) {
  auto const at_once_done = [&](auto&& token) {
    return net::async_initiate<decltype(token), void(code, int)>(
        [&](auto handler) {
          auto const answer = twice.next();
          auto const immediate = net::get_associated_immediate_executor(handler, context.get_executor());
          net::dispatch(immediate, net::append(std::move(handler), answer, twice.made));
        },
        token);
  };
  anew::async_retry(context, strategy, at_once_done, net::bind_immediate_executor(net::system_executor{}, keeping()));
  EXPECT_EQ(value, 0);
  expect_third();
}
#endif

/// Operations whose signature says more than what they complete with.
template <class Signature>
auto fetch(script& of) {
  return [&of](auto&& token) {
    return net::async_initiate<decltype(token), Signature>(
        [&of](auto handler) {
          auto const answer = of.next();
          net::post(of.executor, net::append(std::move(handler), answer, of.made));
        },
        token);
  };
}
TEST_F(AsioTokens, SignaturesThatSayMore) {
  auto const expect_third_of = [&](auto const& operation) {
    twice.made = value = 0;
    anew::async_retry(context, by_code{}, operation, keeping());
    expect_third();
  };
  expect_third_of(fetch<void(code, int)>(twice));
  expect_third_of(fetch<void(code, int) &&>(twice));
#ifdef __cpp_noexcept_function_type
  expect_third_of(fetch<void(code, int) noexcept>(twice));
  expect_third_of(fetch < void(code, int) && noexcept > (twice));
#endif
}

TEST_F(AsioTokens, SeveralSignaturesAreBroughtToOne) {
  auto const either = [&](auto&& token) {
    return net::async_initiate<decltype(token), void(code), void(code, int)>(
        [&](auto handler) {
          if (auto const error = twice.next()) {
            net::post(context, net::append(std::move(handler), error));
          } else {
            net::post(context, net::append(std::move(handler), error, twice.made));
          }
        },
        token);
  };
  anew::async_retry(
      context, by_code{}, anew::initiates<void(code, int)>([&](auto handler) {
        either([h = std::move(handler)](code error, int number = 0) mutable { std::move(h)(error, number); });
      }),
      keeping());
  expect_third();
}

/// How many attempts a call makes whose first one fails in this way.
int attempts_after(net::io_context& context, auto const& strategy, code failure) {
  script answers{context.get_executor(), {failure, {}}};
  code end;
  anew::async_retry(strategy, anew::idempotent(scripted(answers)), [&](code error, int /*made*/) { end = error; });
  context.restart();
  context.run();
  if (answers.made == 1) {
    // The caller gets what Asio said, and not what the classifier was shown.
    EXPECT_EQ(end, failure);
    EXPECT_EQ(&end.category(), &failure.category());
  }
  return answers.made;
}
/// The same, and likewise where it is thrown.
int attempts_after_both(net::io_context& context, auto const& strategy, code failure) {
  int made = 0;
  auto const once = [&]() -> net::awaitable<void> {
    if (++made == 1) throw anew::net_system_error{failure};
    co_return;
  };
  anew::async_retry(context, strategy, anew::idempotent(once), [](std::exception_ptr const& /*thrown*/) {});
  auto const told = attempts_after(context, strategy, failure);
  EXPECT_EQ(made, told) << "thrown: " << failure;
  return told;
}

/// A number means the same in Asio's category and in the standard's.
TEST_F(AsioCodes, EveryNumberIsReadAsTheStandardReadsIt) {
  for (int number = 1; number < 200; ++number) {
    std::error_code const standard{number, std::system_category()};
    bool const is_cancellation = standard == std::errc::operation_canceled;
    int const expected = !is_cancellation && anew::error_code_classifier::classify(standard).is_retry() ? 2 : 1;
    code const asios{number, net::error::get_system_category()};
    EXPECT_EQ(attempts_after_both(context, by_code{}, asios), expected) << number;
  }
}

TEST_F(AsioCodes, RetryOnCodesFitsConditions) {
  using named = anew::with<at_once, anew::retry_on_codes<std::errc::connection_refused>>;
  EXPECT_EQ(attempts_after_both(context, named{}, refused), 2);
  EXPECT_EQ(attempts_after_both(context, named{}, reset), 1);
}

#ifdef ANEW_STANDALONE_ASIO
TEST_F(AsioCodes, RetryOnCodesFitsAsiosOwn) {
  using named = anew::with<at_once, anew::retry_on_codes<asio::error::connection_refused, asio::error::eof,
                                                         asio::error::host_not_found_try_again>>;
  EXPECT_EQ(attempts_after(context, named{}, refused), 2);
  EXPECT_EQ(attempts_after(context, named{}, asio::error::eof), 2);
  EXPECT_EQ(attempts_after(context, named{}, asio::error::host_not_found_try_again), 2);
  EXPECT_EQ(attempts_after(context, named{}, asio::error::host_not_found), 1);
  EXPECT_EQ(attempts_after(context, named{}, reset), 1);
}
#endif

using refused_or_reset =
    decltype([](code const& error) { return error == refused || error == net::error::connection_reset; });
TEST_F(AsioCodes, APredicateComparesWithAsiosConstants) {
  using named = anew::with<at_once, anew::retry_if<refused_or_reset>>;
  EXPECT_EQ(attempts_after(context, named{}, refused), 2);
  EXPECT_EQ(attempts_after(context, named{}, reset), 2);
  EXPECT_EQ(attempts_after(context, named{}, net::error::eof), 1);
}

TEST_F(AsioCodes, WhatMeansNothingPortableIsFinal) {
  for (code const error : {code{net::error::eof}, code{net::error::not_found}, code{net::error::host_not_found},
                           code{net::error::service_not_found}}) {
    SCOPED_TRACE(error.message());
    EXPECT_EQ(attempts_after_both(context, by_code{}, error), 1);
  }
}

/// A library that is built on another Asio, and hands its codes on.
TEST_F(AsioCodes, CodesOfAnotherAsio) {
  auto const made_after = [&](auto const& by, std::errc failure) {
    int made = 0;
    auto const operation = [&](auto&& token) {
      auto const error = ++made == 1 ? support::unmapped_asio_code(failure) : std::error_code{};
      return net::post(context, net::append(std::forward<decltype(token)>(token), error));
    };
    anew::async_retry(context, by, anew::idempotent(operation), [](std::error_code const& /*error*/) {});
    run_on();
    return made;
  };
  EXPECT_EQ(made_after(by_code{}, std::errc::connection_refused), 2);
  EXPECT_EQ(made_after(by_code{}, std::errc::permission_denied), 1);
  EXPECT_EQ(made_after(strategy, std::errc::permission_denied), 2);
  EXPECT_EQ(made_after(strategy, std::errc::operation_canceled), 1);
}

TEST_F(AsioCodes, WhatWasCancelledIsNeverRetried) { EXPECT_EQ(attempts_after_both(context, strategy, aborted), 1); }

}  // namespace
