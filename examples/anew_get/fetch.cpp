// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <stop_token>
#include <system_error>

#include "anew/curl.hpp"
#include "anew/presets/aws/error.hpp"

#include "command_line.hpp"
#include "fetch.hpp"
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

struct target {
  CURL* easy;
  body* content;
};

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* into) noexcept {
  auto const& to = *static_cast<target*>(into);
  return to.content->take(to.easy, {data, size * count}) ? size * count : 0;
}

/// libcurl takes 0 for its own limit.
long milliseconds_of(anew::duration limit) {
  auto const ms = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
  return static_cast<long>(std::clamp<std::int64_t>(ms, 1, std::numeric_limits<std::int32_t>::max()));
}

/// Of a time that was reckoned from a deadline: libcurl counts milliseconds.
anew::duration rounded(anew::duration limit) {
  constexpr std::chrono::milliseconds one{1};
  if (limit < one || limit > anew::duration::max() - one) return limit;
  return std::chrono::round<std::chrono::milliseconds>(limit);
}

std::string words_of(CURLcode code, int os_error, body const& content, bool sent, int status, anew::duration exact,
                     request const& what, std::string const& fault) {
  auto const limit = rounded(exact);
  auto const so_far = [&] {
    auto const whole = content.whole().value_or(0);
    if (whole == 0) return amount(content.size());
    return (whole < 10'000 ? std::to_string(content.size()) : amount(content.size())) + " of " + amount(whole);
  };
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST: {
      url_handle parsed;
      curl_url_set(parsed.get, CURLUPART_URL, what.url.c_str(), 0);
      return "cannot resolve host '" + parsed.part(CURLUPART_HOST) + "'";
    }
    case CURLE_COULDNT_RESOLVE_PROXY: return "cannot resolve the proxy's name";
    case CURLE_COULDNT_CONNECT:
      if (os_error == ECONNREFUSED) return "connection refused";
      return os_error == 0 ? "cannot connect" : "cannot connect: " + std::generic_category().message(os_error);
    case CURLE_OPERATION_TIMEDOUT:
      if (fault.starts_with("Operation too slow")) return "stalled for " + as_given(what.over.stall_time);
      if (!sent) return "no connection within " + as_given(std::min(limit, what.over.connect_timeout));
      if (status == 0) return "no answer within " + as_given(limit);
      return so_far() + " in " + as_given(limit);
    case CURLE_RECV_ERROR:  // of chunks that cannot be read too: then no system call failed
      if (os_error == 0 && !fault.empty()) return fault;
      return status == 0 ? "connection reset" : "reset after " + so_far();
    case CURLE_PARTIAL_FILE: return status == 0 ? "closed in the head of the answer" : "closed after " + so_far();
    case CURLE_GOT_NOTHING: return "closed without an answer";
    case CURLE_SEND_ERROR: return "connection lost while sending";
    // libcurl names a head so: one that is no HTTP, one that answer_head refuses, one with a long line.
    case CURLE_UNSUPPORTED_PROTOCOL:
      if (status == 0 && sent) return "the answer is not HTTP";
      return curl_easy_strerror(code);
    case CURLE_WRITE_ERROR:
    case CURLE_OUT_OF_MEMORY:
      if (status == 0 && sent) return "the answer's head is too long";
      // For what the body refuses it has words of its own.
      if (code == CURLE_WRITE_ERROR && sent) return "the answer's trailers are too long";
      return curl_easy_strerror(code);
    case CURLE_WEIRD_SERVER_REPLY: return "the answer cannot be read";
    case CURLE_PEER_FAILED_VERIFICATION: return "the server's certificate is refused";
    default: return curl_easy_strerror(code);
  }
}

