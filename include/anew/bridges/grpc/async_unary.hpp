// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_GRPC_ASYNC_UNARY_HPP
#define ANEW_BRIDGES_GRPC_ASYNC_UNARY_HPP

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include <grpcpp/client_context.h>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/initiates.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/grpc/prepare.hpp"
#include "anew/bridges/grpc/result.hpp"

namespace anew::inline ANEW_ABI::grpc {

/// A unary call of gRPC's callback API, as an operation of `async_retry` and `async_hedge` that completes with a
/// `grpc::result`.
///
///     auto say = anew::grpc::async_unary([&](grpc::ClientContext* context, auto done) {
///       stub->async()->Say(context, &request, &answer, done);
///     });
///     anew::async_retry(executor, strategy, anew::idempotent(say), [](anew::grpc::result const& end) { ... });
///
/// gRPC completes it on a thread of its own; the call goes on in its executor. Cancellation and a composed
/// `attempt_timeout` cancel the attempt.
///
/// Requires: messages that live until the call has ended, and for a hedge an answer for each attempt; an executor whose
/// context outlives the calls; a channel that does not retry itself (GRPC_ARG_ENABLE_RETRIES 0)
/// Cost: two blocks of the heap for each attempt, beyond gRPC's own
/// Choose it where Asio waits. Where a thread may block: unary.
template <class Call>
[[nodiscard]] auto async_unary(Call&& call, duration per_attempt = duration::max()) {
  return initiates<void(result)>(
      [call = std::decay_t<Call>(std::forward<Call>(call)), per_attempt](attempt& self, auto handler) mutable -> void {
        auto const context = std::make_shared<::grpc::ClientContext>();
        grpc::prepare(*context, self, per_attempt);
        if (auto slot = net::get_associated_cancellation_slot(handler); slot.is_connected()) {
          slot.assign([context](net::cancellation_type /*type*/) { context->TryCancel(); });
        }
        call(context.get(), std::function<void(::grpc::Status)>{[context, handler](::grpc::Status status) mutable {
               handler(result{std::move(status), *context});
             }});
      });
}

}  // namespace anew::inline ANEW_ABI::grpc

#endif
