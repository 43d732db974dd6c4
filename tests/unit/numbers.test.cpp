// SPDX-License-Identifier: BSL-1.0
// Policies that are numbers: what each says of itself, computes and refuses, in all of its forms: numbers of the type,
// numbers of the object, any duration. Each is a row. A policy's own file has the rest: state, distributions, rounding.
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/policies.hpp"
#include "anew/policies/gate/striped_client_throttle.hpp"
#include "anew/policies/gate/striped_rate_breaker.hpp"
#include "anew/policies/pacer/striped_client_rate_limiter.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/testing/scripted_random.hpp"

#include "names.hpp"
#include "rejection.hpp"

namespace numbers_test {
namespace {

using namespace anew;
using anew::testing::middle_word;
using any = std::chrono::duration<double>;
constexpr auto most = duration::max();
constexpr auto infinity = std::numeric_limits<double>::infinity();
constexpr auto nan = std::numeric_limits<double>::quiet_NaN();

/// As the compiler judges it; what says nothing of it is.
template <class Policy>
inline constexpr bool is_sound = []() -> bool {
  if constexpr (requires { Policy::is_sound; }) return Policy::is_sound;
  return true;
}();

// ---------------------------------------------------------------------------------------------------------------------
// What numbers compute

/// A backoff without its type, so that a row costs one small function.
struct backoff_form {
  template <class B>
  backoff_form(B const& b)  // NOLINT(*-explicit-*)
      : of{&b},
        delay{[](void const* p, std::uint32_t n) -> duration { return static_cast<B const*>(p)->delay(n); }},
        cap{b.cap()},
        words{b.describe()} {
    static_assert(Backoff<B> && is_sound<B>);
  }
  void const* of;
  duration (*delay)(void const*, std::uint32_t);
  duration cap;
  std::string words;
};
using before_retry = std::pair<std::uint32_t, duration>;

/// All forms have these words, this cap and these delays; before no retry it is the first, and at the end it stays.
void backoff(char const* words, duration cap, std::initializer_list<before_retry> delays,
             std::initializer_list<backoff_form> forms) {
  auto const& first = *forms.begin();
  for (auto const& form : forms) {
    EXPECT_EQ(form.words, words);
    EXPECT_EQ(form.cap, cap) << words;
    EXPECT_EQ(form.delay(form.of, 0), form.delay(form.of, 1)) << words;
    EXPECT_EQ(form.delay(form.of, ~0U), form.delay(form.of, ~0U - 1)) << words;
    for (auto const& [retry, delay] : delays) EXPECT_EQ(form.delay(form.of, retry), delay) << words << " of " << retry;
    for (std::uint32_t n = 0; n < 100; ++n) EXPECT_EQ(form.delay(form.of, n), first.delay(first.of, n)) << words << n;
  }
}

TEST(Numbers, Backoffs) {
  backoff("no_backoff", 0s, {{1, 0s}, {1000, 0s}, {~0U, 0s}}, {no_backoff{}});
  backoff("constant(100ms)", 100ms, {{1, 100ms}, {31, 100ms}, {~0U, 100ms}},
          {constant_backoff<100ms>{}, constant_backoff{100ms}, constant_backoff{any{0.1}}});
  backoff("constant(0s)", 0s, {{1, 0s}}, {constant_backoff<0s>{}, constant_backoff{0s}});
  for (auto const& b : {constant_backoff{std::chrono::hours::max()}, constant_backoff{any{infinity}}}) {
    EXPECT_EQ(b.delay(1), most);
  }
  EXPECT_EQ(constant_backoff<most>{}.delay(1), most);

  backoff("exponential(50ms,20s)", 20s,
          {{1, 50ms}, {2, 100ms}, {3, 200ms}, {8, 6'400ms}, {9, 12'800ms}, {10, 20s}, {33, 20s}, {65, 20s}, {~0U, 20s}},
          {exponential_backoff<>{}, exponential_backoff<50ms, 20s>{}, exponential_backoff{50ms, 20s},
           exponential_backoff{50ms, 20s, rational{2}}, exponential_backoff{any{0.05}, 20s, rational{6, 3}}});
  backoff("exponential(3s,60s,3/2)", 60s,
          {{1, 3s}, {2, 4'500ms}, {3, 6'750ms}, {4, 10'125ms}, {8, 51'257'812'500ns}, {9, 60s}},
          {exponential_backoff<3s, 60s, rational{3, 2}>{}, exponential_backoff{3s, 60s, rational{3, 2}}});
  backoff("exponential(7ns,1s,3)", 1s, {{3, 63ns}}, {exponential_backoff{7ns, 1s, rational{3}}});
  backoff("exponential(7ns,1s,4)", 1s, {{3, 112ns}}, {exponential_backoff{7ns, 1s, rational{4}}});
  backoff("exponential(8ns,1s,3/2)", 1s, {{3, 18ns}}, {exponential_backoff{8ns, 1s, rational{3, 2}}});
  backoff("exponential(50ms,20s,1)", 20s, {{1, 50ms}, {1000, 50ms}, {~0U, 50ms}},
          {exponential_backoff<50ms, 20s, rational{1}>{}, exponential_backoff{50ms, 20s, rational{1}}});
  backoff("exponential(20s,20s)", 20s, {{1, 20s}, {~0U, 20s}}, {exponential_backoff<20s, 20s>{}});
  exponential_backoff const doubling{1ns, most};
  EXPECT_EQ(doubling.delay(63), duration{std::int64_t{1} << 62U});
  EXPECT_EQ(doubling.delay(64), most);
  EXPECT_EQ((exponential_backoff{3ns, 3ns * 1024}.delay(10)), 3ns * 512);
  EXPECT_EQ((exponential_backoff{3ns, 3ns * 1024}.delay(11)), 3ns * 1024);
  EXPECT_EQ((exponential_backoff{3ns, 3ns * 1024 - 1ns}.delay(11)), 3ns * 1024 - 1ns);
  EXPECT_EQ((exponential_backoff{1s, any{infinity}}.cap()), most);

  backoff("linear(100ms,450ms)", 450ms, {{1, 100ms}, {2, 200ms}, {4, 400ms}, {5, 450ms}, {~0U, 450ms}},
          {linear_backoff<100ms, 450ms>{}, linear_backoff{100ms, 450ms}, linear_backoff{any{0.1}, 450ms}});
  backoff("linear(100ms,1s,300ms)", 1s, {{1, 100ms}, {2, 400ms}, {4, 1s}, {5, 1s}},
          {linear_backoff<100ms, 1s, 300ms>{}, linear_backoff{100ms, 1s, 300ms}});
  backoff("linear(0s,1s,300ms)", 1s, {{1, 0s}, {2, 300ms}},
          {linear_backoff<0ns, 1s, 300ms>{}, linear_backoff{0s, 1s, 300ms}});
  // The last step that fits, and the first that does not.
  backoff("linear(1ns,10ns,3ns)", 10ns, {{3, 7ns}, {4, 10ns}}, {linear_backoff{1ns, 10ns, 3ns}});
  backoff("linear(1ns,11ns,3ns)", 11ns, {{4, 10ns}, {5, 11ns}}, {linear_backoff{1ns, 11ns, 3ns}});
  backoff("linear(1ns,9ns,3ns)", 9ns, {{3, 7ns}, {4, 9ns}}, {linear_backoff{1ns, 9ns, 3ns}});
  backoff("linear(2s,2s,1s)", 2s, {{9, 2s}}, {linear_backoff<2s, 2s, 1s>{}, linear_backoff{2s, 2s, 1s}});
  EXPECT_EQ((linear_backoff{1ns, most}.delay(~0U)), duration{4'294'967'295});
  linear_backoff const steep{most / 2, most};
  EXPECT_EQ(steep.delay(2), most - 1ns);
  EXPECT_EQ(steep.delay(3), most);
  EXPECT_EQ(steep.delay(~0U), most);
  EXPECT_EQ((linear_backoff{1s, std::chrono::hours::max(), 1s}.cap()), most);

  backoff("fibonacci(100ms,10s)", 10s,
          {{1, 100ms}, {2, 100ms}, {3, 200ms}, {4, 300ms}, {5, 500ms}, {6, 800ms}, {7, 1'300ms}},
          {fibonacci_backoff<100ms, 10s>{}, fibonacci_backoff{100ms, 10s}});
  backoff("fibonacci(100ms,10s)", 10s,
          {{8, 2'100ms}, {9, 3'400ms}, {10, 5'500ms}, {11, 8'900ms}, {12, 10s}, {94, 10s}, {~0U, 10s}},
          {fibonacci_backoff{100ms, 10s}});
  backoff("fibonacci(1ns,55ns)", 55ns, {{10, 55ns}, {11, 55ns}}, {fibonacci_backoff{1ns, 55ns}});
  backoff("fibonacci(1ns,54ns)", 54ns, {{9, 34ns}, {10, 54ns}}, {fibonacci_backoff{1ns, 54ns}});
  backoff("fibonacci(1ns,1ns)", 1ns, {{5, 1ns}}, {fibonacci_backoff<1ns, 1ns>{}, fibonacci_backoff{1ns, 1ns}});
  fibonacci_backoff const far{1ns, most};
  EXPECT_EQ(far.delay(90), duration{2'880'067'194'370'816'120});
  EXPECT_EQ(far.delay(92), duration{7'540'113'804'746'346'429});
  EXPECT_EQ(far.delay(93), most);
  EXPECT_EQ((fibonacci_backoff{most, most}.delay(3)), most);

  backoff(
      "sequence(10ms,1s,50ms)", 1s, {{1, 10ms}, {2, 1s}, {3, 50ms}, {1000, 50ms}},
      {sequence_backoff<10ms, 1s, 50ms>{}, sequence_backoff{10ms, 1s, 50ms}, sequence_backoff{any{0.01}, 1s, 50ms}});
  backoff("sequence(7s)", 7s, {{9, 7s}}, {sequence_backoff<7s>{}, sequence_backoff{7s}});
  backoff("sequence(0s,0s)", 0s, {}, {sequence_backoff<0s, 0s>{}});
}

TEST(Numbers, BackoffsOfBackoffs) {
  using exponential = exponential_backoff<50ms, 20s>;
  using chosen = decltype(exponential_backoff{50ms, 20s});
  backoff("at_least(exponential(50ms,20s),150ms)", 20s, {{1, 150ms}, {2, 150ms}, {3, 200ms}, {~0U, 20s}},
          {at_least_backoff<exponential, 150ms>{}, at_least_backoff{chosen{50ms, 20s}, 150ms},
           at_least_backoff<chosen, 150ms>{chosen{50ms, 20s}}});
  backoff("at_least(exponential(50ms,20s),21s)", 21s, {{1, 21s}, {~0U, 21s}},
          {at_least_backoff<exponential, 21s>{}, at_least_backoff{exponential{}, 21s}});
  backoff("at_least(constant(1s),0s)", 1s, {{1, 1s}}, {at_least_backoff{constant_backoff{1s}, 0s}});
  backoff("raised_cap(exponential(50ms,20s),1/5)", 24s, {{1, 50ms}, {2, 100ms}, {~0U, 20s}},
          {raised_cap_backoff<exponential, rational{1, 5}>{}, raised_cap_backoff{exponential{}, rational{1, 5}}});
  backoff("raised_cap(exponential(50ms,20s),0)", 20s, {}, {raised_cap_backoff<exponential, rational{0}>{}});
  backoff("raised_cap(exponential(50ms,20s),1)", 40s, {}, {raised_cap_backoff<exponential, rational{1}>{}});
  backoff("raised_cap(constant(1s),1/4)", 1250ms, {{9, 1s}},
          {raised_cap_backoff{constant_backoff{1s}, rational{1, 4}}});
  EXPECT_EQ((raised_cap_backoff{exponential_backoff{1s, most}, rational{1, 1}}.cap()), most);
  backoff("immediate_first(exponential(50ms,20s))", 20s, {{1, 0s}, {2, 50ms}, {3, 100ms}, {~0U, 20s}},
          {immediate_first<exponential>{}, immediate_first{chosen{50ms, 20s}}});
  backoff("sum(constant(1s),exponential(50ms,20s))", 21s, {{1, 1'050ms}, {2, 1'100ms}, {~0U, 21s}},
          {sum_backoff<constant_backoff<1s>, exponential>{}, sum_backoff{constant_backoff{1s}, chosen{50ms, 20s}},
           sum_backoff{constant_backoff{1s}, exponential{}}});
  sum_backoff<constant_backoff<most>, constant_backoff<1ns>> const longest;
  EXPECT_EQ(longest.delay(1), most);
  EXPECT_EQ(longest.cap(), most);
  using quick = constant_backoff<10ms>;
  backoff("phased(for_first(3,constant(10ms)),exponential(50ms,20s))", 20s,
          {{1, 10ms}, {3, 10ms}, {4, 50ms}, {5, 100ms}, {~0U, 20s}},
          {phased_backoff<for_first<3, quick>, exponential>{},
           phased_backoff{for_first{3, constant_backoff{10ms}}, chosen{50ms, 20s}}});
  backoff("phased(exponential(50ms,20s))", 20s, {{1, 50ms}, {2, 100ms}}, {phased_backoff<exponential>{}});
  backoff(
      "phased(for_first(1,no_backoff),for_first(2,exponential(50ms,20s)),for_first(3,constant(10ms)),constant(6s))",
      20s, {{1, 0s}, {2, 50ms}, {3, 100ms}, {4, 10ms}, {6, 10ms}, {7, 6s}, {8, 6s}},
      {phased_backoff<for_first<1, no_backoff>, for_first<2, exponential>, for_first<3, quick>, constant_backoff<6s>>{},
       phased_backoff{for_first{1, no_backoff{}}, for_first<2, chosen>{chosen{50ms, 20s}}, for_first{3U, quick{}},
                      constant_backoff{6s}}});
}

/// What a jitter makes of a delay under a cap, by the lowest, the middle and the highest word.
struct drawn {
  duration ceiling, cap, low, middle, high;
};
struct jitter_form {
  template <class J>
  jitter_form(J const& j) : of{&j}, words{j.describe()} {  // NOLINT(*-explicit-*)
    static_assert(Jitter<J>);
    draw = [](void const* p, drawn const& d, scripted_random const& random) -> duration {
      if constexpr (requires { J::apply(d.ceiling, random); }) {
        return J::apply(d.ceiling, random);
      } else {
        typename J::state_type state{};
        return static_cast<J const*>(p)->apply(delay_bounds{1ms, d.ceiling, d.cap}, state, random);
      }
    };
  }
  void const* of;
  std::string words;
  duration (*draw)(void const*, drawn const&, scripted_random const&);
};

/// All forms have these words and draw so; one number each time, and none where there is no choice.
void jitter(char const* words, std::initializer_list<drawn> rows, std::initializer_list<jitter_form> forms) {
  for (auto const& form : forms) {
    EXPECT_EQ(form.words, words);
    for (auto const& row : rows) {
      scripted_random const random{lowest_word, middle_word, highest_word};
      for (auto const delay : {row.low, row.middle, row.high}) {
        EXPECT_EQ(form.draw(form.of, row, random), delay) << words << " of " << row.ceiling.count();
      }
      EXPECT_EQ(random.calls(), row.low == row.high ? 0U : 3U) << words << " of " << row.ceiling.count();
    }
  }
}

TEST(Numbers, Jitters) {
  jitter("no_jitter", {{0s, 20s, 0s, 0s, 0s}, {20s, 20s, 20s, 20s, 20s}, {most, most, most, most, most}},
         {no_jitter{}});
  jitter("full_jitter", {{0s, 0s, 0s, 0s, 0s}, {1ns, 1s, 0s, 1ns, 1ns}, {50ms, 1s, 0s, 25ms, 50ms}}, {full_jitter{}});
  jitter("full_jitter", {{20s, 20s, 0s, 10s, 20s}, {most, most, 0s, most / 2 + 1ns, most}}, {full_jitter{}});
  jitter("equal_jitter", {{0s, 0s, 0s, 0s, 0s}, {1ns, 1s, 0s, 1ns, 1ns}, {2ns, 1s, 1ns, 2ns, 2ns}}, {equal_jitter{}});
  jitter("equal_jitter", {{3ns, 1s, 1ns, 2ns, 3ns}, {50ms, 1s, 25ms, 37'500us, 50ms}}, {equal_jitter{}});
  jitter("equal_jitter", {{most, most, most / 2, most / 4 * 3 + 2ns, most}}, {equal_jitter{}});
  jitter("proportional_jitter(1/5)",
         {{100ms, 20s, 80ms, 100ms, 120ms},
          {20s, 20s, 12s, 16s, 20s},
          {18s, 20s, 12'800ms, 16'400ms, 20s},
          {30s, 20s, 12s, 16s, 20s},  // a ceiling above the cap is the cap
          {7ns, 1us, 6ns, 7ns, 8ns},
          {0s, 20s, 0s, 0s, 0s}},
         {proportional_jitter<rational{1, 5}>{}, proportional_jitter{rational{1, 5}}});
  jitter("proportional_jitter(1/2)",
         {{100ms, 20s, 50ms, 100ms, 150ms},
          {20s, 20s, 0s, 10s, 20s},
          {1ns, 20s, 1ns, 1ns, 1ns},  // half of a nanosecond is none
          {most, most, 1ns, most / 2 + 1ns, most}},
         {proportional_jitter<rational{1, 2}>{}, proportional_jitter{rational{2, 4}}});
  jitter(
      "proportional_jitter(1)", {{100ms, 20s, 0s, 100ms, 200ms}, {most, most, 0s, most / 2 + 1ns, most}},
      {proportional_jitter<rational{1}>{}, proportional_jitter{rational{1}}, proportional_jitter{rational{~0U, ~0U}}});
  // Where the window begins to move: 15 s and a third of it are the cap.
  jitter("proportional_jitter(1/3)",
         {{15s, 20s, 10s, 15s, 20s},
          {15s + 3ns, 20s, 10s - 2ns, 15s - 1ns, 20s},
          {15s - 3ns, 20s, 10s - 2ns, 15s - 3ns, 20s - 4ns}},
         {proportional_jitter<rational{1, 3}>{}, proportional_jitter{rational{1, 3}}});
  jitter("proportional_jitter(3/4)", {{20s, 20s, 0s, 10s, 20s}}, {proportional_jitter<rational{3, 4}>{}});
  jitter("proportional_jitter(0)", {{7s, 20s, 7s, 7s, 7s}},
         {proportional_jitter<rational{0}>{}, proportional_jitter{rational{0}}});
  jitter("scaled_jitter(4/5,13/10)",
         {{800ms, 60s, 640ms, 840ms, 1040ms},
          {60s, 60s, 30s, 45s, 60s},
          {51'200ms, 60s, 34'400ms, 47'200ms, 60s},  // 66.56 s would be the highest
          {5s, 2s, 1s, 1'500ms, 2s},
          {0s, 2s, 0s, 0s, 0s}},
         {scaled_jitter<rational{4, 5}, rational{13, 10}>{}, scaled_jitter{rational{4, 5}, rational{13, 10}}});
  jitter("scaled_jitter(0,5)", {{1s, 2s, 0s, 1s, 2s}, {most, most, 0s, most / 2 + 1ns, most}},
         {scaled_jitter<rational{0}, rational{5}>{}});
  jitter("scaled_jitter(1/4,1/2)", {{8s, 8s, 2s, 3s, 4s}}, {scaled_jitter<rational{1, 4}, rational{1, 2}>{}});
  jitter("scaled_jitter(1/2,1/2)", {{8s, 8s, 4s, 4s, 4s}}, {scaled_jitter{rational{1, 2}, rational{2, 4}}});
}

/// What a hint becomes: computed and asked for; what is waited, and whose it is.
struct hinted {
  duration computed, asked, delay;
  delay_origin origin;
  duration cap = 10s;
};
constexpr duration none{-1};
struct hint_form {
  template <class H>
  hint_form(H const& h) : of{&h}, words{h.describe()} {  // NOLINT(*-explicit-*)
    static_assert(Hint<H> && is_sound<H>);
    resolve = [](void const* p, hinted const& row) -> std::optional<planned_delay> {
      return static_cast<H const*>(p)->resolve(row.computed, row.asked, row.cap);
    };
  }
  void const* of;
  std::string words;
  std::optional<planned_delay> (*resolve)(void const*, hinted const&);
};
void hint(char const* words, std::initializer_list<hinted> rows, std::initializer_list<hint_form> forms) {
  for (auto const& form : forms) {
    EXPECT_EQ(form.words, words);
    for (auto const& row : rows) {
      auto const planned = form.resolve(form.of, row);
      EXPECT_EQ(planned ? planned->delay : none, row.delay) << words << " asked for " << row.asked.count();
      if (planned) {
        EXPECT_EQ(planned->origin, row.origin) << words << " asked for " << row.asked.count();
      }
    }
  }
}

TEST(Numbers, Hints) {
  constexpr auto computed = delay_origin::backoff;
  constexpr auto asked = delay_origin::hint;
  constexpr auto cap = delay_origin::cap;
  constexpr auto refused = delay_origin::hint;
  hint("server_hint(stop)",
       {hinted{2s, 0s, 2s, computed}, hinted{2s, 1s, 2s, computed}, hinted{2s, 2s, 2s, computed},
        hinted{2s, 2s + 1ns, 2s + 1ns, asked}, hinted{2s, 10s, 10s, asked},
        hinted{0s, 60s, 60s, asked, 0s},  // a minute, whatever the cap is
        hinted{0s, 60s, 60s, asked, most}, hinted{0s, 60s + 1ns, none, refused, 50ms},
        hinted{0s, 60s + 1ns, none, refused, most}, hinted{2s, most, none, refused},
        hinted{100s, 90s, 100s, computed}},  // that is waited for anyway
       {server_hint<>{}, server_hint{long_hint::stop}, server_hint<long_hint::stop, 60s>{},
        server_hint{long_hint::stop, any{60.0}}});
  hint("server_hint(clamp)",
       {{2s, 1s, 2s, computed}, {2s, 10s, 10s, asked}, {2s, 60s + 1ns, 60s, cap}, {70s, most, 70s, cap}},
       {server_hint<long_hint::clamp>{}, server_hint{long_hint::clamp}, server_hint{long_hint::clamp, 60s}});
  hint("server_hint(ignore)",
       {{2s, 1s, 2s, computed}, {2s, 10s, 10s, asked}, {2s, 60s + 1ns, 2s, computed}, {2s, most, 2s, computed}},
       {server_hint<long_hint::ignore>{}, server_hint{long_hint::ignore}});
  hint("server_hint(stop,90s)", {{2s, 90s, 90s, asked}, {2s, 90s + 1ns, none, refused}},
       {server_hint<long_hint::stop, 90s>{}});
  hint("server_hint(clamp,5s)", {{2s, 6s, 5s, cap}},
       {server_hint<long_hint::clamp, 5s>{}, server_hint{long_hint::clamp, 5s}});
  hint("server_hint(ignore,90ms)", {{2s, 6s, 2s, computed}, {0s, 90ms, 90ms, asked}, {1ms, 91ms, 1ms, computed}},
       {server_hint{long_hint::ignore, 90ms}});
  // A limit below the computed delay shortens nothing.
  hint("server_hint(clamp,1s)", {{2s, 5s, 2s, cap}}, {server_hint<long_hint::clamp, 1s>{}});
  hint("server_hint(stop,1s)", {{2s, 1500ms, 2s, computed}, {2s, 3s, none, refused}},
       {server_hint<long_hint::stop, 1s>{}});
  hint("server_hint(stop,1ns)", {{0s, 1ns, 1ns, asked}, {0s, 2ns, none, refused}},
       {server_hint<long_hint::stop, 1ns>{}, server_hint{long_hint::stop, 1ns}});
  hint("server_hint(stop,0s)", {{0s, 0s, 0s, computed}, {0s, 1ns, none, refused}},
       {server_hint<long_hint::stop, 0s>{}});
  hint("server_hint(clamp,0s)", {{0s, 1ns, 0s, cap}}, {server_hint{long_hint::clamp, 0ns}});
  hint("clamped_hint(5s)",
       {hinted{50ms, 0s, 50ms, computed}, hinted{50ms, 50ms, 50ms, computed},
        hinted{50ms, 50ms + 1ns, 50ms + 1ns, asked}, hinted{50ms, 5050ms, 5050ms, asked},
        hinted{50ms, 5050ms + 1ns, 5050ms, cap}, hinted{50ms, 10s, 5050ms, cap},
        hinted{20s, 30s, 25s, cap},  // the window may end above the cap
        hinted{20s, 22s, 22s, asked}, hinted{0s, 4s, 4s, asked, 1s}, hinted{most - 1s, most, most, asked}},
       {clamped_hint<>{}, clamped_hint<5s>{}, clamped_hint{5s}});
  hint("clamped_hint(0s)", {{2s, 3s, 2s, cap}, {0s, 0s, 0s, computed}}, {clamped_hint<0s>{}, clamped_hint{0s}});
  EXPECT_EQ(clamped_hint{most}.resolve(2s, most, 10s)->delay, most);
  EXPECT_EQ(clamped_hint<>{}.overshoot(), 5s);
  hint("pushback_hint(10s)",
       {{1s, 0s, 0s, asked}, {1s, 5ms, 5ms, asked}, {1s, 10s, 10s, asked, 2s}, {1s, 10s + 1ns, none, refused, 20s}},
       {pushback_hint<10s>{}, pushback_hint{10s}});
  hint("pushback_hint(60s)", {{1s, 60s, 60s, asked}}, {pushback_hint<>{}});
  hint("pushback_hint(0s)", {{1s, 0s, 0s, asked}, {1s, 1ns, none, refused}}, {pushback_hint<0s>{}, pushback_hint{0s}});
}

/// What a deadline makes of a delay when so much remains; nothing: the call ends.
struct fitted {
  duration delay, remaining, fit;
};
struct deadline_form {
  template <class D>
  deadline_form(D const& d) : of{&d}, words{d.describe()} {  // NOLINT(*-explicit-*)
    static_assert(Deadline<D> && is_sound<D>);
    fit = [](void const* p, fitted const& row) {
      return static_cast<D const*>(p)->fit(row.delay, row.remaining).value_or(none);
    };
  }
  void const* of;
  std::string words;
  duration (*fit)(void const*, fitted const&);
};
void deadlines(char const* words, std::initializer_list<fitted> rows, std::initializer_list<deadline_form> forms) {
  for (auto const& form : forms) {
    EXPECT_EQ(form.words, words);
    for (auto const& row : rows) {
      EXPECT_EQ(form.fit(form.of, row), row.fit)
          << words << ": " << row.delay.count() << " of " << row.remaining.count();
    }
    for (duration const remaining : {duration{0}, duration{-1}, duration::min()}) {  // after it nothing begins
      for (duration const delay : {duration{0}, duration{1}, most}) {
        EXPECT_EQ(form.fit(form.of, {delay, remaining, none}), none) << words;
      }
    }
  }
}

TEST(Numbers, Deadlines) {
  using enum at_deadline;
  deadlines("deadline(10s)",
            {{0s, 1ns, 0s}, {4s, 5s, 4s}, {5s - 1ns, 5s, 5s - 1ns}, {5s, 5s, none}, {6s, 5s, none}, {9s, 10s, 9s}},
            {deadline<10s>{}, deadline{10s}, deadline{any{10}}});
  deadlines("deadline(10s,1s)",
            {{4s - 1ns, 5s, 4s - 1ns}, {4s, 5s, none}, {0s, 1s, none}, {0s, 1s + 1ns, 0s}, {most, most, none}},
            {deadline<10s, stop, 1s>{}, deadline{10s, stop, 1s}});
  deadlines("deadline(10s,clamp,1s)",
            {fitted{3s, 5s, 3s}, fitted{4s, 5s, 4s}, fitted{5s, 5s, 4s}, fitted{most, 5s, 4s},
             fitted{5s, 1s + 1ns, 1ns}, fitted{5s, 1s, none}, fitted{0s, 500ms, none}, fitted{most, most, most - 1s}},
            {deadline<10s, clamp, 1s>{}, deadline{10s, clamp, 1s}});
  deadlines("deadline(2s,clamp,1ns)", {{5s, 3s, 3s - 1ns}}, {deadline{2s, clamp, 1ns}});
  deadlines("deadline(10s,last_try)", {{4s, 5s, 4s}, {5s, 5s, 5s}, {6s, 5s, 5s}, {6s, 1ns, 1ns}},
            {deadline<10s, last_try>{}, deadline{10s, last_try}});
  EXPECT_EQ(deadline<10s>{}.total(), 10s);
  EXPECT_EQ(deadline{1ns}.total(), 1ns);
  EXPECT_EQ(deadline{std::chrono::hours::max()}.total(), most);
  EXPECT_EQ((deadline{1s, stop, 1s - 1ns}.total()), 1s);
}

TEST(Numbers, AttemptTimeouts) {
  using part = std::pair<duration, duration>;  // of what remains, and the limit
  auto const row = [](char const* words, std::initializer_list<part> parts, auto const&... forms) {
    auto const check = [&](auto const& form) {
      static_assert(AttemptTimeout<std::remove_cvref_t<decltype(form)>>);
      EXPECT_EQ(std::string{form.describe()}, words);
      for (auto const& [remaining, limit] : parts) EXPECT_EQ(form.of(remaining), limit) << words << remaining.count();
    };
    (check(forms), ...);
  };
  row("attempt_timeout(250ms)",
      {{most, 250ms}, {250ms + 1ns, 250ms}, {250ms, 250ms}, {250ms - 1ns, 250ms - 1ns}, {1ns, 1ns}, {0s, 0s}},
      attempt_timeout<250ms>{}, attempt_timeout{250ms}, attempt_timeout{any{0.25}});
  EXPECT_EQ(attempt_timeout<250ms>{}.value(), 250ms);
  EXPECT_EQ(attempt_timeout{1ns}.value(), 1ns);
  EXPECT_EQ(attempt_timeout{std::chrono::hours::max()}.value(), most);
  // Nothing only when nothing remains, and no limit without an end.
  row("attempt_timeout_share(1/2)",
      {part{1s, 500ms}, part{500ms, 250ms}, part{3ns, 2ns}, part{2ns, 1ns}, part{1ns, 1ns}, part{0s, 0s},
       part{-1ns, 0s}, part{duration::min(), 0s}, part{most, most}, part{most - 1ns, most / 2}},
      attempt_timeout_share<rational{1, 2}>{}, attempt_timeout_share{rational{1, 2}},
      attempt_timeout_share<rational{50, 100}>{});
  row("attempt_timeout_share(2/3)", {{3s, 2s}, {most, most}}, attempt_timeout_share<rational{2, 3}>{},
      attempt_timeout_share{rational{2, 3}});
  row("attempt_timeout_share(1/3)", {{4ns, 2ns}}, attempt_timeout_share<rational{1, 3}>{});
  row("attempt_timeout_share(1/4294967295)", {{1ns, 1ns}}, attempt_timeout_share<rational{1, ~0U}>{});
  row("attempt_timeout_share(1)", {{1s, 1s}, {1ns, 1ns}, {24h * 365, 24h * 365}, {most - 1ns, most - 1ns}},
      attempt_timeout_share<rational{1}>{}, attempt_timeout_share<rational{~0U, ~0U}>{},
      attempt_timeout_share{rational{1}});
  row("attempt_timeout_share(4294967294/4294967295)", {{1ns, 1ns}, {most - 1ns, most - 1ns - 2'147'483'648ns}},
      attempt_timeout_share<rational{~0U - 1, ~0U}>{});
}

TEST(Numbers, Limits) {
  auto const row = [](char const* words, std::uint32_t number, auto const&... limits) {
    auto const check = [&](auto const& limit) {
      EXPECT_EQ(std::string{limit.describe()}, words);
      EXPECT_EQ(limit.value(), number);
      EXPECT_FALSE(limit.permits_another(number)) << words;
      EXPECT_EQ(limit.permits_another(number - 1), true) << words;
      EXPECT_FALSE(limit.permits_another(~0U)) << words;
    };
    (check(limits), ...);
  };
  row("max_attempts(1)", 1, max_attempts<1>{}, max_attempts{1});
  row("max_attempts(5)", 5, max_attempts<5>{}, max_attempts{5}, max_attempts{5ULL});
  row("max_attempts(4294967295)", ~0U, max_attempts<4294967295>{}, max_attempts{std::uint64_t{4294967295}});
  for (std::uint32_t made : {1U, 2U, 3U, 1000U, ~0U - 1, ~0U}) EXPECT_TRUE(unbounded::permits_another(made));
  auto const resets = [](duration stable, auto const&... forms) {
    EXPECT_TRUE((!forms.starts_over(stable - 1ns) && ...));
    EXPECT_TRUE((forms.starts_over(stable) && ...));
    EXPECT_TRUE((forms.starts_over(most) && ...));
    EXPECT_TRUE((!forms.starts_over(duration::min()) && ...));
    EXPECT_TRUE(((forms.value() == stable) && ...));
  };
  resets(30s, reset_after<30s>{}, reset_after{30s}, reset_after{any{30}});
  EXPECT_EQ(for_first(~0U, no_backoff{}).retries(), ~0U);
  EXPECT_EQ(for_first(1, no_backoff{}).retries(), 1U);
  phased_backoff<for_first<4294967295, no_backoff>, constant_backoff<1s>> const longest;
  EXPECT_EQ(longest.delay(~0U), 0s);
  phased_backoff<for_first<4294967294, no_backoff>, constant_backoff<1s>> const shorter;
  EXPECT_EQ(shorter.delay(~0U - 1), 0s);
  EXPECT_EQ(shorter.delay(~0U), 1s);
}

// ---------------------------------------------------------------------------------------------------------------------
// What numbers are called

TEST(Numbers, Words) {
  constexpr auto backoff = exponential_backoff{2s, 9s};
  constexpr rate_limiter_constants own{
      .beta = 0.65, .scale = 1.5, .smooth = 1, .min_fill_rate = 0.125, .min_capacity = 20};
  auto const named = [](std::string const& words, auto const&... policies) {
    for (std::string const& said : {std::string{policies.describe()}...}) EXPECT_EQ(said, words);
  };
  named("unbounded", unbounded{});
  named("reset_after(30s)", reset_after<30s>{});
  named("reset_after(1500ms)", reset_after{1500ms});
  named("history(4)", history<4>{});
  named("decorrelated_jitter", decorrelated_jitter{});
  named("jittered_hint(1/2,server_hint(stop))", jittered_hint<>{});
  named("jittered_hint(1/4,server_hint(clamp,5s))", jittered_hint{rational{2, 8}, server_hint{long_hint::clamp, 5s}});
  named("unlimited_quota", unlimited_quota{});
  named("concurrency_budget(20%,3)", concurrency_budget<>{});
  named("concurrency_budget(5%,0)", concurrency_budget{5, 0});
  named("refilling_bucket(10,100ms)", refilling_bucket<10, 100ms>{});
  named("refilling_bucket(7,1s)", refilling_bucket{7, 1s});
  named("refilling_bucket(10,100ms,reserve,1s)", refilling_bucket{10, 100ms, longest_wait{1s}});
  named("refilling_bucket(1,100ms,reserve,10s)", refilling_bucket<1, 100ms, when_empty::reserve, 10s>{});
  named("refilling_bucket(1,1s,transient=14,throttling=5,timeout=10,server=14,client=14)",
        refilling_bucket{1, 1s, retry_costs{.timeout = 10}});
  named("retry_budget(20%,10/s,10s)", retry_budget<>{});
  named("retry_budget(5%,0/s,1500ms)", retry_budget{5, 0, 1500ms});
  named("retry_throttle(100,1/10)", retry_throttle<>{});
  named("retry_throttle(10,1/1000)", retry_throttle{10, rational{1, 1000}});
  named("retry_throttle(10,1/40)", retry_throttle{10, rational{1, 40}});
  named("retry_throttle(10,2)", retry_throttle{10, rational{2}});
  named("retry_throttle(10,617/50)", retry_throttle{10, rational{12'340, 1000}});
  named("token_bucket(500)", token_bucket<500>{});
  named("token_bucket(19,transient=14,throttling=5,timeout=10,server=14,client=14)",
        token_bucket{19, retry_costs{.timeout = 10}});
  named("token_bucket(500,otherwise=0)", token_bucket<500, retry_costs{}, refund::last_cost(0)>{});
  named("token_bucket(500,refund=2)", token_bucket<500, retry_costs{}, refund::fixed(2)>{});
  named("token_bucket(500,refund=1/10,partial)",
        token_bucket{500, retry_costs{}, refund::fraction(1, 10), payment::partial});
  named("striped(retry_budget(20%,10/s,10s))", striped<retry_budget<>>{});
  named("striped(retry_budget(50%,2/s,5s))", striped{retry_budget{50, 2, 5s}});
  named("striped(concurrency_budget(20%,3))", striped<concurrency_budget<>>{});
  named("striped(concurrency_budget(10%,2))", striped{concurrency_budget{10, 2}});
  named("striped(rate_breaker(50%,10s,20,30s))", striped<rate_breaker<>>{});
  named("striped(rate_breaker(40%,1s,5,2s,3))", striped{rate_breaker{40, 1s, 5, 2s, 3}});
  named("striped(client_throttle(2,120s))", striped<client_throttle<>>{});
  named("striped(client_rate_limiter(fail_fast))", striped<client_rate_limiter<when_limited::fail_fast>>{});
  named("circuit_breaker(5,30s)", circuit_breaker<>{});
  named("circuit_breaker(7,1500ms,2)", circuit_breaker<7, 1500ms, 2>{}, circuit_breaker{7, 1500ms, 2});
  named("circuit_breaker(7,3600s)", circuit_breaker{7U, 1h});
  named("circuit_breaker(4294967295,1ns,4194303)", circuit_breaker{4'294'967'295, 1ns, 4'194'303});
  named("rate_breaker(50%,10s,20,30s)", rate_breaker<>{});
  named("rate_breaker(7%,1500ms,3,2s,4)", rate_breaker<7, 1500ms, 3, 2s, 4>{}, rate_breaker{7, 1500ms, 3, 2s, 4});
  named("rate_breaker(7%,3600s,3,120s)", rate_breaker{7U, 1h, 3L, 2min});
  named("rate_breaker(100%,250ms,32767,1ns,4194303)", rate_breaker{100, 250ms, 32'767, 1ns, 4'194'303});
  named("client_throttle(2,120s)", client_throttle<>{});
  named("client_throttle(11/10,1500ms)", client_throttle<rational{11, 10}, 1500ms>{});
  named("client_throttle(3/2,3600s)", client_throttle{rational{3, 2}, 1h});
  named("max_concurrency(7)", max_concurrency<7>{});
  named("max_concurrency(4294967295)", max_concurrency{4'294'967'295});
  named("adaptive_concurrency(7,250ms)", adaptive_concurrency<7, 250ms>{});
  named("adaptive_concurrency(65535,1s,65535)", adaptive_concurrency{65'535, 1s, 65'535});
  named("cool_down(exponential(1s,60s))", cool_down<>{});
  named("cool_down(constant(5s),refuse,ignored=3)", cool_down<constant_backoff<5s>, when_cooling::refuse, 3>{});
  named("cool_down(constant(5s),longest_wait=1500ms)",
        cool_down<constant_backoff<5s>, when_cooling::wait, 0, 1500ms>{});
  named("cool_down(exponential(2s,9s))", cool_down{backoff});
  named("cool_down(exponential(2s,9s),ignored=1)", cool_down{backoff, 1});
  named("cool_down(exponential(2s,9s),ignored=1,longest_wait=5s)", cool_down{backoff, 1, 5s});
  named("client_rate_limiter", client_rate_limiter<when_limited::wait>{});
  named("client_rate_limiter(fail_fast)", client_rate_limiter<when_limited::fail_fast>{});
  named("client_rate_limiter(fail_fast,beta=0.65,scale=1.5,smooth=1,min_fill_rate=0.125,min_capacity=20)",
        client_rate_limiter<when_limited::fail_fast, own>{});
  named("client_rate_limiter(beta=0.65,scale=1.5,smooth=1,min_fill_rate=0.125,min_capacity=20)",
        client_rate_limiter{own});
  named("rate_limit(100,1s)", rate_limit<100, 1s>{});
  named("rate_limit(100,1s,1,1s)", rate_limit<100, 1s, 1>{});
  named("rate_limit(100,1s,100,0s)", rate_limit{100, 1s, 100, 0s});
  named("rate_limit(4294967295,3600s,2,3600s)", rate_limit{4'294'967'295, 1h, 2});
  EXPECT_EQ(to_string(delay_origin::backoff), "backoff");
  EXPECT_EQ(to_string(delay_origin::hint), "hint");
  EXPECT_EQ(to_string(delay_origin::cap), "cap");
  EXPECT_EQ(to_string(delay_origin::deadline), "deadline");
  EXPECT_EQ(to_string(static_cast<delay_origin>(99)), "unknown");
  EXPECT_EQ(detail::decimal(0.5), "0.5");
  EXPECT_EQ(detail::decimal(0.000001), "0.000001");
  EXPECT_EQ(detail::decimal(120), "120");
  EXPECT_EQ(detail::decimal(1.0000004), "1.0000004");
}

// ---------------------------------------------------------------------------------------------------------------------
// What numbers are refused: by the constructor, and by the compiler (tests/mistakes has its words)

/// One of the numbers that a policy refuses, and how its message names it.
struct refused {
  char const* but_is;
  void (*make)();
};
void refuses(std::string const& requirement, std::initializer_list<refused> numbers) {
  for (auto const& [but_is, make] : numbers) EXPECT_REJECTED(make(), "anew::" + requirement + ", but is " + but_is);
}
#define OF(number, ...)                            \
  refused {                                        \
    number, [] { static_cast<void>(__VA_ARGS__); } \
  }

TEST(Numbers, Refusals) {
  refuses("constant_backoff: delay must not be negative",
          {OF("-1ns", constant_backoff{-1ns}), OF("-2s", constant_backoff{-2s}),
           OF("-9223372036854775808ns", constant_backoff{any{nan}}),
           OF("-9223372036854775808ns", constant_backoff{any{-infinity}})});
  refuses("exponential_backoff: base must be above zero",
          {OF("0s", exponential_backoff{0s, 1s}), OF("-5ms", exponential_backoff{-5ms, 1s}),
           OF("0s", exponential_backoff{0s, 1s, rational{3, 2}})});
  refuses("exponential_backoff: cap must not be below base",
          {OF("1ns (base 2ns)", exponential_backoff{2ns, 1ns}),
           OF("-9223372036854775808ns (base 1s)", exponential_backoff{1s, any{nan}})});
  refuses("exponential_backoff: factor must be at least 1",
          {OF("2/3", exponential_backoff{1s, 2s, rational{2, 3}}), OF("0", exponential_backoff{1s, 2s, rational{0}}),
           OF("not a number from 0 to 4294967295", exponential_backoff{1s, 2s, rational{1, 0}})});
  refuses("linear_backoff: base must not be negative", {OF("-1ns", linear_backoff{-1ns, 1s})});
  refuses("linear_backoff: cap must not be below base", {OF("1s (base 2s)", linear_backoff{2s, 1s})});
  refuses("linear_backoff: step must be above zero",
          {OF("0s", linear_backoff{1s, 2s, 0s}), OF("0s", linear_backoff{0s, 2s})});
  refuses("fibonacci_backoff: base must be above zero", {OF("0s", fibonacci_backoff{0s, 1s})});
  refuses("fibonacci_backoff: cap must not be below base", {OF("1s (base 2s)", fibonacci_backoff{2s, 1s})});
  refuses("at_least_backoff: min must not be negative", {OF("-1ms", at_least_backoff{constant_backoff{1s}, -1ms})});
  refuses("raised_cap_backoff: fraction must be between 0 and 1",
          {OF("5/4", raised_cap_backoff{constant_backoff{1s}, rational{5, 4}}),
           OF("0/0", raised_cap_backoff{constant_backoff{1s}, rational{0, 0}})});
  refuses("sequence_backoff: there must be at least one delay",
          {OF("none", sequence_backoff{durations{}}), OF("none", sequence_backoff{std::initializer_list<duration>{}})});
  refuses("sequence_backoff: the delay before retry 3 must not be negative",
          {OF("-5ms", sequence_backoff{1s, 0ms, -5ms, -6ms})});
  refuses("sequence_backoff: the delay before retry 2 must not be negative",
          {OF("-2s", sequence_backoff{std::vector{1s, -2s}})});
  refuses("sequence_backoff: the delay before retry 1 must not be negative",
          {OF("-9223372036854775808ns", sequence_backoff{any{nan}})});
  refuses("for_first: retries must be between 1 and 4294967295",
          {OF("0", for_first{0, no_backoff{}}), OF("-1", for_first{-1, no_backoff{}}),
           OF("4294967296", for_first{std::int64_t{4294967296}, no_backoff{}})});
  refuses("proportional_jitter: fraction must be between 0 and 1",
          {OF("3/2", proportional_jitter{rational{3, 2}}),
           OF("not a number from 0 to 4294967295", proportional_jitter{rational{1, 0}}),
           OF("0/0", proportional_jitter{rational{0, 0}})});
  refuses("scaled_jitter: high must not be below low",
          {OF("13/10 and 4/5", scaled_jitter{rational{13, 10}, rational{4, 5}})});
  refuses("scaled_jitter: denominators must be above zero",
          {OF("not a number from 0 to 4294967295 and 4/5", scaled_jitter{rational{1, 0}, rational{4, 5}}),
           OF("1/2 and 4/0", scaled_jitter{rational{1, 2}, rational{4, 0}})});
  refuses("server_hint: longest must not be negative",
          {OF("-1ns", server_hint{long_hint::stop, -1ns}),
           OF("-9223372036854775808ns", server_hint{long_hint::clamp, any{nan}})});
  refuses("clamped_hint: overshoot must not be negative", {OF("-1ns", clamped_hint{-1ns})});
  refuses("pushback_hint: longest must not be negative", {OF("-1ms", pushback_hint{-1ms})});
  refuses("jittered_hint: fraction must be above zero",
          {OF("0", jittered_hint{rational{0, 1}}),
           OF("not a number from 0 to 4294967295", jittered_hint{rational{1, 0}, server_hint<>{}})});
  refuses(
      "max_attempts: attempts must be between 1 and 4294967295",
      {OF("0", max_attempts{0U}), OF("-1", max_attempts{-1}), OF("4294967296", max_attempts{std::int64_t{4294967296}}),
       OF("4294967297", max_attempts{std::int64_t{4294967297}}),
       OF("18446744073709551615", max_attempts{~std::uint64_t{0}})});
  refuses("attempt_timeout: limit must be above zero",
          {OF("0s", attempt_timeout{0s}), OF("-1ms", attempt_timeout{-1ms}),
           OF("-9223372036854775808ns", attempt_timeout{any{nan}})});
  refuses("attempt_timeout_share: share must be above 0 and at most 1",
          {OF("0", attempt_timeout_share{rational{0, 2}}), OF("3/2", attempt_timeout_share{rational{3, 2}}),
           OF("0/0", attempt_timeout_share{rational{0, 0}}),
           OF("not a number from 0 to 4294967295", attempt_timeout_share{rational{1, 0}})});
  refuses("deadline: total must be above zero",
          {OF("0s", deadline{0s}), OF("-1ms", deadline{-1ms}), OF("-9223372036854775808ns", deadline{any{nan}})});
  refuses("deadline: reserve must be at least zero and below total",
          {OF("-1ns", deadline{1s, at_deadline::stop, -1ns}), OF("1s", deadline{1s, at_deadline::stop, 1s})});
  refuses("deadline: reserve must be above zero with at_deadline::clamp", {OF("0s", deadline{1s, at_deadline::clamp})});
  refuses("reset_after: stable must be above zero", {OF("0s", reset_after{0s}), OF("-1s", reset_after{-1s})});
  refuses("concurrency_budget: percent must be between 0 and 100",
          {OF("-1", concurrency_budget{-1, 3}), OF("101", concurrency_budget{101, 3})});
  refuses("concurrency_budget: the least number of retries must be between 0 and 4294967295",
          {OF("-1", concurrency_budget{20, -1}), OF("4294967296", concurrency_budget{20, std::int64_t{4294967296}})});
  refuses("refilling_bucket: capacity must be between 0 and 4294967295",
          {OF("-1", refilling_bucket{-1, 1s}), OF("4294967296", refilling_bucket{std::int64_t{4294967296}, 1s})});
  refuses("refilling_bucket: per must be above zero",
          {OF("0s", refilling_bucket{1, 0s}), OF("-1ms", refilling_bucket{1, -1ms})});
  refuses("refilling_bucket: longest_wait must be above zero", {OF("0s", refilling_bucket{1, 1s, longest_wait{0s}})});
  refuses("refilling_bucket: an empty bucket must be full within 146 years",
          {OF("4294967295 times 86400s", refilling_bucket{std::int64_t{4294967295}, 24h}),
           OF("1 times 1s", refilling_bucket{1, 1s, longest_wait{most / 2}})});
  refuses(
      "refilling_bucket: every cost must be above zero",
      {OF("transient=14,throttling=5,timeout=14,server=0,client=14", refilling_bucket{1, 1s, retry_costs{.server = 0}}),
       OF("transient=0,throttling=5,timeout=0,server=0,client=0",
          refilling_bucket{1, 1s, longest_wait{1s}, retry_costs{.transient = 0}})});
  refuses("retry_budget: percent must be between 0 and 1000",
          {OF("-1", retry_budget{-1, 0, 10s}), OF("1001", retry_budget{1001, 0, 10s})});
  refuses("retry_budget: retries a second must be between 0 and 100000",
          {OF("-1", retry_budget{20, -1, 10s}), OF("100001", retry_budget{20, 100'001, 10s})});
  refuses("retry_budget: window must be between 1s and 60s",
          {OF("999ms", retry_budget{20, 10, 999ms}), OF("61s", retry_budget{20, 10, 61s})});
  refuses("retry_throttle: max_tokens must be between 1 and 1000",
          {OF("0", retry_throttle{0, rational{1, 10}}), OF("1001", retry_throttle{1001, rational{1, 10}})});
  refuses(
      "retry_throttle: ratio must be between 1/1000 and 1000",
      {OF("0", retry_throttle{10, rational{0}}), OF("1000001/1000", retry_throttle{10, rational{1'000'001, 1000}})});
  refuses("token_bucket: capacity must be between 0 and 4294967295",
          {OF("-1", token_bucket{-1}), OF("4294967296", token_bucket{std::int64_t{4294967296}}),
           OF("-1", token_bucket{-1, retry_costs{}})});
  refuses("token_bucket: at least one cost must be above zero", {OF("all 0", token_bucket{1, retry_costs::all(0)})});
  refuses("token_bucket: capacity must be 0 or at least the cost of one retry",
          {OF("13 (cost 14)", token_bucket{13}), OF("13 (cost 14)", shared{token_bucket{13}}),
           OF("13 (cost 14)", partitioned_by<int>(2, [] { return token_bucket{13}; })),
           OF("9 (cost 10)", token_bucket{9, retry_costs{.transient = 10, .client = 1}}),
           OF("13 (cost 14)", token_bucket{13, retry_costs{}, 0})});
  refuses("token_bucket: den of the refund must be above zero",
          {OF("0", token_bucket{500, retry_costs{}, refund::fraction(1, 0)})});
  refuses("token_bucket: capacity and cost, times den of the refund, must be at most 4294967295",
          {OF("500 * 8589935", token_bucket{500, retry_costs{}, refund::fraction(1, 8'589'935)}),
           OF("14 * 4294967295", token_bucket{0, retry_costs{}, refund::fraction(1, 4'294'967'295)})});
  refuses("circuit_breaker: failures must be between 1 and 4294967295",
          {OF("0", circuit_breaker{0, 30s}), OF("-1", circuit_breaker{-1, 30s}),
           OF("4294967296", circuit_breaker{4'294'967'296, 30s})});
  refuses("circuit_breaker: open_for must be above zero", {OF("0s", circuit_breaker{1, 0s})});
  refuses("circuit_breaker: probes must be between 1 and 4194303",
          {OF("0", circuit_breaker{1, 1s, 0}), OF("4194304", circuit_breaker{1, 1s, 4'194'304})});
  refuses("rate_breaker: percent must be between 1 and 100",
          {OF("0", rate_breaker{0, 10s, 20, 30s}), OF("101", rate_breaker{101, 10s, 20, 30s}),
           OF("101", striped<decltype(rate_breaker{40, 1s, 5, 2s})>{101, 1s, 5, 2s})});
  refuses("rate_breaker: window must be at least 250ms", {OF("249ms", rate_breaker{50, 249ms, 20, 30s})});
  refuses("rate_breaker: min_volume must be between 1 and 32767",
          {OF("0", rate_breaker{50, 10s, 0, 30s}), OF("32768", rate_breaker{50, 10s, 32'768, 30s})});
  refuses("rate_breaker: open_for must be above zero", {OF("-1s", rate_breaker{50, 10s, 20, -1s})});
  refuses("rate_breaker: probes must be between 1 and 4194303", {OF("0", rate_breaker{50, 10s, 20, 30s, 0})});
  refuses("max_concurrency: the number of attempts must be between 1 and 4294967295", {OF("0", max_concurrency{0})});
  refuses("adaptive_concurrency: most must be between 1 and 65535",
          {OF("0", adaptive_concurrency{0, 1s}), OF("65536", adaptive_concurrency{65'536, 1s})});
  refuses("adaptive_concurrency: slow must be above zero", {OF("0s", adaptive_concurrency{1, 0s})});
  refuses("adaptive_concurrency: least must be between 1 and 65535", {OF("0", adaptive_concurrency{1, 1s, 0})});
  refuses("adaptive_concurrency: least must not be above most", {OF("3", adaptive_concurrency{2, 1s, 3})});
  refuses("rate_limit: n must be between 1 and 4294967295",
          {OF("0", rate_limit{0, 1s}), OF("4294967296", rate_limit{4'294'967'296, 1h})});
  refuses("rate_limit: per must be above zero", {OF("0s", rate_limit{1, 0s})});
  refuses("rate_limit: n must be at most one for each nanosecond of per", {OF("1001", rate_limit{1001, 1us})});
  refuses("rate_limit: burst must be between 1 and 4294967295", {OF("0", rate_limit{1, 1s, 0})});
  refuses("rate_limit: longest must not be negative", {OF("-1ns", rate_limit{1, 1s, 1, -1ns})});
  refuses("client_throttle: k must be between 1 and 1000",
          {OF("9/10", client_throttle{rational{9, 10}, 10s}), OF("1001", client_throttle{rational{1001}, 10s}),
           OF("not a number from 0 to 4294967295", client_throttle{rational{1, 0}, 10s})});
  refuses("client_throttle: window must be between 1s and 3600s",
          {OF("999ms", client_throttle{rational{2}, 999ms}), OF("3660s", client_throttle{rational{2}, 61min})});
  refuses("cool_down: the longest wait must be above zero", {OF("0s", cool_down{no_backoff{}, 0, 0s})});
  refuses("cool_down: ignored must be between 0 and 1000",
          {OF("-1", cool_down{no_backoff{}, -1}), OF("1001", cool_down{no_backoff{}, 1'001})});
}
#undef OF

/// Numbers of the type make an empty policy, which the compiler judges; numbers of the object make no default.
template <class... Fixed>
inline constexpr bool are_empty_and_sound = ((std::is_empty_v<Fixed> && is_sound<Fixed>) && ...);
template <class... Policies>
inline constexpr bool are_sound = (is_sound<Policies> && ...);
template <class... Policies>
inline constexpr bool are_unsound = (!is_sound<Policies> && ...);
template <class... Chosen>
constexpr bool have_no_default(Chosen const&... /*forms*/) {
  return (!std::is_default_constructible_v<Chosen> && ...) && (is_sound<Chosen> && ...);
}
static_assert(
    are_empty_and_sound<
        constant_backoff<0ns>, exponential_backoff<1ns, 1ns, rational{1}>, exponential_backoff<2ns, 2ns>,
        linear_backoff<1s, 1s, 1s>, fibonacci_backoff<1ns, 1ns>, at_least_backoff<exponential_backoff<1s, 1s>, 0s>,
        raised_cap_backoff<exponential_backoff<>, rational{1, 5}>, immediate_first<constant_backoff<1s>>,
        sum_backoff<no_backoff, exponential_backoff<1s, 1s>>, sequence_backoff<0s>, phased_backoff<no_backoff>,
        phased_backoff<for_first<4294967295, no_backoff>, no_backoff>, proportional_jitter<rational{0}>,
        proportional_jitter<rational{1}>, scaled_jitter<rational{1}, rational{1}>, server_hint<>,
        server_hint<long_hint::clamp, 0ns>, clamped_hint<0s>, pushback_hint<0s>, jittered_hint<>, max_attempts<1>,
        max_attempts<4294967295>, attempt_timeout<1ns>, attempt_timeout_share<rational{~0U, ~0U}>,
        attempt_timeout_share<rational{1, ~0U}>, deadline<1ns>, deadline<1s, at_deadline::stop, 1s - 1ns>,
        deadline<1s, at_deadline::clamp, 1ns>, deadline<1s, at_deadline::last_try, 0ns>, reset_after<1ns>>);
static_assert(
    are_unsound<
        constant_backoff<-1ns>, constant_backoff<duration::min() + 1ns>, exponential_backoff<0ns, 1ns>,
        exponential_backoff<-1ns, 1ns>, exponential_backoff<2ns, 1ns>, exponential_backoff<1s, 2s, rational{99, 100}>,
        exponential_backoff<1s, 2s, rational{1, 0}>, linear_backoff<-1ns, 1s>, linear_backoff<2s, 1s>,
        linear_backoff<0s, 2s>, fibonacci_backoff<0ns, 1ns>, fibonacci_backoff<2ns, 1ns>,
        at_least_backoff<constant_backoff<-1s>, 1s>, at_least_backoff<constant_backoff<1s>, -1s>,
        raised_cap_backoff<exponential_backoff<>, rational{6, 5}>, raised_cap_backoff<no_jitter, rational{1, 5}>,
        immediate_first<constant_backoff<-1s>>, sum_backoff<max_attempts<3>, constant_backoff<1s>>,
        sum_backoff<constant_backoff<1s>, constant_backoff<-1s>>, sum_backoff<exponential_backoff<0s, 1s>, no_backoff>,
        sequence_backoff<>, sequence_backoff<1s, run_time>, proportional_jitter<rational{3, 2}>,
        proportional_jitter<rational{1, 0}>, scaled_jitter<rational{2}, rational{19, 10}>,
        scaled_jitter<rational{2}, at_run_time<rational>>>);
static_assert(
    are_unsound<
        server_hint<long_hint::clamp, -2ns>, server_hint<long_hint::stop, -1s>, pushback_hint<-1s>, clamped_hint<-1ns>,
        jittered_hint<rational{0}>, jittered_hint<rational{1, 0}>, jittered_hint<rational{1, 2}, jittered_hint<>>,
        jittered_hint<rational{1, 2}, server_hint<long_hint::stop, -1s>>, max_attempts<0>, max_attempts<-1>,
        max_attempts<4294967296>, max_attempts<std::numeric_limits<std::int64_t>::max()>, attempt_timeout<0s>,
        attempt_timeout<-1ns>, attempt_timeout_share<rational{0, 1}>, attempt_timeout_share<rational{2}>,
        attempt_timeout_share<rational{3, 2}>, attempt_timeout_share<rational{1, 0}>, deadline<0ns>, deadline<-1ns>,
        deadline<1s, at_deadline::stop, 1s>, deadline<1s, at_deadline::stop, -1ns>,
        deadline<1s, at_deadline::clamp, -1ns>, deadline<1s, at_deadline::clamp, 0ns>,
        deadline<1s, at_deadline::last_try, 2s>, deadline<1s, at_deadline::stop, run_time>, deadline<run_time>,
        reset_after<0s>, reset_after<-1s>, concurrency_budget<101, 0>, concurrency_budget<-1, 0>, max_concurrency<0>,
        max_concurrency<4294967296>, adaptive_concurrency<0, 1s>, adaptive_concurrency<65536, 1s>,
        adaptive_concurrency<1, 0s>, adaptive_concurrency<1, 1s, 0>, adaptive_concurrency<1, 1s, 2>, rate_limit<0, 1s>,
        rate_limit<1, 0s>, rate_limit<1001, 1us>, rate_limit<1, 1s, 0>, rate_limit<1, 1s, 1, -1ns>,
        client_throttle<rational{9, 10}>, client_throttle<rational{1001}>, client_throttle<rational{2}, 999ms>,
        client_throttle<rational{2}, 3601s>, cool_down<full_jitter>, cool_down<no_backoff, when_cooling::wait, 1'001>,
        cool_down<no_backoff, when_cooling::wait, -1>, cool_down<no_backoff, when_cooling::wait, 0, 0s>,
        striped<rate_breaker<101>>, striped<retry_budget<1001>>, striped<concurrency_budget<101>>, history<0>,
        history<-1>, history<65'537>>);
static_assert(
    are_sound<circuit_breaker<1, 1ns, 4'194'303>, rate_breaker<100, 250ms, 32'767, 1ns, 4'194'303>, rate_breaker<1>>);
static_assert(are_unsound<circuit_breaker<0>, circuit_breaker<4'294'967'296>, circuit_breaker<1, 0s>,
                          circuit_breaker<1, 1s, 0>, circuit_breaker<1, 1s, 4'194'304>, rate_breaker<0>,
                          rate_breaker<101>, rate_breaker<50, 0s>, rate_breaker<50, 249ms>, rate_breaker<50, 1s, 0>,
                          rate_breaker<50, 1s, 32'768>, rate_breaker<50, 1s, 1, 0s>, rate_breaker<50, 1s, 1, 1s, 0>>);
// An ordinary retry of a bucket counts, and a kind for which there is no room is never retried; some kind must cost.
static_assert(
    are_sound<token_bucket<0>, token_bucket<14>, token_bucket<4294967295>, token_bucket<1, retry_costs::all(1)>,
              token_bucket<2, retry_costs{2, 1, 1, 1, 1}>, token_bucket<1, retry_costs{1, 2, 2, 2, 2}>,
              token_bucket<1, retry_costs::all(2), refund{}, payment::partial>,
              token_bucket<1, retry_costs{0, 1, 1, 1, 1}>, token_bucket<1, retry_costs{0, 0, 0, 0, 1}>,
              token_bucket<500, retry_costs{}, refund::fraction(1, 8'589'934)>, decltype(token_bucket{14})>);
static_assert(are_unsound<token_bucket<-1>, token_bucket<4294967296>, token_bucket<13>, token_bucket<1>,
                          token_bucket<1, retry_costs::all(2)>, token_bucket<1, retry_costs{2, 1, 1, 1, 1}>,
                          token_bucket<1, retry_costs::all(0)>, token_bucket<0, retry_costs::all(0)>,
                          token_bucket<-1, retry_costs{0, 1, 1, 1, 1}>,
                          token_bucket<500, retry_costs{}, refund::fraction(1, 8'589'935)>,
                          token_bucket<0, retry_costs{}, refund::fraction(1, 4'294'967'295)>,
                          token_bucket<500, retry_costs{}, refund::fraction(1, 0)>>);
static_assert(
    have_no_default(linear_backoff{1s, 2s}, fibonacci_backoff{1s, 2s}, exponential_backoff{1s, 2s, rational{2}},
                    constant_backoff{1s}, at_least_backoff{constant_backoff{1s}, 1s},
                    at_least_backoff<constant_backoff<1s>, run_time>{constant_backoff<1s>{}, 1s},
                    sum_backoff{constant_backoff{1s}, no_backoff{}}, sum_backoff{no_backoff{}, constant_backoff{1s}},
                    phased_backoff{for_first{3, no_backoff{}}, no_backoff{}}, proportional_jitter{rational{1, 2}},
                    server_hint{long_hint::stop, 1s}, jittered_hint{rational{1, 4}, server_hint<>{}}, max_attempts{1},
                    attempt_timeout{1s}, attempt_timeout_share{rational{1, 2}}, deadline{1s}));
// All numbers are of the type, or all of the object; none comes by a conversion.
static_assert(!std::is_constructible_v<linear_backoff<1s, 10s, run_time>, duration, duration, duration>);
static_assert(!std::is_default_constructible_v<fibonacci_backoff<1s, run_time>>);
static_assert(!std::is_default_constructible_v<deadline<1s, at_deadline::stop, run_time>>);
static_assert(!std::is_default_constructible_v<deadline<run_time>> && !detail::is_above_zero<0ns>);
static_assert(!std::is_constructible_v<deadline<run_time>, duration>);
static_assert(!std::is_constructible_v<attempt_timeout<1s>, duration>);
static_assert(!std::is_convertible_v<duration, attempt_timeout<run_time>>);
static_assert(!std::is_constructible_v<attempt_timeout_share<rational{1, 2}>, rational>);
static_assert(!std::is_convertible_v<rational, decltype(attempt_timeout_share{rational{1, 2}})>);
static_assert(sizeof(at_least_backoff<at_least_backoff<constant_backoff<1s>, 1s>, 1s>) == 1 &&
              sizeof(at_least_backoff{constant_backoff<1s>{}, 1s}) == sizeof(duration));
static_assert(sizeof(strategy<scaled_jitter<rational{1}, rational{1}>, reset_after<30s>, history<4>>) == 1);
// They are constants, the far ends too.
static_assert(linear_backoff{1s, 20s, 2s}.delay(3) == 5s && fibonacci_backoff{1s, 20s}.delay(~0U) == 20s);
static_assert(exponential_backoff{3s, 60s, rational{3, 2}}.delay(~0U) == 60s && constant_backoff{1s}.cap() == 1s);
static_assert(sequence_backoff{1s, 3s, 2s}.delay(2) == 3s && sequence_backoff{1s, 2s}.delay(~0U) == 2s);
static_assert(at_least_backoff{constant_backoff{1s}, 2s}.delay(1) == 2s &&
              immediate_first{constant_backoff{1s}}.delay(2) == 1s);
static_assert(phased_backoff{for_first{3, no_backoff{}}, constant_backoff{1s}}.delay(4) == 1s);
static_assert([] {
  auto random = [] { return ~std::uint64_t{0}; };
  proportional_jitter<rational{1, 5}>::state_type state{};
  return proportional_jitter<rational{1, 5}>{}.apply({1s, 10s, 20s}, state, random);
}() == 12s);

}  // namespace
}  // namespace numbers_test
