// SPDX-License-Identifier: BSL-1.0
// A deadline as a number.
// ours: Write 100ms or 5s
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() {
  return anew::retry(anew::strategy<anew::deadline<30>, anew::unbounded, anew::retry_on<net_error>>{}, ask);
}
