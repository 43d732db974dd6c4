// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PROCESS_INTERNAL_BOOT_ID_HPP
#define ANEW_PROCESS_INTERNAL_BOOT_ID_HPP

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>

#include "anew/platform/compiler.hpp"
#include "anew/process/internal/requires_linux.hpp"  // before headers that others do not have

namespace anew::inline ANEW_ABI::detail {

/// Which start of the system it is; the same in all its containers. Zeros where the system does not tell.
struct host_boot {
  std::uint64_t high;
  std::uint64_t low;

  [[nodiscard]] static host_boot this_one() noexcept {
    host_boot id{};
    int const file = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file < 0) return id;
    char text[36];  // 32 hexadecimal digits and 4 dashes
    auto const length = ::read(file, text, sizeof(text));
    ::close(file);
    for (int i = 0; i < length; ++i) {
      auto const digit = digit_of(text[i]);
      if (digit > 15) continue;
      id.high = id.high << 4U | id.low >> 60U;
      id.low = id.low << 4U | digit;
    }
    return id;
  }
  [[nodiscard]] bool is_known() const noexcept { return (high | low) != 0; }
  friend bool operator==(host_boot const&, host_boot const&) = default;

 private:
  static unsigned digit_of(char c) noexcept {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    return 16;
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
