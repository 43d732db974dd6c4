// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_INTERNAL_CATALOGUE_HPP
#define ANEW_CONCEPT_INTERNAL_CATALOGUE_HPP

#include <chrono>
#include <cstdint>

#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/rational.hpp"

/// The names of the catalogue, so that the core can say which header is missing. Default template arguments are written
/// here, and not again in a policy's own header.
namespace anew::inline ANEW_ABI {

template <static_duration Base, static_duration Cap, static_duration Step = Base>
class linear_backoff;  // anew: include <anew/policies.hpp>, or <anew/backoff/linear.hpp>
template <static_duration Base, static_duration Cap>
class fibonacci_backoff;  // anew: include <anew/policies.hpp>, or <anew/backoff/fibonacci.hpp>
template <static_duration... Delays>
class sequence_backoff;  // anew: include <anew/policies.hpp>, or <anew/backoff/sequence.hpp>
template <class B>
class immediate_first;  // anew: include <anew/policies.hpp>, or <anew/backoff/immediate_first.hpp>
template <rational Fraction>
class proportional_jitter;  // anew: include <anew/policies.hpp>, or <anew/jitter/proportional.hpp>

template <class... Classifiers>
class any_of;  // anew: include <anew/policies.hpp>, or <anew/classifier/any_of.hpp>
template <class... Classifiers>
class first_of;  // anew: include <anew/policies.hpp>, or <anew/classifier/first_of.hpp>
struct never_sent;
template <class C, class NotSent = never_sent>
class idempotent_only;  // anew: include <anew/policies.hpp>, or <anew/classifier/idempotent_only.hpp>
template <class C>
class caused_by;               // anew: include <anew/policies.hpp>, or <anew/classifier/caused_by.hpp>
struct error_code_classifier;  // anew: include <anew/policies.hpp>, or <anew/classifier/error_code.hpp>

template <static_duration Limit>
class attempt_timeout;  // anew: include <anew/policies.hpp>, or <anew/attempt_timeout/attempt_timeout.hpp>
template <static_duration Total, static_duration Margin = duration::zero()>
class max_wait;  // anew: include <anew/policies.hpp>, or <anew/deadline/max_wait.hpp>
template <static_duration Stable>
class reset_after;  // anew: include <anew/policies.hpp>, or <anew/reset/reset_after.hpp>

template <std::int64_t Failures = 5, static_duration OpenFor = std::chrono::seconds{30}, std::int64_t Probes = 1>
class circuit_breaker;  // anew: include <anew/policies.hpp>, or <anew/gate/circuit_breaker.hpp>
template <std::int64_t Percent = 50, static_duration Window = std::chrono::seconds{10}, std::int64_t MinVolume = 20,
          static_duration OpenFor = std::chrono::seconds{30}, std::int64_t Probes = 1>
class rate_breaker;  // anew: include <anew/policies.hpp>, or <anew/gate/rate_breaker.hpp>

template <std::int64_t Percent = 20, std::int64_t PerSecond = 10, static_duration Window = std::chrono::seconds{10}>
class retry_budget;  // anew: include <anew/policies.hpp>, or <anew/quota/retry_budget.hpp>
template <std::int64_t Percent = 20, std::int64_t Least = 3>
class concurrency_budget;  // anew: include <anew/policies.hpp>, or <anew/quota/concurrency_budget.hpp>

template <class Policy>
class shared;  // anew: include <anew/policies.hpp>, or <anew/sharing/shared.hpp>
template <class Policy>
class borrowed;  // anew: include <anew/policies.hpp>, or <anew/sharing/borrowed.hpp>

template <class S, class Op>
class call_engine;  // anew: include <anew/drive/call_engine.hpp>
enum class declared : unsigned char;
template <class S, declared Declared>
class retry_machine;  // anew: include <anew/drive/retry_machine.hpp>
template <class S, class H, declared Declared>
class hedge_machine;  // anew: include <anew/hedge.hpp>

namespace detail {
/// Converts from anything, so that overload resolution prefers every function that takes the argument itself.
struct any_arg {
  template <class T>
  any_arg(T&& /*argument*/) noexcept;  // NOLINT(*-explicit-*, bugprone-forwarding-*)
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
