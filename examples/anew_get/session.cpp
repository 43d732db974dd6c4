// SPDX-License-Identifier: BSL-1.0
#include <string>
#include <utility>
#include <variant>

#include "session.hpp"

namespace anew_get {

session::session(settings const& s, listener& who, std::stop_token stop)
    : settings_{s}, stop_{std::move(stop)}, record_{who}, strategy_{compose_strategy(s, record_)} {
  record_.watch([this] { return strategy_.quota().state(); });
}

session::fetched session::fetch(std::string const& url) {
  request what = settings_.asked;
  what.url = url;
  record_.begin({shown_url(url), what.method});

  // [call]
  auto const attempt_once = [&](anew::attempt& attempt) {
    record_.attempt_begins(attempt.number());
    auto result = fetcher_.perform(what, attempt, limit_of(attempt), !settings_.idempotent);
    record_.attempt_ends(result);
    return result;
  };
  auto outcome = settings_.idempotent ? anew::retry_outcome(strategy_, anew::idempotent(attempt_once), stop_)
                                      : anew::retry_outcome(strategy_, attempt_once, stop_);

  // [/call]
  auto const elapsed = outcome.elapsed();
  auto const last_hint = outcome.last_hint();
  auto result = std::move(outcome).result();  // throws what the operation threw, such as std::bad_alloc
  return {std::move(result), record_.finish(elapsed, last_hint)};
}

anew::duration session::limit_of(anew::attempt const& attempt) const {
  auto const per_attempt = settings_.per_attempt.value_or(anew::duration::max());
  // The last try begins when nothing remains of the deadline; it may take what any attempt may take.
  bool const is_last_try =
      settings_.at_deadline == anew::at_deadline::last_try && attempt.remaining() == anew::duration::zero();
  return is_last_try ? per_attempt : attempt.limit(per_attempt);
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
  p.hint = chosen_hint{anew::server_hint{s.hint, s.cap}};
  if (s.deadline) p.deadline = chosen_deadline{anew::deadline{*s.deadline, s.at_deadline, s.reserve}};
  p.seed = s.seed;
  return p;
}

std::string describe(settings const& s) { return describe(parts_of(s)); }

}  // namespace anew_get
