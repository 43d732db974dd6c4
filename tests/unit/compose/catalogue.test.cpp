// SPDX-License-Identifier: BSL-1.0
// Every policy of the catalogue is used once, the example of its word or as "Choose it" in its comment says: the first
// attempt fails, as in that situation, and the second one is made. tests/laws/check_catalogue.py compares the lists with the headers.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/bridges/http/classifier.hpp"
#include "anew/policies.hpp"
#include "anew/policies/backoff/nested.hpp"
#include "anew/policies/classifier/retry_while.hpp"
#include "anew/policies/gate/striped_rate_breaker.hpp"
#include "anew/policies/limits/max_attempts_by_kind_at_run_time.hpp"
#include "anew/policies/nesting/nested_in.hpp"
#include "anew/policies/observer/timeline.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/presets/aws/classifier.hpp"
#include "anew/presets/smithy.hpp"
#include "anew/presets/step_functions/retriers.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/run_time/virtual/strategy_view.hpp"
#include "anew/run_time/virtual/virtual_strategy.hpp"
#include "anew/testing/recording_sleeper.hpp"
#include "anew/testing/scripted_random.hpp"

#include "examples.hpp"
#include "names.hpp"

namespace compose_catalogue_test {
namespace {

using anew::compose;
using anew::for_kind;
using anew::strategy;

/// Fails once with an exception.
template <class E>
struct throws_once {
  E error;
  int calls = 0;
  void operator()() {
    if (++calls == 1) throw error;
  }
};
template <class E>
throws_once(E) -> throws_once<E>;

/// Returns a failure once.
template <class R>
struct returns_once {
  R failed, succeeded;
  int calls = 0;
  R operator()() { return ++calls == 1 ? failed : succeeded; }
};
template <class R>
returns_once(R, R) -> returns_once<R>;

struct response {
  int status;
};
/// An exception that says whether to retry.
struct telling_error : std::runtime_error, anew::retry_info {
  using runtime_error::runtime_error;
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
};
struct aws_answer {
  int code_of_http;
  [[nodiscard]] int status() const noexcept { return code_of_http; }
};
struct wraps_a_refusal {
  void operator()() {
    if (++calls > 1) return;
    try {
      throw std::system_error{std::make_error_code(std::errc::connection_refused)};
    } catch (...) {
      std::throw_with_nested(std::runtime_error{"the request failed"});
    }
  }
  int calls = 0;
};
struct is_full {
  bool operator()(std::runtime_error const& error) const { return std::string_view{error.what()} == "full"; }
};
struct is_pending {
  bool operator()(int rows) const { return rows == 0; }
};
struct is_malformed {
  bool operator()(std::runtime_error const& error) const { return std::string_view{error.what()} == "malformed"; }
};
struct counts_retries {
  using role = anew::roles::observer;
  void on_retry(anew::retry_event const& /*event*/) const noexcept {}
};
struct ignores_lines {
  void operator()(std::string_view /*line*/) const {}
};
/// A clock that the standard does not have, as one that runs while the machine sleeps.
struct boot_clock {
  using rep = std::int64_t;
  using period = std::nano;
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<boot_clock>;
  static constexpr bool is_steady = true;
  static time_point now() noexcept { return time_point{std::chrono::steady_clock::now().time_since_epoch() + 1h}; }
};

auto refused() { return throws_once{std::system_error{std::make_error_code(std::errc::connection_refused)}}; }
auto broken() { return throws_once{std::runtime_error{"broken"}}; }
using after_a_break = anew::retry_on<std::runtime_error>;

/// The number of attempts that a call made.
template <class S, class Operation>
unsigned attempts(S const& s, Operation operation) {
  if constexpr (requires { anew::describe(s); }) {
    EXPECT_FALSE(anew::describe(s).empty());
  }
  return anew::retry_outcome(s, operation, anew::testing::recording_sleeper{}).attempts();
}

/// The examples of each vocabulary side by side, the I-th of each in one strategy; a shorter one begins again.
template <class Vocabulary>
using in_tuple = typename support::examples<Vocabulary>::template in<std::tuple>;
template <std::size_t I, class... Lists>
void expect_a_second_attempt() {
  strategy<after_a_break, std::tuple_element_t<I % std::tuple_size_v<Lists>, Lists>...> const s{};
  auto const operation = [once = broken()](anew::attempt& self) mutable {
    EXPECT_GT(self.limit(), 0s);
    once();
  };
  EXPECT_EQ(attempts(s, operation), 2U) << anew::describe(s);
}
template <class... Vocabularies>
void expect_second_attempts() {
  constexpr auto most = std::max({std::tuple_size_v<in_tuple<Vocabularies>>...});
  []<std::size_t... I>(std::index_sequence<I...>) {
    (expect_a_second_attempt<I, in_tuple<Vocabularies>...>(), ...);
  }(std::make_index_sequence<most>{});
}

TEST(Catalogue, EachExampleIsOfACallThatIsRetried) {
  expect_second_attempts<anew::backoff_words, anew::jitter_words, anew::quota_words, anew::limit_words,
                         anew::hint_words>();
  using limit = anew::vocabulary<anew::word_of<"max_attempts", anew::max_attempts<2>>>;
  expect_second_attempts<anew::striped_words, anew::deadline_words, anew::attempt_timeout_words, anew::pacer_words,
                         limit>();
  expect_second_attempts<anew::nesting_words, anew::reset_words, anew::random_source_words, anew::clock_words>();
}

struct situation {
  char const* when;
  unsigned (*attempts)();
};

std::vector<situation> const of_shared_state{
    {"a setting nests the backoffs, names the kinds and selects the jitter",
     [] {
       anew::max_attempts_by_kind_at_run_time most{anew::max_attempts{3}};
       most.add_for(error_kind::throttling, anew::max_attempts{8});
       using jitter = anew::choice<anew::roles::jitter, anew::full_jitter, anew::no_jitter>;
       anew::nested_backoff const backoff = anew::nested_backoff::immediate_first(anew::constant_backoff{1s});
       return attempts(compose(after_a_break{}, backoff, most, jitter{anew::no_jitter{}}), broken());
     }},
    {"calls to a destination that is down should fail fast",
     [] { return attempts(strategy<after_a_break, anew::circuit_breaker<>>{}, broken()); }},
    {"a busy client", [] { return attempts(strategy<after_a_break, anew::rate_breaker<>>{}, broken()); }},
    {"a server that is overloaded serves a part",
     [] {
       anew::testing::scripted_random const lets_pass{anew::testing::highest_word};
       return attempts(compose(after_a_break{}, anew::client_throttle<>{}, lets_pass), broken());
     }},
    {"callers wait together",
     [] { return attempts(strategy<after_a_break, anew::cool_down<anew::no_backoff>>{}, broken()); }},
    {"strategies of different lifetimes spend from one budget",
     [] {
       auto const budget = anew::shared{anew::token_bucket<500>{}};
       return attempts(compose(after_a_break{}, budget), broken());
     }},
    {"another object keeps the budget alive",
     [] {
       anew::token_bucket<500> const budget;
       return attempts(compose(after_a_break{}, anew::borrowed{budget}), broken());
     }},
    {"a client of several hosts",
     [] {
       anew::partitioned<std::string, anew::circuit_breaker<>> hosts{10};
       anew::leased<anew::circuit_breaker<>> const host = hosts.at("example.org");
       return attempts(compose(after_a_break{}, host), broken());
     }},
    {"layers that do not know each other, seen by two observers",
     [] {
       using observers = anew::fan_out<counts_retries, anew::timeline<ignores_lines>>;
       return attempts(compose(after_a_break{}, anew::nesting_guard<>{},
                               observers{counts_retries{}, anew::timeline{ignores_lines{}, "fetch"}}),
                       broken());
     }},
    {"a call that continues on other threads, and the last error does not tell the story",
     [] { return attempts(strategy<after_a_break, anew::nested_in, anew::history<4>>{}, broken()); }},
    {"a clock of your own, and a run that is repeated",
     [] {
       return attempts(compose(after_a_break{}, anew::std_clock<boot_clock>{}, anew::seeded_source{7},
                               anew::deadline<1h>{}, anew::max_attempts<2>{}),
                       broken());
     }},
};

std::vector<situation> const of_errors{
    {"an operation that throws",
     [] { return attempts(strategy<anew::retry_on<std::system_error>, anew::server_hint<>>{}, refused()); }},
    {"every error is known", [] { return attempts(strategy<anew::retry_all, anew::clamped_hint<>>{}, refused()); }},
    {"sockets and files",
     [] { return attempts(strategy<anew::error_code_classifier, anew::jittered_hint<>>{}, refused()); }},
    {"a protocol over Asio's sockets",
     [] { return attempts(strategy<anew::asio_classifier, anew::jittered_hint<>>{}, refused()); }},
    {"you know which codes are transient",
     [] { return attempts(strategy<anew::retry_on_codes<std::errc::connection_refused>>{}, refused()); }},
    {"layers wrap the failure",
     [] { return attempts(strategy<anew::caused_by<anew::error_code_classifier>>{}, wraps_a_refusal{}); }},
    {"your own rule in one line",
     [] { return attempts(strategy<anew::retry_if<is_full>>{}, throws_once{std::runtime_error{"full"}}); }},
    {"the list of final errors is shorter",
     [] {
       return attempts(strategy<anew::not_<anew::retry_if<is_malformed>>>{}, throws_once{std::runtime_error{"full"}});
     }},
    {"a value is not ready yet",
     [] { return attempts(strategy<anew::retry_while<is_pending>>{}, returns_once{0, 1}); }},
    {"several sources of failure each have a rule",
     [] {
       return attempts(strategy<anew::any_of<anew::error_code_classifier, anew::retry_if<is_full>>>{},
                       throws_once{std::runtime_error{"full"}});
     }},
    {"a rule has exceptions to it",
     [] {
       return attempts(strategy<anew::first_of<anew::not_<anew::retry_if<is_malformed>>, anew::retry_all>>{}, broken());
     }},
    {"requests that change something",
     [] {
       return attempts(strategy<anew::idempotent_only<anew::retry_on<std::runtime_error>>>{},
                       anew::idempotent(broken()));
     }},
    {"your errors know whether to retry",
     [] { return attempts(strategy<anew::retry_info_classifier>{}, throws_once{telling_error{"busy"}}); }},
    {"exceptions that say whether to retry",
     [] { return attempts(strategy<anew::retry_info_on<telling_error>>{}, throws_once{telling_error{"busy"}}); }},
    {"an operation returns nothing but a status",
     [] {
       return attempts(strategy<anew::http_status_classifier<>>{},
                       anew::idempotent(returns_once{response{503}, response{200}}));
     }},
    {"a setting names the statuses",
     [] {
       return attempts(compose(anew::http_statuses{418}), anew::idempotent(returns_once{response{418}, response{200}}));
     }},
    {"a client of HTTP",
     [] {
       return attempts(strategy<anew::http::classifier<>>{},
                       anew::idempotent(returns_once{response{503}, response{200}}));
     }},
    {"gRPC",
     [] {
       using code = anew::grpc::status_code;
       return attempts(strategy<anew::grpc::status_classifier<>, anew::pushback_hint<>, anew::retry_throttle<>>{},
                       returns_once{code::unavailable, code::ok});
     }},
    {"a service of AWS",
     [] {
       return attempts(strategy<anew::aws::code_classifier<anew::aws::generation::v2026>>{},
                       returns_once{aws_answer{503}, aws_answer{200}});
     }},
    {"to be as the Smithy guide is",
     [] {
       return attempts(strategy<anew::smithy::guide_classifier, anew::smithy::guide_bucket>{},
                       throws_once{telling_error{"busy"}});
     }},
    {"a workflow's Retry field",
     [] {
       return attempts(compose(anew::step_functions::retriers{{{.error_equals = {"States.ALL"}}}}),
                       throws_once{anew::step_functions::task_error{"States.Timeout"}});
     }},
    {"a strategy whose type is known at run time only",
     [] {
       anew::virtual_strategy<strategy<after_a_break>> const hidden;
       static_assert(std::is_same_v<std::remove_cvref_t<decltype(anew::strategy_view{hidden}.classifier())>,
                                    anew::virtual_classifier>);
       return attempts(anew::strategy_view{hidden}, broken());
     }},
};

TEST(Catalogue, EachOtherPolicyIsUsedAsItsCommentSays) {
  for (auto const* rows : {&of_shared_state, &of_errors}) {
    for (auto const& [when, made] : *rows) EXPECT_EQ(made(), 2U) << when;
  }
}

}  // namespace
}  // namespace compose_catalogue_test
