// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_STRIPE_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_STRIPE_HPP

#include <cstddef>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Cache line size. `std::hardware_destructive_interference_size` depends on the compiler's
/// options, and g++ 12 warns of it in a header.
inline constexpr std::size_t cache_line = 64;

inline constinit atomic_cell<unsigned> threads_with_a_number{0};

/// A number for each thread that asks, handed out in turn, so that the first N threads find N different stripes. A
/// hash of the thread would let two of them meet for ever. Nothing is registered: what a thread counted stays in the
/// stripe when it ends. Cost: a thread-local load; in a shared library a call of `__tls_get_addr`.
inline unsigned thread_number() noexcept {
  static ANEW_THREAD_LOCAL unsigned mine = 0;  // 0: no number yet
  if (mine == 0) [[unlikely]] {
    mine = threads_with_a_number.fetch_add(1) + 1;
    if (mine == 0) mine = 1;
  }
  return mine;
}

/// A count on a cache line of its own.
template <class T>
struct alignas(cache_line) stripe {
  atomic_cell<T> count{0};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
