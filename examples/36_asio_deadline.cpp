// SPDX-License-Identifier: BSL-1.0
// How long an attempt may take, how long the call may take, and how other code ends it.
#include <chrono>
#include <cstdio>
#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/deadline.hpp"

using namespace std::chrono_literals;
namespace net = anew::net;
using net::ip::tcp;

// [strategy]
using client = anew::strategy<anew::error_code_classifier, anew::constant_backoff<1ms>, anew::no_jitter,
                              anew::attempt_timeout<5ms>,  // each attempt
                              anew::deadline<1min>,        // the call, its waits included
                              anew::max_attempts<3>>;
// [/strategy]

int main() {
  net::io_context context;
  tcp::acceptor acceptor{context, {net::ip::address_v4::loopback(), 0}};
  tcp::socket socket{context};
  socket.connect(acceptor.local_endpoint());  // no answer ever comes
  char answer[16];

  // [limit]
  client const strategy{};
  auto const receive = [&](anew::attempt& attempt, auto&& token) {
    std::printf("attempt %u may take %d ms\n", attempt.number(), static_cast<int>(attempt.limit() / 1ms));
    return socket.async_receive(net::buffer(answer), std::forward<decltype(token)>(token));
  };
  anew::async_retry(context, strategy, anew::idempotent(receive), [](anew::net_error_code error, std::size_t) {
    std::printf("%s\n", error == net::error::timed_out ? "timed out" : "another end");
  });
  context.run();
  // [/limit]

  // [coarse]
  anew::coarse_timers const timers{context, 10ms};
  anew::async_retry(timers, strategy, anew::idempotent(receive), [](anew::net_error_code error, std::size_t) {
    std::printf("%s\n", error == net::error::timed_out ? "timed out" : "another end");
  });
  context.restart();
  context.run();
  // [/coarse]

  // [stop]
  using stubborn = anew::with<client, anew::constant_backoff<30s>>;
  stubborn const patient{};
  net::cancellation_signal stop;
  anew::async_retry(context, patient, anew::idempotent(receive),
                    net::bind_cancellation_slot(stop.slot(), [](anew::net_error_code error, std::size_t) {
                      std::printf("%s\n", error == net::error::operation_aborted ? "stopped" : "another end");
                    }));
  net::steady_timer impatience{context, 50ms};  // the call waits for its second attempt then
  impatience.async_wait([&](anew::net_error_code) { stop.emit(net::cancellation_type::terminal); });
  context.restart();
  context.run();
  // [/stop]
}
