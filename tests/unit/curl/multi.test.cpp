// SPDX-License-Identifier: BSL-1.0
#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/curl.hpp"
#include "anew/policies.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recorder.hpp"

#include "counted_heap.hpp"
#include "easy_handle.hpp"
#include "names.hpp"
#include "support/misbehaving_server.hpp"

namespace curl_multi_test {
namespace {

using anew::curl::ended_call, anew::curl::multi_retry, anew::testing::recorder;
using demo::misbehaving_server, demo::step;

using easy = support::easy_handle;
using at_once = anew::strategy<anew::curl::classifier<>, anew::no_backoff, anew::no_jitter, anew::max_attempts<5>,
                               anew::unlimited_quota, anew::server_hint<anew::long_hint::ignore, 0s>>;
using patient = anew::strategy<anew::curl::classifier<>, anew::constant_backoff<1h>, anew::no_jitter,
                               anew::max_attempts<5>, anew::unlimited_quota, anew::server_hint<>>;

/// What callbacks were told.
struct ends {
  std::vector<ended_call> list;
  auto note() {
    return [this](ended_call const& end) { list.push_back(end); };
  }
};

testing::AssertionResult turn_until(auto& calls, auto condition) {
  auto const limit = std::chrono::steady_clock::now() + 30s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit) return testing::AssertionFailure() << "nothing comes of it";
    if (auto const code = calls.poll(20ms); code != CURLM_OK) return testing::AssertionFailure() << code;
  }
  return testing::AssertionSuccess();
}

/// A loop of a program's own, of the plainest kind: sockets in a map, and poll(2).
struct own_loop {
  explicit own_loop(CURLM* multi) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &own_loop::on_socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
  }
  void run(multi_retry<>& calls) {
    run_until(calls, [&] { return calls.empty(); });
  }
  void run_until(auto& calls, auto condition) {
    auto const limit = std::chrono::steady_clock::now() + 30s;
    while (!condition()) {
      ASSERT_LT(std::chrono::steady_clock::now(), limit) << "nothing comes of it";
      std::vector<pollfd> watched;
      for (auto const& [socket, events] : sockets_) watched.push_back({socket, events, 0});
      auto const wait =
          std::chrono::ceil<std::chrono::milliseconds>(std::min<anew::duration>(calls.next_timeout(), 5s));
      ::poll(watched.data(), watched.size(), static_cast<int>(wait.count()));
      if (calls.next_timeout() == 0s) {
        ASSERT_EQ(calls.drive(), CURLM_OK);
      }
      for (auto const& one : watched) {
        int const events = ((one.revents & POLLIN) != 0 ? CURL_CSELECT_IN : 0) |
                           ((one.revents & POLLOUT) != 0 ? CURL_CSELECT_OUT : 0) |
                           ((one.revents & (POLLERR | POLLHUP)) != 0 ? CURL_CSELECT_ERR : 0);
        if (events != 0 && sockets_.contains(one.fd)) {
          ASSERT_EQ(calls.drive(one.fd, events), CURLM_OK);
        }
      }
    }
  }

 private:
  static int on_socket(CURL* /*easy*/, curl_socket_t socket, int what, void* self, void* /*of_socket*/) {
    auto& sockets = static_cast<own_loop*>(self)->sockets_;
    if (what == CURL_POLL_REMOVE) {
      sockets.erase(socket);
    } else {
      sockets[socket] =
          static_cast<short>(((what & CURL_POLL_IN) != 0 ? POLLIN : 0) | ((what & CURL_POLL_OUT) != 0 ? POLLOUT : 0));
    }
    return 0;
  }
  std::map<curl_socket_t, short> sockets_;
};

/// A loop that is gone before the calls that it drove: a callback has thrown, say.
struct short_lived_loop {
  bool is_gone = false;
  int sockets = 0;
  int sockets_afterwards = 0;
  static int on_socket(CURL* /*easy*/, curl_socket_t /*socket*/, int /*what*/, void* self, void* /*of_socket*/) {
    auto& loop = *static_cast<short_lived_loop*>(self);
    ++(loop.is_gone ? loop.sockets_afterwards : loop.sockets);
    return 0;
  }
};

