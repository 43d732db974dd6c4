// SPDX-License-Identifier: BSL-1.0
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/classifier/any_of.hpp"
#include "anew/classifier/error_code.hpp"
#include "anew/classifier/first_of.hpp"
#include "anew/testing/recorder.hpp"

#include "async_script.hpp"

namespace {

using namespace std::chrono_literals;
namespace net = anew::net;
using support::code;
using support::script;
using support::scripted;

code const refused = net::error::connection_refused;
code const reset = net::error::connection_reset;

using at_once = anew::strategy<anew::retry_all, anew::no_backoff, anew::no_jitter, anew::max_attempts<3>>;
using patient = anew::with<at_once, anew::constant_backoff<10ms>>;
using by_code = anew::with<at_once, anew::error_code_classifier>;

/// The styles: one operation that succeeds at its third attempt, and every way to hear of it.
struct AsyncRetryStyles : testing::Test {
  net::io_context context;
  at_once strategy{};
  script twice{context.get_executor(), {refused, refused, {}}};
  script always{context.get_executor(), {refused, reset, refused, {}}};
};

TEST_F(AsyncRetryStyles, ACallbackIsCalledOnceWithTheLastCompletion) {
  int calls = 0;
  anew::async_retry(strategy, scripted(twice), [&](code error, int made) {
    ++calls;
    EXPECT_FALSE(error);
    EXPECT_EQ(made, 3);
  });
  EXPECT_EQ(calls, 0);  // never inside the function that begins the call
  context.run();
  EXPECT_EQ(calls, 1);
}

TEST_F(AsyncRetryStyles, TheLastErrorComesUntouched) {
  std::optional<std::pair<code, int>> last;
  anew::async_retry(strategy, scripted(always), [&](code error, int made) { last.emplace(error, made); });
  context.run();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->first, refused);
  EXPECT_EQ(&last->first.category(), &refused.category());
  EXPECT_EQ(last->second, 3);
}

TEST_F(AsyncRetryStyles, AnAwaitable) {
  bool is_done = false;
  auto const client = [&]() -> net::awaitable<void> {
    EXPECT_EQ(co_await anew::async_retry(strategy, scripted(twice), net::use_awaitable), 3);

    twice.made = 0;
    auto const [error, made] = co_await anew::async_retry(strategy, scripted(twice), net::as_tuple(net::use_awaitable));
    EXPECT_FALSE(error);
    EXPECT_EQ(made, 3);

    code redirected;
    EXPECT_EQ(
        co_await anew::async_retry(strategy, scripted(always), net::redirect_error(net::use_awaitable, redirected)), 3);
    EXPECT_EQ(redirected, refused);

    always.made = 0;
    try {
      co_await anew::async_retry(strategy, scripted(always), net::use_awaitable);
      ADD_FAILURE() << "the error was not thrown";
    } catch (anew::net_system_error const& e) {
      EXPECT_EQ(e.code(), refused);
    }
    is_done = true;
  };
  net::co_spawn(context, client, net::detached);
  context.run();
  EXPECT_TRUE(is_done);
}

TEST_F(AsyncRetryStyles, AFuture) {
  auto const before = support::thread_count();
  auto good = anew::async_retry(strategy, scripted(twice), net::use_future);
  auto bad = anew::async_retry(strategy, scripted(always), net::use_future);
  auto told = anew::async_retry(context, strategy, scripted(twice), net::use_future([](code /*error*/, int made) {
                                  return std::string(static_cast<std::size_t>(made), '*');
                                }));
  context.run();
  EXPECT_EQ(support::thread_count(), before);
  EXPECT_EQ(good.wait_for(0s), std::future_status::ready);
  EXPECT_THROW(bad.get(), anew::net_system_error);
  EXPECT_FALSE(told.get().empty());
}

