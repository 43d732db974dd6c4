// SPDX-License-Identifier: BSL-1.0
// The blocking loop, the state machine and a driver that is written on call_engine are one call in three forms: the same
// operations, random numbers and clock give the same attempts, delays, events, balances and ends. Ten thousand scripts
// drive each of them.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/attempt_timeout/attempt_timeout_share.hpp"
#include "anew/drive/call_engine.hpp"
#include "anew/drive/guarded_by.hpp"
#include "anew/drive/retry_machine.hpp"
#include "anew/policies.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/seeded_random.hpp"
#include "anew/testing/test_mode.hpp"

#include "driver_support.hpp"

namespace machine_equivalence_test {
namespace {

using namespace std::chrono_literals;
using anew::declared;
using anew::directive;
using anew::duration;
using anew::error_kind;
using anew::next_step;
using anew::retry_safety;
using anew::stop_reason;
using anew::testing::manual_clock;
using anew::testing::seeded_random;
using support::flag_stop;

// --- what happens

/// How the caller of a machine tells a failed result; the blocking loop has one way.
enum class telling : std::uint8_t { outcome, error, verdict };

struct step {
  int id = 0;
  directive verdict = directive::succeed();
  bool fails = false;              ///< false: a result that is a success
  bool throws = false;             ///< the failure, as an exception
  bool is_unknown = false;         ///< an exception that the classifier does not name
  bool breaks_classifier = false;  ///< the classifier throws when it is shown this
  bool cannot_rewind = false;      ///< the operation cannot be put back after this, where it is asked to be
  bool stops = false;              ///< a stop is requested while the attempt runs
  bool stops_in_wait = false;      ///< or in the first wait before it
  duration takes{};
  duration late{};  ///< how much longer the waits before it last
  telling how = telling::outcome;
};
using script = std::vector<step>;

/// What is true of all calls of a run.
struct mode {
  declared how = declared::nothing;
  bool rewinds = false;  ///< the operation is rewinding
  bool cuts = false;     ///< an attempt ends at its limit
};

struct script_error {
  step of;
};
struct classifier_broke {};
struct answer {
  int id = 0;
  std::optional<script_error> failed{};
  [[nodiscard]] bool has_value() const noexcept { return !failed; }
  [[nodiscard]] script_error const& error() const { return *failed; }
};

struct as_scripted {
  using role = anew::roles::classifier;
  using catches = anew::catch_list<script_error>;
  [[nodiscard]] static directive classify(script_error const& error) {
    if (error.of.breaks_classifier) throw classifier_broke{};
    return error.of.verdict;
  }
};

/// What one call or the other did, line by line, with the state of what calls share behind each line.
struct journal {
  std::vector<std::string> lines;
  std::function<std::string()> shared_state = [] { return std::string{}; };
  void note(std::string line) { lines.push_back(std::move(line.append(" | ").append(shared_state()))); }
};

std::string text(duration d) { return std::to_string(d.count()); }
std::string text(std::optional<duration> const& d) { return d ? text(*d) : std::string{"-"}; }

struct journalist {
  using role = anew::roles::observer;
  journal* to;
  void on_attempt(anew::attempt_event const& e) const {
    std::string line{"told of attempt "};
    line.append(std::to_string(e.attempt)).append(e.verdict.is_success() ? " success" : "");
    line.append(e.verdict.is_retry() ? " retry" : "").append(e.is_final ? " final" : "");
    to->note(std::move(line));
  }
  void on_retry(anew::retry_event const& e) const {
    std::string line{"told of retry "};
    line.append(std::to_string(e.attempt)).append(" ").append(to_string(e.what.kind)).append(" hint ");
    line.append(text(e.what.hint)).append(" delay ").append(text(e.delay)).append(" by ");
    to->note(std::move(line.append(std::to_string(static_cast<int>(e.origin)))));
  }
  void on_end(anew::end_event const& e) const {
    std::string line{"told of end "};
    to->note(std::move(line.append(to_string(e.reason)).append(" after ").append(std::to_string(e.attempts))));
  }
};

// --- the two ways to make a call

struct stage {
  journal& log;
  manual_clock clock;
  flag_stop::state stop{};
  int last_id = -1;  ///< of the result or the exception that the call ends with
  std::uint32_t made = 0;

  step const& now(script const& s) const { return s[made < s.size() ? made : s.size() - 1]; }

