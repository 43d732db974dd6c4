// SPDX-License-Identifier: BSL-1.0
// What has been published on retries, beside what this library does. A row has the published number, the library's, and a
// verdict; the exit code is 1 where one is wrong.
//   published [SOURCE]
// The library's numbers are those of its own strategies, driven by `retry_machine` and `hedge_machine` in virtual time.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"
#include "anew/policies.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/presets/aws.hpp"
#include "anew/presets/grpc.hpp"

#include "../../examples/support/hedging_model.hpp"
#include "contention.hpp"
#include "fleet.hpp"
#include "scenario.hpp"
#include "table.hpp"

namespace {

using namespace std::chrono_literals;
using anew::error_kind;
using anew_fleet::contention;
using anew_fleet::never;
using anew_fleet::optimistic_concurrency;
using anew_fleet::table;
using anew_plan::instant;
using anew_plan::virtual_clock;
using anew_plan::virtual_random;

template <class S, class... Policies>
using in_time = anew::with<S, anew::retry_all, virtual_clock, virtual_random, Policies...>;

using v2026 = in_time<anew::aws::standard>;
using v2020 = in_time<anew::aws::standard_2020>;
template <std::int64_t MaxAttempts>
using naive = anew::strategy<anew::exponential_backoff<50ms, 20s>, anew::full_jitter, anew::retry_all,
                             anew::max_attempts<MaxAttempts>, virtual_clock, virtual_random>;
template <std::int64_t Percent, std::int64_t PerSecond = 0>
using budget = anew::with<naive<3>, anew::retry_budget<Percent, PerSecond, 10s>>;
using grpc = in_time<anew::grpc::retry_policy<>>;

std::string with_percent(char const* before, double share) {
  char text[80];
  std::snprintf(text, sizeof text, "%s%g %%", before, share * 100);
  return text;
}

/// From 0 to less than 1.
double chance(anew::generator& numbers) { return static_cast<double>(numbers() >> 11U) * 0x1p-53; }

template <class S>
using machine_of = anew::retry_machine<S, anew::declared::idempotent>;

/// Calls one after the other; an attempt fails when `fails()` says so. Waits take no time.
template <class S>
class client {
 public:
  explicit client(error_kind of_failures) : failure_{anew::directive::retry(of_failures)} {}

  template <class Fails>
  void call(Fails const& fails) {
    machine_of<S> one{strategy_, anew::idempotent_call};
    ++calls;
    for (auto step = one.begin(); step != anew::next_step::finished;) {
      if (step == anew::next_step::wait) {
        step = one.on_wait_over();
      } else {
        ++attempts;
        step = fails() ? one.on_verdict(failure_) : one.on_success();
      }
    }
    denied += one.reason() == anew::stop_reason::quota ? 1U : 0U;
  }
  [[nodiscard]] double per_call() const { return static_cast<double>(attempts) / static_cast<double>(calls); }

  std::uint64_t calls = 0, attempts = 0, denied = 0;

