// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/value/internal/parameter.hpp"
#include "anew/value/rational.hpp"
#include "anew/value/run_time.hpp"
#include "anew/value/run_time_count.hpp"

namespace value_parameter_test {
namespace {

using namespace std::chrono_literals;
using anew::at_run_time;
using anew::detail::parameter;
using anew::duration;
using anew::rational;
using anew::run_time;
using anew::run_time_count;

struct owner;
struct other;
enum class choice : std::uint8_t { a, b };

template <anew::static_duration D, std::int64_t N, rational R>
struct policy {
  ANEW_NO_UNIQUE_ADDRESS parameter<D, policy> delay;
  ANEW_NO_UNIQUE_ADDRESS parameter<D, policy, 1> cap;
  ANEW_NO_UNIQUE_ADDRESS parameter<N, policy> count;
  ANEW_NO_UNIQUE_ADDRESS parameter<R, policy> factor;
};

TEST(Parameter, IsPartOfTheTypeWhereItIsKnown) {
  static_assert(parameter<anew::static_duration{5ms}, owner>::get() == 5ms);
  static_assert(std::is_same_v<decltype(parameter<std::int64_t{3}, owner>::get()), std::uint32_t>);
  static_assert(parameter<std::int64_t{4'294'967'295}, owner>::get() == 4'294'967'295);
  static_assert(parameter<rational{6, 4}, owner>::get() == rational{3, 2});
  static_assert(parameter<choice::b, owner, 0, true>::get() == choice::b);
  static_assert(std::is_empty_v<policy<5ms, 5, rational{5}>> && sizeof(policy<5ms, 5, rational{5}>) == 1);
}

TEST(Parameter, IsAMemberWhereItIsGivenAtRunTime) {
  static_assert(sizeof(parameter<run_time, owner>) == 8 && sizeof(parameter<run_time_count, owner>) == 4);
  static_assert(sizeof(parameter<at_run_time<rational>, owner>) == 8);
  static_assert(sizeof(parameter<choice::a, owner, 0, false>) == 1);
  static_assert(parameter<run_time, owner>{7ns}.get() == 7ns);
  static_assert(parameter<run_time_count, owner>{9U}.get() == 9);
  static_assert(parameter<at_run_time<rational>, owner>{rational{2, 4}}.get() == rational{1, 2});
  static_assert(parameter<choice::a, owner, 0, false>{choice::b}.get() == choice::b);
  static_assert(sizeof(policy<run_time, 5, rational{5}>) == 16);
  static_assert(std::is_trivially_copyable_v<policy<run_time, run_time_count, at_run_time<rational>>>);
}

// Nothing can be forgotten: there is no value until one is given.
TEST(Parameter, HasNoValueByItself) {
  static_assert(!std::is_default_constructible_v<parameter<run_time, owner>>);
  static_assert(!std::is_constructible_v<parameter<anew::static_duration{5ms}, owner>, duration>);
}

TEST(Parameter, EqualOnesOfSeveralOwnersShareAnAddress) {
  using five = policy<5ms, 5, rational{5}>;
  using six = policy<5ms, 5, rational{6}>;
  struct both {
    ANEW_NO_UNIQUE_ADDRESS five a;
    ANEW_NO_UNIQUE_ADDRESS six b;
    ANEW_NO_UNIQUE_ADDRESS parameter<anew::static_duration{5ms}, owner> c;
    ANEW_NO_UNIQUE_ADDRESS parameter<anew::static_duration{5ms}, other> d;
  };
  static_assert(std::is_empty_v<both> && sizeof(both) == 1);
}

}  // namespace
}  // namespace value_parameter_test
