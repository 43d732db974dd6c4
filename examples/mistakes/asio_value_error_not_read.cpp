// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / An error in the value that the classifier does not read
// A value with `has_value()` and `error()` fails by its error, so the classifier must read the type of that error.
// expect-error: requires a classifier that reads the error in the value
// expect-error: retry_info_classifier, db_error>
#include <utility>

#include <boost/asio/append.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

namespace net = anew::net;

enum class db_error { none, busy, corrupt };

struct reply {  // any type with has_value() and error(), such as std::expected
  db_error failure = db_error::none;
  bool has_value() const { return failure == db_error::none; }
  db_error error() const { return failure; }
};

// [fix]
struct is_busy {
  bool operator()(db_error error) const { return error == db_error::busy; }
};
#ifdef ANEW_REJECT  // wrong
using client = anew::strategy<anew::max_attempts<5>>;
#else  // right
using client = anew::strategy<anew::max_attempts<5>, anew::retry_if<is_busy>>;
#endif
// [/fix]

int main() {
  net::io_context context;
  auto const ask = [&](anew::attempt&, auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token), reply{}));
  };
  client const strategy{};
  anew::async_retry(strategy, ask, [](auto...) {});
}
