// SPDX-License-Identifier: BSL-1.0
// What a call does on a loop of one thread. Each pair of an operation and a handler compiles a call of its own, hundreds of
// functions: so one type of handler writes everything down, numbers are arguments, and tokens.test.cpp has the tokens.
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/asio/append.hpp>
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
#include "anew/policies/classifier/first_of.hpp"
#include "anew/testing/recorder.hpp"

#include "async_script.hpp"

namespace {

using namespace std::chrono_literals;
namespace net = anew::net;
using support::code;
using support::script;

code const refused = net::error::connection_refused;
code const reset = net::error::connection_reset;

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
std::string said(std::error_code const& error) { return "standard " + error.message(); }
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

/// Completes with (error code, number of the attempt) as its script says.
struct scripted {
  script* of;
  std::function<void(anew::attempt&)> looks{};
  template <class Token>
  auto operator()(anew::attempt& self, Token&& token) const {
    if (looks) looks(self);
    auto const answer = of->next();
    return net::post(of->executor, net::append(std::forward<Token>(token), answer, of->made));
  }
};

struct AsyncRetry : testing::Test {
  net::io_context context;
  decltype(strategy_of(3)) strategy = strategy_of(3);
  script twice{context.get_executor(), {refused, refused, {}}};
  script always{context.get_executor(), {refused, reset, refused, {}}};
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

std::string const down = "system Connection refused";
std::string const broken = "system Connection reset by peer";
std::string const denied = "system Permission denied";

TEST_F(AsyncRetry, TheHandlerIsCalledOnceWithTheLastCompletionAndNeverInside) {
  anew::async_retry(strategy, scripted{&twice}, handler);
  EXPECT_EQ(end->calls, 0);  // never inside the function that begins the call
  context.run();
  EXPECT_EQ(end->calls, 1);
  EXPECT_EQ(end->last, "ok, 3");
}

TEST_F(AsyncRetry, ARealWaitOnTheOperationsIoObjectStaysInItsThread) {
  auto const waits = strategy_of(3, 1ms);
  auto const before = support::thread_count();
  auto const me = std::this_thread::get_id();
  end->looks = [&] { EXPECT_EQ(std::this_thread::get_id(), me); };
  anew::async_retry(waits, scripted{&twice}, handler);
  context.run();
  EXPECT_EQ(end->calls, 1);
  EXPECT_EQ(end->last, "ok, 3");
  EXPECT_EQ(support::thread_count(), before);
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

/// A handler with everything that may be associated with one.
struct particular : hears<code, int> {
  using executor_type = net::io_context::executor_type;
  using allocator_type = counting_allocator<void*>;
  using cancellation_slot_type = net::cancellation_slot;

  executor_type executor;
  allocator_type allocator;
  cancellation_slot_type slot;
  [[nodiscard]] executor_type get_executor() const noexcept { return executor; }
  [[nodiscard]] allocator_type get_allocator() const noexcept { return allocator; }
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return slot; }
};

struct AsyncRetryParticular : AsyncRetry {
  int balance = 0;
  int made = 0;
  net::io_context other;
  net::cancellation_signal signal;
  particular of(net::io_context& home) {
    return {handler, home.get_executor(), counting_allocator<void*>{&balance, &made}, signal.slot()};
  }
};

TEST_F(AsyncRetryParticular, TheHandlersExecutorIsKeptOverAllAttempts) {
  auto const here = other.get_executor();
  // The handler has a slot, so each attempt begins where the handler wants to be.
  auto const looks = [&](anew::attempt&) { EXPECT_TRUE(here.running_in_this_thread()); };
  end->looks = [&] { EXPECT_TRUE(here.running_in_this_thread()); };
  anew::async_retry(strategy, scripted{&twice, looks}, of(other));
  for (int turn = 0; turn != 20; ++turn) {
    auto& io = turn % 2 == 0 ? context : other;
    io.restart();
    io.poll();
  }
  EXPECT_EQ(end->calls, 1);
  EXPECT_EQ(end->last, "ok, 3");
}

TEST_F(AsyncRetryParticular, TheHandlersAllocatorIsUsedAndAllIsGivenBackBeforeTheHandlerIsCalled) {
  int left = -1;
  end->looks = [&] { left = balance; };
  anew::async_retry(strategy, scripted{&twice}, of(context));
  context.run();
  EXPECT_GT(made, 0);
  EXPECT_EQ(left, 0);
  EXPECT_EQ(balance, 0);
}

TEST_F(AsyncRetryParticular, TheHandlersSlotIsListenedToUntilTheEnd) {
  anew::async_retry(strategy, scripted{&twice}, of(context));
  EXPECT_TRUE(signal.slot().has_handler());
  context.run();
  EXPECT_EQ(end->calls, 1);
  signal.emit(net::cancellation_type::all);  // after the end it reaches nobody
  EXPECT_EQ(end->calls, 1);
}

/// The forms of an operation. One that completes without any help of Asio's, in a function that a test writes; it sees when
/// it is moved after its first attempt.
struct own_way {
  using completion = std::function<void(code, int)>;
  std::function<void(anew::attempt&, completion)> begin;
  bool* moved;
  int* alive;
  own_way* here = nullptr;

