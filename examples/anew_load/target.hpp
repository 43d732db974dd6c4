// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_TARGET_HPP
#define ANEW_LOAD_TARGET_HPP

#include <optional>
#include <string>
#include <vector>

#include <boost/asio/ip/tcp.hpp>

namespace anew_load {

/// A request and its destination, ready to be sent.
struct target {
  std::vector<boost::asio::ip::tcp::endpoint> endpoints;
  std::string request;   // all bytes of it
  bool is_head = false;  // the answer has no body
};

/// What a call is for. All its attempts are for the same.
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

/// Looks up the host. Throws std::runtime_error for an unknown host.
[[nodiscard]] target target_of(std::string const& url, asked const& what);

}  // namespace anew_load

#endif
