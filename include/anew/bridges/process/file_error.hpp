// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_PROCESS_FILE_ERROR_HPP
#define ANEW_BRIDGES_PROCESS_FILE_ERROR_HPP

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/bridges/process/internal/requires_linux.hpp"  // before headers that others do not have

namespace anew::inline ANEW_ABI::process {

/// A quota's file cannot be used: it belongs to another user, has other contents, or the system refused an operation.
/// `what()` names the file and says what was found and what was expected.
class ANEW_VISIBLE file_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace anew::inline ANEW_ABI::process

namespace anew::inline ANEW_ABI::detail {

/// Throws `process::file_error`; without exceptions prints the message and aborts.
[[noreturn]] ANEW_COLD inline void refuse_file(std::string const& path, std::string const& why) {
  std::string message{"anew::process: "};
  message.append(detail::shown(path, path.size())).append(": ").append(why);
  detail::raise(process::file_error{message});
}

/// The system refused the operation, and `errno` says why.
[[noreturn]] ANEW_COLD inline void refuse_by_system(std::string const& path, char const* operation) {
  auto const error = errno;
  detail::refuse_file(path, std::string{operation}.append(": ").append(std::generic_category().message(error)));
}

/// Says that the file of `owner` is another user's; empty if this process runs as `owner`.
inline std::string belongs_to_another_user(::uid_t owner) {
  if (owner == ::geteuid()) return {};
  return std::string{"belongs to user "}
      .append(std::to_string(owner))
      .append(", but this process runs as user ")
      .append(std::to_string(::geteuid()));
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
