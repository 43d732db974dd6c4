// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/bridges/boost_system/words.hpp"
#include "anew/bridges/http/words.hpp"
#include "anew/policies.hpp"
#include "anew/roles/internal/ask_gate.hpp"
#include "anew/strategy/for_each_policy.hpp"
#include "anew/text/core_words.hpp"
#include "anew/text/read_policy.hpp"
#include "anew/text/read_strategy.hpp"
#include "anew/text/words/hedge.hpp"

#include "examples.hpp"
#include "names.hpp"

namespace compose_notation_read_strategy_test {
namespace {

struct failed {
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] static char value() { return 0; }
  [[nodiscard]] static int error() { return 5; }
};

}  // namespace
}  // namespace compose_notation_read_strategy_test

template <>
struct anew::refused_result<compose_notation_read_strategy_test::failed> {
  static compose_notation_read_strategy_test::failed make(anew::stop_reason /*why*/) { return {}; }
};

namespace compose_notation_read_strategy_test {
namespace {

namespace words = anew::words;

using all_words = anew::join_words<support::all_words, anew::retry_all_words, words::error_code, words::http_status,
                                   words::grpc_status, words::http>;

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

/// What a policy decides, in the situations of a few calls.
class decisions {
 public:
  template <class P>
  static std::vector<std::int64_t> of(P const& policy) {
    decisions made;
    made.ask(policy, static_cast<typename P::role*>(nullptr));
    return std::move(made.made_);
  }

 private:
  static constexpr error_kind kinds[] = {error_kind::transient, error_kind::throttling, error_kind::timeout,
                                         error_kind::server, error_kind::client};
  static constexpr duration times[] = {0s, 1ns, 30ms, 1s, 5s, 90s, 2h};
  void add(std::int64_t value) { made_.push_back(value); }
  void add(duration value) { made_.push_back(value.count()); }
  void add(std::optional<duration> value) { add(value.value_or(-1ns)); }
  void add(std::optional<anew::planned_delay> value) { add(value ? value->delay : -1ns); }
  static anew::call_progress progress_of(std::uint32_t retry, error_kind kind) {
    anew::call_progress progress{retry, kind, {}};
    for (std::uint32_t n = 0; n != retry; ++n) progress.counts.add(n % 3 == 0 ? kind : error_kind::transient);
    return progress;
  }

