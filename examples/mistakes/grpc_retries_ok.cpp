// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / OK among the codes to retry
// Name the codes of temporary failures: `grpc::codes(grpc::status_code::unavailable)`. With an empty set nothing is
// retried; use `anew::never` for that.
// expect-error: anew::grpc::status_classifier<Codes> requires one code at least, and not OK
#include "anew/anew.hpp"
#include "anew/classifier/grpc_status.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using codes = anew::grpc::status_classifier<anew::grpc::codes(anew::grpc::status_code::ok)>;
#else  // right
using codes = anew::grpc::status_classifier<anew::grpc::codes(anew::grpc::status_code::unavailable)>;
#endif
// [/fix]

int main() {
  auto const code = anew::retry(anew::strategy<codes>{}, [] { return anew::grpc::status_code::ok; });
  return static_cast<int>(code);
}
