// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PROCESS_REMOVE_HPP
#define ANEW_PROCESS_REMOVE_HPP

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include "anew/platform/compiler.hpp"
#include "anew/process/file_error.hpp"
#include "anew/process/internal/mapping.hpp"
#include "anew/process/internal/place.hpp"
#include "anew/process/internal/requires_linux.hpp"  // before headers that others do not have

namespace anew::inline ANEW_ABI::detail {

/// Empty or all zeros: its maker was killed.
inline bool may_be_a_quota(int file, off_t size) noexcept {
  if (size == 0) return true;
  unsigned char bytes[sizeof(quota_file)];
  if (size != off_t{sizeof(bytes)} || ::pread(file, bytes, sizeof(bytes), 0) != ssize_t{sizeof(bytes)}) return false;
  std::uint64_t magic = 0;
  std::memcpy(&magic, bytes, sizeof(magic));
  return magic == quota_file::this_magic || std::all_of(bytes, bytes + sizeof(bytes), [](auto b) { return b == 0; });
}

}  // namespace anew::inline ANEW_ABI::detail

namespace anew::inline ANEW_ABI::process {

/// Removes the file of a quota; false if it does not exist. Processes that have it open continue to share the old quota
/// among themselves: remove it when no process uses it, or restart all of them.
/// Throws `file_error` where the file is not a quota's, belongs to another user, or cannot be removed.
inline bool remove(std::string_view place) {
  auto const path = detail::path_of_quota(place);
  auto const refuse_by_system = [&path] {
    auto const error = errno;
    detail::refuse_file(path, std::string{"remove: "}.append(std::generic_category().message(error)));
  };
  int const file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) return false;
  if (file < 0) refuse_by_system();
  struct ::stat found{};
  bool const is_file = ::fstat(file, &found) == 0 && S_ISREG(found.st_mode);
  bool const is_quota = is_file && detail::may_be_a_quota(file, found.st_size);
  ::close(file);
  if (!is_quota) detail::refuse_file(path, "is not a quota's, and is not removed");
  if (auto const why = detail::belongs_to_another_user(found.st_uid); !why.empty()) {
    detail::refuse_file(path, why + ", and it is not removed");
  }
  if (::unlink(path.c_str()) == 0) return true;
  if (errno != ENOENT) refuse_by_system();
  return false;
}

}  // namespace anew::inline ANEW_ABI::process

#endif
