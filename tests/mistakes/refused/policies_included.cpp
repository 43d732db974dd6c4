// SPDX-License-Identifier: BSL-1.0
#include <stdexcept>

#include "anew/anew.hpp"
#include "anew/policies.hpp"
#include "anew/policies/quota/striped.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

// section: A deadline as a number
// expect-error: Write 100ms or 5s
namespace deadline_integer {
int run() { return anew::retry(anew::strategy<anew::deadline<30>, anew::unbounded, anew::retry_on<net_error>>{}, ask); }
}  // namespace deadline_integer

// section: The partitions in the place of the policy of one partition
// expect-error: a policy of the type partitioned<Key, Policy>::lease
namespace partitioned_as_policy {
int run() {
  return anew::retry(anew::strategy<anew::partitioned<int, anew::token_bucket<500>>, anew::retry_on<net_error>>{}, ask);
}
}  // namespace partitioned_as_policy

// section: A striped breaker without its header, by itself
// expect-error: or anew::rate_breaker with anew/policies/gate/striped_rate_breaker.hpp
namespace striped_breaker_by_itself {
int run() {
  anew::striped<anew::rate_breaker<>> const breaker;
  return static_cast<int>(breaker.describe().size());
}
}  // namespace striped_breaker_by_itself
