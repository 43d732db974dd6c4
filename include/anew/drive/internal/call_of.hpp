// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_INTERNAL_CALL_OF_HPP
#define ANEW_DRIVE_INTERNAL_CALL_OF_HPP

#include <new>
#include <type_traits>
#include <utility>

#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Room for one object that is made on the way after a failure only, and ends its life itself.
template <class T>
union room_for {
  T value;
  room_for() noexcept {}
  room_for(room_for const&) = delete;
  room_for& operator=(room_for const&) = delete;
  ~room_for() {}

  template <class... Args>
  ANEW_INLINE T& make(Args&&... args) {
    return *::new (static_cast<void*>(__builtin_addressof(value))) T{std::forward<Args>(args)...};
  }
};

/// A companion of a call as functions out of line take it: without size it is copied, for its address would need a place
/// on the caller's stack, and the caller a frame.
template <class T>
inline constexpr bool is_handed_by_value =
    std::is_empty_v<T> && std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T>;
template <class T>
using handed = std::conditional_t<is_handed_by_value<T>, T, T&>;

struct never_sleeps {};

/// All that stays the same from the first failure of a call to its end. It is made where the failure is known: each
/// address that is kept on the way to success is a register that is saved there.
template <class S, class Op, class Sleep, class Stop, class Report>
struct call_of {
  using strategy_type = S;
  using operation_type = Op;

  ANEW_NO_UNIQUE_ADDRESS handed<S const> strategy;
  ANEW_NO_UNIQUE_ADDRESS handed<Op> operation;
  ANEW_NO_UNIQUE_ADDRESS handed<Sleep> sleep;
  ANEW_NO_UNIQUE_ADDRESS handed<Stop const> stop;
  ANEW_NO_UNIQUE_ADDRESS handed<Report> report;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
