// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "spool.hpp"

namespace anew_get {

namespace {

constexpr std::size_t most_in_memory = std::size_t{1} << 20U;

[[noreturn]] void fail() { throw std::system_error{errno, std::generic_category()}; }

/// Wherever the system keeps temporary files, for directories in which none can be made without a name.
int opened_elsewhere() {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const file{std::tmpfile(), &std::fclose};
  return file ? ::fcntl(::fileno(file.get()), F_DUPFD_CLOEXEC, 0) : -1;
}

void write_all(int descriptor, std::string_view data) {
  while (!data.empty()) {
    auto const n = ::write(descriptor, data.data(), data.size());
    if (n >= 0) {
      data.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno != EINTR) {
      fail();
    }
  }
}

class opened {
 public:
  explicit opened(int descriptor) : descriptor_{descriptor} {
    if (descriptor < 0) fail();
  }
  ~opened() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  opened(opened const&) = delete;
  opened& operator=(opened const&) = delete;
  [[nodiscard]] int get() const { return descriptor_; }
  /// Some file systems tell only here that nothing was written.
  void close() {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail();
  }

 private:
  int descriptor_;
};

/// Not with O_CREAT at once: in /tmp that refuses files of others, which may be written all the same.
int open_for_writing(std::string const& name) {
  auto const existing = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
  return existing >= 0 || errno != ENOENT ? existing : ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
}

}  // namespace

spool::spool(std::string const& name) {
  auto const folder = std::filesystem::path{name}.parent_path();
  descriptor_ = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ < 0) descriptor_ = opened_elsewhere();
  if (descriptor_ < 0) fail();
}

spool::spool(int descriptor) : descriptor_{descriptor} {
  auto const end = ::lseek(descriptor, 0, SEEK_END);
  if (end < 0) fail();
  size_ = static_cast<std::uint64_t>(end);
}

spool::~spool() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void spool::write(std::string_view data) {
  if (descriptor_ < 0) {
    if (memory_.size() + data.size() <= most_in_memory) {
      memory_ += data;
      size_ = memory_.size();
      return;
    }
    descriptor_ = opened_elsewhere();
    if (descriptor_ < 0) fail();
    write_all(descriptor_, memory_);
    std::string{}.swap(memory_);
  }
  write_all(descriptor_, data);
  size_ += data.size();
}

void spool::cut(std::uint64_t size) {
  if (size >= size_) return;
  if (descriptor_ < 0) {
    memory_.resize(static_cast<std::size_t>(size));
  } else if (::ftruncate(descriptor_, static_cast<::off_t>(size)) != 0 || ::lseek(descriptor_, 0, SEEK_END) < 0) {
    fail();
  }
  size_ = size;
}

void spool::read(std::uint64_t from, std::function<bool(std::string_view)> const& use) const {
  if (descriptor_ < 0) {
    if (from < memory_.size()) use(std::string_view{memory_}.substr(static_cast<std::size_t>(from)));
    return;
  }
  std::array<char, 65536> piece{};
  for (;;) {
    auto const n = ::pread(descriptor_, piece.data(), piece.size(), static_cast<::off_t>(from));
    if (n == 0) return;
    if (n > 0) {
      from += static_cast<std::uint64_t>(n);
      if (!use({piece.data(), static_cast<std::size_t>(n)})) return;
    } else if (errno != EINTR) {
      fail();
    }
  }
}

bool spool::become(std::string const& name) {
  auto const unnamed = "/proc/self/fd/" + std::to_string(descriptor_);
  return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

void spool::copy_into(std::string const& name) {
  opened to{open_for_writing(name)};
  auto const size = static_cast<::off_t>(size_);
  if (size != 0 && ::fallocate(to.get(), FALLOC_FL_KEEP_SIZE, 0, size) != 0 && errno == ENOSPC) fail();
  read(0, [&](std::string_view piece) { return write_all(to.get(), piece), true; });
  if (::ftruncate(to.get(), size) != 0) fail();
  to.close();
}

}  // namespace anew_get
