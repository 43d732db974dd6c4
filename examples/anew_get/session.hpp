// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_SESSION_HPP
#define ANEW_GET_SESSION_HPP

#include <memory>
#include <stop_token>
#include <string>

#include "anew/anew.hpp"
#include "anew/presets/aws/error.hpp"

#include "body.hpp"
#include "fetch.hpp"
#include "made_strategy.hpp"
#include "options.hpp"
#include "record.hpp"

namespace anew_get {

/// A strategy that the calls of several threads share, with its quota.
class shared_strategy {
 public:
  explicit shared_strategy(settings const& s);
  shared_strategy(shared_strategy const&) = delete;
  shared_strategy& operator=(shared_strategy const&) = delete;

  [[nodiscard]] made_strategy const& get() const { return made_; }
  /// From now on `who` is told of the decisions in this thread.
  static void report_to(hearer& who);

 private:
  /// A strategy decides in the thread of the call.
  class of_this_thread final : public hearer {
   public:
    void judged(anew::attempt_event const& event) override;
    void waits(anew::retry_event const& event) override;
    void ends(anew::end_event const& event) override;
  };

  of_this_thread heard_;
  made_strategy made_;
};

/// Fetches in one thread: has its connections, and the record of a call.
class session {
 public:
  struct fetched {
    fetch_result result;
    call_report report;
  };

  session(settings const& s, listener& who, std::stop_token stop);
  session(settings const& s, listener& who, std::stop_token stop, std::shared_ptr<shared_strategy> strategy);

  /// One URL, as often as the strategy says.
  [[nodiscard]] fetched fetch(std::string const& url, body& content);

 private:
  settings settings_;
  std::stop_token stop_;
  std::shared_ptr<shared_strategy> strategy_;
  recorder record_;
  fetcher fetcher_;
};

/// How long one attempt may take.
[[nodiscard]] anew::duration limit_of(settings const& s, made_strategy const& made, anew::attempt const& attempt);

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
