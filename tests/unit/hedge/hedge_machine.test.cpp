// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/attempt_timeout/attempt_timeout.hpp"
#include "anew/compose/adjusted.hpp"
#include "anew/gate/circuit_breaker.hpp"
#include "anew/hedge.hpp"
#include "anew/hint/pushback.hpp"
#include "anew/max_attempts/per_kind_attempts.hpp"
#include "anew/quota/concurrency_budget.hpp"
#include "anew/quota/long_poll.hpp"
#include "anew/quota/retry_throttle.hpp"
#include "anew/testing/audited_quota.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recorder.hpp"

#include "stories/parts.hpp"

namespace hedge_hedge_machine_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::error_kind;
using anew::failure;
using anew::hedge_step;
using anew::hedge_timer;
using anew::stop_reason;
using anew::testing::audited_quota;
using anew::testing::manual_clock;
using anew::testing::recorder;
using anew::when_pushed_back;
using support::stories::in;
using support::stories::setting;
using support::stories::world;
using testing::ElementsAre;

constexpr auto retryable = directive::retry(error_kind::server);
constexpr auto fatal = directive::fail();
constexpr auto success = directive::succeed();

directive hinted(anew::duration delay) { return directive::retry(error_kind::server, delay); }

/// Steps, as a test reads them.
hedge_step start(std::uint32_t number) { return {.start = number, .timer = hedge_timer::cancel}; }
hedge_step start(std::uint32_t number, anew::duration next) {
  return {.start = number, .timer = hedge_timer::set, .after = next};
}
hedge_step over(std::uint32_t result_of) {
  return {.finished = true, .result_of = result_of, .timer = hedge_timer::cancel};
}
hedge_step wait(anew::duration delay) { return {.timer = hedge_timer::set, .after = delay}; }
constexpr hedge_step as_it_is{};
constexpr hedge_step no_timer{.timer = hedge_timer::cancel};

/// A strategy whose quota and observer keep books.
template <class... Policies>
struct rig {
  audited_quota quota;
  manual_clock clock;
  recorder heard;
  decltype(anew::compose(quota, clock, heard, anew::constant_backoff<1s>{}, anew::no_jitter{}, anew::retry_all{},
                         Policies{}...)) strategy = anew::compose(quota, clock, heard, anew::constant_backoff<1s>{},
                                                                  anew::no_jitter{}, anew::retry_all{}, Policies{}...);

  template <class H>
  auto call(H const& hedging) const {
    return anew::hedge_machine{strategy, hedging, anew::idempotent_call};
  }
};
using three = anew::max_attempts<3>;
using five = anew::max_attempts<5>;

constexpr anew::hedge_after<10ms> one_extra;
constexpr anew::hedge_after<10ms, 2> two_extra;

// What happens in a call with hedges: a script says what its driver tells it, the books what it answers and does.

enum class hedges : std::uint8_t { up_to_1, up_to_2, up_to_3, up_to_4, polite, at_once };
enum class hint : std::uint8_t { usual, pushback };

/// `begin`, `time`, `stop` and `+N` (time passes); `N:word` ends attempt N as in stories/story.hpp, and `N:over` at its
/// limit. A step is in the books as `start N in M`, `in M` (the timer), `off` (no timer), `-` (as it is), or `= N why`.
struct hedged {
  char const* name;
  hedges sends;
  in where;
  hint heard;
  setting with;
  char const* script;
  char const* books;
};

std::string text_of(hedge_step const& step, stop_reason why) {
  if (step.finished) return "= " + std::to_string(step.result_of) + " " + to_string(why);
  std::string line = step.start != 0 ? "start " + std::to_string(step.start) + " " : "";
  if (step.timer == hedge_timer::set) return line + "in " + world::text(step.after);
  return line + (step.timer == hedge_timer::cancel ? "off" : "-");
}

template <class Strategy, class H>
void play(Strategy const& strategy, H const& hedging, world& w) {
  anew::hedge_machine call{strategy, hedging, anew::idempotent_call};
  auto const tell = [&](std::string const& word) -> hedge_step {
    if (word == "begin") return call.begin();
    if (word == "time") return call.on_time();
    if (word == "stop") return call.request_stop();
    auto const number = static_cast<std::uint32_t>(word[0] - '0');
    if (word.substr(2) == "over") return call.on_attempt_timeout(number);
    auto const step = call.on_verdict(number, support::stories::read_step(word.substr(2)).verdict);
    EXPECT_FALSE(call.is_in_flight(number));
    return step;
  };
  std::istringstream words{w.of.script};
  for (std::string word; words >> word;) {
    if (word[0] == '+') {
      w.clock.advance(1ms * std::stoi(word));
    } else {
      auto const step = tell(word);
      w.note(text_of(step, call.reason()));
      EXPECT_EQ(call.is_finished(), step.finished);
      EXPECT_EQ(call.is_in_flight(step.start), step.start != 0);
    }
  }
}

