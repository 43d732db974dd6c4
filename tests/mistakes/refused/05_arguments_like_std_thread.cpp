// SPDX-License-Identifier: BSL-1.0
// Arguments of the operation behind it, as std::thread takes them.
// ours: Wrap it: [&] { return operation(arguments); }
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

using patient = anew::strategy<anew::exponential_backoff<50ms, 1s>, anew::max_attempts<3>, anew::retry_on<net_error>>;

int get(int id) { return id + ask(); }

int main() { return anew::retry(patient{}, get, 42); }
