// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_UPLOAD_HPP
#define ANEW_BRIDGES_CURL_UPLOAD_HPP

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <curl/curl.h>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/roles/operation.hpp"

namespace anew::inline ANEW_ABI::curl {

namespace detail {

struct own_body_tag {};

[[nodiscard]] inline bool has_sent_bytes(CURL* handle) noexcept {
  curl_off_t bytes = 0;
  curl_easy_getinfo(handle, CURLINFO_SIZE_UPLOAD_T, &bytes);
  return bytes > 0;
}
/// Whether the last transfer of this handle sent a body, or began to.
[[nodiscard]] inline bool has_sent_a_body(CURL* handle) noexcept {
  curl_off_t announced = 0;
  curl_easy_getinfo(handle, CURLINFO_CONTENT_LENGTH_UPLOAD_T, &announced);  // -1: chunks; 0 where there is no body
  long head = 0;
  curl_easy_getinfo(handle, CURLINFO_REQUEST_SIZE, &head);
  bool const has_sent = detail::has_sent_bytes(handle);
  if (has_sent || head == 0) return has_sent;
#if LIBCURL_VERSION_NUM >= 0x074800
  // libcurl may have read bytes that have not left. A version of it may not know that a GET has no body.
  char const* method = nullptr;
  curl_easy_getinfo(handle, CURLINFO_EFFECTIVE_METHOD, &method);
  std::string_view const name{method == nullptr ? "" : method};
  return announced > 0 || (announced < 0 && (name == "PUT" || name == "POST" || name == "PATCH"));
#else
  return announced != 0;
#endif
}

/// A note about the bodies that the attempts of a call have sent. The handle keeps it in an option that HTTP does not use: an
/// attempt that throws passes nothing on, and libcurl forgets a body when a redirection makes the request a GET.
enum class body_note : long { begun = 0x616e01, nothing_used_up = 0x616e02, used_up = 0x616e03 };

inline void keep(CURL* handle, body_note note) noexcept {
  curl_easy_setopt(handle, CURLOPT_RTSP_CLIENT_CSEQ, static_cast<long>(note));
}
/// Whether an earlier attempt of the call sent a body that the bridge does not know.
[[nodiscard]] inline bool has_used_up_a_body(CURL* handle) noexcept {
  long kept = 0;
  bool const is_kept = curl_easy_getinfo(handle, CURLINFO_RTSP_CLIENT_CSEQ, &kept) == CURLE_OK;  // not without RTSP
  if (is_kept && kept == static_cast<long>(body_note::nothing_used_up)) return false;
  return (is_kept && kept == static_cast<long>(body_note::used_up)) || detail::has_sent_a_body(handle);
}

struct prepares_nothing {
  void operator()() const noexcept {}
};

}  // namespace detail

/// Declares, instead of an `upload`, that the handle's own options give the same body to each attempt:
/// `CURLOPT_POSTFIELDS`, `CURLOPT_COPYPOSTFIELDS`, `CURLOPT_MIMEPOST`, or a read function that you reset yourself.
inline constexpr detail::own_body_tag own_body{};

/// The body that a handle sends, so that each attempt sends it from its beginning. `perform()`, `prepare()` and
/// `with_upload()` take it; you set `CURLOPT_UPLOAD` (PUT) or `CURLOPT_POST`, and no read function:
///
///     curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
///     auto const put = [&](anew::attempt& attempt) {
///       return anew::curl::perform(easy, attempt, anew::curl::upload{picture}, anew::idempotent_call, 10s);
///     };
///     anew::retry(strategy, anew::idempotent(put));
///
/// | constructed from                         | begins again by                                          |
/// |------------------------------------------|----------------------------------------------------------|
/// | `std::string_view`, text, `std::string&` | itself; the bytes must stay                              |
/// | `std::string&&`                          | itself; it keeps the bytes                               |
/// | `std::FILE*`                             | `fseek` to the file's beginning; a pipe is sent once     |
/// | `read, data, seek[, size]`               | `seek(data, 0, SEEK_SET)`, as in `CURLOPT_SEEKFUNCTION`; sent once if `seek` is null or fails |
///
/// An attempt without an `upload` that sent a body ends its call with `stop_reason::not_replayable`: libcurl would send
/// what its read function has left, which is nothing. For the duration of a transfer it sets `CURLOPT_READFUNCTION`,
/// `CURLOPT_SEEKFUNCTION`, their data and `CURLOPT_INFILESIZE_LARGE`; afterwards the handle's read function refuses to
/// read. A body of unknown size, as of a pipe, is sent in chunks, and so is a POST, unless you set
/// `CURLOPT_POSTFIELDSIZE_LARGE` to its size: anew does not, because libcurl would read as many bytes of other fields.
///
/// Set neither `CURLOPT_POSTFIELDS` nor `CURLOPT_MIMEPOST` on such a handle: libcurl sends them in place of the `upload`. The
/// transfer then ends with `CURLE_BAD_FUNCTION_ARGUMENT`. It must stay until the transfer is over. Do not use one `upload` in two transfers at a time.
class upload {
 public:
  upload(detail::own_body_tag /*of_handle*/) noexcept {}  // NOLINT(*-explicit-*): a declaration, not a body
  explicit upload(std::string_view bytes) noexcept : from_{source::bytes}, bytes_{bytes} {}
  explicit upload(char const* text) noexcept : upload{std::string_view{text}} {}
  explicit upload(std::string&& bytes) noexcept : from_{source::own_bytes}, kept_{std::move(bytes)} {}
  explicit upload(std::FILE* file) noexcept : from_{source::file}, data_{file} {}
  upload(curl_read_callback read, void* data, curl_seek_callback seek, curl_off_t size = -1) noexcept
      : from_{source::callback}, data_{data}, read_{read}, seek_{seek}, size_{size} {}

