// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BOUNDS_INTERNAL_QUOTA_PROMISE_HPP
#define ANEW_BOUNDS_INTERNAL_QUOTA_PROMISE_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bounds/bound.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The closed forms of the quotas' promises. `m` attempts of a call; p the share of attempts that fails.
struct quota_promise {
  static constexpr double any = 1e300;  // attempts without a limit
  static constexpr double as_number(std::uint64_t n) {
    return n == strategy_bounds::any_number ? any : static_cast<double>(n);
  }
  static constexpr bound<double> at_most_attempts(std::uint64_t m) {
    if (m == strategy_bounds::any_number) return {any, certainty::unbounded, "max_attempts"};
    return {static_cast<double>(m), certainty::at_most, "max_attempts"};
  }
  /// No quota limits the retries: every attempt that a call may make is made while everything fails.
  static constexpr quota_bounds of_unlimited(std::uint64_t m) {
    quota_bounds q{};
    q.amplification = at_most_attempts(m);
    if (m != strategy_bounds::any_number) q.amplification.how = certainty::exact;
    return q;
  }

  /// p^from + ... + p^to. Cut after 400 terms: p < 1, and calls without a limit of attempts have no last term.
  static constexpr double powers(double p, std::uint64_t from, std::uint64_t to) {
    if (from > 4096) return 0;
    double term = 1;
    double sum = 0;
    for (std::uint64_t i = 1; i < from; ++i) term *= p;
    for (std::uint64_t i = from; i <= to && i < from + 400; ++i) sum += term *= p;
    return sum;
  }
  /// The share of failures where what calls give back no longer pays for their retries: the zero of a falling function.
  static constexpr double where_zero(auto const& spare) {
    double low = 0;
    double high = 1;
    for (int i = 0; i != 24; ++i) {  // to 6e-8: each step costs the compiler time
      auto const middle = (low + high) / 2;
      (spare(middle) > 0 ? low : high) = middle;
    }
    return low;
  }

  /// A bucket that successes refill. Where failures are independent, calls make 1 + p + ... + p^(m-1) attempts up to the
  /// share where the bucket drains, and fewer above it, so that share is the worst. In any order, the most retries a call
  /// are those that what successes give back pays for.
  static constexpr quota_bounds of_bucket(auto const& terms, std::uint64_t m) {
    quota_bounds q{};
    q.burst = 0;
    q.amplification = {1, certainty::exact, "quota"};
    auto const retries = m == strategy_bounds::any_number ? m : m - 1;
    bool const in_part = terms.how != decltype(terms.how){};  // payment::partial
    std::uint32_t last_price = 0;
    for (auto const kind : every_kind) {
      auto const price = terms.price(kind);
      bool const is_transient = kind == error_kind::transient;
      if (price == 0) {  // retries of this kind are free
        q.burst = quota_bounds::no_limit;
        q.amplification = at_most_attempts(m);
        if (is_transient) q.transient_burst = quota_bounds::no_limit;
        continue;
      }
      std::uint64_t const burst = terms.full / price + (in_part && terms.full % price != 0 ? 1U : 0U);
      q.burst = larger(q.burst, burst);
      if (is_transient) q.transient_burst = burst;
      if (price == last_price) continue;
      last_price = price;
      double const c = static_cast<double>(price) / terms.given_back.den;
      double const r = static_cast<double>(terms.given_back.num) / terms.given_back.den;
      auto edge = where_zero([&](double p) {
        // A success gives back what its last retry paid, and r when it paid nothing; or r whatever it paid.
        if (terms.given_back.returns_last_cost) return r * (1 - p) - c * p * powers(p, 1, retries);
        return r * (1 - powers(p, m, m)) - c * powers(p, 1, retries);
      });
      q.drains_above = smaller(q.drains_above, edge);
      if (in_part) {  // a retry pays what is there, so each success pays for a retry, however little it gives back
        edge = where_zero([&](double p) { return 1 - powers(p, m, m) - powers(p, 1, retries); });
      }
      q.expected_amplification = larger(q.expected_amplification, 1 + powers(edge, 1, retries));
      q.amplification.value =
          larger(q.amplification.value, 1 + paid_for(c, r, terms.given_back.returns_last_cost || in_part, m));
    }
    if (in_part && q.amplification.how == certainty::exact) q.amplification.how = certainty::at_most;
    return q;
  }

  /// The most retries a call that successes pay for: of calls that make none each gives r. One whose last retry is given
  /// back makes one for nothing, and k of them for (k-1) c.
  static constexpr double paid_for(double c, double r, bool gives_back_last, std::uint64_t m) {
    double const most = as_number(m) - 1;
    if (!gives_back_last) return smaller(most, r / c);
    return smaller(most, larger(1.0, r / (r / most + c * (1 - 1 / most))));
  }

  /// A failed attempt takes a token, a call that succeeds gives `thousandths / 1000` of one; retries above half.
  static constexpr quota_bounds of_throttle(std::uint32_t capacity, std::uint32_t thousandths, std::uint64_t m) {
    quota_bounds q{};
    std::uint64_t const failures = (capacity + 1) / 2 - 1;
    q.burst = q.transient_burst = failures - failures / m;  // no retry follows the last attempt of a call
    auto const ratio = thousandths / 1000.0;
    q.drains_above = where_zero([&](double p) { return ratio * (1 - powers(p, m, m)) - powers(p, 1, m); });
    q.expected_amplification = 1 + powers(q.drains_above, 1, m - 1);
    q.amplification = {1 + smaller(as_number(m) - 1, ratio), certainty::exact, "quota"};
    return q;
  }

  /// Calls allow retries whether they succeed or not; the floor is granted to a process of however few calls.
  static constexpr quota_bounds of_budget(std::uint32_t percent, std::uint32_t per_second, std::uint64_t capacity,
                                          std::uint64_t m) {
    quota_bounds q{};
    q.per_second = per_second;
    q.for_each_call = percent / 100.0;
    q.burst = q.transient_burst = percent == 0 ? capacity : quota_bounds::no_limit;
    if (per_second > 0) {
      q.amplification = at_most_attempts(m);
    } else {
      q.amplification = {1 + q.for_each_call, certainty::exact, "quota"};
    }
    return q;
  }

  /// A share of the calls under way says nothing about retries a second.
  static constexpr quota_bounds of_concurrency(std::uint32_t percent, std::uint64_t m) {
    quota_bounds q{};
    q.for_each_call = percent / 100.0;
    q.amplification = at_most_attempts(m);
    return q;
  }

  static constexpr quota_bounds of_refilling(std::uint32_t capacity, duration per, duration longest, auto const& costs,
                                             std::uint64_t m) {
    quota_bounds q{};
    auto cheapest = costs.transient;
    for (auto const kind : every_kind) cheapest = smaller(cheapest, costs.of(kind));
    auto const most = capacity + static_cast<std::uint64_t>(longest / per);
    if (cheapest != 0) q.burst = most / cheapest;  // at one moment; more come with time
    if (costs.transient != 0) q.transient_burst = most / costs.transient;
    if (cheapest != 0) q.per_second = 1e9 / static_cast<double>(per.count()) / cheapest;
    q.amplification = at_most_attempts(m);
    return q;
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
