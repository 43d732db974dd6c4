// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "anew/bridges/redis/internal/protocol.hpp"

namespace redis_reply_bounds_test {
namespace {

using anew::detail::reply_reader;

/// Whether these bytes, and those before them, are replies within the bounds, or the beginning of one.
bool takes(reply_reader& reader, std::string const& bytes) {
  reader.feed(bytes.data(), bytes.size());
  bool is_broken = false;
  while (reader.next(is_broken)) continue;
  return !is_broken;
}
bool holds(std::string const& bytes) {
  reply_reader reader;
  return takes(reader, bytes);
}

TEST(ReplyBounds, AReplyIsWhatItsBytesSay) {
  reply_reader reader;
  std::string const bytes = "+PONG\r\n*3\r\n:56\r\n$-1\r\n$6\r\na\r\n\r\nb\r\n-ERR x y\r\n:-";
  reader.feed(bytes.data(), bytes.size());
  std::string told;
  bool is_broken = false;
  while (auto const reply = reader.next(is_broken)) {
    told.append(1, reply->type).append(reply->elements.empty() ? reply->text : "").append(" ");
    for (auto const& element : reply->elements) told.append(1, element.type).append(element.text).append(" ");
  }
  EXPECT_FALSE(is_broken);
  EXPECT_EQ(told, "+PONG * :56 _-1 $a\r\n\r\nb -ERR x y ");
}

TEST(ReplyBounds, WhatRedisAnswersABucketHolds) {
  for (std::string const reply : {"+OK\r\n", "-ERR any text: *9 $9999\r\n", ":12\r\n", ":-1\r\n", "$3\r\nsha\r\n",
                                  "$0\r\n\r\n", "$-1\r\n", "*-1\r\n", "*0\r\n", "*3\r\n:56\r\n:100\r\n$4\r\n1001\r\n",
                                  "*8\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n"}) {
    EXPECT_TRUE(holds(reply)) << reply;
    EXPECT_TRUE(holds(reply + reply + "+OK\r\n")) << reply;
  }
  EXPECT_TRUE(holds("$4096\r\n" + std::string(4096, '*') + "\r\n:1\r\n"));
  EXPECT_TRUE(holds("*1\r\n$12\r\n*2147483647\r\r\n*1\r\n:1\r\n")) << "a text may look like a head";
}

TEST(ReplyBounds, WhatIsOutOfBoundsDoesNot) {
  // clang-format off: it would put each on a line of its own
  for (std::string const reply : {
      "*9\r\n", "*2147483647\r\n", "*4294967297\r\n", "*99999999999999999999\r\n", "*-2\r\n", "*-\r\n", "*\r\n",
      "*1a\r\n", "*+1\r\n", "$4097\r\n", "$400000000\r\n", "$\r\n", "$-2\r\n", "*1\r\n*1\r\n", "*2\r\n:1\r\n*0\r\n",
      "*1\r\n*-1\r\n", "%1\r\n", "~1\r\n", ">1\r\n", "=3\r\n", "|1\r\n", "(1\r\n", "\r\n", "hello", "+a\nb\r\n",
      "+a\rb\r\n", "*1\n", "*0\r\n*9\r\n", "*-1\r\n*9\r\n", "$-1\r\n*9\r\n"}) {
    // clang-format on
    EXPECT_FALSE(holds(reply + ":1\r\n")) << reply;
  }
  EXPECT_FALSE(holds("+" + std::string(5'000, 'x')));
  EXPECT_FALSE(holds("*" + std::string(5'000, '0')));
  EXPECT_FALSE(holds("$1\r\nabc")) << "its text ends elsewhere";
}

TEST(ReplyBounds, HowTheBytesAreCutDoesNotMatter) {
  std::mt19937 random{7};
  std::string const letters = "*$+-:\r\n\r\n0138a";
  int held = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = round % 2 != 0 ? "*3\r\n:56\r\n$1\r\n7\r\n$-1\r\n" : "";
    for (auto size = random() % 12; size != 0; --size) bytes += letters[random() % letters.size()];
    reply_reader reader;
    bool in_pieces = true;
    for (std::size_t at = 0; at != bytes.size() && in_pieces;) {
      auto const size = 1 + random() % (bytes.size() - at);
      in_pieces = takes(reader, bytes.substr(at, size));
      at += size;
    }
    ASSERT_EQ(in_pieces, holds(bytes)) << bytes;
    held += in_pieces ? 1 : 0;
  }
  EXPECT_GT(held, 500);
}

}  // namespace
}  // namespace redis_reply_bounds_test
