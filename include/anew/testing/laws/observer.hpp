// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_OBSERVER_HPP
#define ANEW_TESTING_LAWS_OBSERVER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "anew/base/breaker_state.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/mutex.hpp"
#include "anew/base/policy_change.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/roles.hpp"
#include "anew/testing/laws/subject.hpp"

namespace anew::inline ANEW_ABI::testing {

/// An observer that follows calls and checks what a driver owes every such observer. Compose a copy into the strategy of your
/// driver's tests, run them, and ask the one that you kept: `EXPECT_TRUE(laws.hold())`. The laws of one call:
///
/// * attempts begin with the numbers 1, 2, 3 ..., and each attempt that ends has begun;
/// * an error comes while an attempt is under way, and the next event is that attempt's end, a failure;
/// * a retry has the number of the attempt that begins next;
/// * the end comes last, and counts the attempts that began. An attempt without an end of its own belongs to a call that was
///   cancelled, or that others of its hedges have ended.
///
/// Of all calls: the `call_type` of each is destroyed by the time that `hold()` is asked. Of changes, in a strategy
/// that shares no policy and is called by one thread: each begins in the state in which the last of its role ended.
///
/// Models: Observer (safe from many threads)
/// Formula: none
/// Requires: nothing      Cost: a lock and an allocation a call
/// Choose it to test a driver of your own. To see what was told: recorder.
/// Source: none
class observer_laws {
  struct record {
    anew::detail::platform::mutex mutex;
    std::string broken;
    std::size_t changes = 0;
    std::size_t calls = 0, alive = 0, ended = 0, failures = 0, errors = 0;
  };

 public:
  using role = roles::observer;

  /// One call as far as it was told.
  class followed {
   public:
    explicit followed(std::shared_ptr<record> to) : to_{std::move(to)} { count(&record::calls), count(&record::alive); }
    followed(followed const&) = delete;
    followed& operator=(followed const&) = delete;
    ~followed() {
      anew::detail::platform::lock_guard const lock{to_->mutex};
      --to_->alive;
    }

   private:
    friend observer_laws;
    void law(bool holds, char const* what) const {
      if (holds) return;
      anew::detail::platform::lock_guard const lock{to_->mutex};
      if (to_->broken.empty()) to_->broken = what;
    }
    void count(std::size_t record::* what) const {
      anew::detail::platform::lock_guard const lock{to_->mutex};
      ++((*to_).*what);
    }

    std::shared_ptr<record> to_;
    std::set<std::uint32_t> under_way_;
    std::uint32_t begun_ = 0;
    bool has_error_ = false;
    bool has_hedges_ = false;
    bool has_ended_ = false;
  };
  using call_type = std::unique_ptr<followed>;

  [[nodiscard]] call_type on_call(call_event const& /*event*/) const { return std::make_unique<followed>(to_); }
  void on_begin(call_type const& call, std::uint32_t number) const {
    call->law(!call->has_ended_, "an event came after the end");
    call->law(!call->has_error_, "an attempt began between an error and the end of its attempt");
    call->law(number == call->begun_ + 1, "attempts did not begin with the numbers 1, 2, 3");
    call->begun_ = number;
    call->has_hedges_ = call->has_hedges_ || !call->under_way_.empty();
    call->under_way_.insert(number);
  }
  void on_error(call_type const& call, auto const& /*error*/) const {
    call->law(!call->has_ended_, "an event came after the end");
    call->law(!call->under_way_.empty(), "an error came without an attempt under way");
    call->law(!call->has_error_, "two errors came for one attempt");
    call->has_error_ = true;
    call->count(&record::errors);
  }
  void on_attempt(call_type const& call, attempt_event const& event) const {
    call->law(!call->has_ended_, "an event came after the end");
    call->law(call->under_way_.erase(event.attempt) == 1, "an attempt ended that was not under way");
    call->law(!call->has_error_ || !event.succeeded(), "an attempt with an error succeeded");
    call->has_error_ = false;
    if (!event.succeeded()) call->count(&record::failures);
  }
  void on_retry(call_type const& call, retry_event const& event) const {
    call->law(!call->has_ended_, "an event came after the end");
    call->law(!call->has_error_, "a retry came between an error and the end of its attempt");
    call->law(event.attempt == call->begun_ + 1, "a retry had another number than the next attempt");
  }
  void on_end(call_type const& call, end_event const& event) const {
    call->law(!call->has_ended_, "an event came after the end");
    call->law(!call->has_error_, "a call ended between an error and the end of its attempt");
    call->law(event.attempts == call->begun_, "the end counted other attempts than began");
    call->law(call->under_way_.empty() || call->has_hedges_ || event.reason == stop_reason::cancelled,
              "an attempt began and did not end");
    call->has_ended_ = true;
    call->count(&record::ended);
  }

  void on_change(policy_change const& change) const {
    anew::detail::platform::lock_guard const lock{to_->mutex};
    auto& last = last_.of.at(static_cast<std::size_t>(change.of));
    if (change.from == change.to && to_->broken.empty()) to_->broken = "an event told no change";
    if (last && *last != change.from && to_->broken.empty())
      to_->broken = "a change did not begin where the last ended";
    last = change.to;
    ++to_->changes;
  }

  /// Whether the laws held in all calls so far.
  [[nodiscard]] ::testing::AssertionResult hold() const {
    anew::detail::platform::lock_guard const lock{to_->mutex};
    if (!to_->broken.empty()) return ::testing::AssertionFailure() << to_->broken;
    if (to_->alive != 0) return ::testing::AssertionFailure() << to_->alive << " calls were never destroyed";
    return ::testing::AssertionSuccess();
  }
  [[nodiscard]] std::size_t calls() const { return get(&record::calls); }
  /// The calls whose end was reported: all but those in which a policy or the sleeper threw.
  [[nodiscard]] std::size_t ended() const { return get(&record::ended); }
  /// Attempts that failed, and those of them whose error was told.
  [[nodiscard]] std::size_t failures() const { return get(&record::failures); }
  [[nodiscard]] std::size_t errors() const { return get(&record::errors); }

  [[nodiscard]] std::size_t changes() const { return get(&record::changes); }

  [[nodiscard]] static std::string describe() { return "observer_laws"; }

 private:
  [[nodiscard]] std::size_t get(std::size_t record::* what) const {
    anew::detail::platform::lock_guard const lock{to_->mutex};
    return (*to_).*what;
  }

  /// The state of gate, quota and pacer. A copy belongs to another strategy, which has told nothing.
  struct states {
    states() = default;
    states(states const& /*other*/) {}
    states& operator=(states const& /*other*/) { return *this; }
    ~states() = default;
    std::array<std::optional<breaker_state>, 3> of{};
  };

  std::shared_ptr<record> to_ = std::make_shared<record>();
  mutable states last_;
};

}  // namespace anew::inline ANEW_ABI::testing

#endif
