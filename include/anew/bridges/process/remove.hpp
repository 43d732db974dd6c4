// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_PROCESS_REMOVE_HPP
#define ANEW_BRIDGES_PROCESS_REMOVE_HPP

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/process/file_error.hpp"
#include "anew/bridges/process/internal/kept_file.hpp"
#include "anew/bridges/process/internal/mapping.hpp"
#include "anew/bridges/process/internal/place.hpp"
#include "anew/bridges/process/internal/requires_linux.hpp"  // before headers that others do not have

namespace anew::inline ANEW_ABI::detail {

/// Empty or all zeros: its maker was killed.
inline bool may_be_a_quota(int file, off_t size) {
  std::string bytes(sizeof(quota_file), 0);
  if (size == 0) return true;
  if (size != static_cast<off_t>(bytes.size()) ||
      ::pread(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return false;
  }
  std::uint64_t magic = 0;
  std::memcpy(&magic, bytes.data(), sizeof(magic));
  return magic == quota_file::this_magic || bytes.find_first_not_of('\0') == std::string::npos;
}

}  // namespace anew::inline ANEW_ABI::detail

namespace anew::inline ANEW_ABI::process {

/// Removes the file of a quota; false if it does not exist. Stop the processes that use it first: for a rolling change of
/// numbers take another name.
/// Throws `file_error` where a process uses the file, a forked child of its opener too, and where the file is not a
/// quota's, belongs to another user, or cannot be removed.
inline bool remove(std::string_view place) {
  detail::quota_place const at{place};
  detail::kept_file file{detail::all_kept_files()};
  auto const directory = at.directory();
  if (directory.why != nullptr) detail::refuse_file(at.path(), directory.why);
  if (directory.descriptor < 0 || !file.open(directory.descriptor, at.file_name(), O_NOFOLLOW)) {
    if (errno == ENOENT) return false;
    detail::refuse_by_system(at.path(), "remove");
  }
  struct ::stat found{};
  bool const is_file = ::fstat(file.descriptor(), &found) == 0 && S_ISREG(found.st_mode);
  if (!is_file || !detail::may_be_a_quota(file.descriptor(), found.st_size)) {
    detail::refuse_file(at.path(), "is not a quota's, and is not removed");
  }
  if (auto const why = detail::belongs_to_another_user(found.st_uid); !why.empty()) {
    detail::refuse_file(at.path(), why + ", and it is not removed");
  }
  if (!file.lock_byte(detail::quota_mapping::byte_of_life)) {
    if (!detail::kept_file::is_taken(errno)) detail::refuse_by_system(at.path(), "lock");
    detail::refuse_file(at.path(), "is used by a process, and is not removed; stop the processes that use it");
  }
  // No other process makes or removes the file now: it still has its name, or it was removed before.
  if (::fstat(file.descriptor(), &found) == 0 && found.st_nlink == 0) return false;
  if (::unlinkat(directory.descriptor, at.file_name(), 0) == 0) return true;
  if (errno != ENOENT) detail::refuse_by_system(at.path(), "remove");
  return false;
}

}  // namespace anew::inline ANEW_ABI::process

#endif
