// SPDX-License-Identifier: BSL-1.0
// What a server said is remembered: no attempt of a call begins before the largest delay that the hint policy obeys, a
// delay that is too long or negative ends the call where the policy says so, and nobody ever sees a negative delay. Calls
// with hedges and hints from the whole range of 64 bits, beside a naive model; hints_and_deadlines.test.cpp has those
// that make one attempt after the other.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/policies/hint/jittered.hpp"

#include "hint_model.hpp"
#include "names.hpp"

namespace {

using anew::hedge_timer;
using anew::long_hint;
using support::computed_by;
using support::dice;
using support::heard_by;
using support::told;
using support::wait;
using support::wide;
using policy = support::hint_policy;
using rules = support::hint_rules;

constexpr std::int64_t most_permitted = std::int64_t{1} << 57;  // so that no time of a call passes the clock's range

// --- the calls

constexpr int policies = 8;

struct answer_of_server {
  bool fails = true;
  std::optional<std::int64_t> asked{};
};

std::optional<std::int64_t> draw_hint(dice& d, rules const& by) {
  auto const near = [&](std::int64_t value) { return value + d.below(3) - 1; };
  switch (d.below(8)) {
    case 0:
    case 1: return std::nullopt;
    case 2: return static_cast<std::int64_t>(d());
    case 3: return -d.of_any_size(63);
    case 4: return near(d.one_in(2) ? by.longest : by.cap);
    case 5: {
      constexpr std::array<std::int64_t, 5> ends{std::numeric_limits<std::int64_t>::min(),
                                                 std::numeric_limits<std::int64_t>::max(), -1, 0, 1};
      return ends[static_cast<std::size_t>(d.below(5))];
    }
    default: return d.of_any_size(63);
  }
}

rules draw_rules(dice& d) {
  rules by;
  by.hint = static_cast<policy>(d.below(policies));
  by.cap = 1 + d.of_any_size(57) % most_permitted;
  by.base = 1 + d.below(by.cap);
  by.longest = d.of_any_size(57) % most_permitted;
  by.has_longest = d.one_in(2);
  by.attempts = static_cast<std::uint32_t>(1 + d.below(6));
  return by;
}

// --- what the library is given

directive verdict_of(answer_of_server const& given) {
  if (!given.fails) return directive::succeed();
  if (!given.asked) return directive::retry(error_kind::server);
  return directive::retry(error_kind::server, duration{*given.asked});
}

/// The other way to a hint: a classifier that hands on what it read.
struct as_it_was_said {
  using role = anew::roles::classifier;
  [[nodiscard]] static directive classify(told const& error) {
    return directive::retry(error_kind::server, error.asked);
  }
};

struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  anew::time_point const* time;
  [[nodiscard]] anew::time_point now() const noexcept { return *time; }
};

struct cheap_random {
  using role = anew::roles::random_source;
  dice* from;
  std::uint64_t operator()() const { return (*from)(); }
};

struct seen {
  stop_reason reason = stop_reason::succeeded;
  std::uint32_t attempts = 0;
  bool negative = false;  ///< a negative hint or delay was shown to somebody
};

struct witness {
  using role = anew::roles::observer;
  seen* to;
  void look(std::optional<duration> shown) const { to->negative = to->negative || (shown && *shown < 0ns); }
  void on_attempt(anew::attempt_event const& e) const { look(e.verdict.what().hint); }
  void on_retry(anew::retry_event const& e) const {
    look(e.what.hint);
    look(e.delay);
  }
  void on_end(anew::end_event const& e) const {
    to->reason = e.reason;
    to->attempts = e.attempts;
  }
};

