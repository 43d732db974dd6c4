// SPDX-License-Identifier: BSL-1.0
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

std::string describe(settings const& s) {
  silent who;
  recorder record{who};
  return anew::describe(compose_strategy(s, record));
}

}  // namespace anew_get
