// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/describe.hpp"

namespace describe_test {

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

}  // namespace describe_test

namespace {

using namespace std::chrono_literals;

TEST(Describe, NamesEveryRoleTheAbsentOnesToo) {
  EXPECT_EQ(anew::describe<anew::strategy<>>(),
            "backoff=exponential(50ms,20s) jitter=full_jitter quota=unlimited_quota classifier=retry_info "
            "max_attempts=max_attempts(3) hint=server_hint(stop) deadline=none observer=none clock=steady_clock "
            "random_source=thread_random");
}

TEST(Describe, SaysTheNumbersOfTheType) {
  using fancy = anew::strategy<anew::exponential_backoff<3s, 60s, std::ratio<3, 2>>, anew::decorrelated_jitter,
                               anew::token_bucket<7, anew::retry_costs{.transient = 5, .timeout = 10}>,
                               anew::http_status_classifier<429, 503>, anew::unbounded,
                               anew::server_hint<anew::long_hint::clamp, 5s>,
                               anew::deadline<10s, anew::at_deadline::clamp, 100ms>>;
  EXPECT_EQ(anew::describe<fancy>(),
            "backoff=exponential(3s,60s,3/2) jitter=decorrelated_jitter "
            "quota=token_bucket(7,transient=5,throttling=5,timeout=10,server=14,client=14) "
            "classifier=http_status(429,503) max_attempts=unbounded hint=server_hint(clamp,5s) "
            "deadline=deadline(10s,clamp,100ms) observer=none clock=steady_clock random_source=thread_random");
}

TEST(Describe, SaysTheNumbersOfTheObject) {
  auto const tuned = anew::compose(anew::exponential_backoff{10ms, 1s}, anew::max_attempts{7}, anew::token_bucket{20},
                                   anew::deadline{3s}, anew::server_hint{anew::long_hint::ignore}, anew::no_jitter{});
  EXPECT_EQ(anew::describe(tuned),
            "backoff=exponential(10ms,1s) jitter=no_jitter quota=token_bucket(20) classifier=retry_info "
            "max_attempts=max_attempts(7) hint=server_hint(ignore) deadline=deadline(3s) observer=none "
            "clock=steady_clock random_source=thread_random");
}

TEST(Describe, APolicyThatSaysNothingIsNamedByItsType) {
  using own = anew::strategy<describe_test::silent_backoff, describe_test::silent_observer<int>>;
  auto const text = anew::describe<own>();
  EXPECT_NE(text.find("backoff=describe_test::silent_backoff "), std::string::npos) << text;
  EXPECT_NE(text.find("observer=describe_test::silent_observer<int> "), std::string::npos) << text;
}

TEST(Describe, APolicysOwnWordsWin) {
  auto const s = anew::compose(describe_test::spoken_clock{});
  EXPECT_NE(anew::describe(s).find("clock=clock7 "), std::string::npos) << anew::describe(s);
}

}  // namespace
