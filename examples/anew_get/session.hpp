// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_SESSION_HPP
#define ANEW_GET_SESSION_HPP

#include <stop_token>
#include <string>
#include <utility>

#include "anew/anew.hpp"

#include "fetch.hpp"
#include "options.hpp"
#include "policies.hpp"
#include "record.hpp"
#include "strategy_text.hpp"

namespace anew_get {

/// The parts of the strategy that the options describe.
[[nodiscard]] parts parts_of(settings const& s);

[[nodiscard]] inline auto compose_strategy(settings const& s, recorder& record) {
  auto chosen = parts_of(s);
  fetch_classifier classifier{chosen.statuses};
  return compose_of(std::move(chosen), std::move(classifier), feed{record});
}

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
  [[nodiscard]] anew::duration limit_of(anew::attempt const& attempt) const;

  settings settings_;
  std::stop_token stop_;
  recorder record_;
  decltype(compose_strategy(std::declval<settings const&>(), std::declval<recorder&>())) strategy_;
  fetcher fetcher_;
};

/// What --describe prints.
[[nodiscard]] std::string describe(settings const& s);

}  // namespace anew_get

#endif
