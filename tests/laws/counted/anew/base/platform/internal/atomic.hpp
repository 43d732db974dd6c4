// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_LAWS_COUNTED_ATOMIC_HPP
#define ANEW_TESTS_LAWS_COUNTED_ATOMIC_HPP

#include "anew/base/platform/compiler.hpp"

// What the library's own header has besides comes from there.
#define atomic_cell uncounted_atomic_cell
#include "../../../../../../../include/anew/base/platform/internal/atomic.hpp"
#undef atomic_cell

namespace anew::inline ANEW_ABI::detail {

/// How many operations on atomic integers this thread may make before `exhausted` is called, which does not return. Laws
/// set it for one function of a policy: without another thread's progress none may go on for long.
struct step_limit {
  unsigned left = ~0U;
  unsigned made = 0;
  void (*exhausted)() = nullptr;
  unsigned exchanges = 0;

  void step() noexcept {
    ++made;
    if (left-- == 0) exhausted();
  }
  /// A weak compare-exchange may fail for no reason, which it never does on some machines. One of 61 does here.
  bool fails_for_no_reason() noexcept { return ++exchanges % 61 == 0; }
};
inline constinit thread_local step_limit steps_of_this_thread{};

/// The library's atomic integer, of which every operation is counted.
template <class T>
struct atomic_cell {
  constexpr explicit atomic_cell(T value) noexcept : value_{value} {}
  constexpr atomic_cell(atomic_cell&& other) noexcept : value_{other.value_} {}

  [[nodiscard]] T load() const noexcept {
    steps_of_this_thread.step();
    return __atomic_load_n(&value_, __ATOMIC_RELAXED);
  }
  [[nodiscard]] T load_acquire() const noexcept {
    steps_of_this_thread.step();
    return __atomic_load_n(&value_, __ATOMIC_ACQUIRE);
  }
  void store_release(T value) noexcept {
    steps_of_this_thread.step();
    __atomic_store_n(&value_, value, __ATOMIC_RELEASE);
  }
  T fetch_add(T value) noexcept {
    steps_of_this_thread.step();
    return __atomic_fetch_add(&value_, value, __ATOMIC_RELAXED);
  }
  T fetch_add_release(T value) noexcept {
    steps_of_this_thread.step();
    return __atomic_fetch_add(&value_, value, __ATOMIC_RELEASE);
  }
  T fetch_sub_acq_rel(T value) noexcept {
    steps_of_this_thread.step();
    return __atomic_fetch_sub(&value_, value, __ATOMIC_ACQ_REL);
  }
  bool compare_exchange_weak(T& expected, T desired) noexcept {
    return compare_exchange_weak_acq_rel(expected, desired);
  }
  bool compare_exchange_weak_release(T& expected, T desired) noexcept {
    return compare_exchange_weak_acq_rel(expected, desired);
  }
  bool compare_exchange_weak_acq_rel(T& expected, T desired) noexcept {
    steps_of_this_thread.step();
    if (steps_of_this_thread.fails_for_no_reason()) {
      expected = __atomic_load_n(&value_, __ATOMIC_ACQUIRE);
      return false;
    }
    return __atomic_compare_exchange_n(&value_, &expected, desired, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }

 private:
  T value_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
