// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / A declaration inside the signature
// Write `anew::idempotent(anew::initiates<Signature>(operation))`. Swapped, the two would hide the
// declaration.
// expect-error: anew::initiates<Signature>(operation) requires the operation itself
#include <system_error>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

namespace net = anew::net;

int main() {
  net::io_context context;
  net::steady_timer timer{context};
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
  auto const wait = [&](anew::attempt&, auto handler) { timer.async_wait(std::move(handler)); };
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const operation = anew::initiates<void(std::error_code)>(anew::idempotent(wait));
#else  // right
  auto const operation = anew::idempotent(anew::initiates<void(std::error_code)>(wait));
#endif
  // [/fix]
  anew::async_retry(context, strategy, operation, [](auto...) {});
}
