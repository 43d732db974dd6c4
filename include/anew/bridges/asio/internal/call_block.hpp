// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_CALL_BLOCK_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_CALL_BLOCK_HPP

#include <new>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/call_ref.hpp"
#include "anew/bridges/asio/internal/handlers.hpp"
#include "anew/bridges/asio/internal/home.hpp"
#include "anew/bridges/asio/internal/kept_block.hpp"
#include "anew/bridges/asio/internal/net.hpp"

/// The memory of calls with one attempt at a time and with several, and its references.
namespace anew::inline ANEW_ABI::detail {

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
