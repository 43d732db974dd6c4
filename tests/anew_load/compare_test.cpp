// SPDX-License-Identifier: BSL-1.0
// Whether the intervals of anew-load --compare hold as often as they say, over runs that are drawn from known
// distributions. Prints what it found; the exit code is 1 where a share is out of bounds.

#include <chrono>
#include <cstdio>
#include <map>
#include <string>

#include <boost/random/bernoulli_distribution.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>

#include "compare.hpp"

namespace {

using namespace std::chrono_literals;
using clock_type = anew_load::series::clock;

constexpr int runs = 50;
constexpr int parts = 20;
constexpr int calls = 25;  // with each strategy, in each part

/// A run in which the server is slow in some parts, for both strategies alike. B takes `factor` times as long, and
/// succeeds as often as A.
anew_load::comparison one_run(boost::random::mt19937& random, double factor) {
  boost::random::exponential_distribution<double> any{1};
  boost::random::bernoulli_distribution<double> good{0.9};
  clock_type::time_point const start{};
  anew_load::series a{start, 100ms};
  anew_load::series b{start, 100ms};
  for (int part = 0; part != parts; ++part) {
    auto const here = start + part * 100ms + 50ms;
    double const slow = 1 + 3 * any(random);
    for (int call = 0; call != calls; ++call) {
      for (auto* const to : {&a, &b}) {
        auto const took = std::chrono::duration<double, std::milli>{slow * any(random) * (to == &b ? factor : 1)};
        to->call_ended(here, good(random), std::chrono::duration_cast<anew::duration>(took));
        to->attempt_ended(here, 200);
      }
    }
  }
  a.close();
  b.close();
  return anew_load::compare(a, b);
}

/// Of each measure, in how many runs the interval has zero in it.
std::map<std::string, int> with_zero(double factor) {
  boost::random::mt19937 random{7};
  std::map<std::string, int> n;
  for (int run = 0; run != runs; ++run) {
    for (auto const& one : one_run(random, factor).all) {
      if (one.difference && one.difference->has_zero()) ++n[one.name];
    }
  }
  return n;
}

bool is_within(char const* what, int n, int least, int most) {
  bool const fits = least <= n && n <= most;
  std::printf("%s %s: the interval has zero in %d of %d runs; %d to %d are expected\n", fits ? "ok  " : "FAIL", what, n,
              runs, least, most);
  return fits;
}

}  // namespace

int main() {
  auto equal = with_zero(1);
  auto slower = with_zero(2);
  bool good = is_within("ok, where nothing differs", equal["ok"], 42, 50);
  good &= is_within("mean, where nothing differs", equal["mean"], 42, 50);
  good &= is_within("p50, where nothing differs", equal["p50"], 42, 50);
  good &= is_within("ok, where B takes twice as long", slower["ok"], 42, 50);
  good &= is_within("mean, where B takes twice as long", slower["mean"], 0, 1);
  good &= is_within("p50, where B takes twice as long", slower["p50"], 0, 1);
  return good ? 0 : 1;
}
