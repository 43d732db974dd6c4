// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_CALL_BLOCK_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_CALL_BLOCK_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/call_ref.hpp"
#include "anew/bridges/asio/internal/handlers.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/timer_source.hpp"

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

/// The memory of calls with one attempt at a time and with several, and its references.
/// Whether a handler has an associated cancellation slot type; at run time the slot may still be disconnected.
struct no_slot {};
template <class Handler>
inline constexpr bool has_a_slot = !std::is_same_v<net::associated_cancellation_slot_t<Handler, no_slot>, no_slot>;

/// One asynchronous call's memory, of its handler's allocator, and the handler that waits for its end. It stays at one
/// address, the handlers of its attempts and waits are pointers to it, and it ends with the last of them, so a context
/// that is destroyed in the middle takes the call with it. `Call` derives from it.
template <class Call, class Timers, class Handler>
class call_block {
 public:
  using home_type = home_of<Timers, Handler>;
  using allocator_type = net::associated_allocator_t<Handler, net::recycling_allocator<void>>;

  /// One reference to the call is gone.
  void drop() noexcept {
    if (references_ == 1) [[unlikely]]
      return end_unused();
    --references_;
  }

  [[nodiscard]] allocator_type get_allocator() const noexcept { return allocator_of(handler_); }
  [[nodiscard]] auto get_executor() const noexcept { return home_.executor(handler_); }

  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<has_a_slot<Handler>, cancel_link<Call>*, no_slot> link;

 private:
  unsigned references_ = 1;

 protected:
  ANEW_INLINE call_block(Handler& handler, Timers&& timers) : handler_{std::move(handler)}, home_{std::move(timers)} {
    if constexpr (has_a_slot<Handler>) link = nullptr;
  }

  template <class... Parts>
  ANEW_INLINE static call_ref<Call> make(Handler& handler, Parts&&... parts) {
    block_memory<Call, allocator_type> room{allocator_of(handler)};
    auto* const call = ::new (static_cast<void*>(room.take())) Call(handler, std::forward<Parts>(parts)...);
    room.memory = nullptr;
    return call_ref<Call>{call};
  }

  [[nodiscard]] call_ref<Call> another() noexcept {
    ++references_;
    return call_ref<Call>{derived()};
  }
  [[nodiscard]] bool is_last() const noexcept { return references_ == 1; }

  /// Connects the caller's cancellation slot; false if there is no slot.
  ANEW_INLINE bool connect() {
    if constexpr (has_a_slot<Handler>) {
      if (auto slot = net::get_associated_cancellation_slot(handler_); slot.is_connected()) {
        slot.template emplace<cancel_link<Call>>(derived());
        return true;
      }
    }
    return false;
  }

  /// The end: the memory is freed before the handler is called, so that the handler's next call can reuse it.
  template <class... Args>
  ANEW_INLINE void deliver(call_ref<Call>&& last, Args&&... args) {
    unlink();  // and leave it in the slot, whose memory the next operation takes: clearing would cost as much as this call
    auto const allocator = get_allocator();
    Handler handler{std::move(handler_)};
    last.release();
    end(allocator);
    std::move(handler)(std::forward<Args>(args)...);
  }

  Handler handler_;
  ANEW_NO_UNIQUE_ADDRESS home_type home_;

 private:
  [[nodiscard]] static allocator_type allocator_of(Handler const& handler) noexcept {
    return net::get_associated_allocator(handler, net::recycling_allocator<void>{});
  }
  void unlink() noexcept {
    if constexpr (has_a_slot<Handler>) {
      if (link != nullptr) link->call = nullptr;
    }
  }
  ANEW_COLD void end_unused() noexcept {
    if (derived()->stays()) return;
    unlink();  // before a part of the call is gone, whose end may cancel something
    auto const allocator = get_allocator();
    end(allocator);
  }
  [[nodiscard]] Call* derived() noexcept { return static_cast<Call*>(this); }

  ANEW_INLINE void end(allocator_type const& allocator) noexcept {
    auto* const call = derived();
    call->~Call();
    block_memory<Call, allocator_type>{allocator}.free(call);
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
