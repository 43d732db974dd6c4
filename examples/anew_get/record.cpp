// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <utility>

#include "fetch.hpp"
#include "record.hpp"

namespace anew_get {

void recorder::begin(call_begin call) {
  who_->call_begins(call);
  report_ = {};
  report_.url = std::move(call.url);
  report_.method = std::move(call.method);
  start_ = std::chrono::steady_clock::now();
}

void recorder::attempt_begins(std::uint32_t number) {
  auto& attempt = report_.attempts.emplace_back();
  attempt.number = number;
  attempt.began = since_start();
  told_ = false;
}

void recorder::attempt_ends(fetch_result const& result, std::uint64_t resumed_at) {
  auto& attempt = report_.attempts.back();
  attempt.ended = since_start();
  attempt.succeeded = result.has_value();
  attempt.resumed_at = resumed_at;
  if (result.has_value()) {
    attempt.status = result.value().status;
    attempt.bytes = result.value().bytes;
    attempt.words = status_words(attempt.status);
  } else {
    attempt.code = result.error().code;
    attempt.status = result.error().status;
    attempt.words = result.error().words;
  }
}

void recorder::judged(anew::attempt_event const& event) { report_.attempts.back().judged = event; }

void recorder::waits(anew::retry_event const& event) {
  report_.attempts.back().wait = anew::planned_delay{event.delay, event.origin};
  report_.attempts.back().quota = quota_();
  tell();
}

void recorder::ends(anew::end_event const& event) {
  report_.end = event;
  report_.quota = quota_();
  if (told_ || report_.attempts.empty()) return;  // in a wait: its attempt has been shown; or refused by the gate
  auto& attempt = report_.attempts.back();
  if (!attempt.judged) attempt.words = "interrupted";
  attempt.quota = report_.quota;
  tell();
}

call_report recorder::finish(anew::duration elapsed, std::optional<anew::duration> last_hint) {
  report_.elapsed = elapsed;
  report_.last_hint = last_hint;
  who_->call_ended(report_);
  return std::move(report_);
}

anew::duration recorder::since_start() const { return std::chrono::steady_clock::now() - start_; }

void recorder::tell() {
  told_ = true;
  who_->attempt_ended(report_.attempts.back());
}

}  // namespace anew_get
