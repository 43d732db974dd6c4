// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_SOURCES_HPP
#define ANEW_GET_SOURCES_HPP

// Values of options that say what is fetched, and how it is checked. Each takes the name of an option and its value, and
// throws usage_error.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace anew_get {

/// "500", "64MiB", "2GB".
[[nodiscard]] std::uint64_t size_of(std::string const& option, std::string const& text);
/// In lower case.
[[nodiscard]] std::string checksum_of(std::string const& option, std::string const& text);
[[nodiscard]] std::string readable_file(std::string const& option, std::string const& text);
[[nodiscard]] std::string user_of(std::string const& option, std::string const& text);
[[nodiscard]] std::string proxy_of(std::string const& option, std::string const& text);
[[nodiscard]] std::chrono::seconds whole_seconds(std::string const& option, std::string const& text);

struct listed_url {
  std::string url;
  std::string sha256;
};
/// A URL on each line, with `sha256=HEX` after it or not; `-` is standard input. Blank lines and those after # are skipped.
[[nodiscard]] std::vector<listed_url> listed_urls(std::string const& option, std::string const& file);

/// The last part of the URL's path. Throws usage_error if that is no name.
[[nodiscard]] std::string file_name_of(std::string const& url);

}  // namespace anew_get

#endif
