// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_INTERNAL_CATALOGUE_HPP
#define ANEW_ROLES_INTERNAL_CATALOGUE_HPP

#include <chrono>
#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"

/// The names of the catalogue, so that the core can say which header is missing. Default template arguments are written
/// here, and not again in a policy's own header.
namespace anew::inline ANEW_ABI {

template <static_duration Base, static_duration Cap, static_duration Step = Base>
class linear_backoff;  // anew: include <anew/policies.hpp>, or <anew/policies/backoff/linear.hpp>
template <static_duration Base, static_duration Cap>
class fibonacci_backoff;  // anew: include <anew/policies.hpp>, or <anew/policies/backoff/linear.hpp>
template <static_duration... Delays>
class sequence_backoff;  // anew: include <anew/policies.hpp>, or <anew/policies/backoff/sequence.hpp>
template <class B>
class immediate_first;  // anew: include <anew/policies.hpp>, or <anew/policies/backoff/immediate_first.hpp>
template <rational Fraction>
class proportional_jitter;  // anew: include <anew/policies.hpp>, or <anew/policies/jitter/proportional.hpp>

template <class... Classifiers>
class any_of;  // anew: include <anew/policies.hpp>, or <anew/policies/classifier/any_of.hpp>
template <class... Classifiers>
class first_of;  // anew: include <anew/policies.hpp>, or <anew/policies/classifier/any_of.hpp>
struct never_sent;
template <class C, class NotSent = never_sent>
class idempotent_only;  // anew: include <anew/policies.hpp>, or <anew/policies/classifier/idempotent_only.hpp>
template <class C>
class caused_by;               // anew: include <anew/policies.hpp>, or <anew/policies/classifier/caused_by.hpp>
struct error_code_classifier;  // anew: include <anew/policies.hpp>, or <anew/policies/classifier/error_code.hpp>

template <static_duration Limit>
class attempt_timeout;  // anew: include <anew/policies.hpp>, or <anew/policies/limits/attempt_timeout.hpp>
template <static_duration Total, static_duration Margin = duration::zero()>
class poll_deadline;  // anew: include <anew/policies.hpp>, or <anew/policies/limits/poll_deadline.hpp>
template <static_duration Stable>
class reset_after;  // anew: include <anew/policies.hpp>, or <anew/policies/limits/reset_after.hpp>

template <std::int64_t Failures = 5, static_duration OpenFor = std::chrono::seconds{30}, std::int64_t Probes = 1>
class circuit_breaker;  // anew: include <anew/policies.hpp>, or <anew/policies/gate/circuit_breaker.hpp>
template <std::int64_t Percent = 50, static_duration Window = std::chrono::seconds{10}, std::int64_t MinVolume = 20,
          static_duration OpenFor = std::chrono::seconds{30}, std::int64_t Probes = 1>
class rate_breaker;  // anew: include <anew/policies.hpp>, or <anew/policies/gate/rate_breaker.hpp>

template <std::int64_t Percent = 20, std::int64_t PerSecond = 10, static_duration Window = std::chrono::seconds{10}>
class retry_budget;  // anew: include <anew/policies.hpp>, or <anew/policies/quota/retry_budget.hpp>
template <std::int64_t Percent = 20, std::int64_t Least = 3>
class concurrency_budget;  // anew: include <anew/policies.hpp>, or <anew/policies/quota/concurrency_budget.hpp>

template <class Policy>
class shared;  // anew: include <anew/policies.hpp>, or <anew/policies/sharing/shared.hpp>
template <class Policy>
class borrowed;  // anew: include <anew/policies.hpp>, or <anew/policies/sharing/borrowed.hpp>

template <class S, class Op>
class call_engine;  // anew: include <anew/drivers/call_engine.hpp>
enum class declared : unsigned char;
template <class S, declared Declared>
class retry_machine;  // anew: include <anew/drivers/retry_machine.hpp>
template <class S, class H, declared Declared>
class hedge_machine;  // anew: include <anew/hedge.hpp>

namespace detail {
/// Converts from anything, so that overload resolution prefers every function that takes the argument itself.
struct any_arg {
  any_arg(auto&& /*argument*/) noexcept;  // NOLINT(*-explicit-*, bugprone-forwarding-*)
};
}  // namespace detail

// Compilers print the line of a deleted function, and with it the comment on that line.
void async_retry(detail::any_arg, detail::any_arg, detail::any_arg)  // anew: include <anew/asio.hpp>
    = delete;
void async_retry(detail::any_arg, detail::any_arg, detail::any_arg, detail::any_arg)  // anew: include <anew/asio.hpp>
    = delete;
void poll(detail::any_arg, detail::any_arg, detail::any_arg)  // anew: include <anew/poll.hpp>
    = delete;
void poll(detail::any_arg, detail::any_arg, detail::any_arg, detail::any_arg)  // anew: include <anew/poll.hpp>
    = delete;

}  // namespace anew::inline ANEW_ABI

#endif
