// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <string_view>
#include <system_error>

#include "anew/aws/preset/amz_retry_after.hpp"
#include "anew/curl.hpp"

#include "fetch.hpp"
#include "shared_quota.hpp"
#include "text.hpp"
#include "url_handle.hpp"

anew_get::fetch_result anew::refused_result<anew_get::fetch_result>::make(stop_reason /*why*/) {
  anew_get::fetch_error error;
  error.sent = false;
  error.words = "not tried";
  return error;
}

namespace anew_get {

namespace {

struct library {
  library() {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::runtime_error{"libcurl does not start"};
  }
  ~library() { curl_global_cleanup(); }
};

// The part of the body that one attempt has received.
struct received {
  std::string body;
};

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* into) noexcept {
  try {
    static_cast<received*>(into)->body.append(data, size * count);
    return size * count;
  } catch (std::exception const&) {
    return 0;  // no memory: libcurl ends the transfer with an error
  }
}

std::string words_of(CURLcode code, int os_error, received const& got, bool sent, int status, std::int64_t announced,
                     anew::duration limit, std::string const& url, std::string const& fault) {
  auto const so_far = [&] {
    auto const whole = announced > 0 ? static_cast<std::uint64_t>(announced) : 0;
    if (whole == 0) return amount(got.body.size());
    return (whole < 10'000 ? std::to_string(got.body.size()) : amount(got.body.size())) + " of " + amount(whole);
  };
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST: {
      url_handle parsed;
      curl_url_set(parsed.get, CURLUPART_URL, url.c_str(), 0);
      return "cannot resolve host '" + parsed.part(CURLUPART_HOST) + "'";
    }
    case CURLE_COULDNT_RESOLVE_PROXY: return "cannot resolve the proxy's name";
    case CURLE_COULDNT_CONNECT:
      if (os_error == ECONNREFUSED) return "connection refused";
      return os_error == 0 ? "cannot connect" : "cannot connect: " + std::generic_category().message(os_error);
    case CURLE_OPERATION_TIMEDOUT:
      if (!sent) return "no connection within " + as_given(limit);
      if (status == 0) return "no answer within " + as_given(limit);
      return so_far() + " in " + as_given(limit);
    case CURLE_RECV_ERROR:  // of chunks that cannot be read too: then no system call failed
      if (os_error == 0 && !fault.empty()) return fault;
      return status == 0 ? "connection reset" : "reset after " + so_far();
    case CURLE_PARTIAL_FILE: return status == 0 ? "closed in the head of the answer" : "closed after " + so_far();
    case CURLE_GOT_NOTHING: return "closed without an answer";
    case CURLE_SEND_ERROR: return "connection lost while sending";
    case CURLE_PEER_FAILED_VERIFICATION: return "the server's certificate is refused";
    default: return curl_easy_strerror(code);
  }
}

}  // namespace

std::string status_words(int status) {
  char const* phrase = "";
  switch (status) {
    case 200: phrase = " OK"; break;
    case 201: phrase = " Created"; break;
    case 202: phrase = " Accepted"; break;
    case 204: phrase = " No Content"; break;
    case 206: phrase = " Partial Content"; break;
    case 301: phrase = " Moved Permanently"; break;
    case 302: phrase = " Found"; break;
    case 303: phrase = " See Other"; break;
    case 304: phrase = " Not Modified"; break;
    case 307: phrase = " Temporary Redirect"; break;
    case 308: phrase = " Permanent Redirect"; break;
    case 400: phrase = " Bad Request"; break;
    case 401: phrase = " Unauthorized"; break;
    case 403: phrase = " Forbidden"; break;
    case 404: phrase = " Not Found"; break;
    case 405: phrase = " Method Not Allowed"; break;
    case 408: phrase = " Request Timeout"; break;
    case 409: phrase = " Conflict"; break;
    case 410: phrase = " Gone"; break;
    case 412: phrase = " Precondition Failed"; break;
    case 413: phrase = " Content Too Large"; break;
    case 422: phrase = " Unprocessable Content"; break;
    case 425: phrase = " Too Early"; break;
    case 429: phrase = " Too Many Requests"; break;
    case 500: phrase = " Internal Server Error"; break;
    case 501: phrase = " Not Implemented"; break;
    case 502: phrase = " Bad Gateway"; break;
    case 503: phrase = " Service Unavailable"; break;
    case 504: phrase = " Gateway Timeout"; break;
    default: break;
  }
  return (*phrase == '\0' ? "HTTP " : "") + std::to_string(status) + phrase;
}

