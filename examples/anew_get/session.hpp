// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_SESSION_HPP
#define ANEW_GET_SESSION_HPP

#include <stop_token>
#include <string>

#include "anew/anew.hpp"
#include "anew/aws/preset/invocation.hpp"

#include "fetch.hpp"
#include "made_strategy.hpp"
#include "options.hpp"
#include "record.hpp"

namespace anew_get {

/// One run: a strategy, whose quota all of its calls share, and the connections.
class session {
 public:
  struct fetched {
    fetch_result result;
    call_report report;
  };

  session(settings const& s, listener& who, std::stop_token stop);

  /// One URL, as often as the strategy says.
  [[nodiscard]] fetched fetch(std::string const& url);

 private:
  settings settings_;
  std::stop_token stop_;
  recorder record_;
  made_strategy made_;
  fetcher fetcher_;
};

/// How long one attempt may take.
[[nodiscard]] anew::duration limit_of(settings const& s, anew::attempt const& attempt);

/// The fields by which a service of AWS sees which attempt of which call a request is.
class call_headers {
 public:
  call_headers(request const& asked, made_strategy const& of) : asked_{asked}, of_{of} {}
  [[nodiscard]] request of(anew::attempt const& attempt) const;

 private:
  request const& asked_;
  made_strategy const& of_;
  anew::aws::invocation call_{};
};

}  // namespace anew_get

#endif
