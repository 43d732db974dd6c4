// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_GRPC_PREPARE_HPP
#define ANEW_BRIDGES_GRPC_PREPARE_HPP

#include <chrono>
#include <string>

#include <grpcpp/client_context.h>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::grpc {

/// Prepares the context of one attempt, which must be a new one: gRPC uses a context once.
///
/// * `set_deadline`: `attempt.limit(per_attempt)` from now, rounded up to two milliseconds at most, so that by anew's clock
///   the time is over too. Without a limit it sets none.
/// * the metadata `grpc-previous-rpc-attempts`, from the second attempt on
///
/// Choose it for calls of your own, such as streams. For unary calls: unary, async_unary.
/// Source: gRPC proposal A6, "Exposed Retry Metadata"
inline void prepare(::grpc::ClientContext& context, attempt const& attempt, duration per_attempt = duration::max()) {
  using std::chrono::milliseconds;
  if (auto const limit = attempt.limit(per_attempt); limit != duration::max()) {
    auto const capped = anew::detail::smaller(limit, duration{std::chrono::hours{24 * 365}});  // no clock overflows
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::ceil<milliseconds>(capped) + milliseconds{1});
  }
  if (attempt.is_retry()) context.AddMetadata("grpc-previous-rpc-attempts", std::to_string(attempt.number() - 1));
}

}  // namespace anew::inline ANEW_ABI::grpc

#endif