TEST(CurlMultiEnds, WithoutTheLoopThatWatchesItsSockets) {
  misbehaving_server server;
  server.script("/", {step::silence()});
  easy const silent{server.url()};
  short_lived_loop loop;
  {
    multi_retry calls;
    curl_multi_setopt(calls.native_handle(), CURLMOPT_SOCKETFUNCTION, &short_lived_loop::on_socket);
    curl_multi_setopt(calls.native_handle(), CURLMOPT_SOCKETDATA, &loop);
    calls.add(silent.get(), at_once{}, [](ended_call const&) {});
    for (int turn = 0; turn < 1000 && loop.sockets == 0; ++turn) EXPECT_EQ(calls.drive(), CURLM_OK);
    EXPECT_GT(loop.sockets, 0);
    loop.is_gone = true;
  }
  EXPECT_EQ(loop.sockets_afterwards, 0);
}

enum class loop { of_libcurl, own };

void run(loop which, multi_retry<>& calls) {
  if (which == loop::own) return own_loop{calls.native_handle()}.run(calls);
  EXPECT_EQ(calls.run(), CURLM_OK);
}

/// Which connection each request came over.
using numbers = std::vector<std::uint64_t>;
numbers connections_for(loop which, std::vector<step> steps) {
  misbehaving_server server;
  server.script("/", std::move(steps));
  easy const client{server.url()};
  multi_retry calls;
  ends seen;
  calls.add(client.get(), at_once{}, anew::idempotent_call, seen.note());
  run(which, calls);
  EXPECT_EQ(seen.list.size(), 1U);
  EXPECT_TRUE(seen.list.at(0).has_value());
  EXPECT_EQ(seen.list.at(0).last.http_status, 200);
  numbers used;
  for (auto const& request : server.requests()) used.push_back(request.connection);
  EXPECT_EQ(seen.list.at(0).attempts, used.size());
  return used;
}

class CurlMulti : public testing::TestWithParam<loop> {};
INSTANTIATE_TEST_SUITE_P(Loops, CurlMulti, testing::Values(loop::of_libcurl, loop::own));

TEST_P(CurlMulti, UsesTheConnectionAgainAfterThrottlingAndAFreshOneAfterATransientError) {
  EXPECT_EQ(connections_for(GetParam(), {step::status(429), step::status(429), step::status(200)}), (numbers{1, 1, 1}));
  EXPECT_EQ(connections_for(GetParam(), {step::status(502), step::status(503), step::status(200)}), (numbers{1, 2, 3}));
  EXPECT_EQ(connections_for(GetParam(), {step::reset_before_response(), step::status(200)}), (numbers{1, 2}));
  EXPECT_EQ(connections_for(GetParam(), {step::close_in_body(2), step::status(200)}), (numbers{1, 2}));
}

TEST_P(CurlMulti, TwoHundredCallsOnOneThread) {
  constexpr std::size_t count = 200;
  misbehaving_server server;
  std::vector<easy> clients;
  for (std::size_t i = 0; i < count; ++i) {
    auto const path = std::string{"/"}.append(std::to_string(i));
    std::vector<step> const kinds[] = {{step::status(200)},
                                       {step::status(429), step::status(200)},
                                       {step::status(503), step::status(200)},
                                       {step::reset_before_response(), step::status(502), step::status(200)},
                                       {step::status(404)}};
    server.script(path, kinds[i % 5]);
    clients.emplace_back(server.url(path));
  }
  multi_retry calls;
  curl_multi_setopt(calls.native_handle(), CURLMOPT_MAXCONNECTS, 1000L);
  at_once const strategy{};
  std::map<CURL*, int> told;
  std::map<std::uint32_t, int> attempts;
  int successes = 0;
  for (auto const& client : clients) {
    calls.add(client.get(), strategy, anew::idempotent_call, [&](ended_call const& end) {
      ++told[end.handle];
      ++attempts[end.attempts];
      if (end.has_value()) ++successes;
      EXPECT_EQ(end.reason, end.last.http_status == 404 ? stop_reason::not_retryable : stop_reason::succeeded);
    });
  }
  EXPECT_EQ(calls.size(), count);
  run(GetParam(), calls);
  EXPECT_EQ(told.size(), count);
  for (auto const& [handle, times] : told) EXPECT_EQ(times, 1) << handle;
  EXPECT_EQ(successes, 160);
  EXPECT_EQ(attempts, (std::map<std::uint32_t, int>{{1, 80}, {2, 80}, {3, 40}}));
  EXPECT_EQ(server.request_count(), 80U + 160U + 120U);
  // One each to begin with, and one for each retry after a transient error: 40 after 503, 80 after resets and 502.
  EXPECT_EQ(server.connection_count(), count + 40 + 80);
}

