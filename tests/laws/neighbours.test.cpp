// SPDX-License-Identifier: BSL-1.0
// A policy leaves its neighbours alone: whatever stands beside it in an object keeps the values it was constructed with.
// The compilers place an empty policy at the address of another one; g++ 12 writes zeros there for an initialiser `{}`.
// Built at each level of optimisation. check_catalogue.py compares the lists with the headers.
#include <chrono>
#include <initializer_list>
#include <system_error>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/bridges/http/classifier.hpp"
#include "anew/policies.hpp"
#include "anew/policies/gate/striped_rate_breaker.hpp"
#include "anew/policies/nesting/retries_above.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/presets/aws/classifier.hpp"
#include "anew/presets/smithy.hpp"
#include "anew/run_time/choice.hpp"

#include "examples.hpp"
#include "names.hpp"

namespace {

constexpr time_point now{1h};

/// What stands beside a policy, and whether it is as it was constructed.
struct bucket {
  using policy = anew::token_bucket<>;
  [[gnu::noinline]] static bool is_untouched(policy const& it) { return it.balance() == 500; }
};
struct breaker {
  using policy = anew::circuit_breaker<>;
  [[gnu::noinline]] static bool is_untouched(policy const& it) {
    return it.state() == anew::breaker_state::closed && !it.would_refuse(now) && it.try_enter(now).pass;
  }
};
struct budget {
  using policy = anew::retry_budget<>;
  [[gnu::noinline]] static bool is_untouched(policy const& it) { return it.balance(now) == policy{}.balance(now); }
};

/// Hidden from the optimiser: what it knows of the values, it must have read.
template <class T>
T const& in_memory(T const& object) {
  asm volatile("" : : "r"(&object) : "memory");
  return object;
}

template <class Neighbour, class P>
struct policy_last {
  ANEW_NO_UNIQUE_ADDRESS typename Neighbour::policy neighbour;
  ANEW_NO_UNIQUE_ADDRESS P policy;
};
template <class Neighbour, class P>
struct policy_first {
  ANEW_NO_UNIQUE_ADDRESS P policy;
  ANEW_NO_UNIQUE_ADDRESS typename Neighbour::policy neighbour;
};
/// As an object that its constructor initialises, not member by member.
template <class Pair>
struct constructed : Pair {
  constexpr constructed() noexcept {}  // NOLINT(modernize-use-equals-default): one that the user provides
};

template <class Neighbour>
auto const& neighbour_in(auto const& object) {
  if constexpr (requires { object.neighbour; }) {
    return object.neighbour;
  } else if constexpr (std::is_same_v<typename Neighbour::policy::role, anew::roles::gate>) {
    return object.gate();
  } else {
    return object.quota();
  }
}

/// Of an object in each kind of storage, initialised in each way: a bit for each of which the neighbour is not as it was
/// constructed.
template <class Object, class Neighbour>
[[gnu::noinline, gnu::cold]] unsigned places_of_harm() {
  unsigned harm = 0;
  auto const look = [&](unsigned bit, Object const& object) {
    if (!Neighbour::is_untouched(neighbour_in<Neighbour>(in_memory(object)))) harm |= bit;
  };
  Object local;
  look(1, local);
  Object braced{};
  look(2, braced);
  static Object with_static_storage;
  look(4, with_static_storage);
  auto* const on_the_heap = new Object;  // NOLINT(cppcoreguidelines-owning-memory)
  look(8, *on_the_heap);
  delete on_the_heap;  // NOLINT(cppcoreguidelines-owning-memory)
  Object several[2];
  look(16, several[1]);
  static Object several_with_static_storage[2];
  look(32, several_with_static_storage[1]);
  return harm;
}

template <class... Ps>
struct composed {};
template <class... Ps>
  requires anew::Composable<Ps...>
struct composed<Ps...> {
  using type = anew::strategy<Ps...>;
};
/// A strategy of these two and, where it must have them, a limit and a deadline.
template <class Neighbour, class P>
auto strategy_of() {
  using beside = typename Neighbour::policy;
  if constexpr (requires { typename composed<beside, P>::type; }) {
    return composed<beside, P>{};
  } else if constexpr (requires { typename composed<beside, P, anew::max_attempts<3>>::type; }) {
    return composed<beside, P, anew::max_attempts<3>>{};
  } else {
    return composed<beside, P, anew::max_attempts<3>, anew::deadline<10s>>{};
  }
}

struct question {
  char const* about;
  unsigned (*harm)();
};
template <class Object, class Neighbour>
question about() {
  return {__PRETTY_FUNCTION__, &places_of_harm<Object, Neighbour>};
}
void ask(std::initializer_list<question> questions) {
  for (auto const& one : questions) EXPECT_EQ(one.harm(), 0U) << one.about;
}

template <class Neighbour, class P>
void ask_in_pairs() {
  ask({about<policy_last<Neighbour, P>, Neighbour>(), about<policy_first<Neighbour, P>, Neighbour>(),
       about<constructed<policy_last<Neighbour, P>>, Neighbour>()});
}
template <class Neighbour, class P>
void ask_in_a_strategy() {
  if constexpr (!std::is_same_v<typename P::role, typename Neighbour::policy::role>) {
    ask({about<typename decltype(strategy_of<Neighbour, P>())::type, Neighbour>()});
  }
}

template <class... Ps>
struct policies {
  static void stay_as_constructed() {
    (ask_in_pairs<bucket, Ps>(), ...);
    (ask_in_pairs<breaker, Ps>(), ...);
    (ask_in_pairs<budget, Ps>(), ...);
    (ask_in_a_strategy<bucket, Ps>(), ...);
    (ask_in_a_strategy<breaker, Ps>(), ...);
  }
};

// Of those that hold others, one around a policy that holds another in turn.
struct is_busy {
  bool operator()(int error) const { return error == 503; }
};
template <int>
struct told {
  using role = anew::roles::observer;
  void on_retry(anew::retry_event const& /*event*/) const noexcept {}
};
using wrapped = anew::idempotent_only<anew::not_<anew::retry_if<is_busy>>>;

using classifiers =
    policies<anew::any_of<anew::retry_all, wrapped>, anew::aws::code_classifier<anew::aws::generation::v2026>,
             anew::asio_classifier, anew::error_code_classifier, anew::retry_on_codes<std::errc::timed_out>,
             anew::first_of<wrapped, anew::retry_all>, anew::smithy::guide_classifier, anew::http_status_classifier<>,
             anew::http_statuses, wrapped, anew::not_<wrapped>, anew::retry_all, anew::retry_if<is_busy>,
             anew::retry_info_classifier, anew::retry_info_on<anew::retry_info>, anew::retry_on<std::system_error>,
             anew::retry_while<is_busy>, anew::grpc::status_classifier<>, anew::http::classifier<>>;
#if ANEW_EXCEPTIONS && defined(__cpp_rtti)
using classifiers_of_causes = policies<anew::caused_by<wrapped>>;
#else
using classifiers_of_causes = policies<>;
#endif
using others = support::examples<support::all_words>::in<
    policies, anew::choice<anew::roles::jitter, anew::full_jitter, anew::no_jitter>, anew::smithy::guide_bucket,
    anew::nested_in, anew::fan_out<told<0>, anew::fan_out<told<1>>>, anew::history<2>>;

TEST(Neighbours, OfAClassifier) {
  classifiers::stay_as_constructed();
  classifiers_of_causes::stay_as_constructed();
}
TEST(Neighbours, OfAnyOther) { others::stay_as_constructed(); }

}  // namespace
