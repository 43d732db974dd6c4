// SPDX-License-Identifier: BSL-1.0
// A misspelt policy in with<>.
// compiler: 'full_jiter' is not a member of 'anew'
// clang: no member named 'full_jiter' in namespace 'anew'
// beyond: g++ 2, which goes on after a name that it does not know
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

using patient = anew::strategy<anew::exponential_backoff<50ms, 1s>, anew::max_attempts<3>, anew::retry_on<net_error>>;

int main() { return anew::retry(anew::with<patient, anew::full_jiter>{}, ask); }
