// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_PROTOCOL_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_PROTOCOL_HPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"

/// The commands and the replies of a bucket, as bytes.
namespace anew::inline ANEW_ABI::detail {

/// The code at the start of an error of Redis. A word that is not such a code is not repeated: it may be a secret.
inline std::string_view error_code_of(std::string_view text) noexcept {
  auto const word = text.substr(0, text.find(' '));
  for (std::string_view const code :
       {"ERR", "NOAUTH", "WRONGPASS", "NOPERM", "DENIED", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "MISCONF", "READONLY",
        "NOREPLICAS", "OOM", "MOVED", "ASK", "TRYAGAIN", "CROSSSLOT", "WRONGTYPE", "BUSY", "UNKILLABLE"}) {
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

/// The number that is all of a text.
template <class Number>
std::optional<Number> number_in(std::string_view text) noexcept {
  Number number{};
  auto const* const end = text.data() + text.size();
  auto const [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && rest == end ? std::optional{number} : std::nullopt;
}

/// A command as Redis reads it.
inline std::string command_of(std::initializer_list<std::string_view> words) {
  auto command = std::string{"*"}.append(std::to_string(words.size())).append("\r\n");
  for (auto const word : words)
    command.append("$").append(std::to_string(word.size())).append("\r\n").append(word).append("\r\n");
  return command;
}

/// A reply of Redis: a line, a text, or an array of them.
struct redis_reply {
  char type = 0;  ///< '+', '-', ':', '$' or '*'; '_' for a null
  std::string text{};
  std::vector<redis_reply> elements{};
};

/// Reads replies out of bytes that come in pieces. A reply to a bucket is one value, or one array of at most 8 values that
/// are not arrays; a line or a text has at most 4 KiB. Everything else is out of bounds: it is refused as soon as its head
/// is there.
class reply_reader {
 public:
  static constexpr int most_elements = 8;
  static constexpr int most_bytes = 4'096;

  /// Forgets what it read of a connection that is gone.
  void reset() noexcept { bytes_.clear(); }
  void feed(char const* bytes, std::size_t size) { bytes_.append(bytes, size); }
  [[nodiscard]] bool is_empty() const noexcept { return bytes_.empty(); }
  /// The next whole reply, if there is one. `is_broken` is set when the bytes are no reply.
  [[nodiscard]] std::optional<redis_reply> next(bool& is_broken) {
    redis_reply reply;
    std::size_t at = 0;
    auto const came = read(reply, at, true);
    is_broken = came == found::broken;
    if (came != found::whole) return std::nullopt;
    bytes_.erase(0, at);
    return reply;
  }

 private:
  enum class found : std::uint8_t { whole, part, broken };

  [[nodiscard]] found read(redis_reply& reply, std::size_t& at, bool may_be_array) const {
    auto const rest = std::string_view{bytes_}.substr(at);
    auto const line = rest.substr(0, rest.find("\r\n"));
    if (!line.empty() && std::string_view{"+-:$*"}.find(line.front()) == line.npos) return found::broken;
    if (line.size() > most_bytes + 1) return found::broken;
    if (line.size() == rest.size()) return found::part;
    if (line.empty() || line.find_first_of("\r\n") != line.npos) return found::broken;
    reply.type = line.front();
    reply.text = line.substr(1);
    at += line.size() + 2;
    if (reply.type != '$' && reply.type != '*') return found::whole;
    auto const size = number_in<int>(reply.text);
    if (!size || *size < -1 || (reply.type == '*' && !may_be_array)) return found::broken;
    if (*size > (reply.type == '*' ? most_elements : most_bytes)) return found::broken;
    if (*size == -1) {
      reply.type = '_';
    } else if (reply.type == '*') {
      reply.elements.resize(static_cast<std::size_t>(*size));
      for (auto& element : reply.elements) {
        if (auto const came = read(element, at, false); came != found::whole) return came;
      }
    } else {
      auto const length = static_cast<std::size_t>(*size);
      if (bytes_.size() - at < length + 2) return found::part;
      reply.text = bytes_.substr(at, length);
      at += length + 2;
      if (bytes_.compare(at - 2, 2, "\r\n") != 0) return found::broken;
    }
    return found::whole;
  }

  std::string bytes_{};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
