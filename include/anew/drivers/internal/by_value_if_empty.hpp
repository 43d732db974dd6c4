// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_BY_VALUE_IF_EMPTY_HPP
#define ANEW_DRIVERS_INTERNAL_BY_VALUE_IF_EMPTY_HPP

#include <new>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Storage for one object that is made only after a failure, and destroys itself.
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

/// How an out-of-line function takes an object of the call: an empty one by value, because its address would force a
/// stack frame on the caller.
template <class T>
inline constexpr bool is_passed_by_value =
    std::is_empty_v<T> && std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T>;
template <class T>
using by_value_if_empty = std::conditional_t<is_passed_by_value<T>, T, T&>;

}  // namespace anew::inline ANEW_ABI::detail

#endif
