// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_NOW_VIEW_HPP
#define ANEW_BASE_NOW_VIEW_HPP

#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// A `time_point`, or an object that reads the clock when it is converted to one, and not again.
template <class T>
concept Time = std::is_convertible_v<T, time_point>;

}  // namespace detail

/// The time, for a virtual function: the clock is read when this becomes a `time_point`, and never if it does not.
///
/// It refers to a driver's time: use it within the function that gets it. Cost: an indirect call.
class now_view {
 public:
  template <class Now>
    requires(detail::Time<Now&> && !std::is_same_v<std::remove_cvref_t<Now>, now_view>)
  now_view(Now&& now) noexcept  // NOLINT(*-explicit-*,*-forwarding-reference-*): it refers to it
      : of_{const_cast<void*>(static_cast<void const*>(&now))},
        read_{[](void* of) -> time_point { return *static_cast<std::remove_reference_t<Now>*>(of); }} {}

  operator time_point() const { return read_(of_); }  // NOLINT(*-explicit-*)

 private:
  void* of_;
  time_point (*read_)(void*);
};

}  // namespace anew::inline ANEW_ABI

#endif
