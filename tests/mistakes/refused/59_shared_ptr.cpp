// SPDX-License-Identifier: BSL-1.0
// A result that is a shared pointer.
// ours: Specialise anew::result_traits<R>
#include <memory>
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

using patient = anew::strategy<anew::exponential_backoff<50ms, 1s>, anew::max_attempts<3>, anew::retry_on<net_error>>;

std::shared_ptr<int> find();

int main() { return anew::retry(patient{}, find) != nullptr ? 0 : 1; }