  /// Begins again, if it has been read since its beginning. False: it cannot.
  [[nodiscard]] bool rewind() {
    if (!is_read_) return true;
    at_ = 0;
    if (from_ == source::file && std::fseek(file(), 0, SEEK_SET) != 0) return false;
    if (from_ == source::callback && (seek_ == nullptr || seek_(data_, 0, SEEK_SET) != CURL_SEEKFUNC_OK)) return false;
    is_read_ = false;
    return true;
  }

  /// False after a transfer that sent a body: the handle has another one, which libcurl preferred.
  [[nodiscard]] bool was_asked() const noexcept { return from_ == source::handle || is_read_; }

  /// Makes it the body of the handle's next transfer. `was_read`: an earlier attempt may have read the source, by
  /// another object. Returns `CURLE_SEND_FAIL_REWIND` if the source cannot begin again, and `CURLE_READ_ERROR` for a
  /// null file, which could not be opened, or a null read function.
  [[nodiscard]] CURLcode attach(CURL* handle, bool was_read) {
    if (from_ == source::handle) return CURLE_OK;
    if (from_ == source::file && data_ == nullptr) return CURLE_READ_ERROR;
    if (from_ == source::callback && read_ == nullptr) return CURLE_READ_ERROR;
    if (from_ == source::file && !is_read_ && !was_read) std::fseek(file(), 0, SEEK_SET);  // a pipe has no beginning
    is_read_ = is_read_ || was_read;
    if (!rewind()) return CURLE_SEND_FAIL_REWIND;
    return set(handle, &upload::on_read, this, &upload::on_seek, size());
  }
  /// Leaves the handle without a body.
  void detach(CURL* handle) const noexcept {
    if (from_ != source::handle) set(handle, &upload::refuse_to_read, nullptr, nullptr, -1);
  }

 private:
  enum class source : unsigned char { handle, bytes, own_bytes, file, callback };

