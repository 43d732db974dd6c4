// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_FETCH_RESULT_HPP
#define ANEW_GET_FETCH_RESULT_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <curl/curl.h>

#include "anew/anew.hpp"

namespace anew_get {

/// Why one attempt failed.
struct fetch_error {
  CURLcode code = CURLE_OK;       // CURLE_OK when there was a whole answer
  int status = 0;                 // 0: no answer came
  bool sent = true;               // false: no byte of the request left, so nothing can have been executed
  bool mismatched = false;        // a whole answer, but not what was asked for: a wrong range or checksum
  anew::asked_delay retry_after;  // what the server asked for
  std::optional<anew::duration> amz_retry_after;  // the same in x-amz-retry-after
  std::string words;                              // "connection refused", "503 Service Unavailable"
};

struct response {
  int status = 0;
  std::uint64_t bytes = 0;  // of the whole body, whatever came in earlier attempts
};

/// A response or an error. anew reads it by its shape, as it would read `std::expected`.
class fetch_result {
 public:
  fetch_result(response good) : response_{good} {}           // NOLINT(*-explicit-*)
  fetch_result(fetch_error bad) : error_{std::move(bad)} {}  // NOLINT(*-explicit-*)
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

#endif
