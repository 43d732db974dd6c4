// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/observer/fan_out.hpp"

namespace observer_fan_out_test {

using story = std::vector<std::string>;

struct hears_all {
  using role = anew::roles::observer;
  story* to;
  std::string name;
  void on_attempt(anew::attempt_event const& e) const { to->push_back(name + " attempt " + std::to_string(e.attempt)); }
  void on_retry(anew::retry_event const& e) const { to->push_back(name + " retry " + std::to_string(e.attempt)); }
  void on_end(anew::end_event const& e) const { to->push_back(name + " end " + std::to_string(e.attempts)); }
  [[nodiscard]] std::string describe() const { return name; }
};

struct hears_attempts {
  using role = anew::roles::observer;
  story* to;
  void on_attempt(anew::attempt_event const& e) const { to->push_back("attempts " + std::to_string(e.attempt)); }
};

struct hears_the_end {
  using role = anew::roles::observer;
  story* to;
  void on_end(anew::end_event const& e) const { to->push_back("end " + std::to_string(e.attempts)); }
};

struct hears_retries {
  using role = anew::roles::observer;
  story* to;
  void on_retry(anew::retry_event const& e) const { to->push_back("retries " + std::to_string(e.attempt)); }
};

struct empty_one {
  using role = anew::roles::observer;
  static inline int heard = 0;
  static void on_end(anew::end_event const& /*e*/) { ++heard; }
};
struct empty_two {
  using role = anew::roles::observer;
  static inline int heard = 0;
  static void on_retry(anew::retry_event const& /*e*/) { ++heard; }
};

struct not_const {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& /*e*/) {}
};

template <class O>
concept TellsAttempts = requires(O const& o, anew::attempt_event const& e) { o.on_attempt(e); };
template <class O>
concept TellsRetries = requires(O const& o, anew::retry_event const& e) { o.on_retry(e); };
template <class O>
concept TellsTheEnd = requires(O const& o, anew::end_event const& e) { o.on_end(e); };

/// A call that succeeds at its attempt `calls`, with this observer.
template <class Observer>
void run(Observer observer, int calls) {
  int made = 0;
  auto const strategy =
      anew::compose(anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<5>{}, std::move(observer));
  EXPECT_TRUE(anew::retry(strategy, [&] { return ++made == calls; }));
}