std::optional<std::string> fault_of_url(std::string const& url) {
  url_handle parsed;
  auto const code = curl_url_set(parsed.get, CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME);
  if (code == CURLUE_BAD_SCHEME || url.find("://") == std::string::npos) return "a URL begins with http:// or https://";
  if (code != CURLUE_OK) return curl_url_strerror(code);
  auto const scheme = parsed.part(CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") return "only http and https are fetched";
  if (parsed.part(CURLUPART_HOST).empty()) return "there is no host in it";
  return std::nullopt;
}

std::string shown_url(std::string const& url) {
  url_handle parsed;
  if (curl_url_set(parsed.get, CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return printable(without_user(url));
  if (parsed.part(CURLUPART_PASSWORD).empty()) return printable(url);
  curl_url_set(parsed.get, CURLUPART_PASSWORD, nullptr, 0);
  return printable(parsed.part(CURLUPART_URL));
}

class fetcher::impl {
 public:
  impl() : easy_{curl_easy_init()}, multi_{curl_multi_init()} {
    if (easy_ == nullptr || multi_ == nullptr) {
      release();
      throw std::runtime_error{"libcurl does not start"};
    }
  }
  ~impl() { release(); }
  impl(impl const&) = delete;
  impl& operator=(impl const&) = delete;

  fetch_result perform(request const& what, anew::attempt const& attempt, anew::duration limit, bool idempotent) {
    received got;
    anew::curl::answer_head head;
    prepare(what, got);
    check(idempotent ? anew::curl::prepare(easy_, attempt, head, anew::idempotent_call, limit)
                     : anew::curl::prepare(easy_, attempt, head, limit));

    auto const [code, status, sent, retry_after] = anew::curl::transfer_of(easy_, transfer(attempt), head);
    long os_error = 0;
    curl_off_t announced = -1;
    curl_easy_getinfo(easy_, CURLINFO_OS_ERRNO, &os_error);
    curl_easy_getinfo(easy_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);

    char const* elsewhere = nullptr;  // where a redirection leads that is not followed
    curl_easy_getinfo(easy_, CURLINFO_REDIRECT_URL, &elsewhere);
    if (code == CURLE_OK && status < 400 && elsewhere == nullptr) {
      return response{status, std::move(got.body)};
    }
    fetch_error error;
    error.code = code;
    error.status = status;
    error.sent = sent;
    error.retry_after = retry_after;
    if (status != 0) error.amz_retry_after = amz_retry_after();
    // An error status says more than the fate of the page that came with it.
    error.words = code == CURLE_OK || status >= 400
                      ? status_words(error.status)
                      : printable(words_of(code, static_cast<int>(os_error), got, error.sent, error.status, announced,
                                           limit, what.url, fault_.data()));
    return error;
  }

 private:
  static void check(CURLcode code) {
    if (code != CURLE_OK) throw std::runtime_error{std::string{"libcurl: "} + curl_easy_strerror(code)};
  }

  template <class Value>
  void set(CURLoption option, Value value) {
    check(curl_easy_setopt(easy_, option, value));
  }

  void prepare(request const& what, received& into) {
    curl_easy_reset(easy_);  // keeps the connections
    set(CURLOPT_URL, what.url.c_str());
    set(CURLOPT_NOSIGNAL, 1L);
    fault_.front() = '\0';
    set(CURLOPT_ERRORBUFFER, fault_.data());
    set(CURLOPT_USERAGENT, "anew-get/" ANEW_VERSION_STRING);
#if LIBCURL_VERSION_NUM >= 0x075500
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    set(CURLOPT_REDIR_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
    set(CURLOPT_QUICK_EXIT, 1L);  // an interrupted look-up of a name is not waited for
#endif
    if (!what.through_proxy) set(CURLOPT_PROXY, "");
    set(CURLOPT_FOLLOWLOCATION, what.follow_redirects ? 1L : 0L);
    set(CURLOPT_MAXREDIRS, 10L);
    set(CURLOPT_WRITEFUNCTION, &take_body);
    set(CURLOPT_WRITEDATA, static_cast<void*>(&into));

    bool const posts = what.data.has_value() || what.method == "POST";
    if (posts) {
      set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(what.data ? what.data->size() : 0));
      set(CURLOPT_POSTFIELDS, what.data ? what.data->c_str() : "");
    }
    if (what.method == "HEAD") set(CURLOPT_NOBODY, 1L);
    // Only where libcurl would choose another: a method given this way is kept through redirections.
    bool const natural = what.method == (posts ? "POST" : "GET") || what.method == "HEAD";
    if (!natural) set(CURLOPT_CUSTOMREQUEST, what.method.c_str());

    curl_slist_free_all(headers_);
    headers_ = nullptr;
    for (auto const& line : what.headers) {
      auto* const longer = curl_slist_append(headers_, line.c_str());
      if (longer == nullptr) throw std::bad_alloc{};
      headers_ = longer;
    }
    set(CURLOPT_HTTPHEADER, headers_);
  }

  [[nodiscard]] std::optional<anew::duration> amz_retry_after() const {
    curl_header* field = nullptr;
    auto const code = curl_easy_header(easy_, "x-amz-retry-after", 0, CURLH_HEADER, -1, &field);
    return code == CURLHE_OK ? anew::parse_amz_retry_after(field->value) : std::nullopt;
  }

  /// libcurl's own loop checks for a stop once a second; this loop is woken.
  CURLcode transfer(anew::attempt const& attempt) {
    curl_multi_add_handle(multi_, easy_);
    struct removal {
      CURLM* multi;
      CURL* easy;
      ~removal() { curl_multi_remove_handle(multi, easy); }
    } const removal{multi_, easy_};
    std::stop_callback const wake{attempt.stop_token(), [this] { curl_multi_wakeup(multi_); }};
    for (int running = 1;;) {
      if (curl_multi_perform(multi_, &running) != CURLM_OK) return CURLE_FAILED_INIT;
      if (running == 0) break;
      if (attempt.stop_requested()) return CURLE_ABORTED_BY_CALLBACK;
      curl_multi_poll(multi_, nullptr, 0, 60'000, nullptr);  // or until one of its own timers, or a stop request
    }
    int left = 0;
    while (auto const* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg == CURLMSG_DONE) return message->data.result;
    }
    return CURLE_FAILED_INIT;
  }

  void release() noexcept {
    curl_easy_cleanup(easy_);
    curl_multi_cleanup(multi_);
    curl_slist_free_all(headers_);
  }

  library library_;
  CURL* easy_;
  CURLM* multi_;
  curl_slist* headers_ = nullptr;
  std::array<char, CURL_ERROR_SIZE> fault_{};  // what libcurl says of the transfer
};

fetcher::fetcher() : impl_{std::make_unique<impl>()} {}
fetcher::~fetcher() = default;

fetch_result fetcher::perform(request const& what, anew::attempt const& attempt, anew::duration limit,
                              bool idempotent) {
  return impl_->perform(what, attempt, limit, idempotent);
}

}  // namespace anew_get
