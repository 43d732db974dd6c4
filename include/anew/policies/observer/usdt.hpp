// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OBSERVER_USDT_HPP
#define ANEW_POLICIES_OBSERVER_USDT_HPP

#include <sys/sdt.h>

#include <cstdint>
#include <string>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/policy_change.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Marks what calls do with static probes of the provider `anew`, which bpftrace, perf and SystemTap read in a process that
/// runs: `bpftrace -e 'usdt:./a.out:anew:retry { @[str(arg0)] = count(); }'`.
///
/// | probe     | arguments                                                                              |
/// |-----------|----------------------------------------------------------------------------------------|
/// | `attempt` | operation (a string, or 0), number, 1 after a success, 1 where no attempt follows      |
/// | `retry`   | operation, number of the attempt that follows, `error_kind`, delay in nanoseconds      |
/// | `end`     | operation, attempts, `stop_reason`                                                     |
/// | `change`  | who changed (`changed`), `breaker_state` before and after                              |
///
/// Models: Observer (safe from many threads)
/// Formula: none
/// Requires: the header sys/sdt.h (Debian: systemtap-sdt-dev)
/// Cost: one instruction for each event, a nop, until a tracer listens
/// Choose it to look into a process that cannot be restarted. Not for figures that are kept: prometheus_metrics.
/// Source: SystemTap's sys/sdt.h
struct usdt {
  using role = roles::observer;
  using call_type = char const*;

  [[nodiscard]] static call_type on_call(call_event const& event) noexcept { return event.operation; }
  static void on_attempt(call_type& call, attempt_event const& event) noexcept {
    DTRACE_PROBE4(anew, attempt, call, event.attempt, static_cast<int>(event.succeeded()),
                  static_cast<int>(event.is_final));
  }
  static void on_retry(call_type& call, retry_event const& event) noexcept {
    DTRACE_PROBE4(anew, retry, call, event.attempt, static_cast<int>(event.what.kind), event.delay.count());
  }
  static void on_end(call_type& call, end_event const& event) noexcept {
    DTRACE_PROBE3(anew, end, call, event.attempts, static_cast<int>(event.reason));
  }

  static void on_change(policy_change const& change) noexcept {
    DTRACE_PROBE3(anew, change, static_cast<int>(change.of), static_cast<int>(change.from),
                  static_cast<int>(change.to));
  }

  [[nodiscard]] static std::string describe() { return "usdt"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
