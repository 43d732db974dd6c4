// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / A completion without an error
// The result of a coroutine is read like that of a function: without a classifier for it, a 503 would be a success.
// expect-error: anew::async_retry(strategy, operation, token) requires a value whose failures it can tell
// expect-error: telling::status
#include <exception>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

namespace net = anew::net;

struct response {
  unsigned status = 200;
};
struct is_server_error {
  bool operator()(response const& r) const { return r.status >= 500; }
};

// [fix]
#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<anew::retry_all>;
#else  // right
using patient = anew::strategy<anew::retry_while<is_server_error>>;
#endif
// [/fix]

net::awaitable<response> get() { co_return response{}; }

int main() {
  net::io_context context;
  anew::async_retry(context, patient{}, get, [](std::exception_ptr, response) {});
  context.run();
}
