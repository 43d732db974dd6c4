// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <utility>

#include "anew/anew.hpp"

#include "cases.hpp"

/// Calls that fail a few times before they succeed, in a unit of 32 strategies: what one of them costs where a compiler
/// has many users of everything, and inlines less.
namespace {

using namespace std::chrono_literals;

struct is_busy {
  constexpr bool operator()(int code) const noexcept { return code == cases::busy; }
};

template <int Base>
using backs_off = anew::exponential_backoff<anew::duration{50'000'000 + Base}, 20s>;
template <int Index>
using plain = anew::strategy<backs_off<Index>, anew::full_jitter, anew::retry_if<is_busy>, anew::max_attempts<20>>;
template <int Index>
using with_bucket = anew::with<plain<Index>, anew::token_bucket<500>>;

template <int Index>
with_bucket<Index> const bucket;

template <int Index>
int use_one(unsigned failures) {
  cases::fail_next(failures);
  if constexpr (Index % 2 == 0) {
    return anew::retry(plain<Index>{}, cases::ask_busy, cases::wait).value;
  } else {
    return anew::retry(bucket<Index>, cases::ask_busy, cases::wait).value;
  }
}

template <int... Index>
int use_all(unsigned failures, std::integer_sequence<int, Index...> /*all*/) {
  return (use_one<Index + 2>(failures) + ... + 0);
}

}  // namespace

int retry_others(unsigned failures) { return use_all(failures, std::make_integer_sequence<int, 30>{}); }

cases::answer anew_plain_fails_2() {
  cases::fail_next(2);
  return anew::retry(plain<0>{}, cases::ask_busy, cases::wait);
}
cases::answer anew_plain_fails_10() {
  cases::fail_next(10);
  return anew::retry(plain<0>{}, cases::ask_busy, cases::wait);
}
cases::answer anew_bucket_fails_2() {
  cases::fail_next(2);
  return anew::retry(bucket<1>, cases::ask_busy, cases::wait);
}
cases::answer anew_bucket_fails_10() {
  cases::fail_next(10);
  return anew::retry(bucket<1>, cases::ask_busy, cases::wait);
}
