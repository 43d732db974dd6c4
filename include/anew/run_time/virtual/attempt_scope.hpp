// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_ATTEMPT_SCOPE_HPP
#define ANEW_RUN_TIME_VIRTUAL_ATTEMPT_SCOPE_HPP

#include <cstddef>
#include <memory>
#include <new>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// Storage for the state that a nesting-aware strategy keeps while an attempt runs on its thread. A driver creates one
/// around each attempt; a strategy may put one object in it.
class attempt_scope {
 public:
  static constexpr std::size_t room_size = 64;

  attempt_scope() noexcept {}  // NOLINT(*-use-equals-default): a defaulted one would clear the room
  attempt_scope(attempt_scope const&) = delete;
  attempt_scope& operator=(attempt_scope const&) = delete;
  ~attempt_scope() {
    if (end_ != nullptr) end_(room_);
  }

  /// Stores the result of `make()`, which need not be movable.
  template <class Make>
  void keep(Make const& make) {
    using scope = decltype(make());
    static_assert(
        sizeof(scope) <= room_size && alignof(scope) <= alignof(std::max_align_t),
        "anew::attempt_scope requires a scope of at most 64 bytes; this scope is larger. Store a pointer in it");
    ::new (static_cast<void*>(room_)) scope(make());
    end_ = [](void* room) noexcept { std::destroy_at(std::launder(static_cast<scope*>(room))); };
  }

 private:
  void (*end_)(void* room) noexcept = nullptr;
  alignas(std::max_align_t) unsigned char room_[room_size];
};

}  // namespace anew::inline ANEW_ABI

#endif