  static CURLcode set(CURL* handle, curl_read_callback read, void* data, curl_seek_callback seek, curl_off_t size) {
    auto code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, read);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_READDATA, data);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, seek);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_SEEKDATA, data);
    // Not CURLOPT_POSTFIELDSIZE_LARGE: of a handle that has CURLOPT_POSTFIELDS libcurl would send as many bytes of those.
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, size) : code;
  }
  static std::size_t refuse_to_read(char* /*to*/, std::size_t /*size*/, std::size_t /*count*/, void* /*self*/) {
    return CURL_READFUNC_ABORT;
  }
  static std::size_t on_read(char* to, std::size_t size, std::size_t count, void* self) {
    auto& from = *static_cast<upload*>(self);
    from.is_read_ = true;
    if (from.from_ == source::callback) return from.read_(to, size, count, from.data_);
    if (from.from_ == source::file) {
      auto const bytes = std::fread(to, 1, size * count, from.file());
      return bytes == 0 && std::ferror(from.file()) != 0 ? CURL_READFUNC_ABORT : bytes;
    }
    auto const part = from.view().substr(from.at_, size * count);
    std::copy(part.begin(), part.end(), to);
    from.at_ += part.size();
    return part.size();
  }
  // libcurl asks in the middle of a transfer, for a redirection or an authentication in steps.
  static int on_seek(void* self, curl_off_t offset, int origin) {
    auto& from = *static_cast<upload*>(self);
    if (offset == 0 && origin == SEEK_SET) return from.rewind() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK;
    return CURL_SEEKFUNC_CANTSEEK;
  }

  [[nodiscard]] std::string_view view() const noexcept {
    return from_ == source::own_bytes ? std::string_view{kept_} : bytes_;
  }
  [[nodiscard]] std::FILE* file() const noexcept { return static_cast<std::FILE*>(data_); }
  /// -1: unknown.
  [[nodiscard]] curl_off_t size() const {
    if (from_ == source::callback) return size_;
    if (from_ != source::file) return static_cast<curl_off_t>(view().size());
    if (std::fseek(file(), 0, SEEK_END) != 0) return -1;
    auto const bytes = std::ftell(file());
    return std::fseek(file(), 0, SEEK_SET) == 0 ? static_cast<curl_off_t>(bytes) : -1;
  }

  source from_ = source::handle;
  bool is_read_ = false;
  std::size_t at_ = 0;
  std::string kept_{};
  std::string_view bytes_{};
  void* data_ = nullptr;
  curl_read_callback read_ = nullptr;
  curl_seek_callback seek_ = nullptr;
  curl_off_t size_ = -1;
};

/// A preparation, run before each attempt: `f(anew::attempt&)` or `f()`, which returns nothing or a `CURLcode`. It may
/// be wrapped in `idempotent()`, `one_shot()`, `rewinding()` and `with_header_function()`. libcurl makes the transfer
/// itself.
template <class F>
concept Preparation =
    Operation<F> && (std::is_void_v<anew::detail::result_of<F>> || std::same_as<anew::detail::result_of<F>, CURLcode>);

/// A preparation whose call has a header callback. See `with_header_function()`.
template <class Prepare>
struct with_header_function_operation : anew::detail::declared_operation<Prepare> {
  curl_write_callback header_function;
  void* header_data;
};

/// Gives a call a header callback: libcurl's own `CURLOPT_HEADERFUNCTION` and `CURLOPT_HEADERDATA`, which `multi_retry` takes.
template <class Prepare>
[[nodiscard]] auto with_header_function(Prepare&& prepare, curl_write_callback function, void* data)
    -> with_header_function_operation<std::decay_t<Prepare>> {
  return {{std::forward<Prepare>(prepare)}, function, data};
}

/// A preparation whose call sends a body. See `with_upload()`.
template <class Prepare, class Body>
struct with_upload_operation : anew::detail::declared_operation<Prepare> {
  Body upload_body;
};

/// Gives a call of `multi_retry` its body: `anew::idempotent(anew::curl::with_upload(anew::curl::upload{picture}))`, or
/// with a preparation first. A temporary body becomes part of the call; an lvalue must stay until the call's callback.
template <class Prepare, class Body>
  requires std::convertible_to<Body, upload>
[[nodiscard]] auto with_upload(Prepare&& prepare, Body&& body) {
  using body_type = std::conditional_t<std::is_same_v<Body, upload&>, upload&, upload>;
  return with_upload_operation<std::decay_t<Prepare>, body_type>{{std::forward<Prepare>(prepare)},
                                                                 std::forward<Body>(body)};
}
template <class Body>
  requires std::convertible_to<Body, upload>
[[nodiscard]] auto with_upload(Body&& body) {
  return curl::with_upload(detail::prepares_nothing{}, std::forward<Body>(body));
}

}  // namespace anew::inline ANEW_ABI::curl

#endif
