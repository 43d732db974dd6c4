// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_ANSWER_HEAD_HPP
#define ANEW_BRIDGES_CURL_ANSWER_HEAD_HPP

#include <cstddef>
#include <string_view>
#include <utility>

#include <curl/curl.h>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/curl/upload.hpp"
#include "anew/bridges/http/retry_after_field.hpp"

namespace anew::inline ANEW_ABI::curl {

/// Detects whether the head of a response is complete. libcurl treats a head that the end of the connection cuts off as
/// a response with an empty body, and returns `CURLE_OK`; only a reader of the head's lines can tell.
///
/// `prepare()` attaches it to a handle and `transfer_of()` detaches it, so it must outlive the transfer. It takes
/// `CURLOPT_HEADERFUNCTION` and `CURLOPT_HEADERDATA`: a program that reads the lines itself passes its callback to the
/// constructor. (From libcurl 7.84 on, `curl_easy_header` finds a field after the transfer, and needs no callback.)
///
/// It ends a transfer whose heads and trailers exceed `most_head_bytes`, or which has more than `most_informational` answers of
/// 1xx, with `CURLE_WRITE_ERROR`: libcurl's time for them grows with the square of their number, and it looks at no time limit
/// meanwhile.
///
/// It also sees to it that a transfer sends a request once: libcurl repeats one whose stream the server of HTTP/2 refused, up to
/// five times at once, and asks `CURLOPT_PREREQFUNCTION` before. From libcurl 7.80 on that is this, which forbids it, so that
/// `transfer_of()` can tell the refusal: then the server has executed nothing (RFC 9113, 8.7).
///
/// Cost: 64 bytes, and a look at the first bytes of each line
class answer_head {
 public:
  answer_head() = default;
  /// Each line is forwarded to `next`, which is called as libcurl would call it; libcurl gets its result.
  answer_head(curl_write_callback next, void* data) noexcept : next_{next}, data_{data} {}
  answer_head(answer_head const&) = delete;
  answer_head& operator=(answer_head const&) = delete;
  ~answer_head() = default;

  /// Begins to watch the transfer that the handle makes next. `never_resends`: libcurl repeats no request of a kept connection
  /// that died, so a repetition means a refusal.
  CURLcode attach(CURL* handle, bool never_resends = false) noexcept {
    has_lines_ = is_open_ = is_final_ = body_was_sent_ = is_unanswered_ = is_repeated_ = false;
    never_resends_ = never_resends;
    bytes_ = informational_ = 0;
    handle_ = handle;
#if LIBCURL_VERSION_NUM >= 0x075000
    curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, &answer_head::on_request);
    curl_easy_setopt(handle, CURLOPT_PREREQDATA, static_cast<void*>(this));
#else
    is_unanswered_ = true;
#endif
    auto const code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &answer_head::on_line);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_HEADERDATA, static_cast<void*>(this));
  }
  /// Leaves the handle without a header callback, and without one for requests.
  static void detach(CURL* handle) noexcept {
#if LIBCURL_VERSION_NUM >= 0x075000
    curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, nullptr);
    curl_easy_setopt(handle, CURLOPT_PREREQDATA, nullptr);
#endif
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, nullptr);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, nullptr);
  }

  /// True after a status line without a complete head of a final response; 100 to 199 announce another head.
  [[nodiscard]] bool is_cut() const noexcept { return is_open_; }
  /// False if another callback has replaced it: then it is unknown whether the head was complete.
  [[nodiscard]] bool has_lines() const noexcept { return has_lines_; }

  /// Nothing has come since the last request was sent.
  [[nodiscard]] bool is_unanswered() const noexcept { return is_unanswered_; }
  /// libcurl has tried to repeat a request that nothing had answered.
  [[nodiscard]] bool was_repeated() const noexcept { return is_repeated_; }
  /// The server refused the request's stream, and so has not executed it.
  [[nodiscard]] bool was_refused() const noexcept { return is_repeated_ && never_resends_; }

  /// The body of the transfer, for `transfer_of()`; null if the bridge does not know what the handle sends.
  void sends(upload* body) noexcept { body_ = body; }
  [[nodiscard]] upload* body() const noexcept { return body_; }
  /// A request that has been answered sent a body. libcurl forgets it when a redirection turns a PUT or POST into a GET.
  [[nodiscard]] bool body_was_sent() const noexcept { return body_was_sent_; }

 private:
#if LIBCURL_VERSION_NUM >= 0x075000
  static int on_request(void* self, char* /*address*/, char* /*ours*/, int /*port*/, int /*ours*/) noexcept {
    auto& head = *static_cast<answer_head*>(self);
    head.is_repeated_ = std::exchange(head.is_unanswered_, true);
    return head.is_repeated_ ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
  }
#endif
  static std::size_t on_line(char* data, std::size_t size, std::size_t count, void* self) noexcept {
    auto& head = *static_cast<answer_head*>(self);
    head.read({data, size * count});
    if (head.bytes_ > most_head_bytes || head.informational_ > most_informational) return 0;
    return head.next_ == nullptr ? size * count : head.next_(data, size, count, head.data_);
  }
  void read(std::string_view line) noexcept {
    has_lines_ = true;
    is_unanswered_ = false;
    if (line.substr(0, 5) == "HTTP/") {
      if (!is_open_) bytes_ = informational_ = 0;  // another answer: a proxy's or a redirection's came before
      is_open_ = true;
      is_final_ = !is_interim(line);
      if (!is_final_) ++informational_;
    } else if (is_final_ && (line == "\r\n" || line == "\n")) {
      is_open_ = false;  // what comes after it is a trailer
      body_was_sent_ = body_was_sent_ || (body_ == nullptr && detail::has_sent_a_body(handle_));
    }
    bytes_ += line.size();
  }
  static bool is_interim(std::string_view status_line) noexcept {
    auto const version_ends = status_line.find(' ');
    if (version_ends == std::string_view::npos) return false;
    auto const digits = status_line.find_first_not_of(' ', version_ends);
    if (digits == std::string_view::npos) return false;
    auto const status = status_line.substr(digits, 3);
    return status.size() == 3 && status[0] == '1' && status != "101";
  }

  curl_write_callback next_ = nullptr;
  void* data_ = nullptr;
  upload* body_ = nullptr;
  CURL* handle_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t informational_ = 0;
  bool has_lines_ = false;
  bool is_open_ = false;
  bool is_final_ = false;
  bool body_was_sent_ = false;
  bool is_unanswered_ = false;
  bool is_repeated_ = false;
  bool never_resends_ = false;
};

}  // namespace anew::inline ANEW_ABI::curl

#endif