  /// The attempt itself: all ways run it. What is cut at its limit fails as a driver says it by `on_attempt_timeout()`.
  answer attempt(script const& s, anew::attempt const& self, duration most = duration::max()) {
    auto one = now(s);
    ++made;
    if (one.takes > most) {
      one = {.id = one.id, .verdict = late(), .fails = true, .takes = most};
    }
    std::string line{"attempt "};
    line.append(std::to_string(self.number())).append(" after ");
    line.append(self.previous_error() ? to_string(*self.previous_error()) : "nothing").append(" remaining ");
    line.append(text(self.remaining())).append(" limit ").append(text(self.limit()));
    if (self.stop_requested()) line.append(" stopped");
    log.note(std::move(line));
    clock.advance(one.takes);
    last_id = one.id;
    if (one.fails && one.throws) {
      if (one.is_unknown) throw one.id;
      throw script_error{one};
    }
    if (one.fails) return {one.id, script_error{one}};
    return {one.id};
  }
  static directive late() { return directive::retry({error_kind::timeout, retry_safety::maybe, std::nullopt}); }
  /// False: it cannot be put back.
  bool rewind(script const& s) {
    auto const& before = s[made <= s.size() ? made - 1 : s.size() - 1];
    log.note(before.cannot_rewind ? "cannot rewind" : "rewound");
    return !before.cannot_rewind;
  }
  void wait(script const& s, duration delay) {
    log.note(std::string{"wait "}.append(text(delay)));
    clock.advance(anew::detail::saturating_add(delay, now(s).late));
  }
};

void note_end(journal& log, stop_reason reason, std::uint32_t attempts, int last_id) {
  std::string line{"ended "};
  line.append(to_string(reason)).append(" after ").append(std::to_string(attempts)).append(" with ");
  log.note(std::move(line.append(attempts == 0 ? "nothing" : std::to_string(last_id))));
}

template <mode M, class Op>
auto declare(Op const& op, stage& on, script const& s) {
  if constexpr (M.rewinds) {
    return declare<mode{M.how}>(anew::rewinding(op, [&] { return on.rewind(s); }), on, s);
  } else if constexpr (M.how == declared::idempotent) {
    return anew::idempotent(op);
  } else if constexpr (M.how == declared::one_shot) {
    return anew::one_shot(op);
  } else {
    return op;
  }
}

template <mode M, class S>
void call_and_block(S const& strategy, stage& on, script const& s) {
  auto op = [&](anew::attempt& self) {
    if (on.now(s).stops) on.stop.requested = true;
    return on.attempt(s, self, M.cuts ? self.limit() : duration::max());
  };
  auto sleep = [&, woken_before = ~std::uint32_t{0}](duration delay) mutable {
    on.wait(s, delay);
    if (on.now(s).stops_in_wait && woken_before != on.made) on.stop.requested = true;
    woken_before = on.made;
  };
  try {
    auto declared_op = declare<M>(op, on, s);
    auto const end = anew::retry_outcome(strategy, declared_op, sleep, flag_stop{on.stop});
    auto id = end.attempts() != 0 && end.has_result() ? end.result().id : -1;
    try {
      if (!end.has_result()) std::rethrow_exception(end.exception());
    } catch (script_error const& error) {
      id = error.of.id;
    } catch (int error) {
      id = error;
    } catch (anew::call_refused const& /*refused*/) {
      EXPECT_EQ(end.attempts(), 0U);
    }
    note_end(on.log, end.reason(), end.attempts(), id);
  } catch (classifier_broke const& /*broke*/) {
    on.log.note("the classifier broke");
  }
}

template <class Machine>
next_step make_attempt(Machine& call, stage& on, script const& s) {
  auto parts = call.current();
  parts.stop = {&on.stop, [](void const* of) { return static_cast<flag_stop::state const*>(of)->requested.load(); }};
  anew::attempt self{parts};
  auto const one = on.now(s);
  if (one.stops) {
    on.stop.requested = true;
    EXPECT_EQ(call.request_stop(), next_step::attempt);
  }
  answer result;
  try {
    result = on.attempt(s, self);
  } catch (...) {
    return call.on_exception(std::current_exception());
  }
  if (one.fails && one.how == telling::error) return call.on_error(*result.failed);
  bool const is_plain = !one.breaks_classifier && !one.verdict.is_success();
  if (one.fails && one.how == telling::verdict && is_plain) return call.on_verdict(one.verdict);
  if (!one.fails && one.how == telling::error) return call.on_success();
  if (!one.fails && one.how == telling::verdict) return call.on_verdict(directive::succeed());
  return call.on_outcome(result);
}

template <mode M, class S>
void call_by_steps(S const& strategy, stage& on, script const& s) {
  anew::retry_machine call{strategy, anew::call_declaration<M.how>{}};
  auto woken_before = ~std::uint32_t{0};
  try {
    auto next = call.begin();
    while (next != next_step::finished) {
      if (next == next_step::attempt) {
        next = make_attempt(call, on, s);
        continue;
      }
      EXPECT_EQ(call.wait_ends_at(), anew::detail::saturating_add(on.clock.peek(), call.wait()));
      on.wait(s, call.wait());
      bool const stops = on.now(s).stops_in_wait && woken_before != on.made;
      woken_before = on.made;
      next = stops ? call.request_stop() : call.on_wait_over();
    }
    note_end(on.log, call.reason(), call.attempts(), on.last_id);
  } catch (classifier_broke const& /*broke*/) {
    on.log.note("the classifier broke");
  }
  // While the machine lives, it holds nothing: the next line of the journal has the balances.
  on.log.note("over");
  EXPECT_EQ(call.on_wait_over(), next_step::finished);
  EXPECT_EQ(call.request_stop(), next_step::finished);
}

/// The attempt of a driver that ends attempts at their limit, keeps no exception, and lets the last one leave as it was
/// thrown.
template <mode M, class Call>
next_step make_attempt_of(Call& call, stage& on, script const& s) {
  flag_stop const token{on.stop};
  auto const one = on.now(s);
  bool const is_late = M.cuts && one.takes > call.attempt_timeout();
  EXPECT_EQ(call.attempt_timeout() < duration::max(), Call::limits_attempts);
  auto next = next_step::finished;
  answer result;
  auto const attempt = [&] {
    result = call.start(token);
    return true;
  };
  auto const failed = [&](auto const& /*error*/) {
    if (on.stop.requested) {
      EXPECT_EQ(call.request_stop(), next_step::attempt);
    }
    next = call.on_exception(std::current_exception());
    return next != next_step::finished;
  };
  try {
    if (!anew::guarded_by<typename Call::strategy_type>(attempt, failed, [] { return false; })) return next;
  } catch (script_error const& error) {
    EXPECT_EQ(error.of.id, on.last_id);
    return next;
  } catch (int id) {
    EXPECT_EQ(id, on.last_id);
    return next;
  }
  if (on.stop.requested) {
    EXPECT_EQ(call.request_stop(), next_step::attempt);
  }
  if (is_late) return call.on_attempt_timeout();
  if (one.fails && one.how == telling::error) return call.on_error(*result.failed);
  bool const is_plain = !one.breaks_classifier && !one.verdict.is_success();
  if (one.fails && one.how == telling::verdict && is_plain) return call.on_verdict(one.verdict);
  return !one.fails && one.how == telling::error ? call.on_success() : call.on_outcome(result);
}

template <mode M, class S>
void call_by_engine(S const& strategy, stage& on, script const& s) {
  auto op = [&](anew::attempt& self) {
    if (on.now(s).stops) on.stop.requested = true;
    return on.attempt(s, self, M.cuts ? self.limit() : duration::max());
  };
  anew::call_engine call{strategy, declare<M>(op, on, s)};
  auto woken_before = ~std::uint32_t{0};
  try {
    auto next = call.begin();
    while (next != next_step::finished) {
      if (next == next_step::attempt) {
        next = make_attempt_of<M>(call, on, s);
        continue;
      }
      EXPECT_EQ(call.wait_ends_at(), anew::detail::saturating_add(on.clock.peek(), call.wait()));
      on.wait(s, call.wait());
      bool const stops = on.now(s).stops_in_wait && woken_before != on.made;
      woken_before = on.made;
      next = stops ? call.request_stop() : call.on_wait_over();
      EXPECT_EQ(call.is_stopped(), stops);
      if (next == next_step::finished) {
        EXPECT_TRUE(stops || call.may_end_in_wait);
      }
    }
    note_end(on.log, call.reason(), call.attempts(), on.last_id);
  } catch (classifier_broke const& /*broke*/) {
    on.log.note("the classifier broke");
  }
  on.log.note("over");
  EXPECT_EQ(call.on_wait_over(), next_step::finished);
  EXPECT_EQ(call.request_stop(), next_step::finished);
}

// --- what is drawn

class dice {
 public:
  explicit dice(std::uint64_t seed) : engine_{seed} {}
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  duration time(duration most) {
    return duration{static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most.count())))};
  }

 private:
  std::mt19937_64 engine_;
};

