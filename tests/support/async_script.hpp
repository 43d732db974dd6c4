// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_ASYNC_SCRIPT_HPP
#define ANEW_TESTS_SUPPORT_ASYNC_SCRIPT_HPP

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "anew/asio.hpp"
#include "anew/base/duration.hpp"

#ifdef ANEW_STANDALONE_ASIO
#include <asio/any_io_executor.hpp>
#include <asio/append.hpp>
#include <asio/error.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#else
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#endif

/// What the tests of asynchronous calls are made of: operations with a script.
namespace support {

namespace net = anew::net;
using code = anew::net_error_code;

/// How many threads this process has.
inline std::size_t thread_count() {
  auto const tasks = std::filesystem::directory_iterator{"/proc/self/task"};
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// An operation's answers, one after another, the last one again and again; with the number of the attempt beside it.
struct script {
  net::any_io_executor executor;
  std::vector<code> answers;
  int made = 0;

  [[nodiscard]] code next() {
    auto const at = static_cast<std::size_t>(made++);
    return answers[at < answers.size() ? at : answers.size() - 1];
  }
};

/// Completes with (error code, number of the attempt).
[[nodiscard]] inline auto scripted(script& of) {
  return [&of](anew::attempt& /*self*/, auto&& token) {
    auto const answer = of.next();
    return net::post(of.executor, net::append(std::forward<decltype(token)>(token), answer, of.made));
  };
}

}  // namespace support

#endif
