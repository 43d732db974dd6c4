// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_PROTOCOL_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_PROTOCOL_HPP

#include <hiredis/hiredis.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/redis/internal/reply_bounds.hpp"

/// The two parts of hiredis that do no input or output: it writes commands and reads replies.
namespace anew::inline ANEW_ABI::detail {

/// Appends a command to `out`. Returns false when memory is short.
inline bool write_command(std::string& out, std::vector<std::string_view> const& words) {
  std::vector<char const*> texts;
  std::vector<std::size_t> sizes;
  for (auto const word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  char* command = nullptr;
  int const size = ::redisFormatCommandArgv(&command, static_cast<int>(words.size()), texts.data(), sizes.data());
  if (size < 0) return false;
  out.append(command, static_cast<std::size_t>(size));
  ::redisFreeCommand(command);
  return true;
}

struct free_reply {
  void operator()(redisReply* reply) const noexcept { ::freeReplyObject(reply); }
};
using redis_reply = std::unique_ptr<redisReply, free_reply>;

/// Reads replies out of bytes that come in pieces.
class reply_reader {
  struct free_reader {
    void operator()(redisReader* reader) const noexcept { ::redisReaderFree(reader); }
  };

 public:
  /// Forgets what it read of a connection that is gone.
  void reset() noexcept {
    reader_.reset(::redisReaderCreate());
    bounds_.reset();
    unread_ = 0;
  }
  /// Returns false when the bytes are no reply, or a longer one than a bucket is ever sent.
  [[nodiscard]] bool feed(char const* bytes, std::size_t size) noexcept {
    unread_ += size;
    return reader_ && unread_ <= most_unread && bounds_.hold(bytes, size) &&
           ::redisReaderFeed(reader_.get(), bytes, size) == REDIS_OK;
  }
  /// The next whole reply, if there is one. `is_broken` is set when the bytes are no reply.
  [[nodiscard]] redis_reply next(bool& is_broken) noexcept {
    void* reply = nullptr;
    if (::redisReaderGetReply(reader_.get(), &reply) != REDIS_OK) {
      is_broken = true;
      return nullptr;
    }
    if (reply != nullptr) unread_ = 0;
    return redis_reply{static_cast<redisReply*>(reply)};
  }

 private:
  static constexpr std::size_t most_unread = 65'536;
  std::unique_ptr<redisReader, free_reader> reader_{};
  reply_bounds bounds_{};
  std::size_t unread_ = 0;
};

inline std::string_view text_of(redisReply const& reply) noexcept {
  return reply.str != nullptr ? std::string_view{reply.str, reply.len} : std::string_view{};
}

/// A reply's number, which Redis sends as an integer or as text.
inline std::optional<std::uint64_t> number_of(redisReply const& reply) noexcept {
  if (reply.type == REDIS_REPLY_INTEGER) {
    if (reply.integer < 0) return std::nullopt;
    return static_cast<std::uint64_t>(reply.integer);
  }
  if (reply.type != REDIS_REPLY_STRING || reply.len == 0 || reply.len > 18) return std::nullopt;
  std::uint64_t number = 0;
  for (auto const digit : text_of(reply)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = number * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return number;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
