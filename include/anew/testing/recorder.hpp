// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_RECORDER_HPP
#define ANEW_TESTING_RECORDER_HPP

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/mutex.hpp"
#include "anew/base/policy_change.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::testing {

/// An observer that keeps everything it hears, and tells it as a story: "attempt 1 may be retried", "retry 2",
/// "attempt 2 succeeded", "end succeeded after 2".
///
/// Copies share what they heard: a test keeps one and composes the other. `recorder{heard}` writes into a record of the
/// test's, which must live as long as the strategy.
///
/// Models: Observer (safe from many threads)
/// Formula: none
/// Requires: nothing      Cost: a lock and an allocation an event
/// Choose it to see the order of things. Not in production: it grows with every call.
/// Source: none
class recorder {
 public:
  using role = roles::observer;

  struct heard {
    std::vector<std::string> story;
    std::vector<attempt_event> attempts;
    std::vector<retry_event> retries;
    std::vector<end_event> ends;
    std::vector<policy_change> changes;
  };

  recorder() : to_{std::make_shared<heard>()} {}
  explicit recorder(heard& to) : to_{std::shared_ptr<heard>{}, &to} {}

  void on_attempt(attempt_event const& e) const {
    keep("attempt " + std::to_string(e.attempt) +
             (e.verdict.is_success() ? " succeeded"
              : e.verdict.is_retry() ? " may be retried"
                                     : " failed"),
         &heard::attempts, e);
  }
  void on_retry(retry_event const& e) const { keep("retry " + std::to_string(e.attempt), &heard::retries, e); }
  void on_end(end_event const& e) const {
    keep(std::string{"end "}.append(to_string(e.reason)).append(" after ").append(std::to_string(e.attempts)),
         &heard::ends, e);
  }

  void on_change(policy_change const& change) const {
    keep(std::string{to_string(change.of)}
             .append(" ")
             .append(to_string(change.of, change.from))
             .append(">")
             .append(to_string(change.of, change.to)),
         &heard::changes, change);
  }

  /// Adds a line of the test's own to the story: "sleep", "call".
  void note(std::string line) const {
    anew::detail::platform::lock_guard const lock{*mutex_};
    to_->story.push_back(std::move(line));
  }

  [[nodiscard]] std::vector<std::string> story() const { return copy_of(&heard::story); }
  [[nodiscard]] std::vector<attempt_event> attempts() const { return copy_of(&heard::attempts); }
  [[nodiscard]] std::vector<retry_event> retries() const { return copy_of(&heard::retries); }
  [[nodiscard]] std::vector<end_event> ends() const { return copy_of(&heard::ends); }
  [[nodiscard]] std::vector<policy_change> changes() const { return copy_of(&heard::changes); }

  [[nodiscard]] static std::string describe() { return "recorder"; }

 private:
  template <class Event>
  void keep(std::string line, std::vector<Event> heard::* events, Event const& event) const {
    anew::detail::platform::lock_guard const lock{*mutex_};
    to_->story.push_back(std::move(line));
    ((*to_).*events).push_back(event);
  }
  template <class T>
  [[nodiscard]] std::vector<T> copy_of(std::vector<T> heard::* part) const {
    anew::detail::platform::lock_guard const lock{*mutex_};
    return (*to_).*part;
  }

  std::shared_ptr<heard> to_;
  std::shared_ptr<anew::detail::platform::mutex> mutex_ = std::make_shared<anew::detail::platform::mutex>();
};

}  // namespace anew::inline ANEW_ABI::testing

#endif