/// A server, a handle for it, and calls on a clock that stands still.
struct on_a_clock : testing::Test {
  misbehaving_server server{};
  easy client{server.url()};
  easy const silent{server.url("/silent")};
  manual_clock clock{};
  multi_retry<manual_clock> calls{clock};
  ends seen{};
  on_a_clock() { server.script("/silent", {step::silence()}); }

  /// Makes a call alone, to its end.
  template <class... How>
  void run(easy const& of, How&&... how) {
    calls.add(of.get(), std::forward<How>(how)..., seen.note());
    EXPECT_EQ(calls.run(), CURLM_OK);
  }
  void run_out() {
    ASSERT_TRUE(turn_until(calls, [&] { return calls.empty(); }));
  }
  void expect_cancelled(std::size_t ended) const {
    EXPECT_EQ(seen.list.size(), ended);
    for (auto const& end : seen.list) EXPECT_EQ(end.reason, stop_reason::cancelled);
  }
  /// So many calls are over, and the last one ended like this.
  ended_call const& expect_end(stop_reason why, std::uint32_t attempts, std::size_t ended = 1) const {
    EXPECT_EQ(seen.list.size(), ended);
    EXPECT_EQ(seen.list.back().reason, why);
    EXPECT_EQ(seen.list.back().attempts, attempts);
    return seen.list.back();
  }
};
using CurlMultiTimers = on_a_clock;
using CurlMultiStop = on_a_clock;
using CurlMultiCallbacks = on_a_clock;
using CurlMultiCalls = on_a_clock;
using CurlMultiCost = on_a_clock;

TEST_F(CurlMultiTimers, NothingHappensBeforeAWaitIsOver) {
  server.script("/", {step::status(503), step::status(200)});
  EXPECT_EQ(calls.next_timeout(), anew::duration::max());
  calls.add(client.get(), patient{}, anew::idempotent_call, seen.note());
  EXPECT_EQ(calls.next_timeout(), 0s);
  // The handle is taken back for the wait, and so libcurl has no timer then.
  ASSERT_TRUE(turn_until(calls, [&] { return calls.next_timeout() == 1h; }));
  clock.advance(1h - 1ns);
  EXPECT_EQ(calls.next_timeout(), 1ns);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(calls.poll(1ms), CURLM_OK);
  EXPECT_EQ(server.request_count(), 1U);
  clock.advance(1ns);
  EXPECT_EQ(calls.next_timeout(), 0s);
  run_out();
  EXPECT_EQ(server.request_count(), 2U);
  EXPECT_EQ(seen.list.at(0).attempts, 2U);
}

TEST_F(CurlMultiTimers, ALoopOfOnesOwnSleepsAsLongAsNothingIsToBeDone) {
  server.script("/", {step::status(503), step::status(200)});
  own_loop mine{calls.native_handle()};
  calls.add(client.get(), patient{}, anew::idempotent_call, seen.note());
  mine.run_until(calls, [&] { return server.request_count() == 1 && calls.next_timeout() == 1h; });
  EXPECT_EQ(calls.drive(), CURLM_OK);  // early is no harm
  EXPECT_EQ(calls.next_timeout(), 1h);
  calls.add(silent.get(), patient{}, anew::idempotent_call, seen.note());
  mine.run_until(calls, [&] { return server.request_count("/silent") == 1 && calls.next_timeout() > 2s; });
  calls.stop(silent.get());
  clock.advance(1h);
  mine.run_until(calls, [&] { return calls.empty(); });
  EXPECT_EQ(calls.next_timeout(), anew::duration::max());
  EXPECT_TRUE(seen.list.at(1).has_value());
}

