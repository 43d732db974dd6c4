// SPDX-License-Identifier: BSL-1.0
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "anew/curl.hpp"
#include "anew/virtual/strategy_view.hpp"
#include "anew/virtual/virtual_strategy.hpp"

#include "session.hpp"

namespace anew_get {

session::session(settings const& s, listener& who, std::stop_token stop)
    : settings_{s}, stop_{std::move(stop)}, record_{who}, made_{strategy_of(s, record_)} {
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

made_strategy strategy_of(settings const& s, hearer& who) {
  if (s.strategy && is_strategy_name(*s.strategy)) return make_named(*s.strategy, who);
  auto chosen = parts_of(s);
  made_strategy made;
  using strategy_type = decltype(compose_of(std::move(chosen), fetch_classifier{chosen.statuses}, feed{who}));
  fetch_classifier classifier{chosen.statuses};
  auto strategy = std::make_unique<anew::virtual_strategy<strategy_type>>(
      compose_of(std::move(chosen), std::move(classifier), feed{who}));
  made.quota = [at = strategy.get()] { return at->strategy().quota().state(); };
  made.strategy = std::move(strategy);
  return made;
}

parts parts_of(settings const& s) {
  if (s.strategy) {
    auto read = read_strategy(*s.strategy);  // has been read before: there is nothing wrong with it
    return std::move(std::get<strategy_choice>(read).policies);
  }
  parts p;
  switch (s.backoff) {
    case backoff_choice::none: p.backoff = chosen_backoff{anew::no_backoff{}}; break;
    case backoff_choice::constant: p.backoff = chosen_backoff{anew::constant_backoff{s.base}}; break;
    case backoff_choice::exponential:
      p.backoff = chosen_backoff{anew::exponential_backoff{s.base, s.cap, s.growth}};
      break;
  }
  switch (s.jitter) {
    case jitter_choice::none: p.jitter = chosen_jitter{anew::no_jitter{}}; break;
    case jitter_choice::full: p.jitter = chosen_jitter{anew::full_jitter{}}; break;
    case jitter_choice::equal: p.jitter = chosen_jitter{anew::equal_jitter{}}; break;
    case jitter_choice::decorrelated: p.jitter = chosen_jitter{anew::decorrelated_jitter{}}; break;
  }
  if (s.quota) {
    p.quota.emplace<chosen_quota::bucket>(*s.quota);
  } else {
    p.quota.emplace<anew::unlimited_quota>();
  }
  p.limit = s.attempts ? chosen_limit{anew::max_attempts{*s.attempts}} : chosen_limit{anew::unbounded{}};
  p.hint = chosen_hint{anew::server_hint{s.hint, s.longest_hint}};
  if (s.deadline) p.deadline = chosen_deadline{anew::deadline{*s.deadline, s.at_deadline, s.reserve}};
  p.seed = s.seed;
  return p;
}

std::string describe(settings const& s) {
  return s.strategy && is_strategy_name(*s.strategy) ? describe_named(*s.strategy) : describe(parts_of(s));
}

}  // namespace anew_get