std::string books_of(hedged const& row) {
  support::stories::story const told{row.name, row.where, row.with, row.script, row.books};
  world w{told};
  auto const with_hedges = [&](auto const& strategy) {
    switch (row.sends) {
      case hedges::up_to_1: return play(strategy, one_extra, w);
      case hedges::up_to_2: return play(strategy, two_extra, w);
      case hedges::up_to_3: return play(strategy, anew::hedge_after<10ms, 3>{}, w);
      case hedges::up_to_4: return play(strategy, anew::hedge_after<10ms, 4>{}, w);
      case hedges::polite: return play(strategy, anew::hedge_after<10ms, 2, when_pushed_back::stop>{}, w);
      case hedges::at_once: return play(strategy, anew::hedge_at_once<2>{}, w);
    }
  };
  support::stories::compose(w, [&](auto const& strategy) {
    using S = std::remove_cvref_t<decltype(strategy)>;
    if constexpr (support::stories::is_composed<S> && !support::stories::is_nested<S> &&
                  !requires { requires S::has_reset; }) {
      row.heard == hint::pushback ? with_hedges(anew::adjusted(strategy, anew::pushback_hint<>{}))
                                  : with_hedges(strategy);
    }
  });
  if (w.held != 0) w.note("HOLDING");
  return w.books();
}

