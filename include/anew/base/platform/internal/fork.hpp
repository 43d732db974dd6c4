// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_FORK_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_FORK_HPP

#include <cstdint>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/process_wide.hpp"
#include "anew/base/platform/system.hpp"

namespace anew::inline ANEW_ABI::detail {

// Templates, compiled where they are used: firmware with its own random source uses no such function.
inline atomic_view<std::uint32_t> fork_generation() noexcept {
  return atomic_view<std::uint32_t>{anew_process::fork_generation_1};
}

// Hidden, so that each shared library registers its own handler: one that is unloaded takes its handlers along.
ANEW_HIDDEN inline constinit std::uint32_t counts_forks = 0;

// Runs in the child, where one thread lives: no other thread reads meanwhile.
template <class = void>
ANEW_HIDDEN void in_forked_child() noexcept {
  atomic_view<std::uint64_t>{anew_process::seed_1}.store_release(0);
  fork_generation().fetch_add(1);
}

/// From when this returns on, forks are counted. Waits for no thread: if two threads come first, both register a
/// handler, and a child counts two. A guarded static would be inherited locked by a child whose parent is just
/// initialising it.
template <class = void>
ANEW_HIDDEN ANEW_COLD void count_forks() noexcept {
  platform::at_fork(&in_forked_child<>);
  atomic_view<std::uint32_t>{counts_forks}.store_release(1);
}

template <class = void>
ANEW_HIDDEN std::uint32_t counted_fork_generation() noexcept {
  if (atomic_view<std::uint32_t>{counts_forks}.load_acquire() == 0) [[unlikely]]
    detail::count_forks<>();
  return fork_generation().load();
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
