// SPDX-License-Identifier: BSL-1.0

// What must hold of an exchange over Boost.Beast for every answer. The first byte of the input says how the exchange goes,
// the second how many bytes arrive together; the rest is the answer. No socket is made.

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/beast/classifier.hpp"
#include "anew/bridges/beast/request_operation.hpp"

#include "law.hpp"

namespace {

using fuzz::require;

namespace net = boost::asio;
namespace http = boost::beast::http;
using error_code = boost::system::error_code;
using response = http::response<http::string_body>;

enum class ending : unsigned { eof, reset, silence };

/// What a connection reads from: so many bytes a time, and then the ending.
struct memory_stream {
  using executor_type = net::any_io_executor;

  memory_stream(executor_type executor, std::string_view answer, std::size_t piece, ending last)
      : executor_{std::move(executor)}, answer_{answer}, piece_{piece}, ending_{last} {}
  [[nodiscard]] executor_type get_executor() const { return executor_; }

  template <class Where, class Token>
  auto async_connect(Where const& /*where*/, Token&& token) {
    return net::async_initiate<Token, void(error_code)>(
        [this](auto handler) {
          net::post(executor_, [h = std::move(handler)]() mutable { std::move(h)(error_code{}); });
        },
        token);
  }
  template <class Buffers, class Token>
  auto async_write_some(Buffers const& buffers, Token&& token) {
    return net::async_initiate<Token, void(error_code, std::size_t)>(
        [this](auto handler, std::size_t size) {
          complete(std::move(handler), is_closed ? aborted() : error_code{}, size);
        },
        token, net::buffer_size(buffers));
  }
  template <class Buffers, class Token>
  auto async_read_some(Buffers const& buffers, Token&& token) {
    return net::async_initiate<Token, void(error_code, std::size_t)>(
        [this](auto handler, Buffers const& to) {
          ++reads;
          if (is_closed) return complete(std::move(handler), aborted(), 0);
          if (answer_.empty()) {
            if (ending_ == ending::silence) is_silent = true;
            return complete(std::move(handler), the_end(), 0);
          }
          auto const size = net::buffer_copy(to, net::buffer(answer_.data(), std::min(piece_, answer_.size())));
          answer_.remove_prefix(size);
          complete(std::move(handler), {}, size);
        },
        token, buffers);
  }

  bool is_closed = false;
  bool is_silent = false;
  std::size_t reads = 0;

 private:
  static error_code aborted() { return net::error::operation_aborted; }
  [[nodiscard]] error_code the_end() const {
    if (ending_ == ending::eof) return net::error::eof;
    return ending_ == ending::reset ? error_code{net::error::connection_reset} : aborted();
  }
  template <class Handler>
  void complete(Handler handler, error_code code, std::size_t size) {
    net::post(executor_, [h = std::move(handler), code, size]() mutable { std::move(h)(code, size); });
  }

  executor_type executor_;
  std::string_view answer_;
  std::size_t piece_;
  ending ending_;
};

/// What `beast::connection` is to its operation.
struct memory_connection {
  using exchange_type = anew::beast::exchange<response>;
  struct carrier_type {
    static constexpr bool has_handshake = false;
    memory_stream stream;
    void renew() {}
  };

  memory_connection(net::io_context& io, std::string_view answer, std::size_t piece, ending last)
      : carrier_{{io.get_executor(), answer, piece, last}}, resolver_{io} {}
  [[nodiscard]] memory_stream& stream() { return carrier_.stream; }
  [[nodiscard]] static bool is_good() { return false; }
  void stop() { stream().is_closed = true; }
  void close() { buffer_.clear(); }

  carrier_type carrier_;
  net::ip::tcp::resolver resolver_;
  std::string host_ = "127.0.0.1";
  std::string port_ = "80";
  boost::beast::flat_buffer buffer_{anew::beast::most_buffered_bytes};
  std::optional<http::response_parser<http::string_body>> parser_;
  std::optional<std::uint64_t> body_limit_;
  std::size_t connects_ = 0;
};

struct keep {
  using cancellation_slot_type = net::cancellation_slot;
  std::optional<memory_connection::exchange_type>* result;
  net::cancellation_slot slot;
  void operator()(memory_connection::exchange_type end) const { *result = std::move(end); }
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return slot; }
};

