// SPDX-License-Identifier: BSL-1.0
// The partitions in the place of the policy of one partition.
// ours: a policy of the type partitioned<Key, Policy>::lease
#include <stdexcept>

#include "anew/policies.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() {
  return anew::retry(anew::strategy<anew::partitioned<int, anew::token_bucket<500>>, anew::retry_on<net_error>>{}, ask);
}
