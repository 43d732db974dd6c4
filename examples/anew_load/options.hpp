// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_OPTIONS_HPP
#define ANEW_LOAD_OPTIONS_HPP

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "anew/base/duration.hpp"

#include "arrivals.hpp"
#include "target.hpp"
#include "watched.hpp"

namespace anew_load {

/// A second request: after so long, or when so many of a hundred have been answered.
struct after_delay {
  anew::duration delay{};
};
struct at_quantile {
  unsigned percent = 95;
};
using hedge_choice = std::variant<std::monostate, after_delay, at_quantile>;

/// How the server inside the program misbehaves.
struct server_settings {
  struct slow {
    double share = 0;
    anew::duration by{};
  };
  struct failing {
    double share = 0;
    int status = 503;
  };
  std::optional<slow> slow_share;
  std::optional<failing> failing_share;
  anew::duration least{};  // an answer takes so long, evenly drawn
  anew::duration most{};
  std::optional<std::uint32_t> limited;  // so many a second are let in
  std::uint64_t seed = 1;
};

/// The options of the command line.
struct settings {
  std::vector<std::string> urls;
  std::vector<std::uint32_t> weights;  // of the URLs; none: all alike
  bool inside = false;                 // a server inside the program, in the place of a URL
  server_settings server;
  asked request;
  bool idempotent = false;

  std::uint32_t calls = 10;
  std::uint32_t threads = 1;
  anew::duration load_for = std::chrono::seconds{5};
  std::optional<std::uint64_t> requests;  // this many calls, in the place of a time
  std::vector<rate_step> rate;            // of arrivals; empty: the next call begins when one ends
  anew::duration warm_up{};

  std::optional<std::string> strategy;  // name, or text with the deadline; nothing: what anew-get does by itself
  bool no_retry = false;
  std::vector<std::string> compared;  // two strategies, in the place of one; no-retry is one
  hedge_choice hedge;
  std::optional<anew::duration> attempt_timeout;
  std::optional<anew::duration> deadline;

  std::optional<std::string> cacert;
  bool insecure = false;
  silence_limits silence;
  std::uint64_t requests_per_connection = 0;  // 0: any number

  bool json = false;
  std::optional<std::string> csv;  // files
  std::optional<std::string> hdr;
  bool quiet = false;
  std::optional<std::string> observe;  // a folder
};

/// The name that --compare takes for calls without a strategy.
inline constexpr char const* no_retry_name = "no-retry";

namespace exit_code {
inline constexpr int measured = 0;
inline constexpr int nothing_answered = 1;  // or the load could not begin
inline constexpr int bad_usage = 2;
inline constexpr int signalled = 128;  // plus the signal's number, after the table
}  // namespace exit_code

/// The settings, or the exit code of a program that is done: after --help and --version, after one line to `errors`
/// that names the option and the value that were wrong.
[[nodiscard]] std::variant<settings, int> parse_options(std::vector<std::string> const& arguments, std::ostream& output,
                                                        std::ostream& errors);

}  // namespace anew_load

#endif