TEST_F(CurlMultiTimers, AttemptsBeginInTheOrderOfTheirTimers) {
  constexpr std::uint64_t count = 60;
  std::vector<easy> clients;
  std::vector<std::uint64_t> begun;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto const path = std::string{"/"}.append(std::to_string(i));
    server.script(path, {step::status(429), step::status(200)});
    clients.emplace_back(server.url(path));
  }
  auto const seconds_of = [](std::uint64_t i) { return std::chrono::seconds{1 + i * 37 % count}; };  // each once
  for (std::uint64_t i = 0; i < count; ++i) {
    auto const strategy = anew::compose(anew::curl::classifier<>{}, anew::constant_backoff{seconds_of(i)},
                                        anew::no_jitter{}, anew::unlimited_quota{}, anew::max_attempts<2>{});
    auto const note = [&, i](anew::attempt& attempt) {
      if (attempt.is_retry()) begun.push_back(i);
    };
    calls.add(clients[i].get(), anew::with<std::remove_const_t<decltype(strategy)>>{strategy}, note, seen.note());
  }
  ASSERT_TRUE(turn_until(calls, [&] { return server.request_count() == count && calls.next_timeout() == 1s; }));
  // Some are stopped, and so leave the midst of the queue.
  for (std::uint64_t i = 0; i < count; i += 7) EXPECT_TRUE(calls.stop(clients[i].get()));
  EXPECT_EQ(calls.poll(0s), CURLM_OK);
  EXPECT_EQ(seen.list.size(), 9U);
  clock.advance(std::chrono::seconds{count});
  run_out();
  EXPECT_EQ(begun.size(), count - 9);
  for (std::size_t n = 1; n < begun.size(); ++n) EXPECT_LT(seconds_of(begun[n - 1]), seconds_of(begun[n]));
}

TEST_F(CurlMultiTimers, ThoseThatAreDueTogetherBeginInTheOrderInWhichTheyCame) {
  std::vector<easy> clients;
  std::vector<std::size_t> begun, added(20);
  std::iota(added.begin(), added.end(), 0U);
  for (auto const i : added) {
    clients.emplace_back(server.url());
    calls.add(clients.back().get(), at_once{}, [&begun, i] { begun.push_back(i); }, seen.note());
  }
  EXPECT_EQ(calls.poll(0s), CURLM_OK);
  EXPECT_EQ(begun, added);
}

TEST_F(CurlMultiStop, BeforeItBegins) {
  calls.add(client.get(), patient{}, anew::idempotent_call, seen.note());
  EXPECT_TRUE(calls.stop(client.get()));
  EXPECT_TRUE(calls.stop(client.get()));  // twice is once
  EXPECT_TRUE(seen.list.empty());         // not inside stop()
  EXPECT_EQ(calls.next_timeout(), 0s);
  EXPECT_EQ(calls.run(), CURLM_OK);
  EXPECT_FALSE(expect_end(stop_reason::cancelled, 0).last.sent);
  EXPECT_FALSE(calls.stop(client.get()));
  EXPECT_EQ(server.connection_count(), 0U);
}

TEST_F(CurlMultiStop, InAnAttempt) {
  recorder const heard;
  anew::with<patient, recorder> const observed{heard};
  calls.add(silent.get(), observed, anew::idempotent_call, seen.note());
  ASSERT_TRUE(turn_until(calls, [&] { return server.request_count() == 1; }));
  calls.add(client.get(), patient{}, anew::idempotent_call, seen.note());
  EXPECT_TRUE(calls.stop(silent.get()));
  EXPECT_EQ(calls.poll(0s), CURLM_OK);
  auto const& end = expect_end(stop_reason::cancelled, 1);
  EXPECT_EQ(end.handle, silent.get());
  EXPECT_EQ(end.last.code, CURLE_ABORTED_BY_CALLBACK);
  EXPECT_TRUE(end.last.sent);
  EXPECT_EQ(heard.ends().size(), 1U);
  run_out();
  EXPECT_TRUE(seen.list.at(1).has_value());
  EXPECT_EQ(server.request_count("/silent"), 1U);
}