TEST_F(AsyncRetryStyles, DeferredBeginsNothingUntilItIsAsked) {
  auto operation = anew::async_retry(strategy, scripted(twice), net::deferred);
  context.run();
  EXPECT_EQ(twice.made, 0);
  context.restart();
  int first = 0;
  operation([&](code, int made) { first = made; });  // an lvalue: it may be begun again
  context.run();
  EXPECT_EQ(first, 3);
  context.restart();
  twice.made = 0;
  auto second = std::move(operation)(net::use_future);
  context.run();
  EXPECT_EQ(second.get(), 3);
}

TEST_F(AsyncRetryStyles, Detached) {
  anew::async_retry(strategy, scripted(twice), net::detached);
  context.run();
  EXPECT_EQ(twice.made, 3);
}

TEST_F(AsyncRetryStyles, TheHandlersExecutorIsKeptOverAllAttempts) {
  net::io_context other;
  int calls = 0;
  auto const here = other.get_executor();
  auto const operation = [&](anew::attempt& self, auto&& token) {
    EXPECT_EQ(here.running_in_this_thread(), self.is_retry());  // retries are begun where the handler wants to be
    return scripted(twice)(self, std::forward<decltype(token)>(token));
  };
  anew::async_retry(strategy, operation, net::bind_executor(here, [&](code, int made) {
                      ++calls;
                      EXPECT_EQ(made, 3);
                      EXPECT_TRUE(here.running_in_this_thread());
                    }));
  for (int turn = 0; turn != 20; ++turn) {
    auto& io = turn % 2 == 0 ? context : other;
    io.restart();
    io.poll();
  }
  EXPECT_EQ(calls, 1);
}

/// Counts what is allocated and given back.
template <class T>
struct counting_allocator {
  using value_type = T;
  int* balance;
  int* made;
  counting_allocator(int* b, int* m) : balance{b}, made{m} {}
  template <class U>
  counting_allocator(counting_allocator<U> const& other) : balance{other.balance}, made{other.made} {}  // NOLINT
  T* allocate(std::size_t n) {
    ++*balance;
    ++*made;
    return std::allocator<T>{}.allocate(n);
  }
  void deallocate(T* p, std::size_t n) {
    --*balance;
    std::allocator<T>{}.deallocate(p, n);
  }
  friend bool operator==(counting_allocator const&, counting_allocator const&) = default;
};

TEST_F(AsyncRetryStyles, TheHandlersAllocatorIsUsedAndAllIsGivenBackBeforeTheHandlerIsCalled) {
  int balance = 0;
  int made = 0;
  int left = -1;
  anew::async_retry(
      strategy, scripted(twice),
      net::bind_allocator(counting_allocator<void*>{&balance, &made}, [&](code, int) { left = balance; }));
  context.run();
  EXPECT_GT(made, 0);
  EXPECT_EQ(left, 0);
  EXPECT_EQ(balance, 0);
}

TEST_F(AsyncRetryStyles, TheHandlersSlotIsListenedToUntilTheEnd) {
  net::cancellation_signal signal;
  int calls = 0;
  anew::async_retry(strategy, scripted(twice), net::bind_cancellation_slot(signal.slot(), [&](code, int) { ++calls; }));
  EXPECT_TRUE(signal.slot().has_handler());
  context.run();
  EXPECT_EQ(calls, 1);
  signal.emit(net::cancellation_type::all);  // after the end it reaches nobody
  EXPECT_EQ(calls, 1);
}

/// The forms of an operation.
struct AsyncRetryForms : AsyncRetryStyles {
  template <class S, class Op>
  auto outcome_of(S const& s, Op&& operation) {
    auto result = anew::async_retry(context, s, std::forward<Op>(operation), net::use_future);
    context.run();
    context.restart();
    return result;
  }
};

TEST_F(AsyncRetryForms, InitiatingWithoutItsAttempt) {
  auto const operation = [this](auto&& token) {
    auto const answer = twice.next();
    return net::post(context, net::append(std::forward<decltype(token)>(token), answer, twice.made));
  };
  EXPECT_EQ(outcome_of(strategy, operation).get(), 3);
}

