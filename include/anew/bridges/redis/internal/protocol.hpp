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

#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"

/// The two parts of hiredis that do no input or output: it writes commands and reads replies.
namespace anew::inline ANEW_ABI::detail {

/// The code at the start of an error of Redis. A word that is not such a code is not repeated: it may be a secret.
inline std::string_view error_code_of(std::string_view text) noexcept {
  auto const word = text.substr(0, text.find(' '));
  for (std::string_view const code :
       {"ERR",         "NOAUTH",    "WRONGPASS", "NOPERM",     "DENIED", "LOADING",   "MASTERDOWN",
        "CLUSTERDOWN", "MISCONF",   "READONLY",  "NOREPLICAS", "OOM",    "MOVED",     "ASK",
        "TRYAGAIN",    "CROSSSLOT", "WRONGTYPE", "NOSCRIPT",   "BUSY",   "UNKILLABLE"}) {
    if (word == code) return code;
  }
  return "an error without a code";
}

/// The text of an error of Redis that may be shown, escaped. A server may quote a command's arguments, and those of AUTH
/// are secrets: of an error to AUTH, and of each text with the user or the password in it, only the code is kept.
inline std::string error_text_of(std::string_view text, bool is_of_auth, std::string_view user,
                                 std::string_view password) {
  static constexpr std::size_t most = 256;
  auto const holds = [text](std::string_view secret) {
    return !secret.empty() && text.find(secret) != std::string_view::npos;
  };
  if (is_of_auth) return std::string{"Redis refused AUTH: "}.append(error_code_of(text));
  if (holds(user) || holds(password)) {
    return std::string{error_code_of(text)}.append(": the text is not kept, because it holds the user or the password");
  }
  // Redis before 5 says so of the script, which writes after TIME.
  bool const is_old = text.find("after non deterministic commands") != std::string_view::npos;
  return std::string{is_old ? "anew requires Redis 5 or later: " : ""}.append(shown(text, most));
}

/// The whole bucket, in Redis: one key, so that it lies in one slot of a cluster. Its life has a number, the epoch: a
/// bucket that was lost begins another, and what was taken in the last one is not returned to it. Its capacity and costs
/// lie in it too: a process with others is answered with an error that begins with `redis_script_error`.
///
/// ARGV: capacity, earned, wanted, returned, epoch, time to live in ms, first balance, numbers. Returns: granted,
/// balance, epoch. It writes after TIME and sets several fields at once, which Redis 5 permits.
inline constexpr char redis_script[] = R"(
local found = redis.call('HMGET', KEYS[1], 'balance', 'epoch', 'numbers')
local balance, epoch = tonumber(found[1]), found[2]
if not balance or not epoch or #epoch > 18 or not string.find(epoch, '^%d+$') then
  local now = redis.call('TIME')
  epoch = now[1] .. string.format('%06d', tonumber(now[2]))
  balance = tonumber(ARGV[7])
elseif found[3] and found[3] ~= ARGV[8] then
  return redis.error_reply('ANEWNUMBERS ' .. found[3])
end
if epoch == ARGV[5] then balance = balance + tonumber(ARGV[4]) end
balance = math.min(tonumber(ARGV[1]), balance + tonumber(ARGV[2]))
local granted = math.min(tonumber(ARGV[3]), balance)
balance = balance - granted
redis.call('HSET', KEYS[1], 'balance', balance, 'epoch', epoch, 'numbers', ARGV[8])
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return {granted, balance, epoch}
)";
inline constexpr char redis_script_error[] = "ANEWNUMBERS ";

/// The arguments of one exchange.
struct redis_question {
  std::uint32_t earned = 0;
  std::uint32_t wanted = 0;
  std::uint32_t returned = 0;
  std::uint64_t epoch = 0;
};

struct redis_answer {
  std::uint32_t granted = 0;
  std::uint32_t balance = 0;
  std::uint64_t epoch = 0;
};

/// Reads the heads of replies before hiredis does, which allocates as many elements as a head announces: 16 GiB for
/// `*2147483647`. A reply to a bucket is one value, or one array of at most 8 values that are not arrays; a line or a
/// text has at most 4 KiB. Everything else is out of bounds.
class reply_bounds {
 public:
  static constexpr std::uint32_t most_elements = 8;
  static constexpr std::uint32_t most_bytes = 4'096;

  void reset() noexcept { *this = reply_bounds{}; }

  /// False when a head or a line is out of bounds: none of these bytes may be read further.
  [[nodiscard]] bool hold(char const* bytes, std::size_t size) noexcept {
    for (std::size_t i = 0; i != size;) {
      if (skip_ != 0) {
        auto const some = skip_ < size - i ? skip_ : size - i;
        skip_ -= some;
        i += some;
      } else if (!take(bytes[i++])) {
        return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] bool take(char byte) noexcept {
    if (length_++ == 0) {
      type_ = byte;
      return is_head() || byte == '+' || byte == '-' || byte == ':';
    }
    if (length_ > most_bytes) return false;
    if (ends_) return byte == '\n' && end_line();
    if (byte == '\r') {
      ends_ = true;
      return true;
    }
    if (byte == '\n') return false;
    return !is_head() || take_digit(byte);
  }
  [[nodiscard]] bool take_digit(char byte) noexcept {
    if (byte == '-' && length_ == 2) {
      is_negative_ = true;
      return true;
    }
    if (byte < '0' || byte > '9') return false;
    ++digits_;
    number_ = number_ * 10 + static_cast<std::uint32_t>(byte - '0');
    return number_ <= most_bytes;
  }
  [[nodiscard]] bool end_line() noexcept {
    bool const is_array = type_ == '*';
    bool const is_text = type_ == '$';
    auto const number = number_;
    bool const is_null = is_negative_;
    bool const is_counted = digits_ != 0 && (!is_null || number == 1);
    bool const is_inside = elements_ != 0;
    length_ = 0;
    digits_ = 0;
    number_ = 0;
    is_negative_ = false;
    ends_ = false;
    if ((is_array || is_text) && !is_counted) return false;
    if (is_inside) --elements_;
    if (is_text && !is_null) skip_ = std::size_t{number} + 2;
    if (!is_array) return true;
    if (is_inside || (!is_null && number > most_elements)) return false;
    if (!is_null) elements_ = number;
    return true;
  }
  [[nodiscard]] bool is_head() const noexcept { return type_ == '*' || type_ == '$'; }

  std::size_t skip_ = 0;        ///< bytes of a text that are still to come, with the end of its line
  std::uint32_t elements_ = 0;  ///< of the array that is being read
  std::uint32_t length_ = 0;    ///< of the line that is being read
  std::uint32_t number_ = 0;
  std::uint32_t digits_ = 0;
  char type_ = 0;
  bool is_negative_ = false;
  bool ends_ = false;  ///< a carriage return was read
};

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
