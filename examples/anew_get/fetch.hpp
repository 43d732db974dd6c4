// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_FETCH_HPP
#define ANEW_GET_FETCH_HPP

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <curl/curl.h>

#include "anew/anew.hpp"

namespace anew_get {

struct request {
  std::string url;
  std::string method = "GET";
  std::optional<std::string> data;
  std::vector<std::string> headers;  // "Name: value"
  bool follow_redirects = false;
  bool through_proxy = true;  // where the environment names one
};

/// Why one attempt failed.
struct fetch_error {
  CURLcode code = CURLE_OK;                   // CURLE_OK when there was a whole answer
  int status = 0;                             // 0: no answer came
  bool sent = true;                           // false: no byte of the request left, so nothing can have been executed
  std::optional<anew::duration> retry_after;  // what the server asked for
  std::optional<anew::duration> amz_retry_after;  // the same in x-amz-retry-after
  std::string words;                              // "connection refused", "503 Service Unavailable"
};

struct response {
  int status = 0;
  std::string body;
};

/// A response or an error. anew reads it by its shape, as it would read `std::expected`.
class fetch_result {
 public:
  fetch_result(response good) : response_{std::move(good)} {}  // NOLINT(*-explicit-*)
  fetch_result(fetch_error bad) : error_{std::move(bad)} {}    // NOLINT(*-explicit-*)
  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
  [[nodiscard]] response const& value() const { return response_; }
  [[nodiscard]] fetch_error const& error() const { return *error_; }

 private:
  response response_;
  std::optional<fetch_error> error_;
};

}  // namespace anew_get

/// A call that the gate refused before its first attempt has a result like any other.
template <>
struct anew::refused_result<anew_get::fetch_result> {
  static anew_get::fetch_result make(stop_reason why);
};

namespace anew_get {

/// "503 Service Unavailable".
[[nodiscard]] std::string status_words(int status);

/// Describes the mistake in a URL; empty for a valid one.
[[nodiscard]] std::optional<std::string> fault_of_url(std::string const& url);

/// The URL without a password, as a terminal may get it.
[[nodiscard]] std::string shown_url(std::string const& url);

/// Makes requests, one at a time, over connections that it keeps.
class fetcher {
 public:
  /// Throws std::runtime_error when libcurl does not start.
  fetcher();
  ~fetcher();
  fetcher(fetcher const&) = delete;
  fetcher& operator=(fetcher const&) = delete;

  /// One attempt, of at most `limit`; `duration::max()` for no limit. A stop request ends it at once. A request that is
  /// not idempotent gets its own connection.
  [[nodiscard]] fetch_result perform(request const& what, anew::attempt const& attempt, anew::duration limit,
                                     bool idempotent);

 private:
  class impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace anew_get

#endif
