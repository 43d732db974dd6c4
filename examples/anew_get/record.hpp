// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_RECORD_HPP
#define ANEW_GET_RECORD_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "anew/anew.hpp"

#include "fetch_result.hpp"
#include "quota_state.hpp"

namespace anew_get {

/// One attempt: what happened, what the classifier made of it, and what followed. Times count from the start of the call.
struct attempt_record {
  std::uint32_t number = 1;
  anew::duration began{};
  anew::duration ended{};
  bool succeeded = false;
  CURLcode code = CURLE_OK;
  int status = 0;
  std::uint64_t bytes = 0;
  std::uint64_t resumed_at = 0;
  std::string words;
  std::optional<anew::attempt_event> judged;  // nothing: interrupted before the classifier was asked
  std::optional<anew::planned_delay> wait;    // nothing: the call ended here
  quota_state quota;
};

struct call_begin {
  std::string url;  // as it may be shown
  std::string method;
};

/// One call, when it is over.
struct call_report {
  std::string url;
  std::string method;
  std::vector<attempt_record> attempts;
  anew::end_event end{};
  anew::duration elapsed{};
  std::optional<anew::duration> last_hint;
  quota_state quota;

  [[nodiscard]] anew::stop_reason reason() const { return end.reason; }
  [[nodiscard]] bool succeeded() const { return reason() == anew::stop_reason::succeeded; }
  /// The last attempt; none where a gate admitted no attempt.
  [[nodiscard]] attempt_record last() const { return attempts.empty() ? attempt_record{} : attempts.back(); }
};

/// Shows what happens while it happens.
class listener {
 public:
  listener() = default;
  listener(listener const&) = delete;
  listener& operator=(listener const&) = delete;
  virtual ~listener() = default;
  virtual void call_begins(call_begin const& call) = 0;
  /// Once it is known what follows the attempt: before the wait.
  virtual void attempt_ended(attempt_record const& attempt) = 0;
  virtual void call_ended(call_report const& report) = 0;
};

/// Shows nothing.
class silent final : public listener {
 public:
  void call_begins(call_begin const& /*call*/) override {}
  void attempt_ended(attempt_record const& /*attempt*/) override {}
  void call_ended(call_report const& /*report*/) override {}
};

/// Receives what the strategy decides, as its observers do.
class hearer {
 public:
  hearer() = default;
  hearer(hearer const&) = delete;
  hearer& operator=(hearer const&) = delete;
  virtual ~hearer() = default;
  virtual void judged(anew::attempt_event const& event) = 0;
  virtual void waits(anew::retry_event const& event) = 0;
  virtual void ends(anew::end_event const& event) = 0;
};

/// Hears nothing.
class nobody final : public hearer {
  void judged(anew::attempt_event const& /*event*/) override {}
  void waits(anew::retry_event const& /*event*/) override {}
  void ends(anew::end_event const& /*event*/) override {}
};

/// Puts together what the operation knows (bytes, status) and what the strategy says (verdict, delay, reason).
class recorder final : public hearer {
 public:
  explicit recorder(listener& who) : who_{&who} {}

  /// Where to look up the balance, from now on: the strategy that has the quota is made after its observer.
  void watch(std::function<quota_state()> quota) { quota_ = std::move(quota); }

  void begin(call_begin call);
  void attempt_begins(std::uint32_t number);
  /// `resumed_at`: the byte from which on it asked for the rest.
  void attempt_ends(fetch_result const& result, std::uint64_t resumed_at);
  void judged(anew::attempt_event const& event) override;
  void waits(anew::retry_event const& event) override;
  void ends(anew::end_event const& event) override;
  call_report finish(anew::duration elapsed, std::optional<anew::duration> last_hint);

 private:
  [[nodiscard]] anew::duration since_start() const;
  void tell();

  listener* who_;
  std::function<quota_state()> quota_ = [] { return quota_state{}; };
  call_report report_;
  std::chrono::steady_clock::time_point start_;
  bool told_ = false;  // the last attempt
};

}  // namespace anew_get

#endif
