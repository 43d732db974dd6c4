// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLATFORM_INTERNAL_ATOMIC_HPP
#define ANEW_PLATFORM_INTERNAL_ATOMIC_HPP

#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Reads and writes what a policy has counted; specialized where anew/compose/snapshot.hpp needs it.
template <class Stateful>
struct kept_state;

/// Explains a processor that would call a library for each operation.
template <class T>
consteval bool is_lock_free() {
  static_assert(
      sizeof(T) < 8 || __atomic_always_lock_free(sizeof(T), nullptr),
      "anew requires atomic integers of 64 bits for quotas, gates and the default random source; this processor "
      "does not have them. Compose anew::no_quota, no gate, and a policy with the role anew::roles::random_source");
  return true;
}

/// The few operations that the core needs of an atomic integer. `<atomic>` would add a tenth to what every user of
/// the core preprocesses; see docs/explanation/decisions/0004-no-atomic-header.md. Moves with what it is part of, before
/// threads share it: a policy that holds one declares no special member functions.
template <class T>
class atomic_cell {
 public:
  constexpr explicit atomic_cell(T value) noexcept : value_{value} {}
  atomic_cell(atomic_cell&& other) noexcept : value_{other.load()} {}
  atomic_cell& operator=(atomic_cell&&) = delete;
  atomic_cell(atomic_cell const&) = delete;
  atomic_cell& operator=(atomic_cell const&) = delete;
  ~atomic_cell() = default;

  [[nodiscard]] T load() const noexcept { return __atomic_load_n(&value_, __ATOMIC_RELAXED); }
  [[nodiscard]] T load_acquire() const noexcept { return __atomic_load_n(&value_, __ATOMIC_ACQUIRE); }
  void store_release(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }
  T fetch_add(T value) noexcept { return __atomic_fetch_add(&value_, value, __ATOMIC_RELAXED); }
  /// A thread that reads the sum with `load_acquire()` sees what was written before.
  T fetch_add_release(T value) noexcept { return __atomic_fetch_add(&value_, value, __ATOMIC_RELEASE); }
  /// For a count of owners: the last one sees what the others did.
  T fetch_sub_acq_rel(T value) noexcept { return __atomic_fetch_sub(&value_, value, __ATOMIC_ACQ_REL); }

  /// On failure, puts what it found into `expected`. May fail where the two are equal.
  bool compare_exchange_weak(T& expected, T desired) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  /// The same, for a word that says what others hold: who reads the word sees what was written before it changed.
  bool compare_exchange_weak_acq_rel(T& expected, T desired) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, desired, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
  /// The same. A thread that reads the new value with `load_acquire()` sees what was written before.
  bool compare_exchange_weak_release(T& expected, T desired) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, desired, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
  }

 private:
  static_assert(detail::is_lock_free<T>());

  alignas(sizeof(T)) T value_;  // i386 aligns 64 bits to 4 bytes in a class: a load could span two cache lines
};

/// The same operations on an integer that lives elsewhere.
template <class T>
class atomic_view {
 public:
  constexpr explicit atomic_view(T& of) noexcept : of_{&of} {}

  [[nodiscard]] T load() const noexcept { return __atomic_load_n(of_, __ATOMIC_RELAXED); }
  [[nodiscard]] T load_acquire() const noexcept { return __atomic_load_n(of_, __ATOMIC_ACQUIRE); }
  void store_release(T value) const noexcept { __atomic_store_n(of_, value, __ATOMIC_RELEASE); }
  T fetch_add(T value) const noexcept { return __atomic_fetch_add(of_, value, __ATOMIC_RELAXED); }
  T exchange(T value) const noexcept { return __atomic_exchange_n(of_, value, __ATOMIC_ACQ_REL); }

  /// On failure, puts what it found into `expected`. On success what was written before is seen by who loads the new
  /// value with acquire.
  bool compare_exchange(T& expected, T desired) const noexcept {
    return __atomic_compare_exchange_n(of_, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }

 private:
  static_assert(detail::is_lock_free<T>());

  T* of_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
