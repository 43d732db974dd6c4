// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

#include "anew/anew.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"

#include "interleaved.hpp"
#include "loops.hpp"
#include "outside.hpp"

/// What a call costs, beside the same policy written by hand: read the ratios, the nanoseconds are this machine's.
namespace {

using namespace loops;
using interleaved::named_way;

std::int64_t volatile sink = 0;

template <auto Call>
void repeat(std::uint64_t n) {
  std::int64_t sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) sum += Call();
  sink = sink + sum;
}

int value_of(outside::answer a) noexcept { return a.value; }

// Buckets: full; and half-empty, where every success gives a token back.
using bucket_strategy = anew::with<plain, anew::token_bucket<500>>;
bucket_strategy const full;
hand_bucket hand_full{500};
using ocean_strategy = anew::with<plain, cheap_bucket>;
ocean_strategy const deep;
hand_bucket hand_deep{ocean};

// They need no time for a call that succeeds.
anew::with<plain, anew::circuit_breaker<>> const breaker;
anew::with<plain, anew::cool_down<>> const cooling;
anew::with<plain, anew::concurrency_budget<>> const counting;

using decision_clock = std::chrono::steady_clock;

int decide_by_anew() {
  auto decided =
      plain{}.refresh_retry_token(plain{}.acquire_initial_token(), plain{}.classifier().classify(outside::busy).what());
  return static_cast<int>(decided ? decided->delay().count() : 0);
}

int decide_by_hand() { return is_busy{}(outside::busy) ? static_cast<int>(hand_delay(1).count()) : 0; }

template <class Strategy>
int decide_by_anew_with(Strategy const& strategy) {
  auto decided = strategy.refresh_retry_token(strategy.acquire_initial_token(),
                                              strategy.classifier().classify(outside::busy).what());
  auto const delay = decided ? decided->delay() : anew::duration{};
  if (decided) strategy.record_success(std::move(*std::move(decided)));
  return static_cast<int>(delay.count());
}

int decide_by_hand_with_bucket() {
  if (!is_busy{}(outside::busy) || !hand_deep.take(1)) return 0;
  auto const delay = hand_delay(1);
  hand_deep.give_back(1);
  return static_cast<int>(delay.count());
}

template <auto Call>
[[gnu::noinline]] int out_of_line() {
  return Call();
}

void print_difference(char const* what, std::vector<interleaved::measured> const& without,
                      std::vector<interleaved::measured> const& with) {
  auto const hand = with[0].nanoseconds - without[0].nanoseconds;
  auto const ours = with[1].nanoseconds - without[1].nanoseconds;
  std::printf("%-34s %-26s %10.2f\n%-34s %-26s %10.2f %8.2f\n", what, "hand", hand, "", "anew", ours, ours / hand);
}

/// The first decision in a thread, whose generator has no seed yet, and the second.
void first_in_a_thread() {
  auto const threads = interleaved::smoke() ? 3U : 500U;
  std::vector<double> first;
  std::vector<double> second;
  for (unsigned i = 0; i < threads; ++i) {
    std::thread{[&] {
      decision_clock::time_point at[4];
      at[0] = decision_clock::now();  // the clock itself is warm from here on
      at[1] = decision_clock::now();
      sink = sink + out_of_line<decide_by_anew>();
      at[2] = decision_clock::now();
      sink = sink + out_of_line<decide_by_anew>();
      at[3] = decision_clock::now();
      first.push_back(std::chrono::duration<double, std::nano>(at[2] - at[1]).count());
      second.push_back(std::chrono::duration<double, std::nano>(at[3] - at[2]).count());
    }}.join();
  }
  auto const later = interleaved::median(second);
  std::printf("%-34s %-26s %10.2f\n", "first decision in a thread, more", "anew", interleaved::median(first) - later);
}