void with_hint(rules const& by, auto const& use) {
  duration const longest{by.longest};
  anew::rational const half{1, 2};
  auto const server = [&](long_hint then) {
    return by.has_longest ? anew::server_hint{then, longest} : anew::server_hint{then};
  };
  switch (by.hint) {
    case policy::pushback: return use(anew::pushback_hint{longest});
    case policy::clamped: return use(anew::clamped_hint{longest});
    case policy::jittered: return use(anew::jittered_hint{half, server(long_hint::stop)});
    case policy::jittered_clamp: return use(anew::jittered_hint{half, server(long_hint::clamp)});
    case policy::jittered_pushback: return use(anew::jittered_hint{half, anew::pushback_hint{longest}});
    case policy::stop: return use(server(long_hint::stop));
    case policy::clamp: return use(server(long_hint::clamp));
    case policy::ignore: return use(server(long_hint::ignore));
  }
}

struct environment {
  anew::time_point time{1s};
  dice random{0};
  seen heard{};
};

void with_strategy(rules const& by, environment& around, auto classifier, auto const& use) {
  with_hint(by, [&](auto hint) {
    use(anew::compose(anew::exponential_backoff{duration{by.base}, duration{by.cap}}, anew::no_jitter{}, hint,
                      classifier, anew::max_attempts{by.attempts}, virtual_clock{&around.time},
                      cheap_random{&around.random}, witness{&around.heard}));
  });
}

struct in_flight {
  std::uint32_t number;
  wide ends;
};

struct hedged_call {
  explicit hedged_call(std::uint64_t seed) : dice_{seed}, around_{.random = dice{seed + 1}} {}

  std::string run() {
    by_ = draw_rules(dice_);
    by_.attempts = static_cast<std::uint32_t>(1 + dice_.below(8));
    latency_ = 1 + dice_.of_any_size(50);
    with_strategy(by_, around_, as_it_was_said{}, [&](auto const& strategy) {
      anew::hedge_after const hedging{duration{dice_.of_any_size(50)}, dice_.below(5),
                                      dice_.one_in(4) ? anew::when_pushed_back::stop : anew::when_pushed_back::wait};
      anew::hedge_machine call{strategy, hedging, anew::idempotent_call};
      follow(call.begin());
      for (int events = 0; !finished_ && wrong_.empty(); ++events) {
        if (events == 1000 || (!timer_ && attempts_.empty())) {
          wrong_ += "the call does not end; ";
          break;
        }
        happen(call);
      }
    });
    if (around_.heard.negative) wrong_ += "a negative delay was shown; ";
    return wrong_;
  }

  [[nodiscard]] policy hint() const { return by_.hint; }
  [[nodiscard]] bool waited_for_another() const { return waited_for_another_; }

 private:
  [[nodiscard]] wide now() const { return around_.time.time_since_epoch().count(); }

  void happen(auto& call) {
    auto const first = std::min_element(attempts_.begin(), attempts_.end(),
                                        [](in_flight const& a, in_flight const& b) { return a.ends < b.ends; });
    bool const fires =
        timer_ && (attempts_.empty() || *timer_ < first->ends || (*timer_ == first->ends && dice_.one_in(2)));
    around_.time = anew::time_point{duration{static_cast<std::int64_t>(fires ? *timer_ : first->ends)}};
    if (fires) {
      timer_.reset();
      follow(call.on_time());
      return;
    }
    auto const number = first->number;
    attempts_.erase(first);
    answer_of_server const given{!dice_.one_in(10), draw_hint(dice_, by_)};
    auto const before = not_before_;
    wait next{};
    if (given.fails) next = hear(given);
    auto const step = call.on_verdict(number, verdict_of(given));
    if (given.fails && attempts_.empty()) check_decision(step, next, before);
    follow(step);
    if (finished_ != (!given.fails || (attempts_.empty() && expected_end(next) != stop_reason::succeeded))) {
      wrong_ += finished_ ? "ends too early; " : "ends too late; ";
    }
    if (finished_ && given.fails && around_.heard.reason != expected_end(next)) {
      wrong_.append("ends by ").append(to_string(around_.heard.reason)).append(", must be ");
      wrong_.append(to_string(expected_end(next))).append("; ");
    }
  }

