// SPDX-License-Identifier: BSL-1.0
// A budget of retries that all processes of a fleet share on Redis, and what is left of it while Redis is away.
#include <chrono>
#include <cstdio>

#include "anew/anew.hpp"
#include "anew/bridges/redis/redis_bucket.hpp"
#include "anew/policies/sharing/shared.hpp"

using namespace std::chrono_literals;

int main() {
  // [bucket]
  anew::shared const budget{anew::redis_bucket{{
      .name = "orders",               // the key is {orders}: processes that use it share the bucket
      .host = "/nowhere/redis.sock",  // or a host name and .port; with .user and .password where Redis asks for them
      .capacity = 500,
      .first = 500,
      .away = anew::when_redis_is_away::share,
      .processes = 10,
  }}};
  auto const client = anew::compose(budget, anew::constant_backoff{1ms}, anew::full_jitter{}, anew::retry_all{},
                                    anew::max_attempts<3>{});
  // [/bucket]

  int requests = 0;
  for (int call = 0; call != 10; ++call) {
    (void)anew::retry(client, anew::idempotent([&requests] {
                        ++requests;
                        return false;
                      }));
  }
  std::printf("Redis is %s: 10 calls that failed made %d requests.\n", budget.policy().is_away() ? "away" : "there",
              requests);
  std::printf("%s: %s\n", budget.describe().c_str(), budget.policy().last_error().c_str());
}
