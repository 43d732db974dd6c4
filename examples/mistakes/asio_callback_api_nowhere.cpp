// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / No executor to wait on
// Neither a callback API nor a plain callback has an executor, so the call has nowhere to wait and complete.
// expect-error: anew::async_retry(strategy, anew::initiates<...>(operation), token) requires an executor for the
#include <functional>
#include <utility>

#include <boost/asio/io_context.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

namespace net = anew::net;

namespace {
void legacy_read(std::function<void(anew::net_error_code)> const& callback) { callback({}); }
}  // namespace

int main() {
  net::io_context context;
  auto const read = anew::initiates<void(anew::net_error_code)>([](auto handler) { legacy_read(std::move(handler)); });
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::async_retry(strategy, read, [](anew::net_error_code) {});
#else  // right
  anew::async_retry(context, strategy, read, [](anew::net_error_code) {});
#endif
  // [/fix]
}
