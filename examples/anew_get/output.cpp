// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "output.hpp"
#include "text.hpp"

namespace anew_get {

namespace {

[[noreturn]] void fail() { throw std::system_error{errno, std::generic_category()}; }

struct found_file {
  int descriptor = -1;  // of what is no regular file
  bool is_new = false;
  bool is_pipe = false;  // not opened: that waits for a reader
};

found_file look_at(std::string const& name) {
  struct ::stat what{};
  if (::stat(name.c_str(), &what) == 0) {
    if (S_ISFIFO(what.st_mode)) {
      if (::access(name.c_str(), W_OK) != 0) fail();
      return {-1, false, true};
    }
    int const found = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
    if (found < 0) fail();
    if (!S_ISREG(what.st_mode)) return {found, false, false};
    ::close(found);
    return {};
  }
  if (errno != ENOENT) fail();
  // Through a link to nothing the file is made elsewhere.
  bool const is_new = ::lstat(name.c_str(), &what) != 0;
  auto const folder = std::filesystem::path{name}.parent_path();
  if (is_new && ::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) fail();
  return {-1, is_new, false};
}

/// Waits for a reader until a signal comes. The system's own wait would go on: another thread takes the signals.
int opened_pipe(std::string const& name, interruptible const& waiting) {
  constexpr std::chrono::milliseconds between_looks{20};
  for (;;) {
    int const descriptor = ::open(name.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0 && errno != ENXIO) fail();
    if (descriptor < 0) {
      waiting.wait(between_looks);
      continue;
    }
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    return descriptor;
  }
}

/// How much of it can be shown before more has come: up to the last line's end, else up to the last character's.
std::size_t showable(std::string_view text) {
  if (auto const line = text.rfind('\n'); line != std::string_view::npos) return line + 1;
  constexpr std::size_t most = 4;  // bytes of a character
  for (std::size_t back = 1; back <= most && back < text.size(); ++back) {
    auto const byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xc0U) != 0x80U) return byte < 0x80U && byte != '\r' ? text.size() : text.size() - back;
  }
  return text.size();
}

}  // namespace

output::output(std::string const& name, interruptible const& writing) : writing_{writing} {
  if (name.empty() || name == "-") {
    descriptor_ = STDOUT_FILENO;
    is_terminal_ = ::isatty(descriptor_) == 1;
  } else {
    open_file(name);
  }
  if (!held_) held_.emplace();
}

output::output(std::string const& name, interruptible const& writing, std::string const& continued_url)
    : writing_{writing}, name_{name} {
  if (auto const found = look_at(name); found.descriptor >= 0 || found.is_pipe) {
    if (!found.is_pipe) ::close(found.descriptor);
    throw std::system_error{std::make_error_code(std::errc::invalid_seek)};
  }
  partial_.emplace(name, continued_url);
}

void output::check(std::string const& name) {
  if (auto const found = look_at(name); found.descriptor >= 0) ::close(found.descriptor);
}

/// A file that cannot be written is an error before anything is fetched.
void output::open_file(std::string const& name) {
  auto const found = look_at(name);
  descriptor_ = found.is_pipe ? opened_pipe(name, writing_) : found.descriptor;
  if (descriptor_ >= 0) {
    is_terminal_ = ::isatty(descriptor_) == 1;
    return;
  }
  is_new_ = found.is_new;
  name_ = name;
  held_.emplace(name);
}

output::~output() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

void output::accept() {
  if (descriptor_ < 0) return;
  pass_on(*held_);
  held_->cut(0);
}

void output::append(spool const& body) {
  if (descriptor_ >= 0) return pass_on(body);
  body.read(0, [this](std::string_view piece) { return held_->write(piece), true; });
}

void output::pass_on(spool const& body) {
  if (!is_terminal_) {
    body.read(0, [this](std::string_view piece) { return writing_.write(descriptor_, piece), true; });
    return;
  }
  std::string rest;
  body.read(0, [&](std::string_view piece) {
    rest += piece;
    auto const ready = showable(rest);
    writing_.write(descriptor_, printable(std::string_view{rest}.substr(0, ready), line_breaks::kept));
    rest.erase(0, ready);
    return true;
  });
  writing_.write(descriptor_, printable(rest, line_breaks::kept));
}

void output::finish() {
  if (partial_) {
    partial_->become_the_file();
    partial_.reset();
  } else if (descriptor_ < 0) {
    if (!is_new_ || !held_->become(name_)) held_->copy_into(name_);
    held_.reset();
  }
}

}  // namespace anew_get
