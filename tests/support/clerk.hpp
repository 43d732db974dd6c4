// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_CLERK_HPP
#define ANEW_TESTS_SUPPORT_CLERK_HPP

#include <chrono>
#include <cstdio>
#include <string>

#include "anew/anew.hpp"
#include "anew/policies.hpp"

/// Clients that make entries in a ledger while something is killed. books.py reads what they say.
namespace support {

using namespace std::chrono_literals;

/// What was killed takes a while to start again; the deadline only ends a test that hangs.
using patient =
    anew::strategy<anew::exponential_backoff<2ms, 100ms>, anew::full_jitter, anew::unbounded, anew::deadline<120s>>;

/// Says how the call for an entry ended. "keyed 12" may be made again; "once 13" must not.
inline void tell(std::string const& entry, bool has_succeeded, bool may_have_run, std::string const& message) {
  auto const* const end = has_succeeded ? "done" : may_have_run && entry.starts_with("once") ? "unknown" : "lost";
  auto const why = has_succeeded ? "" : message.substr(0, message.find('\n'));
  std::printf("%s %s: %s\n", end, entry.c_str(), why.c_str());
  std::fflush(stdout);
}

}  // namespace support

#endif
