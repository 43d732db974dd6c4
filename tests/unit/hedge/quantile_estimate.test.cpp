// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "anew/base/random_source.hpp"
#include "anew/drivers/hedge/hedge_at_quantile.hpp"

#include "names.hpp"
#include "together.hpp"

namespace hedge_quantile_estimate_test {
namespace {

using anew::quantile_estimate, anew::quantile_parameters;

constexpr quantile_parameters p95{95, 100, 10ms, 1ms, 10s, 64};

static_assert(!std::is_copy_constructible_v<quantile_estimate> && std::is_move_constructible_v<quantile_estimate>);

/// 10 ms * (1 + 0.95/64) and 10 ms * (1 - 0.05/64): how long a late sample is does not matter.
TEST(QuantileEstimate, ALongerSampleRaisesItByPAndAShorterOneLowersItByTheRest) {
  EXPECT_EQ(quantile_estimate{p95}.value(), 10ms);
  quantile_estimate const unknown{p95};
  unknown.add(duration::max());
  EXPECT_EQ(unknown.value(), 10'148'437ns);
  for (duration const sample : {10ms + 1ns, 11ms + 0ns, 1'000'000'000ms + 0ns, duration::max(), 10ms + 0ns, 10ms - 1ns,
                                duration::min()}) {  // exactly it is not longer; the last one went backwards
    quantile_estimate const q{p95};
    q.add(sample);
    EXPECT_EQ(q.value(), sample > 10ms ? 10'148'437ns : 9'992'187ns) << sample.count();
  }
}

TEST(QuantileEstimate, StaysWithinItsBounds) {
  quantile_estimate const q{p95};
  for (int i = 0; i < 1001; ++i) q.add(duration::max());
  EXPECT_EQ(q.value(), 10s);
  for (int i = 0; i < 20'001; ++i) q.add(0ns);
  EXPECT_EQ(q.value(), 1ms);
}

TEST(QuantileEstimate, TheEndsOfItsRange) {
  quantile_estimate const high{{999, 1000, 24h, 24h, 24h, 1}};
  high.add(duration::max());
  EXPECT_EQ(high.value(), 24h);
  quantile_estimate const low{{1, 1000, 1us, 1us, 24h, 1}};
  low.add(0ns);
  EXPECT_EQ(low.value(), 1us);
  quantile_estimate const wide{{999, 1000, 24h, 1us, 24h, 1}};
  wide.add(0ns);
  EXPECT_EQ(wide.value(), duration{24h} - duration{24h} / 1000);
  wide.add(duration::max());
  EXPECT_EQ(wide.value(), 24h);
  // The smallest step there is, of the smallest value: it is one, and not of nothing.
  quantile_estimate const slow{{999, 1000, 2us, 1us, 24h, 1000}};
  for (int i = 0; i < 1000; ++i) slow.add(0ns);
  EXPECT_NEAR(static_cast<double>(slow.value().count()), 2000 * std::exp(-0.001), 1.01);
}

TEST(QuantileEstimate, FromColdItRisesFastAndFallsSlowly) {
  auto const samples_until = [](quantile_parameters const& p, duration sample, auto const& reached) {
    quantile_estimate const q{p};
    int n = 0;
    for (; !reached(q.value()); ++n) q.add(sample);
    return n;
  };
  quantile_parameters const tenfold{95, 100, 10ms, 1ms, 1s, 64};
  EXPECT_EQ(samples_until(tenfold, 1s, [](duration q) { return q >= 100ms; }), 157);  // ln(10) / ln(1 + 0.95/64)
  EXPECT_EQ(samples_until(tenfold, 0s, [](duration q) { return q <= 1ms; }), 2947);   // ln(10) / -ln(1 - 0.05/64)
}

TEST(QuantileEstimate, IsMovedWithWhatItKnows) {
  quantile_estimate q{p95};
  for (int i = 0; i < 10; ++i) q.add(duration::max());
  auto const known = q.value();
  quantile_estimate const moved{std::move(q)};
  EXPECT_EQ(moved.value(), known);
  moved.add(0ns);
  EXPECT_LT(moved.value(), known);
  for (int i = 0; i < 1000; ++i) moved.add(duration::max());
  EXPECT_EQ(moved.value(), 10s);
}

TEST(QuantileEstimate, NoSampleIsLostAmongThreads) {
  // Multiplications commute, but for their rounding: n samples give one value in every order.
  quantile_estimate const shared{{95, 100, 1ms, 1us, 24h, 1000}};
  constexpr int each = 2000;
  support::together(4, [&](unsigned) {
    for (int i = 0; i < each; ++i) {
      i % 4 == 0 ? shared.add(duration::max()) : shared.add(0ns);
    }
  });
  auto const expected = 1e6 * std::exp(4 * each * (0.25 * std::log1p(0.95e-3) + 0.75 * std::log1p(-0.05e-3)));
  EXPECT_NEAR(static_cast<double>(shared.value().count()), expected, expected * 1e-4);
}

}  // namespace
}  // namespace hedge_quantile_estimate_test
