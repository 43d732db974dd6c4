// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_INTERNAL_CALL_BLOCK_HPP
#define ANEW_ASIO_INTERNAL_CALL_BLOCK_HPP

#include <atomic>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/asio/initiates.hpp"
#include "anew/asio/internal/call_ref.hpp"
#include "anew/asio/internal/handlers.hpp"
#include "anew/asio/internal/home.hpp"
#include "anew/asio/internal/net.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/attempt.hpp"

/// The base of calls with one attempt at a time and with several: their memory, its references, and how an operation is
/// called.
namespace anew::inline ANEW_ABI::detail {

/// A strategy that is held by reference, or a temporary that is stored.
template <class S>
struct strategy_ref {
  using type = S;
  S const* strategy;
  [[nodiscard]] S const& get() const noexcept { return *strategy; }
};
template <class S>
struct strategy_kept {
  using type = S;
  S strategy;
  [[nodiscard]] S const& get() const noexcept { return strategy; }
};

template <operation_form Form>
inline constexpr bool is_told_of_attempt =
    Form == operation_form::initiates_with_attempt || Form == operation_form::coroutine_with_attempt;

/// The attempt, for an operation that takes it; it lives until the attempt is over.
template <bool IsTaken>
struct attempt_slot {
  std::optional<attempt> held;
};
template <>
struct attempt_slot<false> {};

/// Whether a handler has an associated cancellation slot type; at run time the slot may still be disconnected.
struct no_slot {};
template <class Handler>
inline constexpr bool has_a_slot = !std::is_same_v<net::associated_cancellation_slot_t<Handler, no_slot>, no_slot>;

/// How an attempt is cancelled, if anything can cancel it: the caller's slot, or a timeout.
struct attempt_signal {
  net::cancellation_signal signal;
  bool is_passed_on = false;
};
struct no_attempt_signal {};

/// Whether an attempt's operation has not completed, so that its slot may be emitted. A callback API completes in any
/// thread, and may then leave a dangling handler in the slot.
template <bool IsForeign>
using running_flag = std::conditional_t<IsForeign, std::atomic<bool>, bool>;

/// A time limit of an attempt under way.
struct attempt_timeout_state {
  bool is_armed = false;
  bool is_over = false;          ///< the limit came before the attempt's end
  bool attempt_is_done = false;  ///< and waits for the limit's timer to come back
};
struct no_limit_state {};

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

  cancel_link<Call>* link = nullptr;

 private:
  unsigned references_ = 1;

 protected:
  template <class... Parts>
  ANEW_INLINE static call_ref<Call> make(Handler& handler, Parts&&... parts) {
    auto allocator = rebound(allocator_of(handler));
    auto* const memory = traits::allocate(allocator, 1);
    undo_allocation<rebound_type, Call> undo{allocator, memory};
    auto* const call = ::new (static_cast<void*>(memory)) Call(handler, std::forward<Parts>(parts)...);
    undo.memory = nullptr;
    return call_ref<Call>{call};
  }

  [[nodiscard]] call_ref<Call> another() noexcept {
    ++references_;
    return call_ref<Call>{derived()};
  }
  [[nodiscard]] bool is_last() const noexcept { return references_ == 1; }

  /// Connects the caller's cancellation slot; false if there is no slot.
  ANEW_INLINE bool connect() {
    auto slot = net::get_associated_cancellation_slot(handler_);
    if (!slot.is_connected()) return false;
    slot.template emplace<cancel_link<Call>>(derived());
    return true;
  }

  /// Calls the operation. Do not touch the call after that: it may be over, or continue in another thread.
  template <operation_form Form, class AttemptHandler, class Op, class Slot, class Attempt>
  ANEW_INLINE void initiate(Op& operation, [[maybe_unused]] Slot& slot, [[maybe_unused]] attempt::parts const& told,
                            Attempt&& now) {
    if constexpr (Form == operation_form::coroutine_with_attempt) {
      net::co_spawn(get_executor(), operation(slot.held.emplace(told)), AttemptHandler{std::forward<Attempt>(now)});
    } else if constexpr (Form == operation_form::coroutine) {
      net::co_spawn(get_executor(), operation(), AttemptHandler{std::forward<Attempt>(now)});
    } else if constexpr (Form == operation_form::initiates_with_attempt) {
      operation(slot.held.emplace(told), AttemptHandler{std::forward<Attempt>(now)});
    } else {
      operation(AttemptHandler{std::forward<Attempt>(now)});
    }
  }

  /// The end: the memory is freed before the handler is called, so that the handler's next call can reuse it.
  template <class... Args>
  ANEW_INLINE void deliver(call_ref<Call>&& last, Args&&... args) {
    if (link != nullptr) {
      net::get_associated_cancellation_slot(handler_).clear();
      unlink();
    }
    auto allocator = rebound(get_allocator());
    Handler handler{std::move(handler_)};
    last.release();
    end(allocator);
    std::move(handler)(std::forward<Args>(args)...);
  }

  Handler handler_;
  ANEW_NO_UNIQUE_ADDRESS home_type home_;

 private:
  friend Call;  // and no other class derives
  ANEW_INLINE call_block(Handler& handler, Timers&& timers) : handler_{std::move(handler)}, home_{std::move(timers)} {}

  using traits = typename std::allocator_traits<allocator_type>::template rebind_traits<Call>;
  using rebound_type = typename traits::allocator_type;

  [[nodiscard]] static allocator_type allocator_of(Handler const& handler) noexcept {
    return net::get_associated_allocator(handler, net::recycling_allocator<void>{});
  }
  [[nodiscard]] static rebound_type rebound(allocator_type const& allocator) noexcept {
    return rebound_type{allocator};
  }
  void unlink() noexcept {
    if (link != nullptr) link->call = nullptr;
  }
  ANEW_COLD void end_unused() noexcept {
    if (derived()->stays()) return;
    unlink();  // before a part of the call is gone, whose end may cancel something
    auto allocator = rebound(get_allocator());
    end(allocator);
  }
  [[nodiscard]] Call* derived() noexcept { return static_cast<Call*>(this); }

  ANEW_INLINE void end(rebound_type& allocator) noexcept {
    auto* const call = derived();
    call->~Call();
    traits::deallocate(allocator, call, 1);
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
