// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_REQUEST_HPP
#define ANEW_GET_REQUEST_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "anew/base/duration.hpp"

namespace anew_get {

/// How a connection is made, and when it counts as dead.
struct transport {
  anew::duration connect_timeout = std::chrono::minutes{1};  // with TLS
  std::chrono::seconds stall_time = std::chrono::minutes{5};
  std::uint32_t stall_speed = 1;  // bytes a second: fewer for the stall time end the attempt
  std::string ca_file;            // the system's authorities where empty
  std::string certificate;
  std::string key;
  std::string user;
  std::optional<std::string> password;  // nothing: none, or from netrc
  std::optional<std::string> netrc;     // empty: ~/.netrc
  std::string proxy;                    // as the environment says where empty
};

struct request {
  std::string url;
  std::string method = "GET";
  std::optional<std::string> data;
  std::vector<std::string> headers;  // "Name: value"
  bool follow_redirects = false;
  bool through_proxy = true;  // where --proxy or the environment names one
  transport over{};
};

}  // namespace anew_get

#endif
