// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DETAIL_ATOMIC_HPP
#define ANEW_DETAIL_ATOMIC_HPP

namespace anew::detail {

/// The four operations that the core needs of an atomic integer. `<atomic>` would add a tenth to what every user of
/// the core preprocesses; see docs/explanation/decisions/0004-no-atomic-header.md.
template <class T>
class atomic_cell {
 public:
  constexpr explicit atomic_cell(T value) noexcept : value_{value} {}

  [[nodiscard]] T load() const noexcept { return __atomic_load_n(&value_, __ATOMIC_RELAXED); }
  [[nodiscard]] T load_acquire() const noexcept { return __atomic_load_n(&value_, __ATOMIC_ACQUIRE); }
  void store_release(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }
  T fetch_add(T value) noexcept { return __atomic_fetch_add(&value_, value, __ATOMIC_RELAXED); }

  /// On failure, puts what it found into `expected`.
  bool compare_exchange_weak(T& expected, T desired) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }

 private:
  T value_;
};

}  // namespace anew::detail

#endif
