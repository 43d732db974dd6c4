// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "output.hpp"
#include "text.hpp"

namespace anew_get {

namespace {

[[noreturn]] void fail() { throw std::system_error{errno, std::generic_category()}; }

}  // namespace

output::output(std::string const& name, when_unnamed unnamed, interruptible const& writing) : writing_{writing} {
  if (!name.empty() && name != "-") {
    open_file(name);
  } else if (unnamed == when_unnamed::standard_output || !name.empty()) {
    descriptor_ = STDOUT_FILENO;
  }
  is_terminal_ = ::isatty(descriptor_) == 1;
}

/// A file that cannot be written is an error before anything is fetched.
void output::open_file(std::string const& name) {
  struct ::stat what{};
  if (::stat(name.c_str(), &what) == 0) {
    int const found = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
    if (found < 0) fail();
    if (!S_ISREG(what.st_mode)) {
      descriptor_ = found;
      return;
    }
    ::close(found);
  } else {
    if (errno != ENOENT) fail();
    // Through a link to nothing the file is made elsewhere.
    is_new_ = ::lstat(name.c_str(), &what) != 0;
    auto const folder = std::filesystem::path{name}.parent_path();
    if (is_new_ && ::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) fail();
  }
  name_ = name;
  held_.emplace(name);
}

output::~output() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

void output::write(std::string const& body) {
  if (held_) return held_->write(body);
  if (descriptor_ >= 0) writing_.write(descriptor_, is_terminal_ ? printable(body, line_breaks::kept) : body);
}

void output::finish() {
  if (!held_) return;
  if (!is_new_ || !held_->become(name_)) held_->copy_into(name_);
  held_.reset();
}

}  // namespace anew_get