TEST_F(AsyncRetryForms, ASignatureThatIsSaid) {
  auto const legacy = [this](anew::attempt& self, auto handler) {  // it returns nothing
    net::post(context, [this, number = self.number(), h = std::move(handler)]() mutable {
      std::move(h)(twice.next(), static_cast<int>(number));
    });
  };
  EXPECT_EQ(outcome_of(strategy, anew::initiates<void(code, int)>(legacy)).get(), 3);

  twice.made = 0;
  auto const without = [this](auto handler) {
    net::post(context, [this, h = std::move(handler)]() mutable { std::move(h)(twice.next(), twice.made); });
  };
  EXPECT_EQ(outcome_of(strategy, anew::idempotent(anew::initiates<void(code, int)>(without))).get(), 3);
}

TEST_F(AsyncRetryForms, CoroutinesWithTheirAttemptAndWithout) {
  int made = 0;
  auto with = [&](anew::attempt& self) -> net::awaitable<std::string> {
    co_await net::post(context, net::use_awaitable);
    if (++made < 3) throw std::runtime_error{"not yet"};
    co_return std::to_string(self.number());
  };
  EXPECT_EQ(outcome_of(strategy, with).get(), "3");

  auto without = [&]() -> net::awaitable<void> {
    if (++made < 6) throw std::runtime_error{"not yet"};
    co_return;
  };
  EXPECT_NO_THROW(outcome_of(strategy, without).get());
  EXPECT_EQ(made, 6);

  made = -10;
  EXPECT_THROW(outcome_of(strategy, without).get(), std::runtime_error);
  EXPECT_EQ(made, -7);
}

TEST_F(AsyncRetryForms, ACoroutineOnAStrandRunsThereAllTheTime) {
  auto const strand = net::make_strand(context);
  int made = 0;
  bool was_there = true;
  bool is_done = false;
  auto work = [&]() -> net::awaitable<void> {
    was_there = was_there && strand.running_in_this_thread();
    co_await net::post(net::use_awaitable);
    was_there = was_there && strand.running_in_this_thread();
    if (++made < 3) throw std::runtime_error{"not yet"};
  };
  anew::async_retry(strategy, work, net::bind_executor(strand, [&](std::exception_ptr const& error) {
                      is_done = error == nullptr && strand.running_in_this_thread();
                    }));
  context.run();
  EXPECT_TRUE(is_done);
  EXPECT_TRUE(was_there);
  EXPECT_EQ(made, 3);
}

/// Sees when it is moved after its first attempt.
struct watched {
  watched* here = nullptr;
  bool* moved;
  int* alive;
  explicit watched(bool* m, int* a) : moved{m}, alive{a} { ++*alive; }
  watched(watched const& o) : moved{o.moved}, alive{o.alive} { ++*alive; }
  watched(watched&& o) noexcept : here{o.here}, moved{o.moved}, alive{o.alive} {
    ++*alive;
    if (here != nullptr) *moved = true;
  }
  watched& operator=(watched&&) = delete;
  ~watched() { --*alive; }
  auto operator()(net::io_context& on, script& of, auto&& token) {
    if (here == nullptr) here = this;
    if (here != this) *moved = true;
    auto const answer = of.next();
    return net::post(on, net::append(std::forward<decltype(token)>(token), answer, of.made));
  }
};

TEST_F(AsyncRetryForms, TheOperationKeepsItsAddressAndIsGoneBeforeTheHandlerIsCalled) {
  bool moved = false;
  int alive = 0;
  int left = -1;
  {
    auto operation = [this, w = watched{&moved, &alive}](anew::attempt&, auto&& token) mutable {
      return w(context, twice, std::forward<decltype(token)>(token));
    };
    anew::async_retry(context, strategy, std::move(operation), [&](code, int) { left = alive; });
  }
  EXPECT_EQ(alive, 1);
  context.run();
  EXPECT_FALSE(moved);
  EXPECT_EQ(left, 0);
}

