// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/compose/describe.hpp"

namespace compose_describe_test {

struct silent_backoff {
  using role = anew::roles::backoff;
  [[nodiscard]] static anew::duration delay(std::uint32_t /*retry*/) { return {}; }
};

template <class T>
struct silent_observer {
  using role = anew::roles::observer;
  static void on_end(anew::end_event const& /*e*/) {}
};

struct spoken_clock : anew::std_clock<std::chrono::steady_clock> {
  int seconds = 7;
  [[nodiscard]] std::string describe() const { return "clock" + std::to_string(seconds); }
};

struct brisk_pacer {
  using role = anew::roles::pacer;
  using ticket_type = int;
  static anew::pace ask(int& /*ticket*/, anew::time_point /*now*/) { return {}; }
  static void on_success(anew::time_point /*now*/) {}
  static void on_failure(anew::failure const& /*what*/, anew::time_point /*now*/) {}
  static void release(int /*ticket*/) {}
  [[nodiscard]] static std::string describe() { return "pacer"; }
};
struct open_gate {
  using role = anew::roles::gate;
  using pass_type = int;
  static anew::admission<int> try_enter(anew::time_point /*now*/) { return anew::admission<int>::admit(1); }
  static void on_success(int /*pass*/, anew::time_point /*now*/) {}
  static void on_failure(int /*pass*/, anew::failure const& /*what*/, anew::time_point /*now*/) {}
  static void release(int /*pass*/) {}
  [[nodiscard]] static std::string describe() { return "gate"; }
};

struct never_resets {
  using role = anew::roles::reset;
  static bool starts_over(anew::duration /*ran*/) { return false; }
  [[nodiscard]] static std::string describe() { return "reset"; }
};

struct fixed_random {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const { return 4; }
  [[nodiscard]] static std::string describe() { return "fixed_random"; }
};

struct spoken_observer : silent_observer<int> {
  [[nodiscard]] static std::string describe() { return "observer"; }
};

namespace {

using namespace std::chrono_literals;

TEST(Describe, NamesTheRolesThatEveryStrategyHas) {
  EXPECT_EQ(anew::describe<anew::strategy<>>(),
            "exponential(50ms,20s) full_jitter unlimited_quota retry_info max_attempts(3) server_hint(stop)");
}

TEST(Describe, SaysTheNumbersOfTheType) {
  using fancy = anew::strategy<anew::exponential_backoff<3s, 60s, anew::rational{3, 2}>, anew::decorrelated_jitter,
                               anew::token_bucket<70, anew::retry_costs{.transient = 5, .timeout = 10}>,
                               anew::http_status_classifier<429, 503>, anew::unbounded,
                               anew::server_hint<anew::long_hint::clamp, 5s>,
                               anew::deadline<10s, anew::at_deadline::clamp, 100ms>>;
  EXPECT_EQ(anew::describe<fancy>(),
            "exponential(3s,60s,3/2) decorrelated_jitter "
            "token_bucket(70,transient=5,throttling=5,timeout=10,server=5,client=5) http_status(429,503) unbounded "
            "server_hint(clamp,5s) deadline(10s,clamp,100ms)");
}

TEST(Describe, SaysTheNumbersOfTheObject) {
  auto const tuned = anew::compose(anew::exponential_backoff{10ms, 1s}, anew::max_attempts{7}, anew::token_bucket{20},
                                   anew::deadline{3s}, anew::server_hint{anew::long_hint::ignore}, anew::no_jitter{});
  EXPECT_EQ(
      anew::describe(tuned),
      "exponential(10ms,1s) no_jitter token_bucket(20) retry_info max_attempts(7) server_hint(ignore) deadline(3s)");
}

TEST(Describe, ThePoliciesStandInTheOrderOfTheirRolesHoweverTheyWereWritten) {
  auto const shuffled = anew::compose(fixed_random{}, spoken_clock{}, spoken_observer{}, never_resets{}, brisk_pacer{},
                                      open_gate{}, anew::deadline{3s}, anew::unbounded{});
  EXPECT_EQ(
      anew::describe(shuffled),
      "exponential(50ms,20s) full_jitter unlimited_quota retry_info unbounded server_hint(stop) deadline(3s) gate "
      "pacer reset observer clock7 fixed_random");
}

TEST(Describe, APolicyThatSaysNothingIsNamedByItsType) {
  using own = anew::strategy<silent_backoff, silent_observer<int>>;
  EXPECT_EQ(
      anew::describe<own>(),
      "compose_describe_test::silent_backoff full_jitter unlimited_quota retry_info max_attempts(3) server_hint(stop) "
      "compose_describe_test::silent_observer<int>");
}

TEST(Describe, APolicysOwnWordsWin) {
  EXPECT_EQ(anew::describe(anew::compose(spoken_clock{})),
            "exponential(50ms,20s) full_jitter unlimited_quota retry_info max_attempts(3) server_hint(stop) clock7");
}

}  // namespace
}  // namespace compose_describe_test