  own_way(std::function<void(anew::attempt&, completion)> b, bool* m, int* a)
      : begin{std::move(b)}, moved{m}, alive{a} {
    ++*alive;
  }
  own_way(own_way const& o) : begin{o.begin}, moved{o.moved}, alive{o.alive} { ++*alive; }
  own_way(own_way&& o) noexcept : begin{std::move(o.begin)}, moved{o.moved}, alive{o.alive}, here{o.here} {
    ++*alive;
    if (here != nullptr) *moved = true;
  }
  own_way& operator=(own_way&&) = delete;
  ~own_way() { --*alive; }
  void operator()(anew::attempt& self, auto completed) {  // it returns nothing
    if (here == nullptr) here = this;
    if (here != this) *moved = true;
    begin(self, std::move(completed));
  }
};

struct AsyncRetryForms : AsyncRetry {
  bool moved = false;
  int alive = 0;
  auto initiating(std::function<void(anew::attempt&, own_way::completion)> begin) {
    return anew::initiates<void(code, int)>(own_way{std::move(begin), &moved, &alive});
  }
};

TEST_F(AsyncRetryForms, AnOperationWhoseSignatureIsSaidKeepsItsAddressAndIsGoneBeforeTheHandlerIsCalled) {
  int left = -1;
  end->looks = [&] { left = alive; };
  anew::async_retry(context, strategy, initiating([this](anew::attempt& self, own_way::completion done) {
                      net::post(context, [this, number = self.number(), done = std::move(done)] {
                        done(twice.next(), static_cast<int>(number));
                      });
                    }),
                    handler);
  EXPECT_EQ(alive, 1);
  context.run();
  EXPECT_EQ(end->last, "ok, 3");
  EXPECT_FALSE(moved);
  EXPECT_EQ(left, 0);
}

TEST_F(AsyncRetryForms, AnOperationThatCompletesAtOnceNeitherRecursesNorCompletesInside) {
  constexpr std::uint32_t many = 100'000;
  auto const tireless = strategy_of(many);
  std::uint32_t made = 0;
  bool is_inside = false;
  bool was_inside = false;
  end->looks = [&] { was_inside = is_inside; };
  anew::async_retry(context, tireless, initiating([&](anew::attempt&, own_way::completion const& done) {
                      is_inside = true;  // against Asio's rules
                      done(++made < many ? refused : code{}, 0);
                      is_inside = false;
                    }),
                    handler);
  EXPECT_EQ(end->calls, 0);
  context.run();
  EXPECT_EQ(end->calls, 1);
  EXPECT_EQ(end->last, "ok, 0");
  EXPECT_FALSE(was_inside);
  EXPECT_EQ(made, many);
}

TEST_F(AsyncRetryForms, ACoroutineWithItsAttempt) {
  int made = 0;
  auto const with = [&](anew::attempt& self) -> net::awaitable<std::string> {
    co_await net::post(context, net::use_awaitable);
    if (++made < 3) throw std::runtime_error{"not yet"};
    co_return std::to_string(self.number());
  };
  EXPECT_EQ((end_of<std::exception_ptr, std::string>(strategy, with)), "ok, 3");
}

TEST_F(AsyncRetryForms, ACoroutineOnAStrandRunsThereAllTheTime) {
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

struct is_eof {
  bool operator()(code const& error) const { return error == net::error::eof; }
};

// One part reads Asio's codes, the other the standard's. Each is asked in the type that it reads, in either order: of a
// completion, and of what a coroutine throws.
TEST_F(AsyncRetryForms, EachPartOfACombinationIsAsked) {
  using codes = anew::error_code_classifier;
  using eof = anew::retry_if<is_eof>;
  auto const attempts_by = [&](auto classifier) {
    auto const combined = strategy_of(4, {}, classifier);
    script posted{context.get_executor(), {net::error::eof, refused, {}}};
    (void)end_of<code, int>(combined, anew::idempotent(scripted{&posted}));
    script awaited{context.get_executor(), {net::error::eof, refused, {}}};
    auto const coroutine = [&](anew::attempt& self) -> net::awaitable<std::string> {
      co_return std::to_string(co_await scripted{&awaited}(self, net::use_awaitable));
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

/// The declarations, and codes that a classifier of standard ones reads.
struct AsyncRetryByCode : AsyncRetry {
  decltype(strategy_of(3, {}, anew::error_code_classifier{})) strict =
      strategy_of(3, {}, anew::error_code_classifier{});
  script breaks{context.get_executor(), {reset, {}}};  // it may have taken effect
  script is_down{context.get_executor(), {refused, {}}};
  script ends{context.get_executor(), {net::error::access_denied, {}}};
};

TEST_F(AsyncRetryByCode, CodesOfTheNetAreReadAndWhatMayHaveTakenEffectIsFinal) {
  EXPECT_EQ((end_of<code, int>(strict, scripted{&is_down})), "ok, 2");
  EXPECT_EQ((end_of<code, int>(strict, scripted{&ends})), denied + ", 1");
  EXPECT_EQ((end_of<code, int>(strict, scripted{&breaks})), broken + ", 1");
}

TEST_F(AsyncRetryByCode, OneShotIsCalledOnce) {
  EXPECT_EQ((end_of<code, int>(strict, anew::one_shot(scripted{&is_down}))), down + ", 1");
}

TEST_F(AsyncRetryByCode, DeclarationsAreReadThroughEachOther) {
  int rewound = 0;
  bool can_rewind = true;
  auto const declared = [&](script& of) {
    auto const without = [this, &of](auto completed) {
      net::post(context, [&of, done = std::move(completed)]() mutable { std::move(done)(of.next(), of.made); });
    };
    auto const rewind = [&] {
      ++rewound;
      return can_rewind;
    };
    return anew::idempotent(anew::rewinding(anew::initiates<void(code, int)>(without), rewind));
  };
  EXPECT_EQ((end_of<code, int>(strict, declared(breaks))), "ok, 2");
  EXPECT_EQ(rewound, 1);
  can_rewind = false;
  EXPECT_EQ((end_of<code, int>(strict, declared(is_down))), down + ", 1");
  EXPECT_EQ(rewound, 2);
}

TEST_F(AsyncRetryByCode, WhatAnAwaitableThrowsIsReadByItsCode) {
  int made = 0;
  code failure = refused;
  auto const client = [&]() -> net::awaitable<int> {
    if (++made < 3) throw anew::net_system_error{failure};
    co_return made;
  };
  EXPECT_EQ((end_of<std::exception_ptr, int>(strict, client)), "ok, 3");
  made = 0;
  failure = net::error::access_denied;
  EXPECT_EQ((end_of<std::exception_ptr, int>(strict, client)), denied + ", 0");
  EXPECT_EQ(made, 1);
}

struct is_server_error {
  bool operator()(int status) const { return status >= 500; }
  bool operator()(code const& error) const { return error == net::error::connection_refused; }
};

struct AsyncRetrySignatures : AsyncRetryByCode {
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

TEST_F(AsyncRetrySignatures, NothingIsASuccess) {
  end_of<>(strategy, [&](auto&& token) {
    ++attempts;
    return net::post(context, std::forward<decltype(token)>(token));
  });
  EXPECT_EQ(attempts, 1);
}

TEST_F(AsyncRetrySignatures, AnErrorCodeAloneOfAnOperationWithoutItsAttempt) {
  auto const operation = [&](auto&& token) {
    ++attempts;
    return net::post(context, net::append(std::forward<decltype(token)>(token), twice.next()));
  };
  EXPECT_EQ(end_of<code>(strategy, operation), "ok");
  EXPECT_EQ(attempts, 3);
}

TEST_F(AsyncRetrySignatures, AStandardErrorCode) {
  std::error_code const fails = std::make_error_code(std::errc::connection_refused);
  EXPECT_EQ(end_of<std::error_code>(strict, completing<std::error_code>({{fails}})), "standard Connection refused");
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

/// Where a call runs.
TEST_F(AsyncRetry, AnEmptyOperationIsRefusedWhereTheCallBegins) {
  anew::strategy<anew::retry_all> const any_error;
  std::function<net::awaitable<std::string>()> const nothing;
  EXPECT_THROW(anew::async_retry(context, any_error, nothing, net::detached), std::invalid_argument);
  EXPECT_THROW(anew::async_retry(context, any_error, std::ref(nothing), net::detached), std::invalid_argument);
  EXPECT_THROW(anew::async_retry(context, any_error, anew::idempotent(nothing), net::detached), std::invalid_argument);
}

TEST_F(AsyncRetry, WithoutAnExecutorItStaysWithTheOperationsIoObject) {
  net::steady_timer timer{context};
  auto const waits = strategy_of(3, 10ms);
  auto const before = support::thread_count();
  auto const me = std::this_thread::get_id();
  auto const to = std::make_shared<heard>();
  to->looks = [&] { EXPECT_EQ(std::this_thread::get_id(), me); };
  int made = 0;
  auto const wait = [&](auto&& token) {
    timer.expires_at(++made == 3 ? net::steady_timer::time_point::min() : net::steady_timer::time_point::max());
    if (made < 3) net::post(context, [&] { timer.cancel(); });
    return timer.async_wait(std::forward<decltype(token)>(token));
  };
  // A cancelled timer says operation_aborted, which is never retried.
  anew::async_retry(waits, wait, hears<code>{to});
  context.run();
  EXPECT_EQ(to->calls, 1);
  EXPECT_EQ(to->last, "system Operation canceled");
  EXPECT_EQ(made, 1);
  EXPECT_EQ(support::thread_count(), before);
}

TEST_F(AsyncRetry, OneTimerOfASourceForAllWaitsAndNoneForADelayOfZero) {
  support::hand_timers const timers{context.get_executor()};
  auto const waits = strategy_of(3, 10ms);
  anew::async_retry(timers, waits, scripted{&always}, handler);
  context.run();
  EXPECT_EQ(end->last, down + ", 3");
  EXPECT_EQ(timers.timers(), 1);
  EXPECT_EQ(timers.waits(), (std::vector<anew::duration>{10ms, 10ms}));

  support::hand_timers const untouched{context.get_executor()};
  always.made = 0;
  anew::async_retry(untouched, strategy, scripted{&always}, handler);
  run();
  EXPECT_EQ(end->calls, 2);
  EXPECT_EQ(end->last, down + ", 3");
  EXPECT_EQ(untouched.timers(), 0);
}

/// The strategy.
using thrifty = anew::token_bucket<40>;

TEST_F(AsyncRetry, AContextThatGoesAwayTakesTheCallWithIt) {
  auto const waits = strategy_of(3, 10ms, anew::retry_all{}, thrifty{});
  auto alive = std::make_shared<heard>();
  std::weak_ptr<heard> const seen = alive;
  alive->looks = [] { FAIL(); };
  {
    net::io_context short_lived;
    script fails{short_lived.get_executor(), {refused}};
    anew::async_retry(short_lived, waits, scripted{&fails}, hears<code, int>{std::move(alive)});
    short_lived.run_one();  // the attempt is over, and the call waits
    EXPECT_EQ(fails.made, 1);
    EXPECT_EQ(waits.quota().balance(), 26U);
  }
  EXPECT_TRUE(seen.expired());
  EXPECT_EQ(waits.quota().balance(), 40U);
}

}  // namespace
