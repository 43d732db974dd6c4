// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <stdio.h>  // renameat2
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include <nlohmann/json.hpp>

#include "checksum.hpp"
#include "partial.hpp"

namespace anew_get {

namespace {

[[noreturn]] void fail() { throw std::system_error{errno, std::generic_category()}; }

std::string sha256_of(std::string const& text) {
  sha256 sum;
  sum.add(text);
  return sum.hex();
}

[[noreturn]] void refuse(std::string const& name, std::string const& why) { throw unusable_part{name, why}; }

/// The descriptor of the file of that name, which no other process has; makes it if need be.
int opened_alone(std::string const& name) {
  for (;;) {
    int const descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0) refuse(name, errno == ELOOP ? "is a link" : std::generic_category().message(errno));
    struct ::stat opened{};
    struct ::stat named{};
    std::string fault;
    if (::fstat(descriptor, &opened) != 0) {
      fault = std::generic_category().message(errno);
    } else if (!S_ISREG(opened.st_mode)) {
      fault = "is not a regular file";
    } else if (opened.st_uid != ::geteuid()) {
      fault = "belongs to another user";
    } else if (opened.st_nlink > 1) {
      fault = "is a link";
    } else if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      fault = errno == EWOULDBLOCK ? "is in use by another process" : std::generic_category().message(errno);
    } else if (::lstat(name.c_str(), &named) == 0 && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev) {
      return descriptor;
    }
    ::close(descriptor);
    if (!fault.empty()) refuse(name, fault);
    // Another process had it, and is done: the name is free or taken anew.
  }
}

nlohmann::json read_note(std::string const& name) {
  std::ifstream file{name, std::ios::binary};
  std::string const text{std::istreambuf_iterator<char>{file}, {}};
  return nlohmann::json::parse(text, nullptr, false);
}

std::string word_of(nlohmann::json const& note, char const* name) {
  if (!note.is_object()) return {};
  auto const found = note.find(name);
  return found != note.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

bool is_one_line(std::string const& text) {
  return text.find_first_of(std::string_view{"\r\n\0", 3}) == std::string::npos;
}

}  // namespace

partial::partial(std::string const& file, std::string const& url)
    : file_{file}, part_{file + ".part"}, note_{part_ + ".json"}, url_sha256_{sha256_of(url)} {
  bytes_.emplace(opened_alone(part_));
  if (bytes_->size() == 0) return;
  if (::access(note_.c_str(), F_OK) != 0) {
    refuse(part_, "is not of anew-get, which notes in '" + note_ + "' what it holds; remove it, or name another file");
  }
  auto const noted = word_of(read_note(note_), "url_sha256");
  if (!noted.empty() && noted != url_sha256_) {
    refuse(part_, "is the beginning of another URL; continue that, remove it, or name another file");
  }
}

partial::~partial() {
  if (!bytes_ || bytes_->size() != 0) return;
  ::unlink(part_.c_str());
  ::unlink(note_.c_str());
}

std::optional<beginning> partial::known() const {
  auto const note = read_note(note_);
  if (!note.is_object()) return std::nullopt;
  auto const word = [&note](char const* name) { return word_of(note, name); };
  beginning known{word("place"), word("validator"), std::nullopt, word("coding")};
  if (auto const whole = note.find("size"); whole != note.end() && whole->is_number_unsigned()) {
    known.whole = whole->get<std::uint64_t>();
  }
  bool const fits = word("url_sha256") == url_sha256_ && !known.validator.empty() && is_one_line(known.validator) &&
                    bytes_->size() <= known.whole.value_or(bytes_->size());
  return fits ? std::optional{known} : std::nullopt;
}

void partial::remember(beginning const* known) const {
  nlohmann::json note{{"url_sha256", url_sha256_}};
  if (known != nullptr) {
    note.update({{"place", known->place}, {"validator", known->validator}, {"coding", known->coding}});
    if (known->whole) note["size"] = *known->whole;
  }
  auto const fresh = note_ + ".new";
  ::unlink(fresh.c_str());
  int const descriptor = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) fail();
  spool into{descriptor};
  into.write(note.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
  if (::rename(fresh.c_str(), note_.c_str()) != 0) fail();
}

void partial::become_the_file() {
  if (::renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, file_.c_str(), RENAME_NOREPLACE) != 0) {
    bytes_->copy_into(file_);
    ::unlink(part_.c_str());
  }
  ::unlink(note_.c_str());
  bytes_.reset();
}

}  // namespace anew_get
