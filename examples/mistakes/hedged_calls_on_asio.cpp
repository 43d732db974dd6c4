// SPDX-License-Identifier: BSL-1.0
// chapter: Hedged calls on Asio

#include <chrono>
#include <utility>

#include <boost/asio/append.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/hedge.hpp"

using namespace std::chrono_literals;
namespace net = anew::net;

// section: A hedging that forgets
// Every call would start with the initial delay and learn nothing.
// expect-error: requires a hedging that learns to outlive the call
namespace hedge_asio_forgets {
void run() {
  net::io_context context;
  auto const read = [&](anew::attempt&, auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token), anew::net_error_code{}));
  };
  anew::strategy<anew::retry_all, anew::max_attempts<3>> const client{};
#ifdef ANEW_REJECT  // wrong
  anew::async_hedge(context, client, anew::hedge_at_quantile<95, 100>{}, anew::idempotent(read),
                    [](anew::net_error_code) {});
#else  // right
  static anew::hedge_at_quantile<95, 100> const when_late{};
  anew::async_hedge(context, client, when_late, anew::idempotent(read), [](anew::net_error_code) {});
#endif
}
}  // namespace hedge_asio_forgets

// section: `async_hedge()` without a hedging
// To retry without hedging, use `async_retry()`. The delay before a second attempt decides how much load it adds, so
// there is no default.
// expect-error: anew::hedge_machine and anew::async_hedge require a Hedging after the strategy
namespace hedge_asio_without_hedging {
void run() {
  net::io_context context;
  auto const read = [&](anew::attempt&, auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token), anew::net_error_code{}));
  };
  anew::strategy<anew::retry_all, anew::max_attempts<3>> const client{};
  anew::hedge_after<10ms> const when{};
#ifdef ANEW_REJECT  // wrong
  anew::async_hedge(context, client, anew::idempotent(read), [](anew::net_error_code) {});
#else  // right
  anew::async_hedge(context, client, when, anew::idempotent(read), [](anew::net_error_code) {});
#endif
}
}  // namespace hedge_asio_without_hedging

// section: Hedging on Asio what is not idempotent
// A retry waits until the previous attempt has ended; a hedge does not.
// expect-error: requires an operation that may run twice at the same time
namespace hedge_asio_not_idempotent {
void run() {
  net::io_context context;
  auto const read = [&](anew::attempt&, auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token), anew::net_error_code{}));
  };
  anew::strategy<anew::retry_all, anew::max_attempts<3>> const client{};
  anew::hedge_after<10ms> const when{};
#ifdef ANEW_REJECT  // wrong
  anew::async_hedge(context, client, when, read, [](anew::net_error_code) {});
#else  // right
  anew::async_hedge(context, client, when, anew::idempotent(read), [](anew::net_error_code) {});
#endif
}
}  // namespace hedge_asio_not_idempotent

// section: Hedging without an executor
// The timer of the first hedge starts together with the first attempt, when the operation's executor is not known
// yet.
// expect-error: anew::async_retry and anew::async_hedge require an executor for a coroutine, for a callback API
namespace hedge_asio_nowhere {
void run() {
  net::io_context context;
  auto const read = [&](anew::attempt&, auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token), anew::net_error_code{}));
  };
  anew::strategy<anew::retry_all, anew::max_attempts<3>> const client{};
  anew::hedge_after<10ms> const when{};
#ifdef ANEW_REJECT  // wrong
  anew::async_hedge(client, when, anew::idempotent(read), [](anew::net_error_code) {});
#else  // right
  anew::async_hedge(context, client, when, anew::idempotent(read), [](anew::net_error_code) {});
#endif
}
}  // namespace hedge_asio_nowhere
