// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_TARGET_HPP
#define ANEW_LOAD_TARGET_HPP

#include <optional>
#include <string>
#include <vector>

#include <boost/asio/ip/tcp.hpp>

namespace anew_load {

/// What is asked of whom, ready to be sent.
struct target {
  std::vector<boost::asio::ip::tcp::endpoint> endpoints;
  std::string request;   // all bytes of it
  bool is_head = false;  // the answer has no body
};

/// What is sent beside the URL.
struct asked {
  std::string method = "GET";
  std::vector<std::string> headers;  // "Name: value"
  std::optional<std::string> data;
};

/// What is wrong with a URL, or nothing.
[[nodiscard]] std::optional<std::string> fault_of_url(std::string const& url);

/// Looks up the host. Throws std::runtime_error when there is none.
[[nodiscard]] target target_of(std::string const& url, asked const& what);

}  // namespace anew_load

#endif