TEST_F(AsyncRetryForms, AnOperationThatCompletesAtOnceNeitherRecursesNorCompletesInside) {
  using tireless = anew::with<at_once, anew::max_attempts<100000>>;
  tireless const s{};
  int made = 0;
  bool is_inside = false;
  bool was_inside = false;
  auto const rude = anew::initiates<void(code)>([&](auto handler) {  // against Asio's rules
    is_inside = true;
    std::move(handler)(++made < 100000 ? refused : code{});
    is_inside = false;
  });
  bool is_done = false;
  anew::async_retry(context, s, rude, [&](code error) {
    was_inside = is_inside;
    is_done = !error;
  });
  EXPECT_FALSE(is_done);
  context.run();
  EXPECT_TRUE(is_done);
  EXPECT_FALSE(was_inside);
  EXPECT_EQ(made, 100000);
}

struct is_eof {
  bool operator()(code const& error) const { return error == net::error::eof; }
};
/// Attempts that are made of an operation that fails by these codes, and then succeeds: with a completion handler and in a
/// coroutine, which throws them.
template <class Classifier>
std::vector<int> attempts_by(net::io_context& context, std::vector<code> const& codes) {
  anew::with<at_once, Classifier> const strategy{};
  script posted{context.get_executor(), codes};
  anew::async_retry(strategy, anew::idempotent(scripted(posted)), [](code, int) {});
  context.run();
  context.restart();
  script awaited{context.get_executor(), codes};
  auto const operation = [&](anew::attempt& self) -> net::awaitable<std::string> {
    co_return std::to_string(co_await scripted(awaited)(self, net::use_awaitable));
  };
  anew::async_retry(context, strategy, anew::idempotent(operation), [](std::exception_ptr, std::string const&) {});
  context.run();
  context.restart();
  return {posted.made, awaited.made};
}

// One part reads Asio's codes, the other the standard's. Each is asked in the type that it reads, in either order.
TEST_F(AsyncRetryForms, EachPartOfACombinationIsAsked) {
  using codes = anew::error_code_classifier;
  using eof = anew::retry_if<is_eof>;
  std::vector<code> const story{net::error::eof, refused, {}};
  std::vector<int> const all{3, 3};
  EXPECT_EQ((attempts_by<anew::any_of<codes, eof>>(context, story)), all);
  EXPECT_EQ((attempts_by<anew::any_of<eof, codes>>(context, story)), all);
  EXPECT_EQ((attempts_by<anew::first_of<eof, codes>>(context, story)), all);
  EXPECT_EQ((attempts_by<codes>(context, story)), (std::vector<int>{1, 1}));
  EXPECT_EQ((attempts_by<eof>(context, story)), (std::vector<int>{2, 2}));
}

TEST_F(AsyncRetryForms, DeclarationsAreRead) {
  by_code const strict{};
  script breaks{context.get_executor(), {reset, {}}};  // it may have taken effect
  EXPECT_THROW(outcome_of(strict, scripted(breaks)).get(), anew::net_system_error);
  EXPECT_EQ(breaks.made, 1);

  breaks.made = 0;
  EXPECT_EQ(outcome_of(strict, anew::idempotent(scripted(breaks))).get(), 2);

  script is_down{context.get_executor(), {refused, {}}};
  EXPECT_THROW(outcome_of(strict, anew::one_shot(scripted(is_down))).get(), anew::net_system_error);
  EXPECT_EQ(is_down.made, 1);

  is_down.made = 0;
  int rewound = 0;
  EXPECT_EQ(outcome_of(strict, anew::rewinding(scripted(is_down), [&] { ++rewound; })).get(), 2);
  EXPECT_EQ(rewound, 1);

  is_down.made = 0;
  auto const cannot = anew::idempotent(anew::rewinding(scripted(is_down), [] { return false; }));
  EXPECT_THROW(outcome_of(strict, cannot).get(), anew::net_system_error);
  EXPECT_EQ(is_down.made, 1);
}

/// What a completion says.
struct expected_like {
  std::optional<int> value;
  [[nodiscard]] bool has_value() const noexcept { return value.has_value(); }
  [[nodiscard]] code error() const noexcept { return net::error::connection_refused; }
};
struct is_server_error {
  bool operator()(int status) const { return status >= 500; }
  bool operator()(code const& error) const { return error == net::error::connection_refused; }
};
using by_status =
    anew::with<at_once, anew::any_of<anew::retry_while<is_server_error>, anew::retry_if<is_server_error>>>;

