// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_UPLOADS_HPP
#define ANEW_TESTS_SUPPORT_UPLOADS_HPP

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "pinned.hpp"
#include "scripted_peer.hpp"

/// What a repeated request sends: a server that says 503, 503 and 200, and a body that is not the same twice.
namespace support {

/// 5,000 bytes, so that a part of it cannot pass for the whole.
inline std::string body_to_send() {
  std::string text;
  for (int number = 0; text.size() < 5000; ++number) text.append(std::to_string(number)).append(" ");
  return text;
}

/// Answers requests with 503, 503, and then 200, over however many connections they come. `breaks`: it resets the
/// connection instead of saying 503.
inline peer_script busy_then_well(bool breaks = false) {
  return {peer::read_request(), peer::choose([breaks](peer_request const& request) -> peer_script {
            bool const is_well = request.total >= 3;
            if (!is_well && breaks) return {peer::reset()};
            auto const* const status = is_well ? "200 OK" : "503 Busy";
            return {peer::send(std::string{"HTTP/1.1 "}.append(status).append("\r\nContent-Length: 0\r\n\r\n"))};
          }),
          peer::again()};
}

/// The body of a request without the framing of its chunks.
inline std::string plain_body(peer_request const& request) {
  if (request.head.find("chunked") == std::string::npos) return request.body;
  std::string plain;
  std::string_view rest = request.body;
  for (;;) {
    auto const size = std::strtoul(std::string{rest.substr(0, rest.find("\r\n"))}.c_str(), nullptr, 16);
    if (size == 0) return plain;
    rest.remove_prefix(rest.find("\r\n") + 2);
    plain.append(rest.substr(0, size));
    rest.remove_prefix(size + 2);
  }
}
inline std::vector<std::string> bodies_at(scripted_peer const& peer) {
  std::vector<std::string> bodies;
  for (auto const& request : peer.requests()) bodies.push_back(support::plain_body(request));
  return bodies;
}

/// A source that is read once, as a pipe is; `begin_again()` puts it back.
struct reader {
  std::string text = support::body_to_send();
  std::size_t at = 0;
  std::size_t read(char* to, std::size_t room) {
    auto const part = text.substr(at, room);
    part.copy(to, part.size());
    at += part.size();
    return part.size();
  }
  std::string take() {
    auto const rest = text.substr(at);
    at = text.size();
    return rest;
  }
  bool begin_again() {
    at = 0;
    return true;
  }
};

/// A file with the body, which goes with this object.
struct body_file : public pinned {
  body_file() : file_{std::tmpfile()} {
    auto const text = support::body_to_send();
    std::fwrite(text.data(), 1, text.size(), file_);
    std::fflush(file_);
  }
  ~body_file() { std::fclose(file_); }
  [[nodiscard]] std::FILE* get() const { return file_; }

 private:
  std::FILE* file_;
};

}  // namespace support

#endif
