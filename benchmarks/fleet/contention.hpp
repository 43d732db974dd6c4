// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BENCHMARKS_FLEET_CONTENTION_HPP
#define ANEW_BENCHMARKS_FLEET_CONTENTION_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <queue>
#include <vector>

#include "anew/anew.hpp"
#include "anew/drivers/retry_machine.hpp"

#include "../../examples/support/hedging_model.hpp"
#include "instant.hpp"
#include "virtual_time.hpp"

namespace anew_fleet {

struct contention {
  double calls = 0, seconds = 0, calls_error = 0, seconds_error = 0;
};

/// N clients update one row by optimistic concurrency: read, and write if nobody has written since; else back off, and
/// read again. A message takes |Normal(10 ms, 2 ms)|.
template <class S>
contention optimistic_concurrency(std::uint32_t clients, int runs) {
  struct event {
    fleet_simulation::instant at;
    std::uint32_t client;
    enum : std::uint8_t { read, write, told, waited } what;
    std::uint64_t version;
    bool operator<(event const& other) const { return at > other.at; }
  };
  anew::generator numbers{5};
  auto const message = [&] {
    auto const normal = hedging_model::normal_quantile(hedging_model::uniform(numbers));
    return static_cast<fleet_simulation::instant>(std::abs(10e6 + 2e6 * normal));
  };
  double sums[4]{};
  for (int run = 0; run != runs; ++run) {
    fleet_simulation::virtual_clock::ticks = 0;
    S const strategy{};
    std::vector<anew::retry_machine<S, anew::declared::idempotent>> machines;
    std::priority_queue<event> events;
    for (std::uint32_t i = 0; i != clients; ++i) {
      machines.emplace_back(strategy, anew::idempotent_call);
      static_cast<void>(machines.back().begin());
      events.push({message(), i, event::read, 0});
    }
    std::uint64_t version = 0, calls = 0;
    while (!events.empty()) {
      auto e = events.top();
      events.pop();
      fleet_simulation::virtual_clock::ticks = e.at;
      switch (e.what) {
        case event::read:  // and the answer, and the write
          events.push({e.at + message() + message(), e.client, event::write, version});
          break;
        case event::write: {
          ++calls;
          bool const is_written = e.version == version;
          version += is_written ? 1 : 0;
          events.push({e.at + message(), e.client, event::told, std::uint64_t{is_written ? 1U : 0U}});
          break;
        }
        case event::told: {
          auto& one = machines[e.client];
          if (e.version == 1) {
            static_cast<void>(one.on_success());
          } else if (one.on_verdict(anew::directive::retry(anew::error_kind::transient)) == anew::next_step::wait) {
            events.push({e.at + one.wait().count(), e.client, event::waited, 0});
          }
          break;
        }
        case event::waited:
          static_cast<void>(machines[e.client].on_wait_over());
          events.push({e.at + message(), e.client, event::read, 0});
          break;
      }
    }
    auto const c = static_cast<double>(calls);
    auto const s = fleet_simulation::seconds_of(fleet_simulation::virtual_clock::ticks);
    sums[0] += c, sums[1] += c * c, sums[2] += s, sums[3] += s * s;
  }
  auto const mean = [&](int i) { return sums[i] / runs; };
  auto const error = [&](int i) { return std::sqrt(std::max(0.0, mean(i + 1) - mean(i) * mean(i)) / runs); };
  return {mean(0), mean(2), error(0), error(2)};
}

/// A call through services in a row that each retry, the last of which always fails; counts its attempts.
template <class S>
bool calls_down(S const& by, int layers, std::uint64_t& attempts) {
  return anew::retry(by, anew::idempotent([&]() -> bool {
                       if (layers > 1) return calls_down(by, layers - 1, attempts);
                       ++attempts;
                       return false;
                     }),
                     [](anew::duration) {});
}

}  // namespace anew_fleet

#endif
