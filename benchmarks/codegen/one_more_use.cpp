// SPDX-License-Identifier: BSL-1.0
#include <utility>

#include "anew/anew.hpp"

#include "cases.hpp"

/// USES different operations, each in a function of its own: what one more of them adds to the code. KIND says what they
/// have in common: 1 one strategy, error values; 2 that with a bucket; 3 one strategy, exceptions; 4 a strategy each; 5 a
/// strategy each, with a bucket, a classifier of its own and the default sleeper.
namespace {

using namespace std::chrono_literals;

struct is_busy {
  constexpr bool operator()(int code) const noexcept { return code == cases::busy; }
};

template <int Base>
using backs_off = anew::exponential_backoff<anew::duration{Base}, 20s>;
using one = anew::strategy<backs_off<50>, anew::retry_if<is_busy>, anew::max_attempts<3>>;

template <int Code>
struct is {
  constexpr bool operator()(int code) const noexcept { return code == Code; }
};
template <int Index>
anew::strategy<backs_off<50 + Index>, anew::token_bucket<500 + Index>, anew::retry_if<is<Index>>,
               anew::max_attempts<2 + Index>> const of_its_own;

#if KIND == 2
anew::with<one, anew::token_bucket<500>> const shared;
#endif

}  // namespace

template <int Index>
int use() {
#if KIND == 1
  return anew::retry(one{}, [] { return cases::ask_nth(Index); }, cases::wait).value;
#elif KIND == 2
  return anew::retry(shared, [] { return cases::ask_nth(Index); }, cases::wait).value;
#elif KIND == 3
  return anew::retry(anew::with<one, anew::retry_all>{},
                     anew::throws_only([] { return cases::ask_or_throw() + Index; }), cases::wait);
#elif KIND == 5
  return anew::retry(of_its_own<Index>, [] { return cases::ask_nth(Index); }).value;
#else
  return anew::retry(anew::with<one, backs_off<50 + Index>>{}, [] { return cases::ask_nth(Index); }, cases::wait).value;
#endif
}

template <int... Index>
int use_all(std::integer_sequence<int, Index...> /*all*/) {
  return (use<Index>() + ... + 0);
}

int all_uses();
int all_uses() { return use_all(std::make_integer_sequence<int, USES>{}); }
