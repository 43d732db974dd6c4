// SPDX-License-Identifier: BSL-1.0
// The combinations over async_retry, which reads completions: a code, an exception, or a value.
#include <cstdio>
#include <exception>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/asio.hpp"
#include "anew/bridges/asio/initiates.hpp"

#include "combinations_by_table.hpp"

#ifdef ANEW_STANDALONE_ASIO
#include <asio/append.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#else
#include <boost/asio/append.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#endif

namespace laws_combinations_test {
namespace {

namespace net = anew::net;

/// What an operation completes with.
template <class E>
struct completed {
  using type = E;
  static E of(outcome const& about) { return *static_cast<E const*>(about.object); }
};
struct completed_with_an_exception {
  using type = std::exception_ptr;
  static std::exception_ptr of(outcome const& about) {
    try {
      about.throw_it(about.object);
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }
};

struct asynchronous {
  template <class How, class S>
  static void call(S const& strategy, outcome const& about) {
    using completion = typename How::type;
    net::io_context context;
    auto const op = anew::initiates<void(completion)>(
        [&](auto handler) { net::post(context, net::append(std::move(handler), How::of(about))); });
    anew::async_retry(context.get_executor(), strategy, anew::idempotent(op), [](completion const& /*end*/) {});
    context.run();
  }
};

TEST(CombinationsOverAsio, Completions) {
  tally count;
  for (auto const& one : combinations()) {
    for (auto const& about : outcomes()) {
      if (is_exception(about)) {
        ask_one<asynchronous, completed_with_an_exception>(count, "async_retry", one, about, asked_as::error);
      } else if (about.type == type_of<anew::net_error_code>) {
        ask_one<asynchronous, completed<anew::net_error_code>>(count, "async_retry", one, about, asked_as::error);
      } else if (about.type == type_of<reply> && one.ask(about, asked_as::result)) {
        ask_one<asynchronous, completed<reply>>(count, "async_retry", one, about, asked_as::result);
      }
    }
  }
  EXPECT_EQ(count.wrong, 0U);
  std::printf("async_retry: %zu calls\n", count.calls);
}

}  // namespace
}  // namespace laws_combinations_test
