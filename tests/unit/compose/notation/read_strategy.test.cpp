// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "anew/compose/notation/read_strategy.hpp"
#include "anew/policies.hpp"

namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::error_kind;

using all_words = anew::join_words<anew::core_words, anew::attempt_timeout_words, anew::pacer_words, anew::reset_words,
                                   anew::nesting_words, anew::retry_all_words>;

/// Values within the bounds of the policies.
class values {
 public:
  explicit values(std::uint64_t seed) : dice_{seed} {}
  std::int64_t count(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(dice_() % static_cast<std::uint64_t>(most - least + 1));
  }
  duration time(duration least, duration most) { return duration{count(least.count(), most.count())}; }
  std::uint32_t number(std::uint32_t least, std::uint32_t most) {
    return static_cast<std::uint32_t>(count(least, most));
  }
  /// Between 0 and 1, in lowest terms.
  anew::rational part() { return {number(1, 30), 31}; }

 private:
  anew::generator dice_;
};

std::string fault_of(std::string_view text) {
  auto const read = anew::read_strategy<all_words>(text);
  return read ? "accepted" : read.error().what;
}

/// What the policy says of itself is read, and the policy that was read says the same.
template <class P>
void expect_read_back(P const& policy) {
  auto const text = policy.describe();
  std::string whole = text;
  if (std::is_same_v<typename P::role, anew::roles::deadline>) whole.append(" unbounded");
  if (text.starts_with("attempt_timeout_share")) whole.append(" deadline(3s) unbounded");
  auto const read = anew::read_strategy<all_words>(whole);
  ASSERT_TRUE(read.has_value()) << in_lines(read.error(), whole);
  auto const said = " " + anew::describe(*read) + " ";
  EXPECT_NE(said.find(" " + text + " "), std::string::npos) << text << "\n" << said;
}

constexpr int rounds = 1000;
template <class Make>
void each_round(Make make) {
  values v{7};
  for (int i = 0; i != rounds && !testing::Test::HasFailure(); ++i) expect_read_back(make(v));
}

TEST(ReadStrategy, EveryBackoffIsReadBack) {
  expect_read_back(anew::no_backoff{});
  auto const leaf = [](values& v) {
    return anew::exponential_backoff{v.time(1ns, 9s), v.time(9s, 90s), anew::rational{v.number(32, 61), 31}};
  };
  auto const small = [](values& v) { return anew::constant_backoff{v.time(0s, 90s)}; };
  each_round(leaf);
  each_round(small);
  each_round([](values& v) { return anew::linear_backoff{v.time(0s, 9s), v.time(9s, 90s), v.time(1ns, 9s)}; });
  each_round([](values& v) { return anew::fibonacci_backoff{v.time(1ns, 9s), v.time(9s, 90s)}; });
  each_round([](values& v) { return anew::sequence_backoff{v.time(0s, 9s), v.time(0s, 90s), v.time(0s, 9h)}; });
  each_round([&](values& v) { return anew::sum_backoff{leaf(v), small(v)}; });
  each_round([&](values& v) { return anew::floor_backoff{leaf(v), v.time(0s, 9s)}; });
  each_round([&](values& v) { return anew::headroom_backoff{leaf(v), v.part()}; });
  each_round(
      [&](values& v) { return anew::immediate_first{anew::sum_backoff{leaf(v), anew::floor_backoff{small(v), 1s}}}; });
  each_round([&](values& v) {
    return anew::phased_backoff{anew::for_first{v.number(1, 9), small(v)}, anew::for_first{v.number(1, 9), leaf(v)},
                                small(v)};
  });
  each_round([&](values& v) {
    return anew::by_kind_backoff{anew::on_kind<error_kind::throttling>(small(v)),
                                 anew::on_kind<error_kind::timeout>(leaf(v)), small(v)};
  });
  each_round([&](values& v) { return anew::per_kind_backoff{anew::on_kind<error_kind::server>(small(v)), leaf(v)}; });
}

