// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_ATOMIC_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_ATOMIC_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomically.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Reads and writes what a policy has counted; specialized where anew/state/snapshot.hpp needs it.
template <class Stateful>
struct kept_state;

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
