// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_GRPC_UNARY_HPP
#define ANEW_BRIDGES_GRPC_UNARY_HPP

#include <stop_token>
#include <type_traits>
#include <utility>

#include <grpcpp/client_context.h>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/grpc/prepare.hpp"
#include "anew/bridges/grpc/result.hpp"
#include "anew/drivers/internal/stop.hpp"

namespace anew::inline ANEW_ABI::grpc {

/// A unary call that blocks, as an operation that returns a `grpc::result`.
///
///     anew::retry(strategy, anew::idempotent(anew::grpc::unary([&](grpc::ClientContext& context) {
///       return stub->Say(&context, request, &answer);
///     })));
///
/// Each attempt has a context of its own, which `prepare` has prepared; add metadata and credentials in your function. A
/// `std::stop_token` of the call cancels the attempt.
///
/// Requires: a function that takes a `grpc::ClientContext&` and returns the `grpc::Status`; a channel that does not retry
/// itself (GRPC_ARG_ENABLE_RETRIES 0)
/// Cost: that of a context for each attempt
/// Choose it where a thread may block. Not for streams: prepare.
template <class Call>
[[nodiscard]] auto unary(Call&& call, duration per_attempt = duration::max()) {
  return [call = std::decay_t<Call>(std::forward<Call>(call)), per_attempt](attempt& self) mutable {
    ::grpc::ClientContext context;
    grpc::prepare(context, self, per_attempt);
    std::stop_callback const cancels{self.stop_token(), [&context] { context.TryCancel(); }};
    ::grpc::Status status = call(context);
    return result{std::move(status), context};
  };
}

}  // namespace anew::inline ANEW_ABI::grpc

#endif
