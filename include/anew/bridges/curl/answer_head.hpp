// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_ANSWER_HEAD_HPP
#define ANEW_BRIDGES_CURL_ANSWER_HEAD_HPP

#include <cstddef>
#include <string_view>
#include <utility>

#include <curl/curl.h>

#include "anew/base/internal/immovable.hpp"
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
/// For `share_http2()` it also takes `CURLOPT_PREREQFUNCTION`, which libcurl 7.80 and later ask before each request: libcurl repeats
/// one whose stream the server of HTTP/2 refused, up to five times at once. That is forbidden, and so the refusal becomes known:
/// the server has executed nothing (RFC 9113, 8.7).
///
/// Cost: 64 bytes, and a look at the first bytes of each line
class answer_head : pinned::immovable<answer_head> {
 public:
  answer_head() = default;
  /// Each line is forwarded to `next`, which is called as libcurl would call it; libcurl gets its result.
  answer_head(curl_write_callback next, void* data) noexcept : next_{next}, data_{data} {}

  /// Begins to watch the transfer that the handle makes next. `forbids_repetition` denies libcurl's own
  /// repetition of a request, and takes it for a refusal by the server. Pass it only where libcurl has no other reason to repeat.
  CURLcode attach(CURL* handle, bool forbids_repetition = false) noexcept {
    has_lines_ = is_open_ = is_final_ = body_was_sent_ = was_asked_ = was_refused_ = false;
    is_unanswered_ = true;
    forbids_repetition_ = forbids_repetition;
    bytes_ = informational_ = 0;
    handle_ = handle;
#if LIBCURL_VERSION_NUM >= 0x075000
    if (forbids_repetition) curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, &answer_head::on_request);
    if (forbids_repetition) curl_easy_setopt(handle, CURLOPT_PREREQDATA, static_cast<void*>(this));
#endif
    auto const code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &answer_head::on_line);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_HEADERDATA, static_cast<void*>(this));
  }
  /// Leaves the handle without a header callback.
  static void detach(CURL* handle) noexcept {
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, nullptr);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, nullptr);
  }
  /// Removes the callback before requests, if `attach()` has set one.
  void forget_requests([[maybe_unused]] CURL* handle) const noexcept {
#if LIBCURL_VERSION_NUM >= 0x075000
    if (forbids_repetition_) curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, nullptr);
    if (forbids_repetition_) curl_easy_setopt(handle, CURLOPT_PREREQDATA, nullptr);
#endif
  }

  /// True after a status line without a complete head of a final response; 100 to 199 announce another head.
  [[nodiscard]] bool is_cut() const noexcept { return is_open_; }
  /// False if another callback has replaced it: then it is unknown whether the head was complete.
  [[nodiscard]] bool has_lines() const noexcept { return has_lines_; }

  /// No line of an answer has arrived since the request was sent.
  [[nodiscard]] bool is_unanswered() const noexcept { return is_unanswered_; }
  /// The server refused the request's stream: libcurl has tried to repeat a request without an answer.
  [[nodiscard]] bool was_refused() const noexcept { return was_refused_; }

  /// The body of the transfer, for `transfer_of()`; null if the bridge does not know what the handle sends.
  void sends(upload* body) noexcept { body_ = body; }
  [[nodiscard]] upload* body() const noexcept { return body_; }
  /// A request that has been answered sent a body. libcurl forgets it when a redirection turns a PUT or POST into a GET.
  [[nodiscard]] bool body_was_sent() const noexcept { return body_was_sent_; }

 private:
#if LIBCURL_VERSION_NUM >= 0x075000
  static int on_request(void* self, char* /*address*/, char* /*ours*/, int /*port*/, int /*ours*/) noexcept {
    auto& head = *static_cast<answer_head*>(self);
    head.was_refused_ = std::exchange(head.was_asked_, true) && std::exchange(head.is_unanswered_, true);
    return head.was_refused_ ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
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
  bool is_unanswered_ = true;
  bool was_asked_ = false;
  bool was_refused_ = false;
  bool forbids_repetition_ = false;
};

}  // namespace anew::inline ANEW_ABI::curl

#endif
