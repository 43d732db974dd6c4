// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/curl.hpp"
#include "anew/http.hpp"
#include "anew/policies/classifier/http_statuses.hpp"

#include "easy_handle.hpp"
#include "names.hpp"
#include "support/misbehaving_server.hpp"

namespace curl_easy_test {
namespace {

using demo::misbehaving_server;
using demo::step;

using easy = support::easy_handle;
using strategy = anew::strategy<anew::curl::classifier<>, anew::no_backoff, anew::no_jitter, anew::max_attempts<5>,
                                anew::server_hint<anew::long_hint::ignore, 0s>>;

/// Which connection each request came over.
std::vector<std::uint64_t> connections_for(std::vector<step> steps) {
  misbehaving_server server;
  server.script("/", std::move(steps));
  easy const client{server.url()};
  auto const fetch = [&](anew::attempt& attempt) {
    return anew::curl::perform(client.handle.get(), attempt, anew::idempotent_call, 10s);
  };
  EXPECT_TRUE(anew::retry(strategy{}, anew::idempotent(fetch)).has_value());
  std::vector<std::uint64_t> used;
  for (auto const& request : server.requests()) used.push_back(request.connection);
  return used;
}

using numbers = std::vector<std::uint64_t>;

TEST(Curl, UsesTheConnectionAgainAfterThrottlingAndAFreshOneAfterATransientError) {
  EXPECT_EQ(connections_for({step::status(429), step::status(429), step::status(200)}), (numbers{1, 1, 1}));
  EXPECT_EQ(connections_for({step::status(502), step::status(503), step::status(200)}), (numbers{1, 2, 3}));
  EXPECT_EQ(connections_for({step::reset_before_response(), step::status(200)}), (numbers{1, 2}));
  EXPECT_EQ(connections_for({step::status(504), step::status(200)}), (numbers{1, 2}));  // a time-out
  EXPECT_EQ(connections_for({step::status(502), step::status(429), step::status(200)}), (numbers{1, 2, 2}));
  EXPECT_EQ(connections_for({step::status(429), step::status(502), step::status(200)}), (numbers{1, 1, 2}));
}

TEST(Curl, WhatIsNotDeclaredIdempotentHasAConnectionOfItsOwn) {
  misbehaving_server server;
  easy const client{server.url()};
  anew::attempt const first{anew::attempt::parts{}};
  auto const used = [&](auto const& perform) {
    EXPECT_TRUE(perform().has_value());
    return server.requests().back().connection;
  };
  auto const undeclared = [&] { return anew::curl::perform(client.handle.get(), first, 10s); };
  auto const one_shot = [&] { return anew::curl::perform(client.handle.get(), first, anew::one_shot_call, 10s); };
  auto const idempotent = [&] { return anew::curl::perform(client.handle.get(), first, anew::idempotent_call, 10s); };
  EXPECT_EQ(used(idempotent), 1U);
  EXPECT_EQ(used(idempotent), 1U);
  EXPECT_EQ(used(undeclared), 2U);
  EXPECT_EQ(used(undeclared), 3U);
  EXPECT_EQ(used(one_shot), 4U);
  EXPECT_EQ(used(idempotent), 1U);  // the others were closed
  EXPECT_EQ(used(one_shot), 5U);
}

TEST(Curl, AnAttemptHasTheTimeThatIsLeft) {
  misbehaving_server server;
  server.script("/", {step::silence()});
  easy const client{server.url()};
  anew::attempt const first{anew::attempt::parts{}};
  auto const ended = anew::curl::perform(client.handle.get(), first, 1ms);
  EXPECT_EQ(ended.code, CURLE_OPERATION_TIMEDOUT);
  EXPECT_FALSE(ended.has_value());
  EXPECT_EQ(anew::curl::classifier<>{}.classify(ended).what().kind, error_kind::timeout);
  anew::attempt::parts composed{};
  composed.limit = 1ms;
  EXPECT_EQ(anew::curl::perform(client.handle.get(), anew::attempt{composed}).code, CURLE_OPERATION_TIMEDOUT);
  static_assert(anew::curl::detail::milliseconds_of(anew::duration::max()) == 0);
  static_assert(anew::curl::detail::milliseconds_of(0s) == 1);
  static_assert(anew::curl::detail::milliseconds_of(1500us) == 2);
  static_assert(anew::curl::detail::milliseconds_of(anew::duration::max() - 1ns) == 2147483647);
}

TEST(Curl, ReadsWhatTheServerAsksFor) {
  misbehaving_server server;
  auto const busy = step::status(503);
  server.script(
      "/", {step::status(429).retry_after(7s), busy.header("Retry-After", "nonsense"),
            busy.header("Date", "Sun, 06 Nov 1994 08:49:55 GMT").header("Retry-After", "Sun, 06 Nov 1994 08:50:00 GMT"),
            busy.header("Retry-After", "9").header("Retry-After-Ms", "1500.5")});
  easy const client{server.url()};
  auto const once = [&] { return anew::curl::perform(client.handle.get(), anew::attempt{anew::attempt::parts{}}); };
  auto const throttled = once();
  EXPECT_EQ(throttled.http_status, 429);
  EXPECT_TRUE(throttled.sent);
  EXPECT_EQ(throttled.retry_after, 7s);
  auto const verdict = anew::curl::classifier<>{}.classify(throttled);
  ASSERT_TRUE(verdict.is_retry());
  EXPECT_EQ(verdict.what(), (anew::failure{error_kind::throttling, retry_safety::yes, 7s}));
  EXPECT_TRUE(anew::curl::classifier<>{}.classify(once()).what().hint.is_not_understood());
  EXPECT_EQ(once().retry_after, 5s) << "of the answer's own clock";
  EXPECT_EQ(once().retry_after, 1501ms);
}

TEST(CurlClassifier, RetriesASuccessThatIsNamed) {
  anew::http_status_classifier<202> const named;
  auto const attempts_after = [](auto classifier, anew::curl::transfer const& end) {
    int attempts = 0;
    auto const ask = [&] { return ++attempts, end; };
    auto const twice = anew::compose(anew::no_backoff{}, anew::max_attempts<2>{}, classifier);
    static_cast<void>(anew::retry(twice, anew::idempotent(ask), [](anew::duration /*delay*/) {}));
    return attempts;
  };
  for (auto const& [code, status, attempts] : {std::tuple{CURLE_OK, 202, 2},
                                               {CURLE_OK, 200, 1},
                                               {CURLE_OK, 0, 1},
                                               {CURLE_OK, 503, 1},
                                               {CURLE_PARTIAL_FILE, 202, 2},
                                               {CURLE_PARTIAL_FILE, 200, 2},
                                               {CURLE_WRITE_ERROR, 200, 1}}) {
    SCOPED_TRACE(testing::Message() << code << ", status " << status);
    anew::curl::transfer const end{code, status};
    EXPECT_EQ(attempts_after(named, end), attempts);
    EXPECT_EQ(attempts_after(anew::http_statuses{202}, end), attempts);
    EXPECT_EQ(attempts_after(anew::curl::classifier{named}, end), attempts);
    EXPECT_EQ(attempts_after(anew::http::classifier{named}, end), attempts);
  }
}

TEST(Curl, WhatNeverLeftCannotHaveTakenEffect) {
  misbehaving_server server;
  server.go_down();
  easy const client{server.url()};
  auto const ended = anew::curl::perform(client.handle.get(), anew::attempt{anew::attempt::parts{}});
  EXPECT_EQ(ended.code, CURLE_COULDNT_CONNECT);
  EXPECT_FALSE(ended.sent);
  EXPECT_EQ(anew::curl::classifier<>{}.classify(ended).what(),
            (anew::failure{error_kind::transient, retry_safety::yes, std::nullopt}));
  EXPECT_EQ(anew::curl::classifier<>::classify_code(CURLE_RECV_ERROR, true).what().safety, retry_safety::maybe);
  for (auto const code : {CURLE_PEER_FAILED_VERIFICATION, CURLE_URL_MALFORMAT}) {
    EXPECT_FALSE(anew::curl::classifier<>::classify_code(code, false).is_retry());
  }
  for (auto const code : {CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
                          CURLE_SSL_CONNECT_ERROR, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING,
                          CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR}) {
    EXPECT_EQ(anew::curl::classifier<>::classify_code(code, true).what().kind, error_kind::transient);
  }
  EXPECT_EQ(anew::curl::classifier<>::classify_code(CURLE_OPERATION_TIMEDOUT, true).what().kind, error_kind::timeout);
}

TEST(Curl, AStatusThatIsFinalIsFinal) {
  EXPECT_FALSE(anew::curl::classifier<>{}.classify({CURLE_OK, 404}).is_retry());
  EXPECT_TRUE(anew::curl::classifier<>{}.classify({CURLE_PARTIAL_FILE, 503}).is_retry());
  EXPECT_FALSE(anew::curl::classifier<>{}.classify({CURLE_PARTIAL_FILE, 404}).is_retry());
  EXPECT_FALSE(anew::curl::classifier<>{}.classify({CURLE_WRITE_ERROR, 503}).is_retry()) << "the limit of a head";
  EXPECT_TRUE(anew::curl::classifier<>{}.classify({CURLE_HTTP_RETURNED_ERROR, 503}).is_retry());
  EXPECT_TRUE(anew::curl::classifier<anew::http_status_classifier<404>>{}.classify({CURLE_OK, 404}).is_retry());
  EXPECT_EQ(anew::curl::classifier<>{}.describe(), "curl(http_status(408,429,500,502,503,504))");
}

}  // namespace
}  // namespace curl_easy_test
