// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_RESULT_SLOT_HPP
#define ANEW_DRIVERS_INTERNAL_RESULT_SLOT_HPP

#include <new>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // g++ 12 at -O1 does not see that a result has been placed
#endif

namespace anew::inline ANEW_ABI::detail {

/// Storage for one result, which the driver destroys before the sleep rather than at the end of a scope. Unlike
/// `std::optional` it takes a function's result without a move, also for types that convert from anything.
template <class R>
class result_slot {
 public:
  result_slot() noexcept {}
  result_slot(result_slot const&) = delete;
  result_slot& operator=(result_slot const&) = delete;
  ~result_slot() { reset(); }

  template <class Make>
  R& emplace_from(Make&& make) {
    reset();
    ::new (static_cast<void*>(__builtin_addressof(value_))) R(std::forward<Make>(make)());
    full_ = true;
    return value_;
  }

  void reset() noexcept {
    if (std::exchange(full_, false)) value_.~R();
  }

  [[nodiscard]] bool has_value() const noexcept { return full_; }
  [[nodiscard]] R& operator*() noexcept { return value_; }
  [[nodiscard]] R const& operator*() const noexcept { return value_; }
  [[nodiscard]] R take() { return std::move(value_); }

 private:
  union {
    R value_;
  };
  bool full_ = false;
};

template <class R>
class result_slot<R&> {
 public:
  template <class Make>
  R& emplace_from(Make&& make) {
    value_ = __builtin_addressof(std::forward<Make>(make)());
    return *value_;
  }
  void reset() noexcept { value_ = nullptr; }
  [[nodiscard]] bool has_value() const noexcept { return value_ != nullptr; }
  [[nodiscard]] R& operator*() const noexcept { return *value_; }
  [[nodiscard]] R& take() const noexcept { return *value_; }

 private:
  R* value_ = nullptr;
};

}  // namespace anew::inline ANEW_ABI::detail

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
