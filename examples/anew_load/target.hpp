// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_TARGET_HPP
#define ANEW_LOAD_TARGET_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/ip/tcp.hpp>

namespace anew_load {

/// A request and its destination, ready to be sent.
struct target {
  std::vector<boost::asio::ip::tcp::endpoint> endpoints;
  std::string request;          // all bytes of it
  std::string closing_request;  // the same, after which the server is to close the connection
  bool is_head = false;         // the answer has no body
  bool is_encrypted = false;
  std::string host;        // as a certificate names it
  std::size_t origin = 0;  // equal for targets that may share connections
};

/// The purpose of a call, the same for all its attempts.
struct errand {
  target const* to = nullptr;
  bool is_measured = true;  // false: while warming up
};

/// The parts of a request besides the URL.
struct asked {
  std::string method = "GET";
  std::vector<std::string> headers;  // "Name: value", in the place of what is sent by itself; "Name:" for no such line
  std::optional<std::string> data;
};

/// Describes the mistake in a URL; empty for a valid one.
[[nodiscard]] std::optional<std::string> fault_of_url(std::string const& url);

/// Looks up the hosts. Throws std::runtime_error for an unknown host.
[[nodiscard]] std::vector<target> targets_of(std::vector<std::string> const& urls, asked const& what);

}  // namespace anew_load

#endif
