// SPDX-License-Identifier: BSL-1.0
// What a pacer does to a call: it makes attempts wait, the first one too, or refuses them; and gets each ticket back.
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/gate/circuit_breaker.hpp"
#include "anew/sharing/shared.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"

namespace retry_pacer_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::stop_reason;
using anew::testing::advancing_sleeper;
using anew::testing::manual_clock;
using support::flag_stop;
using support::recorder;
using story = std::vector<std::string>;

constexpr duration refuse{-1};

/// Answers as it is told and lets through when it is told nothing. An attempt that waits holds a ticket of its own.
class scripted_pacer {
 public:
  using role = anew::roles::pacer;
  using ticket_type = int;
  struct books {
    std::vector<duration> waits;  ///< one for each question: 0 lets through, below 0 refuses
    std::size_t asked = 0;
    int last = 0;
    std::vector<anew::time_point> asked_at;
    story told;
  };
  explicit scripted_pacer(books& in) : books_{&in} {}

  [[nodiscard]] anew::pace ask(int& ticket, anew::time_point now) const {
    books_->asked_at.push_back(now);
    auto const index = books_->asked++;
    auto const wait = index < books_->waits.size() ? books_->waits[index] : duration::zero();
    if (wait < 0s) return {.refused = true};
    if (wait == 0s) {
      tell("granted", ticket);
      ticket = 0;
      return {};
    }
    if (ticket == 0) ticket = ++books_->last;
    return {.wait = wait};
  }
  void on_success(anew::time_point) const { books_->told.emplace_back("success"); }
  void on_failure(anew::failure const& what, anew::time_point) const {
    books_->told.emplace_back(to_string(what.kind));
  }
  void release(int ticket) const { tell("release", ticket); }

 private:
  void tell(char const* what, int ticket) const {
    books_->told.push_back(std::string{what} + " " + std::to_string(ticket));
  }
  books* books_;
};
static_assert(anew::Pacer<scripted_pacer>);

struct fixture {
  scripted_pacer::books pacer{};
  manual_clock clock{};
  recorder::heard heard{};
  template <class... More>
  auto strategy(More... more) {
    return anew::compose(scripted_pacer{pacer}, manual_clock{clock}, anew::retry_all{}, anew::no_jitter{},
                         anew::constant_backoff<1s>{}, recorder{heard}, std::move(more)...);
  }
};

TEST(Pacer, IsAskedBeforeEveryAttemptAndToldOfEveryEnd) {
  fixture f;
  auto const strategy = f.strategy();
  advancing_sleeper sleeper{f.clock};
  int calls = 0;
  EXPECT_TRUE(anew::retry(strategy, [&] { return ++calls == 3; }, sleeper));
  EXPECT_EQ(f.pacer.told, (story{"granted 0", "transient", "granted 0", "transient", "granted 0", "success"}));
  auto const start = f.pacer.asked_at.at(0);
  EXPECT_EQ(f.pacer.asked_at, (std::vector<anew::time_point>{start, start + 1s, start + 2s}));  // after the sleep
}

TEST(Pacer, AnAttemptWaitsAsOftenAsItIsToldWithOneTicket) {
  fixture f;
  f.pacer.waits = {3s, 2s, 0s, 5s};
  auto const strategy = f.strategy();
  advancing_sleeper sleeper{f.clock};
  int calls = 0;
  EXPECT_TRUE(anew::retry(strategy, [&] { return ++calls == 2; }, sleeper));
  EXPECT_EQ(f.pacer.told, (story{"granted 1", "transient", "granted 2", "success"}));
  auto const start = f.pacer.asked_at.at(0);
  EXPECT_EQ(f.pacer.asked_at, (std::vector<anew::time_point>{start, start + 3s, start + 5s, start + 6s, start + 11s}));
}

TEST(Pacer, ASleeperThatDoesNotWaitMakesNoHotLoop) {
  fixture f;
  f.pacer.waits = {3s, 2s};
  auto const strategy = f.strategy();
  EXPECT_TRUE(anew::retry(strategy, [] { return true; }, [](duration) {}));
  auto const start = f.pacer.asked_at.at(0);
  EXPECT_EQ(f.pacer.asked_at, (std::vector<anew::time_point>{start, start + 3s, start + 5s}));
}

TEST(Pacer, ThatFailsFastEndsACallBeforeItsFirstAttempt) {
  fixture f;
  f.pacer.waits = {refuse};
  auto const strategy = f.strategy();
  int calls = 0;
  auto const outcome = anew::retry_outcome(strategy, [&] { return ++calls > 0; });
  EXPECT_EQ(outcome.reason(), stop_reason::rate_limited);
  EXPECT_EQ(outcome.attempts(), 0U);
  EXPECT_FALSE(outcome.has_result());
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(f.pacer.told.empty());  // nothing was sent, nothing was held
  f.pacer.asked = 0;
  try {
    (void)anew::retry(strategy, [&] { return ++calls > 0; });
    FAIL() << "it was made";
  } catch (anew::call_refused const& e) {
    EXPECT_EQ(e.reason(), stop_reason::rate_limited);
    EXPECT_STREQ(e.what(), "anew: the pacer has no room for the first attempt");
  }
}