 private:
  S strategy_{};
  anew::directive failure_;
};

template <class S>
client<S> after_failures(double share, std::uint32_t calls, error_kind kind, std::uint64_t seed) {
  anew::generator numbers{seed};
  client<S> one{kind};
  for (std::uint32_t i = 0; i != calls; ++i) one.call([&] { return chance(numbers) < share; });
  return one;
}

// ---------------------------------------------------------------------------------------------------------------------
// Quotas in a steady state

/// The retries of a client whose attempts all fail: while its bucket lasts, and then.
template <class S>
void burst(table& to, char const* name, error_kind kind, double published) {
  client<S> one{kind};
  for (int i = 0; i != 1'000; ++i) one.call([] { return true; });
  to.row(std::string{name} + ": retries of a full bucket", published, static_cast<double>(one.attempts - one.calls), 0);
  auto const before = one.attempts;
  for (int i = 0; i != 100'000; ++i) one.call([] { return true; });
  to.row("  and of the next 100000 calls", 0, static_cast<double>(one.attempts - before) - 100'000, 0);
}

/// A = 1 + min(p + .. + p^(m-1), (1-p)/(c p)).
template <class S>
void amplification(table& to, char const* name, error_kind kind, int m, double cost) {
  for (double const p : {0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 0.9, 0.99}) {
    double wanted = 0;
    for (int i = 1; i < m; ++i) wanted += std::pow(p, i);
    auto const paid = cost == 0 ? wanted : (1 - p) / (cost * p);
    auto const seen = after_failures<S>(p, 1'000'000, kind, 1).per_call();
    to.row(with_percent((std::string{name} + ", attempts per call at ").c_str(), p), 1 + std::min(wanted, paid), seen,
           0.006);
  }
}

/// The share of failures from which on the quota loses more than it gains. It is large, so that chance alone seldom
/// empties it.
template <class S>
void drain_point(table& to, char const* name, error_kind kind, double published) {
  double fine = 0;
  double drained = 0.5;
  while (drained - fine > 0.0002) {
    auto const middle = (fine + drained) / 2;
    (after_failures<S>(middle, 4'000'000, kind, 2).denied != 0 ? drained : fine) = middle;
  }
  to.row(std::string{name} + ": drains at this share of failures, in %", published, 100 * fine, 0.15);
}
template <class S, anew::retry_costs Costs>
using with_large_bucket = anew::with<S, anew::token_bucket<20'000, Costs>>;
constexpr anew::retry_costs costs_2020{.transient = 5, .throttling = 5, .timeout = 10, .server = 5, .client = 5};
constexpr anew::retry_costs costs_2026{.transient = 14, .throttling = 5, .timeout = 14, .server = 14, .client = 14};

template <class S>
void overload(table& to, char const* name, error_kind kind, double cost) {
  for (double const demand : {1.2, 2.0, 5.0}) {
    // Each attempt is answered with the share of the capacity in the attempts of late.
    auto const wanted = (demand + 1 + std::sqrt((demand - 1) * (demand - 1) + 4 * demand / cost)) / 2;
    anew::generator numbers{3};
    client<S> one{kind};
    double offered = wanted;  // attempts, as a multiple of the capacity
    for (int i = 0; i != 1'000'000; ++i) {
      auto const before = one.attempts;
      one.call([&] { return chance(numbers) >= 1 / std::max(1.0, offered); });
      offered += 1e-4 * (demand * static_cast<double>(one.attempts - before) - offered);
    }
    char text[80];
    std::snprintf(text, sizeof text, "%s, attempts over capacity at %.1f times the capacity", name, demand);
    to.row(text, wanted, demand * one.per_call(), 0.01 * wanted);
  }
}

void quotas(table& to) {
  if (!to.begin("quotas", "AWS SDK retry quotas and gRPC A6: closed forms of a bucket that successes fill")) return;
  burst<v2026>(to, "AWS 2026, transient", error_kind::transient, 35);
  burst<v2026>(to, "AWS 2026, time-outs", error_kind::timeout, 35);
  burst<v2026>(to, "AWS 2026, throttling", error_kind::throttling, 100);
  burst<v2020>(to, "AWS 2020, transient", error_kind::transient, 100);
  burst<v2020>(to, "AWS 2020, time-outs", error_kind::timeout, 50);
  amplification<naive<3>>(to, "no quota", error_kind::transient, 3, 0);
  amplification<v2026>(to, "AWS 2026, transient", error_kind::transient, 3, 14);
  amplification<v2020>(to, "AWS 2020, transient", error_kind::transient, 3, 5);
  amplification<v2020>(to, "AWS 2020, time-outs", error_kind::timeout, 3, 10);
  amplification<anew::with<v2026, anew::max_attempts<4>>>(to, "four attempts", error_kind::transient, 4, 14);
  using large_2026 = with_large_bucket<v2026, costs_2026>;
  using large_2020 = with_large_bucket<v2020, costs_2020>;
  drain_point<large_2026>(to, "AWS 2026, transient", error_kind::transient, 21.4856);
  drain_point<large_2020>(to, "AWS 2020, time-outs", error_kind::timeout, 24.5996);
  drain_point<large_2020>(to, "AWS 2020, transient", error_kind::transient, 32.0724);
  drain_point<anew::with<large_2026, anew::max_attempts<4>>>(to, "four attempts", error_kind::transient, 21.1691);
  drain_point<anew::with<large_2020, anew::max_attempts<4>>>(to, "four attempts, 2020", error_kind::transient, 31.2330);
  drain_point<anew::with<grpc, anew::retry_throttle<1'000>>>(to, "gRPC, ratio 0.1", error_kind::transient, 9.0909);
  overload<v2020>(to, "AWS 2020", error_kind::transient, 5);
  auto const healthy = after_failures<v2026>(0.15, 1'000'000, error_kind::transient, 4);
  to.row("AWS 2026: retries refused in 10^6 calls at 15 % failures", 0, static_cast<double>(healthy.denied), 0);
  to.row("AWS 2026: attempts per call at 1 % failures", 1.0101,
         after_failures<v2026>(0.01, 1'000'000, error_kind::transient, 4).per_call(), 0.001);
}

// ---------------------------------------------------------------------------------------------------------------------
// Jitter

struct contention_row {
  std::uint32_t clients;
  contention published;
};

template <class Backoff, class Jitter>
void contend(table& to, char const* name, std::array<contention_row, 3> const& rows, std::string_view reason = {}) {
  using strategy = anew::strategy<Backoff, Jitter, anew::retry_all, anew::unbounded, virtual_clock, virtual_random>;
  for (auto const& row : rows) {
    auto const seen = optimistic_concurrency<strategy>(row.clients, 400);
    auto const within = [](double a, double b) { return 4 * std::sqrt(a * a + b * b); };
    auto const head = std::string{name} + ", " + std::to_string(row.clients) + " clients: ";
    to.row(head + "calls", row.published.calls, seen.calls, within(row.published.calls_error, seen.calls_error),
           reason);
    to.row(head + "seconds", row.published.seconds, seen.seconds,
           within(row.published.seconds_error, seen.seconds_error), reason);
  }
}

void jitters(table& to) {
  if (!to.begin("jitter", "AWS Architecture Blog, \"Exponential Backoff and Jitter\": base 5 ms, cap 2 s")) return;
  using exponential = anew::exponential_backoff<10ms, 2s>;
  contend<anew::no_backoff, anew::no_jitter>(to, "none",
                                             {{{10, {50.898, 0.379693, 0.1251, 0.0010697}},
                                               {20, {152.175, 0.603021, 0.3840, 0.0016938}},
                                               {50, {690.079, 1.139062, 0.5562, 0.0013843}}}});
  contend<exponential, anew::no_jitter>(to, "exponential",
                                        {{{10, {50.928, 3.488855, 0.1266, 0.0406721}},
                                          {20, {149.710, 14.432742, 0.4337, 0.0905253}},
                                          {50, {623.083, 36.241872, 0.9079, 0.1007012}}}});
  contend<exponential, anew::equal_jitter>(to, "equal jitter",
                                           {{{10, {42.630, 0.727134, 0.0786, 0.0057192}},
                                             {20, {108.017, 1.639326, 0.1325, 0.0150399}},
                                             {50, {347.199, 4.273543, 0.1803, 0.0173126}}}});
  contend<exponential, anew::full_jitter>(to, "full jitter",
                                          {{{10, {38.967, 0.465317, 0.0712, 0.0032948}},
                                            {20, {100.142, 1.003819, 0.1118, 0.0085740}},
                                            {50, {332.463, 2.899435, 0.1537, 0.0178192}}}});
  contend<anew::exponential_backoff<5ms, 2s>, anew::decorrelated_jitter>(
      to, "decorrelated jitter",
      {{{10, {37.542, 0.438276, 0.0727, 0.0027482}},
        {20, {101.008, 0.813714, 0.1600, 0.0055233}},
        {50, {374.417, 2.190355, 0.4074, 0.0145099}}}});
}

// ---------------------------------------------------------------------------------------------------------------------
// Fleets

template <class S>
anew_plan::observed run(anew_plan::scenario const& s) {
  virtual_clock::ticks = 0;
  std::vector<S> strategies;
  strategies.reserve(s.clients);
  for (std::uint32_t i = 0; i != s.clients; ++i) strategies.emplace_back();
  return anew_plan::fleet<S>{strategies, s}.run();
}
/// The mean of a few seeds; never where it does not recover with one of them.
template <class S>
double recovery(anew_plan::scenario s) {
  double sum = 0;
  constexpr int seeds = 3;
  for (int i = 0; i != seeds; ++i) {
    s.seed = 11 + static_cast<std::uint64_t>(i);
    auto const found = run<S>(s).times.recovery((s.before + s.outage).count());
    sum += found.value_or(never);
  }
  return sum / seeds;
}

void brooker(table& to) {
  if (!to.begin("brooker",
                "M. Brooker, \"Fixing retries with token buckets and circuit breakers\": 100 clients, 70 % load, 10 s "
                "at 10 %"))
    return;
  anew_plan::scenario s;
  auto const seconds = [&]<class S>(char const* name, double published, double tolerance = 2) {
    to.row(std::string{name} + ": recovers after, in s", published, recovery<S>(s), tolerance);
  };
  seconds.operator()<naive<1>>("no retries", 17.2);
  seconds.operator()<v2020>("AWS 2020", 33.8);
  seconds.operator()<v2026>("AWS 2026", 28.6);
  seconds.operator()<grpc>("gRPC", 18.4);
  seconds.operator()<budget<10>>("retry budget of 10 %", 26.0);
  seconds.operator()<budget<20, 10>>("Linkerd, 20 % and 10 a second", never);
  seconds.operator()<naive<3>>("three attempts", never);
  seconds.operator()<in_time<anew::aws::legacy, anew::max_attempts<11>>>("AWS legacy, eleven attempts", never);
}

void hotos(table& to) {
  if (!to.begin("hotos",
                "N. Bronson et al., \"Metastable Failures in Distributed Systems\": 300 a second, one retry, 10 s"))
    return;
  anew_plan::scenario s;
  s.clients = 20;
  s.capacity = 300;
  s.remaining = 0;
  s.after = 400s;
  auto const at = [&](double load) { s.rate = load / s.clients; };
  at(140);
  to.row("140 a second, one retry: recovers after, in s", 124, recovery<naive<2>>(s), 5);
  at(160);
  to.row("160 a second, one retry", never, recovery<naive<2>>(s), 0);
  at(280);
  to.row("280 a second, one retry", never, recovery<naive<2>>(s), 0);
  to.row("280 a second, no retries", 126, recovery<naive<1>>(s), 8);
  to.row("280 a second, AWS 2026", 159, recovery<v2026>(s), 12);
  to.row("280 a second, AWS 2020", 172, recovery<v2020>(s), 12);
  to.row("280 a second, gRPC", 130, recovery<grpc>(s), 8);
  to.row("280 a second, retry budget of 10 %", never, recovery<budget<10>>(s), 0);
}

/// T = (calls in the outage and their retries - what was answered - what may wait) / (capacity - calls).
template <class S>
void phase_map(table& to, char const* name, double retries_of_client) {
  for (double const load : {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
    anew_plan::scenario s;
    s.rate = load * s.capacity / s.clients;
    s.after = 300s;
    auto const calls = load * s.capacity * 10;
    auto const retries = std::min(2 * calls, s.clients * retries_of_client);
    auto const excess = calls + retries - s.remaining * s.capacity * 10 - s.capacity;
    auto const wanted = std::max(0.0, excess / (s.capacity * (1 - load)));
    to.row(with_percent((std::string{name} + ", recovery in s at a load of ").c_str(), load), wanted, recovery<S>(s),
           3 + 0.06 * wanted);
  }
}

void phases(table& to) {
  if (!to.begin("phases", "Recovery by arithmetic: the queue at the end of the outage over the spare capacity")) return;
  phase_map<naive<1>>(to, "no retries", 0);
  phase_map<v2026>(to, "AWS 2026", 35);
  phase_map<v2020>(to, "AWS 2020", 50);
  phase_map<grpc>(to, "gRPC", 5);
  anew_plan::scenario s;
  s.rate = 3;
  s.after = 300s;
  to.row("three attempts at 30 %: recovers", 1, recovery<naive<3>>(s) < never ? 1 : 0, 0);
  s.rate = 4;
  to.row("three attempts at 40 %, above 1/3", never, recovery<naive<3>>(s), 0);
}

void small_clients(table& to) {
  if (!to.begin("small", "1000 clients of 0.1 calls a second through an outage of 60 s")) return;
  anew_plan::scenario s;
  s.clients = 1'000;
  s.rate = 0.1;
  s.capacity = 1'000;
  s.mode = anew_plan::outage_mode::refuses;
  s.remaining = 0;
  s.outage = 60s;
  auto const load = [&]<class S>(std::type_identity<S>) {
    auto const of = run<S>(s).times.sum(s.before.count(), (s.before + s.outage).count());
    return static_cast<double>(of.attempts) / of.calls;
  };
  to.row("AWS 2026: attempts per call", 3, load(std::type_identity<v2026>{}), 0.05);
  to.at_most("a bucket of 28 tokens: attempts per call", 1.35,
             load(std::type_identity<anew::with<v2026, anew::token_bucket<28, costs_2026>>>{}));
}

// ---------------------------------------------------------------------------------------------------------------------
// The rest

void layers(table& to) {
  if (!to.begin("layers", "Site Reliability Engineering, chapter 22: layers that retry multiply")) return;
  auto const attempts = [](auto const& by, int depth) {
    std::uint64_t n = 0;
    static_cast<void>(anew_fleet::calls_down(by, depth, n));
    return static_cast<double>(n);
  };
  to.row("three layers of three attempts", 27, attempts(naive<3>{}, 3), 0);
  to.row("five layers of three attempts", 243, attempts(naive<3>{}, 5), 0);
  to.row("three layers of four attempts", 64, attempts(naive<4>{}, 3), 0);
  to.row("three layers of three, with a nesting guard", 3, attempts(anew::with<naive<3>, anew::nesting_guard<>>{}, 3),
         0);
}

void throttling(table& to) {
  if (!to.begin("throttling", "Site Reliability Engineering, chapter 21: client-side throttling at twice the capacity"))
    return;
  // The client sends K attempts for each that the server accepts. Two healthy minutes come first.
  auto const asked = [](auto const& gate) {
    using gate_type = std::remove_cvref_t<decltype(gate)>;
    using strategy = anew::with<naive<1>, gate_type>;
    virtual_clock::ticks = 0;
    strategy const by{};
    std::uint64_t accepted = 0, sent = 0;
    double tokens = 500;
    for (int i = 0; i != 2'500'000; ++i) {
      virtual_clock::ticks += 500'000;  // 2000 a second, of which the server accepts 500
      tokens = std::min(tokens + 0.25, 500.0);
      machine_of<strategy> one{by, anew::idempotent_call};
      bool const counts = i >= 1'000'000;
      if (one.begin() != anew::next_step::attempt) continue;
      sent += counts ? 1U : 0U;
      bool const is_healthy = i < 240'000;
      bool const fits = is_healthy || tokens >= 1;
      if (fits && !is_healthy) tokens -= 1;
      accepted += counts && fits ? 1U : 0U;
      static_cast<void>(fits ? one.on_success() : one.on_verdict(anew::directive::retry(error_kind::throttling)));
    }
    return static_cast<double>(sent - accepted) / static_cast<double>(accepted);
  };
  to.row("K = 2: attempts that the server rejects, for each that it accepts", 1, asked(anew::client_throttle<>{}),
         0.02);
  to.row("K = 1.5", 0.5, asked(anew::client_throttle<anew::rational{3, 2}>{}), 0.02);
  to.row("K = 1.1", 0.1, asked(anew::client_throttle<anew::rational{11, 10}>{}), 0.02);
}

/// A thousand clients that a service told to come back after ten seconds.
template <class Hint>
double peak_of_herd() {
  using strategy = anew::with<naive<3>, Hint>;
  virtual_clock::ticks = 0;
  strategy const by{};
  std::vector<unsigned> tenths(1'000);
  for (int i = 0; i != 1'000; ++i) {
    machine_of<strategy> one{by, anew::idempotent_call};
    static_cast<void>(one.begin());
    static_cast<void>(one.on_verdict(anew::directive::retry(error_kind::throttling, 10s)));
    ++tenths[static_cast<std::size_t>(one.wait() / 100ms)];
  }
  return *std::max_element(tenths.begin(), tenths.end());
}

void hints(table& to) {
  if (!to.begin("hints", "Retry-After: 10 to 1000 clients at once: the most that come back within 100 ms")) return;
  to.row("as told", 1'000, peak_of_herd<anew::server_hint<>>(), 0);
  // 1000 over 50 tenths of a second are 20 each, with a standard deviation of 4.4.
  to.at_most("spread over half of it", 20 + 4 * 4.4, peak_of_herd<anew::jittered_hint<anew::rational{1, 2}>>());
}

void hedging(table& to) {
  if (!to.begin("hedging", "J. Dean and L. A. Barroso, \"The Tail at Scale\": independent replicas, closed form"))
    return;
  for (auto const& row : hedging_model::independent_rows) {
    anew::hedge_after const hedging{row.delay, row.extra};
    auto seen = hedging_model::independent_replicas(hedging, 400'000, 28);
    to.row(std::string{row.name} + ": extra load, in %", row.extra_load_percent, seen.extra_load_percent(), 0.1);
    to.row("  99.9 % of the calls end within, in ms", row.p999_ms, hedging_model::quantile_ms(seen.took, 0.999),
           0.03 * row.p999_ms);
  }
}

}  // namespace

int main(int argc, char** argv) {
  table all{argc > 1 ? argv[1] : ""};
  quotas(all);
  jitters(all);
  brooker(all);
  hotos(all);
  phases(all);
  small_clients(all);
  layers(all);
  throttling(all);
  hints(all);
  hedging(all);
  return all.finish();
}