/// libcurl looks into netrc for the user of a URL, and not for one that is an option.
std::string with_user(std::string const& url, std::string const& user) {
  url_handle parsed;
  curl_url_set(parsed.get, CURLUPART_URL, url.c_str(), 0);
  if (user.empty() || !parsed.part(CURLUPART_USER).empty()) return url;
  if (curl_url_set(parsed.get, CURLUPART_USER, user.c_str(), CURLU_URLENCODE) != CURLUE_OK) throw std::bad_alloc{};
  return parsed.part(CURLUPART_URL);
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

  fetch_result perform(request const& what, anew::attempt const& attempt, anew::duration limit, bool idempotent,
                       body& content) {
    anew::curl::answer_head head;
    target into{easy_, &content};
    prepare(what, into);
    anew::curl::upload same_body{anew::curl::own_body};  // of CURLOPT_POSTFIELDS
    check(idempotent ? anew::curl::prepare(easy_, attempt, head, same_body, anew::idempotent_call, limit)
                     : anew::curl::prepare(easy_, attempt, head, same_body, limit));

    auto const [code, status, sent, retry_after, replayable] = anew::curl::transfer_of(easy_, transfer(attempt), head);
    long os_error = 0;
    curl_easy_getinfo(easy_, CURLINFO_OS_ERRNO, &os_error);
    auto const fault = status == 0 ? std::nullopt : content.end(easy_, code == CURLE_OK);
    if (code == CURLE_OK && !fault && status >= 200 && status < 300) return response{status, content.size()};
    fetch_error error;
    static_cast<void>(replayable);  // what it posts is in memory
    error.code = fault ? fault->code : code;
    error.status = status;
    error.sent = sent;
    error.mismatched = fault && fault->mismatched;
    error.retry_after = retry_after;
    if (status != 0) error.amz_retry_after = amz_retry_after();
    if (fault && !fault->words.empty()) {
      error.words = fault->words;
    } else if (error.code == CURLE_OK || status >= 400) {
      // An error status says more than the fate of the page that came with it.
      error.words = status_words(error.status);
    } else {
      error.words = printable(words_of(error.code, static_cast<int>(os_error), content, error.sent, error.status, limit,
                                       what, fault_.data()));
    }
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

  void prepare(request const& what, target& into) {
    curl_easy_reset(easy_);  // keeps the connections
    auto const url = what.over.netrc ? with_user(what.url, what.over.user) : what.url;
    set(CURLOPT_URL, url.c_str());
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
    if (!what.through_proxy) {
      set(CURLOPT_PROXY, "");
    } else if (!what.over.proxy.empty()) {
      set(CURLOPT_PROXY, what.over.proxy.c_str());
    }
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
    for (auto const& line : what.headers) add_header(line);
    if (auto const rest = into.content->begin()) {
      set(CURLOPT_RANGE, rest->bytes.c_str());
      add_header("If-Range: " + rest->validator);
    }
    set(CURLOPT_HTTPHEADER, headers_);
    prepare_transport(what);
  }

  void prepare_transport(request const& what) {
    auto const& over = what.over;
    set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds_of(over.connect_timeout));
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(over.stall_time.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(over.stall_speed));
    if (!over.ca_file.empty()) set(CURLOPT_CAINFO, over.ca_file.c_str());
    if (!over.certificate.empty()) set(CURLOPT_SSLCERT, over.certificate.c_str());
    if (!over.key.empty()) set(CURLOPT_SSLKEY, over.key.c_str());
    if (!over.user.empty() && !over.netrc) set(CURLOPT_USERNAME, over.user.c_str());
    if (over.password) set(CURLOPT_PASSWORD, over.password->c_str());
    if (over.netrc) {
      set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
      if (!over.netrc->empty()) set(CURLOPT_NETRC_FILE, over.netrc->c_str());
    }
  }

  void add_header(std::string const& line) {
    auto* const longer = curl_slist_append(headers_, line.c_str());
    if (longer == nullptr) throw std::bad_alloc{};
    headers_ = longer;
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

  struct library {
    library() {
      if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::runtime_error{"libcurl does not start"};
    }
    ~library() { curl_global_cleanup(); }
  };

  library library_;
  CURL* easy_;
  CURLM* multi_;
  curl_slist* headers_ = nullptr;
  std::array<char, CURL_ERROR_SIZE> fault_{};  // what libcurl says of the transfer
};

fetcher::fetcher() : impl_{std::make_unique<impl>()} {}
fetcher::~fetcher() = default;

fetch_result fetcher::perform(request const& what, anew::attempt const& attempt, anew::duration limit, bool idempotent,
                              body& content) {
  return impl_->perform(what, attempt, limit, idempotent, content);
}

}  // namespace anew_get
