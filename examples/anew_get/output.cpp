// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <system_error>
#include <utility>

#include "output.hpp"

namespace anew_get {

namespace {

[[noreturn]] void fail() { throw std::system_error{errno, std::generic_category()}; }

}  // namespace

output::output(std::string const& name, when_unnamed unnamed) : name_{name} {
  if (name.empty() || name == "-") {
    descriptor_ = unnamed == when_unnamed::nowhere && name.empty() ? -1 : STDOUT_FILENO;
    name_.clear();
    return;
  }
  struct ::stat what{};
  bool const exists = ::stat(name.c_str(), &what) == 0;
  if (exists && !S_ISREG(what.st_mode)) {
    descriptor_ = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail();
    return;
  }
  if (exists && ::access(name.c_str(), W_OK) != 0) fail();
  temporary_ = name + ".XXXXXX";
  descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    temporary_.clear();
    fail();
  }
  // mkostemp is stricter than what a new file would get, or the old one had.
  auto const mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor_, exists ? what.st_mode & 07777U : 0666U & ~mask);
}

output::~output() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void output::write(std::string const& body) {
  if (descriptor_ < 0) return;
  wrote_ = true;
  for (std::size_t done = 0; done < body.size();) {
    auto const n = ::write(descriptor_, body.data() + done, body.size() - done);
    if (n >= 0) {
      done += static_cast<std::size_t>(n);
    } else if (errno != EINTR) {
      fail();
    }
  }
}

void output::finish() {
  if (temporary_.empty() || !wrote_) return;
  if (::close(std::exchange(descriptor_, -1)) != 0) fail();
  if (std::rename(temporary_.c_str(), name_.c_str()) != 0) fail();
  temporary_.clear();
}

}  // namespace anew_get
