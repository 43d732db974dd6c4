// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_OPTIONS_HPP
#define ANEW_GET_OPTIONS_HPP

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "anew/anew.hpp"

#include "fetch.hpp"

namespace anew_get {

enum class backoff_choice { none, constant, exponential };
enum class jitter_choice { none, full, equal, decorrelated };

/// The options of the command line.
struct settings {
  std::vector<std::string> urls;
  request asked;  // but for the URL
  bool idempotent = false;

  std::optional<std::uint32_t> attempts = 3;  // nothing: without a limit
  backoff_choice backoff = backoff_choice::exponential;
  anew::duration base = std::chrono::milliseconds{50};
  anew::duration cap = std::chrono::seconds{20};
  anew::rational growth = anew::rational{2};
  jitter_choice jitter = jitter_choice::full;
  std::optional<std::uint32_t> quota = 500;  // nothing: without a limit
  anew::long_hint hint = anew::long_hint::stop;
  anew::duration longest_hint = std::chrono::seconds{60};
  std::optional<anew::duration> deadline;
  anew::at_deadline at_deadline = anew::at_deadline::stop;
  anew::duration reserve{};
  std::optional<anew::duration> per_attempt;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> strategy;  // takes the place of all of these

  std::optional<anew::duration> load_for;  // again and again, for so long
  std::uint32_t callers = 1;               // at once
  std::optional<std::uint32_t> limited;    // against a server of its own, which lets in so many a second

  std::string output;  // empty: standard output
  bool json = false;
  bool quiet = false;
  bool describe = false;
  std::optional<unsigned> demo;  // the scene; 0 for all of them
};

/// The settings, or the exit code of a program that is done: after --help and --version, after one line to `errors`
/// that names the option and the value that were wrong.
[[nodiscard]] std::variant<settings, int> parse_options(std::vector<std::string> const& arguments, std::ostream& output,
                                                        std::ostream& errors);

}  // namespace anew_get

#endif
