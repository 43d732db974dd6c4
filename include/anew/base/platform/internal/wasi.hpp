// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_WASI_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_WASI_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/moment.hpp"

#if defined(ANEW_PLATFORM_WASI)

#include <time.h>
#include <unistd.h>

namespace anew::inline ANEW_ABI::detail::platform {

inline moment now() noexcept { return std::chrono::steady_clock::now(); }

inline bool entropy(std::uint64_t& word) noexcept { return ::getentropy(&word, sizeof word) == 0; }

inline void sleep_until(moment end) noexcept {
  for (auto left = (end - platform::now()).count(); left > 0; left = (end - platform::now()).count()) {
    auto const part = left < longest_part ? left : longest_part;
    ::timespec time{};
    time.tv_sec = static_cast<::time_t>(part / 1'000'000'000);
    time.tv_nsec = static_cast<decltype(time.tv_nsec)>(part % 1'000'000'000);
    ::nanosleep(&time, nullptr);
  }
}

inline void yield() noexcept {}
inline void at_fork(void (* /*handler*/)()) noexcept {}

}  // namespace anew::inline ANEW_ABI::detail::platform

#endif
#endif