struct AsyncRetrySignatures : AsyncRetryForms {
  /// Completes with what it is told to, by the number of the attempt.
  template <class... Made>
  auto completing(std::vector<std::tuple<Made...>> with) {
    return [this, with = std::move(with), at = std::size_t{0}](anew::attempt&, auto&& token) mutable {
      attempts = static_cast<int>(at) + 1;
      auto values = with[at < with.size() ? at : with.size() - 1];
      ++at;
      return std::apply(
          [&](auto&&... value) {
            return net::post(context, net::append(std::forward<decltype(token)>(token), std::move(value)...));
          },
          std::move(values));
    };
  }
  int attempts = 0;
};

TEST_F(AsyncRetrySignatures, NothingIsASuccess) {
  int calls = 0;
  int made = 0;
  anew::async_retry(
      strategy,
      [&](auto&& token) {
        ++made;
        return net::post(context, std::forward<decltype(token)>(token));
      },
      [&] { ++calls; });
  context.run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(made, 1);
}

TEST_F(AsyncRetrySignatures, AnErrorCodeAlone) {
  EXPECT_NO_THROW(outcome_of(strategy, completing<code>({{refused}, {code{}}})).get());
  EXPECT_EQ(attempts, 2);
}

TEST_F(AsyncRetrySignatures, AStandardErrorCode) {
  std::error_code const down = std::make_error_code(std::errc::connection_refused);
  std::error_code last;
  by_code const strict{};
  anew::async_retry(strict, completing<std::error_code>({{down}, {down}, {down}}),
                    [&](std::error_code error) { last = error; });
  context.run();
  EXPECT_EQ(last, down);
  EXPECT_EQ(attempts, 3);
}

TEST_F(AsyncRetrySignatures, CodesOfTheNetAreReadByAClassifierOfStandardOnes) {
  by_code const strict{};
  EXPECT_EQ(outcome_of(strict, scripted(twice)).get(), 3);
  script ends{context.get_executor(), {net::error::access_denied, {}}};
  EXPECT_THROW(outcome_of(strict, scripted(ends)).get(), anew::net_system_error);
  EXPECT_EQ(ends.made, 1);
}

TEST_F(AsyncRetrySignatures, AnExceptionAndAValue) {
  auto const busy = std::make_exception_ptr(std::runtime_error{"busy"});
  auto const bug = std::make_exception_ptr(std::logic_error{"bug"});
  EXPECT_EQ(outcome_of(strategy, completing<std::exception_ptr, unsigned>({{busy, 0U}, {nullptr, 7U}})).get(), 7U);
  EXPECT_EQ(attempts, 2);
  EXPECT_THROW(outcome_of(strategy, completing<std::exception_ptr, unsigned>({{bug, 0U}, {nullptr, 7U}})).get(),
               std::logic_error);
  EXPECT_EQ(attempts, 1);
}

TEST_F(AsyncRetrySignatures, AnExceptionThatNobodyReadsEndsTheCallWithAReasonOfItsOwn) {
  anew::testing::recorder::heard heard;
  auto const by_int = anew::compose(anew::retry_on<int>{}, anew::no_backoff{}, anew::testing::recorder{heard});
  auto const bug = std::make_exception_ptr(std::logic_error{"bug"});
  EXPECT_THROW(outcome_of(by_int, completing<std::exception_ptr, unsigned>({{bug, 0U}, {nullptr, 7U}})).get(),
               std::logic_error);
  ASSERT_EQ(heard.ends.size(), 1U);
  EXPECT_EQ(heard.ends[0].reason, anew::stop_reason::unclassified);
}

TEST_F(AsyncRetrySignatures, WhatAnAwaitableThrowsIsReadByItsCode) {
  by_code const strict{};
  int made = 0;
  auto client = [&]() -> net::awaitable<int> {
    if (++made < 3) throw anew::net_system_error{refused};
    co_return made;
  };
  EXPECT_EQ(outcome_of(strict, client).get(), 3);
  made = 0;
  auto denied = [&]() -> net::awaitable<int> {
    ++made;
    throw anew::net_system_error{net::error::access_denied};
    co_return 0;
  };
  EXPECT_THROW(outcome_of(strict, denied).get(), anew::net_system_error);
  EXPECT_EQ(made, 1);
}