// clang-format off: it would put each word of a row on a line of its own
constexpr hedged all[]{
    {"an answer in time needs no hedge", hedges::up_to_1, in::told, hint::usual, {}, "begin 1:ok",
     "start 1 in 10; paid 0; told 1 success final; end succeeded 1; = 1 succeeded"},
    {"a hedge is sent when the delay is over, and wins", hedges::up_to_1, in::told, hint::usual, {}, "begin time 2:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; paid 1; told 2 success final; end succeeded 2; "
     "= 2 succeeded"},
    {"a hedge that loses is spent", hedges::up_to_2, in::told, hint::usual, {}, "begin time time 2:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; next 3 timeout in 0; start 3 off; "
     "paid 1; spent 2; told 2 success final; end succeeded 3; = 2 succeeded"},
    {"a first attempt that wins spends its hedge", hedges::up_to_1, in::told, hint::usual, {}, "begin time 1:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; paid 0; spent 1; told 1 success final; "
     "end succeeded 2; = 1 succeeded"},
    {"late losers change nothing", hedges::up_to_1, in::told, hint::usual, {},
     "begin time 2:ok 1:ok 1:no 2:net 1:over time stop",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; paid 1; told 2 success final; end succeeded 2; "
     "= 2 succeeded; = 2 succeeded; = 2 succeeded; = 2 succeeded; = 2 succeeded; = 2 succeeded; = 2 succeeded"},
    {"numbers that are not in flight are ignored", hedges::up_to_1, in::told, hint::usual, {},
     "begin 0:ok 2:ok time 1:net 1:no 2:ok",
     "start 1 in 10; -; -; take 1; next 2 timeout in 0; start 2 off; told 1 retry; off; -; paid 1; "
     "told 2 success final; end succeeded 2; = 2 succeeded"},
    {"a final error ends the call, and the others are lost", hedges::up_to_2, in::told, hint::usual, {},
     "begin time time 1:no",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; next 3 timeout in 0; start 3 off; "
     "spent 1; spent 2; told 1 fail final; end not_retryable 3; = 1 not_retryable"},
    {"an error starts the next hedge at once", hedges::up_to_2, in::told, hint::usual, {.attempts = 5},
     "begin 1:again time 2:net 3:ok",
     "start 1 in 10; take 1; told 1 retry; next 2 throttling in 0; start 2 in 10; take 2; next 3 timeout in 0; "
     "start 3 off; spent 1; told 2 retry; off; paid 2; told 3 success final; end succeeded 3; = 3 succeeded"},
    {"with others in flight too", hedges::up_to_2, in::told, hint::usual, {.attempts = 5}, "begin time 1:net 3:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1 retry; next 3 transient in 0; "
     "start 3 off; paid 2; spent 1; told 3 success final; end succeeded 3; = 3 succeeded"},
    {"when all have failed another round begins after the delay", hedges::up_to_1, in::told, hint::usual,
     {.attempts = 5}, "begin time 2:net 1:net time time 3:net 4:net time time 5:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; spent 1; told 2 retry; off; take 2; told 1 retry; "
     "next 3 transient in 200; in 200; start 3 in 10; take 3; next 4 timeout in 0; start 4 off; spent 2; "
     "told 3 retry; off; spent 3; take 4; told 4 retry; next 5 transient in 800; in 800; start 5 in 10; off; "
     "spent 4; told 5 retry final; end attempts 5; = 5 attempts"},
    {"the attempts are counted with the hedges", hedges::up_to_2, in::told, hint::usual, {.attempts = 2},
     "begin time time 1:net 2:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; off; told 1 retry; off; spent 1; "
     "told 2 retry final; end attempts 2; = 2 attempts"},
    {"a refused hedge leaves the others alone", hedges::up_to_2, in::told, hint::usual, {.attempts = 5, .quota = "-1"},
     "begin time time 1:ok",
     "start 1 in 10; quota refuses timeout; off; -; paid 0; told 1 success final; end succeeded 1; = 1 succeeded"},
    {"after a refused hedge a failure is decided as in retry", hedges::up_to_1, in::told, hint::usual,
     {.attempts = 5, .quota = "-1 0 -1"}, "begin time 1:net time 2:net",
     "start 1 in 10; quota refuses timeout; off; take 1; told 1 retry; next 2 transient in 100; in 100; "
     "start 2 in 10; spent 1; quota refuses transient; told 2 retry final; end quota 2; = 2 quota"},
    {"a failure with others in flight and a refusal waits", hedges::up_to_2, in::told, hint::usual,
     {.attempts = 5, .quota = "0 -1"}, "begin time 1:net 2:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; quota refuses transient; told 1 retry; off; "
     "paid 1; told 2 success final; end succeeded 2; = 2 succeeded"},
    {"after a refusal no other hedge is tried in that round", hedges::up_to_4, in::told, hint::usual,
     {.attempts = 9, .quota = "0 0 -1"}, "begin time time 1:net 2:net 3:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; next 3 timeout in 0; start 3 in 10; "
     "quota refuses transient; told 1 retry; off; spent 1; told 2 retry; off; spent 2; take 3; told 3 retry; "
     "next 4 transient in 400; in 400; unused 3"},
    {"the deadline refuses hedges", hedges::up_to_1, in::timed, hint::usual, {.deadline = 50}, "begin +50 time 1:net",
     "start 1 in 10; take 1; unused 1; off; take 2; unused 2; told 1 retry final; end deadline 1; = 1 deadline"},
    {"the end of an attempt at its limit is read", hedges::up_to_1, in::timed, hint::usual, {.limit = 30},
     "begin time 1:over",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; spent 1; told 1 fail final; end not_retryable 2; "
     "= 1 not_retryable"},
    {"pushback takes the place of the delay", hedges::up_to_2, in::told, hint::pushback, {.attempts = 5},
     "begin time 1:net^300 time 3:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1 retry; "
     "next 3 transient^300 in 300 by 1; in 300; start 3 off; paid 2; spent 1; told 3 success final; "
     "end succeeded 3; = 3 succeeded"},
    {"what was pushed back is given back when another wins", hedges::up_to_2, in::told, hint::pushback,
     {.attempts = 5}, "begin time 1:net^300 2:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1 retry; "
     "next 3 transient^300 in 300 by 1; in 300; paid 1; told 2 success final; end succeeded 2; unused 2; "
     "= 2 succeeded"},
    {"while one is pushed back failures wait for it", hedges::up_to_2, in::told, hint::pushback, {.attempts = 5},
     "begin time 1:net^300 2:net time 3:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1 retry; "
     "next 3 transient^300 in 300 by 1; in 300; spent 1; told 2 retry; -; start 3 off; spent 2; take 3; "
     "told 3 retry; next 4 transient in 400; in 400; unused 3"},
    {"the last pushback holds", hedges::up_to_2, in::told, hint::pushback, {.attempts = 5},
     "begin time 1:net^300 2:net^700 time 3:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1 retry; "
     "next 3 transient^300 in 300 by 1; in 300; spent 1; unused 2; take 3; told 2 retry; "
     "next 3 transient^700 in 700 by 1; in 700; start 3 in 10; paid 3; told 3 success final; end succeeded 3; "
     "= 3 succeeded"},
    {"a hedge that is pushed back again gives its place back", hedges::up_to_3, in::told, hint::pushback,
     {.attempts = 5}, "begin time time 1:net^300 2:net^200 time",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; next 3 timeout in 0; start 3 in 10; "
     "take 3; told 1 retry; next 4 transient^300 in 300 by 1; in 300; spent 1; unused 3; take 4; told 2 retry; "
     "next 4 transient^200 in 300 by 1; in 300; start 4 off; unused 2; unused 4"},
    {"pushback may end the hedges of a call", hedges::polite, in::told, hint::pushback, {.attempts = 5},
     "begin time 1:net^300 time 2:net^300 time 3:net time",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; told 1 retry; off; -; spent 1; take 2; "
     "told 2 retry; next 3 transient^300 in 300 by 1; in 300; start 3 off; spent 2; take 3; told 3 retry; "
     "next 4 transient in 400; in 400; start 4 off; unused 3"},
    {"pushback of zero is at once", hedges::up_to_2, in::told, hint::pushback, {.attempts = 5},
     "begin time 1:net^0 2:net^0 3:net^0",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1 retry; "
     "next 3 transient^0 in 0 by 1; start 3 off; spent 1; told 2 retry; off; spent 2; take 3; told 3 retry; "
     "next 4 transient^0 in 0 by 1; start 4 in 10; unused 3"},
    {"a negative pushback drops the hedge that is planned", hedges::up_to_2, in::told, hint::pushback, {.attempts = 5},
     "begin time 1:net^300 2:net^-1",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1 retry; "
     "next 3 transient^300 in 300 by 1; in 300; spent 1; unused 2; told 2 retry final; end not_retryable 2; "
     "= 2 not_retryable"},
    {"a negative pushback ends further attempts", hedges::up_to_2, in::told, hint::pushback, {.attempts = 5},
     "begin time 2:net^-1 time 1:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; spent 1; told 2 retry; off; -; "
     "told 1 retry final; end not_retryable 2; = 1 not_retryable"},
    {"a negative pushback does not end those in flight", hedges::up_to_2, in::told, hint::pushback, {.attempts = 5},
     "begin time 2:net^-1 1:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; spent 1; told 2 retry; off; paid 0; "
     "told 1 success final; end succeeded 2; = 1 succeeded"},
    {"a hint that is too long refuses the hedge alone", hedges::up_to_2, in::told, hint::pushback, {.attempts = 5},
     "begin time 1:net^61000 2:net^61000",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; unused 2; told 1 retry; off; spent 1; "
     "take 3; unused 3; told 2 retry final; end hint_too_long 2; = 2 hint_too_long"},
    {"a hint is remembered when another fails without one", hedges::up_to_1, in::told, hint::usual, {.attempts = 5},
     "begin time 1:net^60000 +7000 2:net +53000 time 3:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; told 1 retry; off; spent 1; take 2; told 2 retry; "
     "next 3 transient in 53000 by 1; in 53000; start 3 in 10; spent 2; take 3; told 3 retry; "
     "next 4 transient in 0; start 4 off; unused 3"},
    {"a hint that is over delays nothing", hedges::up_to_1, in::told, hint::usual, {.attempts = 5},
     "begin time 1:net^60000 +61000 2:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; told 1 retry; off; spent 1; take 2; told 2 retry; "
     "next 3 transient in 200; in 200; unused 2"},
    {"a hint too long ends the call when another fails", hedges::up_to_2, in::told, hint::usual, {.attempts = 5},
     "begin time 1:net^61000 2:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; unused 2; told 1 retry; off; spent 1; "
     "take 3; unused 3; told 2 retry final; end hint_too_long 2; = 2 hint_too_long"},
    {"a hint too long ends the call without a hedge left", hedges::up_to_2, in::told, hint::usual, {.attempts = 5},
     "begin time time 1:net^61000 3:net 2:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; next 3 timeout in 0; start 3 off; "
     "told 1 retry; off; spent 2; told 3 retry; off; spent 1; take 3; unused 3; told 2 retry final; "
     "end hint_too_long 3; = 2 hint_too_long"},
    {"a hint too long does not end those in flight", hedges::up_to_1, in::told, hint::usual, {.attempts = 5},
     "begin time 1:net^61000 2:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; told 1 retry; off; paid 1; told 2 success final; "
     "end succeeded 2; = 2 succeeded"},
    {"a hint is remembered though the quota refuses", hedges::up_to_2, in::told, hint::usual,
     {.attempts = 5, .quota = "0 -1"}, "begin time 1:net^60000 2:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; quota refuses transient; told 1 retry; off; "
     "spent 1; take 2; told 2 retry; next 3 transient in 60000 by 1; in 60000; unused 2"},
    {"a negative hint is none without pushback", hedges::up_to_1, in::told, hint::usual, {.attempts = 5},
     "begin time 1:net^-1 2:net^-1",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; told 1 retry; off; spent 1; take 2; told 2 retry; "
     "next 3 transient in 200; in 200; unused 2"},
    {"a stop starts nothing, and the last in flight ends the call", hedges::up_to_2, in::told, hint::usual,
     {.attempts = 5}, "begin time stop time 2:net 1:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; off; -; unused 1; -; end cancelled 2; "
     "= 1 cancelled"},
    {"a stop drops a hedge that waits", hedges::up_to_2, in::told, hint::pushback, {.attempts = 5},
     "begin time 1:net^300 stop time 2:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1 retry; "
     "next 3 transient^300 in 300 by 1; in 300; unused 2; off; -; end cancelled 2; unused 1; = 2 cancelled"},
    {"a success after a stop is a success", hedges::up_to_1, in::told, hint::usual, {.attempts = 5},
     "begin time stop 2:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; off; paid 1; told 2 success final; "
     "end succeeded 2; = 2 succeeded"},
    {"what it holds comes back when it is destroyed", hedges::up_to_2, in::told, hint::usual, {.attempts = 5},
     "begin time",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; unused 1"},
    {"all at once", hedges::at_once, in::told, hint::usual, {}, "begin time time 3:ok",
     "start 1 in 0; take 1; next 2 timeout in 0; start 2 in 0; take 2; next 3 timeout in 0; start 3 off; paid 2; "
     "spent 1; told 3 success final; end succeeded 3; = 3 succeeded"},
    {"each attempt has a pass, and losers fail nothing", hedges::up_to_2, in::gated, hint::usual, {.attempts = 5},
     "begin time time 2:net 3:ok",
     "gate 0 @0; pace 0 @0; start 1 in 10; take 1; next 2 timeout in 0; gate 0 @0; pace 0 @0; start 2 in 10; "
     "take 2; next 3 timeout in 0; gate 0 @0; pace 0 @0; start 3 off; spent 1; failed transient @0 2; "
     "not sent transient @0; told 2 retry; off; paid 2; passed @0 3; sent @0; left 1; told 3 success final; "
     "end succeeded 3; = 3 succeeded"},
    {"a gate that refuses a hedge leaves the others alone", hedges::up_to_2, in::gated, hint::usual,
     {.attempts = 5, .gate = "0 -1 -1"}, "begin time 1:net time",
     "gate 0 @0; pace 0 @0; start 1 in 10; take 1; next 2 timeout in 0; gate -1 @0; unused 1; off; "
     "failed transient @0 1; not sent transient @0; take 2; told 1 retry; next 2 transient in 100; in 100; "
     "gate -1 @0; unused 2; end gate_closed 1; = 1 gate_closed"},
    {"a gate that is known to refuse is not waited for", hedges::up_to_2, in::gated, hint::usual,
     {.attempts = 5, .foreseen = "0 1 1"}, "begin time 1:net 2:net",
     "gate 0 @0; pace 0 @0; start 1 in 10; take 1; next 2 timeout in 0; gate 0 @0; pace 0 @0; start 2 in 10; "
     "failed transient @0 1; not sent transient @0; take 2; foreseen @0; unused 2; told 1 retry; off; spent 1; "
     "failed transient @0 2; not sent transient @0; take 3; foreseen @200; unused 3; told 2 retry final; "
     "end gate_closed 2; = 2 gate_closed"},
    {"a gate may refuse the first attempt", hedges::up_to_1, in::gated, hint::usual, {.gate = "-1"}, "begin",
     "gate -1 @0; end gate_closed 0; = 0 gate_closed"},
    {"a gate may make attempts wait", hedges::up_to_1, in::gated, hint::usual, {.gate = "2000 0 3000"},
     "begin time time 1:ok",
     "gate 2000 @0; in 2000; gate 0 @2000; pace 0 @2000; start 1 in 10; take 1; next 2 timeout in 0; "
     "gate 3000 @0; in 3000; paid 0; passed @0 1; sent @0; told 1 success final; end succeeded 1; unused 1; "
     "= 1 succeeded"},
    {"a wait for a gate that passes the deadline is a refusal", hedges::up_to_1, in::gated, hint::usual,
     {.deadline = 10000, .gate = "0 10000"}, "begin time 1:ok",
     "gate 0 @0; pace 0 @0; start 1 in 10; take 1; next 2 timeout in 0; gate 10000 @0; unused 1; off; paid 0; "
     "passed @0 1; sent @0; told 1 success final; end succeeded 1; = 1 succeeded"},
    {"a first wait for a gate that passes the deadline", hedges::up_to_1, in::gated, hint::usual,
     {.deadline = 10000, .gate = "10000"}, "begin",
     "gate 10000 @0; end deadline 0; = 0 deadline"},
    {"pushback ends the wait of a hedge for a gate", hedges::up_to_2, in::gated, hint::usual,
     {.attempts = 5, .gate = "0 3000"}, "begin time 1:net^1000 time",
     "gate 0 @0; pace 0 @0; start 1 in 10; take 1; next 2 timeout in 0; gate 3000 @0; in 3000; "
     "failed transient @0 1; not sent transient @0; unused 1; take 2; told 1 retry; "
     "next 2 transient^1000 in 1000 by 1; in 1000; gate 0 @0; pace 0 @0; start 2 in 10; left 2; unused 2"},
    {"test mode caps the attempts and waits for nothing", hedges::up_to_1, in::told, hint::usual,
     {.attempts = 5, .test_mode = 2}, "begin 1:net 2:net",
     "start 1 in 10; take 1; told 1 retry; next 2 transient in 0; start 2 off; spent 1; told 2 retry final; "
     "end attempts 2; = 2 attempts"},
};
// clang-format on

TEST(HedgeMachine, DoesWhatItsBooksSay) {
  for (auto const& row : all) EXPECT_EQ(books_of(row), row.books) << row.name;
}

TEST(HedgeMachine, AFirstAttemptThatWinsPaysNothingBackForItsHedges) {
  anew::strategy<anew::token_bucket<500>, anew::retry_all> const strategy;
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(strategy.quota().balance(), 486U);  // as a time-out costs
  EXPECT_TRUE(call.on_success(1).finished);
  EXPECT_EQ(strategy.quota().balance(), 487U);
}

TEST(HedgeMachine, LimitsByKindCountWhatIsInFlightAsLate) {
  using limits =
      anew::per_kind_attempts<anew::for_kind<error_kind::server, anew::max_attempts<3>>, anew::max_attempts<2>>;
  rig<limits> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  EXPECT_EQ(call.on_time().start, 2U);
  EXPECT_EQ(call.on_time(), no_timer);  // two are late
  EXPECT_EQ(call.on_verdict(1, retryable), no_timer);
  EXPECT_EQ(call.on_verdict(2, retryable), wait(1s));  // the second error of its kind
  EXPECT_EQ(call.on_time().start, 3U);
  EXPECT_EQ(call.on_verdict(3, retryable), over(3));
  EXPECT_EQ(call.reason(), stop_reason::attempts);
}

TEST(HedgeMachine, TheDeadlineShortensNoWaitThatAServerAskedFor) {
  auto const after_first = [](directive const& verdict) {
    rig<three, anew::deadline<10s, anew::at_deadline::last_try>> with;
    anew::hedge_after const hedging{1h};
    auto call = with.call(hedging);
    static_cast<void>(call.begin());
    with.clock.advance(8s);
    auto const step = call.on_verdict(1, verdict);
    return std::tuple{step.finished, call.reason()};
  };
  EXPECT_EQ(after_first(hinted(2s)), (std::tuple{false, stop_reason::cancelled})) << "just in time";
  EXPECT_EQ(after_first(hinted(2s + 1ns)), (std::tuple{true, stop_reason::deadline}));
}

TEST(HedgeMachine, HedgesAreToldOfTheirDeadlineAndOfWhatCameBefore) {
  rig<three, anew::deadline<50ms>, anew::attempt_timeout<30ms>> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  EXPECT_EQ(call.current().number, 1U);
  EXPECT_EQ(call.current().previous, std::nullopt);
  EXPECT_EQ(call.attempt_timeout(), 30ms);
  r.clock.advance(30ms);
  EXPECT_EQ(call.on_time(), start(2));
  anew::attempt const self{call.current()};
  EXPECT_EQ(self.number(), 2U);
  EXPECT_EQ(self.remaining(), 20ms);
  EXPECT_EQ(self.connection(), anew::connection_hint::fresh);  // not the one on which the other one waits
  EXPECT_EQ(call.attempt_timeout(), 20ms);
}

// Without a classifier for error codes.
struct reads_ints {
  using role = anew::roles::classifier;
  static directive classify(int error) {
    return error < 0 ? directive::fail() : directive::retry(error_kind::throttling);
  }
};

TEST(HedgeMachine, ATimeOutIsRetriedWhateverTheClassifierReads) {
  anew::strategy<reads_ints, anew::no_backoff> const strategy;
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  EXPECT_EQ(call.on_attempt_timeout(1).start, 2U);
  EXPECT_EQ(call.current().previous, error_kind::timeout);
  EXPECT_EQ(call.on_error(2, 3).start, 3U);  // at once, as there is no backoff
  EXPECT_EQ(call.on_error(3, -1).result_of, 3U);
  EXPECT_EQ(call.reason(), stop_reason::not_retryable);
}

TEST(HedgeMachine, ResultsAreReadAsRetryReadsThem) {
  rig<five> const r;
  {
    auto call = r.call(one_extra);
    std::ignore = call.begin();
    EXPECT_EQ(call.on_outcome(1, std::make_error_code(std::errc::io_error)).start, 2U);
    EXPECT_EQ(call.on_outcome(2, std::error_code{}), over(2));
  }
  {
    auto call = r.call(one_extra);
    std::ignore = call.begin();
    EXPECT_EQ(call.on_outcome(1, std::optional<int>{}).start, 2U);
    EXPECT_EQ(call.on_outcome(2, 17U), over(2));  // a plain value
  }
}

#if ANEW_EXCEPTIONS
struct catches_ints {
  using role = anew::roles::classifier;
  using catches = anew::catch_list<int>;
  static directive classify(int error) {
    if (error == 99) throw std::string{"the classifier's own"};
    if (error == 0) return directive::succeed();
    return error < 0 ? directive::fail() : directive::retry(error_kind::server);
  }
};

TEST(HedgeMachine, ExceptionsAreReadAsRetryReadsThem) {
  anew::strategy<catches_ints, anew::max_attempts<9>> const strategy;
  anew::hedge_after<10ms, 7> const many;
  anew::hedge_machine call{strategy, many, anew::idempotent_call};
  std::ignore = call.begin();
  EXPECT_EQ(call.on_exception(1, std::make_exception_ptr(3)).start, 2U);
  EXPECT_EQ(call.on_exception(7, std::make_exception_ptr(3)), as_it_is);
  EXPECT_EQ(call.on_exception(2, std::make_exception_ptr(-3)), over(2));
  EXPECT_EQ(call.reason(), stop_reason::not_retryable);

  anew::hedge_machine other{strategy, many, anew::idempotent_call};
  std::ignore = other.begin();
  std::ignore = other.on_time();
  EXPECT_EQ(other.on_exception(1, std::make_exception_ptr(0)), over(1));  // leaves no result to succeed with
  EXPECT_EQ(other.reason(), stop_reason::not_retryable);

  anew::hedge_machine unknown{strategy, many, anew::idempotent_call};
  std::ignore = unknown.begin();
  EXPECT_EQ(unknown.on_exception(1, std::make_exception_ptr(1.5)), over(1));
}

TEST(HedgeMachine, AClassifierThatThrowsEndsTheCall) {
  audited_quota const quota;
  auto const strategy = anew::compose(quota, catches_ints{});
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_THROW(std::ignore = call.on_error(1, 99), std::string);
  EXPECT_TRUE(call.is_finished());
  EXPECT_EQ(call.in_flight(), 0U);
  EXPECT_EQ(quota.outstanding(), 0U);
  EXPECT_EQ(call.on_success(2), over(0));
  EXPECT_EQ(call.reason(), stop_reason::cancelled);
}
#endif

TEST(HedgeMachine, AQuotaThatCountsCallsCountsOne) {
  auto const strategy = anew::compose(anew::concurrency_budget{20, 1}, anew::retry_all{}, anew::max_attempts<5>{},
                                      anew::constant_backoff<1s>{}, anew::no_jitter{}, manual_clock{});
  auto const& quota = strategy.quota();
  {
    anew::hedge_machine call{strategy, two_extra, anew::idempotent_call};
    std::ignore = call.begin();
    EXPECT_EQ(quota.calls(), 1U);
    EXPECT_EQ(call.on_time().start, 2U);
    EXPECT_EQ(quota.retries(), 1U);
    EXPECT_EQ(call.on_time(), no_timer);  // one retry is under way, and more are not allowed
    EXPECT_EQ(call.on_verdict(1, retryable), no_timer);
    EXPECT_EQ(quota.calls(), 1U);
    EXPECT_EQ(quota.retries(), 1U);
    EXPECT_EQ(call.on_verdict(2, retryable), wait(1s));
    EXPECT_EQ(call.on_time().start, 3U);
    EXPECT_EQ(call.on_verdict(3, success), over(3));
    EXPECT_EQ(quota.calls(), 0U);  // at the end, not when the object goes
    EXPECT_EQ(quota.retries(), 0U);
  }
  EXPECT_EQ(quota.calls(), 0U);
}

TEST(HedgeMachine, AThrottleHearsOfFailuresAndNotOfLosers) {
  anew::strategy<anew::retry_throttle<10>, anew::retry_all, anew::max_attempts<5>> const strategy;
  auto const& throttle = strategy.quota();
  anew::hedge_machine call{strategy, two_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(throttle.balance(), 10U);  // a hedge is no failure
  std::ignore = call.on_verdict(1, retryable);
  EXPECT_EQ(throttle.balance(), 9U);
  std::ignore = call.on_verdict(3, success);
  EXPECT_EQ(throttle.balance(), 9U);
}

TEST(HedgeMachine, AThrottledClientSendsNoHedges) {
  anew::strategy<anew::retry_throttle<2>, anew::retry_all, anew::max_attempts<5>> const strategy;
  strategy.quota().on_attempt_failed(failure{});
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  EXPECT_EQ(call.begin(), start(1, 10ms));
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(call.on_verdict(1, success), over(1));
}

TEST(HedgeMachine, ALongPollsLastWaitComesBeforeTheEnd) {
  auto const strategy = anew::compose(anew::long_poll<anew::token_bucket<0>>{}, anew::constant_backoff<1s>{},
                                      anew::no_jitter{}, anew::retry_all{}, anew::max_attempts<5>{});
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(call.on_verdict(1, retryable), wait(1s));
  EXPECT_EQ(call.on_time(), over(1));
  EXPECT_EQ(call.reason(), stop_reason::quota);
}

TEST(HedgeMachine, SoItDoesWhereTheHedgeOfAFailedAttemptIsRefused) {
  auto const strategy = anew::compose(anew::long_poll<anew::token_bucket<0>>{}, anew::constant_backoff<1s>{},
                                      anew::no_jitter{}, anew::retry_all{}, anew::max_attempts<5>{});
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  EXPECT_EQ(call.on_verdict(1, retryable), wait(1s));
  EXPECT_EQ(call.on_time(), over(1));
}

/// Lends permits that are good only later.
struct lending_quota : audited_quota {
  [[nodiscard]] static anew::duration wait(permit_type, anew::time_point) { return 200ms; }
};

TEST(HedgeMachine, AHedgeIsNotSentOnALoanThatMustWait) {
  lending_quota const quota;
  auto const strategy = anew::compose(quota, anew::retry_all{}, five{}, anew::constant_backoff<1s>{},
                                      anew::full_jitter{}, manual_clock{});
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(quota.outstanding(), 0U);
  auto const step = call.on_verdict(1, retryable);  // a retry waits as long, at least
  EXPECT_EQ(step.timer, hedge_timer::set);
  EXPECT_GE(step.after, 200ms);
  EXPECT_EQ(call.on_time(), start(2, 10ms));
}

/// What a hedging that learns is told.
struct learner {
  static constexpr std::int64_t most_extra = 2;
  struct state {
    anew::duration delay = 100ms;
    std::uint32_t extra = 1;
    std::vector<anew::duration> answers;
    int late = 0;
  };
  state* s;
  [[nodiscard]] anew::duration delay() const { return s->delay; }
  [[nodiscard]] std::uint32_t max_extra() const { return s->extra; }
  [[nodiscard]] when_pushed_back pushback() const { return when_pushed_back::wait; }
  void on_answer(anew::duration took) const { s->answers.push_back(took); }
  void on_late() const { ++s->late; }
};

TEST(HedgeMachine, AHedgingLearnsFromAttemptsThatAreSentAlone) {
  rig<five> const r;
  learner::state s;
  learner const hedging{&s};
  {
    auto call = r.call(hedging);
    std::ignore = call.begin();
    r.clock.advance(30ms);
    std::ignore = call.on_verdict(1, success);
  }
  EXPECT_THAT(s.answers, ElementsAre(30ms));
  {
    auto call = r.call(hedging);
    std::ignore = call.begin();
    r.clock.advance(100ms);
    EXPECT_EQ(call.on_time(), start(2));
    EXPECT_EQ(s.late, 1);
    r.clock.advance(10ms);
    std::ignore = call.on_verdict(2, success);  // a hedge is none
  }
  {
    auto call = r.call(hedging);
    std::ignore = call.begin();
    r.clock.advance(5ms);
    EXPECT_EQ(call.on_verdict(1, retryable).start, 2U);  // early errors are none
    r.clock.advance(1s);
    EXPECT_EQ(call.on_verdict(2, retryable), wait(1s));
    EXPECT_EQ(call.on_time(), start(3, 100ms));
    r.clock.advance(70ms);
    EXPECT_EQ(call.on_verdict(3, success), over(3));  // alone again
  }
  EXPECT_THAT(s.answers, ElementsAre(30ms, 70ms));
  EXPECT_EQ(s.late, 1);
}

TEST(HedgeMachine, AHedgingThatAsksForMoreThanItSaidGetsWhatItSaid) {
  rig<anew::max_attempts<9>> const r;
  learner::state s;
  s.extra = 9;
  learner const hedging{&s};
  auto call = r.call(hedging);
  std::ignore = call.begin();
  r.clock.advance(100ms);
  EXPECT_EQ(call.on_time(), start(2, 100ms));
  EXPECT_EQ(call.on_time(), start(3));
}

TEST(HedgeMachine, TheHedgeAfterAnEarlyErrorIsNoSample) {
  rig<five> const r;
  learner::state s;
  s.extra = 2;
  learner const hedging{&s};
  auto call = r.call(hedging);
  std::ignore = call.begin();
  r.clock.advance(5ms);
  EXPECT_EQ(call.on_verdict(1, retryable), start(2, 100ms));
  r.clock.advance(100ms);
  EXPECT_EQ(call.on_time(), start(3));
  EXPECT_EQ(s.late, 0);
}

TEST(HedgeMachine, AnAttemptThatIsLateCountsOnceThoughTheHedgeIsRefused) {
  rig<five> const r;
  learner::state s;
  learner const hedging{&s};
  auto call = r.call(hedging);
  std::ignore = call.begin();
  r.quota.refuse();
  r.clock.advance(100ms);
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(s.late, 1);
  std::ignore = call.on_verdict(1, success);
  EXPECT_TRUE(s.answers.empty());
}

TEST(HedgeMachine, AnEstimateThatRoseMeanwhileIsWaitedFor) {
  rig<five> const r;
  learner::state s;
  learner const hedging{&s};
  auto call = r.call(hedging);
  std::ignore = call.begin();
  r.clock.advance(100ms);
  s.delay = 113ms;
  EXPECT_EQ(call.on_time(), wait(13ms));
  EXPECT_EQ(s.late, 0);
  r.clock.advance(13ms);
  s.delay = 127ms;  // an eighth more is let pass
  EXPECT_EQ(call.on_time(), start(2));
  EXPECT_EQ(s.late, 1);
}

// The whole machine, as a driver has it.
static_assert(anew::Hedging<anew::hedge_after<10ms>> && anew::Hedging<learner> && !anew::Hedging<int>);
static_assert(!std::is_copy_constructible_v<
              anew::hedge_machine<anew::strategy<>, anew::hedge_after<10ms>, anew::declared::idempotent>>);
using least = anew::strategy<anew::retry_all>;
using machine = anew::hedge_machine<least, anew::hedge_after<10ms>, anew::declared::idempotent>;
static_assert(
    !std::is_constructible_v<machine, least, anew::hedge_after<10ms> const&, decltype(anew::idempotent_call)>);
static_assert(
    !std::is_constructible_v<machine, least const&, anew::hedge_after<10ms>, decltype(anew::idempotent_call)>);
static_assert(sizeof(machine) <= 160);

}  // namespace
}  // namespace hedge_hedge_machine_test
