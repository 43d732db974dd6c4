// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_GRPC_RESULT_HPP
#define ANEW_BRIDGES_GRPC_RESULT_HPP

#include <string>
#include <string_view>
#include <utility>

#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/policies/classifier/grpc_status.hpp"

namespace anew::inline ANEW_ABI::grpc {

namespace detail {

/// `peer()` is the address of the transport that took the call, such as "ipv4:192.0.2.1:443", and the channel's target
/// where none did. A text that may be either counts as an address.
[[nodiscard]] constexpr bool is_a_target(std::string_view peer) noexcept {
  if (peer.starts_with("dns:") || peer.starts_with("xds:")) return true;
  auto const colon = peer.find(':');  // "host:443"
  return colon != peer.npos && peer.find_first_not_of("0123456789", colon + 1) == peer.npos;
}

}  // namespace detail

/// The status of one attempt, whether its request can have left this process, and what the server asked for: the default
/// classifier reads it, and so does `grpc::status_classifier`.
///
/// | status                                               | another attempt                                          |
/// |------------------------------------------------------|----------------------------------------------------------|
/// | UNAVAILABLE                                          | transient; safe if no connection took the request, else it may have taken effect |
/// | DEADLINE_EXCEEDED                                    | a time-out; it may have taken effect                     |
/// | RESOURCE_EXHAUSTED with a pushback                   | throttling; it may have taken effect                     |
/// | any with a pushback that is negative or is no number | final                                                    |
/// | any other                                            | final                                                    |
///
/// A target that is an address itself ("ipv4:192.0.2.1:443") hides whether a connection took the request: it then may
/// have taken effect. Compose `pushback_hint<>` to wait as long as the server asks.
///
/// Cost: that of a grpc::Status, and some words; reading a failure makes a text
/// Source: gRPC, "Status codes and their use in gRPC"; proposal A6, "Pushback"
class result : public ::grpc::Status {
 public:
  result() = default;  ///< OK
  explicit result(::grpc::Status status, bool was_sent = true, pushback asked = {})
      : ::grpc::Status{std::move(status)}, asked_{asked}, was_sent_{was_sent} {}
  /// Right after the call of this context has ended.
  result(::grpc::Status status, ::grpc::ClientContext const& context) : result{std::move(status)} {
    if (ok()) return;
    // After a deadline or a cancellation of this side the address may be missing although a server works on the request.
    was_sent_ = error_code() != ::grpc::StatusCode::UNAVAILABLE || !detail::is_a_target(context.peer());
    auto const& trailer = context.GetServerTrailingMetadata();
    auto const field = trailer.find("grpc-retry-pushback-ms");
    if (field != trailer.end()) asked_ = parse_pushback({field->second.data(), field->second.size()});
  }

  [[nodiscard]] bool has_value() const { return ok(); }
  [[nodiscard]] result const& error() const noexcept { return *this; }
  [[nodiscard]] std::string message() const { return error_message(); }

  /// False after UNAVAILABLE if no connection took the request, so that no server can have executed it.
  [[nodiscard]] bool was_sent() const noexcept { return was_sent_; }
  [[nodiscard]] pushback retry_pushback() const noexcept { return asked_; }

  [[nodiscard]] retry_safety is_retry_safe() const {
    bool const is_passing = error_code() == ::grpc::StatusCode::UNAVAILABLE || is_timeout() || is_throttle();
    if (!is_passing || asked_.forbids()) return retry_safety::no;
    return was_sent_ ? retry_safety::maybe : retry_safety::yes;
  }
  [[nodiscard]] bool is_throttle() const {
    return error_code() == ::grpc::StatusCode::RESOURCE_EXHAUSTED && asked_.has_value();
  }
  [[nodiscard]] bool is_timeout() const { return error_code() == ::grpc::StatusCode::DEADLINE_EXCEEDED; }
  [[nodiscard]] pushback retry_after() const noexcept { return asked_; }

 private:
  pushback asked_{};
  bool was_sent_ = true;
};

}  // namespace anew::inline ANEW_ABI::grpc

namespace anew::inline ANEW_ABI {

/// A status without its context. It does not say whether the request was sent, nor what the server asked for.
template <>
struct result_traits<::grpc::Status> : grpc::status_result {};
template <>
struct retry_traits<::grpc::Status> {
  static retry_safety is_retry_safe(::grpc::Status const& status) { return grpc::result{status}.is_retry_safe(); }
  static bool is_timeout(::grpc::Status const& status) { return grpc::result{status}.is_timeout(); }
};

/// An attempt that its attempt timeout ended has DEADLINE_EXCEEDED; one that the caller stopped, CANCELLED.
template <>
struct timed_out_result<grpc::result> {
  static grpc::result make(grpc::result&& cancelled) {
    return grpc::result{{::grpc::StatusCode::DEADLINE_EXCEEDED, "the attempt timed out"}, cancelled.was_sent()};
  }
};
/// A call that a gate, a pacer, a stop or the deadline ended before its first attempt.
template <>
struct refused_result<grpc::result> {
  static grpc::result make(stop_reason why) {
    auto const code = why == stop_reason::cancelled  ? ::grpc::StatusCode::CANCELLED
                      : why == stop_reason::deadline ? ::grpc::StatusCode::DEADLINE_EXCEEDED
                                                     : ::grpc::StatusCode::UNAVAILABLE;
    return grpc::result{{code, std::string{"not sent: "} + to_string(why)}, false};
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
