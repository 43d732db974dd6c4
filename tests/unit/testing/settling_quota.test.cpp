// SPDX-License-Identifier: BSL-1.0
// A quota that settles its permits right before the retry, under every driver: what it answers, what becomes of the call,
// and where each permit comes back.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/compose/choice.hpp"
#include "anew/coroutine.hpp"
#include "anew/gate/cool_down.hpp"
#include "anew/hedge.hpp"
#include "anew/poll.hpp"
#include "anew/quota/long_poll.hpp"
#include "anew/sharing/borrowed.hpp"
#include "anew/sharing/partitioned.hpp"
#include "anew/sharing/shared.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recorder.hpp"
#include "anew/testing/settling_quota.hpp"
#include "anew/virtual.hpp"

#include "coroutine_support.hpp"
#include "driver_support.hpp"

namespace testing_settling_quota_test {
namespace {

using namespace std::chrono_literals;
using anew::stop_reason;
using anew::testing::manual_clock;
using anew::testing::recorder;
using anew::testing::settling_quota;
using support::eager;
using support::flag_stop;
using support::manual_loop;
using book = std::vector<std::string>;
using delays = std::vector<anew::duration>;

static_assert(anew::Quota<settling_quota> && anew::detail::SettlesPermits<settling_quota>);
using composed = decltype(anew::compose(settling_quota{}));
static_assert(composed::has_admission && composed::settles_permits && !composed::initial_token_is_pure);
static_assert(!anew::strategy<>::settles_permits && !anew::strategy<>::has_admission);
// A nested retry is not settled, so such a quota is not lent to nested calls.
static_assert(!anew::detail::quota_is_asked_without_the_time<settling_quota>);
static_assert(anew::detail::quota_is_asked_without_the_time<anew::token_bucket<>>);
static_assert(anew::detail::SettlesPermits<anew::shared<settling_quota>> &&
              anew::detail::SettlesPermits<anew::borrowed<settling_quota>> &&
              anew::detail::SettlesPermits<anew::leased<settling_quota>> &&
              anew::detail::SettlesPermits<anew::long_poll<settling_quota>>);
static_assert(!anew::detail::SettlesPermits<anew::shared<anew::token_bucket<>>> &&
              !anew::detail::SettlesPermits<anew::leased<anew::token_bucket<>>>);
template <class... Quotas>
using chosen = anew::choice<anew::roles::quota, Quotas...>;
static_assert(anew::detail::SettlesPermits<chosen<anew::token_bucket<>, settling_quota>> &&
              !anew::detail::SettlesPermits<chosen<anew::token_bucket<>, anew::unlimited_quota>>);

struct outcome {
  bool is_good = false;
  std::uint32_t attempts = 0;
  [[nodiscard]] bool has_value() const noexcept { return is_good; }
  [[nodiscard]] static std::error_code error() { return std::make_error_code(std::errc::timed_out); }
  friend bool operator==(outcome, outcome) = default;
};

/// What the quota answers, and what happens meanwhile.
struct script {
  delays settled;
  std::uint32_t succeeds_at = 0;  ///< 0: never
  anew::duration took{};
  std::size_t stop_after = 1'000;  ///< so many sleeps
};
struct record {
  outcome result;
  stop_reason reason{};
  book quota;
  delays sleeps;
  anew::time_point ended;
  bool operator==(record const&) const = default;
};

/// Everything of one call. `wrap(quota)` is the quota that is composed.
template <class Wrap>
struct world {
  script what;
  settling_quota quota{what.settled};
  manual_clock clock{};
  recorder heard{};
  flag_stop::state stop{};
  record seen{};

  explicit world(script s) : what{std::move(s)} { stop.requested = what.stop_after == 0; }
  world(world const&) = delete;
  world& operator=(world const&) = delete;
  ~world() = default;

