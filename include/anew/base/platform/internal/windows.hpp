// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_WINDOWS_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_WINDOWS_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/moment.hpp"

#if defined(ANEW_PLATFORM_WINDOWS)

// Declared here rather than taken from <windows.h>, whose macros (min, ERROR, small) would reach every user. The tags
// are those of <windows.h> and the types are equal to the letter, so that both orders of inclusion compile.
struct _RTL_SRWLOCK;
struct _RTL_CONDITION_VARIABLE;

namespace anew::inline ANEW_ABI::detail::platform::windows {
extern "C" {
__declspec(dllimport) void __stdcall Sleep(unsigned long);
__declspec(dllimport) int __stdcall SwitchToThread(void);
__declspec(dllimport) void __stdcall AcquireSRWLockExclusive(::_RTL_SRWLOCK*);
__declspec(dllimport) unsigned char __stdcall TryAcquireSRWLockExclusive(::_RTL_SRWLOCK*);
__declspec(dllimport) void __stdcall ReleaseSRWLockExclusive(::_RTL_SRWLOCK*);
__declspec(dllimport) void __stdcall WakeConditionVariable(::_RTL_CONDITION_VARIABLE*);
__declspec(dllimport) int __stdcall SleepConditionVariableSRW(::_RTL_CONDITION_VARIABLE*, ::_RTL_SRWLOCK*,
                                                              unsigned long, unsigned long);
__declspec(dllimport) int __cdecl rand_s(unsigned int*);
}
}  // namespace anew::inline ANEW_ABI::detail::platform::windows

namespace anew::inline ANEW_ABI::detail::platform {

inline moment now() noexcept { return std::chrono::steady_clock::now(); }

/// By the C run time, which asks the system: the system's own functions would need a library to link.
inline bool entropy(std::uint64_t& word) noexcept {
  unsigned int low = 0;
  unsigned int high = 0;
  if (windows::rand_s(&low) != 0 || windows::rand_s(&high) != 0) return false;
  word = std::uint64_t{high} << 32U | low;
  return true;
}

inline void at_fork(void (* /*handler*/)()) noexcept {}

inline void yield() noexcept { windows::SwitchToThread(); }

/// The milliseconds until `end`, of one part: rounded up, or the last one would be spent in a spin.
inline unsigned long milliseconds_until(moment end) noexcept {
  auto const left = (end - platform::now()).count();
  if (left <= 0) return 0;
  return static_cast<unsigned long>(((left < longest_part ? left : longest_part) + 999'999) / 1'000'000);
}

inline void sleep_until(moment end) noexcept {
  for (auto left = platform::milliseconds_until(end); left != 0; left = platform::milliseconds_until(end)) {
    windows::Sleep(left);
  }
}

#if defined(__cpp_lib_jthread)
class wakeable_sleep {
 public:
  void wake() noexcept {
    windows::AcquireSRWLockExclusive(mutex());
    awake_ = true;
    windows::WakeConditionVariable(woken());
    windows::ReleaseSRWLockExclusive(mutex());
  }

  void sleep_until(moment end) noexcept {
    windows::AcquireSRWLockExclusive(mutex());
    for (auto left = platform::milliseconds_until(end); !awake_ && left != 0;
         left = platform::milliseconds_until(end)) {
      windows::SleepConditionVariableSRW(woken(), mutex(), left, 0);
    }
    windows::ReleaseSRWLockExclusive(mutex());
  }

 private:
  [[nodiscard]] ::_RTL_CONDITION_VARIABLE* woken() noexcept {
    return reinterpret_cast<::_RTL_CONDITION_VARIABLE*>(&woken_);
  }

  [[nodiscard]] ::_RTL_SRWLOCK* mutex() noexcept { return reinterpret_cast<::_RTL_SRWLOCK*>(&mutex_); }

  void* mutex_ = nullptr;  // so does an SRWLOCK
  void* woken_ = nullptr;  // a CONDITION_VARIABLE is a pointer that begins with null
  bool awake_ = false;
};
#endif

}  // namespace anew::inline ANEW_ABI::detail::platform

#endif
#endif
