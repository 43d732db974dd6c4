// SPDX-License-Identifier: BSL-1.0
#ifndef DEMO_SUPPORT_MISBEHAVING_SERVER_HPP
#define DEMO_SUPPORT_MISBEHAVING_SERVER_HPP

// An HTTP server inside the program that fails as told: for demonstrations and tests of what calls it.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace demo {

/// The server's reaction to one request.
///
/// Made by a named factory, refined by members that can be chained:
///   step::status(503).retry_after(2s)    step::reset_in_body(3)    step::delay(1s).header("x-cache", "cold")
/// A member that concerns the answer has no effect on a step that gives none. Durations may be days: the end of the
/// server does not wait for them.
class step {
 public:
  using duration = std::chrono::nanoseconds;

  /// A whole answer. Throws std::invalid_argument unless 200 <= code <= 999.
  static step status(int code, std::string body = "hello\n");
  /// 200 after this long.
  static step delay(duration before_answer);
  /// Reads the request and never answers; the connection stays open.
  static step silence();
  /// Reads the request, then resets the connection (RST).
  static step reset_before_response();
  /// 200 and a Content-Length that announces more than the bytes that are sent; then resets the connection (RST).
  static step reset_in_body(std::size_t bytes_sent);
  /// The same, but the connection is closed in good order (FIN).
  static step close_in_body(std::size_t bytes_sent);

  /// `Retry-After` in seconds; negative ones are sent as they are.
  [[nodiscard]] step retry_after(std::chrono::seconds delay) const;
  /// Any header, absurd values included; the same name may be given more than once.
  [[nodiscard]] step header(std::string name, std::string value) const;
  [[nodiscard]] step body(std::string text) const;

 private:
  friend class misbehaving_server;

  enum class ending { complete, silence, reset, close };

  int code_ = 200;
  std::string body_ = "hello\n";
  std::vector<std::pair<std::string, std::string>> headers_;
  duration delay_{};
  ending ending_ = ending::complete;
  bool answers_ = true;
  std::size_t bytes_sent_ = 0;
};

/// One request, as it was when the last byte of it had been read.
struct recorded_request {
  std::chrono::steady_clock::time_point time;
  std::string method;
  std::string path;            // without the query
  std::uint64_t connection{};  // counted from 1 in the order of acceptance: equal numbers mean a reused connection
  std::vector<std::pair<std::string, std::string>> headers;  // as they were written, in their order

  /// The value of the first header of that name, in any spelling; empty without one.
  [[nodiscard]] std::string header(std::string_view name) const;
};

/// Listens on 127.0.0.1 at a port that the kernel chose, and serves from a thread of its own.
///
/// The destructor stops and joins at once, whatever is open, silent or waiting. Any thread may call any member.
/// Not for the open network: one thread, no TLS, requests of at most 1 MiB whose length is announced.
class misbehaving_server {
 public:
  using duration = std::chrono::nanoseconds;

  /// Throws std::system_error when there is no port to listen on.
  misbehaving_server();
  ~misbehaving_server();
  misbehaving_server(misbehaving_server const&) = delete;
  misbehaving_server& operator=(misbehaving_server const&) = delete;

  [[nodiscard]] std::string host() const;
  [[nodiscard]] std::uint16_t port() const noexcept;
  [[nodiscard]] std::string url(std::string_view path = "/") const;

  /// Request n to the path, counted from this call, gets step n; later ones get `then_repeat`, or else the last step.
  /// Throws std::invalid_argument when there is no step at all. A path without a script gets `step::status(200)`.
  void script(std::string path, std::vector<step> steps, std::optional<step> then_repeat = std::nullopt);

  /// Requests to the path beyond that many a second get `beyond`; the others what the script says. `burst` of them may come
  /// at once. Throws std::invalid_argument unless `per_second` > 0 and `burst` >= 1.
  void limit(std::string path, double per_second, step beyond, double burst = 1);

  /// That share of the requests to the path gets `then`, whatever the script says, and takes none of its steps: 0.01 is one
  /// of a hundred. Which ones looks random, and is the same for the same seed. Called again for a path, another share of it
  /// gets the other step. Throws std::invalid_argument when a share is below 0, or all shares of a path are above 1.
  void sometimes(std::string path, double share, step then, std::uint64_t seed = 1);

  /// Each answer of the path waits, beside what its step says, between `least` and `most`, evenly drawn. Throws
  /// std::invalid_argument unless 0 <= least <= most.
  void answer_after(std::string path, duration least, duration most, std::uint64_t seed = 1);

  /// Whether requests() keeps what comes from now on; a long load would fill the memory. The counts go on.
  void remember(bool requests);

  /// From the return on, connecting is refused; connections that were open are reset. The port stays ours.
  void go_down();
  /// From the return on, the same port answers again; the scripts continue where they were.
  void come_up();

  [[nodiscard]] std::size_t request_count() const;
  [[nodiscard]] std::size_t request_count(std::string_view path) const;
  [[nodiscard]] std::size_t connection_count() const;
  /// Those that were remembered.
  [[nodiscard]] std::vector<recorded_request> requests() const;

  /// Blocks until that many requests have been read in all; false when the time is over first.
  bool wait_for_requests(std::size_t count, duration limit = std::chrono::minutes{1}) const;

 private:
  class impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace demo

#endif
