// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_PROCESS_INTERNAL_PLACE_HPP
#define ANEW_BRIDGES_PROCESS_INTERNAL_PLACE_HPP

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstddef>
#include <string>
#include <string_view>

#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/bridges/process/internal/requires_linux.hpp"  // before headers that others do not have

namespace anew::inline ANEW_ABI::detail {

/// Whether a symbolic link may have been made by another user: in a directory where all users may make files, it belongs
/// neither to this user nor to the directory's owner. The rule of Linux's `fs.protected_symlinks`, which may be off.
[[nodiscard]] inline bool is_link_of_another(struct ::stat const& link, struct ::stat const& directory, ::uid_t user) {
  constexpr ::mode_t everybody = S_ISVTX | S_IWOTH;
  return link.st_uid != user && link.st_uid != directory.st_uid && (directory.st_mode & everybody) == everybody;
}
/// Whether any other user may look into a directory, or change it.
[[nodiscard]] inline bool is_open_to_others(struct ::stat const& directory, ::uid_t user) {
  return directory.st_uid != user || (directory.st_mode & (S_IRWXG | S_IRWXO)) != 0;
}

/// The directory of a path, open until the end of the scope; -1 with `errno`, and why where `errno` would not tell.
///
/// It is opened part by part, so that a link of another user is seen before it is followed.
class open_directory {
 public:
  open_directory(std::string rest, bool is_of_the_user_alone) {
    enter(::open(".", flags));
    for (int links = 0; links != 40;) {
      if (rest.front() == '/') enter(::open("/", flags));
      rest.erase(0, rest.find_first_not_of('/'));
      auto const end = rest.find('/');
      struct ::stat parent{};
      struct ::stat found{};
      if (descriptor < 0 || ::fstat(descriptor, &parent) != 0) return;
      if (end == std::string::npos) {
        if (is_of_the_user_alone && is_open_to_others(parent, ::geteuid()))
          leave("its directory belongs to another user, or gives rights to one");
        return;
      }
      int const next = ::openat(descriptor, rest.substr(0, end).c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
      rest.erase(0, rest.find_first_not_of('/', end));
      if (next < 0 || ::fstat(next, &found) != 0 || !S_ISLNK(found.st_mode)) {
        enter(next);
        continue;
      }
      char target[PATH_MAX];
      auto const length = ::readlinkat(next, "", target, sizeof(target));
      ::close(next);
      if (is_link_of_another(found, parent, ::geteuid())) {
        leave("its directory is a symbolic link of another user");
        return;
      }
      if (length < 0) break;
      rest.insert(0, std::string(target, static_cast<std::size_t>(length)).append(1, '/'));
      ++links;
    }
    enter(-1);
    errno = ELOOP;
  }
  open_directory(open_directory const&) = delete;
  open_directory& operator=(open_directory const&) = delete;
  ~open_directory() {
    auto const error = errno;
    enter(-1);
    errno = error;
  }

  int descriptor = -1;
  char const* why = nullptr;

 private:
  static constexpr int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

  void enter(int next) noexcept {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = next;
  }
  void leave(char const* reason) noexcept {
    enter(-1);
    why = reason;
    errno = EACCES;
  }
};

/// Where a quota's file lies: a name stands for a file in a directory that its user alone has in the memory of the host, a
/// text with a slash is a path.
class quota_place {
 public:
  explicit quota_place(std::string_view text) : text_{text}, is_name_{text.find('/') == std::string_view::npos} {
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    if (!is_name_ && (text.find('\0') != std::string_view::npos || text.back() == '/')) {
      detail::invalid_argument("process", "path must name a file", detail::shown(text));
    }
    if (is_name_ && (text.empty() || text.size() > 200 || text.front() == '.' ||
                     text.find_first_not_of(allowed) != std::string_view::npos)) {
      detail::invalid_argument("process",
                               "name must be 1 to 200 letters, digits, '.', '_' or '-', and not begin with '.', or be "
                               "a path with '/'",
                               detail::shown(text.empty() ? "empty" : text));
    }
    char here[PATH_MAX];
    if (is_name_) {
      path_ = "/dev/shm/anew." + std::to_string(::geteuid()) + "/";
    } else if (text.front() != '/' && ::getcwd(here, sizeof(here)) != nullptr) {
      path_.append(here).append(1, '/');  // the same file after chdir()
    }
    path_.append(text);
  }

  /// As the user wrote it.
  [[nodiscard]] std::string const& text() const noexcept { return text_; }
  [[nodiscard]] std::string const& path() const noexcept { return path_; }
  /// Of the file in its directory.
  [[nodiscard]] char const* file_name() const noexcept { return path_.c_str() + path_.rfind('/') + 1; }

  /// Makes the directory of a name, which its user alone may use. False, with `errno`, when it cannot be made.
  [[nodiscard]] bool make_directory() const {
    auto const directory = path_.substr(0, path_.rfind('/'));
    if (!is_name_ || (::mkdir(directory.c_str(), S_IRWXU) != 0 && errno == EEXIST)) return true;
    return ::chmod(directory.c_str(), S_IRWXU) == 0;  // a umask may have taken away the rights of the user, too
  }

  [[nodiscard]] open_directory directory() const { return {path_, is_name_}; }

 private:
  std::string text_;
  std::string path_;
  bool is_name_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
