// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_DRIVER_SUPPORT_HPP
#define ANEW_TESTS_SUPPORT_DRIVER_SUPPORT_HPP

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "anew/concept/observer.hpp"
#include "anew/concept/quota.hpp"
#include "anew/concept/sleeper.hpp"
#include "anew/directive.hpp"
#include "anew/duration.hpp"
#include "anew/failure.hpp"
#include "anew/roles.hpp"

#include "manual_clock.hpp"

/// What the tests of the driver are made of: sleepers and observers that write down what they are told, results that
/// are counted, a stop token of another type than the standard's, and a quota that keeps books.
namespace support {

/// Writes down the delays, does something in the sleep when it is told to, and never waits. It cannot be copied or
/// moved: a driver uses the caller's own.
class recording_sleeper {
 public:
  recording_sleeper() = default;
  explicit recording_sleeper(std::function<void()> during) : during_{std::move(during)} {}
  recording_sleeper(recording_sleeper const&) = delete;
  recording_sleeper& operator=(recording_sleeper const&) = delete;
  ~recording_sleeper() = default;

  void operator()(anew::duration delay) {
    delays.push_back(delay);
    if (during_) during_();
  }

  std::vector<anew::duration> delays{};

 private:
  std::function<void()> during_{};
};

/// Passes the time on a manual clock, and a little more where a test wants a sleeper that is late.
class advancing_sleeper {
 public:
  explicit advancing_sleeper(manual_clock const& clock, anew::duration late = anew::duration::zero())
      : clock_{clock}, late_{late} {}

  void operator()(anew::duration delay) {
    delays.push_back(delay);
    clock_.advance(delay + late_);
  }

  std::vector<anew::duration> delays{};

 private:
  manual_clock clock_;
  anew::duration late_;
};

/// Everything that an observer hears, in one list. Copies share the list.
class recorder {
 public:
  using role = anew::roles::observer;

  struct heard {
    std::vector<std::string> story;
    std::vector<anew::attempt_event> attempts;
    std::vector<anew::retry_event> retries;
    std::vector<anew::end_event> ends;
  };

  explicit recorder(heard& to) : to_{&to} {}

  void on_attempt(anew::attempt_event const& e) const {
    to_->story.push_back("attempt " + std::to_string(e.attempt) +
                         (e.verdict.is_success() ? " succeeded"
                          : e.verdict.is_retry() ? " may be retried"
                                                 : " failed"));
    to_->attempts.push_back(e);
  }
  void on_retry(anew::retry_event const& e) const {
    to_->story.push_back("retry " + std::to_string(e.attempt));
    to_->retries.push_back(e);
  }
  void on_end(anew::end_event const& e) const {
    to_->story.push_back(std::string{"end "} + anew::to_string(e.reason) + " after " + std::to_string(e.attempts));
    to_->ends.push_back(e);
  }

 private:
  heard* to_;
};

/// A stop token of a user's own, by shape. It counts how often it is asked and who is registered to be woken.
class flag_stop {
 public:
  struct state {
    std::atomic<bool> requested{false};
    std::atomic<int> registered{0};
    std::atomic<int> ever_registered{0};
    bool possible = true;
  };
  explicit flag_stop(state& of) noexcept : state_{&of} {}

  [[nodiscard]] bool stop_requested() const noexcept { return state_->requested.load(); }
  [[nodiscard]] bool stop_possible() const noexcept { return state_->possible; }

  /// What a sleeper holds while it may be woken.
  class registration {
   public:
    explicit registration(flag_stop const& of) noexcept : state_{of.state_} {
      ++state_->registered;
      ++state_->ever_registered;
    }
    registration(registration const&) = delete;
    registration& operator=(registration const&) = delete;
    ~registration() { --state_->registered; }

   private:
    state* state_;
  };

 private:
  state* state_;
};
static_assert(anew::StopToken<flag_stop>);

/// A live object, counted. Moves and copies are counted too.
struct tracked {
  static inline int alive = 0;
  static inline int copies = 0;
  static inline int moves = 0;
  static void reset() noexcept { alive = copies = moves = 0; }

  int value = 0;

  explicit tracked(int v) noexcept : value{v} { ++alive; }
  tracked(tracked const& other) noexcept : value{other.value} {
    ++alive;
    ++copies;
  }
  tracked(tracked&& other) noexcept : value{std::exchange(other.value, -1)} {
    ++alive;
    ++moves;
  }
  tracked& operator=(tracked const&) = default;
  tracked& operator=(tracked&&) = default;
  ~tracked() { --alive; }
};

/// A quota without limits that keeps books: every permit that went out must come back once.
class audited_quota {
 public:
  using role = anew::roles::quota;
  using permit_type = std::uint32_t;

  struct books {
    std::atomic<std::uint32_t> next{1};
    std::atomic<std::uint64_t> acquired{0};
    std::atomic<std::uint64_t> succeeded{0};
    std::atomic<std::uint64_t> succeeded_at_once{0};
    std::atomic<std::uint64_t> failed{0};
    std::atomic<std::uint64_t> released{0};
    [[nodiscard]] std::uint64_t outstanding() const { return acquired - succeeded - failed - released; }
  };

  explicit audited_quota(books& in) noexcept : books_{&in} {}

  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const& /*f*/) const noexcept {
    ++books_->acquired;
    return books_->next.fetch_add(1);
  }
  void on_success(permit_type held) const noexcept { ++(held != 0 ? books_->succeeded : books_->succeeded_at_once); }
  void on_failure(permit_type held) const noexcept { books_->failed += held != 0 ? 1U : 0U; }
  void release(permit_type /*held*/) const noexcept { ++books_->released; }

 private:
  books* books_;
};

}  // namespace support

#endif
