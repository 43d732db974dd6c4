// SPDX-License-Identifier: BSL-1.0
#include <string>
#include <utility>

#include "anew/curl.hpp"
#include "anew/run_time/virtual/strategy_view.hpp"

#include "session.hpp"

namespace anew_get {

namespace {

thread_local hearer* heard_here = nullptr;

}  // namespace

void shared_strategy::of_this_thread::judged(anew::attempt_event const& event) { heard_here->judged(event); }
void shared_strategy::of_this_thread::waits(anew::retry_event const& event) { heard_here->waits(event); }
void shared_strategy::of_this_thread::ends(anew::end_event const& event) { heard_here->ends(event); }

shared_strategy::shared_strategy(settings const& s) : made_{make_strategy(s.strategy, heard_, s.quota)} {}

void shared_strategy::report_to(hearer& who) { heard_here = &who; }

session::session(settings const& s, listener& who, std::stop_token stop)
    : session{s, who, std::move(stop), std::make_shared<shared_strategy>(s)} {}

session::session(settings const& s, listener& who, std::stop_token stop, std::shared_ptr<shared_strategy> strategy)
    : settings_{s}, stop_{std::move(stop)}, strategy_{std::move(strategy)}, record_{who} {
  record_.watch(strategy_->get().quota);
}

session::fetched session::fetch(std::string const& url, body& content) {
  request what = settings_.asked;
  what.url = url;
  shared_strategy::report_to(record_);
  record_.begin({shown_url(url), what.method});
  auto const& made = strategy_->get();

  // [call]
  call_headers const call{what, made};
  auto const attempt_once = [&](anew::attempt& attempt) {
    record_.attempt_begins(attempt.number());
    auto result =
        fetcher_.perform(call.of(attempt), attempt, limit_of(settings_, made, attempt), settings_.idempotent, content);
    record_.attempt_ends(result, content.resumed_at());
    return result;
  };
  anew::strategy_view const strategy{*made.strategy};
  auto outcome = settings_.idempotent ? anew::retry_outcome(strategy, anew::idempotent(attempt_once), stop_)
                                      : anew::retry_outcome(strategy, attempt_once, stop_);

  // [/call]
  auto const elapsed = outcome.elapsed();
  auto const last_hint = outcome.last_hint();
  auto result = std::move(outcome).result();  // throws what the operation threw, such as std::bad_alloc
  return {std::move(result), record_.finish(elapsed, last_hint)};
}

anew::duration limit_of(settings const& s, made_strategy const& made, anew::attempt const& attempt) {
  auto limit = s.per_attempt.value_or(anew::duration::max());
  if (made.attempt_limit) limit = made.attempt_limit(attempt.remaining());
  return attempt.limit(limit);
}

request call_headers::of(anew::attempt const& attempt) const {
  auto what = asked_;
  if (!of_.is_of_aws) return what;
  what.headers.push_back(std::string{anew::aws::invocation_id_field} + ": " + std::string{call_.id()});
  what.headers.push_back(std::string{anew::aws::sdk_request_field} + ": " +
                         call_.sdk_request(attempt, of_.max_attempts));
  return what;
}

}  // namespace anew_get
