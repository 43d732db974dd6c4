// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_RESULT_HPP
#define ANEW_BRIDGES_REDIS_RESULT_HPP

#include <hiredis/hiredis.h>

#include <cerrno>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/base/stop_reason.hpp"

namespace anew::inline ANEW_ABI::redis {

/// The reply to a command of hiredis, which it owns: the default classifier reads it by the first word of its error.
///
///     anew::retry(strategy, [&] { return anew::redis::result{context, redisCommand(context, "GET %s", key)}; });
///
/// | error                                       | another attempt                                             |
/// |---------------------------------------------|-------------------------------------------------------------|
/// | LOADING, BUSY, OOM                          | safe, throttling                                            |
/// | READONLY, MASTERDOWN, CLUSTERDOWN, TRYAGAIN, NOREPLICAS | safe, transient                                 |
/// | these, out of a script                      | it may have taken effect: the script had begun              |
/// | a connection that broke, or was silent too long | transient, or a time-out; it may have taken effect      |
/// | any other, MOVED and ASK among them         | final                                                       |
///
/// Cost: that of freeReplyObject; a failure copies its message      Source: Redis 7.0, its table of shared error replies
class result {
 public:
  /// Takes what redisCommand returned, null included, right after it returned.
  result(redisContext const* context, void* returned) : of_{static_cast<redisReply*>(returned)} {
    if (has_value()) return;
    message_ = of_ != nullptr ? std::string(of_->str, static_cast<std::size_t>(of_->len)) : context->errstr;
    if (of_ == nullptr) {
      bool const is_broken = context->err == REDIS_ERR_IO || context->err == REDIS_ERR_EOF;
      is_timeout_ = context->err == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ETIMEDOUT);
      safety_ = is_broken ? retry_safety::maybe : retry_safety::no;
      return;
    }
    std::string_view const text = message_, code = text.substr(0, text.find(' '));
    is_throttle_ = code == "LOADING" || code == "BUSY" || code == "OOM" || text == "ERR max number of clients reached";
    bool const is_passing = is_throttle_ || code == "READONLY" || code == "MASTERDOWN" || code == "CLUSTERDOWN" ||
                            code == "TRYAGAIN" || code == "NOREPLICAS";
    if (is_passing) safety_ = text.find("script:") == text.npos ? retry_safety::yes : retry_safety::maybe;
  }
  /// A command that has no reply.
  result(std::string message, retry_safety safety, bool is_timeout = false)
      : message_{std::move(message)}, safety_{safety}, is_timeout_{is_timeout} {}
  /// A command that was not sent, because there is no connection.
  [[nodiscard]] static result not_sent(redisContext const* context) { return {context->errstr, retry_safety::yes}; }

  [[nodiscard]] redisReply* get() const noexcept { return of_.get(); }
  [[nodiscard]] std::string const& message() const noexcept { return message_; }

  [[nodiscard]] bool has_value() const noexcept { return of_ != nullptr && of_->type != REDIS_REPLY_ERROR; }
  [[nodiscard]] result const& error() const noexcept { return *this; }
  [[nodiscard]] retry_safety is_retry_safe() const noexcept { return safety_; }
  [[nodiscard]] bool is_throttle() const noexcept { return is_throttle_; }
  [[nodiscard]] bool is_timeout() const noexcept { return is_timeout_; }

 private:
  struct frees {
    void operator()(redisReply* one) const noexcept { freeReplyObject(one); }
  };
  std::unique_ptr<redisReply, frees> of_;
  std::string message_{};
  retry_safety safety_ = retry_safety::no;
  bool is_throttle_ = false;
  bool is_timeout_ = false;
};

}  // namespace anew::inline ANEW_ABI::redis

namespace anew::inline ANEW_ABI {

/// An attempt that its attempt timeout ended.
template <>
struct timed_out_result<redis::result> {
  static redis::result make(redis::result&& cancelled) {
    return {"the attempt timed out", cancelled.is_retry_safe(), true};
  }
};
/// A call that a gate, a pacer, a stop or the deadline ended before its first attempt.
template <>
struct refused_result<redis::result> {
  static redis::result make(stop_reason why) {
    auto const safety = why == stop_reason::cancelled ? retry_safety::no : retry_safety::yes;
    return {std::string{"not sent: "} + to_string(why), safety, why == stop_reason::deadline};
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