TEST_F(AsyncRetrySignatures, WhatACoroutineReturnsIsReadAsRetryReadsIt) {
  int made = 0;
  auto client = [&]() -> net::awaitable<bool> { co_return ++made == 3; };
  EXPECT_TRUE(outcome_of(strategy, client).get());
  EXPECT_EQ(made, 3);
}

TEST_F(AsyncRetrySignatures, ABool) {
  EXPECT_TRUE(outcome_of(strategy, completing<bool>({{false}, {true}})).get());
  EXPECT_EQ(attempts, 2);
  EXPECT_FALSE(outcome_of(strategy, completing<bool>({{false}})).get());
  EXPECT_EQ(attempts, 3);
}

TEST_F(AsyncRetrySignatures, AValueOrAnError) {
  auto const result = outcome_of(strategy, completing<expected_like>({{expected_like{}}, {expected_like{5}}})).get();
  EXPECT_EQ(result.value, 5);
  EXPECT_EQ(attempts, 2);
}

TEST_F(AsyncRetrySignatures, AValueThatTheClassifierReads) {
  by_status const reads{};
  EXPECT_EQ(outcome_of(reads, completing<int>({{503}, {200}})).get(), 200);
  EXPECT_EQ(attempts, 2);
}

TEST_F(AsyncRetrySignatures, AnErrorCodeAndAValueThatTheClassifierReads) {
  by_status const reads{};
  EXPECT_EQ(outcome_of(reads, completing<code, int>({{refused, 0}, {code{}, 503}, {code{}, 404}})).get(), 404);
  EXPECT_EQ(attempts, 3);
  EXPECT_EQ(outcome_of(reads, completing<code, int>({{code{}, 500}})).get(), 500);
  EXPECT_EQ(attempts, 3);
}

TEST_F(AsyncRetrySignatures, ValuesThatOnlyMove) {
  auto const answer = [this](anew::attempt& self, auto&& token) {
    code const error = self.is_retry() ? code{} : refused;
    return net::post(context, net::append(std::forward<decltype(token)>(token), error, std::make_unique<int>(9)));
  };
  EXPECT_EQ(*outcome_of(strategy, answer).get(), 9);
}

/// Where a call runs.
TEST(AsyncRetryPlaces, WithoutAnExecutorItStaysWithTheOperationsIoObject) {
  net::io_context context;
  net::steady_timer timer{context};
  patient const strategy{};
  auto const before = support::thread_count();
  auto const me = std::this_thread::get_id();
  int calls = 0;
  int made = 0;
  auto const wait = [&](auto&& token) {
    timer.expires_at(++made == 3 ? net::steady_timer::time_point::min() : net::steady_timer::time_point::max());
    if (made < 3) net::post(context, [&] { timer.cancel(); });
    return timer.async_wait(std::forward<decltype(token)>(token));
  };
  // A cancelled timer says operation_aborted, which is never retried.
  anew::async_retry(strategy, wait, [&](code error) {
    ++calls;
    EXPECT_EQ(error, net::error::operation_aborted);
    EXPECT_EQ(std::this_thread::get_id(), me);
  });
  context.run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(support::thread_count(), before);
}

TEST(AsyncRetryPlaces, ARealWaitOnTheOperationsIoObject) {
  net::io_context context;
  using one_wait = anew::with<at_once, anew::constant_backoff<1ms>>;
  one_wait const strategy{};
  script once{context.get_executor(), {refused, {}}};
  auto const before = support::thread_count();
  auto const me = std::this_thread::get_id();
  int calls = 0;
  auto future = anew::async_retry(strategy, scripted(once), net::use_future);
  context.run();
  EXPECT_EQ(future.get(), 2);
  context.restart();
  once.made = 0;
  anew::async_retry(strategy, scripted(once), [&](code error, int made) {
    ++calls;
    EXPECT_FALSE(error);
    EXPECT_EQ(made, 2);
    EXPECT_EQ(std::this_thread::get_id(), me);
  });
  context.run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(support::thread_count(), before);
}

