// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_KEPT_BLOCK_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_KEPT_BLOCK_HPP

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/net.hpp"

/// The memory of calls.
namespace anew::inline ANEW_ABI::detail {

/// The memory of the last call that ended in this thread, for the next call of the same size. Asio's recycling allocator
/// keeps it too, and takes as long to find it as all else that a call does.
class kept_block {
 public:
  kept_block(kept_block const&) = delete;
  kept_block& operator=(kept_block const&) = delete;

  ANEW_INLINE static bool has(std::size_t size) noexcept { return size_here == size; }
  ANEW_INLINE static void* take() noexcept {
    size_here = nothing;
    return memory_here;
  }
  ANEW_INLINE static void keep(void* memory, std::size_t size) noexcept {
    if (size_here != nothing) [[unlikely]]
      return replace(memory, size);
    memory_here = memory;
    size_here = size;
  }

 private:
  kept_block() = default;
  /// At the end of the thread.
  ~kept_block() {
    if (size_here != nothing) free(memory_here, size_here);
    size_here = closed;
  }

  // No block is as small as these.
  static constexpr std::size_t nothing = 0;
  static constexpr std::size_t unopened = 1;
  static constexpr std::size_t closed = 2;

  static void free(void* memory, std::size_t size) noexcept {
    net::recycling_allocator<std::byte>{}.deallocate(static_cast<std::byte*>(memory), size);
  }
  ANEW_COLD static void replace(void* memory, std::size_t size) noexcept {
    if (size_here == closed) return free(memory, size);
    auto const before = std::exchange(size_here, size);
    auto* const old = std::exchange(memory_here, memory);
    if (before != unopened) return free(old, before);
    static thread_local kept_block const at_the_end{};
    static_cast<void>(at_the_end);
  }

  // Without a destructor, so that they are read without asking whether they have been constructed.
  static inline constinit thread_local void* memory_here = nullptr;
  static inline constinit thread_local std::size_t size_here = unopened;
};

/// The memory of a call, from its handler's allocator.
template <class Call, class Allocator>
struct block_memory {
  using traits = typename std::allocator_traits<Allocator>::template rebind_traits<Call>;
  using rebound_type = typename traits::allocator_type;
#if !ANEW_THREADS_DESTROY || defined(BOOST_ASIO_DISABLE_SMALL_BLOCK_RECYCLING) || \
    defined(ASIO_DISABLE_SMALL_BLOCK_RECYCLING)
  static constexpr bool is_kept = false;
#else
  // Blocks are told apart by their size alone, so that all of them have the alignment of `new`.
  static constexpr bool is_kept =
      std::is_same_v<Allocator, net::recycling_allocator<void>> && alignof(Call) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
#endif

  ANEW_INLINE explicit block_memory(Allocator const& by) : allocator{by} {}
  block_memory(block_memory const&) = delete;
  block_memory& operator=(block_memory const&) = delete;
  /// Frees what is left here.
  ANEW_INLINE ~block_memory() {
    if (memory != nullptr) free(memory);
  }

  ANEW_INLINE Call* take() {
    if constexpr (is_kept) {
      if (kept_block::has(sizeof(Call))) return memory = static_cast<Call*>(kept_block::take());
    }
    return memory = traits::allocate(allocator, 1);
  }
  ANEW_INLINE void free(Call* freed) noexcept {
    if constexpr (is_kept) {
      kept_block::keep(freed, sizeof(Call));
    } else {
      traits::deallocate(allocator, freed, 1);
    }
  }

  ANEW_NO_UNIQUE_ADDRESS rebound_type allocator;
  Call* memory = nullptr;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