step any_step(dice& d, int id) {
  step one{.id = id};
  if (d.one_in(2)) one.takes = d.time(d.one_in(4) ? 20s : 300ms);
  if (d.one_in(3)) one.late = d.time(100ms);
  one.how = static_cast<telling>(d.below(3));
  one.stops = d.one_in(25);
  one.stops_in_wait = d.one_in(20);
  one.fails = !d.one_in(4);
  if (!one.fails) return one;
  one.throws = d.one_in(3);
  one.is_unknown = one.throws && d.one_in(6);
  one.breaks_classifier = d.one_in(40);
  one.cannot_rewind = d.one_in(8);
  if (d.one_in(12)) {
    one.verdict = directive::fail();
  } else if (!d.one_in(20)) {  // else a failure that counts as success
    anew::failure what{static_cast<error_kind>(d.below(5)), static_cast<retry_safety>(2 - d.below(8) / 7), {}};
    if (d.one_in(12)) what.safety = retry_safety::no;
    if (d.one_in(3)) what.hint = d.time(d.one_in(4) ? 60s : 2s);
    one.verdict = directive::retry(what);
  }
  return one;
}

std::vector<script> any_calls(dice& d) {
  std::vector<script> calls(4 + d.below(5));
  int id = 0;
  for (auto& one : calls) {
    auto const attempts = 1 + d.below(7);
    for (std::uint64_t n = 0; n != attempts; ++n) one.push_back(any_step(d, ++id));
    one.push_back(step{.id = ++id});
  }
  return calls;
}

