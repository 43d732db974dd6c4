// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/curl.hpp"

#include "easy_handle.hpp"
#include "names.hpp"
#include "scripted_peer.hpp"

namespace curl_head_test {
namespace {

namespace peer = support::peer;
using anew::curl::transfer;
using support::scripted_peer;

struct easy : support::easy_handle {
  explicit easy(std::string const& url) : easy_handle{url} {
    curl_easy_setopt(get(), CURLOPT_WRITEFUNCTION, &append);
    curl_easy_setopt(get(), CURLOPT_WRITEDATA, &body);
  }
  static std::size_t append(char* data, std::size_t size, std::size_t count, void* into) {
    static_cast<std::string*>(into)->append(data, size * count);
    return size * count;
  }
  std::string body;
};

enum class ends { by_fin, by_reset };

transfer over_easy(easy& client) {
  return anew::curl::perform(client.get(), anew::attempt{anew::attempt::parts{}}, anew::idempotent_call, 20s);
}

using once = anew::strategy<anew::curl::classifier<>, anew::max_attempts<1>>;

transfer over_multi(easy& client, auto const& how) {
  transfer last;
  anew::curl::multi_retry calls;
  calls.add(client.get(), once{}, how, [&](anew::curl::ended_call const& end) { last = end.last; });
  EXPECT_EQ(calls.run(), CURLM_OK);
  return last;
}

/// What comes of an answer that is cut off after so many bytes, over both; they say the same.
transfer of_bytes(std::string_view text, ends how) {
  scripted_peer const there{
      {{peer::read_request(), peer::send(std::string{text}), how == ends::by_fin ? peer::finish() : peer::reset()}}};
  easy one{there.url()};
  easy two{there.url()};
  auto const got = over_easy(one);
  auto const other = over_multi(two, anew::idempotent_call);
  EXPECT_EQ(got.code, other.code) << text;
  EXPECT_EQ(got.http_status, other.http_status) << text;
  return got;
}

// Of each cut that is no answer of two interim ones: conformance/same_verdict.test.cpp, at_most_once.test.cpp.
TEST(CurlHead, AStatusWhoseHeadIsCutCountsForNothing) {
  std::string_view const text =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
      "HTTP/1.1 404 Not Found\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n";
  EXPECT_EQ(of_bytes(text, ends::by_fin).http_status, 404);
  for (std::size_t bytes = 0; bytes != text.size(); ++bytes) {
    auto const got = of_bytes(text.substr(0, bytes), bytes % 2 == 0 ? ends::by_fin : ends::by_reset);
    EXPECT_EQ(got.http_status, 0) << bytes;
    EXPECT_EQ(got.retry_after, std::nullopt) << bytes;
    EXPECT_EQ(anew::curl::classifier<>{}.classify(got).what().safety, anew::retry_safety::maybe) << bytes;
  }
}

TEST(CurlHead, WithoutAHeadThereIsNothingToCut) {
  EXPECT_FALSE(of_bytes("hello", ends::by_fin).has_value());
  scripted_peer const there{{{peer::read_request(), peer::send("hello"), peer::finish()}}};
  easy old{there.url()};
  curl_easy_setopt(old.get(), CURLOPT_HTTP09_ALLOWED, 1L);
  EXPECT_EQ(over_easy(old).code, CURLE_OK);
  EXPECT_EQ(old.body, "hello");
}

/// A header callback of a program's own.
struct lines {
  std::vector<std::string> all{};
  std::size_t refuses_from = 100;

  static std::size_t take(char* data, std::size_t size, std::size_t count, void* into) {
    auto& me = *static_cast<lines*>(into);
    me.all.emplace_back(data, size * count);
    return me.all.size() < me.refuses_from ? size * count : 0;
  }
};

TEST(CurlHead, HandsTheLinesOn) {
  std::string_view const text = "HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 0\r\n\r\n";
  std::vector<std::string> const expected{"HTTP/1.1 200 OK\r\n", "X: 1\r\n", "Content-Length: 0\r\n", "\r\n"};
  scripted_peer const there{{{peer::read_request(), peer::send(std::string{text}), peer::again()}}};
  easy client{there.url()};
  lines got;
  anew::curl::answer_head head{&lines::take, &got};
  ASSERT_EQ(anew::curl::prepare(client.get(), anew::attempt{anew::attempt::parts{}}, head), CURLE_OK);
  EXPECT_TRUE(anew::curl::transfer_of(client.get(), curl_easy_perform(client.get()), head).has_value());
  EXPECT_EQ(got.all, expected);

  lines of_multi;
  EXPECT_TRUE(over_multi(client, anew::curl::with_header_function([] {}, &lines::take, &of_multi)).has_value());
  EXPECT_EQ(of_multi.all, expected);
  lines declared;
  auto const wrapped = anew::curl::with_header_function([](anew::attempt& /*self*/) {}, &lines::take, &declared);
  EXPECT_TRUE(over_multi(client, anew::idempotent(anew::rewinding(wrapped, [] {}))).has_value());
  EXPECT_EQ(declared.all, expected);
  lines refuses{{}, 2};
  EXPECT_EQ(over_multi(client, anew::curl::with_header_function([] {}, &lines::take, &refuses)).code,
            CURLE_WRITE_ERROR);
}

support::peer_script const answers{peer::read_request(), peer::send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
                                   peer::again()};

TEST(CurlHead, LeavesNothingBehind) {
  scripted_peer const there{{answers}};
  easy client{there.url()};
  EXPECT_TRUE(over_easy(client).has_value());
  EXPECT_EQ(curl_easy_perform(client.get()), CURLE_OK);  // what was attached is gone
  EXPECT_TRUE(over_multi(client, anew::idempotent_call).has_value());
  EXPECT_EQ(curl_easy_perform(client.get()), CURLE_OK);
  anew::curl::multi_retry calls;
  calls.add(client.get(), once{}, [&] { calls.stop(client.get()); }, [](auto const& /*end*/) {});
  EXPECT_EQ(calls.run(), CURLM_OK);
  EXPECT_EQ(curl_easy_perform(client.get()), CURLE_OK);
  {
    anew::curl::multi_retry given_up;
    given_up.add(client.get(), once{}, [](auto const& /*end*/) {});
    EXPECT_EQ(given_up.poll(0s), CURLM_OK);
  }
  EXPECT_EQ(curl_easy_perform(client.get()), CURLE_OK);
}

TEST(CurlHead, ForgetsTheLastTransferWhenItIsAttachedAgain) {
  scripted_peer const there{{{peer::read_request(), peer::send("HTTP/1.1 200 OK\r\n"), peer::finish()}}};
  easy client{there.url()};
  anew::curl::answer_head head;
  head.attach(client.get());
  curl_easy_perform(client.get());
  EXPECT_TRUE(head.is_cut() && head.has_lines());
  head.attach(client.get());
  EXPECT_FALSE(head.is_cut() || head.has_lines());
}

TEST(CurlHead, AnotherCallbackInItsPlaceIsAnError) {
  scripted_peer const there{{answers}};
  easy client{there.url()};
  lines got;
  auto const replaces = [&] {
    curl_easy_setopt(client.get(), CURLOPT_HEADERFUNCTION, &lines::take);
    curl_easy_setopt(client.get(), CURLOPT_HEADERDATA, &got);
  };
  EXPECT_EQ(over_multi(client, anew::idempotent(replaces)).code, CURLE_BAD_FUNCTION_ARGUMENT);
  EXPECT_FALSE(anew::curl::classifier<>{}.classify({CURLE_BAD_FUNCTION_ARGUMENT, 200}).is_retry());
}

}  // namespace
}  // namespace curl_head_test
