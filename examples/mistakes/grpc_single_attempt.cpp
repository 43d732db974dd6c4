// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A gRPC retry policy of one attempt
// gRPC's proposal A6 refuses such a policy. To make one attempt, use `anew::never`. More than five attempts are
// treated as five.
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
