// SPDX-License-Identifier: BSL-1.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "anew/base/duration.hpp"

#include "option_values.hpp"
#include "sources.hpp"
#include "url_handle.hpp"

namespace anew_get {

std::uint64_t size_of(std::string const& option, std::string const& text) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 9> units{{{"B", 1},
                                                                             {"kB", 1'000},
                                                                             {"MB", 1'000'000},
                                                                             {"GB", 1'000'000'000},
                                                                             {"TB", 1'000'000'000'000},
                                                                             {"KiB", 1ULL << 10U},
                                                                             {"MiB", 1ULL << 20U},
                                                                             {"GiB", 1ULL << 30U},
                                                                             {"TiB", 1ULL << 40U}}};
  auto const digits = std::min(text.find_first_not_of("0123456789"), text.size());
  auto const number = read_number<std::uint64_t>(std::string_view{text}.substr(0, digits));
  auto const unit = digits == text.size() ? std::string_view{"B"} : std::string_view{text}.substr(digits);
  for (auto const& [name, bytes] : units) {
    if (name == unit && number && *number > 0 && *number <= std::numeric_limits<std::int64_t>::max() / bytes)
      return *number * bytes;
  }
  refuse(option, text, "must be a size above zero, a whole number and a unit: 500B, 20kB, 64MiB, 2GB");
}

std::string checksum_of(std::string const& option, std::string const& text) {
  constexpr std::size_t digits = 64;
  if (text.size() != digits || text.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
    refuse(option, text, "must be a SHA-256 in 64 hexadecimal digits");
  }
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::string readable_file(std::string const& option, std::string const& text) {
  if (::access(text.c_str(), R_OK) != 0) refuse(option, text, std::generic_category().message(errno));
  return text;
}

std::string user_of(std::string const& option, std::string const& text) {
  if (text.empty()) refuse(option, text, "must be a name");
  if (text.find(':') != std::string::npos) {
    throw usage_error{option +
                      ": must be a name; a command line is seen by others. The password is asked for, or comes " +
                      "from --netrc"};
  }
  return text;
}

std::string proxy_of(std::string const& option, std::string const& text) {
  url_handle parsed;
  auto const code =
      curl_url_set(parsed.get, CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME);
  if (code != CURLUE_OK) refuse(option, text, curl_url_strerror(code));
  auto const scheme = parsed.part(CURLUPART_SCHEME);
  for (auto const* const known : {"http", "https", "socks4", "socks4a", "socks5", "socks5h"}) {
    if (scheme == known) return text;
  }
  refuse(option, text, "must begin with http://, https://, socks4://, socks4a://, socks5:// or socks5h://");
}

std::chrono::seconds whole_seconds(std::string const& option, std::string const& text) {
  auto const read = above_zero(option, text);
  auto const seconds = std::chrono::duration_cast<std::chrono::seconds>(read);
  constexpr std::chrono::hours longest{24 * 365};
  if (seconds != read || read > longest) refuse(option, text, "must be whole seconds, at most a year");
  return seconds;
}

std::vector<listed_url> listed_urls(std::string const& option, std::string const& file) {
  std::ifstream opened;
  if (file != "-") opened.open(readable_file(option, file), std::ios::binary);
  std::istream& in = file == "-" ? std::cin : opened;
  std::vector<listed_url> all;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    std::istringstream words{line};
    listed_url one;
    if (!(words >> one.url) || one.url.starts_with('#')) continue;
    for (std::string word; words >> word;) {
      constexpr std::string_view key = "sha256=";
      auto const place = file + ":" + std::to_string(number);
      if (!word.starts_with(key)) refuse(place, word, "after the URL there may be sha256=HEX");
      one.sha256 = checksum_of(place + ": sha256", word.substr(key.size()));
    }
    all.push_back(std::move(one));
  }
  if (in.bad() || (file != "-" && !opened.is_open())) refuse(option, file, "cannot read this file");
  if (all.empty()) refuse(option, file, "has no URL");
  return all;
}

std::string file_name_of(std::string const& url) {
  url_handle parsed;
  curl_url_set(parsed.get, CURLUPART_URL, url.c_str(), 0);
  auto const path = parsed.part(CURLUPART_PATH);
  auto const name = path.substr(path.rfind('/') + 1);
  if (name.empty() || name == "." || name == "..")
    refuse("--remote-name: URL", url, "ends in no file name; use -o FILE");
  return name;
}

}  // namespace anew_get