TEST(ReadStrategy, ANestedBackoffDelaysAsTheTemplates) {
  values v{3};
  for (int i = 0; i != rounds; ++i) {
    anew::constant_backoff const one{v.time(0s, 9s)};
    anew::exponential_backoff const other{v.time(1ns, 1s), v.time(9s, 90s), anew::rational{v.number(32, 61), 31}};
    auto const same = [](auto const& composed) {
      auto const read = anew::read_strategy(composed.describe());
      ASSERT_TRUE(read.has_value());
      EXPECT_EQ(read->backoff().cap(), composed.cap());
      for (std::uint32_t retry = 1; retry != 21; ++retry) {
        EXPECT_EQ(read->backoff().delay(retry), composed.delay(retry)) << composed.describe() << retry;
        for (auto kind : {error_kind::throttling, error_kind::timeout, error_kind::server}) {
          anew::call_progress progress{retry, kind, {}};
          for (std::uint32_t n = 0; n != retry; ++n) progress.counts.add(n % 3 == 0 ? kind : error_kind::transient);
          EXPECT_EQ(anew::detail::backoff_delay(read->backoff(), retry, progress),
                    anew::detail::backoff_delay(composed, retry, progress));
        }
      }
    };
    same(other);
    same(anew::sum_backoff{one, anew::floor_backoff{other, v.time(0s, 9s)}});
    same(anew::headroom_backoff{anew::immediate_first{other}, v.part()});
    same(anew::phased_backoff{anew::for_first{v.number(1, 9), other}, anew::for_first{v.number(1, 9), one}, other});
    same(anew::by_kind_backoff{anew::on_kind<error_kind::throttling>(one), anew::on_kind<error_kind::timeout>(other),
                               one});
    same(anew::per_kind_backoff{anew::on_kind<error_kind::throttling>(one), anew::on_kind<error_kind::server>(other),
                                other});
  }
}

TEST(ReadStrategy, EveryJitterIsReadBack) {
  expect_read_back(anew::full_jitter{});
  expect_read_back(anew::no_jitter{});
  expect_read_back(anew::equal_jitter{});
  expect_read_back(anew::decorrelated_jitter{});
  expect_read_back(anew::cap_after_draw_jitter{});
  expect_read_back(anew::polly_decorrelated_jitter{});
  expect_read_back(anew::from_first_jitter{});
  each_round([](values& v) { return anew::proportional_jitter{v.part()}; });
  each_round([](values& v) { return anew::scaled_jitter{v.part(), anew::rational{v.number(32, 61), 31}}; });
}

