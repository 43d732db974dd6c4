// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_INTRINSICS_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_INTRINSICS_HPP

/// Functions that g++ and clang have without a header: <cstring> would be a tenth of what a user of the core preprocesses.

#include <cstddef>
#include <cstdint>

#include "anew/base/platform/compiler.hpp"

#if !defined(__GNUC__) && !defined(__clang__)
#include <intrin.h>

#include <cstring>
#endif

namespace anew::inline ANEW_ABI::detail {

// Builtins of the compiler: the standard traits instantiate up to twenty classes for each answer.
template <class T>
inline constexpr bool is_trivially_copyable = __is_trivially_copyable(T);
template <class T, class... Args>
inline constexpr bool is_constructible = __is_constructible(T, Args...);
/// True for a type without state, whose copies take no instruction.
template <class T>
inline constexpr bool is_only_its_type = __is_empty(T) && __is_trivially_copyable(T) && __is_constructible(T, T const&);
/// A final class cannot be derived from. Neither can a class whose virtual destructor is final, which no trait detects.
template <class T>
inline constexpr bool is_usual_base = __is_class(T) && !__is_final(T) && !__has_virtual_destructor(T);

#if defined(__GNUC__) || defined(__clang__)
[[noreturn]] ANEW_INLINE void trap() noexcept { __builtin_trap(); }
[[noreturn]] ANEW_INLINE void unreachable() noexcept { __builtin_unreachable(); }
ANEW_INLINE void copy_bytes(void* to, void const* from, std::size_t size) noexcept { __builtin_memcpy(to, from, size); }
/// Of a number that is not zero.
constexpr unsigned leading_zeros(std::uint64_t number) noexcept {
  return static_cast<unsigned>(__builtin_clzll(number));
}
#else
[[noreturn]] ANEW_INLINE void trap() noexcept { __fastfail(7); }
[[noreturn]] ANEW_INLINE void unreachable() noexcept { __assume(0); }
ANEW_INLINE void copy_bytes(void* to, void const* from, std::size_t size) noexcept { std::memcpy(to, from, size); }
/// Of a number that is not zero.
constexpr unsigned leading_zeros(std::uint64_t number) noexcept {
  unsigned zeros = 0;
  for (unsigned half = 32; half != 0; half /= 2) {
    if ((number >> (64 - half)) != 0) continue;
    zeros += half;
    number <<= half;
  }
  return zeros;
}
#endif

/// No instruction: keeps the compiler from making one access of two words.
ANEW_INLINE void keep_apart([[maybe_unused]] std::uint64_t& word) noexcept {
#if (defined(__GNUC__) || defined(__clang__)) && UINTPTR_MAX > 0xffffffff
  asm("" : "+r"(word));  // NOLINT(hicpp-no-assembler)
#endif
}

/// Tells the core that this is a spin, so that its sibling gets the execution units.
inline void relax() noexcept {
#if !defined(__GNUC__) && !defined(__clang__) && (defined(_M_X64) || defined(_M_IX86))
  _mm_pause();
#elif defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