  template <class... More>
  auto strategy(More... more) {
    return anew::compose(anew::retry_all{}, anew::constant_backoff<10ms>{}, anew::no_jitter{}, anew::max_attempts<4>{},
                         anew::deadline<100ms>{}, Wrap{}(quota), clock, heard, more...);
  }
  outcome attempt(anew::attempt& self) {
    clock.advance(what.took);
    return {self.number() == what.succeeds_at, self.number()};
  }
  void slept(anew::duration delay) {
    seen.sleeps.push_back(delay);
    if (seen.sleeps.size() == what.stop_after) stop.requested = true;
  }
  record finish(outcome result) {
    seen.result = result;
    seen.reason = heard.ends().back().reason;
    seen.quota = quota.book();
    seen.ended = clock.peek();
    EXPECT_EQ(quota.outstanding(), 0U);
    return seen;
  }

  template <class S>
  record block(S const& by) {
    auto const sleep = [this](anew::duration delay) {
      clock.advance(delay);
      slept(delay);
    };
    auto const operation = [this](anew::attempt& self) { return attempt(self); };
    return finish(anew::retry(by, anew::idempotent(operation), sleep, flag_stop{stop}));
  }
  template <class S>
  record await(S const& by) {
    manual_loop loop{clock};
    auto const sleep = [&](anew::duration delay) -> eager<> {
      co_await loop.after(delay);
      slept(delay);
    };
    auto const operation = [this](anew::attempt& self) -> eager<outcome> { co_return attempt(self); };
    auto call = anew::retry(by, anew::idempotent(operation), sleep, flag_stop{stop});
    loop.run();
    return finish(call.get());
  }
  template <class S>
  record step(S const& by) {
    anew::retry_machine call{by, anew::idempotent_call};
    outcome last{};
    for (auto next = call.begin(); next != anew::next_step::finished;) {
      if (next == anew::next_step::attempt) {
        anew::attempt self{call.current()};
        last = attempt(self);
        if (stop.requested && !last.is_good) std::ignore = call.request_stop();
        next = call.on_outcome(last);
      } else {
        clock.advance(call.wait());
        slept(call.wait());
        next = stop.requested ? call.request_stop() : call.on_wait_over();
      }
    }
    return finish(last);
  }
};

struct as_it_is {
  settling_quota operator()(settling_quota const& quota) const { return quota; }
};
struct in_shared {
  anew::shared<settling_quota> operator()(settling_quota const& quota) const {
    return anew::shared<settling_quota>{quota};
  }
};
struct in_borrowed {
  anew::borrowed<settling_quota> operator()(settling_quota const& quota) const { return anew::borrowed{quota}; }
};
struct in_choice {
  chosen<anew::token_bucket<>, settling_quota> operator()(settling_quota const& quota) const { return {quota}; }
};

template <class Wrap = as_it_is>
record blocking(script const& s) {
  world<Wrap> w{s};
  return w.block(w.strategy());
}

TEST(SettlingQuota, AFirstAttemptIsNotSettled) {
  auto const got = blocking({.settled = {-1ms}, .succeeds_at = 1});
  EXPECT_EQ(got.quota, (book{"success 0"}));
  EXPECT_EQ(got.result, (outcome{true, 1}));
}

TEST(SettlingQuota, AGrantReplacesThePermit) {
  auto const got = blocking({.settled = {0ms, 0ms}, .succeeds_at = 3});
  EXPECT_EQ(got.quota, (book{"acquire 1", "settle 1 as 2", "failure 2", "acquire 3", "settle 3 as 4", "success 4"}));
  EXPECT_EQ(got.sleeps, (delays{10ms, 10ms}));
}

TEST(SettlingQuota, ItAsksAgainAndThenGrants) {
  auto const got = blocking({.settled = {1ms, 2ms, 0ms}, .succeeds_at = 2});
  EXPECT_EQ(got.quota, (book{"acquire 1", "again 1", "again 1", "settle 1 as 2", "success 2"}));
  EXPECT_EQ(got.sleeps, (delays{10ms, 1ms, 2ms}));
  EXPECT_EQ(got.result, (outcome{true, 2}));
}

TEST(SettlingQuota, ARefusalAfterTheDelayEndsTheCallWithTheLastFailure) {
  auto const got = blocking({.settled = {1ms, -1ms}, .succeeds_at = 2});
  EXPECT_EQ(got.quota, (book{"acquire 1", "again 1", "no 1", "release 1"}));
  EXPECT_EQ(got.reason, stop_reason::quota);
  EXPECT_EQ(got.result, (outcome{false, 1}));
}

TEST(SettlingQuota, ADeadlineEndsTheQuestions) {
  auto const got = blocking({.settled = {60ms, 60ms}, .succeeds_at = 2});
  EXPECT_EQ(got.quota, (book{"acquire 1", "again 1", "again 1", "release 1"}));
  EXPECT_EQ(got.reason, stop_reason::deadline);
  EXPECT_EQ(got.result, (outcome{false, 1}));
  EXPECT_EQ(got.ended - anew::time_point{manual_clock{}.peek()}, 70ms);
}

TEST(SettlingQuota, AStopEndsTheQuestions) {
  auto const got = blocking({.settled = {1ms, 1ms, 1ms}, .succeeds_at = 2, .stop_after = 2});
  EXPECT_EQ(got.quota, (book{"acquire 1", "again 1", "release 1"}));
  EXPECT_EQ(got.reason, stop_reason::cancelled);
  EXPECT_EQ(got.result, (outcome{false, 1}));
}

/// The quota asks first: a refusal costs no pass. A permit that stands is settled again while the gate waits.
TEST(SettlingQuota, ItIsAskedBeforeTheGate) {
  struct gate {
    using role = anew::roles::gate;
    using pass_type = int;
    struct state {
      std::vector<anew::duration> waits;
      std::size_t asked = 0;
      int inside = 0;
    };
    state* s;
    [[nodiscard]] anew::admission<int> try_enter(anew::time_point /*now*/) const {
      auto const wait = s->asked < s->waits.size() ? s->waits[s->asked] : 0ms;
      ++s->asked;
      if (wait > 0ms) return anew::admission<int>::ask_again_in(wait);
      ++s->inside;
      return anew::admission<int>::admit(1);
    }
    void on_success(int pass, anew::time_point /*now*/) const { release(pass); }
    void on_failure(int pass, anew::failure const& /*what*/, anew::time_point /*now*/) const { release(pass); }
    void release(int pass) const { s->inside -= pass; }
  };
  world<as_it_is> w{{.settled = {3ms, 0ms, -1ms}}};
  gate::state state{.waits = {0ms, 5ms, 5ms, 0ms}};
  auto const got = w.block(w.strategy(gate{&state}));
  EXPECT_EQ(got.quota, (book{"acquire 1", "again 1", "settle 1 as 2", "failure 2", "acquire 3", "no 3", "release 3"}));
  EXPECT_EQ(got.sleeps, (delays{10ms, 3ms, 5ms, 5ms, 10ms}));
  EXPECT_EQ(state.asked, 4U);
  EXPECT_EQ(state.inside, 0);
}

TEST(SettlingQuota, AMachineStopsBetweenTwoQuestions) {
  world<as_it_is> w{{.settled = {1ms, 1ms}}};
  auto const by = w.strategy();
  {
    anew::retry_machine call{by, anew::idempotent_call};
    std::ignore = call.begin();
    EXPECT_EQ(call.on_outcome(outcome{}), anew::next_step::wait);
    EXPECT_EQ(call.wait(), 10ms);
    EXPECT_EQ(call.on_wait_over(), anew::next_step::wait);
    EXPECT_EQ(call.wait(), 1ms);
    EXPECT_EQ(w.quota.outstanding(), 1U);
  }  // abandoned
  EXPECT_EQ(w.quota.book(), (book{"acquire 1", "again 1", "release 1"}));
}

TEST(SettlingQuota, AnAttemptThatThrowsReturnsItsPermit) {
  world<as_it_is> w{{.settled = {1ms}}};
  auto const by = w.strategy();
  auto const throws = anew::idempotent([&w](anew::attempt& self) -> outcome {
    if (self.number() > 1) throw 1;
    return w.attempt(self);
  });
  EXPECT_THROW(std::ignore = anew::retry(by, throws, [&w](anew::duration delay) { w.clock.advance(delay); }), int);
  EXPECT_EQ(w.quota.outstanding(), 0U);
}

TEST(SettlingQuota, ALongPollHasWaitedAlready) {
  settling_quota const quota{{-1ms}};
  manual_clock const clock;
  delays slept;
  auto const by = anew::compose(anew::long_poll{quota}, anew::constant_backoff<10ms>{}, anew::no_jitter{}, clock,
                                anew::retry_all{});
  EXPECT_FALSE(anew::retry(by, anew::idempotent([] { return false; }), [&](anew::duration d) { slept.push_back(d); }));
  EXPECT_EQ(slept, (delays{10ms}));
  EXPECT_EQ(quota.book(), (book{"acquire 1", "no 1", "release 1"}));
}

TEST(SettlingQuota, APollSettlesNothingForALookThatIsNotReady) {
  settling_quota const quota{{1ms, -1ms}};
  manual_clock const clock;
  delays slept;
  auto const by = anew::compose(quota, anew::constant_backoff<10ms>{}, anew::no_jitter{}, clock, anew::retry_all{},
                                anew::max_attempts<9>{});
  int looks = 0;
  auto const got = anew::poll(
      by, [&looks] { return ++looks; }, anew::success_when([](int n) { return n == 3; }),
      [&](anew::duration d) { slept.push_back(d); });
  EXPECT_TRUE(got.succeeded());
  EXPECT_EQ(quota.outstanding(), 0U) << "not ready costs nothing, and there is nothing to settle";
  EXPECT_EQ(slept, (delays{10ms, 10ms}));
}

TEST(SettlingQuota, APollSettlesTheRetryOfAFailedLook) {
  settling_quota const quota{{0ms, 1ms, -1ms}};
  manual_clock const clock;
  delays slept;
  auto const by = anew::compose(quota, anew::constant_backoff<10ms>{}, anew::no_jitter{}, clock, anew::retry_all{},
                                anew::max_attempts<9>{});
  int looks = 0;
  auto const got = anew::poll(
      by, [&looks] { return ++looks; },
      anew::acceptors{anew::success_when([](int n) { return n == 9; }),
                      anew::retry_when([](int n) { return n < 9; }, anew::error_kind::throttling)},
      [&](anew::duration d) { slept.push_back(d); });
  EXPECT_EQ(got.reason(), stop_reason::quota);
  EXPECT_EQ(looks, 2);
  EXPECT_EQ(slept, (delays{10ms, 10ms, 1ms}));
  EXPECT_EQ(quota.book(),
            (book{"acquire 1", "settle 1 as 2", "failure 2", "acquire 3", "again 3", "no 3", "release 3"}));
}

TEST(SettlingQuota, APartitionCountsItsPermit) {
  anew::partitioned registry = anew::partitioned_by<int>(4, [] { return settling_quota{{1ms, -1ms}}; });
  manual_clock const clock;
  auto const lease = registry.at(1);
  auto const by = anew::compose(lease, anew::constant_backoff<10ms>{}, anew::no_jitter{}, clock, anew::retry_all{});
  EXPECT_FALSE(anew::retry(by, anew::idempotent([] { return false; }), [](anew::duration) {}));
  EXPECT_EQ(lease.policy().book(), (book{"acquire 1", "again 1", "no 1", "release 1"}));
}

// Hedges

constexpr anew::hedge_after<20ms> one_extra;
constexpr auto retryable = anew::directive::retry(anew::error_kind::server);

TEST(SettlingQuota, AHedgeIsSettledBeforeItIsSent) {
  world<as_it_is> w{{.settled = {1ms, 0ms}}};
  auto const by = w.strategy();
  anew::hedge_machine call{by, one_extra, anew::idempotent_call};
  EXPECT_EQ(call.begin().start, 1U);
  EXPECT_EQ(call.on_time().after, 1ms);
  EXPECT_EQ(call.in_flight(), 1U);
  EXPECT_EQ(call.on_time().start, 2U);
  EXPECT_TRUE(call.on_verdict(2, anew::directive::succeed()).finished);
  EXPECT_EQ(w.quota.book(), (book{"acquire 1", "again 1", "settle 1 as 2", "success 2"}));
}

TEST(SettlingQuota, ARefusedHedgeLeavesTheOthersAlone) {
  world<as_it_is> w{{.settled = {1ms, -1ms}}};
  auto const by = w.strategy();
  anew::hedge_machine call{by, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  auto const step = call.on_time();
  EXPECT_FALSE(step.finished);
  EXPECT_EQ(step.timer, anew::hedge_timer::cancel);
  EXPECT_EQ(w.quota.outstanding(), 0U);
  EXPECT_TRUE(call.on_verdict(1, anew::directive::succeed()).finished);
  EXPECT_EQ(w.quota.book(), (book{"acquire 1", "again 1", "no 1", "release 1", "success 0"}));
}

TEST(SettlingQuota, ARefusedRoundEndsAHedgedCall) {
  world<as_it_is> w{{.settled = {0ms, -1ms}}};
  auto const by = w.strategy();
  anew::hedge_machine call{by, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  std::ignore = call.on_verdict(1, retryable);
  EXPECT_EQ(call.on_verdict(2, retryable).after, 10ms);
  auto const step = call.on_time();
  EXPECT_TRUE(step.finished);
  EXPECT_EQ(step.result_of, 2U);
  EXPECT_EQ(call.reason(), stop_reason::quota);
  EXPECT_EQ(w.quota.book(), (book{"acquire 1", "settle 1 as 2", "failure 2", "acquire 3", "no 3", "release 3"}));
}

TEST(SettlingQuota, AnAnswerWhileAHedgeAsksAgainReturnsItsPermit) {
  world<as_it_is> w{{.settled = {1ms}}};
  auto const by = w.strategy();
  anew::hedge_machine call{by, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_TRUE(call.on_verdict(1, anew::directive::succeed()).finished);
  EXPECT_EQ(w.quota.book(), (book{"acquire 1", "again 1", "success 0", "release 1"}));
}

// All drivers

script random_script(std::uint32_t seed) {
  std::mt19937 random{seed};
  auto const below = [&](unsigned n) { return static_cast<int>(random() % n); };
  script s;
  for (int i = below(9); i > 0; --i) {
    int const kind = below(9);
    s.settled.push_back(kind == 0 ? -1ms : kind < 5 ? 1ms * below(40) : 0ms);
  }
  s.succeeds_at = static_cast<std::uint32_t>(below(6));
  s.took = below(3) == 0 ? 1ms * below(20) : 0ms;
  s.stop_after = below(3) == 0 ? static_cast<std::size_t>(below(7)) : 1'000;
  return s;
}

template <class Wrap>
record of_virtual(script const& s) {
  world<Wrap> w{s};
  anew::virtual_strategy const by{w.strategy()};
  return w.block(anew::strategy_view{by});
}

TEST(SettlingQuota, EveryDriverTellsTheSameStory) {
  std::vector<int> endings(16);
  for (std::uint32_t seed = 1; seed <= 1'000; ++seed) {
    auto const s = random_script(seed);
    auto const expected = blocking(s);
    ++endings[static_cast<std::size_t>(expected.reason)];
    world<as_it_is> machine{s};
    ASSERT_TRUE(machine.step(machine.strategy()) == expected) << "machine " << seed;
    world<as_it_is> awaited{s};
    ASSERT_TRUE(awaited.await(awaited.strategy()) == expected) << "coroutine " << seed;
    ASSERT_TRUE(of_virtual<as_it_is>(s) == expected) << "virtual " << seed;
    ASSERT_TRUE(blocking<in_shared>(s) == expected) << "shared " << seed;
    ASSERT_TRUE(blocking<in_borrowed>(s) == expected) << "borrowed " << seed;
    ASSERT_TRUE(blocking<in_choice>(s) == expected) << "choice " << seed;
  }
  for (auto const why : {stop_reason::succeeded, stop_reason::attempts, stop_reason::quota, stop_reason::deadline,
                         stop_reason::cancelled}) {
    EXPECT_GT(endings[static_cast<std::size_t>(why)], 10) << to_string(why);
  }
}

}  // namespace
}  // namespace testing_settling_quota_test