TEST(ReadStrategy, EveryQuotaIsReadBack) {
  expect_read_back(anew::unlimited_quota{});
  auto const costs = [](values& v) {
    return anew::retry_costs{v.number(1, 20), v.number(0, 20), v.number(0, 20), v.number(0, 20), v.number(0, 20)};
  };
  each_round([](values& v) { return anew::token_bucket{v.count(14, 1'000'000)}; });
  each_round([&](values& v) { return anew::token_bucket{v.count(20, 1'000'000), costs(v)}; });
  each_round([&](values& v) {
    return anew::token_bucket{v.count(40, 100'000), costs(v), anew::refund::fraction(v.number(1, 30), 31),
                              anew::payment::partial};
  });
  each_round([&](values& v) {
    return anew::token_bucket{v.count(40, 100'000), costs(v), anew::refund::last_cost(v.number(2, 20))};
  });
  each_round([](values& v) { return anew::refilling_bucket{v.count(1, 100'000), v.time(1ns, 9s)}; });
  each_round([](values& v) {
    return anew::refilling_bucket{v.count(1, 100'000), v.time(1ns, 9s), anew::longest_wait{v.time(1ns, 9s)},
                                  anew::retry_costs::all(v.number(1, 9))};
  });
  each_round([](values& v) { return anew::retry_budget{v.count(0, 1000), v.count(0, 100'000), v.time(1s, 60s)}; });
  each_round([](values& v) { return anew::concurrency_budget{v.count(0, 100), v.count(0, 4'000'000'000)}; });
  each_round(
      [](values& v) { return anew::retry_throttle{v.count(1, 1000), anew::rational{v.number(1, 1000000), 1000}}; });
  each_round([](values& v) { return anew::long_poll{anew::token_bucket{v.count(14, 1'000'000)}}; });
}

TEST(ReadStrategy, EveryLimitAndHintIsReadBack) {
  expect_read_back(anew::unbounded{});
  each_round([](values& v) { return anew::max_attempts{v.count(1, 4'294'967'295)}; });
  each_round([](values& v) {
    return anew::per_kind_attempts{anew::on_kind<error_kind::client>(anew::max_attempts{v.count(1, 99)}),
                                   anew::on_kind<error_kind::timeout>(anew::unbounded{}),
                                   anew::max_attempts{v.count(1, 99)}};
  });
  for (auto const then : {anew::long_hint::stop, anew::long_hint::clamp, anew::long_hint::ignore}) {
    expect_read_back(anew::server_hint{then});
    each_round([then](values& v) { return anew::server_hint{then, v.time(0s, 9h)}; });
  }
  each_round([](values& v) { return anew::clamped_hint{v.time(0s, 9h)}; });
  each_round([](values& v) { return anew::pushback_hint{v.time(0s, 9h)}; });
  each_round([](values& v) {
    return anew::jittered_hint{anew::rational{v.number(1, 30), 31}, anew::clamped_hint{v.time(0s, 9h)}};
  });
  each_round([](values& v) { return anew::deadline{v.time(1ns, 9h)}; });
  each_round([](values& v) { return anew::deadline{v.time(2s, 9h), anew::at_deadline::clamp, v.time(1ns, 1s)}; });
  each_round([](values& v) { return anew::deadline{v.time(2s, 9h), anew::at_deadline::last_try}; });
  each_round([](values& v) { return anew::max_wait{v.time(2s, 9h), v.time(0s, 1s)}; });
  each_round([](values& v) { return anew::attempt_timeout{v.time(1ns, 9h)}; });
  each_round([](values& v) { return anew::attempt_timeout_share{v.part()}; });
  each_round([](values& v) { return anew::reset_after{v.time(1ns, 9h)}; });
  expect_read_back(anew::nesting_guard<>{});
  expect_read_back(anew::nesting_guard<anew::when_nested::share_quota>{});
  expect_read_back(anew::retry_all{});
  expect_read_back(anew::retry_info_classifier{});
}

TEST(ReadStrategy, EveryGateAndPacerIsReadBack) {
  each_round([](values& v) {
    return anew::circuit_breaker{v.count(1, 4'294'967'295), v.time(1ns, 9h), v.count(1, 4'000'000)};
  });
  each_round([](values& v) {
    return anew::rate_breaker{v.count(1, 100), v.time(1ms, 9h), v.count(1, 32'767), v.time(1ns, 9h), v.count(1, 9)};
  });
  auto const backoff = [](values& v) { return anew::exponential_backoff{v.time(1ns, 9s), v.time(9s, 90s)}; };
  each_round([&](values& v) { return anew::cool_down{backoff(v), v.count(0, 1000)}; });
  each_round([&](values& v) { return anew::cool_down{backoff(v), v.count(0, 1000), v.time(1ns, 9h)}; });
  expect_read_back(anew::client_rate_limiter<>{});
  expect_read_back(anew::client_rate_limiter<anew::when_limited::fail_fast>{});
  each_round([](values& v) {
    return anew::client_rate_limiter{
        anew::rate_limiter_constants{.beta = static_cast<double>(v.count(1, 99)) / 100, .longest_queue = 7}};
  });
}

TEST(ReadStrategy, AGivenPolicyPlaysWhatTheTextDoesNotName) {
  auto const predicate = anew::retry_if{[](int) { return true; }};
  auto const read = anew::read_strategy("constant(1s)", predicate, anew::token_bucket{99});
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(anew::describe(*read),
            "constant(1s) full_jitter token_bucket(99) retry_if max_attempts(3) server_hint(stop)");
  EXPECT_TRUE(anew::read_strategy(anew::describe(*read), predicate, anew::token_bucket{50}).has_value());
  EXPECT_TRUE(anew::read_strategy("retry_info no_backoff", predicate).has_value()) << "the classifier that was given";
  EXPECT_EQ(fault_of("retry_all retry_info"),
            "'retry_info' plays the classifier, as does 'retry_all' before it; omit one of them");
}

TEST(ReadStrategy, WhatWasReadRuns) {
  auto const predicate = anew::retry_if{[](int error) { return error == 5; }};
  auto const strategy = anew::read_strategy("constant(2s) no_jitter max_attempts(4)", predicate).value();
  duration slept{};
  int calls = 0;
  struct failed {
    [[nodiscard]] static bool has_value() { return false; }
    [[nodiscard]] static char value() { return 0; }
    [[nodiscard]] static int error() { return 5; }
  };
  auto const fail = [&] {
    ++calls;
    return failed{};
  };
  static_cast<void>(anew::retry(strategy, anew::idempotent(fail), [&](duration d) { slept += d; }));
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(slept, 6s);
  EXPECT_THROW(static_cast<void>(anew::read_strategy("constant(2)").value()), std::invalid_argument);
}

TEST(ReadStrategy, BoundsAreExact) {
  auto const nested = [](std::size_t levels) {
    std::string text = "constant(1s)";
    for (std::size_t i = 0; i != levels; ++i) text = "immediate_first(" + text + ")";
    return text;
  };
  EXPECT_EQ(fault_of(nested(15)), "accepted");
  EXPECT_EQ(fault_of(nested(16)), "policies must be nested at most 16 deep");
  std::string delays = "sequence(1s";
  for (int i = 1; i != 64; ++i) delays += ",1s";
  EXPECT_EQ(fault_of(delays + ")"), "accepted");
  EXPECT_EQ(fault_of(delays + ",1s)"), "there must be at most 64 arguments");
  EXPECT_EQ(fault_of("no_backoff" + std::string(65'526, ' ')), "accepted");
  EXPECT_EQ(fault_of("no_backoff" + std::string(65'527, ' ')), "the text must have at most 65536 bytes");
  std::string many;
  for (int i = 0; i != 65; ++i) many += "full_jitter ";
  EXPECT_EQ(fault_of(many), "there must be at most 64 policies");
}

TEST(ReadStrategy, AFaultIsPointedAt) {
  std::string_view const text = "full_jitter exponential(50,20s)";
  auto const read = anew::read_strategy(text);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(in_lines(read.error(), text),
            "'50' must be a duration, a number and a unit: 250ms, 2s, 1.5s, 100us, 1m\n"
            "  full_jitter exponential(50,20s)\n"
            "                          ^~");
  EXPECT_EQ(fault_of("ful_jitter"), "there is no policy 'ful_jitter'; did you mean 'full_jitter'?");
  EXPECT_EQ(fault_of("exponential(2s,1s)"),
            "anew::exponential_backoff: cap must not be below base, but is 1s (base 2s)");
  EXPECT_EQ(fault_of("sum(full_jitter,constant(1s))"), "'full_jitter' must be a backoff, but is a jitter");
  EXPECT_EQ(fault_of("deadline(3s)"),
            "with a deadline the limit of attempts must be written: unbounded, or max_attempts(N)");
  EXPECT_EQ(fault_of("attempt_timeout_share(1/2)"), "write a deadline too: this is a part of what remains of it");
  for (auto const* const bad :
       {"", " ", "(", "constant(1s", "constant(1s,)", "constant(1s)full_jitter", "constant (1s)",
        "token_bucket(30,server=)", "exponential(base=1s,2s)", "full_jitter()", "constant(1s,2s)",
        "token_bucket(server=3)", "token_bucket(30,server=1,server=2)", "constant(99999999999h)"}) {
    EXPECT_NE(fault_of(bad), "accepted") << bad;
  }
}

}  // namespace
