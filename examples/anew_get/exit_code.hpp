// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_EXIT_CODE_HPP
#define ANEW_GET_EXIT_CODE_HPP

#include "fetch_result.hpp"
#include "record.hpp"

namespace anew_get {

/// The program's exit code. With several URLs: the code of the first that failed.
namespace exit_code {
inline constexpr int fetched = 0;
inline constexpr int final_error = 1;    // an HTTP error that is not retried, or output that could not be written
inline constexpr int bad_usage = 2;      // nothing was fetched
inline constexpr int attempts = 3;       // gave up: the last permitted attempt failed
inline constexpr int deadline = 4;       // gave up: the next attempt would begin too late
inline constexpr int quota = 5;          // gave up: the budget for retries is spent
inline constexpr int hint_too_long = 6;  // gave up: the server asked for a longer wait than --longest-hint
inline constexpr int no_connection = 7;  // a refused certificate, an answer that cannot be read: no retry can help
inline constexpr int gate_closed = 8;    // gave up: the gate refused the attempt
inline constexpr int rate_limited = 9;   // gave up: the pacer has no room, and is told not to wait
inline constexpr int signalled = 128;    // plus the signal's number: 130 after SIGINT, 143 after SIGTERM
}  // namespace exit_code

[[nodiscard]] inline int exit_code_of(call_report const& report) {
  switch (report.reason()) {
    case anew::stop_reason::succeeded: return exit_code::fetched;
    case anew::stop_reason::attempts: return exit_code::attempts;
    case anew::stop_reason::deadline: return exit_code::deadline;
    case anew::stop_reason::quota: return exit_code::quota;
    case anew::stop_reason::hint_too_long: return exit_code::hint_too_long;
    case anew::stop_reason::not_retryable:
      return report.last().status == 0 || report.last().code == CURLE_WEIRD_SERVER_REPLY ? exit_code::no_connection
                                                                                         : exit_code::final_error;
    case anew::stop_reason::gate_closed: return exit_code::gate_closed;
    case anew::stop_reason::rate_limited: return exit_code::rate_limited;
    case anew::stop_reason::unclassified:
    case anew::stop_reason::not_idempotent:
    case anew::stop_reason::not_replayable:
    case anew::stop_reason::nested: return exit_code::final_error;
    case anew::stop_reason::cancelled: return exit_code::signalled;
  }
  return exit_code::final_error;
}

}  // namespace anew_get

#endif
