// SPDX-License-Identifier: BSL-1.0
#ifndef EXAMPLES_DONT_GIVEN_HPP
#define EXAMPLES_DONT_GIVEN_HPP

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "anew/policies.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using runtime_error::runtime_error;
};

inline anew::time_point virtual_time{};

struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() { return virtual_time; }
};

inline void virtual_sleep(anew::duration delay) { virtual_time += delay; }

/// How many requests the service has received.
inline int requests = 0;

template <class Outcome>
void print(char const* what, Outcome const& outcome) {
  std::printf("%-5s %u attempt%s, %s\n", what, outcome.attempts(), outcome.attempts() == 1 ? "" : "s",
              to_string(outcome.reason()));
}

#endif