/// The server is slow, or the call is stopped: told apart by value, whoever ends the transfer.
TEST_F(CurlMultiStop, IsNoTimeoutAndThatOfTheDeadlineSaysSo) {
  using hurried = anew::strategy<anew::curl::classifier<>, anew::deadline<50ms>, anew::max_attempts<1>>;
  run(silent, hurried{}, anew::idempotent_call);
  expect_end(stop_reason::deadline, 1);
  EXPECT_EQ(seen.list[0].last.code, CURLE_OPERATION_TIMEDOUT);
  auto const ended = anew::timed_out_result<anew::curl::transfer>::make({CURLE_ABORTED_BY_CALLBACK});
  EXPECT_EQ(anew::curl::classifier<>{}.classify(ended).what().kind, anew::error_kind::timeout);
  EXPECT_TRUE(anew::curl::classifier<>{}.classify({CURLE_ABORTED_BY_CALLBACK}).is_failure());
}

TEST_F(CurlMultiStop, InAWait) {
  server.script("/", {step::status(503)});
  calls.add(client.get(), patient{}, anew::idempotent_call, seen.note());
  ASSERT_TRUE(turn_until(calls, [&] { return calls.next_timeout() == 1h; }));
  calls.stop_all();
  EXPECT_EQ(calls.next_timeout(), 0s);
  EXPECT_EQ(calls.poll(), CURLM_OK);
  auto const& end = expect_end(stop_reason::cancelled, 1);
  EXPECT_EQ(end.last.http_status, 503);  // the last failure is kept
  EXPECT_EQ(end.last.code, CURLE_OK);
  EXPECT_TRUE(calls.empty());
  clock.advance(2h);
  EXPECT_EQ(calls.poll(1ms), CURLM_OK);
  EXPECT_EQ(server.request_count(), 1U);
}

/// Stops a call from inside libcurl: when the last line of the header, or a piece of the body, arrives.
struct stops_inside {
  multi_retry<manual_clock>& calls;
  CURL* handle;
  int stops = 0;

  static std::size_t receive(char* data, std::size_t size, std::size_t count, void* self) {
    auto& me = *static_cast<stops_inside*>(self);
    if (std::string{data, size * count} != "\r\n" && std::string{data, size * count} != "hel") return size * count;
    me.stops += me.calls.stop(me.handle) ? 1 : 0;
    EXPECT_EQ(me.calls.poll(0s), CURLM_RECURSIVE_API_CALL);
    return size * count;
  }
};

TEST_F(CurlMultiStop, WhatHasSucceededIsASuccess) {
  server.script("/", {step::status(200, "")});
  stops_inside context{calls, client.get()};
  auto const hears = anew::curl::with_header_function([] {}, &stops_inside::receive, &context);
  calls.add(client.get(), patient{}, anew::idempotent(hears), seen.note());
  run_out();
  EXPECT_EQ(context.stops, 1);
  EXPECT_TRUE(expect_end(stop_reason::succeeded, 1).has_value());  // it was whole in the turn in which it was stopped
}

TEST_F(CurlMultiStop, AFailureAfterAStopIsNotRetried) {
  server.script("/", {step::reset_in_body(3), step::status(200)});
  stops_inside context{calls, client.get()};
  curl_easy_setopt(client.get(), CURLOPT_WRITEFUNCTION, &stops_inside::receive);
  curl_easy_setopt(client.get(), CURLOPT_WRITEDATA, &context);
  calls.add(client.get(), at_once{}, anew::idempotent_call, seen.note());
  run_out();
  EXPECT_EQ(context.stops, 1);
  expect_end(stop_reason::cancelled, 1);
  EXPECT_EQ(server.request_count(), 1U);
}