// --- the comparison

/// All that a strategy's policies tell of themselves.
template <class S>
std::string state_of(S const& strategy, anew::time_point now) {
  std::string all;
  auto const add = [&](auto value) { all.append(std::to_string(static_cast<long long>(value))).append(" "); };
  auto const& quota = strategy.quota();
  if constexpr (requires { quota.balance(); }) add(quota.balance());
  if constexpr (requires { quota.balance(now); }) add(quota.balance(now));
  if constexpr (requires { quota.policy().balance(); }) add(quota.policy().balance());
  if constexpr (requires { quota.outstanding(); }) add(quota.outstanding());
  auto const& gate = strategy.gate();
  if constexpr (requires { gate.state(); }) add(gate.state());
  if constexpr (requires { gate.failures(); }) add(gate.failures());
  return all;
}

struct environment {
  manual_clock clock;
  seeded_random random;
  journalist observer;
};

void expect_same_lines(std::vector<std::string> const& blocking, std::vector<std::string> const& other,
                       std::uint64_t seed) {
  for (std::size_t n = 0; n != blocking.size() || n != other.size(); ++n) {
    auto const a = n < blocking.size() ? blocking[n] : std::string{"nothing"};
    auto const b = n < other.size() ? other[n] : std::string{"nothing"};
    ASSERT_EQ(a, b) << "seed " << seed << ", line " << n;
  }
}

