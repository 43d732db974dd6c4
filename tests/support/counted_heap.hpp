// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_COUNTED_HEAP_HPP
#define ANEW_TESTS_SUPPORT_COUNTED_HEAP_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "sanitized.hpp"

/// Replaces operator new and counts. One file of a program includes it, and asks only where ANEW_TEST_UNDER_TSAN is 0.
#if !ANEW_TEST_UNDER_TSAN
namespace support {

/// What this thread asks of the heap while it is watched.
struct heap {
  static inline thread_local bool watched = false;
  static inline thread_local int allocations = 0;

  /// Null where there is none.
  static void* take(std::size_t size, std::size_t alignment) noexcept {
    if (watched) ++allocations;
    // aligned_alloc wants a multiple of the alignment.
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  }
  static void* must_take(std::size_t size, std::size_t alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
    auto* const block = take(size, alignment);
    if (block == nullptr) std::abort();
    return block;
  }
};

int allocations_of(auto&& call) {
  heap::allocations = 0;
  heap::watched = true;
  call();
  heap::watched = false;
  return heap::allocations;
}

}  // namespace support

// NOLINTBEGIN(misc-definitions-in-headers)
using support::heap;
void* operator new(std::size_t size) { return heap::must_take(size); }
void* operator new[](std::size_t size) { return heap::must_take(size); }
void* operator new(std::size_t size, std::align_val_t a) { return heap::must_take(size, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t size, std::align_val_t a) {
  return heap::must_take(size, static_cast<std::size_t>(a));
}
void* operator new(std::size_t size, std::nothrow_t const& /*t*/) noexcept {
  return heap::take(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new[](std::size_t size, std::nothrow_t const& /*t*/) noexcept {
  return heap::take(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t /*size*/) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t /*size*/) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t /*a*/) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t /*a*/) noexcept { std::free(p); }
void operator delete(void* p, std::size_t /*size*/, std::align_val_t /*a*/) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t /*size*/, std::align_val_t /*a*/) noexcept { std::free(p); }
void operator delete(void* p, std::nothrow_t const& /*t*/) noexcept { std::free(p); }
void operator delete[](void* p, std::nothrow_t const& /*t*/) noexcept { std::free(p); }
// NOLINTEND(misc-definitions-in-headers)
#endif

#endif
