// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_ATOMIC_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_ATOMIC_HPP

#include <cstddef>
#include <cstdint>

#include "anew/base/platform/compiler.hpp"

#if defined(ANEW_STANDARD_ATOMICS)
#include <atomic>
#endif

/// The operations that the core needs on an integer which threads share. `<atomic>` would add a tenth to what every user
/// of the core preprocesses; see docs/explanation/decisions/why_the_first_attempt_is_inlined.md.
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

namespace anew::inline ANEW_ABI::detail {

/// An atomic integer. Moves with what it is part of, before threads share it: a policy that holds one declares no
/// special member functions.
template <class T>
class atomic_cell {
 public:
  constexpr explicit atomic_cell(T value) noexcept : value_{value} {}
  atomic_cell(atomic_cell&& other) noexcept : value_{other.load()} {}
  atomic_cell& operator=(atomic_cell&&) = delete;
  atomic_cell(atomic_cell const&) = delete;
  atomic_cell& operator=(atomic_cell const&) = delete;
  ~atomic_cell() = default;

  [[nodiscard]] T load() const noexcept { return atomically::load<atomically::relaxed>(value_); }
  [[nodiscard]] T load_acquire() const noexcept { return atomically::load<atomically::acquire>(value_); }
  void store_release(T value) noexcept { atomically::store<atomically::release>(value_, value); }
  T fetch_add(T value) noexcept { return atomically::fetch_add<atomically::relaxed>(value_, value); }
  /// A thread that reads the sum with `load_acquire()` sees what was written before.
  T fetch_add_release(T value) noexcept { return atomically::fetch_add<atomically::release>(value_, value); }
  /// For a count of owners: the last one sees what the others did.
  T fetch_sub_acq_rel(T value) noexcept {
    return atomically::fetch_add<atomically::acq_rel>(value_, static_cast<T>(T{} - value));
  }

  /// On failure, puts what it found into `expected`. May fail where the two are equal.
  bool compare_exchange_weak(T& expected, T desired) noexcept {
    return atomically::compare_exchange<true, atomically::relaxed, atomically::relaxed>(value_, expected, desired);
  }
  /// The same, for a word that says what others hold: who reads the word sees what was written before it changed.
  bool compare_exchange_weak_acq_rel(T& expected, T desired) noexcept {
    return atomically::compare_exchange<true, atomically::acq_rel, atomically::acquire>(value_, expected, desired);
  }
  /// The same. A thread that reads the new value with `load_acquire()` sees what was written before.
  bool compare_exchange_weak_release(T& expected, T desired) noexcept {
    return atomically::compare_exchange<true, atomically::release, atomically::relaxed>(value_, expected, desired);
  }

 private:
  alignas(sizeof(T)) T value_;  // i386 aligns 64 bits to 4 bytes in a class: a load could span two cache lines
};

/// The same operations on an integer that lives elsewhere.
template <class T>
class atomic_view {
 public:
  constexpr explicit atomic_view(T& of) noexcept : of_{&of} {}

  [[nodiscard]] T load() const noexcept { return atomically::load<atomically::relaxed>(*of_); }
  [[nodiscard]] T load_acquire() const noexcept { return atomically::load<atomically::acquire>(*of_); }
  void store_release(T value) const noexcept { atomically::store<atomically::release>(*of_, value); }
  T fetch_add(T value) const noexcept { return atomically::fetch_add<atomically::relaxed>(*of_, value); }
  T exchange(T value) const noexcept { return atomically::exchange<atomically::acq_rel>(*of_, value); }

  /// On failure, puts what it found into `expected`. On success what was written before is seen by a thread that loads the new
  /// value with acquire.
  bool compare_exchange(T& expected, T desired) const noexcept {
    return atomically::compare_exchange<false, atomically::acq_rel, atomically::acquire>(*of_, expected, desired);
  }

 private:
  T* of_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
