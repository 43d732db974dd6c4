// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_ATOMICALLY_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_ATOMICALLY_HPP

#include <cstddef>
#include <cstdint>

#include "anew/base/platform/compiler.hpp"

#if defined(ANEW_STANDARD_ATOMICS)
#include <atomic>
#endif

/// The operations that the core needs on an integer which threads share. `<atomic>` would add a tenth to what every user
/// of the core preprocesses; see docs/explanation/decisions/0004-no-atomic-header.md.
namespace anew::inline ANEW_ABI::detail::atomically {

// Numbered as `__ATOMIC_RELAXED` and `std::memory_order` are.
enum order : int { relaxed = 0, acquire = 2, release = 3, acq_rel = 4 };

#if defined(ANEW_SINGLE_THREADED)
template <int, class T>
T load(T const& from) noexcept {
  return from;
}
template <int, class T>
void store(T& to, T value) noexcept {
  to = value;
}
template <int, class T>
T exchange(T& to, T value) noexcept {
  T const before = to;
  to = value;
  return before;
}
template <int, class T>
T fetch_add(T& to, T value) noexcept {
  return atomically::exchange<relaxed>(to, static_cast<T>(to + value));
}
template <bool, int, int, class T>
bool compare_exchange(T& to, T& expected, T desired) noexcept {
  bool const is_equal = to == expected;
  (is_equal ? to : expected) = is_equal ? desired : to;
  return is_equal;
}
#elif defined(ANEW_STANDARD_ATOMICS)
template <int Order, class T>
T load(T const& from) noexcept {
  return std::atomic_ref<T>{const_cast<T&>(from)}.load(static_cast<std::memory_order>(Order));
}
template <int Order, class T>
void store(T& to, T value) noexcept {
  std::atomic_ref<T>{to}.store(value, static_cast<std::memory_order>(Order));
}
template <int Order, class T>
T exchange(T& to, T value) noexcept {
  return std::atomic_ref<T>{to}.exchange(value, static_cast<std::memory_order>(Order));
}
template <int Order, class T>
T fetch_add(T& to, T value) noexcept {
  return std::atomic_ref<T>{to}.fetch_add(value, static_cast<std::memory_order>(Order));
}
template <bool IsWeak, int Success, int Failure, class T>
bool compare_exchange(T& to, T& expected, T desired) noexcept {
  std::atomic_ref<T> const shared{to};
  constexpr auto success = static_cast<std::memory_order>(Success);
  constexpr auto failure = static_cast<std::memory_order>(Failure);
  if constexpr (IsWeak) return shared.compare_exchange_weak(expected, desired, success, failure);
  return shared.compare_exchange_strong(expected, desired, success, failure);
}
#else
/// Explains a processor whose compiler would call a library for the operation.
template <class T, bool IsLoad = false>
consteval bool is_lock_free() {
#if defined(ANEW_PLATFORM_NONE)
  constexpr std::size_t most = IsLoad ? sizeof(void*) : 0;
#else
  constexpr std::size_t most = sizeof(std::uint32_t);  // a library knows the system's way
#endif
  static_assert(sizeof(T) <= most || __atomic_always_lock_free(sizeof(T), nullptr),
                "anew requires lock-free atomic integers of 32 bits for quotas, and of 64 bits for gates, budgets and "
                "the default random source; this processor does not have them. Define ANEW_SINGLE_THREADED if no "
                "other thread and no interrupt handler calls anew");
  return true;
}
template <int Order, class T, bool = is_lock_free<T, true>()>
ANEW_INLINE T load(T const& from) noexcept {
  return __atomic_load_n(&from, Order);
}
template <int Order, class T, bool = is_lock_free<T, true>()>
ANEW_INLINE void store(T& to, T value) noexcept {
  __atomic_store_n(&to, value, Order);
}
template <int Order, class T, bool = is_lock_free<T>()>
ANEW_INLINE T exchange(T& to, T value) noexcept {
  return __atomic_exchange_n(&to, value, Order);
}
template <int Order, class T, bool = is_lock_free<T>()>
ANEW_INLINE T fetch_add(T& to, T value) noexcept {
  return __atomic_fetch_add(&to, value, Order);
}
template <bool IsWeak, int Success, int Failure, class T, bool = is_lock_free<T>()>
ANEW_INLINE bool compare_exchange(T& to, T& expected, T desired) noexcept {
  return __atomic_compare_exchange_n(&to, &expected, desired, IsWeak, Success, Failure);
}
#endif

}  // namespace anew::inline ANEW_ABI::detail::atomically

#endif
