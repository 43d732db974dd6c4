// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_MODEL_ATOMIC_HPP
#define ANEW_TESTS_MODEL_ATOMIC_HPP

#include "anew/base/platform/compiler.hpp"

#include "explorer.hpp"

// What the library's own header has besides comes from there.
#define atomic_cell atomic_cell_without_steps
#include "../../../../../../../include/anew/base/platform/internal/atomic.hpp"
#undef atomic_cell

namespace anew::inline ANEW_ABI::detail {

/// The library's atomic integer, as a model: every operation is a step of its own, before which another thread may
/// run, and a weak compare-exchange may fail for no reason. One object at a time is looked at, of which relaxed and
/// sequentially consistent operations show the same orders; for several, this explores the sequentially consistent ones.
template <class T>
struct atomic_cell {
  constexpr explicit atomic_cell(T value) noexcept : value_{value} {}
  constexpr atomic_cell(atomic_cell&& other) noexcept : value_{other.value_} {}

  [[nodiscard]] T load() const noexcept {
    model::step(this, true);
    return value_;
  }
  [[nodiscard]] T load_acquire() const noexcept { return load(); }
  void store_release(T value) noexcept {
    model::step(this, false);
    value_ = value;
    model::wrote(this);
  }
  T fetch_add(T value) noexcept {
    model::step(this, false);
    T const before = value_;
    value_ = static_cast<T>(value_ + value);
    model::wrote(this);
    return before;
  }
  T fetch_add_release(T value) noexcept { return fetch_add(value); }
  T fetch_sub_acq_rel(T value) noexcept { return fetch_add(static_cast<T>(T{0} - value)); }
  bool compare_exchange_weak(T& expected, T desired) noexcept {
    model::step(this, false);
    if (value_ != expected) {
      expected = value_;
      return false;
    }
    if (model::fails_for_no_reason()) return false;
    value_ = desired;
    model::wrote(this);
    return true;
  }
  bool compare_exchange_weak_acq_rel(T& expected, T desired) noexcept {
    return compare_exchange_weak(expected, desired);
  }
  bool compare_exchange_weak_release(T& expected, T desired) noexcept {
    return compare_exchange_weak(expected, desired);
  }

 private:
  T value_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
