// SPDX-License-Identifier: BSL-1.0
#include <stdexcept>

#include <boost/asio/awaitable.hpp>

#include "anew/anew.hpp"
#include "anew/coroutine.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

using patient = anew::strategy<anew::exponential_backoff<50ms, 1s>, anew::max_attempts<3>, anew::retry_on<net_error>>;

// section: A coroutine of Asio, and no sleep to await
// expect-error: requires a sleep when the operation returns an awaitable
namespace coroutine_without_a_sleep {
namespace net = boost::asio;

net::awaitable<int> fetch() { co_return ask(); }

net::awaitable<int> client() { co_return co_await anew::retry(patient{}, fetch); }

int run() { return client().valid() ? 0 : 1; }
}  // namespace coroutine_without_a_sleep