  template <class B>
  void ask(B const& backoff, anew::roles::backoff* /*role*/) {
    add(anew::detail::cap_of(backoff));
    for (std::uint32_t retry = 1; retry != 21; ++retry) {
      auto const progress = progress_of(retry, kinds[retry % 5]);
      add(anew::detail::backoff_delay(backoff, retry, progress));
    }
  }
  template <class J>
  void ask(J const& jitter, anew::roles::jitter* /*role*/) {
    anew::generator random{7};
    if constexpr (anew::detail::AppliesWithState<J>) {
      typename J::state_type state{};
      for (auto const ceiling : times) add(jitter.apply(anew::delay_bounds{30ms, ceiling, 2h}, state, random));
    } else {
      for (auto const ceiling : times) add(jitter.apply(ceiling, random));
    }
  }
  template <class Q>
  void ask(Q const& quota, anew::roles::quota* /*role*/) {
    for (int i = 0; i != 20; ++i) {
      anew::time_point const now{i * 10ms};
      if constexpr (anew::detail::CountsCalls<Q>) quota.on_call(now);
      auto const permit = anew::detail::try_acquire(quota, anew::failure{kinds[i % 5]}, now);
      add(permit.has_value() ? 1 : 0);
      if (permit && i % 7 == 0) quota.on_success(*permit);
    }
  }
  template <class M>
  void ask(M const& limit, anew::roles::max_attempts* /*role*/) {
    for (std::uint32_t made = 1; made != 100; ++made) {
      if constexpr (anew::detail::LimitsByKind<M>) {
        add(limit.permits_another(progress_of(made, kinds[made % 5])) ? 1 : 0);
      } else {
        add(limit.permits_another(made) ? 1 : 0);
      }
    }
  }
  template <class H>
  void ask(H const& hint, anew::roles::hint* /*role*/) {
    anew::generator random{7};
    for (auto const computed : times) {
      for (auto const asked : times) add(anew::detail::resolve(hint, computed, asked, duration{9s}, random));
    }
  }
  template <class D>
  void ask(D const& deadline, anew::roles::deadline* /*role*/) {
    add(deadline.total());
    for (auto const delay : times) {
      for (auto const remaining : times) add(deadline.fit(delay, remaining));
    }
  }
  template <class T>
  void ask(T const& timeout, anew::roles::attempt_timeout* /*role*/) {
    for (auto const remaining : times) add(timeout.of(remaining));
  }
  template <class R>
  void ask(R const& reset, anew::roles::reset* /*role*/) {
    for (auto const ran : times) add(reset.starts_over(ran) ? 1 : 0);
  }
  template <class G>
  void ask(G const& gate, anew::roles::gate* /*role*/) {
    anew::generator random{7};
    for (int i = 0; i != 40; ++i) {
      anew::time_point const now{i * 100ms};
      struct {
        anew::time_point value = anew::time_point::min();
      } place;
      auto const answer = anew::detail::ask_gate(gate, place, now, [&random] { return random(); });
      add(answer.pass ? -1 : answer.wait.count());
      if (!answer.pass) continue;
      if constexpr (anew::detail::DrawsOnFailure<G>) {
        gate.on_failure(*answer.pass, anew::failure{kinds[i % 4]}, now, random);
      } else {
        gate.on_failure(*answer.pass, anew::failure{kinds[i % 4]}, now);
      }
    }
  }
  template <class P>
  void ask(P const& pacer, anew::roles::pacer* /*role*/) {
    for (int i = 0; i != 40; ++i) {
      anew::time_point const now{i * 10ms};
      typename P::ticket_type ticket{};
      auto const answer = pacer.ask(ticket, now);
      add(answer.refused ? -1 : answer.wait.count());
      if (i % 5 == 0) pacer.on_failure(anew::failure{error_kind::throttling}, now);
    }
  }
  template <class C>
  void ask(C const& classifier, anew::roles::classifier* /*role*/) {
    auto const add_verdict = [&](anew::directive const& verdict) {
      add(verdict.is_retry() ? 1 + static_cast<int>(verdict.what().kind) * 8 + static_cast<int>(verdict.what().safety)
                             : 0);
    };
    if constexpr (anew::ClassifierOf<C, int>) {
      for (int status = 0; status != 700; ++status) add_verdict(classifier.classify(status));
    }
    if constexpr (anew::ClassifierOf<C, anew::grpc::status_code>) {
      for (int code = 0; code != 17; ++code) add_verdict(classifier.classify(anew::grpc::to_status_code(code)));
    }
    if constexpr (anew::ClassifierOf<C, std::errc>) {
      for (int code = 0; code != 140; ++code) add_verdict(classifier.classify(static_cast<std::errc>(code)));
    }
  }
  template <class R>
  void ask(R const& random, anew::roles::random_source* /*role*/) {
    if constexpr (requires { random.seed(); } || requires { random.index(); }) {
      for (int i = 0; i != 3; ++i) add(static_cast<std::int64_t>(random()));
    }
  }
  void ask(auto const& /*policy*/, void* /*role*/) {}