TEST_F(CurlMultiStop, WhatFailsInTheSameTurnIsNotRetried) {
  server.go_down();
  std::vector<easy> clients;
  recorder const heard;
  anew::with<at_once, anew::token_bucket<500>, recorder> const strategy{heard};
  int prepared = 0;
  for (int i = 0; i < 20; ++i) {
    clients.emplace_back(server.url());
    if (i == 0) {
      calls.add(clients[0].get(), anew::with<at_once, anew::max_attempts<1>>{},
                [&](ended_call const& /*end*/) { calls.stop_all(); });
    } else {
      calls.add(clients.back().get(), strategy, [&prepared] { ++prepared; }, seen.note());
    }
  }
  EXPECT_EQ(calls.run(), CURLM_OK);
  expect_cancelled(19);
  EXPECT_GE(prepared, 19);
  EXPECT_EQ(strategy.quota().balance(), 500U);
  EXPECT_TRUE(heard.retries().empty());  // what fails after a stop is not asked about
  EXPECT_EQ(heard.ends().size(), 19U);
}

TEST_F(CurlMultiStop, ByAnotherCallsCallbackAndByAPreparation) {
  easy const itself{server.url("/itself")};
  int sockets = 0;
  auto const open = +[](void* count, curlsocktype /*purpose*/, curl_sockaddr* address) -> curl_socket_t {
    ++*static_cast<int*>(count);
    return ::socket(address->family, address->socktype, address->protocol);
  };
  curl_easy_setopt(itself.get(), CURLOPT_OPENSOCKETFUNCTION, open);
  curl_easy_setopt(itself.get(), CURLOPT_OPENSOCKETDATA, &sockets);
  calls.add(silent.get(), at_once{}, anew::idempotent_call, seen.note());
  calls.add(client.get(), at_once{}, anew::idempotent_call, [&](ended_call const& end) {
    EXPECT_FALSE(calls.stop(end.handle));  // it is over
    EXPECT_EQ(calls.poll(0s), CURLM_RECURSIVE_API_CALL);
    EXPECT_EQ(calls.drive(), CURLM_RECURSIVE_API_CALL);
    EXPECT_TRUE(calls.stop(silent.get()));
  });
  calls.add(itself.get(), at_once{}, [&] { EXPECT_TRUE(calls.stop(itself.get())); }, seen.note());
  EXPECT_EQ(calls.run(), CURLM_OK);
  expect_cancelled(2);
  EXPECT_EQ(seen.list.at(0).handle, itself.get());
  EXPECT_EQ(seen.list.at(1).handle, silent.get());
  EXPECT_EQ(sockets, 0);
}

TEST_F(CurlMultiStop, AStopTokenWakesTheLoop) {
  server.script("/", {step::status(503)});
  calls.add(client.get(), patient{}, anew::idempotent_call, seen.note());
  calls.add(silent.get(), patient{}, anew::idempotent_call, seen.note());
  std::stop_source source;
  std::jthread const stopper{[&] {
    server.wait_for_requests(2);
    source.request_stop();
  }};
  EXPECT_EQ(calls.run(source.get_token()), CURLM_OK);
  expect_cancelled(2);
}

TEST_F(CurlMultiStop, TheEndOfTheLoopGivesCallsUp) {
  server.script("/", {step::status(503)});
  anew::with<patient, anew::token_bucket<100>> const strategy{};
  {
    multi_retry gone;
    gone.add(silent.get(), strategy, anew::idempotent_call, seen.note());
    gone.add(client.get(), strategy, anew::idempotent_call, seen.note());
    ASSERT_TRUE(turn_until(gone, [&] { return strategy.quota().balance() < 100 && server.request_count() == 2; }));
  }
  EXPECT_TRUE(seen.list.empty());
  EXPECT_EQ(strategy.quota().balance(), 100U);  // what the waiting call held came back
  multi_retry again;                            // and the handles can be used again
  again.add(client.get(), at_once{}, anew::idempotent_call, seen.note());
  EXPECT_EQ(again.run(), CURLM_OK);
  EXPECT_EQ(seen.list.at(0).reason, stop_reason::attempts);
}

