// SPDX-License-Identifier: BSL-1.0
// A token bucket in an outage: the calls that share it soon stop retrying, each still makes its first attempt, and
// successes fill it again.
#include <cstdio>

#include "anew/anew.hpp"
#include "anew/policies/sharing/borrowed.hpp"

// [strategy]
using client = anew::strategy<anew::no_backoff, anew::token_bucket<40>,  // small, to be drained within this page
                              anew::retry_all, anew::max_attempts<3>>;
// [/strategy]

// [borrowed]
// Its quota belongs to another strategy, which must outlive the borrower.
using patient_client = anew::with<client, anew::borrowed<client::quota_type>, anew::max_attempts<8>>;
// [/borrowed]

int main() {
  // [share]
  client const strategy{};  // one object, used by every call and every thread
  bool service_is_up = false;
  int requests = 0;
  auto const request = [&] {
    ++requests;
    return service_is_up;
  };
  auto const calls = [&](int count) {
    requests = 0;
    for (int i = 0; i != count; ++i) (void)anew::retry(strategy, request);
    std::printf("%2d calls made %2d requests, balance %2u\n", count, requests, strategy.quota().balance());
  };
  // [/share]

  std::printf("The service is up.\n");
  service_is_up = true;
  calls(10);

  std::printf("It is down. A retry costs 14, so the bucket of 40 pays for two.\n");
  service_is_up = false;
  calls(1);
  calls(10);

  std::printf("It is up again. A success without a retry gives back one token.\n");
  service_is_up = true;
  calls(10);

  std::printf("It fails every other request. A success after a retry gives back what that retry paid.\n");
  int count = 0;
  for (int i = 0; i != 10; ++i) (void)anew::retry(strategy, [&] { return ++count % 2 == 0; });
  std::printf("10 calls made %2d requests, balance %2u\n", count, strategy.quota().balance());

  std::printf("The service is well again. Tokens above the capacity are lost.\n");
  calls(30);

  std::printf("Another strategy pays from the same bucket.\n");
  // [borrow]
  patient_client const patient{anew::borrowed{strategy.quota()}};
  (void)anew::retry(patient, [] { return false; });
  std::printf("balance %u\n", strategy.quota().balance());
  // [/borrow]
}
