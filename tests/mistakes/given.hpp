// SPDX-License-Identifier: BSL-1.0
#ifndef TESTS_MISTAKES_GIVEN_HPP
#define TESTS_MISTAKES_GIVEN_HPP

#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "anew/drivers/why_not_retried.hpp"
#include "anew/policies.hpp"

using namespace std::chrono_literals;

/// What the operations throw.
struct net_error : std::runtime_error {
  using runtime_error::runtime_error;
};
/// An exception that speaks for itself.
struct speaking_error : std::runtime_error, anew::retry_info {
  using runtime_error::runtime_error;
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
};
/// What a client of HTTP returns.
struct response {
  int code;
  [[nodiscard]] int status() const { return code; }
};

inline int calls = 0;

inline void no_sleep(anew::duration) {}

/// The first two attempts of a call fail.
inline void fail_twice() {
  if (++calls < 3) throw net_error{"lost"};
}

inline bool fails() { return ++calls, false; }

template <class Error>
[[noreturn]] void throws(Error error) {
  ++calls;
  throw error;
}

/// Prints what the program found, and after how many calls.
template <class... Parts>
void tell_all(Parts const&... parts) {
  (std::cout << ... << parts) << " after " << calls << " calls\n";
}

/// Prints what it is asked to wait, in milliseconds.
inline void tell(anew::duration delay) { std::printf("sleep %lld ms\n", static_cast<long long>(delay / 1ms)); }

/// A reader of errors and three attempts, without waiting.
template <class... Policies>
using thrice = anew::strategy<anew::no_backoff, anew::max_attempts<3>, Policies...>;

/// What most programs use.
using usual = thrice<anew::retry_on<net_error>>;

/// How a call ended, and why no more attempts were made.
template <class Outcome>
void print(Outcome const& outcome) {
  std::printf("calls=%d reason=%s\n", calls, to_string(outcome.reason()));
  std::puts(anew::why_not_retried(anew::strategy<>{}, outcome).c_str());
}

#endif