  /// What the failure says about every attempt to come.
  wait hear(answer_of_server const& given) {
    auto const next = heard_by(by_, given.asked, computed_by(by_, made_));
    if (next.ends == stop_reason::not_retryable) is_forbidden_ = true;
    if (next.ends == stop_reason::hint_too_long) is_too_long_ = true;
    if (next.ends != stop_reason::succeeded || !given.asked || *given.asked < 0) return next;
    wide const hint = *given.asked;
    bool const is_ignored = next.most < hint && next.most == computed_by(by_, made_) && by_.hint == policy::ignore;
    if (is_ignored) return next;
    not_before_.least = std::max(not_before_.least, now() + std::min(hint, next.most));
    not_before_.most = std::max(not_before_.most, now() + next.most);
    return next;
  }

  [[nodiscard]] stop_reason expected_end(wait const& last) const {
    if (is_forbidden_) return stop_reason::not_retryable;
    if (made_ == by_.attempts) return stop_reason::attempts;
    if (is_too_long_) return stop_reason::hint_too_long;
    return last.ends;
  }

  /// All have failed: the call waits as in `retry()`, or until the latest of the times that were asked for, no longer.
  void check_decision(anew::hedge_step const& step, wait const& next, wait const& before) {
    if (step.finished || has_next_) return;  // an earlier failure decided about the next attempt
    wide const delay = step.timer == hedge_timer::set && step.start == 0 ? step.after.count() : 0;
    if (now() + delay > std::max(now() + next.most, before.most)) wrong_ += "waits too long; ";
    if (before.least > now() + next.most) waited_for_another_ = true;
  }

  void follow(anew::hedge_step const& step) {
    if (step.timer == hedge_timer::cancel) timer_.reset();
    if (step.timer == hedge_timer::set) {
      if (step.after < 0ns) wrong_ += "a negative wait; ";
      timer_ = now() + step.after.count();
    }
    has_next_ = step.start == 0 && timer_ && (has_next_ || step.timer == hedge_timer::set);
    finished_ = step.finished;
    if (step.start == 0) return;
    ++made_;
    if (is_forbidden_) wrong_.append("attempt ").append(std::to_string(step.start)).append(" after a refusal; ");
    if (is_too_long_) wrong_.append("attempt ").append(std::to_string(step.start)).append(" after a hint too long; ");
    if (now() < not_before_.least) {
      wrong_.append("attempt ").append(std::to_string(step.start)).append(" begins ");
      wrong_.append(std::to_string(static_cast<std::int64_t>(not_before_.least - now()))).append(" ns too early; ");
    }
    attempts_.push_back({step.start, now() + dice_.below(latency_) + 1});
  }

  dice dice_;
  environment around_;
  rules by_{};
  std::int64_t latency_ = 1;
  std::vector<in_flight> attempts_{};
  std::optional<wide> timer_{};
  wait not_before_{};
  std::uint32_t made_ = 0;
  bool is_forbidden_ = false;
  bool is_too_long_ = false;
  bool has_next_ = false;  ///< an attempt is decided on and waits for its time
  bool finished_ = false;
  bool waited_for_another_ = false;
  std::string wrong_;
};

TEST(Hints, NoHedgedAttemptBeginsBeforeTheLargestHintOfTheCall) {
  constexpr std::uint64_t scenarios = 300'000;
  std::uint64_t differing = 0;
  std::uint64_t waited_for_another = 0;
  for (std::uint64_t seed = 1; seed <= scenarios && differing < 10; ++seed) {
    hedged_call call{seed};
    auto const wrong = call.run();
    waited_for_another += call.waited_for_another() ? 1U : 0U;
    if (wrong.empty()) continue;
    ++differing;
    ADD_FAILURE() << "seed " << seed << ", policy " << static_cast<int>(call.hint()) << ": " << wrong;
  }
  EXPECT_GT(waited_for_another, scenarios / 200) << "else the dice miss the point";
}

}  // namespace
