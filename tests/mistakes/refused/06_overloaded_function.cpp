// SPDX-License-Identifier: BSL-1.0
// The name of an overloaded function as the operation.
// ours: you passed the name of several overloaded functions
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

using patient = anew::strategy<anew::exponential_backoff<50ms, 1s>, anew::max_attempts<3>, anew::retry_on<net_error>>;

int fetch() { return ask(); }
int fetch(int id) { return id + ask(); }

int main() { return anew::retry(patient{}, fetch); }