template <mode M = mode{}, class Make>
void expect_equal(Make const& make, std::uint64_t first_seed, int cases) {
  std::size_t attempts = 0;
  std::size_t waits = 0;
  std::size_t rewound = 0;
  std::size_t not_rewound = 0;
  std::size_t not_replayable = 0;
  for (auto seed = first_seed; seed != first_seed + static_cast<std::uint64_t>(cases); ++seed) {
    dice d{seed};
    auto const calls = any_calls(d);
    std::optional<anew::testing::test_mode> fast;
    if (d.one_in(8)) fast.emplace(1 + d.below(3));
    auto const gap = d.time(3s);
    auto const start = d.one_in(4) ? -1h : 1h;  // a clock may begin anywhere

    auto const run = [&](auto const& call) {
      journal log;
      manual_clock const clock{start};
      auto const strategy = make(environment{clock, seeded_random{seed}, journalist{&log}});
      log.shared_state = [&] { return state_of(strategy, clock.peek()); };
      for (auto const& one : calls) {
        stage on{log, clock};
        log.note("call");
        call(strategy, on, one);
        clock.advance(gap);
      }
      log.note(std::string{"at "}.append(text(clock.peek().time_since_epoch())));
      return log.lines;
    };
    auto const blocking = run([](auto const& strategy, stage& on, script const& s) {
      call_and_block<M>(strategy, on, s);
      on.log.note("over");
    });
    // The state machine calls no operation: it cannot put one back, and does not know when one was cut.
    if constexpr (!M.rewinds && !M.cuts) {
      SCOPED_TRACE("by steps");
      expect_same_lines(
          blocking, run([](auto const& strategy, stage& on, script const& s) { call_by_steps<M>(strategy, on, s); }),
          seed);
    }
    SCOPED_TRACE("by call_engine");
    expect_same_lines(blocking,
                      run([](auto const& strategy, stage& on, script const& s) { call_by_engine<M>(strategy, on, s); }),
                      seed);
    if (testing::Test::HasFatalFailure()) return;
    for (auto const& line : blocking) {
      if (line.starts_with("attempt")) ++attempts;
      if (line.starts_with("wait")) ++waits;
      if (line.starts_with("rewound")) ++rewound;
      if (line.starts_with("cannot rewind")) ++not_rewound;
      if (line.starts_with("ended not_replayable")) ++not_replayable;
    }
  }
  EXPECT_GT(attempts, static_cast<std::size_t>(cases));  // the scripts do drive something
  EXPECT_EQ(rewound > 0 && not_rewound > 0, M.rewinds);
  if (M.how == declared::nothing) {
    EXPECT_EQ(not_replayable, not_rewound);
  }
  if (M.how == declared::one_shot) {
    EXPECT_EQ(waits, 0U);
  } else {
    EXPECT_GT(waits, static_cast<std::size_t>(cases) / 4);
  }
}

/// The policies that each of the compositions below has.
template <class... Policies>
auto with_common(environment e, Policies&&... policies) {
  return anew::compose(as_scripted{}, e.clock, e.random, e.observer, std::forward<Policies>(policies)...);
}

constexpr anew::exponential_backoff<50ms, 2s> growing{};

TEST(MachineEquivalence, QuotaDeadlineHint) {
  expect_equal(
      [](environment e) {
        return with_common(e, growing, anew::full_jitter{}, anew::token_bucket{60}, anew::max_attempts<4>{},
                           anew::deadline<10s>{}, anew::server_hint<>{});
      },
      1, 1500);
}

