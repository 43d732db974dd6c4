// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_SINGLE_CONNECTION_HPP
#define ANEW_LOAD_SINGLE_CONNECTION_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/read_size.hpp>
#include <boost/beast/http/error.hpp>

#include "anew/base/duration.hpp"

#include "answer_parser.hpp"
#include "tls.hpp"
#include "watched.hpp"

namespace anew_load {

namespace net = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

/// A connection, and what one answer at a time needs. It is kept alive by those that wait for it.
class connection : public std::enable_shared_from_this<connection>, public watched {
 public:
  using socket_type = transport::socket_type;
  using timer_type = net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>,
                                               net::io_context::executor_type>;

  connection(net::io_context& io, std::uint64_t& count) : stream_{io}, timer_{io}, made_{&count} {}

  [[nodiscard]] transport& stream() noexcept { return stream_; }
  [[nodiscard]] socket_type& socket() noexcept { return stream_.socket(); }
  [[nodiscard]] socket_type const& socket() const noexcept { return stream_.socket(); }
  [[nodiscard]] boost::beast::flat_buffer& buffer() noexcept { return buffer_; }
  [[nodiscard]] answer_parser const& answer() const noexcept { return *parser_; }
  [[nodiscard]] bool has_answered() const noexcept { return parser_ && parser_->is_header_done(); }
  [[nodiscard]] bool is_too_slow() const noexcept { return too_slow_; }

  /// Nothing is left over from the answer before.
  [[nodiscard]] bool is_clean() const noexcept { return socket().is_open() && buffer_.size() == 0; }
  /// Open, and silent: a server that closed it meanwhile, or that says something unasked, answers no request over it.
  [[nodiscard]] bool is_silent() {
    error_code error;
    char byte{};
    socket().receive(net::buffer(&byte, 1), socket_type::message_peek, error);  // it does not block
    return error == net::error::would_block || error == net::error::try_again;
  }

  /// From now until done() it may take so long.
  void begin(anew::duration limit, bool is_head) {
    interim_bytes_ = interim_answers_ = 0;
    expect_answer(is_head);
    too_slow_ = false;
    if (socket().is_open()) {
      exchanges();
    } else {
      connects();
    }
    if (limit == anew::duration::max()) return;
    timer_.expires_after(limit);
    timer_.async_wait([self = shared_from_this(), serial = ++serial_](error_code error) {
      if (!error && serial == self->serial_) self->give_up();
    });
  }
  /// The request has taken too long.
  void give_up() {
    too_slow_ = true;
    error_code ignored;
    socket().cancel(ignored);
  }
  /// The first one, or the one that an answer from 100 to 199 announces.
  void expect_answer(bool is_head);
  /// Sends what goes at once, in most cases the whole request, without a turn of the event loop.
  std::size_t send_at_once(std::string const& request, error_code& error) {
    if (request.size() > most_at_once) return 0;
    auto const sent = stream_.write_at_once(net::buffer(request), error);
    if (error == net::error::would_block || error == net::error::try_again) error = {};
    return sent;
  }
  /// For what is received next.
  [[nodiscard]] net::mutable_buffer room() { return buffer_.prepare(boost::beast::read_size(buffer_, most_received)); }
  /// So many bytes have come into room(). True when the answer is complete, or an error.
  [[nodiscard]] bool has_whole_answer(error_code& error, std::size_t bytes);
  /// A socket for this address, in the place of the one before.
  [[nodiscard]] error_code open(net::ip::tcp::endpoint const& to) {
    error_code error;
    stream_.reset();
    socket().close(error);
    socket().open(to.protocol(), error);
    return error;
  }
  void connected() {
    ++*made_;
    error_code ignored;
    socket().set_option(net::ip::tcp::no_delay{true}, ignored);
    socket().non_blocking(true, ignored);
  }
  /// How many requests have gone over it, with the one that is about to.
  [[nodiscard]] std::uint64_t count_request() noexcept { return ++requests_; }
  void done() {
    rests();
    ++serial_;
    timer_.cancel();
  }

 private:
  // An idle socket has room for so much, and so has a record of TLS.
  static constexpr std::size_t most_at_once = 4096;
  static constexpr std::size_t most_received = 65'536;

  [[nodiscard]] bool begins_as_http() const;

  transport stream_;
  timer_type timer_;
  boost::beast::flat_buffer buffer_;
  std::optional<answer_parser> parser_;
  std::uint64_t serial_ = 0;
  std::uint64_t requests_ = 0;
  std::uint32_t interim_bytes_ = 0;
  std::uint32_t interim_answers_ = 0;
  bool too_slow_ = false;
  std::uint64_t* made_;
};

}  // namespace anew_load

#endif
