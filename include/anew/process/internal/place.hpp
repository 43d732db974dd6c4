// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PROCESS_INTERNAL_PLACE_HPP
#define ANEW_PROCESS_INTERNAL_PLACE_HPP

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Where a quota's file lies: a name stands for a file in the host's shared memory, a text with a slash is a path.
inline std::string path_of_quota(std::string_view place) {
  if (place.find('/') != std::string_view::npos) {
    if (place.find('\0') != std::string_view::npos || place.back() == '/') {
      detail::invalid_argument("process", "path must name a file", std::string{place});
    }
    return std::string{place};
  }
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  if (place.empty() || place.size() > 200 || place.find_first_not_of(allowed) != std::string_view::npos) {
    detail::invalid_argument("process", "name must be 1 to 200 letters, digits, '.', '_' or '-', or a path with '/'",
                             std::string{place.empty() ? "empty" : place});
  }
  return std::string{"/dev/shm/anew."}.append(place);
}

/// The same file after `chdir()`: the path of its directory without symbolic links. Unchanged where that does not exist.
inline std::string absolute(std::string const& path) {
  auto const slash = path.rfind('/');
  auto const directory = path.substr(0, slash + 1);
  std::unique_ptr<char, void (*)(void*)> const found{::realpath(directory.c_str(), nullptr), &std::free};
  if (found == nullptr) return path;
  std::string whole{found.get()};
  if (whole.back() != '/') whole.append(1, '/');
  return whole.append(path, slash + 1);
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
