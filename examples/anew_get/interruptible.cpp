// SPDX-License-Identifier: BSL-1.0
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <ostream>
#include <system_error>

#include "interruptible.hpp"

namespace anew_get {

namespace {

/// A pipe that is ready takes so much without waiting.
constexpr std::size_t at_once = PIPE_BUF;
/// A line that is longer is written in pieces of this.
constexpr std::size_t longest_line = 16'384;

}  // namespace

void interruptible::write(int descriptor, std::string_view data) const {
  auto const fail = [](int error) { throw std::system_error{error, std::generic_category()}; };
  while (!data.empty()) {
    std::array<::pollfd, 2> of{{{descriptor, POLLOUT, 0}, {wake_, POLLIN, 0}}};
    if (::poll(of.data(), of.size(), -1) < 0) {
      if (errno == EINTR) continue;
      fail(errno);
    }
    if (of[0].revents == 0) fail(ECANCELED);
    auto const n = ::write(descriptor, data.data(), data.size() < at_once ? data.size() : at_once);
    if (n >= 0) {
      data.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno != EINTR && errno != EAGAIN) {
      fail(errno);
    }
  }
}

void interruptible::wait(std::chrono::milliseconds time) const {
  ::pollfd of{wake_, POLLIN, 0};
  if (::poll(&of, 1, static_cast<int>(time.count())) > 0) throw std::system_error{ECANCELED, std::generic_category()};
}

interruptible_stream::interruptible_stream(std::ostream& stream, int descriptor, interruptible const& writing)
    : stream_{stream}, before_{stream.rdbuf()}, descriptor_{descriptor}, writing_{writing} {
  stream_.flush();
  auto const state = stream_.rdstate();
  stream_.rdbuf(this);  // clears the state
  stream_.clear(state);
}

interruptible_stream::~interruptible_stream() {
  stream_.flush();
  auto const state = stream_.rdstate();
  stream_.rdbuf(before_);
  stream_.clear(state);
}

interruptible_stream::int_type interruptible_stream::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  char const one = traits_type::to_char_type(c);
  return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

std::streamsize interruptible_stream::xsputn(char const* data, std::streamsize size) {
  held_.append(data, static_cast<std::size_t>(size));
  bool const is_due = held_.ends_with('\n') || held_.size() >= longest_line;
  return !is_due || sync() == 0 ? size : 0;
}

int interruptible_stream::sync() {
  try {
    writing_.write(descriptor_, held_);
    held_.clear();
    return 0;
  } catch (std::system_error const&) {
    held_.clear();
    return -1;
  }
}

}  // namespace anew_get