TEST_F(CurlMultiCallbacks, WhatOneThrowsLosesNoOther) {
  std::vector<easy> clients;
  int told = 0;
  for (int i = 0; i < 20; ++i) {
    clients.emplace_back(server.url());
    calls.add(clients.back().get(), at_once{}, anew::idempotent_call, [&told](ended_call const& end) {
      EXPECT_TRUE(end.has_value());
      ++told;
      throw std::runtime_error{"of mine"};
    });
  }
  int thrown = 0;
  while (!calls.empty()) {
    try {
      EXPECT_EQ(calls.run(), CURLM_OK);
    } catch (std::runtime_error const& e) {
      EXPECT_STREQ(e.what(), "of mine");
      ++thrown;
      EXPECT_EQ(calls.size(), 20U - static_cast<unsigned>(thrown));
      EXPECT_EQ(calls.next_timeout(), 0s);  // there may be more to read
    }
  }
  EXPECT_EQ(told, 20);
  EXPECT_EQ(thrown, 20);
}

TEST_F(CurlMultiCallbacks, AddTheSameHandleAgain) {
  int told = 0;
  std::function<void(ended_call const&)> again = [&](ended_call const& end) {
    EXPECT_EQ(calls.size(), 0U);
    if (++told < 5) calls.add(end.handle, at_once{}, anew::idempotent_call, again);
  };
  calls.add(client.get(), at_once{}, anew::idempotent_call, again);
  EXPECT_EQ(calls.run(), CURLM_OK);
  EXPECT_EQ(told, 5);
  EXPECT_EQ(server.connection_count(), 1U);
  EXPECT_EQ(server.request_count(), 5U);
}

TEST_F(CurlMultiCalls, AHandleIsInOneCall) {
  calls.add(client.get(), at_once{}, seen.note());
  EXPECT_THROW(calls.add(client.get(), at_once{}, seen.note()), std::invalid_argument);
  EXPECT_THROW(calls.add(nullptr, at_once{}, seen.note()), std::invalid_argument);
  EXPECT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls.run(), CURLM_OK);
  EXPECT_EQ(seen.list.size(), 1U);
}

TEST_F(CurlMultiCalls, SayWhatTheyMayDoTwice) {
  server.script("/", {step::status(502), step::status(429)});
  run(client, at_once{});
  EXPECT_EQ(expect_end(stop_reason::not_idempotent, 1).last.http_status, 502);
  run(client, at_once{}, anew::one_shot_call);
  expect_end(stop_reason::not_replayable, 1, 2);
  EXPECT_EQ(server.request_count(), 2U);
}

TEST_F(CurlMultiCalls, HaveAConnectionOfTheirOwnUnlessTheyMayRunTwice) {
  auto const used = [&](auto const& how) {
    run(client, at_once{}, how);
    EXPECT_TRUE(seen.list.back().has_value());
    return server.requests().back().connection;
  };
  EXPECT_EQ(used(anew::idempotent_call), 1U);
  EXPECT_EQ(used(anew::idempotent([] {})), 1U);
  EXPECT_EQ(used([] {}), 2U);
  EXPECT_EQ(used(anew::one_shot_call), 3U);
  EXPECT_EQ(used(anew::rewinding([] {}, [] {})), 4U);
  EXPECT_EQ(used(anew::one_shot(anew::idempotent([] {}))), 5U);
  using limited = anew::with<at_once, anew::attempt_timeout<10s>>;
  run(client, limited{});
  EXPECT_EQ(server.requests().back().connection, 6U);
  // A preparation may take a kept one all the same.
  EXPECT_EQ(used([&] { curl_easy_setopt(client.get(), CURLOPT_FRESH_CONNECT, 0L); }), 1U);
}

TEST_F(CurlMultiCalls, RewindBodies) {
  server.script("/", {step::close_in_body(3), step::reset_in_body(4), step::status(200, "hello\n")});
  std::string body;
  curl_easy_setopt(client.get(), CURLOPT_WRITEDATA, &body);
  auto const append = +[](char* data, std::size_t size, std::size_t count, void* into) {
    static_cast<std::string*>(into)->append(data, size * count);
    return size * count;
  };
  curl_easy_setopt(client.get(), CURLOPT_WRITEFUNCTION, append);
  std::vector<std::uint32_t> prepared;
  int rewound = 0;
  auto const prepare = [&](anew::attempt& attempt) { prepared.push_back(attempt.number()); };
  auto const rewind = [&] {
    ++rewound;
    body.clear();
    return rewound < 3;
  };
  run(client, at_once{}, anew::idempotent(anew::rewinding(prepare, rewind)));
  EXPECT_EQ(body, "hello\n");
  EXPECT_EQ(rewound, 2);
  EXPECT_EQ(prepared, (std::vector<std::uint32_t>{1, 2, 3}));
  server.script("/", {step::status(429)});
  run(client, at_once{}, anew::idempotent(anew::rewinding(prepare, rewind)));
  EXPECT_EQ(seen.list.at(1).reason, stop_reason::not_replayable);
}

