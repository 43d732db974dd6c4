// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <iostream>

#include "exit_code.hpp"
#include "streams.hpp"

namespace anew_get {

void open_standard_streams() {
  for (int const descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is taken: that of the descriptor.
    if (::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY) != descriptor) {
      std::_Exit(exit_code::final_error);
    }
  }
}

bool is_reader_gone(int descriptor) {
  ::pollfd of{descriptor, 0, 0};
  return ::poll(&of, 1, 0) > 0 && (of.revents & (POLLERR | POLLHUP)) != 0;
}

void raise_descriptor_limit() {
  ::rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

int checked(int code, char const* program) {
  if (code > exit_code::signalled) return code;
  if (!std::cout.flush()) {
    std::cerr << program << ": cannot write to standard output\n";
    code = exit_code::final_error;
  }
  return std::cerr.flush() ? code : exit_code::final_error;
}

}  // namespace anew_get