  std::vector<std::int64_t> made_;
};

/// What the policy says of itself is read, and the policy that was read says and decides the same.
template <class P>
void expect_read_back(P const& policy) {
  using role = typename P::role;
  auto const text = policy.describe();
  std::string whole = text;
  if (std::is_same_v<role, anew::roles::deadline>) whole.append(" unbounded");
  if (text.starts_with("attempt_timeout_share")) whole.append(" deadline(3s) unbounded");
  auto const read = anew::read_strategy<all_words>(whole);
  ASSERT_TRUE(read.has_value()) << anew::in_lines(read.error(), whole);
  anew::for_each_policy(*read, [&]<class Q>(std::string_view, Q const& same) {
    if constexpr (std::is_same_v<typename Q::role, role>) {
      EXPECT_EQ(anew::detail::describe_policy(same), text);
      if constexpr (!std::is_same_v<role, anew::roles::classifier>) {
        EXPECT_EQ(decisions::of(same), decisions::of(policy)) << text;
      }
    }
  });
}
/// The same for one word: a choice of classifiers reads only what all of them read.
template <class Word, class P>
void expect_read_back_by(P const& policy) {
  auto const read = anew::read_policy<Word>(policy.describe());
  ASSERT_TRUE(read.has_value()) << anew::in_lines(read.error(), policy.describe());
  EXPECT_EQ(read->describe(), policy.describe());
  EXPECT_EQ(decisions::of(*read), decisions::of(policy)) << policy.describe();
}

constexpr int rounds = 1000;
template <class Make>
void each_round(Make make) {
  values v{7};
  for (int i = 0; i != rounds && !testing::Test::HasFailure(); ++i) expect_read_back(make(v));
}

TEST(ReadStrategy, EveryBackoffIsReadBack) {
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
  each_round([&](values& v) { return anew::at_least_backoff{leaf(v), v.time(0s, 9s)}; });
  each_round([&](values& v) { return anew::raised_cap_backoff{leaf(v), v.part()}; });
  each_round([&](values& v) {
    return anew::immediate_first{anew::sum_backoff{leaf(v), anew::at_least_backoff{small(v), 1s}}};
  });
  each_round([&](values& v) {
    return anew::phased_backoff{anew::for_first{v.number(1, 9), small(v)}, anew::for_first{v.number(1, 9), leaf(v)},
                                small(v)};
  });
  each_round([&](values& v) {
    return anew::by_kind_backoff{anew::on_kind<error_kind::throttling>(small(v)),
                                 anew::on_kind<error_kind::timeout>(leaf(v)), small(v)};
  });
  each_round(
      [&](values& v) { return anew::counted_by_kind_backoff{anew::on_kind<error_kind::server>(small(v)), leaf(v)}; });
}

TEST(ReadStrategy, EveryJitterWithNumbersIsReadBack) {
  each_round([](values& v) { return anew::proportional_jitter{v.part()}; });
  each_round([](values& v) { return anew::scaled_jitter{v.part(), anew::rational{v.number(32, 61), 31}}; });
}

TEST(ReadStrategy, EveryQuotaIsReadBack) {
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
  each_round([](values& v) { return anew::striped{anew::token_bucket{v.count(14, 1'000'000)}}; });
  each_round([](values& v) {
    return anew::striped{anew::retry_budget{v.count(0, 1000), v.count(0, 100'000), v.time(1s, 60s)}};
  });
  each_round(
      [](values& v) { return anew::striped{anew::concurrency_budget{v.count(0, 100), v.count(0, 4'000'000'000)}}; });
}

TEST(ReadStrategy, EveryLimitAndHintIsReadBack) {
  each_round([](values& v) { return anew::max_attempts{v.count(1, 4'294'967'295)}; });
  each_round([](values& v) {
    return anew::max_attempts_by_kind{anew::on_kind<error_kind::client>(anew::max_attempts{v.count(1, 99)}),
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
  each_round([](values& v) { return anew::poll_deadline{v.time(2s, 9h), v.time(0s, 1s)}; });
  each_round([](values& v) { return anew::attempt_timeout{v.time(1ns, 9h)}; });
  each_round([](values& v) { return anew::attempt_timeout_share{v.part()}; });
  each_round([](values& v) { return anew::reset_after{v.time(1ns, 9h)}; });
}

TEST(ReadStrategy, EveryClassifierThatATextCanHoldIsReadBack) {
  expect_read_back(anew::retry_all{});
  expect_read_back(anew::retry_info_classifier{});
  expect_read_back(anew::error_code_classifier{});
  expect_read_back(anew::http_status_classifier<>{});
  expect_read_back(anew::http_status_classifier<503, anew::http::any_4xx, 429, 301>{});
  expect_read_back(anew::http::classifier<>{});
  auto const statuses = [](values& v) {
    anew::http_statuses made{static_cast<int>(v.count(100, 599))};
    for (auto more = v.count(0, 9); more != 0; --more) made.add(static_cast<int>(v.count(100, 599)));
    if (v.count(0, 3) == 0) made.add(anew::http::any_5xx);
    return made;
  };
  each_round(statuses);
  each_round([&](values& v) { return anew::http::classifier{statuses(v)}; });
  each_round([](values& v) {
    return anew::grpc::status_classifier{anew::grpc::code_set{v.number(1, (1U << 16U) - 1) << 1U}};
  });

  namespace words = anew::words;
  expect_read_back_by<words::retry_all>(anew::retry_all{});
  expect_read_back_by<words::error_code>(anew::error_code_classifier{});
  expect_read_back_by<words::http_status>(anew::http_status_classifier<503, anew::http::any_4xx, 429, 301>{});
  expect_read_back_by<words::http>(anew::http::classifier<anew::http_status_classifier<301, 504>>{});
  expect_read_back_by<words::boost_system<>>(anew::boost_system::classifier<>{});
  values v{9};
  for (int i = 0; i != 20; ++i) {
    auto const codes = anew::grpc::status_classifier{anew::grpc::code_set{v.number(1, (1U << 16U) - 1) << 1U}};
    expect_read_back_by<words::grpc_status>(codes);
    expect_read_back_by<words::any_of<words::http_status, words::error_code>>(
        anew::any_of{statuses(v), anew::error_code_classifier{}});
    expect_read_back_by<words::first_of<words::http_status, words::grpc_status>>(anew::first_of{statuses(v), codes});
    expect_read_back_by<words::idempotent_only<words::not_<words::http_status>>>(
        anew::idempotent_only{anew::not_{statuses(v)}});
  }
#if ANEW_EXCEPTIONS && defined(__cpp_rtti)
  expect_read_back_by<words::caused_by<words::error_code>>(anew::caused_by<anew::error_code_classifier>{});
#endif
}

TEST(ReadStrategy, ASeedRepeatsTheDelays) {
  each_round([](values& v) { return anew::seeded_source{static_cast<std::uint64_t>(v.count(0, 1'000'000'000))}; });
  auto const draw = [](std::string_view text) {
    auto const strategy = anew::read_strategy<anew::core_words, anew::random_source_words>(text).value();
    return std::pair{strategy.random_source()(), strategy.random_source()()};
  };
  EXPECT_EQ(draw("seed(18446744073709551615)"), draw("seed(18446744073709551615)"));
  EXPECT_NE(draw("seed(7)"), draw("seed(8)"));
  EXPECT_NE(draw("seed(7)").first, draw("seed(7)").second);
}

TEST(ReadStrategy, EveryGateAndPacerIsReadBack) {
  each_round([](values& v) {
    return anew::circuit_breaker{v.count(1, 4'294'967'295), v.time(1ns, 9h), v.count(1, 4'000'000)};
  });
  each_round([](values& v) {
    return anew::rate_breaker{v.count(1, 100), v.time(1ms, 9h), v.count(1, 32'767), v.time(1ns, 9h), v.count(1, 9)};
  });
  each_round([](values& v) {
    auto const den = static_cast<std::uint32_t>(v.count(1, 99));
    return anew::client_throttle{anew::rational{den + static_cast<std::uint32_t>(v.count(0, 900)), den},
                                 v.time(1s, 1h)};
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

#if ANEW_EXCEPTIONS
TEST(ReadStrategy, AGivenDeadlineRequiresALimitToo) {
  auto const fault_of = [](std::string_view text, auto... given) {
    auto const read = anew::read_strategy<anew::core_words, anew::attempt_timeout_words>(text, given...);
    return read ? "accepted" : anew::in_lines(read.error(), text);
  };
  EXPECT_EQ(fault_of("no_jitter", anew::deadline<2s>{}),
            "with a deadline the limit of attempts must be written: unbounded, or max_attempts(N)\n  no_jitter\n  ^");
  EXPECT_EQ(fault_of("unbounded", anew::deadline<2s>{}), "accepted");
  EXPECT_EQ(fault_of("no_jitter", anew::deadline<2s>{}, anew::unbounded{}), "accepted");
  EXPECT_EQ(fault_of("deadline(1s)", anew::unbounded{}), "accepted");
  anew::attempt_timeout_share<anew::rational{1, 2}> const share{};
  EXPECT_EQ(fault_of("no_jitter", share),
            "write a deadline too: this is a part of what remains of it\n  no_jitter\n  ^");
  EXPECT_EQ(fault_of("attempt_timeout(1s)", share), "accepted");
  EXPECT_EQ(fault_of("attempt_timeout_share(1/4) unbounded", anew::deadline<2s>{}), "accepted");
  EXPECT_EQ(fault_of("unbounded", anew::deadline<2s>{}, share), "accepted");
}
#endif

TEST(ReadStrategy, ARateIsReadBackAsItIs) {
  values v{11};
  for (int i = 0; i != 1000 && !testing::Test::HasFailure(); ++i) {
    auto const part = [&v] {
      return static_cast<double>(v.count(1, (std::int64_t{1} << 53) - 1)) / 9007199254740992.0;
    };
    anew::rate_limiter_constants const constants{.beta = (part() + 0.01) / 1.02,
                                                 .scale = part() * 1000 + 1,
                                                 .smooth = (part() + 0.01) / 1.02,
                                                 .min_fill_rate = (part() + 1e-11) * 1e11,
                                                 .min_capacity = 1 + part(),
                                                 .longest_queue = 1 + part() * 1e17,
                                                 .longest_wait = (part() + 0.01) * 3};
    anew::client_rate_limiter const limiter{constants};
    auto const read = anew::read_policy<anew::words::rate_limiter_that_waits>(limiter.describe());
    ASSERT_TRUE(read.has_value()) << anew::in_lines(read.error(), limiter.describe());
    EXPECT_EQ(read->constants(), constants) << limiter.describe() << read->describe();
  }
}

TEST(ReadStrategy, AGivenPolicyPlaysWhatTheTextDoesNotName) {
  auto const predicate = anew::retry_if{[](int) { return true; }};
  auto const read = anew::read_strategy("constant(1s)", predicate, anew::token_bucket{99});
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(anew::describe(*read),
            "constant(1s) full_jitter token_bucket(99) retry_if max_attempts(3) server_hint(stop)");
  EXPECT_TRUE(anew::read_strategy(anew::describe(*read), predicate, anew::token_bucket{50}).has_value());
  EXPECT_TRUE(anew::read_strategy("retry_info no_backoff", predicate).has_value()) << "the classifier that was given";
}

TEST(ReadStrategy, WhatWasReadRuns) {
  auto const predicate = anew::retry_if{[](int error) { return error == 5; }};
  auto const strategy = anew::read_strategy("constant(2s) no_jitter max_attempts(4)", predicate).value();
  duration slept{};
  int calls = 0;
  auto const fail = [&] {
    ++calls;
    return failed{};
  };
  static_cast<void>(anew::retry(strategy, anew::idempotent(fail), [&](duration d) { slept += d; }));
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(slept, 6s);
}

#if ANEW_EXCEPTIONS  // without them a wrong text ends the program
std::string fault_of(std::string_view text) {
  auto const read = anew::read_strategy<all_words>(text);
  return read ? "accepted" : read.error().what;
}

TEST(ReadStrategy, AnArgumentIsChecked) {
  EXPECT_EQ(fault_of("http_status(429,99)"), "'99' must be a status from 100 to 599, 4xx or 5xx");
  EXPECT_EQ(fault_of("http_status(429,3xx)"), "'3xx' must be a status from 100 to 599, 4xx or 5xx");
  EXPECT_EQ(fault_of("grpc_status(OK)"), "'OK' must be a code of gRPC for a failure, such as UNAVAILABLE");
  EXPECT_EQ(fault_of("http(retry_all)"), "'http' is written http(http_status(STATUS,...))");
  EXPECT_EQ(fault_of("seed(-1)"), "'-1' must be a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(fault_of("cool_down(by_kind(throttling=constant(1s),constant(50ms)))"),
            "anew::cool_down: the backoff must not tell kinds of errors apart, but is "
            "by_kind(throttling=constant(1s),constant(50ms))");
  EXPECT_THROW(static_cast<void>(anew::read_strategy("constant(2)").value()), std::invalid_argument);
}

#endif

TEST(ReadPolicy, AHedgingIsReadBack) {
  anew::generator dice{5};
  for (int i = 0; i != 1000; ++i) {
    auto const then = dice() % 2 == 0 ? anew::when_pushed_back::stop : anew::when_pushed_back::wait;
    anew::hedge_after const hedge{anew::duration{static_cast<std::int64_t>(dice() % 90'000'000'000)}, dice() % 8, then};
    auto const read = anew::read_policy<words::hedge_after>(hedge.describe());
    ASSERT_TRUE(read.has_value()) << hedge.describe();
    EXPECT_EQ(read->describe(), hedge.describe());
    EXPECT_EQ(read->delay(), hedge.delay());
    EXPECT_EQ(read->max_extra(), hedge.max_extra());
    EXPECT_EQ(read->pushback(), hedge.pushback());
    anew::hedge_at_quantile const learner{
        anew::quantile_parameters{static_cast<std::uint32_t>(dice() % 99 + 1), 100, 100ms, 1ms, 10s, 64}, dice() % 8,
        then};
    auto const either = anew::read_policy<words::hedge_after, words::hedge_at_quantile>(learner.describe());
    ASSERT_TRUE(either.has_value()) << learner.describe();
    auto const& same = std::get<1>(*either);
    EXPECT_EQ(same.describe(), learner.describe());
    EXPECT_EQ(same.delay(), learner.delay());
  }
}

TEST(ReadPolicy, OfAStrategyToo) {
  auto const backoff = anew::read_policy<words::constant>("constant(7ms)");
  ASSERT_TRUE(backoff.has_value());
  EXPECT_EQ(backoff->describe(), "constant(7ms)");
}

#if ANEW_EXCEPTIONS
TEST(ReadPolicy, AFaultIsPointedAt) {
  auto const fault_of = [](std::string_view text) {
    return anew::read_policy<words::hedge_after, words::hedge_at_quantile>(text).error().what;
  };
  EXPECT_EQ(fault_of("hedge_after(1s) hedge_after(1s)"), "omit 'hedge_after(1s)': the text must name one policy");
  EXPECT_EQ(fault_of("hedge_after(1s,9)"), "anew::hedge_after: max_extra must be between 0 and 7, but is 9");
  EXPECT_EQ(fault_of("hedge_at_quantile(95)"), "'95' must be a fraction such as 95/100");
  EXPECT_EQ(fault_of("hedge_after(1s,2,3)"),
            "'3' does not belong here; hedge_after is written hedge_after(DELAY[,EXTRA][,stop])");
  EXPECT_EQ(fault_of("hedge_afterr(1s)"), "there is no policy 'hedge_afterr'; did you mean 'hedge_after'?");
}
#endif

#if ANEW_EXCEPTIONS

using words_tried = anew::join_words<support::all_words, anew::retry_all_words, words::error_code, words::http_status,
                                     words::grpc_status>;

struct answer {
  std::string described;  // empty where the text was refused
  anew::text_fault fault;
};
answer read_in_strategy(std::string_view word) {
  std::string text{word};
  if (text.starts_with("deadline") || text.starts_with("poll_deadline")) text.append(" unbounded");
  if (text.starts_with("attempt_timeout_share")) text.append(" deadline(3s) unbounded");
  auto const read = anew::read_strategy<words_tried>(text);
  return read ? answer{anew::describe(*read), {}} : answer{"", read.error()};
}
template <class Word, class... More>
answer read_alone(std::string_view text) {
  auto const read = anew::read_policy<Word, More...>(text);
  return read ? answer{read->describe(), {}} : answer{"", read.error()};
}

std::size_t times_in(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
  return count;
}
std::vector<std::string> words_in(char const* text) {
  std::istringstream words{text};
  return {std::istream_iterator<std::string>{words}, {}};
}
std::vector<std::string> arguments_of(std::string_view text) {
  std::vector<std::string> all;
  int depth = 0;
  for (char const c : text) {
    if (c == ')') --depth;
    if (depth == 1 && c == ',') {
      all.emplace_back();
    } else if (depth > 0) {
      all.back().push_back(c);
    }
    if (c == '(' && ++depth == 1) all.emplace_back();
  }
  return all;
}

/// Inserts arguments at each place of a text: the reader points at them, or says them.
template <class Read>
void expect_nothing_lost(std::string_view text, Read read) {
  ASSERT_NE(read(text).described, "") << text << ": " << read(text).fault.what;
  auto inserted = words_in(
      "bogus bogus(77) bogus=77 partial partial(77) refuse refuse(77) stop reserve 77 fail_fast 78s "
      "server=76 ignored=77 beta=0.3 longest_wait=7s 1/77 collapse refund=3/7 otherwise=7 constant(77s) "
      "server=constant(76s) full_jitter");
  for (auto const& own : arguments_of(text)) inserted.push_back(own);
  for (std::size_t at = 0; at != text.size(); ++at) {
    for (auto const& what : inserted) {
      std::string changed{text};
      auto begin = at;
      if (text[at] == '(') {
        changed.insert(++begin, what + ",");
      } else if (text[at] == ',' || text[at] == ')') {
        changed.insert(begin++, "," + what);
      } else {
        continue;
      }
      auto const told = read(changed);
      if (!told.described.empty()) {
        EXPECT_GE(times_in(told.described, what), times_in(changed, what)) << changed << " reads " << told.described;
        continue;
      }
      EXPECT_GT(told.fault.length, 0U) << changed;
      EXPECT_LE(told.fault.at + told.fault.length, changed.size()) << changed;
      if (!what.starts_with("bogus")) continue;
      EXPECT_LE(told.fault.at, begin + what.size()) << changed << ": " << told.fault.what;
      EXPECT_GE(told.fault.at + told.fault.length + 1, begin) << changed << ": " << told.fault.what;
    }
  }
}

auto const shown = support::examples<support::all_words>::described();
/// The examples, and other forms of their words.
auto const texts = [] {
  auto all = words_in(
      "exponential(50ms,20s,3/2) token_bucket(500,server=5) "
      "token_bucket(500,refund=1/2,partial) token_bucket(500,server=5,otherwise=3,partial) "
      "refilling_bucket(10,100ms,client=3) refilling_bucket(10,100ms,reserve,1s,client=3) "
      "long_poll(token_bucket(500,server=5,partial)) striped(token_bucket(500,server=5,partial)) "
      "server_hint(clamp,9s) jittered_hint(1/2,server_hint(clamp,9s)) deadline(300s,clamp,1ms) poll_deadline(300s,1s) "
      "circuit_breaker(5,30s,2) rate_breaker(50%,10s,20,30s,3) cool_down(constant(1s),ignored=3,longest_wait=5s) "
      "cool_down(constant(1s),refuse,ignored=3) client_rate_limiter(beta=0.5) client_rate_limiter(fail_fast) "
      "client_rate_limiter(fail_fast,beta=0.5,longest_queue=7) retry_all error_code http_status(503) "
      "grpc_status(UNAVAILABLE)");
  for (auto const& text : shown) all.push_back(text);
  return all;
}();

template <class... Words>
void expect_each_is_tried(anew::vocabulary<Words...> /*list*/) {
  auto const expect_tried = []<class Word>(Word /*which*/) {
    bool is_tried = false;
    for (auto const& text : texts) {
      std::optional<anew::text_fault> fault;
      auto const read = anew::detail::words_of_text{text, fault}.read();
      is_tried = is_tried || (Word::name == read[0].name && Word::accepts(read[0]));
    }
    EXPECT_TRUE(is_tried) << Word::written();
  };
  (expect_tried(Words{}), ...);
}

TEST(NotationArguments, EachIsConsumedOnceOrReported) {
  expect_each_is_tried(words_tried{});
  for (auto const& text : shown) EXPECT_EQ(times_in(read_in_strategy(text).described, text), 1U) << text;
  for (auto const& text : texts) {
    // A set has each of its members once.
    if (!text.starts_with("http_status") && !text.starts_with("grpc_status"))
      expect_nothing_lost(text, &read_in_strategy);
  }
  for (auto const* const text : {"hedge_after(10ms)", "hedge_after(10ms,2)", "hedge_after(10ms,2,stop)"}) {
    expect_nothing_lost(text, &read_alone<words::hedge_after>);
  }
  for (auto const* const text :
       {"hedge_at_quantile(95/100)", "hedge_at_quantile(95/100,2,stop)", "hedge_at_quantile(95/100,lower=2ms)",
        "hedge_at_quantile(95/100,3,lower=200ms,upper=1s,samples=7,stop)"}) {
    expect_nothing_lost(text, &read_alone<words::hedge_at_quantile>);
  }
  expect_nothing_lost("idempotent_only(not(error_code))",
                      &read_alone<words::idempotent_only<words::not_<words::error_code>>>);
  expect_nothing_lost("any_of(error_code,retry_info)",
                      &read_alone<words::any_of<words::error_code, words::retry_info>>);
}

std::string fault_among_tried(std::string_view text) {
  auto const told = read_in_strategy(text);
  return told.described.empty() ? anew::in_lines(told.fault, text) : told.described;
}

TEST(NotationArguments, OneBehindAKeyIsPointedAt) {
  EXPECT_EQ(fault_among_tried("cool_down(constant(1s),ignored=3,refuse)"),
            "omit 'refuse', or write it before the arguments with a name\n"
            "  cool_down(constant(1s),ignored=3,refuse)\n"
            "                                   ^~~~~~");
  EXPECT_EQ(fault_among_tried("token_bucket(500,server=5,partial,transient=4)"),
            "write 'partial' once, behind all other arguments\n"
            "  token_bucket(500,server=5,partial,transient=4)\n"
            "                            ^~~~~~~");
  EXPECT_EQ(fault_among_tried("token_bucket(server=5,500)"),
            "omit '500', or write it before the arguments with a name\n"
            "  token_bucket(server=5,500)\n"
            "                        ^~~");
  EXPECT_EQ(fault_among_tried("token_bucket(500,refund=1/2,otherwise=3)"),
            "anew::token_bucket: at most one of refund and otherwise must be set, but is both\n"
            "  token_bucket(500,refund=1/2,otherwise=3)\n"
            "  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~");
}

#endif

}  // namespace
}  // namespace compose_notation_read_strategy_test