TEST_F(CurlMultiCalls, EndByWhatTheirPartsThrow) {
  server.script("/", {step::status(429)});
  auto const twice = [](anew::attempt& attempt) {
    if (attempt.is_retry()) throw std::runtime_error{"no second body"};
  };
  run(client, at_once{}, twice);
  auto const& end = expect_end(stop_reason::unclassified, 2);
  EXPECT_THROW(std::rethrow_exception(end.thrown), std::runtime_error);
  EXPECT_EQ(end.last.http_status, 429);
  run(client, at_once{}, anew::rewinding([] {}, []() -> bool { throw std::logic_error{"torn"}; }));
  EXPECT_THROW(std::rethrow_exception(seen.list.at(1).thrown), std::logic_error);
  EXPECT_EQ(server.request_count(), 2U);
}

TEST_F(CurlMultiCalls, APreparationMayFailByItsCode) {
  int times = 0;
  auto const fails = [&] { return ++times == 1 ? CURLE_COULDNT_CONNECT : CURLE_BAD_FUNCTION_ARGUMENT; };
  run(client, at_once{}, fails);
  EXPECT_EQ(times, 2);  // the first code is one that passes, and was not sent
  EXPECT_EQ(expect_end(stop_reason::not_retryable, 2).last.code, CURLE_BAD_FUNCTION_ARGUMENT);
  EXPECT_EQ(server.connection_count(), 0U);
}

TEST_F(CurlMultiCalls, AnAttemptHasALimit) {
  server.script("/", {step::silence(), step::silence(), step::status(200)});
  using limited = anew::with<at_once, anew::attempt_timeout<30ms>, anew::max_attempts<2>>;
  run(client, limited{}, anew::idempotent_call);
  EXPECT_EQ(expect_end(stop_reason::attempts, 2).last.code, CURLE_OPERATION_TIMEDOUT);
  EXPECT_EQ(server.connection_count(), 2U);  // the connection of one that timed out is not used again
  // Without one, what the handle's owner has set stays.
  curl_easy_setopt(silent.get(), CURLOPT_TIMEOUT_MS, 30L);
  run(silent, anew::with<at_once, anew::max_attempts<1>>{}, anew::idempotent_call);
  EXPECT_EQ(seen.list.at(1).last.code, CURLE_OPERATION_TIMEDOUT);
}

TEST_F(CurlMultiCalls, AGateMayRefuseThem) {
  server.script("/", {step::status(503)});
  anew::with<at_once, anew::max_attempts<1>, anew::circuit_breaker<1, 1h>> const strategy{};
  run(client, strategy);
  run(client, strategy);
  EXPECT_EQ(seen.list.at(0).attempts, 1U);
  expect_end(stop_reason::gate_closed, 0, 2);
  EXPECT_EQ(server.request_count(), 1U);
}

#if !ANEW_TEST_UNDER_TSAN
TEST_F(CurlMultiCost, ThreeAllocationsForACall) {
  server.script("/", {step::status(429), step::status(503), step::status(200), step::status(429), step::status(200)});
  at_once const strategy{};
  int told = 0;
  auto const once = [&] {
    calls.add(client.get(), strategy, anew::idempotent_call, [&told](ended_call const&) { ++told; });
  };
  once();
  EXPECT_EQ(calls.run(), CURLM_OK);
  EXPECT_EQ(support::allocations_of(once), 3);
  EXPECT_EQ(support::allocations_of([&] {
              while (!calls.empty()) EXPECT_EQ(calls.poll(), CURLM_OK);
            }),
            0);
  EXPECT_EQ(told, 2);
}
#endif

}  // namespace
}  // namespace curl_multi_test