TEST(Pacer, ThatFailsFastLaterLeavesTheLastFailure) {
  fixture f;
  f.pacer.waits = {0s, refuse};
  auto const strategy = f.strategy(anew::token_bucket<100>{});
  advancing_sleeper sleeper{f.clock};
  auto const outcome = anew::retry_outcome(strategy, [] { return false; }, sleeper);
  EXPECT_EQ(outcome.reason(), stop_reason::rate_limited);
  EXPECT_EQ(outcome.attempts(), 1U);
  EXPECT_FALSE(outcome.result());
  EXPECT_EQ(strategy.quota().balance(), 100U);  // the retry was not made: it costs nothing
}

TEST(Pacer, AStopInTheWaitGivesTheTicketBack) {
  fixture f;
  f.pacer.waits = {3s};
  auto const strategy = f.strategy();
  flag_stop::state stop;
  auto const sleeper = [&](duration d) {
    f.clock.advance(d);
    stop.requested = true;
  };
  auto const outcome = anew::retry_outcome(strategy, [] { return true; }, sleeper, flag_stop{stop});
  EXPECT_EQ(outcome.reason(), stop_reason::cancelled);
  EXPECT_EQ(outcome.attempts(), 0U);
  EXPECT_EQ(f.pacer.told, story{"release 1"});
}

TEST(Pacer, ASleeperThatThrowsGivesTheTicketBack) {
  fixture f;
  f.pacer.waits = {0s, 3s};
  auto const strategy = f.strategy(anew::token_bucket<100>{});
  int sleeps = 0;
  auto const sleeper = [&](duration) {
    if (++sleeps == 2) throw std::runtime_error{"woken"};
  };
  EXPECT_THROW((void)anew::retry(strategy, [] { return false; }, sleeper), std::runtime_error);
  EXPECT_EQ(f.pacer.told, (story{"granted 0", "transient", "release 1"}));
  EXPECT_EQ(strategy.quota().balance(), 100U);
}

TEST(Pacer, NobodyWaitsPastTheDeadline) {
  fixture f;
  f.pacer.waits = {3s, 3s, 10s};
  auto const strategy = f.strategy(anew::deadline<10s>{}, anew::max_attempts<5>{});
  advancing_sleeper sleeper{f.clock};
  auto const start = f.clock.peek();
  auto const outcome = anew::retry_outcome(strategy, [] { return false; }, sleeper);
  EXPECT_EQ(outcome.reason(), stop_reason::deadline);
  EXPECT_EQ(outcome.attempts(), 0U);
  EXPECT_EQ(f.clock.peek() - start, 6s);
  EXPECT_EQ(f.pacer.told, story{"release 1"});
}

TEST(Pacer, TheGateIsAskedOnceForAnAttemptThatThePacerMakesWait) {
  fixture f;
  f.pacer.waits = {1s, 1s};
  struct counting_gate {
    using role = anew::roles::gate;
    using pass_type = int;
    int* entered;
    [[nodiscard]] anew::admission<int> try_enter(anew::time_point) const {
      return anew::admission<int>::admit(++*entered);
    }
    void on_success(int, anew::time_point) const {}
    void on_failure(int, anew::failure const&, anew::time_point) const {}
    void release(int) const {}
  };
  int entered = 0;
  auto const strategy = f.strategy(counting_gate{&entered});
  advancing_sleeper sleeper{f.clock};
  EXPECT_TRUE(anew::retry(strategy, [] { return true; }, sleeper));
  EXPECT_EQ(entered, 1);
}

TEST(Pacer, AGateThatRefusesKeepsThePacerOutOfIt) {
  fixture f;
  auto const strategy = f.strategy(anew::circuit_breaker<1, 60s>{});
  advancing_sleeper sleeper{f.clock};
  auto const outcome = anew::retry_outcome(strategy, [] { return false; }, sleeper);
  EXPECT_EQ(outcome.reason(), stop_reason::gate_closed);
  EXPECT_EQ(f.pacer.asked, 1U);
}

TEST(Pacer, ATokenThatIsThrownAwayGivesItsTicketBack) {
  fixture f;
  f.pacer.waits = {3s};
  auto const strategy = f.strategy();
  {
    auto token = strategy.acquire_initial_token();
    EXPECT_EQ(strategy.admit(token, strategy.now()).wait, 3s);
    auto const moved = std::move(token);
    EXPECT_TRUE(f.pacer.told.empty());
  }
  EXPECT_EQ(f.pacer.told, story{"release 1"});
}

TEST(Pacer, IsSharedByStrategies) {
  scripted_pacer::books books;
  anew::shared const one{scripted_pacer{books}};
  auto const first = anew::compose(one, anew::retry_all{}, anew::no_backoff{});
  auto const second = anew::compose(one, anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<2>{});
  EXPECT_TRUE(anew::retry(first, [] { return true; }));
  EXPECT_FALSE(anew::retry(second, [] { return false; }));
  EXPECT_EQ(books.told, (story{"granted 0", "success", "granted 0", "transient", "granted 0", "transient"}));
}

}  // namespace
}  // namespace retry_pacer_test