namespace {

using anew::fan_out;

static_assert(anew::Observer<fan_out<empty_one>>);
static_assert(anew::Observer<fan_out<hears_attempts, hears_the_end, hears_retries>>);
static_assert(fan_out<hears_attempts, hears_the_end>::is_sound);

// What nobody hears is not told: a strategy has no code for it.
static_assert(TellsAttempts<fan_out<hears_attempts>> && !TellsRetries<fan_out<hears_attempts>> &&
              !TellsTheEnd<fan_out<hears_attempts>>);
static_assert(!TellsAttempts<fan_out<hears_retries, empty_two>> && TellsRetries<fan_out<hears_retries, empty_two>> &&
              !TellsTheEnd<fan_out<hears_retries, empty_two>>);
static_assert(!TellsAttempts<fan_out<hears_the_end>> && !TellsRetries<fan_out<hears_the_end>> &&
              TellsTheEnd<fan_out<hears_the_end>>);
static_assert(TellsAttempts<fan_out<hears_the_end, hears_attempts>> &&
              TellsTheEnd<fan_out<hears_the_end, hears_attempts>> &&
              !TellsRetries<fan_out<hears_the_end, hears_attempts>>);
static_assert(TellsRetries<fan_out<empty_one, fan_out<empty_two>>> &&
              !TellsAttempts<fan_out<empty_one, fan_out<empty_two>>>);

// What cannot be composed says so, and keeps the shape of an observer for as long as that takes.
static_assert(!fan_out<>::is_sound && anew::Observer<fan_out<>>);
static_assert(!fan_out<empty_one, int>::is_sound && anew::Observer<fan_out<empty_one, int>>);
static_assert(!fan_out<not_const>::is_sound && !fan_out<anew::full_jitter>::is_sound);
static_assert(!fan_out<empty_two, fan_out<>>::is_sound);
static_assert(!anew::Composable<fan_out<>> && !anew::Composable<fan_out<empty_one, fan_out<int>>>);
static_assert(anew::Composable<fan_out<empty_one, empty_two>>);

static_assert(std::is_empty_v<fan_out<empty_one, empty_two>>);
static_assert(sizeof(anew::strategy<fan_out<empty_one, empty_two>>) == 1);
static_assert(std::is_default_constructible_v<fan_out<empty_one, empty_two>>);
static_assert(std::is_same_v<decltype(fan_out{empty_one{}, hears_the_end{}}), fan_out<empty_one, hears_the_end>>);

TEST(FanOut, TellsEveryOneInOrder) {
  story heard;
  run(fan_out{hears_all{&heard, "a"}, hears_all{&heard, "b"}}, 2);
  EXPECT_EQ(heard, (story{"a attempt 1", "b attempt 1", "a retry 2", "b retry 2", "a attempt 2", "b attempt 2",
                          "a end 2", "b end 2"}));
}

TEST(FanOut, TellsEachOnlyWhatItHears) {
  story heard;
  run(fan_out{hears_the_end{&heard}, hears_retries{&heard}, hears_attempts{&heard}}, 2);
  EXPECT_EQ(heard, (story{"attempts 1", "retries 2", "attempts 2", "end 2"}));
}

TEST(FanOut, OfOneIsThatOne) {
  story heard;
  run(fan_out{hears_all{&heard, "a"}}, 1);
  EXPECT_EQ(heard, (story{"a attempt 1", "a end 1"}));
}

TEST(FanOut, MayHoldTheSameTypeTwiceAndOthersOfItsKind) {
  story heard;
  run(fan_out{hears_the_end{&heard}, fan_out{hears_attempts{&heard}, hears_the_end{&heard}}}, 1);
  EXPECT_EQ(heard, (story{"attempts 1", "end 1", "end 1"}));
}

TEST(FanOut, HandsOnTheWholeEvent) {
  struct keeper {
    using role = anew::roles::observer;
    std::vector<anew::attempt_event>* attempts;
    std::vector<anew::retry_event>* retries;
    std::vector<anew::end_event>* ends;
    void on_attempt(anew::attempt_event const& e) const { attempts->push_back(e); }
    void on_retry(anew::retry_event const& e) const { retries->push_back(e); }
    void on_end(anew::end_event const& e) const { ends->push_back(e); }
  };
  std::vector<anew::attempt_event> attempts;
  std::vector<anew::retry_event> retries;
  std::vector<anew::end_event> ends;
  fan_out const both{empty_one{}, keeper{&attempts, &retries, &ends}};
  auto const what = anew::failure{anew::error_kind::timeout, anew::retry_safety::maybe, anew::duration{7}};
  both.on_attempt({3, anew::directive::retry(what), true});
  both.on_retry({4, what, anew::duration{9}, anew::delay_origin::hint});
  both.on_end({4, anew::stop_reason::quota});
  ASSERT_EQ(attempts.size() + retries.size() + ends.size(), 3U);
  EXPECT_EQ(attempts[0].attempt, 3U);
  EXPECT_EQ(attempts[0].verdict.what(), what);
  EXPECT_TRUE(attempts[0].is_final);
  EXPECT_EQ(retries[0].what, what);
  EXPECT_EQ(retries[0].delay, anew::duration{9});
  EXPECT_EQ(retries[0].origin, anew::delay_origin::hint);
  EXPECT_EQ(ends[0].reason, anew::stop_reason::quota);
}

TEST(FanOut, OfTypesNeedsNoValues) {
  empty_one::heard = empty_two::heard = 0;
  int made = 0;
  EXPECT_TRUE(anew::retry(anew::strategy<anew::retry_all, anew::no_backoff, fan_out<empty_one, empty_two>>{},
                          [&] { return ++made == 3; }));
  EXPECT_EQ(empty_one::heard, 1);
  EXPECT_EQ(empty_two::heard, 2);
}

TEST(FanOut, DescribesItsObservers) {
  EXPECT_EQ((fan_out{hears_all{nullptr, "log"}, hears_all{nullptr, "counters"}}.describe()), "fan_out(log,counters)");
  EXPECT_EQ((fan_out{hears_all{nullptr, "log"}, empty_one{}}.describe()), "fan_out(log,observer)");
}

TEST(FanOut, IsAConstantExpression) {
  struct counting {
    using role = anew::roles::observer;
    std::uint32_t* attempts;
    constexpr void on_end(anew::end_event const& e) const { *attempts += e.attempts; }
  };
  constexpr auto sum = [] {
    std::uint32_t attempts = 0;
    fan_out{counting{&attempts}, counting{&attempts}}.on_end({3, anew::stop_reason::attempts});
    return attempts;
  };
  static_assert(sum() == 6);
}

#if ANEW_EXCEPTIONS
TEST(FanOut, OneThatThrowsEndsTheCallAndThoseBehindItAreNotTold) {
  struct thrower {
    using role = anew::roles::observer;
    static void on_retry(anew::retry_event const& /*e*/) { throw 7; }
  };
  story heard;
  auto const strategy = anew::compose(anew::retry_all{}, anew::no_backoff{},
                                      fan_out{hears_all{&heard, "a"}, thrower{}, hears_all{&heard, "b"}});
  EXPECT_THROW((void)anew::retry(strategy, [] { return false; }), int);
  EXPECT_EQ(heard, (story{"a attempt 1", "b attempt 1", "a retry 2"}));
}
#endif

}  // namespace
}  // namespace observer_fan_out_test