TEST(MachineEquivalence, AnIdempotentOperation) {
  expect_equal<mode{declared::idempotent}>(
      [](environment e) {
        return with_common(e, growing, anew::equal_jitter{}, anew::token_bucket{60}, anew::max_attempts<5>{});
      },
      10'000, 800);
}

TEST(MachineEquivalence, AOneShot) {
  expect_equal<mode{declared::one_shot}>(
      [](environment e) { return with_common(e, growing, anew::token_bucket{60}, anew::max_attempts<5>{}); }, 20'000,
      1200);
}

TEST(MachineEquivalence, ABreakerAndADelayWithMemory) {
  expect_equal(
      [](environment e) {
        return with_common(e, growing, anew::decorrelated_jitter{}, anew::token_bucket{500}, anew::max_attempts<4>{},
                           anew::circuit_breaker<4, 3s>{}, anew::deadline<20s, anew::at_deadline::last_try>{});
      },
      30'000, 1000);
}

TEST(MachineEquivalence, ACoolDownThatIsWaitedFor) {
  expect_equal(
      [](environment e) {
        return with_common(e, growing, anew::full_jitter{}, anew::token_bucket{200}, anew::max_attempts<4>{},
                           anew::cool_down<anew::exponential_backoff<1s, 8s>>{}, anew::deadline<12s>{});
      },
      40'000, 1000);
}

TEST(MachineEquivalence, APacerThatIsWaitedForBehindAGate) {
  expect_equal(
      [](environment e) {
        return with_common(e, growing, anew::no_jitter{}, anew::max_attempts<6>{}, anew::client_rate_limiter<>{},
                           anew::cool_down<anew::constant_backoff<400ms>>{}, anew::deadline<15s>{});
      },
      50'000, 1000);
}

TEST(MachineEquivalence, AGateThatDraws) {
  expect_equal(
      [](environment e) {
        return with_common(e, growing, anew::full_jitter{}, anew::max_attempts<5>{}, anew::token_bucket{300},
                           anew::client_throttle<anew::rational{3, 2}, 9s>{});
      },
      55'000, 1000);
}

TEST(MachineEquivalence, AQueueOfAPacer) {
  expect_equal(
      [](environment e) {
        return with_common(
            e, growing, anew::no_jitter{}, anew::max_attempts<6>{}, anew::deadline<5s>{},
            anew::client_rate_limiter{anew::rate_limiter_constants{.longest_queue = 3, .longest_wait = 2}},
            anew::rate_breaker<50, 5s, 4, 2s>{});
      },
      60'000, 500);
}

TEST(MachineEquivalence, APacerThatRefuses) {
  expect_equal(
      [](environment e) {
        return with_common(e, growing, anew::no_jitter{}, anew::max_attempts<6>{}, anew::token_bucket{300},
                           anew::client_rate_limiter<anew::when_limited::fail_fast>{});
      },
      70'000, 500);
}

TEST(MachineEquivalence, ALongPoll) {
  expect_equal(
      [](environment e) {
        return with_common(e, growing, anew::full_jitter{}, anew::max_attempts<6>{}, anew::deadline<9s>{},
                           anew::long_poll{anew::token_bucket{30}}, anew::server_hint<>{});
      },
      80'000, 1000);
}

TEST(MachineEquivalence, AQuotaOfTime) {
  expect_equal(
      [](environment e) {
        return with_common(e, growing, anew::full_jitter{}, anew::unbounded{},
                           anew::refilling_bucket<3, 700ms, anew::when_empty::reserve, 2s>{});
      },
      90'000, 400);
}

TEST(MachineEquivalence, QuotasThatCountCalls) {
  expect_equal(
      [](environment e) {
        return with_common(e, growing, anew::max_attempts<5>{}, anew::concurrency_budget{100, 0},
                           anew::deadline<30s>{});
      },
      100'000, 400);
  expect_equal(
      [](environment e) { return with_common(e, growing, anew::max_attempts<5>{}, anew::retry_budget<50, 0>{}); },
      110'000, 400);
}

TEST(MachineEquivalence, ByKindWithAResetAndAHistory) {
  expect_equal(
      [](environment e) {
        return with_common(
            e,
            anew::by_kind_backoff<anew::for_kind<error_kind::throttling, anew::exponential_backoff<1s, 20s>>,
                                  anew::exponential_backoff<50ms, 5s>>{},
            anew::per_kind_attempts<anew::for_kind<error_kind::throttling, anew::max_attempts<5>>,
                                    anew::max_attempts<3>>{},
            anew::reset_after<5s>{}, anew::history<2>{}, support::audited_quota{});
      },
      120'000, 800);
}

TEST(MachineEquivalence, ALimitForEachAttempt) {
  expect_equal(
      [](environment e) {
        return with_common(e, growing, anew::max_attempts<5>{}, anew::deadline<10s>{},
                           anew::attempt_timeout_share<anew::rational{1, 2}>{});
      },
      130'000, 300);
}

TEST(MachineEquivalence, AnAttemptThatIsCutAtItsLimit) {
  expect_equal<mode{.how = declared::idempotent, .cuts = true}>(
      [](environment e) {
        return with_common(e, growing, anew::max_attempts<5>{}, anew::deadline<10s>{}, anew::token_bucket{60},
                           anew::attempt_timeout_share<anew::rational{1, 2}>{});
      },
      140'000, 500);
  expect_equal<mode{.cuts = true}>(
      [](environment e) {
        return with_common(e, growing, anew::max_attempts<5>{}, anew::token_bucket{60}, anew::attempt_timeout<200ms>{});
      },
      150'000, 500);
}

TEST(MachineEquivalence, ARewindingOperation) {
  expect_equal<mode{.rewinds = true}>(
      [](environment e) {
        return with_common(e, growing, anew::full_jitter{}, anew::max_attempts<5>{}, anew::token_bucket{60},
                           anew::circuit_breaker<4, 3s>{});
      },
      160'000, 800);
  expect_equal<mode{.how = declared::idempotent, .rewinds = true, .cuts = true}>(
      [](environment e) {
        return with_common(e, growing, anew::max_attempts<6>{}, anew::deadline<9s>{},
                           anew::long_poll{anew::token_bucket{30}}, anew::attempt_timeout<1s>{});
      },
      170'000, 500);
}

}  // namespace
}  // namespace machine_equivalence_test
