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

#include "anew/base/duration.hpp"

#include "request.hpp"
#include "shared_quota.hpp"

namespace anew_get {

/// The options of the command line.
struct settings {
  std::vector<std::string> urls;
  request asked;  // but for the URL
  bool idempotent = false;

  std::string strategy;                    // its name, or its text
  bool by_single_options = true;           // the text was put together from these
  std::optional<shared_quota> quota;       // that other processes share; else the strategy has its own
  std::string shared_quota_text;           // how it was named, without a user
  std::optional<anew::duration> deadline;  // of the strategy, as is:
  anew::duration longest_hint{};
  std::optional<anew::duration> per_attempt;

  std::optional<anew::duration> load_for;  // again and again, for so long
  std::uint32_t callers = 1;               // at once
  std::optional<std::uint32_t> limited;    // against a server of its own, which lets in so many a second

  std::string output;              // empty: standard output
  std::vector<std::string> files;  // of the URLs, where each has its own
  bool continues = false;          // from what an earlier run has left, and leaves what a later one may use
  bool asks_for_parts = false;     // by a header of its own
  std::optional<std::uint64_t> max_size;
  std::vector<std::string> sha256;                           // of the URLs, in hex; empty: unchecked
  std::uint32_t parallel = 1;                                // URLs at once
  anew::duration progress_every = std::chrono::seconds{10};  // lines of it, where there is no terminal
  bool json = false;
  bool quiet = false;
  bool describe = false;
  bool explain = false;
  std::optional<unsigned> demo;  // the scene; 0 for all of them
};

/// The settings, or the exit code of a program that is done: after --help and --version, after one line to `errors`
/// that names the option and the value that were wrong.
[[nodiscard]] std::variant<settings, int> parse_options(std::vector<std::string> const& arguments, std::ostream& output,
                                                        std::ostream& errors);

}  // namespace anew_get

#endif