struct how_it_goes {
  http::verb method;
  bool upgrades;
  ending last;
  std::size_t stops_after;  // handlers; 0: never
};

memory_connection::exchange_type exchange(std::string_view answer, std::size_t piece, how_it_goes const& how) {
  net::io_context io{1};
  memory_connection connection{io, answer, piece, how.last};
  http::request<http::string_body> request{how.method, "/", 11};
  if (how.upgrades) request.set(http::field::upgrade, "x");
  net::cancellation_signal signal;
  std::optional<memory_connection::exchange_type> result;
  keep handler{&result, signal.slot()};
  using operation = anew::beast::detail::request_operation<memory_connection, http::request<http::string_body>>;
  net::async_compose<keep, void(memory_connection::exchange_type)>(operation{connection, request, false}, handler,
                                                                   connection.stream());
  std::size_t handlers = 0;
  auto const most = 64 + 8 * answer.size();
  while (!result && handlers <= most && io.poll_one() == 1) {
    if (++handlers == how.stops_after) signal.emit(net::cancellation_type::terminal);
  }
  require(result.has_value(), "an exchange ends within so many steps as there are bytes");
  require(how.stops_after == 0 || handlers < how.stops_after || handlers <= how.stops_after + 4 || !result->code,
          "a cancelled exchange ends in a few steps");
  return *std::move(result);
}

bool contains_ignoring_case(std::string_view text, std::string_view word) {
  auto const same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

// An independent look at where the head of the final answer is. Empty: it is not whole.
std::string_view final_head(std::string_view answer) {
  for (;;) {
    auto const end = answer.find("\r\n\r\n");
    if (end == std::string_view::npos) return {};
    auto const head = answer.substr(0, end + 4);
    if (head.size() < 12 || head[9] != '1' || head.substr(9, 3) == "101") return head;
    answer.remove_prefix(head.size());
  }
}

void check(std::string_view answer, memory_connection::exchange_type const& end, how_it_goes const& how) {
  auto const head = final_head(answer);
  auto const verdict = anew::beast::classifier<>{}.classify(end);
  require(end.sent, "the request was written");
  if (end.http_status != 0) {
    require(!head.empty(), "a status is that of a whole head");
    require(head.substr(9, 3) == std::to_string(end.http_status), "a status is that of the final head");
    require(end.http_status >= 100 && end.http_status <= 999, "a status has three digits");
    require(end.http_status >= 200 || how.upgrades, "1xx is no answer, but for an upgrade");
  }
  if (end.retry_after) {
    require(*end.retry_after >= anew::duration::zero(), "a pause is never negative");
    require(contains_ignoring_case(head, "retry-after"), "a pause is a field of the head");
  }
  if (end.has_value()) {
    require(end.http_status >= 100 && end.http_status < 400, "a success has a status");
    require(how.method != http::verb::head || end.response.body().empty(), "an answer to HEAD has no body");
    require(end.response.body().size() <= answer.size(), "a body comes from the answer");
  } else if (end.code && end.http_status < 400 && verdict.is_retry()) {
    require(verdict.what().safety == anew::retry_safety::maybe, "what was sent may have been executed");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size < 2) return 0;
  unsigned const choice = data[0];
  std::string_view const answer{reinterpret_cast<char const*>(data) + 2, size - 2};
  std::size_t const piece = data[1] == 0 ? 65536 : data[1];
  how_it_goes how{(choice & 4U) != 0 ? http::verb::head : http::verb::get, (choice & 8U) != 0,
                  static_cast<ending>((choice & 3U) % 3), 0};

  auto const whole = exchange(answer, 65536, how);
  check(answer, whole, how);
  auto const in_pieces = exchange(answer, piece, how);
  check(answer, in_pieces, how);
  // Beast may find another mistake first when bytes come one by one, and may call a bad head one that is cut off.
  require(whole.has_value() == in_pieces.has_value(), "packets do not change a success");
  require(!whole.has_value() || whole.response.body() == in_pieces.response.body(), "packets do not change a body");
  require(whole.http_status == in_pieces.http_status || whole.code || in_pieces.code, "packets do not change a status");

  how.stops_after = 1 + choice / 16;
  check(answer, exchange(answer, piece, how), how);
  return 0;
}
