// SPDX-License-Identifier: BSL-1.0
// How many delays are exactly the cap, when the cap comes after the random draw and when it comes before.
#include <chrono>
#include <cstdint>
#include <cstdio>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

int main() {
  constexpr auto base = 1s;
  constexpr auto cap = 20s;
  constexpr int draws = 100'000;

  std::printf(" i    exactly 20 s: draw, then cap    by the formula    cap, then draw\n");
  for (std::uint32_t i = 4; i <= 10; ++i) {
    anew::generator random{i};
    int late = 0;
    int early = 0;
    for (int n = 0; n != draws; ++n) {
      // [draw_then_cap]
      // min(b * r^i, 20 s), b random between 0 and 1 s: the cap comes last.
      anew::duration const drawn = anew::random_up_to(base * (1 << i), random);
      anew::duration const capped_last = drawn < cap ? drawn : anew::duration{cap};
      // [/draw_then_cap]

      // [cap_then_draw]
      constexpr anew::exponential_backoff<base, cap> backoff{};
      anew::duration const capped_first = anew::full_jitter::apply(backoff.delay(i + 1), random);
      // [/cap_then_draw]
      late += capped_last == cap ? 1 : 0;
      early += capped_first == cap ? 1 : 0;
    }
    double const formula = i < 5 ? 0 : 1 - 20.0 / (1 << i);
    std::printf("%2u    %27.1f %%    %12.1f %%    %12.1f %%\n", i, 100.0 * late / draws, 100.0 * formula,
                100.0 * early / draws);
  }
}