int anew_full() { return value_of(by_anew_with<outside::succeeds>(full)); }
int anew_deep() { return value_of(by_anew_with<outside::succeeds>(deep)); }
int anew_deep_retry() { return value_of(by_anew_with<outside::fails_once>(deep)); }
int anew_breaker() { return value_of(by_anew_with<outside::succeeds>(breaker)); }
int anew_cooling() { return value_of(by_anew_with<outside::succeeds>(cooling)); }
int anew_counting() { return value_of(by_anew_with<outside::succeeds>(counting)); }
int reading() { return static_cast<int>(decision_clock::now().time_since_epoch().count()); }
int hand_full_bucket() { return value_of(by_hand_with_bucket<outside::succeeds>(hand_full, 14)); }
int hand_deep_bucket() { return value_of(by_hand_with_bucket<outside::succeeds>(hand_deep, 1)); }
int hand_deep_retry() { return value_of(by_hand_with_bucket<outside::fails_once>(hand_deep, 1)); }
int bare() { return value_of(outside::succeeds()); }
int hand() { return value_of(by_hand<outside::succeeds>()); }
int hand_retry() { return value_of(by_hand<outside::fails_once>()); }
int ours() { return value_of(by_anew<outside::succeeds>()); }
int ours_retry() { return value_of(by_anew<outside::fails_once>()); }
int decide_deep() { return decide_by_anew_with(deep); }
int draw() {
  anew::thread_random random{};
  return static_cast<int>(anew::random_up_to(50ms, random).count());
}
int draw_number() {
  anew::thread_random random{};
  return static_cast<int>(random());
}

}  // namespace

int main() {
  using interleaved::report;
  static_cast<void>(deep.quota().try_acquire(anew::failure{anew::error_kind::throttling}));
  hand_deep.take(half_an_ocean);

  interleaved::print_header();
  auto const success =
      report("success, no quota", {{"hand", repeat<hand>}, {"anew", repeat<ours>}, {"the call alone", repeat<bare>}});
  report("success, full bucket", {{"hand", repeat<hand_full_bucket>}, {"anew", repeat<anew_full>}});
  report("success, what needs no time", {{"no gate", repeat<ours>},
                                         {"circuit_breaker, closed", repeat<anew_breaker>},
                                         {"cool_down, idle", repeat<anew_cooling>},
                                         {"concurrency_budget", repeat<anew_counting>},
                                         {"the clock alone", repeat<reading>}});
  auto const refill =
      report("success, bucket not full", {{"hand", repeat<hand_deep_bucket>}, {"anew", repeat<anew_deep>}});
  auto const exceptions = report("success, exceptions", {{"hand", repeat<by_hand_with_exceptions<outside::returns>>},
                                                         {"anew", repeat<by_anew_with_exceptions<outside::returns>>}});

  report("decision, no quota",
         {{"hand", repeat<out_of_line<decide_by_hand>>}, {"anew", repeat<out_of_line<decide_by_anew>>}});
  report("decision and giving back, bucket",
         {{"hand", repeat<out_of_line<decide_by_hand_with_bucket>>}, {"anew", repeat<out_of_line<decide_deep>>}});
  report("one delay",
         {{"random_up_to", repeat<out_of_line<draw>>}, {"thread_random", repeat<out_of_line<draw_number>>}});

  auto const retried = report("one failure, one success", {{"hand", repeat<hand_retry>}, {"anew", repeat<ours_retry>}});
  print_difference("one retry more", success, retried);
  auto const retried_with_bucket =
      report("the same, bucket", {{"hand", repeat<hand_deep_retry>}, {"anew", repeat<anew_deep_retry>}});
  print_difference("one retry more, bucket", refill, retried_with_bucket);
  auto const thrown = report("the same, exceptions", {{"hand", repeat<by_hand_with_exceptions<outside::throws_once>>},
                                                      {"anew", repeat<by_anew_with_exceptions<outside::throws_once>>}});
  print_difference("one retry more, exceptions", exceptions, thrown);
  first_in_a_thread();
  return 0;
}