TEST(AsyncRetryPlaces, WhereMayBeAnExecutorAContextOrASourceOfTimers) {
  net::io_context context;
  at_once const strategy{};
  script once{context.get_executor(), {refused, {}}};
  int sum = 0;
  auto const add = [&](code, int made) { sum += made; };
  anew::async_retry(context, strategy, scripted(once), add);
  context.run();
  EXPECT_EQ(sum, 2);
  context.restart();
  once.made = 0;
  anew::async_retry(context.get_executor(), strategy, scripted(once), add);
  context.run();
  EXPECT_EQ(sum, 4);
  context.restart();
  once.made = 0;
  support::hand_timers const timers{context.get_executor()};
  patient const waits{};
  anew::async_retry(timers, waits, scripted(once), add);
  context.run();
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(timers.timers(), 1);
  EXPECT_EQ(timers.waits(), std::vector<anew::duration>{10ms});
}

TEST(AsyncRetryPlaces, OneTimerForAllWaitsAndNoneForADelayOfZero) {
  net::io_context context;
  support::hand_timers const timers{context.get_executor()};
  script always{context.get_executor(), {refused}};
  patient const waits{};
  anew::async_retry(timers, waits, scripted(always), net::detached);
  context.run();
  EXPECT_EQ(timers.timers(), 1);
  EXPECT_EQ(timers.waits(), (std::vector<anew::duration>{10ms, 10ms}));

  context.restart();
  support::hand_timers const untouched{context.get_executor()};
  at_once const hurries{};
  anew::async_retry(untouched, hurries, scripted(always), net::detached);
  context.run();
  EXPECT_EQ(untouched.timers(), 0);
}

/// The strategy.
TEST(AsyncRetryStrategies, ATemporaryIsKept) {
  net::io_context context;
  script always{context.get_executor(), {refused}};
  using counted = anew::strategy<anew::retry_all, anew::no_backoff, anew::no_jitter, decltype(anew::max_attempts{1})>;
  auto future = anew::async_retry(counted{anew::max_attempts{4}}, scripted(always), net::use_future);
  context.run();
  EXPECT_THROW(future.get(), anew::net_system_error);
  EXPECT_EQ(always.made, 4);
}

TEST(AsyncRetryStrategies, TheQuotaIsPaidAndPaidBack) {
  net::io_context context;
  using thrifty = anew::with<at_once, anew::token_bucket<40>>;
  thrifty const strategy{};
  script twice{context.get_executor(), {refused, refused, {}}};
  anew::async_retry(strategy, scripted(twice), net::detached);
  context.run();
  EXPECT_EQ(twice.made, 3);
  EXPECT_EQ(strategy.quota().balance(), 26U);  // 14 for each retry, and the last one came back
  context.restart();
  script always{context.get_executor(), {refused}};
  anew::async_retry(strategy, scripted(always), net::detached);
  context.run();
  EXPECT_EQ(always.made, 2);
  EXPECT_EQ(strategy.quota().balance(), 12U);
}

TEST(AsyncRetryStrategies, AContextThatGoesAwayTakesTheCallWithIt) {
  auto alive = std::make_shared<int>();
  std::weak_ptr<int> const seen = alive;
  using thrifty = anew::with<patient, anew::token_bucket<40>>;
  thrifty const strategy{};
  {
    net::io_context context;
    script always{context.get_executor(), {refused}};
    anew::async_retry(context, strategy, scripted(always), [kept = std::move(alive)](code, int) { FAIL(); });
    context.run_one();  // the attempt is over, and the call waits
    EXPECT_EQ(always.made, 1);
    EXPECT_EQ(strategy.quota().balance(), 26U);
  }
  EXPECT_TRUE(seen.expired());
  EXPECT_EQ(strategy.quota().balance(), 40U);
}

}  // namespace
