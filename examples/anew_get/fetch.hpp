// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_FETCH_HPP
#define ANEW_GET_FETCH_HPP

#include <memory>
#include <optional>
#include <string>

#include "anew/anew.hpp"

#include "body.hpp"
#include "fetch_result.hpp"
#include "request.hpp"

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
  /// not idempotent gets its own connection. Throws std::system_error when the body cannot be written.
  [[nodiscard]] fetch_result perform(request const& what, anew::attempt const& attempt, anew::duration limit,
                                     bool idempotent, body& content);

 private:
  class impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace anew_get

#endif
