// SPDX-License-Identifier: BSL-1.0
// gRPC's maxAttempts counts the first attempt, and refuses one.
// expect-error: anew::grpc::retry_policy<MaxAttempts> requires MaxAttempts >= 2
#include "anew/anew.hpp"
#include "anew/preset/grpc.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using client = anew::grpc::retry_policy<1>;
#else  // right
using client = anew::grpc::retry_policy<2>;
#endif
// [/fix]

int main() {
  static client const strategy;
  auto const code = anew::retry(strategy, [] { return anew::grpc::status_code::ok; });
  return static_cast<int>(code);
}
