// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_ATTEMPT_SCOPE_HPP
#define ANEW_RUN_TIME_VIRTUAL_ATTEMPT_SCOPE_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// Storage for what a virtual strategy keeps of a call that its observer follows. A driver makes one when a call begins, and
/// passes it with each event; a strategy may put one object in it.
class observed_call {
 public:
  static constexpr std::size_t room_size = 64;

  observed_call() noexcept {}  // NOLINT(*-use-equals-default): a defaulted one would clear the room
  observed_call(observed_call const&) = delete;
  observed_call& operator=(observed_call const&) = delete;
  observed_call(observed_call&& other) noexcept { take(other); }
  observed_call& operator=(observed_call&& other) noexcept {
    if (this != &other) {
      clear();
      take(other);
    }
    return *this;
  }
  ~observed_call() { clear(); }

  template <class Kept>
  static constexpr bool fits = sizeof(Kept) <= room_size && alignof(Kept) <= alignof(std::max_align_t);
  template <class Kept>
  static constexpr bool has_room_for = fits<Kept> && std::is_nothrow_move_constructible_v<Kept>;

  /// Stores the result of `make()`. Requires: room for it, as a virtual_strategy asks
  void keep(auto const& make) {
    using kept = decltype(make());
    if constexpr (fits<kept>) {
      clear();
      ::new (static_cast<void*>(room_)) kept(make());
      carry_ = [](void* to, void* from) noexcept {
        auto* const object = std::launder(static_cast<kept*>(from));
        if constexpr (has_room_for<kept>) {
          if (to != nullptr) ::new (to) kept(std::move(*object));
        }
        std::destroy_at(object);
      };
    }
  }
  /// The object, which must be of that type; null if none was stored.
  template <class Kept>
  [[nodiscard]] Kept* get() noexcept {
    return carry_ != nullptr ? std::launder(reinterpret_cast<Kept*>(room_)) : nullptr;
  }

 private:
  void take(observed_call& other) noexcept {
    if (other.carry_ != nullptr) other.carry_(room_, other.room_);
    carry_ = std::exchange(other.carry_, nullptr);
  }
  void clear() noexcept {
    if (carry_ != nullptr) std::exchange(carry_, nullptr)(nullptr, room_);
  }

  void (*carry_)(void* to, void* from) noexcept = nullptr;  ///< moves the object to `to`, or destroys it
  alignas(std::max_align_t) unsigned char room_[room_size];
};

/// Storage for the state that a nesting-aware strategy keeps while an attempt runs on its thread. A driver creates one
/// around each attempt; a strategy may put one object in it.
class attempt_scope : pinned::immovable<attempt_scope> {
 public:
  /// Stores the result of `make()`, which need not be movable.
  void keep(auto const& make) {
    static_assert(
        observed_call::fits<decltype(make())>,
        "anew::attempt_scope requires a scope of at most 64 bytes; this scope is larger. Store a pointer in it");
    room_.keep(make);
  }

 private:
  observed_call room_;
};

}  // namespace anew::inline ANEW_ABI

#endif
