// SPDX-License-Identifier: BSL-1.0
// A lambda that returns nullopt or a value.
// compiler: inconsistent types 'std::nullopt_t' and 'std::optional<int>' deduced
// clang: must match previous return type 'nullopt_t'
// beyond: g++ 2, which tries a conversion of its own to std::nullopt_t
#include <optional>
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() {
  anew::retry(anew::strategy<anew::retry_all>{}, [] {
    if (ask() > 0) return std::nullopt;
    return std::optional{42};
  });
}
