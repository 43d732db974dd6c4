// SPDX-License-Identifier: BSL-1.0
#include <string>
#include <utility>

#include "anew/curl.hpp"
#include "anew/virtual/strategy_view.hpp"

#include "session.hpp"

namespace anew_get {

session::session(settings const& s, listener& who, std::stop_token stop)
    : settings_{s}, stop_{std::move(stop)}, record_{who}, made_{make_strategy(s.strategy, record_, s.quota)} {
  record_.watch(made_.quota);
}

session::fetched session::fetch(std::string const& url) {
  request what = settings_.asked;
  what.url = url;
  record_.begin({shown_url(url), what.method});

  // [call]
  call_headers const call{what, made_};
  auto const attempt_once = [&](anew::attempt& attempt) {
    record_.attempt_begins(attempt.number());
    auto result = fetcher_.perform(call.of(attempt), attempt, limit_of(settings_, attempt), settings_.idempotent);
    record_.attempt_ends(result);
    return result;
  };
  anew::strategy_view const strategy{*made_.strategy};
  auto outcome = settings_.idempotent ? anew::retry_outcome(strategy, anew::idempotent(attempt_once), stop_)
                                      : anew::retry_outcome(strategy, attempt_once, stop_);

  // [/call]
  auto const elapsed = outcome.elapsed();
  auto const last_hint = outcome.last_hint();
  auto result = std::move(outcome).result();  // throws what the operation threw, such as std::bad_alloc
  return {std::move(result), record_.finish(elapsed, last_hint)};
}

anew::duration limit_of(settings const& s, anew::attempt const& attempt) {
  return anew::curl::limit_of(attempt, s.per_attempt.value_or(anew::duration::max()));
}

request call_headers::of(anew::attempt const& attempt) const {
  auto what = asked_;
  if (!of_.is_of_aws) return what;
  what.headers.push_back(std::string{anew::aws::invocation_id_field} + ": " + std::string{call_.id()});
  what.headers.push_back(std::string{anew::aws::sdk_request_field} + ": " +
                         std::string{call_.sdk_request(attempt, of_.max_attempts).view()});
  return what;
}

}  // namespace anew_get
