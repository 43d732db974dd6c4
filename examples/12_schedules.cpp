// SPDX-License-Identifier: BSL-1.0
// Delays as lazy ranges: to look at before anyone waits, to cut and join, and back into a strategy. This header needs
// range-v3; the rest of anew does not.
#include <chrono>
#include <cstdint>
#include <cstdio>

#include <range/v3/view/concat.hpp>
#include <range/v3/view/take.hpp>
#include <range/v3/view/take_while.hpp>
#include <range/v3/view/zip.hpp>

#include "anew/anew.hpp"
#include "anew/policies/backoff/linear.hpp"
#include "anew/schedule.hpp"

using namespace std::chrono_literals;
namespace views = ranges::views;

double milliseconds(anew::duration d) { return std::chrono::duration<double, std::milli>{d}.count(); }

// Any range of delays.
void print(char const* name, auto&& delays) {
  std::printf("%-26s", name);
  for (anew::duration const delay : delays) std::printf("%7.0f", milliseconds(delay));
  std::printf("\n");
}

// The same numbers every time, for this page; omit it and every call draws its own.
struct seeded {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const { return numbers(); }
  mutable anew::generator numbers{2026};
};

int main() {
  // [backoff]
  auto const growing = anew::schedule(anew::exponential_backoff<50ms, 2s>{});  // without an end
  print("exponential", growing | views::take(8));
  print("waited so far", anew::totals(growing) | views::take(8));
  std::printf("before retry 1,000,000: %.0f ms\n", milliseconds(growing[999'999]));
  // [/backoff]

  // [within]
  auto const within_five_seconds = [](anew::duration so_far) { return so_far <= 5s; };
  print("at most 5 s in all", anew::totals(growing) | views::take_while(within_five_seconds));
  // [/within]

  // [strategy]
  using patient =
      anew::strategy<anew::exponential_backoff<50ms, 2s>, anew::token_bucket<>, anew::max_attempts<6>, seeded>;
  patient const strategy;
  print("one call, with jitter", anew::schedule(strategy));
  print("another", anew::schedule(strategy));
  print("waited in all", anew::schedule(strategy) | anew::totals);
  std::printf("tokens left: %u of %u\n", strategy.quota().balance(), strategy.quota().capacity());
  // [/strategy]

  // [compare]
  auto const fibonacci = anew::schedule(anew::fibonacci_backoff<50ms, 2s>{});
  for (auto const& [doubled, added] : views::zip(growing, fibonacci) | views::take(4)) {
    std::printf("%5.0f ms or %3.0f ms\n", milliseconds(doubled), milliseconds(added));
  }
  // [/compare]

  // [back]
  auto const quick = anew::schedule(anew::constant_backoff<10ms>{}) | views::take(3);
  auto const joined = views::concat(quick, growing | views::take(4));
  auto const composed = anew::compose(anew::view_backoff{joined}, anew::no_jitter{}, anew::max_attempts{10});
  print("quick ones, then patient", anew::schedule(composed));
  std::printf("%s\n", anew::describe(composed).c_str());
  // [/back]
}
